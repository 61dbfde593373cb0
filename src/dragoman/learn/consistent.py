"""Learning without the points that contradict the rest (Pighin et al., WMT 2012: their second entry)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.learn.base import LEARNERS, Job, Learner, Part, Setting
from dragoman.learn.criteria import loss
from dragoman.learn.predictors import Predictor
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Consistent"]


@dataclass(frozen=True)
class Consistent(Learner):
    """Another learner, from which points far from what it says of them are taken away, until none is.

    A point is far where its error is `apart` times the spread of the errors, by their median. SVMlight's option, which
    the paper used, drops what the machine cannot fit; the rule here is the same for every learner. Held-out sentences
    are never dropped, so that the figures stay honest.
    """

    name: ClassVar[str] = "consistent"

    of: str = option("linear-svr", text="the learner")
    apart: float = option(3.0, low=0.5, text="error beyond which a point contradicts the rest, in robust deviations")
    rounds: int = option(10, low=1, text="rounds of learning, at most")
    keep: float = option(0.7, low=0.1, high=1.0, text="share of the points that are kept in any case")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of.partition(":")[0] == self.name:
            raise DataError("What is made consistent is another learner.")

    def _recipe(self) -> Learner:
        return replace(LEARNERS.make(self.of), criterion=self.criterion, draws=self.draws).check()

    def check_names(self, names: Sequence[str]) -> None:
        """Raise if the learner misses a feature."""
        self._recipe().check_names(names)

    def ready(self) -> None:
        """Raise if what the learner needs is not there."""
        self._recipe().ready()

    def search(
        self, parts: Sequence[Part], y: Floats, job: Job
    ) -> tuple[tuple[tuple[Setting, float], ...], Setting, Floats]:
        """The learner's own settings, chosen with all points; then what is said without the far ones."""
        _, chosen, _ = self._recipe().search(parts, y, job)
        predicted = self.held_out(parts, len(y), chosen, job)
        measure = loss(self.criterion, higher_is_better=job.higher_is_better)(y, predicted)
        value = measure if self.criterion in {"mae", "rmse"} else -measure
        return ((chosen, value if np.isfinite(value) else 0.0),), chosen, predicted

    def fit(self, x: Floats, y: Floats, setting: Setting, job: Job) -> Predictor:
        """Learn, drop what is far, learn again, until nothing is or too little would be left."""
        recipe = self._recipe()
        kept = np.ones(len(y), dtype=bool)
        predictor = recipe.fit(x, y, setting, job)
        for _ in range(self.rounds - 1):
            errors = np.abs(y - predictor.predict(x))
            # 1.4826: a normal curve's standard deviation by the median of its absolute deviations
            bar = self.apart * 1.4826 * float(np.median(errors[kept]))
            near = kept & (errors <= bar)
            if near.sum() == kept.sum() or near.sum() < self.keep * len(y) or np.ptp(y[near]) == 0:
                break
            kept = near
            predictor = recipe.fit(x[kept], y[kept], setting, job)
        return predictor
