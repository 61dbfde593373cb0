"""Corrections for many comparisons: p-values adjusted so that a table of pairs can be read at one level.

Holm and max-T keep the chance of any false alarm in the table below the level, Benjamini–Hochberg the expected share of
false alarms among the alarms. Adjusted values are compared with the level directly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError, UnknownName
from dragoman.stats.arrays import Floats

__all__ = ["CORRECTIONS", "adjust", "benjamini_hochberg", "holm", "max_t"]

CORRECTIONS = ("none", "holm", "bh", "max-t")


def adjust(p_values: ArrayLike, correction: str) -> Floats:
    """Adjusted p-values by the name of the correction; max-T needs replicates, see `max_t`."""
    if correction not in CORRECTIONS:
        raise UnknownName(f"No correction is called {correction!r}. Known: {', '.join(CORRECTIONS)}.")
    if correction == "max-t":
        raise DataError("max-T needs the simulated differences of all pairs, not p-values alone; use holm or bh.")
    methods = {"none": _checked, "holm": holm, "bh": benjamini_hochberg}
    return methods[correction](p_values)


def holm(p_values: ArrayLike) -> Floats:
    """Holm's step-down correction (Scandinavian Journal of Statistics, 1979)."""
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    return _back(np.maximum.accumulate(np.minimum(1.0, factors * p[order])), order)


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Benjamini & Hochberg's step-up correction of the false discovery rate (JRSS B, 1995)."""
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")[::-1]
    factors = len(p) / np.arange(len(p), 0, -1)
    return _back(np.minimum.accumulate(np.minimum(1.0, factors * p[order])), order)


def max_t(observed: ArrayLike, null: ArrayLike, *, sides: int = 2) -> Floats:
    """Westfall & Young's step-down max-T (1993) from differences and their joint replicates under the null.

    `observed`: (pairs,), `null`: (trials, pairs), see `PairedTest.joint`. Differences are divided by their spread under
    the null, so that pairs (or metrics: put their columns side by side, drawn with one seed) weigh alike. Systems that
    resemble each other make the correction milder than Holm's.
    """
    deltas, replicates = np.asarray(observed, dtype=np.float64), np.asarray(null, dtype=np.float64)
    if deltas.ndim != 1 or replicates.ndim != 2 or replicates.shape[1] != len(deltas) or not len(replicates):
        raise DataError(
            f"max-T needs differences (pairs,) and replicates (trials, pairs), got {deltas.shape}, {replicates.shape}."
        )
    if sides == 2:
        deltas, replicates = np.abs(deltas), np.abs(replicates)
    spread = np.sqrt(np.mean(np.square(replicates), axis=0))
    spread[spread == 0] = 1.0  # equal systems: nothing to divide
    order = np.argsort(deltas / spread, kind="stable")[::-1]
    t, replicates = (deltas / spread)[order], (replicates / spread)[:, order]
    largest = np.maximum.accumulate(replicates[:, ::-1], axis=1)[:, ::-1]  # over this pair and all with a smaller t
    counts = np.count_nonzero(largest >= t - 1e-11, axis=0)
    return _back(np.maximum.accumulate((counts + 1) / (len(replicates) + 1)), order)


def _checked(p_values: ArrayLike) -> Floats:
    p = np.array(p_values, dtype=np.float64)
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        wrong = p.ravel()[~((p.ravel() >= 0) & (p.ravel() <= 1))]
        wrong_value = f"{wrong[0]}" if len(wrong) else f"the shape {p.shape}"
        raise DataError(f"p-values are a list of numbers from 0 to 1, got {wrong_value}.")
    return p


def _back(ordered: Floats, order: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    adjusted = np.empty_like(ordered)
    adjusted[order] = ordered
    return adjusted
