"""Support-vector regression with a Gaussian kernel: the learner of the WMT baselines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.artifact import option
from dragoman.errors import NotAvailable
from dragoman.qe.learners.base import QERecipe
from dragoman.qe.learners.model import Kernel, Linear
from dragoman.stats.arrays import Floats

__all__ = ["SupportVectors"]


@dataclass(frozen=True)
class SupportVectors(QERecipe):
    """ε-support-vector regression with a Gaussian kernel (LIBSVM through scikit-learn), settings from a grid.

    C and ε are in units of the scores' standard deviation, γ in those of the features'. The model on disk is the
    support vectors and their coefficients; using it needs no further package.
    """

    name: ClassVar[str] = "svr"
    grid: ClassVar[tuple[str, ...]] = ("c", "gamma", "epsilon")

    c: tuple[float, ...] = option((1.0, 4.0, 16.0), text="costs of an error to try")
    gamma: tuple[float, ...] = option((0.003, 0.01, 0.03), text="widths γ of the kernel to try")
    epsilon: tuple[float, ...] = option((0.1, 0.25, 0.5), text="errors ε that cost nothing, to try")

    def ready(self) -> None:
        """Raise if scikit-learn is not there."""
        need_sklearn(f"The learner {self.name}")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float]) -> Kernel:
        """The support vectors."""
        from sklearn.svm import SVR

        model = SVR(C=setting["c"], gamma=setting["gamma"], epsilon=setting["epsilon"], cache_size=200).fit(x, y)
        return Kernel(
            np.ascontiguousarray(model.support_vectors_, dtype=np.float64),
            np.ascontiguousarray(model.dual_coef_[0], dtype=np.float64),
            np.array(float(model.intercept_[0])),
            np.array(setting["gamma"]),
        )

    def size(self, predictor: Linear | Kernel) -> dict[str, int]:
        """The number of support vectors."""
        return {"support vectors": len(predictor.arrays()["vectors"])}


def need_sklearn(what: str) -> None:
    """Raise `NotAvailable` if scikit-learn is not installed."""
    from importlib.util import find_spec

    if find_spec("sklearn") is None:
        raise NotAvailable.package(what, package="scikit-learn", extra="qe")
