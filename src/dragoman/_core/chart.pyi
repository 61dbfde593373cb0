"""Translation by the rules of a grammar."""

from collections.abc import Mapping, Sequence
import enum

import numpy
from numpy.typing import NDArray

import dragoman._core.grammar
import dragoman._core.graph
import dragoman._core.lm
import dragoman._core.phrase
import dragoman._core.text


class RuleTable:
    """The rules of a grammar by their source sides."""

    def __len__(self) -> int: ...

    @property
    def n_scores(self) -> int: ...

    @property
    def n_sources(self) -> int: ...

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_source_words(self) -> int: ...

    @property
    def n_target_words(self) -> int: ...

    @property
    def n_source_labels(self) -> int: ...

    @property
    def n_target_labels(self) -> int: ...

    @property
    def is_quantised(self) -> bool: ...

    @property
    def labels(self) -> list[tuple[int, int]]:
        """The numbers of the names of each label's sides."""

    def find(self, source: Sequence[int]) -> tuple[int, int]:
        """
        The first rule of a source side and the one behind its last. Symbols: words, and -1 - label for gaps.
        """

    def begins(self, source: Sequence[int]) -> bool:
        """Whether a source side begins so."""

    def kinds(self) -> list[tuple[int, bool, int, int]]:
        """
        How many rules have so many gaps, in the order of the source or not, and a label.
        """

    def rule(self, number: int) -> tuple[int, list[int], list[tuple[int, int]], list[float]]:
        """
        Label, target side (words, and -1 - k for the source's gap k), links, scores.
        """

    def sides(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]]:
        """
        All source sides that have rules: symbols, as in `find`, offsets, and rows of first rule and the one behind the last.
        """

    def serialised(self) -> bytes:
        """The content of a table file."""

    @staticmethod
    def on_file(file: memoryview) -> RuleTable:
        """A table on the mapped content of a file."""

class MosesRules:
    """A reader of rule tables in Moses' text format."""

    def __init__(self, source: dragoman._core.text.Vocabulary, target: dragoman._core.text.Vocabulary, named: Sequence[str] = []) -> None: ...

    def add(self, lines: str) -> None:
        """Take in whole lines."""

    @property
    def n_lines(self) -> int:
        """Lines looked at: the last one is wrong if `add` raises."""

    def finish(self, source: dragoman._core.text.Vocabulary, target: dragoman._core.text.Vocabulary, *, quantised: bool = False) -> RuleTable:
        """The table; the vocabularies take in the words that they lack."""

    @property
    def label_names(self) -> tuple[list[str], list[str]]:
        """The names of labels by number, source and target."""

class Mixing(enum.Enum):
    """How the models of an ensemble are mixed."""

    prod = 0

    wsum = 1

    wmax = 2

    switch_max = 3

    switch_sum = 4

class MixingOptions:
    def __init__(self) -> None: ...

    @property
    def mix(self) -> Mixing: ...

    @mix.setter
    def mix(self, arg: Mixing, /) -> None: ...

    @property
    def shares(self) -> list[float]: ...

    @shares.setter
    def shares(self, arg: Sequence[float], /) -> None: ...

    @property
    def floor(self) -> float: ...

    @floor.setter
    def floor(self, arg: float, /) -> None: ...

def merge(parts: Sequence[tuple[RuleTable, NDArray[numpy.int32], NDArray[numpy.int32], Sequence[int]]], labels: Sequence[tuple[int, int]], n_source_words: int, n_target_words: int, n_source_labels: int, n_target_labels: int) -> RuleTable:
    """
    The rules of several tables, each with the new numbers of its words and labels: scores side by side, then 0 for each table that has a rule, -100 for each that lacks it.
    """

def mixed(merged: RuleTable, weights: Sequence[Sequence[float]], options: MixingOptions, *, quantised: bool = False) -> RuleTable:
    """
    The rules of merged tables with one score, by each model's weights for its own scores.
    """

class Engine:
    """The rules of a grammar and language models, ready to translate."""

    @staticmethod
    def make(table: RuleTable, language_models: Sequence[tuple[str, dragoman._core.lm.Model, Sequence[int]]], *, names: Sequence[str], unknown_labels: Sequence[int], any_source: int, span: int, given: Sequence[str] = [], features: Sequence[tuple[str, Mapping[str, Sequence[int]]]] = []) -> Engine:
        """
        `language_models`: name, model, and its number for each target word. `names`: of the rules' scores. `unknown_labels`: what words without a rule are called. `any_source`: the source name that may stand over every span. `span`: source words that a rule with gaps may cover; 0: any number.
        """

    @property
    def n_features(self) -> int: ...

    def names(self) -> list[str]:
        """The names of the features, in the order of the weights."""

    def decode(self, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights: NDArray[numpy.float32], limits: dragoman._core.phrase.DecodeOptions, *, n_best: int, distinct: bool, features: bool, n_threads: int, constraints: Sequence[dragoman._core.phrase.Constraints | None] | None = None, confidence: bool = False, scale: float = 1.0, sparse: dragoman._core.phrase.SparseWeights | None = None, summary: bool = False, layer: NDArray[numpy.int32] | None = None, spans: tuple[NDArray[numpy.uint32], NDArray[numpy.int64]] | None = None) -> dragoman._core.phrase.Translations:
        """
        Translations of sentences, flat. `spans`: beginning, end and source label of spans, and where those of each sentence begin.
        """

    def hypergraphs(self, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights: NDArray[numpy.float32], limits: dragoman._core.phrase.DecodeOptions, *, constraints: Sequence[dragoman._core.phrase.Constraints | None] | None = None, features: bool = False, n_threads: int = 1, sparse: dragoman._core.phrase.SparseWeights | None = None, layer: NDArray[numpy.int32] | None = None, spans: tuple[NDArray[numpy.uint32], NDArray[numpy.int64]] | None = None) -> list[dragoman._core.graph.Hypergraph]:
        """The search hypergraphs of sentences: forests."""

def forced_rules(table: RuleTable, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], source_words: dragoman._core.text.Vocabulary, target_words: dragoman._core.text.Vocabulary, label: str, hiero: dragoman._core.grammar.HieroOptions, span: int, copies: NDArray[numpy.int32], weights: NDArray[numpy.float32], limits: dragoman._core.phrase.DecodeOptions, options: dragoman._core.phrase.ForcedOptions) -> dragoman._core.phrase.ForcedUse:
    """
    Translate training pairs again by the rules of their table, leaving one out.
    """

def prune_rules(table: RuleTable, use: dragoman._core.phrase.ForcedUse, restore: int, quantised: bool) -> RuleTable:
    """The rules that are used, without their counts."""
