"""Which phrases go with bad translations, and whether knowing them helps: mined inside folds, and as one must not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import check_parallel
from dragoman.learn.base import Job, Learner
from dragoman.learn.folds import make_folds
from dragoman.qe.features import extract_features
from dragoman.qe.prediction_measures import score_measures
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.studies.phrase_material import PhraseMaterial
from dragoman.qe.studies.phrases import PhraseTemplates, TemplateRecipe
from dragoman.qe.tasks import check_scores, score_task
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["PhraseReport", "phrase_report"]

_WAYS = ("without phrases", "mined inside folds", "mined from all")


@dataclass(frozen=True)
class PhraseReport(Result):
    """The most frequent phrases of each template, and the measures of held-out predictions with and without them."""

    kind: ClassVar[str] = "qe phrases"

    templates: PhraseTemplates
    measures: tuple[tuple[str, dict[str, float]], ...]  # by the way in which phrases were mined
    learner: str
    n_sentences: int
    most: int

    def tables(self) -> list[Table]:
        """The phrases, then the measures."""
        rows = [
            (name, " ".join(gram), count)
            for name, phrases in self.templates.phrases.items()
            for gram, count in list(phrases.items())[: self.most]
        ]
        sizes = ", ".join(f"{name} {len(phrases)}" for name, phrases in self.templates.phrases.items())
        names = list(self.measures[0][1])
        return [
            Table.of(
                "Phrases",
                [Column("template"), Column("phrase"), Column("sentences")],
                rows,
                note=f"Of {self.n_sentences} sentences. Phrases in all: {sizes}.",
            ),
            Table.of(
                "Do they help?",
                [Column("phrases"), *(Column(name.replace("-", "_"), name, 4) for name in names)],
                [(way, *(values[name] for name in names)) for way, values in self.measures],
                note=f"{self.learner}; sentences held out in cross-validation. What is mined from all has seen those "
                "that it is measured on: the row is there to show by how much it flatters.",
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """Measures by way of mining, and the sizes of the templates."""
        return {
            "learner": self.learner,
            "n_sentences": self.n_sentences,
            "measures": dict(self.measures),
            "sizes": {name: len(phrases) for name, phrases in self.templates.phrases.items()},
        }


def phrase_report(
    learner: Learner,
    sources: Sequence[str],
    outputs: Sequence[str],
    scores: ArrayLike | Sequence[float],
    recipe: TemplateRecipe | None = None,
    *,
    beside: PhraseMaterial | None = None,
    task: str = "hter",
    most: int = 10,
    seed: int = 1,
    n_threads: int = 1,
) -> PhraseReport:
    """Mine phrases, and learn from surface features with and without their totals."""
    more = beside or PhraseMaterial()
    asked, mining = score_task(task), recipe or TemplateRecipe()
    learner.check()
    learner.ready()
    y = check_scores("scores", scores, asked)
    check_parallel({"sources": sources, "outputs": outputs, "scores": y, **more.streams()})
    surface = extract_features(sources, outputs, FeatureRecipe(), n_threads=n_threads)
    learner.check_learnable(surface.values, y, surface.names)
    folds = make_folds(len(y), learner.n_folds, learner.layout, seed=seed)

    def mine(places: Sequence[int]) -> PhraseTemplates:
        return mining.mine(
            [sources[place] for place in places],
            [outputs[place] for place in places],
            y[list(places)],
            higher_is_better=asked.higher_is_better,
            beside=more.take(places),
        )

    whole = mine(range(len(y)))
    inside = [mine(np.flatnonzero(folds != fold).tolist()).columns(sources, outputs) for fold in range(learner.n_folds)]
    naive = whole.columns(sources, outputs)
    measures = score_measures(asked)
    rows = []
    width = len(surface.names) + naive.shape[1]
    job = Job(tuple(map(str, range(width))), seed, n_threads, asked.higher_is_better)
    for way, columns in zip(_WAYS, ([np.zeros((len(y), 0))] * len(inside), inside, [naive] * len(inside)), strict=True):
        predicted = np.clip(_held_out(learner, surface.values, columns, y, folds, job), *asked.limits)
        rows.append((way, {name: float(measure(y, predicted)) for name, measure in measures.items()}))
    return PhraseReport(whole, tuple(rows), learner.name, len(y), most)


def _held_out(learner: Learner, x: Floats, columns: Sequence[Floats], y: Floats, folds: Any, job: Job) -> Floats:
    """What is said of each fold by a model of the others, with that fold's own columns behind the features."""
    predicted = np.empty(len(y))
    for fold, more in enumerate(columns):
        table = np.column_stack([x, more])
        rest = np.flatnonzero(folds != fold)
        inner = make_folds(len(rest), learner.n_folds, learner.layout, seed=job.seed)
        own = replace(job, names=job.names[: table.shape[1]])
        predicted[folds == fold] = learner.learn_all(table[rest], y[rest], inner, own).predict(table[folds == fold])
    return predicted
