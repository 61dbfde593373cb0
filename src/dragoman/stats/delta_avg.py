"""DeltaAvg, the ranking measure of WMT's quality-estimation tasks (Callison-Burch et al., WMT 2012, §6.3)."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats

__all__ = ["delta_avg", "delta_avg_of", "rank_coefficients"]


def delta_avg(gold: ArrayLike, predicted: ArrayLike) -> float:
    """How much better than all items those are that the prediction ranks first, over all numbers of quantiles.

    With V the mean gold value and n quantiles of ⌊|S|/n⌋ items, the last one taking the rest, DeltaAvg[n] is the mean
    of V(first k quantiles) over k = 1 … n − 1, minus V(S); DeltaAvg is the mean of DeltaAvg[n] over n = 2 … ⌊|S|/2⌋.
    Higher is better on both sides. Items of equal prediction stay in their order. NaN for fewer than four items and
    where all predictions are equal, which rank nothing.
    """
    g, p = np.asarray(gold, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    if g.ndim != 1 or g.shape != p.shape or not np.isfinite(g).all() or not np.isfinite(p).all():
        raise DataError(f"DeltaAvg needs a gold value and a prediction of every item, got {g.shape} and {p.shape}.")
    if len(g) < 4 or np.ptp(p) == 0:
        return math.nan
    return float(g[np.argsort(-p, kind="stable")] @ rank_coefficients(len(g)))


def delta_avg_of(gold: ArrayLike, predicted: ArrayLike, n_quantiles: int) -> float:
    """DeltaAvg[n] of one number of quantiles."""
    g, p = np.asarray(gold, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    if not 2 <= n_quantiles <= len(g):
        raise DataError(f"{len(g)} items have 2 to {len(g)} quantiles, got {n_quantiles}.")
    means = np.cumsum(g[np.argsort(-p, kind="stable")]) / np.arange(1, len(g) + 1)
    ends = len(g) // n_quantiles * np.arange(1, n_quantiles)
    return float(means[ends - 1].mean() - g.mean())


@lru_cache(maxsize=32)
def rank_coefficients(n: int) -> Floats:
    """What the value at each rank is worth: DeltaAvg is linear in the values once they are in order.

    The mean of the first j values has the weight Σ 1/((m − 1)(N − 1)) over all m that have a quantile ending at j.
    All m with one quantile size share the ends, so a sum of 1/(m − 1) serves them together: O(n log n).
    """
    most = n // 2
    weight = np.zeros(n + 1)
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, most + 1))])  # harmonic[i] = Σ 1/j, j ≤ i
    high = most
    while high >= 2:
        size = n // high
        low = max(2, n // (size + 1) + 1)  # the fewest quantiles of this size
        k = np.arange(1, high)
        weight[size * k] += harmonic[high - 1] - harmonic[np.maximum(k, low - 1) - 1]
        high = low - 1
    weight /= most - 1
    worth = np.cumsum((weight[1:] / np.arange(1, n + 1))[::-1])[::-1] - 1.0 / n
    worth.setflags(write=False)
    return worth
