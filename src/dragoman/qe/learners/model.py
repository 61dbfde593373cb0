"""A trained quality estimator: named features in, scores out. Nothing but arrays and JSON on disk."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.learners.base import LEARNERS, QERecipe
from dragoman.qe.tasks import score_task
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["Kernel", "Linear", "Predictions", "Predictor", "QEModel", "Training"]

_CELLS = 1 << 23  # kernel values held at once: 64 MB


class Predictor(ABC):
    """What a learner found: a function of standardised features, made of arrays."""

    form: ClassVar[str]

    @abstractmethod
    def predict(self, x: Floats) -> Floats:
        """Standardised scores of standardised features, (sentences, features) → (sentences,)."""

    @abstractmethod
    def arrays(self) -> dict[str, Floats]:
        """Its arrays by name."""


class Linear(Predictor):
    """A weighted sum."""

    form: ClassVar[str] = "linear"

    def __init__(self, weights: Floats, intercept: Floats) -> None:
        self.weights, self.intercept = weights, intercept

    def predict(self, x: Floats) -> Floats:
        """Weighted sums of the features."""
        y: Floats = x @ self.weights + self.intercept
        return y

    def arrays(self) -> dict[str, Floats]:
        """Weights and intercept."""
        return {"weights": self.weights, "intercept": self.intercept}


class Kernel(Predictor):
    """A sum of Gaussian bells around support vectors: Σ cᵢ exp(−γ|x − vᵢ|²) + b."""

    form: ClassVar[str] = "kernel"

    def __init__(self, vectors: Floats, coefficients: Floats, intercept: Floats, gamma: Floats) -> None:
        self.vectors, self.coefficients, self.intercept, self.gamma = vectors, coefficients, intercept, gamma

    def predict(self, x: Floats) -> Floats:
        """Sums of the bells, in pieces so that memory stays bounded."""
        result = np.empty(len(x))
        squares = np.square(self.vectors).sum(axis=1)
        step = max(1, _CELLS // max(1, len(self.vectors)))
        for first in range(0, len(x), step):
            part = x[first : first + step]
            distance = np.square(part).sum(axis=1)[:, np.newaxis] + squares - 2 * part @ self.vectors.T
            result[first : first + step] = np.exp(-self.gamma * distance) @ self.coefficients + self.intercept
        return result

    def arrays(self) -> dict[str, Floats]:
        """Vectors, coefficients, intercept and γ."""
        return {
            "vectors": self.vectors,
            "coefficients": self.coefficients,
            "intercept": self.intercept,
            "gamma": self.gamma,
        }


_PREDICTORS: dict[str, type[Linear] | type[Kernel]] = {each.form: each for each in (Linear, Kernel)}


@dataclass(frozen=True)
class Training(Result):
    """How a model was trained: the settings tried, those chosen, and what cross-validation says of them."""

    kind: ClassVar[str] = "qe training"

    learner: str
    task: str
    n_sentences: int
    chosen: Mapping[str, float]
    tried: tuple[tuple[Mapping[str, float], float], ...]  # settings, mean absolute error in cross-validation
    measures: Mapping[str, tuple[float, float]]  # name → over all folds together, mean over the folds
    layout: str
    n_folds: int
    n_searched: int  # sentences that the search for settings saw
    dropped: tuple[str, ...]  # features that are the same everywhere
    train_mean: float
    size: Mapping[str, int]  # what the model is made of

    def tables(self) -> list[Table]:
        """What cross-validation says of the chosen settings; then all settings tried."""
        settings = list(self.chosen)
        note = (
            f"{self.learner}, {', '.join(f'{k} {v:g}' for k, v in self.chosen.items())}; {self.n_folds} folds, "
            f"{self.layout}, {self.n_searched} of {self.n_sentences} sentences; "
            + ", ".join(f"{count} {what}" for what, count in self.size.items())
            + "."
        )
        if self.dropped:
            note += f" The same in all sentences and left out: {', '.join(self.dropped)}."
        return [
            Table.of(
                "Cross-validation",
                [Column("measure"), Column("pooled", digits=4), Column("fold_mean", "mean of folds", digits=4)],
                [(name, *values) for name, values in self.measures.items()],
                note=note,
            ),
            Table.of(
                "Settings",
                [*(Column(name) for name in settings), Column("mae", digits=4)],
                [(*(tried[name] for name in settings), error) for tried, error in self.tried],
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """All but the measures."""
        return {
            "learner": self.learner,
            "task": self.task,
            "n_sentences": self.n_sentences,
            "n_searched": self.n_searched,
            "chosen": dict(self.chosen),
            "tried": [[dict(settings), error] for settings, error in self.tried],
            "layout": self.layout,
            "n_folds": self.n_folds,
            "dropped": list(self.dropped),
            "train_mean": self.train_mean,
            "size": dict(self.size),
        }

    def to_json(self) -> dict[str, Any]:
        """Everything, for the model's folder."""
        return {**self.meta(), "measures": {name: list(values) for name, values in self.measures.items()}}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Training:
        """What `to_json` gave."""
        return cls(
            **{
                **values,
                "tried": tuple((settings, error) for settings, error in values["tried"]),
                "measures": {name: (pooled, mean) for name, (pooled, mean) in values["measures"].items()},
                "dropped": tuple(values["dropped"]),
            }
        )


@dataclass(frozen=True)
class Predictions(Result):
    """A score for each sentence."""

    kind: ClassVar[str] = "qe predictions"

    scores: tuple[float, ...]
    task: str

    def tables(self) -> list[Table]:
        """A row a sentence, counted from 1."""
        columns = [Column("segment"), Column("score", self.task, digits=4)]
        return [Table.of("Predictions", columns, enumerate(self.scores, start=1))]

    def meta(self) -> dict[str, Any]:
        """Task, number and mean."""
        mean = sum(self.scores) / len(self.scores) if self.scores else None
        return {"task": self.task, "n_sentences": len(self.scores), "mean": mean}


@dataclass(frozen=True, eq=False)
class Scaling:
    """Means and spreads that bring features and scores to mean 0 and spread 1."""

    means: Floats
    spreads: Floats
    score: Floats  # mean, spread


class QEModel(Artifact):
    """Scores of sentences from their features. It takes the features it was trained on, by name, and no others."""

    kind: ClassVar[str] = "quality estimator"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: QERecipe,
        names: tuple[str, ...],
        scaling: Scaling,
        predictor: Linear | Kernel,
        training: Training,
        folds: NDArray[np.int64],
        *,
        seed: int | None,
        data: Mapping[str, str],
    ) -> None:
        self.recipe: QERecipe = recipe
        self.names = names  # of the features, those that are the same everywhere among them
        self.scaling = scaling
        self.predictor = predictor
        self.training = training
        self.folds = folds  # of each sentence of the training data
        self.seed = seed
        self.data = dict(data)

    def __repr__(self) -> str:
        return f"<QEModel of {self.training.task}: {self.training.learner} on {len(self.names)} features>"

    def predict(self, features: FeatureTable) -> Predictions:
        """The score of each sentence, on the scale of the task. Columns may stand in any order."""
        absent = [name for name in self.names if name not in features.names]
        strange = [name for name in features.names if name not in self.names]
        if absent or strange:
            parts = [
                *([f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} missing"] if absent else []),
                *([f"it was not trained on {', '.join(strange)}"] if strange else []),
            ]
            raise DataError(
                f"The model needs the {len(self.names)} features it was trained on: {'; '.join(parts)}. "
                "Extract the features as for the training data."
            )
        order = [features.names.index(name) for name in self.names]
        kept = self.scaling.spreads > 0
        x = (features.values[:, order][:, kept] - self.scaling.means[kept]) / self.scaling.spreads[kept]
        mean, spread = self.scaling.score
        task = score_task(self.training.task)
        scores = np.clip(self.predictor.predict(x) * spread + mean, task.low, task.high)
        return Predictions(tuple(scores.tolist()), task.name)

    def _write(self, folder: Path) -> None:
        arrays = {
            "means": self.scaling.means,
            "spreads": self.scaling.spreads,
            "score": self.scaling.score,
            "folds": self.folds,
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

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        if facts["form"] not in _PREDICTORS:
            raise ModelError(f"{folder} holds a model of the form {facts['form']!r}, which this version does not know.")

        def array(name: str) -> Any:
            return np.load(folder / f"{name}.npy", allow_pickle=False)

        predictor = _PREDICTORS[facts["form"]]
        names = [path.name.removeprefix("model.").removesuffix(".npy") for path in folder.glob("model.*.npy")]
        return cls(
            LEARNERS.get(facts["learner"]).from_dict(manifest.recipe),
            tuple(facts["names"]),
            Scaling(array("means"), array("spreads"), array("score")),
            predictor(**{name: array(f"model.{name}") for name in names}),
            Training.from_json(facts["training"]),
            array("folds"),
            seed=manifest.seed,
            data=manifest.data,
        )
