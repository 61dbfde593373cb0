"""How much a change is worth, learnt from changes whose reference was known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from dragoman.errors import DataError, ModelError
from dragoman.learn import LEARNERS, Job
from dragoman.learn.predictors import Predictor, form_of
from dragoman.learn.preparation import Preparation
from dragoman.postedit.evidence import EVIDENCE
from dragoman.stats.arrays import Floats

__all__ = ["Worth"]


class _Learning(Protocol):
    """What a recipe says of learning."""

    @property
    def learner(self) -> str: ...
    @property
    def most_examples(self) -> int: ...
    @property
    def seed(self) -> int: ...


_ARRAYS, _FORM = "worth.npz", "worth.json"


@dataclass(frozen=True, eq=False)
class Worth:
    """A function from evidence to what a change adds to a line (see `gain`)."""

    preparation: Preparation
    predictor: Predictor
    mean: float
    spread: float
    names: tuple[str, ...]  # of the evidence

    @classmethod
    def learn(cls, rows: Floats, gains: Floats, recipe: _Learning, names: tuple[str, ...] = EVIDENCE) -> Worth:
        """Learn from rows of evidence and what the changes were worth."""
        if len(gains) < 2 or np.ptp(gains) == 0:
            raise DataError(
                f"{len(gains)} changes are too few to learn which are worth it; give more lines, or lower least_count."
            )
        step = max(1, -(-len(gains) // recipe.most_examples))
        learner = LEARNERS.make(recipe.learner)
        learner.ready()
        job = Job(names, recipe.seed)
        part = learner.parts(rows[::step], gains[::step], None, job)[0]
        predictor = learner.learn(part, learner.settings(recipe.seed)[0], job)
        return cls(part.preparation, predictor, part.mean, part.spread, names)

    def __call__(self, rows: Floats) -> Floats:
        """What changes with these rows of evidence are worth."""
        if not len(rows):
            return np.zeros(0)
        values: Floats = self.predictor.predict(self.preparation.apply(rows)) * self.spread + self.mean
        return values

    def write(self, folder: Path) -> None:
        """Write the arrays, and which kind of predictor they are."""
        prepared = {"shifts": self.preparation.shifts, "spreads": self.preparation.spreads}
        model = {f"model.{name}": array for name, array in self.predictor.arrays().items()}
        np.savez(folder / _ARRAYS, **prepared, **model)  # type: ignore[arg-type]
        values = {"form": self.predictor.form, "mean": self.mean, "spread": self.spread, "evidence": self.names}
        (folder / _FORM).write_text(json.dumps(values) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path, names: tuple[str, ...] = EVIDENCE) -> Worth:
        """What `write` wrote."""
        values = json.loads((folder / _FORM).read_text(encoding="utf-8"))
        if tuple(values["evidence"]) != names:
            raise ModelError(f"{folder} was trained on other evidence than this version gathers. Train it again.")
        with np.load(folder / _ARRAYS) as arrays:
            preparation = Preparation(arrays["shifts"], arrays["spreads"], None)
            if any(each.shape != (len(names),) for each in (preparation.shifts, preparation.spreads)):
                raise ModelError(f"{folder / _ARRAYS} does not scale {len(names)} columns of evidence.")
            parts = {name[6:]: arrays[name] for name in arrays.files if name.startswith("model.")}
        predictor = form_of(values["form"]).of(parts)
        predictor.check(int(preparation.used.sum()))
        return cls(preparation, predictor, float(values["mean"]), float(values["spread"]), names)
