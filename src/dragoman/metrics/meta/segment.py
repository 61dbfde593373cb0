"""Segment level: rankings of translations of one segment, or direct assessments of single translations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.meta.inputs import Floats, HumanRankings
from dragoman.metrics.meta.system import Chance, Measured, Tested, adjusted, defined
from dragoman.stats import bootstrap_interval, paired_test
from dragoman.stats.concordance import CalibratedAccuracy, calibrated_accuracy, item_pairs, tau_rows
from dragoman.stats.correlation import correlate
from dragoman.stats.correlation_batches import correlate_rows
from dragoman.stats.correlation_tests import correlation_rows, correlation_values

__all__ = [
    "DA_MEASURES",
    "GROUPS",
    "JudgedPairs",
    "compare_on_rows",
    "measure_assessments",
    "measure_pairs",
    "pairs_of_rankings",
    "pairs_of_scores",
]

DA_MEASURES = ("pearson", "spearman", "kendall", "accuracy_eq")

GROUPS = ("none", "item", "sys")

DARR_THRESHOLD = 25.0  # points of direct assessment that make two translations differ (WMT17 to WMT20)


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """Pairs of translations of one segment with people's verdict: +1 the first is better, 0 equal, −1 the second."""

    first: NDArray[np.int64]  # system
    second: NDArray[np.int64]
    segment: NDArray[np.int64]  # from 0
    outcome: NDArray[np.int64]

    def metric_difference(self, scores: Floats) -> Floats:
        """Score of the first minus the second, (systems, segments) → (pairs,); NaN where one is missing."""
        inside = self.segment < scores.shape[1]
        segment = np.where(inside, self.segment, 0)
        gap = scores[self.first, segment] - scores[self.second, segment]
        return np.where(inside, gap, math.nan)


def pairs_of_rankings(rankings: HumanRankings) -> JudgedPairs:
    """The pairs that people ranked."""
    comparisons = rankings.comparisons
    return JudgedPairs(
        comparisons.first.astype(np.int64),
        comparisons.second.astype(np.int64),
        rankings.segments - 1,
        comparisons.outcome.astype(np.int64),
    )


def pairs_of_scores(human: Floats, threshold: float = DARR_THRESHOLD) -> JudgedPairs:
    """Direct assessments as rankings (daRR): translations of one segment `threshold` or more apart; others are ties."""
    first, second, segment = item_pairs(*human.shape)
    gap = human[first, segment] - human[second, segment]
    judged = ~np.isnan(gap)
    outcome = np.where(np.abs(gap) >= threshold, np.sign(gap), 0.0)[judged].astype(np.int64)
    return JudgedPairs(first[judged], second[judged], segment[judged], outcome)


def measure_pairs(pairs: JudgedPairs, metric: Floats, variant: str, chance: Chance) -> tuple[Measured, Floats]:
    """τ of the year's variant, and its statistics by segment: the rows that tests and intervals resample."""
    gap = pairs.metric_difference(metric)
    have = ~np.isnan(gap)
    human, signs = pairs.outcome[have], np.sign(gap[have])
    rows = tau_rows(human, signs, variant)
    n_segments = int(pairs.segment.max(initial=-1)) + 1
    summed = [np.bincount(pairs.segment[have], rows[:, column], minlength=n_segments) for column in (0, 1)]
    by_segment = np.stack(summed, axis=1).astype(np.float64)
    decided = human != 0
    values: dict[str, float | None] = {
        "tau": defined(float(tau_values(rows.sum(axis=0)[np.newaxis])[0])) if rows[:, 1].any() else None,
        "concordant": int(np.count_nonzero(decided & (human == signs))),
        "discordant": int(np.count_nonzero(decided & (human == -signs))),
        "metric_ties": int(np.count_nonzero(decided & (signs == 0))),
    }
    low, high = _bootstrapped(by_segment, tau_values, values["tau"], chance)
    n_of = int(np.count_nonzero(pairs.outcome != 0))
    return Measured(values, low, high, int(np.count_nonzero(decided)), n_of), by_segment


def tau_values(totals: Floats) -> Floats:
    """τ from sums of coefficients and counts; 0 where nothing is counted."""
    coefficient, counted = np.asarray(totals, dtype=np.float64).T
    tau: Floats = np.divide(coefficient, counted, out=np.zeros_like(coefficient), where=counted > 0)
    return tau


def measure_assessments(human: Floats, metric: Floats, by: str, group: str, chance: Chance) -> Measured:
    """Correlations over all judged translations, or their means over segments or systems, and acc_eq by segment.

    `group` is `none`, `item` (segments) or `sys`, as in mt-metrics-eval; a group in which a correlation is not defined
    is left out of its mean. acc_eq compares translations of one segment and is the mean over segments, whatever the
    group.
    """
    both = ~np.isnan(human) & ~np.isnan(metric)
    values: dict[str, float | None] = {}
    for name in DA_MEASURES[:3]:
        if group == "none":
            values[name] = defined(correlate(name, human[both], metric[both]))
        else:
            by_group = _by_group(name, human, metric, group)
            values[name] = None if np.isnan(by_group).all() else float(np.nanmean(by_group))
    calibrated = _calibrated(human, metric)
    values["accuracy_eq"] = None if calibrated is None else calibrated.accuracy
    values["epsilon"] = None if calibrated is None else calibrated.epsilon
    rows = None if values[by] is None else assessment_rows(human, metric, by, group)
    low, high = None, None
    if rows is not None:
        pooled = by == "pearson" and group == "none"
        # Translations of one segment stand or fall together: whole segments are resampled.
        drawn = _summed(rows[0], np.nonzero(both)[1]) if pooled else rows[0]
        low, high = _bootstrapped(drawn, rows[1], values[by], chance)
    return Measured(values, low, high, int(both.sum()), int((~np.isnan(human)).sum()))


def assessment_rows(
    human: Floats, metric: Floats, by: str, group: str
) -> tuple[Floats, Callable[[Floats], Floats]] | None:
    """Additive statistics of a measure and the function that scores their sums; None where it is no such function."""
    if by == "accuracy_eq":
        calibrated = _calibrated(human, metric)
        # ε stays as it was calibrated on the whole: a resample does not choose anew.
        return None if calibrated is None else (_mean_rows(calibrated.by_group), tau_values)
    if group != "none":
        return _mean_rows(_by_group(by, human, metric, group)), tau_values
    if by != "pearson":
        return None
    both = ~np.isnan(human) & ~np.isnan(metric)
    return correlation_rows(human[both], metric[both]), correlation_values


def _summed(rows: Floats, labels: NDArray[np.int64]) -> Floats:
    """The rows of each label added up."""
    numbers = np.unique(labels, return_inverse=True)[1].reshape(-1)
    return np.stack([np.bincount(numbers, column) for column in rows.T], axis=1)


def _by_group(name: str, human: Floats, metric: Floats, group: str) -> Floats:
    """The correlation within each segment (`item`) or system (`sys`); NaN where it is not defined."""
    sides = (human.T, metric.T) if group == "item" else (human, metric)
    have = ~np.isnan(sides[0]) & ~np.isnan(sides[1])
    correlations = np.full(len(have), math.nan)
    whole = have.all(axis=1)
    correlations[whole] = correlate_rows(name, sides[0][whole], sides[1][whole])
    for place in np.flatnonzero(~whole & (have.sum(axis=1) > 1)):
        correlations[place] = correlate(name, sides[0][place, have[place]], sides[1][place, have[place]])
    return correlations


def _mean_rows(values: Floats) -> Floats:
    """A row [value, 1] for each group, [0, 0] where it has no value."""
    return np.stack([np.nan_to_num(values), ~np.isnan(values)], axis=1).astype(np.float64)


def _calibrated(human: Floats, metric: Floats) -> CalibratedAccuracy | None:
    first, second, segment = item_pairs(*human.shape)
    human_gap = human[first, segment] - human[second, segment]
    metric_gap = metric[first, segment] - metric[second, segment]
    have = ~np.isnan(human_gap) & ~np.isnan(metric_gap)
    return calibrated_accuracy(human_gap[have], metric_gap[have], segment[have]) if have.any() else None


def _bootstrapped(
    rows: Floats, values: Callable[[Floats], Floats], value: float | None, chance: Chance
) -> tuple[float | None, float | None]:
    if value is None or len(rows) < 2:
        return None, None
    interval = bootstrap_interval(
        rows, values, level=chance.confidence, trials=chance.trials, seed=chance.seed, n_threads=chance.n_threads
    )
    return interval.low, interval.high


def compare_on_rows(
    rows: Mapping[str, Floats], values: Callable[[Floats], Floats], correction: str, chance: Chance
) -> Tested | None:
    """Randomisation for all pairs of metrics: their statistics are exchanged row by row, one-sided.

    Rows are segments for τ and acc_eq (PERM-INPUTS of Deutsch et al. 2021), translations for Pearson's r (PERM-BOTH).
    """
    if len(rows) < 2 or len({len(each) for each in rows.values()}) > 1 or len(next(iter(rows.values()))) < 2:
        return None
    scores = values(np.stack([each.sum(axis=0) for each in rows.values()]))
    # The metric that looks better comes first: the question has one side.
    pairs = [(a, b) if scores[a] >= scores[b] else (b, a) for a, b in combinations(range(len(rows)), 2)]
    test = paired_test("randomisation", sides=1, trials=chance.trials, seed=chance.seed)
    answers = test.compare_pairs(list(rows.values()), values, pairs, names=list(rows), n_threads=chance.n_threads)
    p = np.full((len(rows), len(rows)), math.nan)
    for (better, worse), one in zip(pairs, answers, strict=True):
        if one.delta > 0:
            p[better, worse] = one.p
    return Tested("randomisation", p, adjusted(p, correction))
