"""Several learners together: their mean, or weights that held-out predictions ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.learn.base import LEARNERS, Job, Learner, Part, Setting
from dragoman.learn.criteria import loss
from dragoman.learn.predictors import Arrays, Predictor, form_of
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Ensemble", "Weighted"]

_WEIGHT = "weight"


@dataclass(eq=False)
class Weighted(Predictor):
    """A weighted sum of predictors. Their arrays are named by number and form: `0.kernel.vectors`."""

    form: ClassVar[str] = "ensemble"

    members: Sequence[Predictor]
    weights: Floats

    def predict(self, x: Floats) -> Floats:
        """The weighted sum."""
        total = np.zeros(len(x))
        for member, weight in zip(self.members, self.weights, strict=True):
            total += weight * member.predict(x)
        return total

    def check(self, n_features: int) -> None:
        """Every member, too."""
        for member in self.members:
            member.check(n_features)
        super().check(n_features)

    def arrays(self) -> Arrays:
        """The members' arrays and the weights."""
        arrays: Arrays = {"weights": self.weights}
        for number, member in enumerate(self.members):
            arrays |= {f"{number}.{member.form}.{name}": array for name, array in member.arrays().items()}
        return arrays

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The members from their arrays."""
        parts: dict[int, tuple[str, Arrays]] = {}
        for name, array in arrays.items():
            if name != "weights":
                number, form, rest = name.split(".", 2)
                parts.setdefault(int(number), (form, {}))[1][rest] = array
        members = [form_of(form).of(own) for _, (form, own) in sorted(parts.items())]
        return cls(members, arrays["weights"])

    def size(self) -> dict[str, int]:
        """The members, and what they are made of."""
        size = Counter({"members": len(self.members)})
        for member in self.members:
            size.update(member.size())
        return dict(size)


@dataclass(frozen=True)
class Ensemble(Learner):
    """Several learners together. Each chooses its own settings; their predictions are averaged or stacked.

    `stacked` gives each a weight from 0 on, of the sum 1, by least squares on the held-out predictions (Breiman
    1996); the figures of cross-validation then know these weights, those of nested cross-validation do not.
    """

    name: ClassVar[str] = "ensemble"

    members: tuple[str, ...] = option(("svr", "forest", "ridge"), text="learners, by name")
    weighting: str = option("mean", choices=("mean", "stacked"), text="equal weights, or by held-out predictions")

    def __post_init__(self) -> None:
        super().__post_init__()
        wrong = [name for name in self.members if name.partition(":")[0] == self.name]
        if wrong or not self.members:
            raise DataError("An ensemble is made of one learner or more, and not of ensembles.")

    def _recipes(self) -> list[Learner]:
        recipes = map(LEARNERS.make, self.members)
        return [replace(recipe, criterion=self.criterion, draws=self.draws).check() for recipe in recipes]

    def check_names(self, names: Sequence[str]) -> None:
        """Raise if a member misses a feature."""
        for recipe in self._recipes():
            recipe.check_names(names)

    def ready(self) -> None:
        """Raise if what a member needs is not there."""
        for recipe in self._recipes():
            recipe.ready()

    def search(
        self, parts: Sequence[Part], y: Floats, job: Job
    ) -> tuple[tuple[tuple[Setting, float], ...], Setting, Floats]:
        """Each member's settings, named by its number, and the weights."""
        chosen: Setting = {}
        predicted = []
        for number, recipe in enumerate(self._recipes()):
            _, setting, held_out = recipe.search(parts, y, job)
            chosen |= {f"{number}.{name}": value for name, value in setting.items()}
            predicted.append(held_out)
        weights = np.full(len(predicted), 1.0 / len(predicted))
        if self.weighting == "stacked":
            weights = _simplex_weights(np.column_stack(predicted), y)
        chosen |= {f"{number}.{_WEIGHT}": float(weight) for number, weight in enumerate(weights)}
        together = np.column_stack(predicted) @ weights
        measure = loss(self.criterion, higher_is_better=job.higher_is_better)(y, together)
        value = measure if self.criterion in {"mae", "rmse"} else -measure
        return ((chosen, value if np.isfinite(value) else 0.0),), chosen, together

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:
        """Every member with its own settings."""
        members = []
        for number, recipe in enumerate(self._recipes()):
            own = {name.partition(".")[2]: value for name, value in setting.items() if name.startswith(f"{number}.")}
            own.pop(_WEIGHT)
            members.append(recipe.fit(x, y, own, job))
        return Weighted(members, np.array([setting[f"{number}.{_WEIGHT}"] for number in range(len(members))]))


def _simplex_weights(predicted: Floats, y: Floats) -> Floats:
    """Weights from 0 on, of the sum 1, with the least squared error; by projected gradient."""
    n, width = predicted.shape
    errors = predicted - y[:, np.newaxis]  # with weights of the sum 1, the error of the sum is the sum of the errors
    inner = errors.T @ errors / n
    step = 1.0 / max(float(np.linalg.eigvalsh(inner)[-1]), 1e-12)
    weights = np.full(width, 1.0 / width)
    for _ in range(5000):
        moved = _onto_simplex(weights - step * (inner @ weights))
        if np.abs(moved - weights).max() < 1e-10:
            break
        weights = moved
    return weights


def _onto_simplex(point: Floats) -> Floats:
    """The nearest point with parts from 0 on of the sum 1 (Duchi et al. 2008)."""
    ordered = np.sort(point)[::-1]
    above = (np.cumsum(ordered) - 1) / np.arange(1, len(point) + 1)
    nearest: Floats = np.maximum(0.0, point - above[np.flatnonzero(ordered > above)[-1]])
    return nearest
