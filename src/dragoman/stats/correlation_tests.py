"""Is one metric's correlation with people higher than another's? Tests by chance, where Williams' does not apply.

Pearson's r is a function of six sums over items, so the house's paired tests serve for it as they are: exchanging the
two metrics' scores item by item is the PERM-BOTH test of Deutsch, Dror & Roth (TACL 2021), resampling items is their
BOOT-BOTH. Rank correlations are no such function and are computed anew in every trial.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dragoman._core import resample
from dragoman.errors import DataError
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats, check_trials
from dragoman.stats.base import PairedTest
from dragoman.stats.compare import Comparisons, compare_systems
from dragoman.stats.correlation import complete, correlate
from dragoman.stats.correlation_batches import correlate_rows
from dragoman.stats.interval import Interval, percentile_interval

__all__ = [
    "CorrelationDifference",
    "WinShare",
    "bootstrap_correlation",
    "compare_correlations",
    "correlation_rows",
    "correlation_values",
    "permute_correlations",
    "win_share",
]

_CELLS = 1 << 22  # shuffled scores held at once


def correlation_rows(human: ArrayLike, metric: ArrayLike) -> Floats:
    """Additive statistics of Pearson's r, one row an item: 1, h, m, h², m², hm, of standardised scores.

    Standardising changes no r and makes two metrics' scores exchangeable, which the permutation needs.
    """
    h, m = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if h.ndim != 1 or not complete(h, m).all():
        raise DataError("Scores are missing (NaN); a correlation is of items that have both scores. See `complete`.")
    h, m = _standard(h, "people"), _standard(m, "a metric")
    return np.stack([np.ones(len(h)), h, m, h * h, m * m, h * m], axis=1)


def correlation_values(totals: Floats) -> Floats:
    """Pearson's r from sums of such rows; 0 for a resample in which one side's scores are all equal."""
    n, h, m, hh, mm, hm = np.asarray(totals, dtype=np.float64).T
    spread_h, spread_m = n * hh - h * h, n * mm - m * m
    flat = (spread_h <= 1e-12 * n * n) | (spread_m <= 1e-12 * n * n)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(flat, 0.0, (n * hm - h * m) / np.sqrt(spread_h * spread_m))
    return np.clip(r, -1.0, 1.0)


def compare_correlations(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    *,
    test: PairedTest,
    baseline: str | None = None,
    correction: str = "holm",
    n_threads: int = 1,
) -> Comparisons:
    """Pearson's r of several metrics with people, compared by a paired test on the same draws.

    `randomisation` is PERM-BOTH, `bootstrap` resamples the items. Scores are of the same items, higher is better.
    """
    rows = {name: correlation_rows(human, scores) for name, scores in metrics.items()}
    return compare_systems(
        rows, correlation_values, test=test, baseline=baseline, correction=correction, n_threads=n_threads
    )


def bootstrap_correlation(
    name: str, human: ArrayLike, metric: ArrayLike, *, trials: int = 1000, seed: int = 12345, level: float = 0.95
) -> Interval | None:
    """The percentile interval of a correlation over resampled items; None if it is not defined in most resamples.

    Resamples in which it is not defined (all items equal) are left out and the interval counts the others.
    """
    check_trials(trials)
    h, m = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    n = len(h)
    estimate = correlate(name, h, m)
    if math.isnan(estimate):
        return None
    high = Stream(seed, "correlation").bits(trials * n) >> np.uint64(32)
    drawn = ((high * np.uint64(n)) >> np.uint64(32)).astype(np.int64).reshape(trials, n)
    replicates = correlate_rows(name, h[drawn], m[drawn])
    replicates = replicates[~np.isnan(replicates)]
    if len(replicates) < trials / 2:
        return None
    return percentile_interval(estimate, replicates, level=level, seed=seed)


@dataclass(frozen=True)
class CorrelationDifference:
    """Two metrics' correlations with people, and the one-sided p that the first is higher."""

    correlation: str
    first: float
    second: float
    p: float
    trials: int
    seed: int

    @property
    def delta(self) -> float:
        """The first correlation minus the second."""
        return self.first - self.second


def permute_correlations(
    name: str, human: ArrayLike, first: ArrayLike, second: ArrayLike, *, trials: int = 1000, seed: int = 12345
) -> CorrelationDifference:
    """PERM-BOTH for any correlation of `CORRELATIONS`: scores exchanged item by item, by coin flips.

    p is (c + 1)/(R + 1), c the trials whose difference reaches the observed one.
    """
    check_trials(trials)
    if not complete(human, first, second).all():
        raise DataError("Scores are missing (NaN); the test is of items that have all three scores. See `complete`.")
    h = np.asarray(human, dtype=np.float64)
    a, b = (
        _standard(np.asarray(first, dtype=np.float64), "a metric"),
        _standard(np.asarray(second, dtype=np.float64), "a metric"),
    )
    r_a, r_b = correlate(name, h, a), correlate(name, h, b)
    if math.isnan(r_a) or math.isnan(r_b):
        raise DataError("A correlation is not defined: the human scores are all equal.")
    reached = 0
    step = max(1, _CELLS // len(h))
    stream = Stream(seed, "perm-both")
    for first_trial in range(0, trials, step):
        count = min(step, trials - first_trial)
        bits = stream.bits(count * len(h), start=first_trial * len(h)) >> np.uint64(63)
        coins = bits.astype(bool).reshape(count, -1)
        people = np.broadcast_to(h, coins.shape)
        one, two = (correlate_rows(name, people, np.where(coins, x, y)) for x, y in ((b, a), (a, b)))
        # Shuffled scores may all be equal; they then show no agreement.
        null = np.nan_to_num(one) - np.nan_to_num(two)
        reached += int(np.count_nonzero(null >= r_a - r_b - 1e-12))
    return CorrelationDifference(name, r_a, r_b, (reached + 1) / (trials + 1), trials, seed)


@dataclass(frozen=True)
class WinShare:
    """In how many resamples each metric correlates better; wins, losses and ties of the first add up to the trials."""

    correlation: str
    wins: int
    losses: int
    ties: int
    trials: int
    seed: int

    @property
    def share(self) -> float:
        """Share of resamples that the first metric wins: from .95 on one star, from .99 on two, in the paper."""
        return self.wins / self.trials


def win_share(
    name: str,
    human: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    trials: int = 1000,
    seed: int = 12345,
    n_threads: int = 1,
) -> WinShare:
    """How often the first metric correlates better at system level when topics are resampled (Lin et al., ACL 2012).

    All scores are (systems, topics): topics are documents or segments, drawn with replacement and the same for all;
    system scores are means over the drawn topics, on the human side too.
    """
    check_trials(trials)
    tables = [np.asarray(each, dtype=np.float64) for each in (human, first, second)]
    if tables[0].ndim != 2 or not complete(*tables).all():
        raise DataError("A resampling of topics needs (systems, topics) without missing scores for all three.")
    n_systems = len(tables[0])
    rows = np.ascontiguousarray(np.concatenate(tables).T)
    totals = resample.bootstrap_totals(rows, trials, Stream(seed, "win-share").key, n_threads=n_threads)
    # Sums of the same draws in floating point: equal metrics give equal sums, so a tie is exact.
    sides = totals.reshape(trials, 3, n_systems)
    differences = correlate_rows(name, sides[:, 0], sides[:, 1]) - correlate_rows(name, sides[:, 0], sides[:, 2])
    sign = np.sign(np.round(np.nan_to_num(differences), 12)).astype(np.int64)
    losses, ties, wins = (int(count) for count in np.bincount(sign + 1, minlength=3))
    return WinShare(name, wins, losses, ties, trials, seed)


def _standard(scores: Floats, whose: str) -> Floats:
    if not len(scores) or np.ptp(scores) == 0:
        raise DataError(f"The scores of {whose} are all equal; they correlate with nothing.")
    standard: Floats = (scores - scores.mean()) / scores.std()
    return standard
