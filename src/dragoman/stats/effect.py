"""How large a difference is, and how small a one this test set could show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from numpy.typing import ArrayLike

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats, Values, check_level, run_scores, systems_of
from dragoman.stats.interval import percentile_interval
from dragoman.stats.replicates import bootstrap_scores

__all__ = ["Effect", "SmallestDifference", "effect_size", "smallest_difference"]


@dataclass(frozen=True)
class Effect:
    """A difference between two systems with its bootstrap interval.

    `standardised` is the difference in units of its spread from segment to segment, delta / (standard error × √n): for
    a mean of segment scores Cohen's d of the paired differences. It is None where there is no spread.
    """

    delta: float
    low: float
    high: float
    level: float
    standard_error: float
    standardised: float | None
    n: int
    trials: int
    seed: int


@dataclass(frozen=True)
class SmallestDifference:
    """The smallest true difference that a test at level alpha finds with the given probability (its power)."""

    difference: float
    standard_error: float
    alpha: float
    power: float
    sides: int
    n: int
    trials: int
    seed: int


def effect_size(
    a: ArrayLike,
    b: ArrayLike,
    values: Values,
    *,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 12345,
    n_threads: int = 1,
) -> Effect:
    """The difference a − b with its percentile interval over resampled segments (and runs)."""
    check_level(level)
    systems = systems_of([a, b])
    differences, error = _resampled(systems, values, trials, seed, n_threads)
    delta = float(run_scores(systems[0], values).mean() - run_scores(systems[1], values).mean())
    interval = percentile_interval(delta, differences, level=level, seed=seed)
    n = systems[0].shape[1]
    standardised = delta / (error * math.sqrt(n)) if error else None
    return Effect(delta, interval.low, interval.high, level, error, standardised, n, trials, seed)


def smallest_difference(
    a: ArrayLike,
    b: ArrayLike,
    values: Values,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    sides: int = 2,
    trials: int = 1000,
    seed: int = 12345,
    n_threads: int = 1,
) -> SmallestDifference:
    """What difference this test set can show between two systems that vary as these do.

    (z[1 − alpha/sides] + z[power]) × the bootstrap standard error of the paired difference (Cohen 1988; Card et al.,
    EMNLP 2020, on how often NLP experiments fall short of it). Two systems without any spread between them give 0.
    """
    check_level(alpha, "alpha")
    check_level(power, "power")
    if sides not in (1, 2):
        raise DataError(f"A test has 1 or 2 sides, got {sides}.")
    systems = systems_of([a, b])
    _, error = _resampled(systems, values, trials, seed, n_threads)
    normal = NormalDist()
    difference = (normal.inv_cdf(1 - alpha / sides) + normal.inv_cdf(power)) * error
    return SmallestDifference(difference, error, alpha, power, sides, systems[0].shape[1], trials, seed)


def _resampled(
    systems: Sequence[Floats], values: Values, trials: int, seed: int, n_threads: int
) -> tuple[Floats, float]:
    if trials < 2:
        raise DataError(f"A standard error needs at least two trials, got {trials}; 1000 is usual.")
    scores = bootstrap_scores(systems, values, trials=trials, seed=seed, n_threads=n_threads)
    differences: Floats = scores[:, 0] - scores[:, 1]
    return differences, float(differences.std(ddof=1))
