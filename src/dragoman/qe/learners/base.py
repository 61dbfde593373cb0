"""The contract of learners, and the table of those we have: a recipe trained on features and scores gives a model."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.data import check_parallel
from dragoman.errors import DataError, NotAvailable
from dragoman.options import Recipe, option
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.learners.criteria import CRITERIA, loss
from dragoman.qe.learners.folds import LAYOUTS, make_folds
from dragoman.qe.learners.predictors import Constant, Predictor
from dragoman.qe.learners.preparation import SCALES, Job, Preparation, make_selectors, prepare, spread_out
from dragoman.qe.learners.training import Training, by_folds
from dragoman.qe.measures import score_measures
from dragoman.qe.tasks import ScoreTask, check_scores, score_task
from dragoman.registry import Registry
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

if TYPE_CHECKING:
    from dragoman.qe.learners.model import QEModel
    from dragoman.qe.reading import Reading

__all__ = ["LEARNERS", "Job", "Part", "QERecipe", "need_sklearn", "sklearn_seed"]

LEARNERS: Registry[QERecipe] = Registry(
    "learner",
    {
        "boosting": "dragoman.qe.learners.trees:Boosting",
        "classes": "dragoman.qe.learners.rounded:RoundedClasses",
        "elastic-net": "dragoman.qe.learners.linear:ElasticNet",
        "ensemble": "dragoman.qe.learners.ensemble:Ensemble",
        "extra-trees": "dragoman.qe.learners.trees:ExtraTrees",
        "forest": "dragoman.qe.learners.trees:RandomForest",
        "gp": "dragoman.qe.learners.gaussian:GaussianProcess",
        "lasso": "dragoman.qe.learners.linear:Lasso",
        "linear-svr": "dragoman.qe.learners.svr:LinearSupportVectors",
        "m5p": "dragoman.qe.learners.m5p:M5P",
        "mars": "dragoman.qe.learners.mars:MARS",
        "nets": "dragoman.qe.learners.nets:NeuralEnsemble",
        "pls": "dragoman.qe.learners.linear:PartialLeastSquares",
        "polynomial-svr": "dragoman.qe.learners.svr:PolynomialSupportVectors",
        "ranking-svm": "dragoman.qe.learners.ranking:RankingSVM",
        "ridge": "dragoman.qe.learners.linear:Ridge",
        "svr": "dragoman.qe.learners.svr:SupportVectors",
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
class QERecipe(Recipe):
    """How to learn scores from features: scale, select, learn.

    Features and scores are brought to mean 0 and spread 1, so that settings do not depend on their units. Settings
    are chosen by the criterion in cross-validation on the training data, and on nothing else; selectors run anew in
    each fold. With `nested`, all that choosing is itself held out, which gives figures that nothing was chosen by.
    """

    name: ClassVar[str]

    n_folds: int = option(5, low=2, high=50, text="folds of cross-validation")
    layout: str = option("contiguous", choices=LAYOUTS, text="how sentences are dealt into folds")
    search_most: int = option(
        2000, low=20, text="sentences that the search for settings looks at, evenly spread; the model sees all"
    )
    criterion: str = option("mae", choices=CRITERIA, text="measure that settings are chosen by")
    scale: str = option(
        "standard", choices=SCALES,
        text="features to mean 0 and spread 1, to [0, 1], to [−1, 1], or to the ranks of a normal curve",
    )  # fmt: skip
    select: tuple[str, ...] = option((), text="selectors of features, one after the other")
    nested: int = option(0, low=0, high=50, text="outer folds of nested cross-validation; 0 for none")
    draws: int = option(0, low=0, text="settings drawn at random between the smallest and largest; 0 tries the grid")

    grid: ClassVar[tuple[str, ...]] = ()  # the options that list values to try

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

    def train(
        self,
        features: FeatureTable,
        scores: ArrayLike | Sequence[float],
        *,
        task: str = "effort",
        seed: int = 1,
        groups: Sequence[Any] | None = None,
        n_threads: int = 1,
        reading: Reading | None = None,
    ) -> QEModel:
        """Choose settings by cross-validation and learn from all sentences with them.

        `groups` (document, source) are for the layout `grouped`. `reading` says how the features come from text; with
        it the model can be asked of sentences.
        """
        from dragoman.qe.learners.calibration import Calibration
        from dragoman.qe.learners.model import QEModel

        self.check()
        self.ready()
        for selector in make_selectors(self.select):
            selector.ready()
        asked = score_task(task)
        y = check_scores("scores", scores, asked)
        check_parallel({"features": features, "scores": y})
        constant = self._check_learnable(features, y)
        folds = make_folds(len(y), self.n_folds, self.layout, seed=seed, groups=groups)
        job = Job(features.names, seed, n_threads, asked.higher_is_better)
        learnt = self._learn(features.values, y, folds, job)
        seen = learnt.seen
        measures = score_measures(asked)
        training = Training(
            learner=self.name,
            task=task,
            n_sentences=len(y),
            chosen=learnt.chosen,
            tried=learnt.tried,
            criterion=self.criterion,
            measures=by_folds(measures, y[seen], learnt.held_out, folds[seen]),
            nested=self._nested(features.values, y, groups, job, asked) if self.nested else None,
            layout=self.layout,
            n_folds=self.n_folds,
            n_searched=len(seen),
            dropped=tuple(name for name, same in zip(features.names, constant, strict=True) if same),
            left_out=tuple(
                name
                for name, same, used in zip(features.names, constant, learnt.preparation.used, strict=True)
                if not same and not used
            ),
            train_mean=float(y.mean()),
            size=learnt.predictor.size(),
        )
        held_out = np.clip(learnt.held_out, asked.low, asked.high)
        return QEModel(
            self,
            features.names,
            learnt.preparation,
            learnt.predictor,
            np.array([learnt.mean, learnt.spread]),
            np.stack([features.values.mean(axis=0), features.values.std(axis=0)]),
            training,
            folds,
            Calibration(held_out, y[seen]),
            seed=seed,
            data={"features": _digest(features.values), "scores": _digest(y)},
            reading=reading,
        )

    def _check_learnable(self, features: FeatureTable, y: Floats) -> NDArray[np.bool_]:
        """Which features are the same everywhere; raises where there is nothing to learn."""
        if len(y) < 2 * self.n_folds:
            raise DataError(f"{len(y)} sentences are too few for {self.n_folds} folds of at least two.")
        if np.ptp(y) == 0:
            raise DataError(f"All {len(y)} scores are {y[0]:g}; there is nothing to learn.")
        constant: NDArray[np.bool_] = np.ptp(features.values, axis=0) == 0
        if constant.all():
            raise DataError(
                f"Every feature is the same in all {len(y)} sentences ({', '.join(features.names)}); "
                "there is nothing to learn from."
            )
        return constant

    def _learn(self, x: Floats, y: Floats, folds: NDArray[np.int64], job: Job) -> Learnt:
        """Search settings on sentences evenly spread, then learn from all."""
        seen = spread_out(len(y), self.search_most)
        parts = self.parts(x[seen], y[seen], folds[seen], job)
        tried, chosen, held_out = self.search(parts, y[seen], job)
        whole = self.parts(x, y, None, job)[0]
        predictor = self.learn(whole, chosen, job)
        return Learnt(whole.preparation, predictor, whole.mean, whole.spread, chosen, tried, seen, held_out)

    def parts(self, x: Floats, y: Floats, folds: NDArray[np.int64] | None, job: Job) -> list[Part]:
        """Each fold, prepared by the others; without folds all sentences as one part with nothing held out."""
        made = []
        for fold in np.unique(folds) if folds is not None else [-1]:
            rest = folds != fold if folds is not None else np.ones(len(y), dtype=bool)
            mean, spread = float(y[rest].mean()), float(y[rest].std()) or 1.0
            target = (y[rest] - mean) / spread
            preparation = prepare(x[rest], target, self.scale, self.select, job)
            made.append(
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
        return made

    def learn(self, part: Part, setting: Setting, job: Job) -> Predictor:
        """The predictor of one part; where its sentences are all alike, their mean."""
        if not part.x.shape[1] or np.ptp(part.y) == 0:
            return Constant(part.x.shape[1])
        return self.fit(part.x, part.y, setting, Job(part.names, job.seed, job.n_threads, job.higher_is_better))

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

    def _nested(
        self, x: Floats, y: Floats, groups: Sequence[Any] | None, job: Job, task: ScoreTask
    ) -> dict[str, tuple[float, float]]:
        """The measures of predictions by models whose settings and features were chosen without the sentence, too."""
        outer = make_folds(len(y), self.nested, self.layout, seed=job.seed, groups=groups)
        predicted = np.empty(len(y))
        for fold in range(self.nested):
            rest = np.flatnonzero(outer != fold)
            inner_groups = None if groups is None else [groups[place] for place in rest.tolist()]
            inner = make_folds(len(rest), self.n_folds, self.layout, seed=job.seed, groups=inner_groups)
            found = self._learn(x[rest], y[rest], inner, job)
            predicted[outer == fold] = np.clip(found.predict(x[outer == fold]), task.low, task.high)
        return by_folds(score_measures(task), y, predicted, outer)


def need_sklearn(what: str) -> None:
    """Raise `NotAvailable` if scikit-learn is not installed."""
    from importlib.util import find_spec

    if find_spec("sklearn") is None:
        raise NotAvailable.package(what, package="scikit-learn", extra="qe")


def sklearn_seed(job: Job, label: str) -> int:
    """A seed for scikit-learn, which takes 32 bits."""
    return int(Stream(job.seed, label).bits(1)[0] & np.uint64(0x7FFFFFFF))


def _digest(array: Floats) -> str:
    return sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
