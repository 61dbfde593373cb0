"""Where agreement with n-best lists is cut into quartiles: learnt from the training data, without its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe
from dragoman.qe.resources.stored import StoredArtifact
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
            shares = column[~np.isnan(column)]
            cuts[place] = np.quantile(shares, (0.25, 0.5, 0.75)) if len(shares) else (0.25, 0.5, 0.75)
        return ListQuartiles(self, cuts)


@dataclass(eq=False, repr=False)
class ListQuartiles(StoredArtifact):
    """Three cuts for each criterion, weighting and length of n-grams."""

    kind: ClassVar[str] = "quartiles of agreement"
    format: ClassVar[int] = 2

    recipe: QuartileRecipe
    all_cuts: Floats

    def __post_init__(self) -> None:
        if self.all_cuts.shape != _SHAPE:
            raise ModelError(f"Cuts of agreement have the shape {self.all_cuts.shape}, not {_SHAPE}.")

    def cuts(self, criterion: str, weights: str, length: int) -> Floats:
        """The three cuts, rising."""
        return np.asarray(self.all_cuts[CRITERIA.index(criterion), WEIGHTINGS.index(weights), length - 1])
