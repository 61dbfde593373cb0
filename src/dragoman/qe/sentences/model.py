"""A trained quality estimator: named features or sentences in, scores out. Nothing but arrays and JSON on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.learn.base import LEARNERS, Learner
from dragoman.learn.calibration import Calibration
from dragoman.learn.contributions import contributions
from dragoman.learn.predictors import FORMS, Linear, Predictor, form_of
from dragoman.learn.preparation import Preparation
from dragoman.notation import list_of_texts
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.notes import empty_note, read_note
from dragoman.qe.reading import Reading
from dragoman.qe.recipes import DecisionRecipe
from dragoman.qe.resources import TraceIndex
from dragoman.qe.sentences.decision import Decisions, decide
from dragoman.qe.sentences.explanation import Explanation
from dragoman.qe.sentences.training import Training
from dragoman.qe.tasks import ScoreTask, score_task
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["Predictions", "QEModel", "Training"]


@dataclass(frozen=True)
class Predictions(Result):
    """A score for each sentence; with intervals also what it means on average, and where the truth lies."""

    kind: ClassVar[str] = "qe predictions"

    scores: tuple[float, ...]
    task: str
    calibrated: tuple[float, ...] | None = None
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    level: float | None = None
    read_before: tuple[int, ...] = ()  # sentences, from 1, whose post-edits the model's resources have read
    empty: tuple[int, ...] = ()  # sentences, from 1, without a translation

    def tables(self) -> list[Table]:
        """A row a sentence, counted from 1."""
        note = " ".join(filter(None, (read_note(self.read_before), empty_note(self.empty))))
        columns = [Column("segment"), Column("score", self.task, digits=4)]
        numbered = range(1, len(self.scores) + 1)
        if self.calibrated is None or self.low is None or self.high is None or self.level is None:
            return [Table.of("Predictions", columns, zip(numbered, self.scores, strict=True), note=note)]
        columns += [Column("calibrated", digits=4), Column("low", digits=4), Column("high", digits=4)]
        rows = zip(numbered, self.scores, self.calibrated, self.low, self.high, strict=True)
        meaning = (
            f"low and high: the truth lies between them for {self.level:.0%} of sentences like those trained on. "
            "calibrated: what was true on average of held-out sentences with that score."
        )
        return [Table.of("Predictions", columns, rows, note=" ".join(filter(None, (meaning, note))))]

    def meta(self) -> dict[str, Any]:
        """Task, number and mean."""
        mean = sum(self.scores) / len(self.scores) if self.scores else None
        return {
            "task": self.task,
            "n_sentences": len(self.scores),
            "mean": mean,
            "level": self.level,
            "read_before": list(self.read_before),
            "empty": list(self.empty),
        }


class QEModel(Artifact):
    """Scores of sentences from their features. It takes the features it was trained on, by name, and no others."""

    kind: ClassVar[str] = "quality estimator"
    format: ClassVar[int] = 2

    def __init__(
        self,
        recipe: Learner,
        names: tuple[str, ...],
        preparation: Preparation,
        predictor: Predictor,
        score: Floats,
        usual: Floats,
        training: Training,
        folds: NDArray[np.int64],
        calibration: Calibration,
        *,
        seed: int | None,
        data: Mapping[str, str],
        reading: Reading | None = None,
        held_out: tuple[float, ...] | None = None,
    ) -> None:
        self.recipe: Learner = recipe
        self.names = names  # of the features, those that are not looked at among them
        self.preparation = preparation
        self.predictor = predictor
        self.score = score  # mean and spread of the training scores
        self.usual = usual  # means and spreads of the training features
        self.training = training
        self.folds = folds  # of each sentence of the training data
        self.calibration = calibration
        self.seed = seed
        self.data = dict(data)
        self.reading = reading
        self.held_out = held_out  # of the training sentences, by models that have not seen them; not saved

    def __repr__(self) -> str:
        return f"<QEModel of {self.training.task}: {self.training.learner} on {len(self.needed)} features>"

    @property
    def task(self) -> ScoreTask:
        """What it scores."""
        return score_task(self.training.task)

    @property
    def needed(self) -> tuple[str, ...]:
        """The features that the model looks at."""
        return tuple(name for name, used in zip(self.names, self.preparation.used, strict=True) if used)

    @property
    def is_weighted_sum(self) -> bool:
        """Whether `explain` is exact and costs nothing; of other models it draws orders of the features."""
        return isinstance(self.predictor, Linear)

    def features(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        *,
        layers: Mapping[str, str] | None = None,
        trace: TraceIndex | None = None,
        n_threads: int = 1,
    ) -> FeatureTable:
        """The features that the model needs, from sentences; `layers` may name parsers of them, or CoNLL-U files.

        A model that was trained with an engine's traces is asked with traces of the same engine.
        """
        if self.reading is None:
            raise DataError(
                "The model was trained on a table of features and does not know how to make them from text. "
                "Train it from text, or give it features."
            )
        return self.reading.features(self.needed, sources, outputs, layers=layers, trace=trace, n_threads=n_threads)

    def predict(
        self,
        sources: FeatureTable | Sequence[str],
        outputs: Sequence[str] | None = None,
        *,
        level: float | None = None,
        n_threads: int = 1,
    ) -> Predictions:
        """The score of each sentence, on the scale of the task: `predict(sources, outputs)` or `predict(features)`.

        With a `level`, say 0.9, each score has an interval. Columns of a table may stand in any order. A sentence
        that has no translation gets the worst score of the scale, if it has an end.
        """
        table = self._table(sources, outputs, n_threads)
        scores = self._on_scale(self._raw(self._matrix(table)), table)
        plain = Predictions(tuple(scores.tolist()), self.task.name, read_before=table.read_before, empty=table.empty)
        if level is None:
            return plain
        low, high = self.calibration.intervals(scores, level, self.task.limits)
        return replace(
            plain,
            calibrated=tuple(self.calibration.calibrated(scores).tolist()),
            low=tuple(low.tolist()),
            high=tuple(high.tolist()),
            level=level,
        )

    def decide(
        self,
        sources: FeatureTable | Sequence[str],
        outputs: Sequence[str] | None = None,
        *,
        recipe: DecisionRecipe | None = None,
        n_threads: int = 1,
    ) -> Decisions:
        """Publish, post-edit or translate anew, at a risk (see `dragoman.qe.sentences.decision.decide`)."""
        table = self._table(sources, outputs, n_threads)
        return decide(
            self._on_scale(self._raw(self._matrix(table)), table),
            self.calibration,
            self.task,
            recipe,
            read_before=table.read_before,
            empty=table.empty,
        )

    def explain(
        self,
        sources: FeatureTable | Sequence[str],
        outputs: Sequence[str] | None = None,
        *,
        top: int = 5,
        n_orders: int = 20,
        segments: Sequence[int] = (),
        seed: int = 1,
        n_threads: int = 1,
    ) -> Explanation:
        """Which features moved each score, and by how much; of all sentences, or of some `segments`, from 1."""
        table = self._table(sources, outputs, n_threads)
        beyond = [number for number in segments if not 1 <= number <= len(table)]
        if beyond:
            raise DataError(f"There is no segment {beyond[0]}; there are {len(table)}.")
        numbers = tuple(segments) or tuple(range(1, len(table) + 1))
        table = table.take([number - 1 for number in segments]) if segments else table
        x = self._matrix(table)
        parts, base, method = contributions(
            self.predictor, self.preparation, x, self.usual[0], seed=seed, n_orders=n_orders
        )
        mean, spread = self.score
        raw = self._raw(x)
        scores = self._on_scale(raw, table)
        used = np.flatnonzero(self.preparation.used)
        return Explanation(
            names=self.needed,
            values=tuple(map(tuple, x[:, used].tolist())),
            usual=tuple(self.usual[0][used].tolist()),
            contributions=tuple(map(tuple, (parts[:, used] * spread).tolist())),
            base=float(base * spread + mean),
            clipped=tuple((scores - raw).tolist()),
            scores=tuple(scores.tolist()),
            task=self.task.name,
            method=method,
            top=top,
            segments=numbers,
            read_before=tuple(numbers[place - 1] for place in table.read_before),
            empty=tuple(numbers[place - 1] for place in table.empty),
        )

    def shifts(self, features: FeatureTable) -> dict[str, float]:
        """How far the mean of each needed feature lies from that of the training data, in its standard deviations.

        Far beyond 1, the features were made in another way, or of other text, than those trained on.
        """
        x = self._matrix(self._table(features, None, 1))
        used = np.flatnonzero(self.preparation.used)
        moved = (x[:, used].mean(axis=0) - self.usual[0][used]) / self.usual[1][used] if len(x) else np.zeros(len(used))
        return dict(zip(self.needed, moved.tolist(), strict=True))

    def _table(
        self, sources: FeatureTable | Sequence[str], outputs: Sequence[str] | None, n_threads: int
    ) -> FeatureTable:
        if isinstance(sources, FeatureTable):
            if outputs is not None:
                raise DataError("Give a table of features, or sources and outputs, not both.")
            return sources
        if outputs is None:
            raise DataError("Sources alone say nothing of a translation; give the outputs, too.")
        return self.features(sources, outputs, n_threads=n_threads)

    def _matrix(self, features: FeatureTable) -> Floats:
        """The values in the order of training; what the model does not look at may be missing."""
        absent = [name for name in self.needed if name not in features.names]
        strange = [name for name in features.names if name not in self.names]
        if absent or strange:
            parts = [
                *([f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} missing"] if absent else []),
                *([f"it was not trained on {', '.join(strange)}"] if strange else []),
            ]
            raise DataError(
                f"The model needs the {len(self.needed)} features it was trained on: {'; '.join(parts)}. "
                "Extract the features as for the training data."
            )
        x = np.zeros((len(features), len(self.names)))
        for place, name in enumerate(self.names):
            if name in features.names:
                x[:, place] = features.column(name)
        return x

    def _raw(self, x: Floats) -> Floats:
        mean, spread = self.score
        scores: Floats = self.predictor.predict(self.preparation.apply(x)) * spread + mean
        return scores

    def _on_scale(self, scores: Floats, table: FeatureTable) -> Floats:
        """Scores within the task's scale. Models know no empty outputs, and take shortness for simplicity."""
        clipped = np.clip(scores, self.task.low, self.task.high)
        if np.isfinite(self.task.worst):
            clipped[[number - 1 for number in table.empty]] = self.task.worst
        return clipped

    def _write(self, folder: Path) -> None:
        arrays = {
            "shifts": self.preparation.shifts,
            "spreads": self.preparation.spreads,
            **({} if self.preparation.components is None else {"components": self.preparation.components}),
            **({} if self.preparation.levels is None else {"levels": self.preparation.levels}),
            "score": self.score,
            "usual": self.usual,
            "folds": self.folds,
            "held-out": np.stack([self.calibration.predicted, self.calibration.gold]),
            **{f"model.{name}": array for name, array in self.predictor.arrays().items()},
        }
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array, allow_pickle=False)
        facts = {
            "names": list(self.names),
            "learner": self.training.learner,
            "form": self.predictor.form,
            "training": self.training.to_json(),
        }
        text = json.dumps(facts, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        (folder / "model.json").write_text(text, encoding="utf-8")
        if self.reading is not None:
            self.reading.write(folder)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        if facts["form"] not in FORMS:
            raise ModelError(f"{folder} holds a model of the form {facts['form']!r}, which this version does not know.")

        def array(name: str) -> Any:
            return np.load(folder / f"{name}.npy", allow_pickle=False)

        def array_or_none(name: str) -> Any:
            return array(name) if (folder / f"{name}.npy").is_file() else None

        names = [path.name.removeprefix("model.").removesuffix(".npy") for path in folder.glob("model.*.npy")]
        held_out = array("held-out")
        model = cls(
            LEARNERS.get(facts["learner"]).from_dict(manifest.recipe),
            list_of_texts(facts["names"]),
            Preparation(array("shifts"), array("spreads"), array_or_none("components"), array_or_none("levels")),
            form_of(facts["form"]).of({name: array(f"model.{name}") for name in names}),
            array("score"),
            array("usual"),
            Training.from_json(facts["training"]),
            array("folds"),
            Calibration(held_out[0], held_out[1]),
            seed=manifest.seed,
            data=manifest.data,
            reading=Reading.read(folder),
        )
        row = np.zeros((1, len(model.names)))
        model.predictor.check(model.preparation.apply(row).shape[1])
        with np.errstate(all="ignore"):
            model._raw(row)
        return model
