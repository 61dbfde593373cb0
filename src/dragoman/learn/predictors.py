"""What learners find: functions of prepared features, made of arrays and nothing else, so that they load anywhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ModelError
from dragoman.stats.arrays import Floats

__all__ = [
    "FORMS",
    "Arrays",
    "Constant",
    "Kernel",
    "Linear",
    "Polynomial",
    "Predictor",
    "form_of",
    "in_pieces",
    "squared_distances",
    "walk",
]

Arrays = dict[str, NDArray[Any]]

_CELLS = 1 << 23  # kernel values held at once: 64 MB

FORMS = {
    "class-densities": "dragoman.learn.rounded:Densities",
    "class-kernels": "dragoman.learn.rounded:Machines",
    "ensemble": "dragoman.learn.ensemble:Weighted",
    "gaussian-process": "dragoman.learn.gaussian:Process",
    "hinges": "dragoman.learn.mars:Hinges",
    "kernel": "dragoman.learn.predictors:Kernel",
    "linear": "dragoman.learn.predictors:Linear",
    "linked-sum": "dragoman.learn.glm:LinkedSum",
    "model-tree": "dragoman.learn.m5p:ModelTree",
    "neighbours": "dragoman.learn.rounded:Neighbours",
    "nets": "dragoman.learn.nets:Nets",
    "polynomial": "dragoman.learn.predictors:Polynomial",
    "task-process": "dragoman.learn.multitask:TaskProcess",
    "trees": "dragoman.learn.trees:Trees",
}  # what stands in a model's folder → who reads it


def form_of(name: str) -> type[Predictor]:
    """The predictor of a form."""
    module, _, attribute = FORMS[name].partition(":")
    form: type[Predictor] = getattr(import_module(module), attribute)
    return form


@dataclass(eq=False)
class Predictor(ABC):
    """A function of prepared features, (sentences, features) → standardised scores (sentences,).

    Its fields are arrays.
    """

    form: ClassVar[str]  # its name in `FORMS`

    @abstractmethod
    def predict(self, x: Floats) -> Floats:
        """Standardised scores of prepared features."""

    def arrays(self) -> Arrays:
        """Its arrays by name."""
        return dict(vars(self))

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """What `arrays` gave, made a predictor again."""
        return cls(**arrays)

    def check(self, n_features: int) -> None:
        """Raise if its arrays, which a file may have had otherwise, do not fit each other or so many features."""
        with np.errstate(all="ignore"):
            scores = self.predict(np.zeros((3, n_features)))  # of one alone, arrays may fit by chance
        if scores.shape != (3,):
            raise ModelError(f"The arrays of a {self.form} predictor do not fit {n_features} features.")

    @abstractmethod
    def size(self) -> dict[str, int]:
        """What it is made of, in numbers."""


def check_nodes(feature: NDArray[np.int32], left: NDArray[np.int32], right: NDArray[np.int32], n_features: int) -> None:
    """Raise unless every walk down a tree asks for features that are there and comes to an end."""
    if any(each.dtype != np.int32 or each.shape != left.shape for each in (feature, left, right)):
        raise ModelError("The nodes of a tree are numbers of another type, or not as many on each side.")
    inner = np.flatnonzero(left >= 0)
    below = np.stack([left[inner], right[inner]])
    if (below <= inner).any() or (below >= len(left)).any():
        raise ModelError("A node of a tree leads back, or to a node that is not there.")
    if (feature[inner] < 0).any() or (feature[inner] >= n_features).any():
        raise ModelError(f"A node of a tree asks for a feature that is not among the {n_features}.")


def walk(x: NDArray[Any], rows: NDArray[np.int64], nodes: NDArray[np.int64], tree: Any) -> NDArray[np.int64]:
    """The leaves that rows fall into from nodes of a tree, which has `feature`, `threshold`, `left` and `right`."""
    walking = np.flatnonzero(tree.left[nodes] >= 0)
    while len(walking):
        here = nodes[walking]
        goes_left = x[rows[walking], tree.feature[here]] <= tree.threshold[here]
        nodes[walking] = np.where(goes_left, tree.left[here], tree.right[here])
        walking = walking[tree.left[nodes[walking]] >= 0]
    return nodes


@dataclass(eq=False)
class Linear(Predictor):
    """A weighted sum."""

    form: ClassVar[str] = "linear"

    weights: Floats
    intercept: Floats

    def predict(self, x: Floats) -> Floats:
        """Weighted sums of the features."""
        y: Floats = x @ self.weights + self.intercept
        return y

    def size(self) -> dict[str, int]:
        """The weights that are not 0."""
        return {"weights": int(np.count_nonzero(self.weights))}


def Constant(n_features: int, value: float = 0.0) -> Linear:  # noqa: N802 -- a predictor like the others
    """Says one value of everything: what is left when there is nothing to learn from."""
    return Linear(np.zeros(n_features), np.array(value))


def in_pieces(x: Floats, n_columns: int, values: Callable[[Floats], Floats]) -> Floats:
    """`values` of all rows, asked for so many rows at once that (rows, n_columns) numbers stay within memory."""
    result = np.empty(len(x))
    step = max(1, _CELLS // max(1, n_columns))
    for first in range(0, len(x), step):
        result[first : first + step] = values(x[first : first + step])
    return result


def squared_distances(a: Floats, b: Floats) -> Floats:
    """|aᵢ − bⱼ|² of all rows, by one product of matrices."""
    squares = np.square(a).sum(axis=1)[:, np.newaxis] + np.square(b).sum(axis=1)
    distances: Floats = np.maximum(0.0, squares - 2 * a @ b.T)
    return distances


@dataclass(eq=False)
class Kernel(Predictor):
    """A sum of Gaussian bells around support vectors: Σ cᵢ exp(−γ|x − vᵢ|²) + b."""

    form: ClassVar[str] = "kernel"

    vectors: Floats
    coefficients: Floats
    intercept: Floats
    gamma: Floats

    def predict(self, x: Floats) -> Floats:
        """Sums of the bells."""

        def values(part: Floats) -> Floats:
            bells = np.exp(-self.gamma * squared_distances(part, self.vectors))
            sums: Floats = bells @ self.coefficients + self.intercept
            return sums

        return in_pieces(x, len(self.vectors), values)

    def size(self) -> dict[str, int]:
        """The support vectors."""
        return {"support vectors": len(self.vectors)}


@dataclass(eq=False)
class Polynomial(Predictor):
    """A sum of polynomials of support vectors: Σ cᵢ (γ x·vᵢ + 1)ᵈ + b."""

    form: ClassVar[str] = "polynomial"

    vectors: Floats
    coefficients: Floats
    intercept: Floats
    gamma: Floats
    degree: NDArray[Any]

    def predict(self, x: Floats) -> Floats:
        """Sums of the polynomials."""

        def values(part: Floats) -> Floats:
            kernel = (self.gamma * (part @ self.vectors.T) + 1.0) ** int(self.degree)
            sums: Floats = kernel @ self.coefficients + self.intercept
            return sums

        return in_pieces(x, len(self.vectors), values)

    def size(self) -> dict[str, int]:
        """The support vectors."""
        return {"support vectors": len(self.vectors)}
