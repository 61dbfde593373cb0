"""Resampled judgements: which of them are drawn together, and the counts that come of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dragoman._core import rank as core
from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError
from dragoman.rng import Stream

__all__ = ["UNITS", "Unit", "check_unit", "grouped", "outcome_cells", "resampled_counts"]

Unit = Literal["screen", "segment", "annotator", "judgement"]

# What is drawn together: the pairs of one 5-way ranking are not independent, nor are the rankings of one segment or
# of one annotator. Single judgements are what WMT's papers write of.
UNITS: tuple[str, ...] = get_args(Unit)

_PIECE = 100  # replicates made at a time, so that progress can be told and memory stays small


def check_unit(unit: str) -> None:
    """Refuse what is no unit of resampling."""
    if unit not in UNITS:
        raise DataError(f"Judgements are resampled by {', '.join(UNITS)}; got {unit!r}.")


def grouped(keys: NDArray[np.int32] | None, n: int) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """An order of the judgements in which those of one key stand together, and where each run begins (and all end)."""
    if keys is None:
        return np.arange(n), np.arange(n + 1, dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    begins = np.flatnonzero(np.diff(keys[order], prepend=-1))
    return order, np.append(begins, n).astype(np.int64)


def unit_keys(comparisons: Comparisons, unit: str) -> NDArray[np.int32] | None:
    """The number of the unit that each comparison belongs to; None when each is its own."""
    check_unit(unit)
    keys: dict[str, NDArray[np.int32] | None] = {
        "screen": comparisons.screen,
        "segment": comparisons.segment,
        "annotator": comparisons.annotator,
        "judgement": None,
    }
    return keys[unit]


def outcome_cells(comparisons: Comparisons) -> NDArray[np.int32]:
    """The cell that each comparison counts in: n·i + j when i beat j, n² + n·i + j when i < j were held equal."""
    n = len(comparisons.systems)
    first, second = comparisons.first, comparisons.second
    won = np.where(comparisons.outcome > 0, first * n + second, second * n + first)
    return np.where(comparisons.outcome == 0, n * n + first * n + second, won).astype(np.int32)


def resampled_counts(
    comparisons: Comparisons, *, n: int, unit: Unit, seed: int, n_threads: int = 1
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Wins and ties of `n` bootstrap samples, in pieces of (m, systems, systems) each."""
    size = len(comparisons.systems)
    order, starts = grouped(unit_keys(comparisons, unit), len(comparisons))
    cells = np.ascontiguousarray(outcome_cells(comparisons)[order])
    key = Stream(seed, f"rank bootstrap by {unit}").key
    for first in range(0, n, _PIECE):
        count = min(_PIECE, n - first)
        drawn = core.resampled_counts(cells, starts, 2 * size * size, count, key, first=first, n_threads=n_threads)
        wins = drawn[:, : size * size].reshape(count, size, size).astype(np.float64)
        upper = drawn[:, size * size :].reshape(count, size, size).astype(np.float64)
        yield wins, upper + np.swapaxes(upper, 1, 2)
