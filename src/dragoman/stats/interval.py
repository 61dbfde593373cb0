"""Intervals: percentile bootstrap for scores, Clopper–Pearson for proportions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats, Values, check_level, check_trials, run_scores, systems_of
from dragoman.stats.replicates import bootstrap_scores

__all__ = [
    "Interval",
    "Proportion",
    "bootstrap_interval",
    "bootstrap_intervals",
    "clopper_pearson",
    "percentile_interval",
]


@dataclass(frozen=True)
class Interval:
    """A score with its bootstrap interval. `mean` is the mean of the resampled scores, not the score."""

    score: float
    mean: float
    low: float
    high: float
    level: float
    trials: int
    seed: int

    @property
    def half_width(self) -> float:
        """Half the interval's width: what sacreBLEU prints after `±`."""
        return 0.5 * (self.high - self.low)


@dataclass(frozen=True)
class Proportion:
    """A share of successes with its exact interval."""

    share: float
    low: float
    high: float
    successes: int
    n: int
    level: float


def percentile_interval(score: float, replicates: Floats, *, level: float, seed: int) -> Interval:
    """The interval between the percentiles of resampled scores.

    The bounds are order statistics, i from either end with i the whole part of trials × (1 − level) / 2: at 95 % the
    n // 40 of Koehn (EMNLP 2004) that Moses and sacreBLEU use.
    """
    check_level(level)
    ordered = np.sort(replicates)
    cut = math.floor(len(ordered) * (1 - level) / 2 + 1e-9)  # 1 − 0.9 is a little below 0.1
    return Interval(
        score=float(score),
        mean=float(ordered.mean()),
        low=float(ordered[cut]),
        high=float(ordered[len(ordered) - cut - 1]),
        level=level,
        trials=len(ordered),
        seed=seed,
    )


def bootstrap_interval(
    rows: ArrayLike, values: Values, *, level: float = 0.95, trials: int = 1000, seed: int = 12345, n_threads: int = 1
) -> Interval:
    """The score of one system with its percentile interval over resampled segments (and runs)."""
    return bootstrap_intervals([rows], values, level=level, trials=trials, seed=seed, n_threads=n_threads)[0]


def bootstrap_intervals(
    systems: Sequence[ArrayLike],
    values: Values,
    *,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 12345,
    n_threads: int = 1,
) -> list[Interval]:
    """Intervals of several systems, all from the same resamples."""
    check_trials(trials)
    check_level(level)
    checked = systems_of(systems)
    replicates = bootstrap_scores(checked, values, trials=trials, seed=seed, n_threads=n_threads)
    return [
        percentile_interval(run_scores(system, values).mean(), column, level=level, seed=seed)
        for system, column in zip(checked, replicates.T, strict=True)
    ]


def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> Proportion:
    """The exact binomial interval of a proportion (Clopper & Pearson, Biometrika 1934)."""
    from scipy.special import betaincinv

    check_level(level)
    if not 0 <= successes <= n or n == 0:
        raise DataError(f"A proportion needs 0 ≤ successes ≤ n and n ≥ 1, got {successes} of {n}.")
    tail = (1 - level) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return Proportion(successes / n, low, high, successes, n, level)
