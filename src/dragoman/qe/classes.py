"""Labels of sentences, such as adequate and inadequate, or directions of entailment, by the learners of scores."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from dragoman.artifact import Artifact, Manifest
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.learn.base import LEARNERS
from dragoman.learn.folds import make_folds
from dragoman.options import Recipe, option
from dragoman.qe.confusion import confusion_rows, word_measures
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.notes import listed
from dragoman.qe.sentences.learning import learn_scores
from dragoman.qe.sentences.model import QEModel
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["ClassModel", "ClassPredictions", "ClassRecipe", "ClassTraining", "adequacy_labels", "measure_labels"]


def adequacy_labels(scores: ArrayLike | Sequence[float], *, least: float) -> list[str]:
    """`adequate` from a score on, `inadequate` below.

    Mehdad, Negri & Federico (WMT 2012) take 3 of 4 points and 4 of 5.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise DataError("Scores must be finite to be given labels.")
    return ["adequate" if good else "inadequate" for good in (values >= least).tolist()]


@dataclass(frozen=True)
class ClassPredictions(Result):
    """A label for each sentence, and how far it is from the others."""

    kind: ClassVar[str] = "qe labels"

    classes: tuple[str, ...]
    labels: tuple[str, ...]
    scores: tuple[tuple[float, ...], ...]  # (sentences, classes): near 1 where the label fits

    def tables(self) -> list[Table]:
        """A row a sentence."""
        columns = [Column("segment"), Column("label"), *(Column(name, digits=3) for name in self.classes)]
        rows = [
            (place, label, *each)
            for place, (label, each) in enumerate(zip(self.labels, self.scores, strict=True), start=1)
        ]
        return [Table.of("Labels", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """How many of each."""
        return {"n_sentences": len(self.labels), "n": {name: self.labels.count(name) for name in self.classes}}


@dataclass(frozen=True)
class ClassTraining(Result):
    """How a model of labels did on sentences that it had not seen, beside always saying one label."""

    kind: ClassVar[str] = "qe label training"

    measured: tuple[tuple[str, str, float], ...]  # prediction, measure, value
    n_sentences: int
    learner: str

    def tables(self) -> list[Table]:
        """A row a prediction and measure."""
        columns = [Column("prediction"), Column("measure"), Column("value", digits=4)]
        return [Table.of(f"Cross-validation, {self.n_sentences} sentences", columns, self.measured)]

    def value(self, measure: str, prediction: str = "held out") -> float:
        """One figure."""
        return next(value for name, what, value in self.measured if (name, what) == (prediction, measure))

    def meta(self) -> dict[str, Any]:
        """The learner."""
        return {"learner": self.learner, "n_sentences": self.n_sentences}


@dataclass(frozen=True)
class ClassRecipe(Recipe):
    """One regression a label, on 1 where it fits and 0 where not; the highest is taken, of equals the first."""

    learner: str = option("ridge", of=LEARNERS, text="of the regressions, one a label")
    n_folds: int = option(5, low=2, high=50, text="runs of sentences, each labelled by models that have not seen it")

    def train(self, features: FeatureTable, labels: Sequence[str], *, seed: int = 1, n_threads: int = 1) -> ClassModel:
        """Learn labels from features."""
        self.check()
        check_parallel({"features": features, "labels": labels})
        absent = [number for number, label in enumerate(labels, start=1) if not label.strip()]
        if absent:
            raise DataError(
                f"{len(absent)} of {len(labels)} labels are missing: {listed(absent)}. Leave these sentences out."
            )
        classes = tuple(sorted(set(labels)))
        if len(classes) < 2:
            raise DataError(f"All {len(labels)} labels are {classes[0] if classes else 'missing'}; two are needed.")
        held = self.held_out(features, labels, classes, seed=seed, n_threads=n_threads)
        models = [
            learn_scores(
                LEARNERS.make(self.learner),
                features,
                np.array([label == name for label in labels], dtype=np.float64),
                task="score",
                seed=seed,
                n_threads=n_threads,
            )
            for name in classes
        ]
        measured = measure_labels({"held out": [classes[n] for n in held.argmax(axis=1).tolist()]}, labels, classes)
        return ClassModel(self, classes, models, ClassTraining(measured, len(labels), self.learner), seed=seed)

    def held_out(
        self,
        features: FeatureTable,
        labels: Sequence[str],
        classes: Sequence[str],
        *,
        seed: int = 1,
        n_threads: int = 1,
    ) -> Floats:
        """What is said of each sentence by models that have not seen its run: (sentences, classes)."""
        folds = make_folds(len(labels), self.n_folds, "contiguous", seed=seed)
        truth = np.array([[label == name for name in classes] for label in labels], dtype=np.float64)
        held = np.zeros_like(truth)
        for fold in range(self.n_folds):
            rest = folds != fold
            some = FeatureTable.of(features.names, features.values[~rest])
            for column in range(len(classes)):
                target = truth[rest, column]
                if np.ptp(target) == 0:
                    held[~rest, column] = target[0]
                    continue
                model = learn_scores(
                    LEARNERS.make(self.learner),
                    FeatureTable.of(features.names, features.values[rest]),
                    target,
                    task="score",
                    seed=seed,
                    n_threads=n_threads,
                )
                held[~rest, column] = model.predict(some).scores
        return held


def measure_labels(
    predicted: Mapping[str, Sequence[str]], labels: Sequence[str], classes: tuple[str, ...]
) -> tuple[tuple[str, str, float], ...]:
    """The measures of predicted labels, by the name of the prediction, and of always saying one label."""
    every = {**predicted, **{f"always {name}": [name] * len(labels) for name in classes}}
    gold = [[label] for label in labels]
    measured = []
    for name, each in every.items():
        rows = confusion_rows(gold, [[label] for label in each], classes, name=name).sum(axis=0, keepdims=True)
        measured += [(name, what, float(value(rows)[0])) for what, value in word_measures(classes).items()]
    return tuple(measured)


class ClassModel(Artifact):
    """Labels of sentences from their features."""

    kind: ClassVar[str] = "quality classifier"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: ClassRecipe,
        classes: tuple[str, ...],
        models: Sequence[QEModel],
        training: ClassTraining,
        *,
        seed: int | None,
    ) -> None:
        self.recipe: ClassRecipe = recipe
        self.classes = classes
        self.models = tuple(models)
        self.training = training
        self.seed = seed
        self.data: dict[str, str] = {}

    def predict(self, features: FeatureTable) -> ClassPredictions:
        """The label of each sentence."""
        scores = np.column_stack([model.predict(features).scores for model in self.models])
        return ClassPredictions(
            self.classes,
            tuple(self.classes[number] for number in scores.argmax(axis=1).tolist()),
            tuple(map(tuple, scores.tolist())),
        )

    def _write(self, folder: Path) -> None:
        facts = {
            "classes": list(self.classes),
            "measured": [list(each) for each in self.training.measured],
            "n_sentences": self.training.n_sentences,
        }
        (folder / "classes.json").write_text(json.dumps(facts, ensure_ascii=False) + "\n", encoding="utf-8")
        for number, model in enumerate(self.models, start=1):
            model.save(folder / f"class-{number}")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        facts = json.loads((folder / "classes.json").read_text(encoding="utf-8"))
        recipe = ClassRecipe.from_dict(manifest.recipe)
        measured = tuple((name, what, float(value)) for name, what, value in facts["measured"])
        models = [QEModel.load(folder / f"class-{number}") for number in range(1, len(facts["classes"]) + 1)]
        training = ClassTraining(measured, facts["n_sentences"], recipe.learner)
        return cls(recipe, tuple(facts["classes"]), models, training, seed=manifest.seed)
