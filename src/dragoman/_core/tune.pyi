"""Tuning of weights on candidate lists."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

import dragoman._core.graph


class Smoothing(enum.Enum):
    """What BLEU does about orders without a match."""

    none = 0

    floor = 1

    add_k = 2

    exp = 3

class BleuObjective:
    """BLEU of summed statistics, in the core."""

    def __init__(self, order: int, smoothing: Smoothing, smoothing_value: float, effective_order: bool) -> None: ...

    def values(self, totals: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Values of rows of summed statistics."""

class MeanObjective:
    """The mean of segments' scores, in the core."""

    def __init__(self, sign: float) -> None: ...

class MeteorObjective:
    """METEOR of summed statistics, in the core."""

    def __init__(self, mixing: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], alpha: float, beta: float, gamma: float) -> None: ...

    def values(self, totals: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Values of rows of summed statistics."""

def line_search(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets: NDArray[numpy.int64], objective: BleuObjective | MeanObjective | MeteorObjective | Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], weights: NDArray[numpy.float64], direction: NDArray[numpy.float64]) -> tuple[float, float]:
    """The best step from the weights along a direction, and its value."""

def ascend(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets: NDArray[numpy.int64], objective: BleuObjective | MeanObjective | MeteorObjective | Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], starts: NDArray[numpy.float64], scales: NDArray[numpy.float64], key: int, *, random_directions: int, features_of_direction: int, most_sweeps: int, tolerance: float, n_threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], int]:
    """
    MERT from several starts: weights, values, values of the starts, line searches.
    """

def batch_mira(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets: NDArray[numpy.int64], objective: BleuObjective | MeanObjective | MeteorObjective | Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], start: NDArray[numpy.float64], moves: NDArray[numpy.uint8], key: int, *, aggressiveness: float, decay: float, words: float, passes: int, sparse: tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64], int] | None = None) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], int, NDArray[numpy.float64]]:
    """
    Batch MIRA: averaged weights after each pass, their values, updates made, sparse weights of the best pass. `sparse`: row offsets, columns, values and number of the candidates' sparse features.
    """

def sample_pairs(gains: NDArray[numpy.float64], offsets: NDArray[numpy.int64], key: int, *, draws: int, kept: int, threshold: float, n_threads: int) -> NDArray[numpy.int64]:
    """Pairs of candidates, the better first: (pairs, 2)."""

def ascend_graphs(graphs: Sequence[Sequence[dragoman._core.graph.Hypergraph]], objective: BleuObjective | MeanObjective | MeteorObjective | Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], score: Callable[[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32]], NDArray[numpy.float64]], n_stats: int, starts: NDArray[numpy.float64], scales: NDArray[numpy.float64], key: int, *, random_directions: int, features_of_direction: int, most_sweeps: int, tolerance: float, n_threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], int]:
    """
    MERT on hypergraphs from several starts: weights, values, translations scored.
    """

def envelope(graph: dragoman._core.graph.Hypergraph, weights: NDArray[numpy.float64], direction: NDArray[numpy.float64]) -> list[tuple[float, float, list[int]]]:
    """
    The ways that are best somewhere on a line, by rising slope: score, slope, arcs.
    """
