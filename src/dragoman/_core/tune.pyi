"""Tuning of weights on candidate lists."""

from collections.abc import Callable
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


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

def line_search(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets: NDArray[numpy.int64], objective: BleuObjective | Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], weights: NDArray[numpy.float64], direction: NDArray[numpy.float64]) -> tuple[float, float]:
    """The best step from the weights along a direction, and its value."""

def ascend(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets: NDArray[numpy.int64], objective: BleuObjective | Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], starts: NDArray[numpy.float64], scales: NDArray[numpy.float64], key: int, *, random_directions: int, features_of_direction: int, most_sweeps: int, tolerance: float, n_threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], int]:
    """
    MERT from several starts: weights, values, values of the starts, line searches.
    """

def batch_mira(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets: NDArray[numpy.int64], objective: BleuObjective | Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], start: NDArray[numpy.float64], moves: NDArray[numpy.uint8], key: int, *, aggressiveness: float, decay: float, words: float, passes: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], int]:
    """
    Batch MIRA: averaged weights after each pass, their values, updates made.
    """

def sample_pairs(gains: NDArray[numpy.float64], offsets: NDArray[numpy.int64], key: int, *, draws: int, kept: int, threshold: float, n_threads: int) -> NDArray[numpy.int64]:
    """Pairs of candidates, the better first: (pairs, 2)."""
