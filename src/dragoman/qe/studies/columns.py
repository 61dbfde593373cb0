"""What each feature gives: alone, and beside all others (Felice & Specia, WMT 2012).

Their paper did so on the test set; here every figure is of sentences that the model has not seen in cross-validation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import check_parallel
from dragoman.learn.base import Job, Learner
from dragoman.learn.folds import make_folds
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.prediction_measures import score_measures
from dragoman.qe.tasks import check_scores, score_task
from dragoman.report import Column, Progress, Result, Table
from dragoman.stats import pearson
from dragoman.stats.arrays import Floats

__all__ = ["ColumnReport", "FeatureGain", "column_report"]


@dataclass(frozen=True)
class FeatureGain:
    """One feature: its correlation with the scores, its ranking, and what models lose with it alone or without it."""

    feature: str
    pearson: float
    delta_avg: float  # of ranking by the feature, from the end that its correlation says is good
    alone: float  # mean absolute error of a model of this feature
    without: float | None  # that of a model of all others; None where there is no other
    gain: float | None  # how much larger the error is without it


@dataclass(frozen=True)
class ColumnReport(Result):
    """Features by the error of a model of each alone, and of a model without each."""

    kind: ClassVar[str] = "qe columns"

    features: tuple[FeatureGain, ...]  # the best alone first
    all_features: float  # mean absolute error of a model of all features
    mean_alone: float  # that of saying the mean
    learner: str
    n_sentences: int
    n_folds: int

    def tables(self) -> list[Table]:
        """A row a feature."""
        columns = [
            Column("feature"),
            Column("pearson", digits=4),
            Column("delta_avg", "DeltaAvg", 3),
            Column("alone", "MAE alone", 4),
            Column("without", "MAE without", 4),
            Column("gain", digits=4, figures=1),
        ]
        rows = [
            (each.feature, each.pearson, each.delta_avg, each.alone, each.without, each.gain) for each in self.features
        ]
        note = (
            f"{self.learner}, {self.n_folds} folds of {self.n_sentences} sentences. MAE of all features "
            f"{self.all_features:.4f}, of the mean {self.mean_alone:.4f}. gain: what the error grows by without it."
        )
        return [Table.of("Features one by one", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """What the figures stand beside."""
        return {
            "learner": self.learner,
            "n_sentences": self.n_sentences,
            "n_folds": self.n_folds,
            "mae_all": self.all_features,
            "mae_mean": self.mean_alone,
        }


def column_report(
    learner: Learner,
    features: FeatureTable,
    scores: ArrayLike | Sequence[float],
    *,
    task: str = "hter",
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> ColumnReport:
    """Learn from each feature alone and from all but it."""
    learner.check()
    learner.ready()
    asked = score_task(task)
    y = check_scores("scores", scores, asked)
    check_parallel({"features": features, "scores": y})
    learner.check_learnable(features.values, y, features.names)
    folds = make_folds(len(y), learner.n_folds, learner.layout, seed=seed)
    mae, rank = score_measures(asked)["mae"], score_measures(asked)["delta-avg"]

    def error(columns: list[int]) -> float:
        job = Job(tuple(features.names[c] for c in columns), seed, n_threads, asked.higher_is_better)
        parts = learner.parts(features.values[:, columns], y, folds, job)
        return mae(y, learner.search(parts, y, job)[2])

    every = list(range(len(features.names)))
    gains = []
    together = error(every)
    for place, name in enumerate(features.names):
        column = features.values[:, place]
        r = pearson(column, y) if np.ptp(column) else 0.0
        without = error([c for c in every if c != place]) if len(every) > 1 else None
        gain = None if without is None else without - together
        gains.append(FeatureGain(name, r, rank(y, _signed(column, r)), error([place]), without, gain))
        if progress is not None:
            progress(place + 1, len(every), "features")
    mean = mae(y, _fold_means(y, folds))
    gains.sort(key=lambda each: each.alone)
    return ColumnReport(tuple(gains), together, mean, learner.name, len(y), learner.n_folds)


def _signed(column: Floats, r: float) -> Floats:
    return -column if r < 0 else column


def _fold_means(y: Floats, folds: Any) -> Floats:
    """The mean of the other folds, for each sentence."""
    means = {fold: float(y[folds != fold].mean()) for fold in np.unique(folds)}
    return np.array([means[fold] for fold in folds])
