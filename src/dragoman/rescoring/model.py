"""A rescorer: features, and weights under which the best candidate of a list comes first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest
from dragoman.notation import finite_numbers
from dragoman.report import Progress
from dragoman.rescoring.agreement import add_agreement
from dragoman.rescoring.base import add_features
from dragoman.rescoring.lists import CandidateLists
from dragoman.rescoring.recipe import Rescoring
from dragoman.stats.arrays import Floats

__all__ = ["Rescorer", "Stage", "whole_lists"]

_FILE = "rescorer.json"


def whole_lists(
    lists: CandidateLists, recipe: Rescoring, *, n_threads: int = 1, progress: Progress | None = None
) -> CandidateLists:
    """The lists with all that a recipe adds to them."""
    agreed = add_agreement(lists, recipe.agreement, n_threads=n_threads)
    return add_features(agreed, recipe.features, n_threads=n_threads, progress=progress)


@dataclass(frozen=True)
class Stage:
    """One tuner's part: the metric on the lists before and after it, and if the best candidates were chosen."""

    tuner: str
    before: float
    after: float
    oracle: float | None


@dataclass(frozen=True, eq=False)
class Rescorer(Artifact):
    """Scores candidates by the weighted sum of their features: `Rescorer.load("rescorer").rescore(lists)`."""

    kind: ClassVar[str] = "rescorer"
    format: ClassVar[int] = 1

    recipe: Rescoring
    weights: Mapping[str, float]
    sparse: Mapping[str, float] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()
    seed: int | None = None
    data: Mapping[str, str] = field(default_factory=dict)

    def rescore(
        self, lists: CandidateLists, *, n_threads: int = 1, progress: Progress | None = None
    ) -> tuple[CandidateLists, Floats]:
        """The lists with all their features, and the candidates' scores; a feature that the lists lack is named."""
        whole = whole_lists(lists, self.recipe, n_threads=n_threads, progress=progress)
        scores: Floats = whole.chosen(list(self.weights)).features @ np.array(list(self.weights.values()))
        if whole.sparse is not None and self.sparse:
            scores = scores + whole.sparse @ np.array([self.sparse.get(name, 0.0) for name in whole.sparse_names])
        return whole, scores

    def _write(self, folder: Path) -> None:
        content = {
            "weights": dict(self.weights),
            "sparse": dict(self.sparse),
            "stages": [asdict(each) for each in self.stages],
        }
        (folder / _FILE).write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        stages = tuple(Stage(**each) for each in content["stages"])
        recipe = Rescoring.from_dict(manifest.recipe)
        weights, sparse = finite_numbers(content["weights"]), finite_numbers(content["sparse"])
        return cls(recipe, weights, sparse, stages, manifest.seed, manifest.data)
