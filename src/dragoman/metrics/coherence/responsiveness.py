"""CREMER: how well a summary answers its task, by what it contains and how coherent it is (Lin et al., ACL 2012).

Two features, TESLA-S against the references and DICOMER, and support-vector regression to people's ratings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.learn.base import LEARNERS, Job
from dragoman.learn.folds import make_folds
from dragoman.learn.predictors import Predictor, form_of
from dragoman.metrics.coherence.model import CoherenceModel, cut_text
from dragoman.metrics.references import RefsInput, content_digest
from dragoman.metrics.tesla_s import TeslaS
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["ResponsivenessModel", "ResponsivenessRecipe", "ResponsivenessScores"]

KERNELS = {"rbf": "svr", "linear": "linear-svr", "polynomial": "polynomial-svr"}
FEATURES = ("TESLA-S", "DICOMER")
_SCALE = "scale.npy"  # shifts and spreads of the features, mean and spread of the ratings


@dataclass(frozen=True)
class ResponsivenessRecipe(Recipe):
    """How to learn responsiveness; C, ε and the kernel's width are chosen by cross-validation."""

    kernel: str = option("rbf", choices=tuple(KERNELS), text="of the support vectors")
    n_folds: int = option(5, low=2, high=50, text="folds of cross-validation")

    def train(
        self,
        texts: Sequence[str],
        refs: RefsInput,
        ratings: Sequence[float],
        coherence: CoherenceModel,
        *,
        seed: int = 1,
        n_threads: int = 1,
    ) -> ResponsivenessModel:
        """Learn from summaries, a line each, their references and what people gave them."""
        self.check()
        check_parallel({"texts": texts, "ratings": ratings})
        learner = LEARNERS.make(f"{KERNELS[self.kernel]}:n_folds={self.n_folds}")
        learner.ready()
        x, y = features(texts, refs, coherence, n_threads), np.array(ratings, dtype=np.float64)
        if not np.isfinite(y).all():
            raise DataError(f"Rating {int(np.flatnonzero(~np.isfinite(y))[0]) + 1} is no number.")
        learner.check_learnable(x, y, FEATURES)
        job = Job(FEATURES, seed, n_threads, True)
        learnt = learner.learn_all(x, y, make_folds(len(y), self.n_folds, learner.layout, seed=seed), job)
        preparation = learnt.preparation
        scale = np.stack([preparation.shifts, preparation.spreads, np.array([learnt.mean, learnt.spread])])
        data = {"texts": content_digest(list(texts)), "ratings": content_digest([str(each) for each in ratings])}
        return ResponsivenessModel(self, coherence, learnt.predictor, scale, seed, data)


@dataclass(frozen=True, eq=False)
class ResponsivenessModel(Artifact):
    """Support vectors over content and coherence, with the model of coherence."""

    kind: ClassVar[str] = "responsiveness model"
    format: ClassVar[int] = 1

    recipe: ResponsivenessRecipe
    coherence: CoherenceModel
    predictor: Predictor
    scale: Floats
    seed: int | None = None
    data: Mapping[str, str] = field(default_factory=dict)

    def score(self, texts: Sequence[str], refs: RefsInput, *, n_threads: int = 1) -> ResponsivenessScores:
        """What people would give summaries, a line each."""
        x = features(texts, refs, self.coherence, n_threads)
        shifts, spreads, (mean, spread) = self.scale
        used = spreads > 0
        values = self.predictor.predict((x[:, used] - shifts[used]) / spreads[used]) * spread + mean
        return ResponsivenessScores(tuple(map(tuple, np.column_stack([values, x]).tolist())))

    def _write(self, folder: Path) -> None:
        self.coherence.save(folder / "coherence")
        np.save(folder / _SCALE, self.scale, allow_pickle=False)
        for name, array in self.predictor.arrays().items():
            np.save(folder / f"{self.predictor.form}.{name}.npy", np.asarray(array), allow_pickle=False)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        arrays: dict[str, dict[str, NDArray[Any]]] = {}
        for path in folder.glob("*.*.npy"):
            form, name, _ = path.name.split(".")
            arrays.setdefault(form, {})[name] = np.load(path, allow_pickle=False)
        (form, values), *_ = arrays.items()
        recipe = ResponsivenessRecipe.from_dict(manifest.recipe)
        predictor = form_of(form).of(values)
        scale = np.load(folder / _SCALE, allow_pickle=False)
        if scale.shape != (3, len(FEATURES)):
            raise ModelError(
                f"{folder / _SCALE} holds an array of the shape {scale.shape}, not of (3, {len(FEATURES)})."
            )
        predictor.check(int((scale[1] > 0).sum()))
        coherence = CoherenceModel.load(folder / "coherence")
        return cls(recipe, coherence, predictor, scale, manifest.seed, manifest.data)


@dataclass(frozen=True)
class ResponsivenessScores(Result):
    """The responsiveness of summaries, and the two figures that it comes from."""

    kind: ClassVar[str] = "responsiveness"

    rows: tuple[tuple[float, ...], ...]

    def tables(self) -> list[Table]:
        """One row for each summary."""
        columns = [Column("text"), *(Column(name, digits=4) for name in ("CREMER", *FEATURES))]
        return [Table.of("Responsiveness", columns, [(n, *row) for n, row in enumerate(self.rows, start=1)])]

    def meta(self) -> dict[str, Any]:
        """How many summaries."""
        return {"texts": len(self.rows)}


def features(texts: Sequence[str], refs: RefsInput, coherence: CoherenceModel, n_threads: int) -> Floats:
    """TESLA-S and DICOMER of each summary."""
    lang = coherence.recipe.lang
    content = TeslaS(lang=lang).segments(texts, refs, n_threads=n_threads)
    return np.column_stack([content, coherence.score(cut_text(texts, lang))])
