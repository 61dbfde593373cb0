"""Quality by the shortest way: a line through the points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.learn import Job, Learner
from dragoman.learn.predictors import Linear, Predictor
from dragoman.stats.arrays import Floats

__all__ = ["LeastSquares"]


@dataclass(frozen=True)
class LeastSquares(Learner):
    """Least squares without any penalty; of many solutions the smallest."""

    name: ClassVar[str] = "least-squares"

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:
        """The weights and the constant."""
        design = np.column_stack([x, np.ones(len(x))])
        *weights, constant = np.linalg.lstsq(design, y, rcond=None)[0].tolist()
        return Linear(np.array(weights), np.array(constant))
