"""Support-vector regression: Gaussian kernel, the learner of the WMT baselines; linear; polynomial; any kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.base import Job, Learner
from dragoman.learn.predictors import Kernel, Linear, Polynomial, Predictor, squared_distances
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["LinearSupportVectors", "PolynomialSupportVectors", "SupportVectors", "support_of_gram"]

# With many columns LIBSVM's own kernel takes most of the time; a matrix product makes all of it at once. 4,000 rows are
# 128 MB of it.
_MANY_COLUMNS = 64
_MOST_ROWS = 4000


@dataclass(frozen=True)
class SupportVectors(Learner):
    """ε-support-vector regression with a Gaussian kernel (LIBSVM through scikit-learn), settings from a grid.

    C and ε are in units of the scores' standard deviation, γ in those of the features'. The model on disk is the
    support vectors and their coefficients; using it needs no further package.
    """

    name: ClassVar[str] = "svr"
    needs_sklearn: ClassVar[bool] = True
    grid: ClassVar[tuple[str, ...]] = ("c", "gamma", "epsilon")

    c: tuple[float, ...] = option((1.0, 4.0, 16.0), text="costs of an error to try")
    gamma: tuple[float, ...] = option((0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03), text="widths γ of the kernel to try")
    epsilon: tuple[float, ...] = option((0.1, 0.25, 0.5), text="errors ε that cost nothing, to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The support vectors."""
        gamma = setting["gamma"]
        if len(x) <= _MOST_ROWS and x.shape[1] >= _MANY_COLUMNS:
            model = _fit(np.exp(-gamma * squared_distances(x, x)), y, setting, kernel="precomputed")
        else:
            model = _fit(x, y, setting, gamma=gamma)
        return Kernel(*_support(model, x), np.array(gamma))


@dataclass(frozen=True)
class LinearSupportVectors(Learner):
    """ε-support-vector regression with a linear kernel (LORIA, UPC, WMT 2012); the model is a weighted sum.

    LIBSVM through scikit-learn. C and ε are in units of the scores' standard deviation.
    """

    name: ClassVar[str] = "linear-svr"
    needs_sklearn: ClassVar[bool] = True
    grid: ClassVar[tuple[str, ...]] = ("c", "epsilon")

    c: tuple[float, ...] = option((0.01, 0.1, 1.0), text="costs of an error to try")
    epsilon: tuple[float, ...] = option((0.1, 0.5), text="errors ε that cost nothing, to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The weights."""
        model = _fit(x, y, setting, kernel="linear")
        return Linear(
            np.ascontiguousarray(np.asarray(model.coef_)[0], dtype=np.float64), np.array(float(model.intercept_[0]))
        )


@dataclass(frozen=True)
class PolynomialSupportVectors(Learner):
    """ε-support-vector regression with the kernel (γ x·x′ + 1)ᵈ (Uppsala, WMT 2012), settings from a grid.

    LIBSVM through scikit-learn. Uppsala had γ = 1 on features scaled to [0, 1]: `scale=unit,gamma=1`.
    """

    name: ClassVar[str] = "polynomial-svr"
    needs_sklearn: ClassVar[bool] = True
    grid: ClassVar[tuple[str, ...]] = ("degree", "gamma", "c", "epsilon")

    degree: tuple[float, ...] = option((2.0, 3.0), text="degrees to try")
    gamma: tuple[float, ...] = option((0.01,), text="factors γ to try")
    c: tuple[float, ...] = option((0.3, 1.0, 4.0), text="costs of an error to try")
    epsilon: tuple[float, ...] = option((0.1, 0.5), text="errors ε that cost nothing, to try")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The support vectors."""
        degree, gamma = round(setting["degree"]), setting["gamma"]
        model = _fit(x, y, setting, kernel="poly", degree=degree, gamma=gamma, coef0=1.0)
        return Polynomial(*_support(model, x), np.array(gamma), np.array(degree))


def _fit(x: Floats, y: Floats, setting: dict[str, float], **kernel: Any) -> Any:
    from sklearn.svm import SVR

    return SVR(C=setting["c"], epsilon=setting["epsilon"], cache_size=200, **kernel).fit(x, y)


def _support(model: Any, x: Floats) -> tuple[Floats, Floats, NDArray[Any]]:
    """Support vectors, their coefficients and the intercept."""
    return x[model.support_], np.ascontiguousarray(model.dual_coef_[0]), np.array(float(model.intercept_[0]))


def support_of_gram(gram: Floats, y: Floats, *, c: float, epsilon: float) -> tuple[NDArray[np.int64], Floats, float]:
    """Support vectors by any kernel, such as a sum of kernels over features and trees, from its matrix over the rows.

    Returns the rows that are support vectors, their coefficients and the intercept: a new item is scored
    Σ cᵢ k(item, rowᵢ) + b.
    """
    model = _fit(gram, y, {"c": c, "epsilon": epsilon}, kernel="precomputed")
    return model.support_.astype(np.int64), np.ascontiguousarray(model.dual_coef_[0]), float(model.intercept_[0])
