"""Directions of entailment between source and output by two classifiers (Graham, Salehi & Baldwin, SemEval 2013).

One says whether the source entails the output (forward), one whether the output entails the source (backward); both
yes is bidirectional, neither is none. Each has the features of the side that may say more than the other, and those of
no side. Features of no side alone make both say the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.data import check_parallel
from dragoman.errors import DataError, DragomanError
from dragoman.files import StrPath
from dragoman.qe.classes import ClassModel, ClassPredictions, ClassRecipe, ClassTraining, measure_labels
from dragoman.qe.features.base import make_feature
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.notes import listed
from dragoman.stats.arrays import Floats

__all__ = ["DIRECTIONS", "EntailmentModel", "EntailmentRecipe", "features_of_direction", "load_classifier"]

# Label → whether forward and backward hold; of the names, those of SemEval.
DIRECTIONS: Mapping[str, tuple[bool, bool]] = {
    "backward": (False, True),
    "bidirectional": (True, True),
    "forward": (True, False),
    "no_entailment": (False, False),
}
_LABELS = {holds: label for label, holds in DIRECTIONS.items()}
# What the output says more than the source speaks against forward, and the other way.
_SIDE = {"forward": "target", "backward": "source"}
_YES, _NO = "yes", "no"


def features_of_direction(names: Sequence[str], direction: str) -> list[str]:
    """The features that the classifier of a direction sees: those of its side, and those of no single side."""
    other = _SIDE["backward" if direction == "forward" else "forward"]
    return [name for name in names if _side_of(name) != other]


def _side_of(name: str) -> str:
    try:
        feature = make_feature(name)
    except DragomanError:  # a column of another origin
        return ""
    side = getattr(feature, "on", None) or getattr(feature, "of", "")
    return side if side in ("source", "target") else ""


@dataclass(frozen=True)
class EntailmentRecipe(ClassRecipe):
    """Two classifiers of yes and no, joined."""

    def train(  # type: ignore[override]  # another model for the same data
        self, features: FeatureTable, labels: Sequence[str], *, seed: int = 1, n_threads: int = 1
    ) -> EntailmentModel:
        """Learn from labels that are keys of `DIRECTIONS`."""
        self.check()
        check_parallel({"features": features, "labels": labels})
        strange = [f"{label!r} ({place})" for place, label in enumerate(labels, start=1) if label not in DIRECTIONS]
        if strange:
            raise DataError(f"No directions of entailment: {listed(strange)}. They are called {', '.join(DIRECTIONS)}.")
        models, said, measured = [], [], []
        for place, direction in enumerate(_SIDE):
            names = features_of_direction(features.names, direction)
            if not names:
                raise DataError(f"No feature tells of the {_SIDE[direction]}, by which {direction} is learnt.")
            own = _columns(features, names)
            answers = [_YES if DIRECTIONS[label][place] else _NO for label in labels]
            if len(set(answers)) < 2:
                raise DataError(f"In all {len(labels)} sentences {direction} is {answers[0]}; both must be there.")
            recipe = ClassRecipe(self.learner, self.n_folds)
            held = recipe.held_out(own, answers, (_NO, _YES), seed=seed, n_threads=n_threads)
            said.append(held.argmax(axis=1) == 1)
            right = float(np.mean(said[-1] == np.array([answer == _YES for answer in answers])))
            measured.append((f"held out, {direction}", "accuracy", right))
            models.append(recipe.train(own, answers, seed=seed, n_threads=n_threads))
        joined = [_LABELS[bool(a), bool(b)] for a, b in zip(*said, strict=True)]
        measured = [*measure_labels({"held out": joined}, labels, tuple(DIRECTIONS)), *measured]
        return EntailmentModel(
            self, features.names, models, ClassTraining(tuple(measured), len(labels), self.learner), seed=seed
        )


class EntailmentModel(Artifact):
    """Directions of entailment from features of source and output."""

    kind: ClassVar[str] = "entailment classifier"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: EntailmentRecipe,
        names: Sequence[str],
        models: Sequence[ClassModel],
        training: ClassTraining,
        *,
        seed: int | None,
    ) -> None:
        self.recipe: EntailmentRecipe = recipe
        self.names = tuple(names)
        self.models = tuple(models)  # forward, backward
        self.training = training
        self.seed = seed
        self.data: dict[str, str] = {}

    def predict(self, features: FeatureTable) -> ClassPredictions:
        """The label of each sentence; the scores are those of the two answers, both, one or none."""
        yes = []
        for direction, model in zip(_SIDE, self.models, strict=True):
            said = model.predict(_columns(features, features_of_direction(self.names, direction)))
            scores = np.array(said.scores)
            yes.append(scores[:, model.classes.index(_YES)] - scores[:, model.classes.index(_NO)])
        labels = tuple(_LABELS[bool(a), bool(b)] for a, b in zip(yes[0] > 0, yes[1] > 0, strict=True))
        return ClassPredictions(tuple(DIRECTIONS), labels, tuple(map(tuple, _scores(*yes).tolist())))

    def _write(self, folder: Path) -> None:
        facts = {
            "features": list(self.names),
            "measured": [list(each) for each in self.training.measured],
            "n_sentences": self.training.n_sentences,
        }
        (folder / "entailment.json").write_text(json.dumps(facts, ensure_ascii=False) + "\n", encoding="utf-8")
        for direction, model in zip(_SIDE, self.models, strict=True):
            model.save(folder / direction)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        facts = json.loads((folder / "entailment.json").read_text(encoding="utf-8"))
        recipe = EntailmentRecipe.from_dict(manifest.recipe)
        measured = tuple((name, what, float(value)) for name, what, value in facts["measured"])
        models = [ClassModel.load(folder / direction) for direction in _SIDE]
        training = ClassTraining(measured, facts["n_sentences"], recipe.learner)
        return cls(recipe, facts["features"], models, training, seed=manifest.seed)


def load_classifier(folder: StrPath) -> ClassModel | EntailmentModel:
    """A model of labels, of either kind."""
    is_entailment = read_manifest(folder).kind == EntailmentModel.kind
    return EntailmentModel.load(folder) if is_entailment else ClassModel.load(folder)


def _columns(features: FeatureTable, names: Sequence[str]) -> FeatureTable:
    return FeatureTable.of(names, np.column_stack([features.column(name) for name in names]))


def _scores(forward: Floats, backward: Floats) -> Floats:
    """For each label the lesser of what speaks for its two answers, between 0 and 1."""
    columns = [
        np.minimum(forward if ahead else -forward, backward if back else -backward)
        for ahead, back in DIRECTIONS.values()
    ]
    return np.asarray((np.clip(np.column_stack(columns), -1, 1) + 1) / 2)
