"""Bootstrap of measures that are no function of sums, such as rank correlations: items are drawn, and all is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dragoman.rng import Stream
from dragoman.stats.arrays import Floats, check_level, check_trials
from dragoman.stats.base import slack
from dragoman.stats.interval import Interval, percentile_interval
from dragoman.stats.resampling import count_extreme, p_value

__all__ = ["ItemBootstrap", "bootstrap_items"]

PairMeasure = Callable[[Floats, Floats], float]

_PIECE = 1 << 20  # indices drawn at once


@dataclass(frozen=True, eq=False)
class ItemBootstrap:
    """A measure of several systems on the same resampled items. NaN where a resample does not define it."""

    scores: Floats  # (systems,): on the items as they are
    replicates: Floats  # (trials, systems)
    seed: int

    def interval(self, system: int, *, level: float = 0.95) -> Interval | None:
        """The percentile interval of a system; None if the measure is not defined in most resamples."""
        check_level(level)
        column = self.replicates[:, system]
        column = column[~np.isnan(column)]
        if np.isnan(self.scores[system]) or len(column) < len(self.replicates) / 2:
            return None
        return percentile_interval(float(self.scores[system]), column, level=level, seed=self.seed)

    def p(self, first: int, second: int) -> float | None:
        """Two-sided p that the systems differ, by the shift method; None where the measure is not defined."""
        delta = float(self.scores[first] - self.scores[second])
        differences = self.replicates[:, first] - self.replicates[:, second]
        differences = differences[~np.isnan(differences)]
        if np.isnan(delta) or len(differences) < len(self.replicates) / 2:
            return None
        tolerance = slack(float(self.scores[first]), float(self.scores[second]))
        null = differences - differences.mean()
        return p_value(count_extreme(null, delta, sides=2, tolerance=tolerance), len(null), "plus-one")


def bootstrap_items(
    gold: ArrayLike,
    systems: Sequence[ArrayLike],
    measures: Sequence[PairMeasure],
    *,
    trials: int = 1000,
    seed: int = 12345,
) -> list[ItemBootstrap]:
    """Each measure of every system against the gold values, on all items and on resampled ones, drawn once for all."""
    check_trials(trials)
    g = np.asarray(gold, dtype=np.float64)
    predicted = [np.asarray(system, dtype=np.float64) for system in systems]
    scores = [np.array([measure(g, p) for p in predicted]) for measure in measures]
    replicates = [np.empty((trials, len(predicted))) for _ in measures]
    n = len(g)
    stream = Stream(seed, "items")
    step = max(1, _PIECE // max(1, n))
    for first in range(0, trials, step):
        count = min(step, trials - first)
        high = stream.bits(count * n, start=first * n) >> np.uint64(32)
        drawn = ((high * np.uint64(n)) >> np.uint64(32)).astype(np.int64).reshape(count, n)
        for trial, items in enumerate(drawn, start=first):
            resampled = g[items]
            for system, p in enumerate(predicted):
                chosen = p[items]
                for number, measure in enumerate(measures):
                    replicates[number][trial, system] = measure(resampled, chosen)
    return [ItemBootstrap(each, drawn_, seed) for each, drawn_ in zip(scores, replicates, strict=True)]
