"""A learner and a task: features and scores in, a model of sentences out."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.data import check_parallel
from dragoman.learn.base import Job, Learner
from dragoman.learn.calibration import Calibration
from dragoman.learn.folds import by_folds, make_folds
from dragoman.learn.preparation import make_selectors
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.prediction_measures import score_measures
from dragoman.qe.reading import Reading
from dragoman.qe.sentences.model import QEModel
from dragoman.qe.sentences.training import Training
from dragoman.qe.tasks import ScoreTask, check_scores, score_task
from dragoman.stats.arrays import Floats

__all__ = ["learn_scores"]


def learn_scores(
    learner: Learner,
    features: FeatureTable,
    scores: ArrayLike | Sequence[float],
    *,
    task: str = "effort",
    seed: int = 1,
    groups: Sequence[Any] | None = None,
    n_threads: int = 1,
    reading: Reading | None = None,
    hold_out: bool = False,
) -> QEModel:
    """Choose the learner's settings by cross-validation and learn from all sentences with them.

    `groups` (document, source) are for the layout `grouped`. `reading` says how the features come from text; with
    it the model can be asked of sentences. With `hold_out` the model's `held_out` has what is predicted of each
    sentence by a model that has not seen it, for what is stacked on it.
    """
    learner.check()
    learner.check_names(features.names)
    learner.ready()
    for selector in make_selectors(learner.select):
        selector.ready()
    asked = score_task(task)
    y = check_scores("scores", scores, asked)
    check_parallel({"features": features, "scores": y})
    constant = learner.check_learnable(features.values, y, features.names)
    folds = make_folds(len(y), learner.n_folds, learner.layout, seed=seed, groups=groups)
    job = Job(features.names, seed, n_threads, asked.higher_is_better)
    learnt = learner.learn_all(features.values, y, folds, job)
    seen = learnt.seen
    training = Training(
        learner=learner.name,
        task=task,
        n_sentences=len(y),
        chosen=learnt.chosen,
        tried=learnt.tried,
        criterion=learner.criterion,
        measures=by_folds(score_measures(asked), y[seen], learnt.held_out, folds[seen]),
        nested=_nested(learner, features.values, y, groups, job, asked) if learner.nested else None,
        layout=learner.layout,
        n_folds=learner.n_folds,
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
    return QEModel(
        learner,
        features.names,
        learnt.preparation,
        learnt.predictor,
        np.array([learnt.mean, learnt.spread]),
        np.stack([features.values.mean(axis=0), features.values.std(axis=0)]),
        training,
        folds,
        Calibration(np.clip(learnt.held_out, *asked.limits), y[seen]),
        seed=seed,
        data={"features": _digest(features.values), "scores": _digest(y)},
        reading=reading,
        held_out=_held_out(learner, features.values, y, folds, learnt.chosen, job, asked) if hold_out else None,
    )


def _held_out(
    learner: Learner,
    x: Floats,
    y: Floats,
    folds: NDArray[np.int64],
    setting: dict[str, float],
    job: Job,
    task: ScoreTask,
) -> tuple[float, ...]:
    """Of all sentences, also of those that the search for settings left out for time."""
    predicted = learner.held_out(learner.parts(x, y, folds, job), len(y), setting, job)
    return tuple(float(value) for value in np.clip(predicted, *task.limits))


def _nested(
    learner: Learner, x: Floats, y: Floats, groups: Sequence[Any] | None, job: Job, task: ScoreTask
) -> dict[str, tuple[float, float]]:
    """The measures of predictions by models whose settings and features were chosen without the sentence, too."""
    predicted, outer = learner.predict_nested(x, y, groups, job)
    return by_folds(score_measures(task), y, np.clip(predicted, *task.limits), outer)


def _digest(array: Floats) -> str:
    return sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
