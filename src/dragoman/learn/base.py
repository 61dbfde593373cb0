"""The contract of learners, and the table of those we have: features and scores in, a predictor out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.learn.criteria import CRITERIA, loss
from dragoman.learn.folds import LAYOUTS, make_folds
from dragoman.learn.predictors import Constant, Predictor
from dragoman.learn.preparation import SCALES, Job, Preparation, prepare, spread_out
from dragoman.learn.selectors.base import need_sklearn
from dragoman.options import Recipe, option
from dragoman.registry import Registry
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["LEARNERS", "Job", "Learner", "Learnt", "Part", "Setting", "need_sklearn", "sklearn_seed"]

LEARNERS: Registry[Learner] = Registry(
    "learner",
    {
        "aso": "dragoman.learn.aso:Aso",
        "boosting": "dragoman.learn.trees:Boosting",
        "classes": "dragoman.learn.rounded:RoundedClasses",
        "consistent": "dragoman.learn.consistent:Consistent",
        "elastic-net": "dragoman.learn.linear:ElasticNet",
        "ensemble": "dragoman.learn.ensemble:Ensemble",
        "extra-trees": "dragoman.learn.trees:ExtraTrees",
        "forest": "dragoman.learn.trees:RandomForest",
        "glm": "dragoman.learn.glm:GeneralisedLinear",
        "gp": "dragoman.learn.gaussian:GaussianProcess",
        "lasso": "dragoman.learn.linear:Lasso",
        "linear-svr": "dragoman.learn.svr:LinearSupportVectors",
        "m5p": "dragoman.learn.m5p:M5P",
        "mars": "dragoman.learn.mars:MARS",
        "multitask-gp": "dragoman.learn.multitask:MultitaskProcess",
        "nets": "dragoman.learn.nets:NeuralEnsemble",
        "pls": "dragoman.learn.linear:PartialLeastSquares",
        "polynomial-svr": "dragoman.learn.svr:PolynomialSupportVectors",
        "ranking-svm": "dragoman.learn.ranking:RankingSVM",
        "ridge": "dragoman.learn.linear:Ridge",
        "svr": "dragoman.learn.svr:SupportVectors",
    },
)

Setting = dict[str, float]


@dataclass(frozen=True, eq=False)
class Part:
    """One fold, prepared by its other sentences alone."""

    x: Floats  # of the other sentences, prepared
    y: Floats  # of the other sentences, standardised
    held_x: Floats  # of the fold, prepared in the same way
    held: NDArray[np.int64]
    mean: float
    spread: float
    preparation: Preparation
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Learnt:
    """What training finds: the way to the learner's features, the predictor, and how it was chosen."""

    preparation: Preparation
    predictor: Predictor
    mean: float
    spread: float
    chosen: Setting
    tried: tuple[tuple[Setting, float], ...]  # value of the criterion
    seen: NDArray[np.int64]  # sentences that the search looked at
    held_out: Floats  # what was predicted of these, each by a model that had not seen it

    def predict(self, x: Floats) -> Floats:
        """Scores of raw features."""
        return self.predictor.predict(self.preparation.apply(x)) * self.spread + self.mean


@dataclass(frozen=True)
class Learner(Recipe):
    """How to learn scores from features: scale, select, learn.

    Features and scores are brought to mean 0 and spread 1, so that settings do not depend on their units. Settings
    are chosen by the criterion in cross-validation on the training data, and on nothing else; selectors run anew in
    each fold. With `nested`, all that choosing is itself held out, which gives figures that nothing was chosen by.
    """

    name: ClassVar[str]
    needs_sklearn: ClassVar[bool] = False

    n_folds: int = option(5, low=2, high=50, text="folds of cross-validation")
    layout: str = option("contiguous", choices=LAYOUTS, text="how sentences are dealt into folds")
    search_most: int = option(
        2000, low=20, text="sentences that the search for settings looks at, evenly spread; the model sees all"
    )
    criterion: str = option("mae", choices=CRITERIA, text="measure that settings are chosen by")
    scale: str = option(
        "standard",
        choices=SCALES,
        text="features to mean 0 and spread 1, to [0, 1], to [−1, 1], or to the ranks of a normal curve",
    )
    select: tuple[str, ...] = option((), text="selectors of features, one after the other")
    nested: int = option(0, low=0, high=50, text="outer folds of nested cross-validation; 0 for none")
    draws: int = option(0, low=0, text="settings drawn at random between the smallest and largest; 0 tries the grid")

    grid: ClassVar[tuple[str, ...]] = ()  # the options that list values to try

    def __post_init__(self) -> None:
        for name in self.grid:
            values = tuple(map(float, getattr(self, name)))
            if not values or not all(value > 0 for value in values):
                raise DataError(
                    f"The option {name!r} of the learner {self.name} lists numbers above 0, "
                    f"got {list(getattr(self, name))}."
                )
            object.__setattr__(self, name, values)

    def settings(self, seed: int = 1) -> list[Setting]:
        """The settings to try, in the order of the options: of equally good ones the first is taken."""
        values = [getattr(self, name) for name in self.grid]
        if not self.draws:
            return [dict(zip(self.grid, each, strict=True)) for each in product(*values)]
        drawn = []
        for name, listed in zip(self.grid, values, strict=True):
            low, high = np.log(min(listed)), np.log(max(listed))
            drawn.append(np.exp(low + (high - low) * Stream(seed, f"settings {name}").uniform(self.draws)).tolist())
        return [dict(zip(self.grid, each, strict=True)) for each in zip(*drawn, strict=True)]

    @abstractmethod
    def fit(self, x: Floats, y: Floats, setting: Setting, job: Job) -> Predictor:
        """Learn from prepared features, at least one, and standardised scores."""

    def ready(self) -> None:
        """Raise `NotAvailable` if a package is missing; asked before any work."""
        if self.needs_sklearn:
            need_sklearn(f"The learner {self.name}")

    def check_names(self, names: Sequence[str]) -> None:
        """Raise if the features of that name are not those that the learner asks for; asked before any work."""

    def check_learnable(self, x: Floats, y: Floats, names: Sequence[str]) -> NDArray[np.bool_]:
        """Which features are the same everywhere; raises where there is nothing to learn."""
        if len(y) < 2 * self.n_folds:
            raise DataError(f"{len(y)} sentences are too few for {self.n_folds} folds of at least two.")
        if np.ptp(y) == 0:
            raise DataError(f"All {len(y)} scores are {y[0]:g}; there is nothing to learn.")
        constant: NDArray[np.bool_] = np.ptp(x, axis=0) == 0
        if constant.all():
            raise DataError(
                f"Every feature is the same in all {len(y)} sentences ({', '.join(names)}); "
                "there is nothing to learn from."
            )
        return constant

    def learn_all(self, x: Floats, y: Floats, folds: NDArray[np.int64], job: Job) -> Learnt:
        """Search settings on sentences evenly spread, then learn from all."""
        seen = spread_out(len(y), self.search_most)
        parts = self.parts(x[seen], y[seen], folds[seen], job)
        tried, chosen, held_out = self.search(parts, y[seen], job)
        whole = self.parts(x, y, None, job)[0]
        predictor = self.learn(whole, chosen, job)
        return Learnt(whole.preparation, predictor, whole.mean, whole.spread, chosen, tried, seen, held_out)

    def parts(self, x: Floats, y: Floats, folds: NDArray[np.int64] | None, job: Job) -> list[Part]:
        """Each fold, prepared by the others; without folds all sentences as one part with nothing held out."""
        parts = []
        for fold in np.unique(folds) if folds is not None else [-1]:
            rest = folds != fold if folds is not None else np.ones(len(y), dtype=bool)
            mean, spread = float(y[rest].mean()), float(y[rest].std()) or 1.0
            target = (y[rest] - mean) / spread
            preparation = prepare(x[rest], target, self.scale, self.select, job)
            parts.append(
                Part(
                    preparation.apply(x[rest]),
                    target,
                    preparation.apply(x[~rest]),
                    np.flatnonzero(~rest),
                    mean,
                    spread,
                    preparation,
                    preparation.names(job.names),
                )
            )
        return parts

    def learn(self, part: Part, setting: Setting, job: Job) -> Predictor:
        """The predictor of one part; where its sentences are all alike, their mean."""
        if not part.x.shape[1] or np.ptp(part.y) == 0:
            return Constant(part.x.shape[1])
        return self.fit(part.x, part.y, setting, replace(job, names=part.names, mean=part.mean, spread=part.spread))

    def search(
        self, parts: Sequence[Part], y: Floats, job: Job
    ) -> tuple[tuple[tuple[Setting, float], ...], Setting, Floats]:
        """All settings with the criterion's values, the best setting, and what it predicts of unseen sentences."""
        measure = loss(self.criterion, higher_is_better=job.higher_is_better)
        settings = self.settings(job.seed)
        predicted = [self.held_out(parts, len(y), setting, job) for setting in settings]
        losses = np.array([measure(y, each) for each in predicted])
        best = int(np.flatnonzero(losses <= losses.min() + 1e-12)[0])
        sign = 1.0 if self.criterion in {"mae", "rmse"} else -1.0
        values = np.where(np.isfinite(losses), sign * losses, 0.0)
        return tuple(zip(settings, values.tolist(), strict=True)), settings[best], predicted[best]

    def held_out(self, parts: Sequence[Part], n: int, setting: Setting, job: Job) -> Floats:
        """The prediction for each sentence by a model that has not seen its fold."""
        predicted = np.empty(n)
        for part in parts:
            predicted[part.held] = self.learn(part, setting, job).predict(part.held_x) * part.spread + part.mean
        return predicted

    def predict_nested(
        self, x: Floats, y: Floats, groups: Sequence[Any] | None, job: Job
    ) -> tuple[Floats, NDArray[np.int64]]:
        """Predictions by models whose settings and features were chosen without the sentence, too; the outer folds."""
        outer = make_folds(len(y), self.nested, self.layout, seed=job.seed, groups=groups)
        predicted = np.empty(len(y))
        for fold in range(self.nested):
            rest = np.flatnonzero(outer != fold)
            inner_groups = None if groups is None else [groups[place] for place in rest.tolist()]
            inner = make_folds(len(rest), self.n_folds, self.layout, seed=job.seed, groups=inner_groups)
            predicted[outer == fold] = self.learn_all(x[rest], y[rest], inner, job).predict(x[outer == fold])
        return predicted, outer


def sklearn_seed(job: Job, label: str) -> int:
    """A seed for scikit-learn, which takes 32 bits."""
    return int(Stream(job.seed, label).bits(1)[0] & np.uint64(0x7FFFFFFF))
