"""Synchronous grammars: rules of aligned text."""

from collections.abc import Callable, Sequence
import enum

import numpy
from numpy.typing import NDArray

import dragoman._core.phrase
import dragoman._core.text


class Tight(enum.Enum):
    """Which phrase pairs have no unaligned words at their edges."""

    none = 0

    gaps = 1

    all = 2

class HieroOptions:
    """Which hierarchical rules are extracted."""

    def __init__(self) -> None: ...

    @property
    def longest(self) -> int: ...

    @longest.setter
    def longest(self, arg: int, /) -> None: ...

    @property
    def symbols(self) -> int: ...

    @symbols.setter
    def symbols(self, arg: int, /) -> None: ...

    @property
    def gaps(self) -> int: ...

    @gaps.setter
    def gaps(self, arg: int, /) -> None: ...

    @property
    def shortest_gap(self) -> int: ...

    @shortest_gap.setter
    def shortest_gap(self, arg: int, /) -> None: ...

    @property
    def adjacent_gaps(self) -> bool: ...

    @adjacent_gaps.setter
    def adjacent_gaps(self, arg: bool, /) -> None: ...

    @property
    def aligned_word(self) -> bool: ...

    @aligned_word.setter
    def aligned_word(self, arg: bool, /) -> None: ...

    @property
    def tight(self) -> Tight: ...

    @tight.setter
    def tight(self, arg: Tight, /) -> None: ...

    @property
    def fractional(self) -> bool: ...

    @fractional.setter
    def fractional(self, arg: bool, /) -> None: ...

    @property
    def shallow(self) -> int: ...

    @shallow.setter
    def shallow(self, arg: int, /) -> None: ...

class RuleFeature(enum.Enum):
    """Further scores of a rule."""

    penalty = 0

    rarity = 1

    once = 2

    twice = 3

    thrice = 4

    hierarchical = 5

    boundary = 6

    swap = 7

    tree = 8

    unaligned_source = 9

    unaligned_target = 10

    source_of_label = 11

    target_of_label = 12

    source_in_label = 13

    target_in_label = 14

    noisy_or_source = 15

    noisy_or_target = 16

    mean_source = 17

    mean_target = 18

    inserted_source = 19

    inserted_target = 20

class Significance(enum.Enum):
    """Whether rules whose sides meet by chance are left out."""

    none = 0

    keep_once = 1

    drop_once = 2

class ScoreOptions:
    """How rules are scored, and which of them are kept."""

    def __init__(self) -> None: ...

    @property
    def smoothing(self) -> dragoman._core.phrase.Smoothing: ...

    @smoothing.setter
    def smoothing(self, arg: dragoman._core.phrase.Smoothing, /) -> None: ...

    @property
    def translations_per_source(self) -> int: ...

    @translations_per_source.setter
    def translations_per_source(self, arg: int, /) -> None: ...

    @property
    def least_count(self) -> int: ...

    @least_count.setter
    def least_count(self, arg: int, /) -> None: ...

    @property
    def significance(self) -> Significance: ...

    @significance.setter
    def significance(self, arg: Significance, /) -> None: ...

    @property
    def rule_features(self) -> list[RuleFeature]: ...

    @rule_features.setter
    def rule_features(self, arg: Sequence[RuleFeature], /) -> None: ...

    @property
    def as_run(self) -> bool:
        """Write the rules unscored, for merge_rules."""

    @as_run.setter
    def as_run(self, arg: bool, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def folder(self) -> str: ...

    @folder.setter
    def folder(self, arg: str, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

class RuleStatistics:
    """What came of counting and scoring rules."""

    @property
    def n_instances(self) -> int: ...

    @property
    def n_rules(self) -> int: ...

    @property
    def n_written(self) -> int: ...

    @property
    def n_lexical(self) -> int: ...

    @property
    def n_sources(self) -> int: ...

    @property
    def marks(self) -> NDArray[numpy.uint64]:
        """
        Of a run, rows of a source side's key, in two halves, and where it begins.
        """

def extract_hiero(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], source_words: dragoman._core.text.Vocabulary, target_words: dragoman._core.text.Vocabulary, source_names: list[str], target_names: list[str], options: HieroOptions, scoring: ScoreOptions, write: Callable[[bytes], object], source_labels: tuple[NDArray[numpy.int32], NDArray[numpy.int64], bool, bool, bool] | None = None, target_labels: tuple[NDArray[numpy.int32], NDArray[numpy.int64], bool, bool, bool] | None = None, test: tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None, weights: NDArray[numpy.float32] | None = None) -> RuleStatistics:
    """
    Hierarchical rules of an aligned bitext, written as lines of a rule table. `source_labels`: rows of begin, end, label and anchor (a word that must stay beside the gap, or -1), offsets by sentence, whether other spans may be rules, whether they may be gaps, whether rules are called by the labels of their spans.
    """

def merge_rules(runs: list[tuple[memoryview, NDArray[numpy.uint64]]], begin: tuple[int, int], end: tuple[int, int] | None, source_words: dragoman._core.text.Vocabulary, target_words: dragoman._core.text.Vocabulary, source_names: list[str], target_names: list[str], write: Callable[[bytes], object], test: tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None) -> tuple[list[bytes], NDArray[numpy.uint64], int]:
    """
    Write the rules of a range of source sides in all runs; what they tell the shards of target sides, counts of counts, how many are kept.
    """

def add_up_rule_targets(ranges: list[memoryview], n_kept: NDArray[numpy.uint64], counts_of_counts: NDArray[numpy.uint64], options: ScoreOptions) -> list[bytes]:
    """Of one shard, what the rules of each range are told."""

def score_range(rules: memoryview, answers: list[memoryview], before: int, links: dragoman._core.phrase.LinkCounts, source_words: dragoman._core.text.Vocabulary, target_words: dragoman._core.text.Vocabulary, source_names: list[str], target_names: list[str], counts_of_counts: NDArray[numpy.uint64], options: ScoreOptions, write: Callable[[bytes], object]) -> RuleStatistics:
    """Write the lines of one range."""

class TreeExtractOptions:
    """Which rules are cut out of trees; 0 for no limit."""

    def __init__(self) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def nodes(self) -> int: ...

    @nodes.setter
    def nodes(self, arg: int, /) -> None: ...

    @property
    def size(self) -> int: ...

    @size.setter
    def size(self, arg: int, /) -> None: ...

    @property
    def gaps(self) -> int: ...

    @gaps.setter
    def gaps(self, arg: int, /) -> None: ...

    @property
    def symbols(self) -> int: ...

    @symbols.setter
    def symbols(self, arg: int, /) -> None: ...

    @property
    def scope(self) -> int: ...

    @scope.setter
    def scope(self, arg: int, /) -> None: ...

    @property
    def unary(self) -> bool: ...

    @unary.setter
    def unary(self, arg: bool, /) -> None: ...

    @property
    def lexical(self) -> bool: ...

    @lexical.setter
    def lexical(self, arg: bool, /) -> None: ...

    @property
    def most(self) -> int: ...

    @most.setter
    def most(self, arg: int, /) -> None: ...

    @property
    def phrases(self) -> int: ...

    @phrases.setter
    def phrases(self, arg: int, /) -> None: ...

    @property
    def phrases_of_trees(self) -> bool: ...

    @phrases_of_trees.setter
    def phrases_of_trees(self, arg: bool, /) -> None: ...

class TreeStatistics:
    """What came of cutting rules out of trees."""

    @property
    def rules(self) -> RuleStatistics: ...

    @property
    def n_trees(self) -> int: ...

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_frontier(self) -> int: ...

    @property
    def n_cut(self) -> int: ...

def extract_trees(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], source_words: dragoman._core.text.Vocabulary, target_words: dragoman._core.text.Vocabulary, source_names: list[str], target_names: list[str], nodes: NDArray[numpy.int32], node_offsets: NDArray[numpy.int64], of_source: bool, options: TreeExtractOptions, scoring: ScoreOptions, write: Callable[[bytes], object], test: tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None, weights: NDArray[numpy.float32] | None = None) -> TreeStatistics:
    """
    Rules that trees and alignment give, written as lines of a rule table. `nodes`: rows of label, parent (-1 for the root), begin, end, in pre-order; a word that no child covers is a leaf of the node itself.
    """

def count_reorderings(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], spans: NDArray[numpy.int32], span_offsets: NDArray[numpy.int64], longest: int, n_threads: int = 1) -> NDArray[numpy.int64]:
    """
    Rows of three labels (of two neighbouring source phrases together, of the first, of the second) and how often their translations stood side by side, apart, swapped, swapped and apart.
    """
