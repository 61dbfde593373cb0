"""How well two sets of scores agree: Pearson, Spearman, Kendall, pairwise accuracy, and their intervals.

All functions take arrays of one length without holes: who has missing scores says which items are left (`complete`).
What is not defined (scores that are all equal, fewer than two items) is NaN, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError, UnknownName
from dragoman.stats.arrays import Floats, check_level
from dragoman.stats.concordance import count_concordance

__all__ = [
    "CORRELATIONS",
    "average_ranks",
    "complete",
    "correlate",
    "fisher_interval",
    "kendall",
    "pairwise_accuracy",
    "pearson",
    "pearson_matrix",
    "spearman",
]


def complete(*scores: ArrayLike) -> NDArray[np.bool_]:
    """Which items every one of these arrays has a score of (NaN is none). Infinite scores are refused."""
    arrays = [np.asarray(each, dtype=np.float64) for each in scores]
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1:
        sizes = ", ".join(str(array.shape) for array in arrays)
        raise DataError(f"Scores that are compared must be of the same items, got the shapes {sizes}.")
    for number, array in enumerate(arrays, start=1):
        if np.isinf(array).any():
            where = tuple(int(place) + 1 for place in np.argwhere(np.isinf(array))[0])
            raise DataError(f"Scores {number} are infinite at {', '.join(map(str, where))}; a missing score is NaN.")
    is_complete: NDArray[np.bool_] = np.logical_and.reduce([~np.isnan(array) for array in arrays])
    return is_complete


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's r; NaN for fewer than two items or scores that are all equal."""
    return float(pearson_matrix(np.stack(_pair(x, y)))[0, 1])


def pearson_matrix(rows: ArrayLike) -> Floats:
    """Pearson's r of all pairs of rows: (k, n) → (k, k). A row of equal scores correlates with nothing (NaN)."""
    table = np.asarray(rows, dtype=np.float64)
    if table.ndim != 2:
        raise DataError(f"A table of scores is (scorers, items), got the shape {table.shape}.")
    if np.isnan(table).any():
        raise DataError("Scores are missing (NaN); a correlation is of items that have all scores. See `complete`.")
    k, n = table.shape
    if n < 2:
        return np.full((k, k), np.nan)
    # Equal scores are told apart by the scores, not by their spread, which rounding makes a little more than 0.
    constant = np.ptp(table, axis=1) == 0
    centred = table - table.mean(axis=1, keepdims=True)
    length = np.sqrt(np.square(centred).sum(axis=1))
    length[constant | (length == 0)] = np.nan
    unit = centred / length[:, np.newaxis]
    # Rounding may leave ±1 by a hair, which would make the K of Williams' test negative.
    r: Floats = np.clip(unit @ unit.T, -1.0, 1.0)
    return r


def average_ranks(scores: ArrayLike) -> Floats:
    """Ranks from 1, the lowest score first; equal scores share the mean of their ranks."""
    array = np.asarray(scores, dtype=np.float64)
    _, which, shared = np.unique(array, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(shared) - (shared - 1) / 2)[which.reshape(array.shape)]
    return ranks


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's ρ: Pearson's r of average ranks, which is 1 − 6Σd²/(n(n²−1)) where nothing is tied."""
    a, b = _pair(x, y)
    return pearson(average_ranks(a), average_ranks(b))


def kendall(x: ArrayLike, y: ArrayLike, variant: str = "b") -> float:
    """Kendall's τ-a, τ-b or τ-c of two vectors, in O(n log n).

    a: (C − D)/all pairs. b: (C − D)/√((C + D + Tx)(C + D + Ty)), Tx the pairs tied in x alone. c (Stuart 1953):
    2m(C − D)/(n²(m − 1)), m the smaller number of distinct scores.
    """
    a, b = _pair(x, y)
    counts = count_concordance(a, b)
    if variant == "a":
        return counts.difference / counts.n_pairs if counts.n_pairs else math.nan
    if variant == "b":
        untied_x = counts.concordant + counts.discordant + counts.ties_metric  # not tied in x, the first argument
        untied_y = counts.concordant + counts.discordant + counts.ties_human
        return counts.difference / math.sqrt(untied_x * untied_y) if untied_x and untied_y else math.nan
    if variant == "c":
        m = min(len(np.unique(a)), len(np.unique(b)))
        return 2 * m * counts.difference / (len(a) ** 2 * (m - 1)) if m > 1 else math.nan
    raise UnknownName(f"No τ is called {variant!r}. Known: a, b, c; WMT's own are in `pair_tau`.")


def pairwise_accuracy(human: ArrayLike, metric: ArrayLike) -> float:
    """Share of pairs that both order alike (Kocmi et al., WMT 2021); tied in both counts as alike."""
    counts = count_concordance(*_pair(human, metric))
    return counts.accuracy if counts.n_pairs else math.nan


CORRELATIONS: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "kendall-a": lambda x, y: kendall(x, y, "a"),
    "kendall-c": lambda x, y: kendall(x, y, "c"),
    "accuracy": pairwise_accuracy,
}


def correlate(name: str, human: ArrayLike, metric: ArrayLike) -> float:
    """The agreement of that name between human scores and a metric's."""
    if name not in CORRELATIONS:
        raise UnknownName(f"No correlation is called {name!r}. Known: {', '.join(CORRELATIONS)}.")
    return CORRELATIONS[name](human, metric)


def fisher_interval(r: float, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """The interval of one Pearson correlation by Fisher's r→z; NaN where n ≤ 3 or r is not defined.

    It says how uncertain this one r is. To ask whether two metrics differ, use Williams' test: they were measured on
    the same systems, and intervals of dependent correlations must not be held against each other.
    """
    check_level(level)
    if math.isnan(r) or n <= 3:
        return math.nan, math.nan
    if abs(r) >= 1:
        return r, r
    half = NormalDist().inv_cdf((1 + level) / 2) / math.sqrt(n - 3)
    z = math.atanh(r)
    return math.tanh(z - half), math.tanh(z + half)


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or b.ndim != 1:
        raise DataError(f"A correlation is of two lists of scores, got the shapes {a.shape} and {b.shape}.")
    if not complete(a, b).all():
        raise DataError("Scores are missing (NaN); a correlation is of items that have both scores. See `complete`.")
    return a, b
