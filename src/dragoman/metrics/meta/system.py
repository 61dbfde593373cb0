"""System level: one score of each system by people, one by each metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dragoman.errors import DataError
from dragoman.metrics.meta.inputs import Floats
from dragoman.stats.correlation import complete, correlate, fisher_interval
from dragoman.stats.correlation_tests import bootstrap_correlation, permute_correlations
from dragoman.stats.multiple import adjust
from dragoman.stats.soft import SoftAccuracy, soft_pairwise_accuracy
from dragoman.stats.williams import williams_matrix

__all__ = ["SYSTEM_MEASURES", "Chance", "Measured", "Tested", "compare_on_systems", "measure_systems"]

SYSTEM_MEASURES = ("pearson", "spearman", "kendall", "accuracy")


@dataclass(frozen=True)
class Chance:
    """How much is left to it, and how sure one wants to be."""

    trials: int
    seed: int
    alpha: float
    confidence: float
    n_threads: int


@dataclass(frozen=True)
class Measured:
    """One metric's values, the interval of the one that orders the table, and what they are from."""

    values: dict[str, float | None]
    low: float | None
    high: float | None
    n: int
    n_of: int


@dataclass(frozen=True, eq=False)
class Tested:
    """p-values of all pairs of metrics, in the order of the metrics given."""

    name: str
    p: Floats
    p_adjusted: Floats


def measure_systems(
    human: Floats, metric: Floats, by: str, chance: Chance, *, segments: tuple[Floats, Floats] | None = None
) -> Measured:
    """Correlations of one metric over the systems that both have; `segments` (human, metric) give soft accuracy."""
    both = complete(human, metric)
    h, m = human[both], metric[both]
    values = {name: defined(correlate(name, h, m)) for name in SYSTEM_MEASURES}
    if segments is not None:
        soft = _soft(segments, chance)
        values["soft_accuracy"] = None if soft is None else soft.accuracy
    low, high = _interval(by, h, m, values[by], chance)
    return Measured(values, low, high, int(both.sum()), int((~np.isnan(human)).sum()))


def _interval(by: str, h: Floats, m: Floats, value: float | None, chance: Chance) -> tuple[float | None, float | None]:
    if value is None or by == "soft_accuracy":
        return None, None
    if by == "pearson":
        low, high = fisher_interval(value, len(h), level=chance.confidence)
        return defined(low), defined(high)
    interval = bootstrap_correlation(by, h, m, trials=chance.trials, seed=chance.seed, level=chance.confidence)
    return (None, None) if interval is None else (interval.low, interval.high)


def _soft(segments: tuple[Floats, Floats], chance: Chance) -> SoftAccuracy | None:
    """Soft accuracy over the systems that both sides have segments of; None where they share too little."""
    human, metric = segments
    both = ~np.isnan(human).all(axis=1) & ~np.isnan(metric).all(axis=1)
    human, metric = human[both], metric[both]
    if both.sum() < 2 or np.isnan(human + metric).any(axis=0).all():
        return None
    return soft_pairwise_accuracy(human, metric, trials=chance.trials, seed=chance.seed, n_threads=chance.n_threads)


def compare_on_systems(
    human: Floats, metrics: Mapping[str, Floats], by: str, correction: str, df: str, chance: Chance
) -> Tested | None:
    """Is one metric better than another? Williams' test for Pearson's r, PERM-BOTH for other correlations.

    None where the test cannot be made: fewer than two metrics, or no pair with the four systems that Williams needs.
    """
    rows = list(metrics.values())
    if len(rows) < 2 or by == "soft_accuracy":
        return None
    if by == "pearson":
        common = [int(complete(human, a, b).sum()) for a, b in combinations(rows, 2)]
        if max(common) <= 3:
            return None
        matrix = williams_matrix(np.stack(rows), human, orient=False, df=df, correction=correction)
        return Tested("Williams", matrix.p, matrix.p_adjusted)
    return _permuted(human, rows, by, correction, chance)


def _permuted(human: Floats, rows: Sequence[Floats], by: str, correction: str, chance: Chance) -> Tested | None:
    k = len(rows)
    p = np.full((k, k), math.nan)
    for a, b in combinations(range(k), 2):
        shared = complete(human, rows[a], rows[b])
        h, one, two = human[shared], rows[a][shared], rows[b][shared]
        try:
            answer = permute_correlations(by, h, one, two, trials=chance.trials, seed=chance.seed)
            if answer.delta < 0:
                answer = permute_correlations(by, h, two, one, trials=chance.trials, seed=chance.seed)
                p[b, a] = answer.p
            elif answer.delta > 0:
                p[a, b] = answer.p
        except DataError:  # scores all equal: no correlation, hence no cell
            continue
    return Tested("PERM-BOTH", p, adjusted(p, correction))


def adjusted(p: Floats, correction: str) -> Floats:
    """The filled cells of a matrix, corrected for their number."""
    result = p.copy()
    filled = ~np.isnan(p)
    result[filled] = adjust(p[filled], correction)
    return result


def defined(value: float) -> float | None:
    """None for NaN."""
    return None if math.isnan(value) else float(value)
