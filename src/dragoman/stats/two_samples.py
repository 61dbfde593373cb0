"""Two samples of different people or segments: Welch's t-test and the Wilcoxon–Mann–Whitney rank-sum test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats

__all__ = ["TwoSamples", "rank_sum_test", "welch_test"]


@dataclass(frozen=True)
class TwoSamples:
    """What a test of two samples says; with one side, the question is whether the first is greater."""

    test: str
    statistic: float
    p: float
    sides: int
    n_a: int
    n_b: int
    df: float | None = None  # Welch's, where the test has degrees of freedom


def rank_sum_test(a: ArrayLike, b: ArrayLike, *, sides: int = 2) -> TwoSamples:
    """Wilcoxon's rank-sum test (Mann & Whitney's U), by the normal approximation with correction for equal values.

    The statistic is U, the number of pairs in which the value of `a` is greater, equal ones counted as half. There is
    no continuity correction. Samples whose values are all the same give p = 1.
    """
    first, second = _sample(a, "first", 1), _sample(b, "second", 1)
    n_a, n_b = len(first), len(second)
    n = n_a + n_b
    _, which, shared = np.unique(np.concatenate([first, second]), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(shared) - (shared - 1) / 2)[which]
    u = float(ranks[:n_a].sum()) - n_a * (n_a + 1) / 2
    ties = float((shared.astype(np.float64) ** 3 - shared).sum())
    variance = n_a * n_b / 12 * ((n + 1) - ties / (n * (n - 1)))
    if variance <= 0:
        return TwoSamples("rank-sum", u, 1.0, _sides(sides), n_a, n_b)
    z = (u - n_a * n_b / 2) / math.sqrt(variance)
    tail = math.erfc((z if _sides(sides) == 1 else abs(z)) / math.sqrt(2))
    return TwoSamples("rank-sum", u, tail / 2 if sides == 1 else tail, sides, n_a, n_b)


def welch_test(a: ArrayLike, b: ArrayLike, *, sides: int = 2) -> TwoSamples:
    """Welch's t-test (Biometrika 1947): means of two samples of unequal variances.

    Samples without any spread have no standard error: p is 1 when the means are equal, else 0 (on one side, 0 only
    when `a` is greater).
    """
    from scipy.special import stdtr

    first, second = _sample(a, "first", 2), _sample(b, "second", 2)
    n_a, n_b = len(first), len(second)
    gap = float(first.mean() - second.mean())
    parts = float(first.var(ddof=1)) / n_a, float(second.var(ddof=1)) / n_b
    error = sum(parts)
    if error == 0:
        is_clear = gap > 0 or (gap < 0 and _sides(sides) == 2)
        t = math.copysign(math.inf, gap) if gap else 0.0
        return TwoSamples("welch", t, 0.0 if is_clear else 1.0, sides, n_a, n_b)
    t = gap / math.sqrt(error)
    df = error**2 / (parts[0] ** 2 / (n_a - 1) + parts[1] ** 2 / (n_b - 1))
    p = float(stdtr(df, -t)) if _sides(sides) == 1 else 2 * float(stdtr(df, -abs(t)))
    return TwoSamples("welch", t, p, sides, n_a, n_b, df)


def _sample(values: ArrayLike, which: str, least: int) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or len(array) < least or not np.isfinite(array).all():
        size = f"{array.size} values" if np.isfinite(array).all() else "values that are not finite numbers"
        raise DataError(f"The {which} sample must be a list of at least {least} numbers, got {size}.")
    return array


def _sides(sides: int) -> int:
    if sides not in (1, 2):
        raise DataError(f"A test has 1 or 2 sides, got {sides}.")
    return sides
