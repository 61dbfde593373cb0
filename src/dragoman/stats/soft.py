"""Soft pairwise accuracy (Thompson et al., WMT 2024): do people and metric hold system pairs apart equally surely?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman._core import resample
from dragoman.errors import DataError
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats, check_trials
from dragoman.stats.replicates import pieces

__all__ = ["SoftAccuracy", "pairwise_p_values", "soft_pairwise_accuracy"]


@dataclass(frozen=True)
class SoftAccuracy:
    """1 − mean |p by people − p by the metric| over all pairs of systems."""

    accuracy: float
    n_pairs: int
    n_segments: int
    trials: int
    seed: int


def pairwise_p_values(scores: ArrayLike, *, trials: int = 1000, seed: int = 12345, n_threads: int = 1) -> Floats:
    """One-sided p-values that the row's system is better than the column's: (systems, segments) → (systems, systems).

    Paired permutation: coin flips exchange the two systems' scores segment by segment. p is the share of trials whose
    difference reaches the observed one, c/R as published (a p-value of 0 is possible). All pairs share the coins. The
    lower triangle and the diagonal are NaN.
    """
    check_trials(trials)
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 1:
        raise DataError(f"Soft accuracy needs (systems, segments) of at least 2 and 1, got {table.shape}.")
    if not np.isfinite(table).all():
        raise DataError(
            "Soft accuracy needs a score of every system for every segment; take the segments that have all."
        )
    n = len(table)
    rows = np.ascontiguousarray(table.T)
    totals = table.sum(axis=1)
    first, second = np.triu_indices(n, 1)
    observed = totals[first] - totals[second]
    # Sums in another order differ in the last digits; such a difference reaches the observed one.
    slack = 1e-11 * max(1.0, float(np.abs(table).sum(axis=1).max()))
    reached: NDArray[np.int64] = np.zeros(len(first), dtype=np.int64)
    key = Stream(seed, "soft-accuracy").key
    for start, count in pieces(trials, n):
        heads = resample.coin_totals(rows, count, key, first_trial=start, n_threads=n_threads)
        signed = 2.0 * heads - totals  # +score on heads, −score on tails
        for left in range(n - 1):
            pairs = slice(left * (2 * n - left - 1) // 2, (left + 1) * (2 * n - left - 2) // 2)
            null = signed[:, left : left + 1] - signed[:, left + 1 :]
            reached[pairs] += np.count_nonzero(null >= observed[pairs] - slack, axis=0)
    p_values = np.full((n, n), np.nan)
    p_values[first, second] = reached / trials
    return p_values


def soft_pairwise_accuracy(
    human: ArrayLike, metric: ArrayLike, *, trials: int = 1000, seed: int = 12345, n_threads: int = 1
) -> SoftAccuracy:
    """Soft pairwise accuracy from segment scores, (systems, segments) each; higher is better on both sides.

    Missing scores are NaN: only segments are used of which people and metric have a score for every system.
    """
    h, m = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if h.ndim != 2 or h.shape != m.shape:
        raise DataError(f"Soft accuracy compares the same translations, got the shapes {h.shape} and {m.shape}.")
    whole = ~(np.isnan(h) | np.isnan(m)).any(axis=0)
    if not whole.any():
        raise DataError("Soft accuracy needs a segment of which people and metric scored every system.")
    sides = [table[:, whole] for table in (h, m)]
    p_human, p_metric = (pairwise_p_values(side, trials=trials, seed=seed, n_threads=n_threads) for side in sides)
    upper = np.triu_indices(len(h), 1)
    accuracy = 1.0 - float(np.abs(p_human - p_metric)[upper].mean())
    return SoftAccuracy(accuracy, len(upper[0]), sides[0].shape[1], trials, seed)
