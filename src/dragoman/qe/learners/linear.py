"""Linear models: ridge regression and the lasso."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.artifact import option
from dragoman.qe.learners.base import QERecipe
from dragoman.qe.learners.model import Linear
from dragoman.qe.learners.svr import need_sklearn
from dragoman.stats.arrays import Floats

__all__ = ["Lasso", "Ridge"]


@dataclass(frozen=True)
class Ridge(QERecipe):
    """Least squares with a penalty on squared weights, solved exactly; needs no further package.

    The penalty is per sentence: Σ(y − wx)²/n + α|w|².
    """

    name: ClassVar[str] = "ridge"
    grid: ClassVar[tuple[str, ...]] = ("alpha",)

    alpha: tuple[float, ...] = option((1.0, 0.1, 0.01, 0.001), text="penalties to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float]) -> Linear:
        """The weights from the normal equations, which the penalty makes solvable."""
        centre = y.mean()
        left = x.T @ x / len(x) + setting["alpha"] * np.eye(x.shape[1])
        return Linear(np.linalg.solve(left, x.T @ (y - centre) / len(x)), np.array(float(centre)))


@dataclass(frozen=True)
class Lasso(QERecipe):
    """Least squares with a penalty on absolute weights, which leaves many of them 0 (Tibshirani 1996).

    By coordinate descent of scikit-learn: Σ(y − wx)²/2n + αΣ|w|.
    """

    name: ClassVar[str] = "lasso"
    grid: ClassVar[tuple[str, ...]] = ("alpha",)

    alpha: tuple[float, ...] = option((0.1, 0.03, 0.01, 0.003, 0.001), text="penalties to try")

    def ready(self) -> None:
        """Raise if scikit-learn is not there."""
        need_sklearn(f"The learner {self.name}")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float]) -> Linear:
        """The weights."""
        from sklearn.linear_model import Lasso as Descent

        model = Descent(alpha=setting["alpha"], max_iter=20_000).fit(x, y)
        return Linear(np.asarray(model.coef_, dtype=np.float64), np.array(float(model.intercept_)))
