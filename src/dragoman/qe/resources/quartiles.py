"""Where agreement with n-best lists is cut into quartiles: learnt from the training data, without its scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe
from dragoman.stats.arrays import Floats

__all__ = ["CRITERIA", "WEIGHTINGS", "ListQuartiles", "QuartileRecipe"]

CRITERIA = ("position", "levenshtein", "any", "average")
WEIGHTINGS = ("probability", "rank", "uniform")
_SHAPE = (len(CRITERIA), len(WEIGHTINGS), 4, 3)


@dataclass(frozen=True)
class QuartileRecipe(Recipe):
    """How to cut agreement into quartiles: so that each has as many n-grams, as far as ties allow."""

    def fit(self, confidences: Floats) -> ListQuartiles:
        """From agreement by token, criterion, weighting and length of n-grams; NaN where there is no n-gram."""
        self.check()
        if confidences.shape[1:] != _SHAPE[:3]:
            raise DataError(f"Expected agreement of shape (tokens, 4, 3, 4), got {confidences.shape}.")
        cuts = np.zeros(_SHAPE)
        for place in np.ndindex(_SHAPE[:3]):
            column = confidences[(slice(None), *place)]
            known = column[~np.isnan(column)]
            cuts[place] = np.quantile(known, (0.25, 0.5, 0.75)) if len(known) else (0.25, 0.5, 0.75)
        return ListQuartiles(self, cuts)


class ListQuartiles(Artifact):
    """Three cuts for each criterion, weighting and length of n-grams."""

    kind: ClassVar[str] = "quartiles of agreement"
    format: ClassVar[int] = 1

    def __init__(self, recipe: QuartileRecipe, all_cuts: Floats) -> None:
        self.recipe: QuartileRecipe = recipe
        self.all_cuts = all_cuts

    def cuts(self, criterion: str, weights: str, length: int) -> Floats:
        """The three cuts, rising."""
        return np.asarray(self.all_cuts[CRITERIA.index(criterion), WEIGHTINGS.index(weights), length - 1])

    def _write(self, folder: Path) -> None:
        np.save(folder / "cuts.npy", self.all_cuts, allow_pickle=False)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        cuts = np.load(folder / "cuts.npy", allow_pickle=False)
        if cuts.shape != _SHAPE:
            raise ModelError(f"{folder}: cuts of agreement have the shape {cuts.shape}, not {_SHAPE}.")
        return cls(QuartileRecipe.from_dict(manifest.recipe), cuts)
