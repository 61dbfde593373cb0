"""Minimum error rate training (Och, ACL 2003): exact searches along lines through the space of weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman._core import tune as core
from dragoman.options import option
from dragoman.rng import Stream
from dragoman.smt.tune.base import Problem, stream
from dragoman.smt.tune.list_tuner import ListTuner
from dragoman.smt.tune.pool import Candidates, Vector
from dragoman.smt.tune.weights import normalised

__all__ = ["Mert"]

TOGETHER = 4  # features that a random direction changes


@dataclass(frozen=True)
class Mert(ListTuner):
    """Minimum error rate training (Och, ACL 2003) on candidate lists, from the weights at hand and from random ones.

    Along every axis and along random directions, the value of the metric is known exactly for every step. Works for a
    dozen or two of features; with many more it overfits.
    """

    name: ClassVar[str] = "mert"

    starts: int = option(20, low=0, text="random weights to start from, besides those at hand")
    settle: int = option(2, low=0, text="rounds without random starts: short lists promise too much far away")
    directions: int = option(10, low=0, text="random directions searched in each sweep, besides the axes")
    sweeps: int = option(30, low=1, text="at most so many sweeps over all directions from each start")
    tolerance: float = option(0.01, low=0, text="a sweep that gains less, in units of the metric, is the last")

    def improve(self, candidates: Candidates, weights: Vector, problem: Problem, number: int) -> tuple[Vector, float]:
        """The highest of the summits that were reached."""
        spread = candidates.spread()
        scales = np.where(problem.moves & (spread > 0), 1.0 / np.where(spread > 0, spread, 1.0), 0.0)
        chance = stream(problem, "mert", number)
        starts = weights[np.newaxis]
        if number >= self.settle:
            starts = np.ascontiguousarray(np.vstack([starts, random_starts(weights, scales, chance, self.starts)]))
        optima, values, _, _ = core.ascend(
            candidates.features,
            candidates.stats,
            candidates.offsets,
            problem.objective.core,
            starts,
            scales,
            chance.key,
            random_directions=self.directions,
            features_of_direction=TOGETHER,
            most_sweeps=self.sweeps,
            tolerance=self.tolerance,
            n_threads=problem.n_threads,
        )
        best = int(np.argmax(values))
        return normalised(optima[best], problem.moves), float(values[best])


def random_starts(weights: Vector, scales: Vector, chance: Stream, n: int) -> Vector:
    """Random weights: each feature's say, weight times spread, is drawn from around that of the weights at hand.

    Half of a feature's say comes from its own weight and half from the mean of all, so that features without weight
    get a chance and those that matter are not forgotten.
    """
    moving = scales > 0
    if not moving.any():
        return np.tile(weights, (n, 1))
    say = np.where(moving, weights / np.where(moving, scales, 1.0), 0.0)
    width = 0.5 * np.abs(say) + 0.5 * np.abs(say[moving]).mean()
    draws = chance.uniform(n * len(weights)).reshape(n, len(weights))
    drawn = (say + width * (4 * draws - 2)) * scales
    return np.where(moving, drawn, weights)
