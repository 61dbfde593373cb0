"""The contract of learners, and the table of those we have: a recipe trained on features and scores gives a model."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.artifact import Recipe, option
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.learners.folds import LAYOUTS, make_folds
from dragoman.qe.measures import mae, score_measures
from dragoman.qe.tasks import check_scores, score_task
from dragoman.registry import Registry
from dragoman.stats.arrays import Floats

if TYPE_CHECKING:
    from dragoman.qe.learners.model import Kernel, Linear, QEModel

__all__ = ["LEARNERS", "QERecipe"]

LEARNERS: Registry[QERecipe] = Registry(
    "learner",
    {
        "lasso": "dragoman.qe.learners.linear:Lasso",
        "ridge": "dragoman.qe.learners.linear:Ridge",
        "svr": "dragoman.qe.learners.svr:SupportVectors",
    },
)


@dataclass(frozen=True)
class QERecipe(Recipe):
    """How to learn scores from features.

    Features and scores are brought to mean 0 and spread 1, so that settings do not depend on their units. Settings
    are chosen by the mean absolute error in cross-validation on the training data, and on nothing else.
    """

    name: ClassVar[str]

    n_folds: int = option(5, low=2, high=50, text="folds of cross-validation")
    layout: str = option("contiguous", choices=LAYOUTS, text="how sentences are dealt into folds")
    search_most: int = option(
        2000, low=20, text="sentences that the search for settings looks at, evenly spread; the model sees all"
    )

    grid: ClassVar[tuple[str, ...]]  # the options that list values to try

    def __post_init__(self) -> None:
        # A specification on the command line gives text.
        for name in self.grid:
            try:
                values = tuple(float(value) for value in getattr(self, name))
            except ValueError:
                values = ()
            if not values or not all(value > 0 for value in values):
                raise DataError(
                    f"The option {name!r} of the learner {self.name} lists numbers above 0, "
                    f"got {list(getattr(self, name))}."
                )
            object.__setattr__(self, name, values)

    def settings(self) -> list[dict[str, float]]:
        """The settings to try, in the order of the options: of equally good ones the first is taken."""
        values = [getattr(self, name) for name in self.grid]
        return [dict(zip(self.grid, each, strict=True)) for each in product(*values)]

    @abstractmethod
    def fit(self, x: Floats, y: Floats, setting: dict[str, float]) -> Linear | Kernel:
        """Learn from standardised features and scores."""

    def ready(self) -> None:
        """Raise `NotAvailable` if a package is missing; asked before any work."""

    def train(
        self,
        features: FeatureTable,
        scores: ArrayLike | Sequence[float],
        *,
        task: str = "effort",
        seed: int = 1,
        groups: Sequence[Any] | None = None,
    ) -> QEModel:
        """Choose settings by cross-validation and learn from all sentences with them."""
        from dragoman.qe.learners.model import QEModel, Scaling, Training

        self.check()
        self.ready()
        asked = score_task(task)
        y = check_scores("scores", scores, asked)
        check_parallel({"features": features, "scores": y})
        if len(y) < 2 * self.n_folds:
            raise DataError(f"{len(y)} sentences are too few for {self.n_folds} folds of at least two.")
        if np.ptp(y) == 0:
            raise DataError(f"All {len(y)} scores are {y[0]:g}; there is nothing to learn.")
        constant = np.ptp(features.values, axis=0) == 0
        if constant.all():
            raise DataError(
                f"Every feature is the same in all {len(y)} sentences ({', '.join(features.names)}); "
                "there is nothing to learn from."
            )
        folds = make_folds(len(y), self.n_folds, self.layout, seed=seed, groups=groups)
        x = features.values[:, ~constant]
        seen = _spread_out(len(y), self.search_most)
        tried, setting, predicted = self._search(x[seen], y[seen], folds[seen])
        means, spreads = _moments(x)
        score_mean, score_spread = _moments(y[:, np.newaxis])
        predictor = self.fit((x - means) / spreads, (y - score_mean[0]) / score_spread[0], setting)
        training = Training(
            learner=self.name,
            task=task,
            n_sentences=len(y),
            chosen=setting,
            tried=tried,
            measures=_by_folds(score_measures(asked), y[seen], predicted, folds[seen]),
            layout=self.layout,
            n_folds=self.n_folds,
            n_searched=len(seen),
            dropped=tuple(name for name, same in zip(features.names, constant, strict=True) if same),
            train_mean=float(y.mean()),
            size=self.size(predictor),
        )
        # A feature that is the same everywhere has the spread 0 in the record and is left out when the model is used.
        scaling = Scaling(
            _scatter(means, ~constant), _scatter(spreads, ~constant), np.concatenate([score_mean, score_spread])
        )
        data = {"features": _digest(features.values), "scores": _digest(y)}
        return QEModel(self, features.names, scaling, predictor, training, folds, seed=seed, data=data)

    def _search(
        self, x: Floats, y: Floats, folds: NDArray[np.int64]
    ) -> tuple[tuple[tuple[dict[str, float], float], ...], dict[str, float], Floats]:
        """All settings with their errors, the best setting, and what it predicts of sentences it has not seen."""
        settings = self.settings()
        predicted = [self._held_out(x, y, folds, setting) for setting in settings]
        errors = np.array([mae(y, each) for each in predicted])
        best = int(np.flatnonzero(errors <= errors.min() + 1e-12)[0])
        return tuple(zip(settings, errors.tolist(), strict=True)), settings[best], predicted[best]

    def size(self, predictor: Linear | Kernel) -> dict[str, int]:
        """What the model is made of, in numbers."""
        return {name: int(np.count_nonzero(array)) for name, array in predictor.arrays().items() if name == "weights"}

    def _held_out(self, x: Floats, y: Floats, folds: NDArray[np.int64], setting: dict[str, float]) -> Floats:
        """The prediction for each sentence by a model that has not seen its fold."""
        predicted = np.empty(len(y))
        for fold in np.unique(folds):
            rest, held = folds != fold, folds == fold
            means, spreads = _moments(x[rest])
            (mean,), (spread,) = _moments(y[rest, np.newaxis])
            model = self.fit((x[rest] - means) / spreads, (y[rest] - mean) / spread, setting)
            predicted[held] = model.predict((x[held] - means) / spreads) * spread + mean
        return predicted


def _moments(x: Floats) -> tuple[Floats, Floats]:
    spreads = x.std(axis=0)
    # A feature may be the same in all folds but one; it then says nothing about the others.
    spreads[np.ptp(x, axis=0) == 0] = 1.0
    return x.mean(axis=0), spreads


def _spread_out(n: int, most: int) -> NDArray[np.int64]:
    return np.arange(n) if n <= most else np.arange(most) * n // most


def _by_folds(
    measures: Mapping[str, Callable[[Floats, Floats], float]], gold: Floats, said: Floats, folds: NDArray[np.int64]
) -> dict[str, tuple[float, float]]:
    """Each measure of all held-out predictions together, and its mean over the folds; where both are defined."""
    found = {}
    for name, measure in measures.items():
        each = [measure(gold[folds == fold], said[folds == fold]) for fold in np.unique(folds)]
        values = (measure(gold, said), float(np.mean(each)))
        if np.isfinite(values).all():
            found[name] = values
    return found


def _scatter(values: Floats, where: NDArray[np.bool_]) -> Floats:
    full = np.zeros(len(where))
    full[where] = values
    return full


def _digest(array: Floats) -> str:
    return sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
