"""A linear ranking machine: sentences are put in order, then the order is given scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.learn.base import Job, Learner
from dragoman.learn.predictors import Linear, Predictor
from dragoman.options import option
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["RankingSVM", "sparse_squared_hinge", "squared_hinge"]


@dataclass(frozen=True)
class RankingSVM(Learner):
    """Ranking support vectors (Joachims 2002): of two sentences, the better one is to have the higher score.

    The hinge over drawn pairs is squared and minimised by Newton's method (Chapelle & Keerthi 2010); the result, a
    weighted sum, is brought to the scale of the scores by least squares. Needs no further package.
    """

    name: ClassVar[str] = "ranking-svm"
    grid: ClassVar[tuple[str, ...]] = ("c",)

    c: tuple[float, ...] = option((0.01, 0.1, 1.0, 10.0), text="costs of a pair out of order, to try")
    n_pairs: int = option(20_000, low=10, text="pairs drawn")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:
        """The weights."""
        n = len(y)
        drawn = (Stream(job.seed, "ranking pairs").uniform(2 * self.n_pairs) * n).astype(np.int64)
        a, b = drawn[: self.n_pairs], drawn[self.n_pairs :]
        differ = y[a] != y[b]
        a, b = a[differ], b[differ]
        apart = (x[a] - x[b]) * np.sign(y[a] - y[b])[:, np.newaxis]
        weights = squared_hinge(apart, setting["c"])
        ranked = x @ weights
        spread = float(np.square(ranked - ranked.mean()).sum())
        slope = float((ranked - ranked.mean()) @ (y - y.mean())) / spread if spread else 0.0
        slope = max(0.0, slope)  # a ranking is not turned round
        return Linear(weights * slope, np.array(float(y.mean() - slope * ranked.mean())))


def squared_hinge(apart: Floats, c: float) -> Floats:
    """The w that makes |w|²/2 + c·Σ max(0, 1 − w·d)²/n least, by Newton steps that are halved until they help."""
    n, width = apart.shape
    weights = np.zeros(width)
    if not n:
        return weights

    def value(w: Floats) -> float:
        return float(w @ w / 2 + c * np.square(np.maximum(0.0, 1 - apart @ w)).sum() / n)

    here = value(weights)
    for _ in range(100):
        margin = 1 - apart @ weights
        active = apart[margin > 0]
        gradient = weights - 2 * c / n * (active.T @ margin[margin > 0])
        step = np.linalg.solve(np.eye(width) + 2 * c / n * (active.T @ active), gradient)
        size = 1.0
        while (there := value(weights - size * step)) > here and size > 1e-6:
            size /= 2
        if here - there < 1e-10 * max(1.0, here):
            break
        weights, here = weights - size * step, there
    return weights


def sparse_squared_hinge(apart: Any, c: float) -> Floats:
    """The same for a sparse matrix of many columns, by L-BFGS."""
    from scipy.optimize import minimize

    n, width = apart.shape

    def loss(w: Floats) -> tuple[float, Floats]:
        margin = np.maximum(0.0, 1 - apart @ w)
        return float(w @ w / 2 + c * np.square(margin).sum() / n), w - 2 * c / n * (apart.T @ margin)

    found = minimize(loss, np.zeros(width), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights: Floats = np.asarray(found.x, dtype=np.float64)
    return weights
