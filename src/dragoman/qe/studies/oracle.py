"""How much better a model would be if it knew what it cannot know: the oracle of Zhuang et al. (WMT 2012).

The share of edited words is added to the features, which only a post-edit tells. What that gains is what better
features of the same sentences could still gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.learn.base import Job, Learner
from dragoman.learn.criteria import mae, rmse
from dragoman.learn.folds import make_folds
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.tasks import check_scores, score_task
from dragoman.report import Column, Progress, Result, Table
from dragoman.rng import Stream

__all__ = ["OracleGain", "oracle_gain"]

_COLUMN = "oracle"
_MEASURES = {"mae": mae, "rmse": rmse}


@dataclass(frozen=True)
class OracleGain(Result):
    """Errors with and without the oracle's column, mean over random splits."""

    kind: ClassVar[str] = "qe oracle"

    without: tuple[float, ...]  # by measure
    beside: tuple[float, ...]
    learner: str
    n_train: int
    n_test: int
    splits: int
    seed: int

    @property
    def gains(self) -> tuple[float, ...]:
        """What the oracle takes off each error."""
        return tuple(before - after for before, after in zip(self.without, self.beside, strict=True))

    def tables(self) -> list[Table]:
        """A row a measure."""
        columns = [Column("measure"), *(Column(name, digits=4, figures=1) for name in ("without", "oracle", "gain"))]
        rows = zip(_MEASURES, self.without, self.beside, self.gains, strict=True)
        note = (
            f"{self.learner}, learnt from {self.n_train} sentences and asked of {self.n_test} others, mean of "
            f"{self.splits} random splits (seed {self.seed})."
        )
        return [Table.of("With what only a post-edit tells", columns, list(rows), note=note)]

    def meta(self) -> dict[str, Any]:
        """The splits."""
        return {
            "learner": self.learner,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "splits": self.splits,
            "seed": self.seed,
        }


def oracle_gain(
    learner: Learner,
    features: FeatureTable,
    scores: ArrayLike | Sequence[float],
    oracle: ArrayLike | Sequence[float],
    *,
    task: str = "effort",
    n_train: int | None = None,
    splits: int = 5,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> OracleGain:
    """Learn with and without the oracle's column from `n_train` random sentences (three quarters), ask of the rest."""
    learner.check()
    learner.ready()
    asked = score_task(task)
    y = check_scores("scores", scores, asked)
    known = np.asarray(oracle, dtype=np.float64)
    check_parallel({"features": features, "scores": y, "oracle": known})
    if _COLUMN in features.names:
        raise DataError(f"A feature is called {_COLUMN!r} already. Name it otherwise.")
    if not np.isfinite(known).all():
        raise DataError(f"oracle: line {int(np.flatnonzero(~np.isfinite(known))[0]) + 1} is no number.")
    size = n_train if n_train is not None else 3 * len(y) // 4
    if not 2 * learner.n_folds <= size < len(y):
        raise DataError(
            f"{size} of {len(y)} sentences cannot be learnt from: {2 * learner.n_folds} are the fewest, and some must "
            "be left to ask of."
        )
    tables = {"without": features.values, "beside": np.column_stack([features.values, known])}
    errors: dict[str, list[list[float]]] = {name: [] for name in tables}
    for split in range(splits):
        order = Stream(seed, f"oracle split {split}").permutation(len(y))
        train, test = np.sort(order[:size]), np.sort(order[size:])
        for name, x in tables.items():
            names = (*features.names, _COLUMN)[: x.shape[1]]
            learner.check_learnable(x[train], y[train], names)
            folds = make_folds(size, learner.n_folds, learner.layout, seed=seed)
            job = Job(names, seed, n_threads, asked.higher_is_better)
            predicted = np.clip(learner.learn_all(x[train], y[train], folds, job).predict(x[test]), *asked.limits)
            errors[name].append([measure(y[test], predicted) for measure in _MEASURES.values()])
        if progress is not None:
            progress(split + 1, splits, "splits")
    means = {name: tuple(np.mean(each, axis=0).tolist()) for name, each in errors.items()}
    return OracleGain(means["without"], means["beside"], learner.name, size, len(y) - size, splits, seed)
