"""One direction of word alignment: what was learnt of it, and what it says of sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.rng import Stream

__all__ = ["DirectedLinks", "Direction", "Learnt", "Round", "both_directions", "stream_key"]

T = TypeVar("T")


@dataclass(frozen=True)
class Round:
    """A round of EM: the log-likelihood (base e) that its model gives the text, and the tension of the diagonal."""

    log_p: float
    tension: float


@dataclass(frozen=True, eq=False)
class Direction:
    """What was learnt about one direction, p(target | source): a table of word pairs, and more by method.

    The pairs of source word w are [rows[w + 1], rows[w + 2]); row 0 is the empty word's.
    """

    rows: NDArray[np.int64]
    targets: NDArray[np.int32]
    p: NDArray[np.float32]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()

    def core(self) -> _core.align.Table:
        """The table, for kernels."""
        return _core.align.Table(self.rows, self.targets, self.p)


@dataclass(frozen=True, eq=False)
class DirectedLinks:
    """What a direction says of sentences: links by target word (-1: none), log p by sentence, posteriors if wanted."""

    links: NDArray[np.int32]
    log_p: NDArray[np.float64]
    posteriors: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Learnt:
    """What training gives: a direction and, where training itself says more than it does, the training text aligned."""

    direction: Direction
    links: DirectedLinks | None = None


def both_directions(work: Callable[[bool, int], T], n_threads: int) -> tuple[T, T]:
    """`work(backward, n_threads)` for both directions, at once if there is more than one thread."""
    if n_threads < 2:
        return work(False, 1), work(True, 1)
    with ThreadPoolExecutor(2) as pool:
        forward = pool.submit(work, False, n_threads - n_threads // 2)
        back = pool.submit(work, True, n_threads // 2)
        return forward.result(), back.result()


def stream_key(seed: int, backward: bool) -> int:
    """The key of a direction's random stream."""
    return Stream(seed, f"align {'backward' if backward else 'forward'}").key
