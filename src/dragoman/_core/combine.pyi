"""Confusion networks of several translations."""

from collections.abc import Sequence
import enum

import numpy
from numpy.typing import NDArray

import dragoman._core.graph
import dragoman._core.lm


class Method(enum.Enum):
    """How a network is built."""

    shifts = 0

    hmm = 1

    inversions = 2

    links = 3

class Facts:
    """What is known of the words of all systems."""

    def __init__(self, stems: NDArray[numpy.int32], kin: NDArray[numpy.int32], kin_offsets: NDArray[numpy.int64], letters: NDArray[numpy.int32], letter_offsets: NDArray[numpy.int64]) -> None: ...

class Sources:
    """Sources, and the translations of their words."""

    def __init__(self, words: NDArray[numpy.int32], offsets: NDArray[numpy.int64], translations: NDArray[numpy.int32], translation_offsets: NDArray[numpy.int64], p_target: NDArray[numpy.float32], p_source: NDArray[numpy.float32]) -> None: ...

class BuildOptions:
    """How translations are aligned."""

    def __init__(self, method: Method, *, stem_cost: float, kin_cost: float, semantic: float, surface: float, shift_cost: float, longest_shift: int, farthest_shift: int, all_alike: bool, jump: float, p_null: float, inversion: float, most_items: int) -> None: ...

class Batch:
    """
    Translations of segments by several systems, their networks, and paths through them.
    """

    def __init__(self, words: NDArray[numpy.int32], offsets: NDArray[numpy.int64], n_systems: int) -> None: ...

    def build(self, facts: Facts, options: BuildOptions, sources: Sources | None = None, links: tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None, *, n_threads: int) -> None:
        """Build a network for each segment and skeleton."""

    def networks(self) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
        """
        The word of each system in each link, -1: none; and where each network begins.
        """

    @property
    def n_given_up(self) -> int:
        """Alignments that shifts made because inversions took too long."""

    def set_models(self, models: Sequence[dragoman._core.lm.Model], numbers: Sequence[NDArray[numpy.int32]]) -> None:
        """
        The language models to ask, with the numbers that they have for the words.
        """

    @property
    def n_features(self) -> int: ...

    def lattice(self, segment: int, weights: NDArray[numpy.float32], beam: int) -> dragoman._core.graph.Hypergraph:
        """Everything that the search of a segment kept."""

    def best_paths(self, segments: NDArray[numpy.int64], weights: NDArray[numpy.float32], *, beam: int, n_best: int, n_threads: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64], NDArray[numpy.float64]]:
        """
        The word taken in each link, offsets of the paths, of the segments, network, score and features of each path.
        """

def inverted_distance(hyp: Sequence[int], ref: Sequence[int], inversion: float = 1.0) -> tuple[float, int]:
    """invWER of two sequences, and how many spans the search looked at."""
