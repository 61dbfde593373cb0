"""Every set of features with every selector and every learner, in one table (Avramidis, WMT 2012).

A cell of the grid that was computed once is not computed again: its figures lie in a folder under a name made of all
that they depend on. A model whose predictions hardly vary is called so, whatever its error: the mean has a small one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from fnmatch import fnmatchcase
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dragoman import __version__
from dragoman.data import check_parallel
from dragoman.errors import DataError, FormatError
from dragoman.files import atomic_path, read_text
from dragoman.learn.base import LEARNERS, Learner
from dragoman.learn.criteria import CRITERIA
from dragoman.notation import parse_json
from dragoman.options import Recipe, option
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.prediction_measures import score_measures
from dragoman.qe.sentences.learning import learn_scores
from dragoman.qe.tasks import SCORE_TASKS, check_scores, score_task
from dragoman.report import Column, Progress, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["Cell", "Experiment", "ExperimentRecipe", "ScoredFeatures", "run_experiment"]

DEGENERATE = 0.05  # of the spread of the gold scores: what varies less ranks nothing
_LESS_IS_BETTER = ("mae", "rmse")


@dataclass(frozen=True, eq=False)
class ScoredFeatures:
    """Features of sentences and their scores, checked against each other."""

    features: FeatureTable
    scores: Floats

    @classmethod
    def of(cls, features: FeatureTable, scores: Sequence[float] | Floats, task: str) -> ScoredFeatures:
        """As many scores as rows, all on the task's scale."""
        gold = check_scores("scores", scores, score_task(task))
        check_parallel({"features": features, "scores": gold})
        return cls(features, gold)

    def digest(self) -> str:
        """What stands for the data in the names of cells."""
        whole = sha256("\t".join(self.features.names).encode())
        for array in (self.features.values, self.scores):
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()


@dataclass(frozen=True)
class ExperimentRecipe(Recipe):
    """A grid: sets of features by name (patterns of columns), lists of selectors by name, learners by name."""

    features: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"all": ("*",)})
    selectors: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"none": ()})
    learners: Mapping[str, str] = field(default_factory=lambda: {"ridge": "ridge", "svr": "svr"})
    task: str = option("hter", choices=tuple(SCORE_TASKS), text="what is scored")
    measure: str = option("mae", choices=CRITERIA, text="what the table is ordered by")
    nested: int = option(0, low=0, high=50, text="outer folds of nested cross-validation; 0 for none")

    def cells(self) -> list[tuple[str, str, str]]:
        """The names of every cell, in the order of the file."""
        return list(product(self.features, self.selectors, self.learners))

    def make_learner(self, selector: str, learner: str) -> Learner:
        """The learner of a cell."""
        made = LEARNERS.make(self.learners[learner])
        return replace(made, select=(*made.select, *self.selectors[selector]), nested=self.nested or made.nested)


@dataclass(frozen=True)
class Cell:
    """What one combination gave."""

    features: str
    selector: str
    learner: str
    n_features: int  # that the selectors left
    held_out: Mapping[str, float]  # measures in cross-validation, nested where that was asked for
    test: Mapping[str, float]  # measures on the test set; empty without one
    low: float  # of the predictions, of the test set where there is one
    high: float
    spread: float
    degenerate: bool


@dataclass(frozen=True)
class Experiment(Result):
    """The cells of a grid, the best in cross-validation first, degenerate ones last."""

    kind: ClassVar[str] = "qe experiment"

    cells: tuple[Cell, ...]
    measure: str
    task: str
    n_train: int
    n_test: int
    n_read: int  # cells whose figures were there before
    seed: int

    def tables(self) -> list[Table]:
        """A row a cell."""
        measures = list(score_measures(score_task(self.task)))
        columns = [
            Column("features"),
            Column("selector"),
            Column("learner"),
            Column("n_features", "columns"),
            *(Column(name.replace("-", "_"), name, 4) for name in measures),
            *(Column(f"test_{name.replace('-', '_')}", f"test {name}", 4) for name in measures if self.n_test),
            Column("low", digits=2),
            Column("high", digits=2),
            Column("degenerate"),
        ]
        rows = [
            (
                *(each.features, each.selector, each.learner, each.n_features),
                *(each.held_out.get(name) for name in measures),
                *(each.test.get(name) for name in measures if self.n_test),
                *(each.low, each.high, "degenerate" if each.degenerate else None),
            )
            for each in self.cells
        ]
        note = (
            f"Ordered by {self.measure} of sentences held out, of {self.n_train}. low, high: of the predictions. "
            f"degenerate: they vary by less than {DEGENERATE:.0%} of what the scores vary by."
        )
        return [Table.of("Experiment", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The grid's size."""
        return {
            "task": self.task,
            "measure": self.measure,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "n_read": self.n_read,
            "seed": self.seed,
        }


def run_experiment(
    recipe: ExperimentRecipe,
    train: ScoredFeatures,
    test: ScoredFeatures | None = None,
    *,
    folder: Path | None = None,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Experiment:
    """Compute every cell that `folder` has not yet; without a folder, every cell."""
    recipe.check()
    if test is not None and test.features.names != train.features.names:
        raise DataError("The features of the test set are not those of the training set, in the same order.")
    columns = {name: _columns(name, patterns, train.features.names) for name, patterns in recipe.features.items()}
    learners = {key: recipe.make_learner(*key) for key in product(recipe.selectors, recipe.learners)}
    for each in learners.values():
        each.check()
        each.ready()
    cells, n_read = [], 0
    data = train.digest() + (test.digest() if test is not None else "")
    for number, (features, selector, learner) in enumerate(recipe.cells(), start=1):
        chosen = learners[selector, learner]
        path = None
        if folder is not None:
            what = [__version__, repr(chosen), columns[features], recipe.task, seed, data]
            path = folder / f"{sha256(json.dumps(what).encode()).hexdigest()[:24]}.json"
        if path is not None and path.exists():
            cell = replace(_read(path), features=features, selector=selector, learner=learner)
            n_read += 1
        else:
            cell = _cell(recipe, (features, selector, learner), chosen, columns[features], train, test, seed, n_threads)
            if path is not None:
                _write(path, cell)
        cells.append(cell)
        if progress is not None:
            progress(number, len(recipe.cells()), "cells")
    sign = 1.0 if recipe.measure in _LESS_IS_BETTER else -1.0
    cells.sort(key=lambda each: (each.degenerate, sign * each.held_out.get(recipe.measure, sign * np.inf)))
    n_test = len(test.scores) if test is not None else 0
    return Experiment(tuple(cells), recipe.measure, recipe.task, len(train.scores), n_test, n_read, seed)


def _columns(name: str, patterns: Sequence[str], names: Sequence[str]) -> list[int]:
    """The columns that patterns name, in the order of the table; a pattern that names none is a mistake."""
    chosen = set()
    for pattern in patterns:
        places = [place for place, each in enumerate(names) if each == pattern or fnmatchcase(each, pattern)]
        if not places:
            raise DataError(f"The set {name!r} asks for {pattern!r}, which no column is called: {', '.join(names)}.")
        chosen.update(places)
    if not chosen:
        raise DataError(f"The set of features {name!r} is empty.")
    return sorted(chosen)


def _cell(
    recipe: ExperimentRecipe,
    names: tuple[str, str, str],
    learner: Learner,
    columns: list[int],
    train: ScoredFeatures,
    test: ScoredFeatures | None,
    seed: int,
    n_threads: int,
) -> Cell:
    def cut(table: FeatureTable) -> FeatureTable:
        return FeatureTable.of([table.names[c] for c in columns], table.values[:, columns])

    model = learn_scores(learner, cut(train.features), train.scores, task=recipe.task, seed=seed, n_threads=n_threads)
    training = model.training
    asked = test if test is not None else train
    predicted = np.asarray(model.predict(cut(asked.features)).scores)
    measured = {} if test is None else score_measures(score_task(recipe.task))
    return Cell(
        *names,
        len(columns) - len(training.dropped) - len(training.left_out),
        {name: pooled for name, (pooled, _) in (training.nested or training.measures).items()},
        {name: value for name, measure in measured.items() if np.isfinite(value := measure(asked.scores, predicted))},
        float(predicted.min()),
        float(predicted.max()),
        float(predicted.std()),
        bool(predicted.std() < DEGENERATE * asked.scores.std()),
    )


def _read(path: Path) -> Cell:
    values = parse_json(read_text(path), path=path)
    if not isinstance(values, dict) or values.keys() != {each.name for each in fields(Cell)}:
        raise FormatError("these are no figures of a cell. Delete the file: they are computed again.", path=path)
    return Cell(**values)


def _write(path: Path, cell: Cell) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(asdict(cell)), encoding="utf-8")
