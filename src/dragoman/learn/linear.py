"""Linear models: ridge regression, the lasso, the elastic net, partial least squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.learn.base import Job, Learner
from dragoman.learn.predictors import Linear, Predictor
from dragoman.learn.selectors.projections import pls_weights
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["ElasticNet", "Lasso", "PartialLeastSquares", "Ridge"]


@dataclass(frozen=True)
class Ridge(Learner):
    """Least squares with a penalty on squared weights, solved exactly; needs no further package.

    The penalty is per sentence: Σ(y − wx)²/n + α|w|².
    """

    name: ClassVar[str] = "ridge"
    grid: ClassVar[tuple[str, ...]] = ("alpha",)

    alpha: tuple[float, ...] = option((3.0, 1.0, 0.3, 0.1, 0.01, 0.001), text="penalties to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The weights from the normal equations, which the penalty makes solvable."""
        centre, middle = y.mean(), x.mean(axis=0)
        z = x - middle
        left = z.T @ z / len(z) + setting["alpha"] * np.eye(z.shape[1])
        weights = np.linalg.solve(left, z.T @ (y - centre) / len(z))
        return Linear(weights, np.array(float(centre - middle @ weights)))


@dataclass(frozen=True)
class Lasso(Learner):
    """Least squares with a penalty on absolute weights, which leaves many of them 0 (Tibshirani 1996).

    By coordinate descent of scikit-learn: Σ(y − wx)²/2n + αΣ|w|.
    """

    name: ClassVar[str] = "lasso"
    needs_sklearn: ClassVar[bool] = True
    grid: ClassVar[tuple[str, ...]] = ("alpha",)

    alpha: tuple[float, ...] = option((0.1, 0.03, 0.01, 0.003, 0.001), text="penalties to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The weights."""
        from sklearn.linear_model import Lasso as Descent

        model = Descent(alpha=setting["alpha"], max_iter=20_000).fit(x, y)
        return Linear(np.asarray(model.coef_, dtype=np.float64), np.array(float(model.intercept_)))


@dataclass(frozen=True)
class ElasticNet(Learner):
    """Least squares with penalties on absolute and squared weights together (Zou & Hastie 2005).

    By coordinate descent of scikit-learn: Σ(y − wx)²/2n + α(ρΣ|w| + (1 − ρ)Σw²/2).
    """

    name: ClassVar[str] = "elastic-net"
    needs_sklearn: ClassVar[bool] = True
    grid: ClassVar[tuple[str, ...]] = ("alpha", "rho")

    alpha: tuple[float, ...] = option((0.1, 0.03, 0.01, 0.003), text="penalties to try")
    rho: tuple[float, ...] = option((0.2, 0.5, 0.8), text="shares ρ of the penalty on absolute weights, to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The weights."""
        from sklearn.linear_model import ElasticNet as Descent

        model = Descent(alpha=setting["alpha"], l1_ratio=min(1.0, setting["rho"]), max_iter=20_000).fit(x, y)
        return Linear(np.asarray(model.coef_, dtype=np.float64), np.array(float(model.intercept_)))


@dataclass(frozen=True)
class PartialLeastSquares(Learner):
    """Regression on components that vary much and go with the scores (DFKI, WMT 2012); needs no further package."""

    name: ClassVar[str] = "pls"
    grid: ClassVar[tuple[str, ...]] = ("components",)

    components: tuple[float, ...] = option((1.0, 2.0, 3.0, 5.0, 8.0), text="numbers of components to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The components' weights folded into those of the features."""
        centre, middle = y.mean(), x.mean(axis=0)
        directions, responses = pls_weights(x - middle, y - centre, max(1, round(setting["components"])))
        weights = directions @ responses
        return Linear(weights, np.array(float(centre - middle @ weights)))
