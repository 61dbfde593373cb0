"""Phrase tables, and translating with them."""

from collections.abc import Sequence
import enum
from typing import Any

import numpy
from numpy.typing import NDArray

import dragoman._core.lm


class Orientation(enum.Enum):
    """Which earlier block a phrase is oriented to."""

    none = 0

    word = 1

    hierarchical = 2

class Smoothing(enum.Enum):
    """How phrase probabilities are made from counts."""

    none = 0

    good_turing = 1

    kneser_ney = 2

class ExtractOptions:
    def __init__(self) -> None: ...

    @property
    def longest(self) -> int: ...

    @longest.setter
    def longest(self, arg: int, /) -> None: ...

    @property
    def smoothing(self) -> Smoothing: ...

    @smoothing.setter
    def smoothing(self, arg: Smoothing, /) -> None: ...

    @property
    def orientation(self) -> Orientation: ...

    @orientation.setter
    def orientation(self, arg: Orientation, /) -> None: ...

    @property
    def orientation_smoothing(self) -> float: ...

    @orientation_smoothing.setter
    def orientation_smoothing(self, arg: float, /) -> None: ...

    @property
    def translations_per_phrase(self) -> int: ...

    @translations_per_phrase.setter
    def translations_per_phrase(self, arg: int, /) -> None: ...

    @property
    def keep_counts(self) -> bool: ...

    @keep_counts.setter
    def keep_counts(self, arg: bool, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

class DecodeOptions:
    def __init__(self) -> None: ...

    @property
    def pop_limit(self) -> int: ...

    @pop_limit.setter
    def pop_limit(self, arg: int, /) -> None: ...

    @property
    def distortion_limit(self) -> int: ...

    @distortion_limit.setter
    def distortion_limit(self, arg: int, /) -> None: ...

    @property
    def options_per_phrase(self) -> int: ...

    @options_per_phrase.setter
    def options_per_phrase(self, arg: int, /) -> None: ...

    @property
    def drop_unknown(self) -> bool: ...

    @drop_unknown.setter
    def drop_unknown(self, arg: bool, /) -> None: ...

class PhraseTable:
    """Source phrases and their translations."""

    def __len__(self) -> int: ...

    @property
    def n_sources(self) -> int: ...

    @property
    def n_scores(self) -> int: ...

    @property
    def longest(self) -> int: ...

    def find(self, source: NDArray[numpy.int32]) -> list[tuple[list[int], list[tuple[int, int]], list[float]]]:
        """The translations of a phrase: words, links, scores."""

    def serialised(self) -> bytes:
        """The content of a table file."""

    @staticmethod
    def on_file(file: memoryview) -> PhraseTable:
        """A table on the mapped content of a file."""

def extract(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], options: ExtractOptions) -> tuple[PhraseTable, int, int, int, list[int]]:
    """
    The phrase table of an aligned bitext; instances, pairs, pairs kept, orientations.
    """

class Engine:
    """Phrase tables and language models, ready to translate."""

    @staticmethod
    def make(tables: Sequence[tuple[PhraseTable, int]], language_models: Sequence[tuple[dragoman._core.lm.Model, Sequence[int]]], orientation: Orientation) -> Engine: ...

    @property
    def n_features(self) -> int: ...

    def names(self) -> list[str]:
        """The names of the features, in the order of the weights."""

    def decode(self, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights: NDArray[numpy.float32], limits: DecodeOptions, *, n_best: int, distinct: bool, features: bool, n_threads: int) -> dict[str, Any]:
        """Translations of sentences, flat."""

def prune_by_significance(table: PhraseTable, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], *, least: float, n_threads: int = 1) -> PhraseTable:
    """The pairs whose -log p, by Fisher's exact test, is above `least`."""

def negative_log_p(n_both: int, n_source: int, n_target: int, n: int) -> float:
    """
    -log p that phrases of so many sentence pairs meet in so many or more of n by chance.
    """
