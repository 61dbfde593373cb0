"""Which phrases of sources and translations go with much post-editing: a sparse linear model (Wu & Zhao 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.arrays import check_array
from dragoman.data import check_parallel
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.stats.arrays import Floats

__all__ = ["IndicatorRecipe", "PhraseIndicators"]

_SIDES = ("source", "target")


@dataclass(frozen=True)
class IndicatorRecipe(Recipe):
    """How to learn scores from the n-grams of source and output: least squares with a penalty on squared weights.

    Wu & Zhao mine patterns from good and bad sentences and give them to a regression; here every n-gram is a pattern
    and the penalty decides. N-grams share 2ᵇⁱᵗˢ weights by their hash.
    """

    order: int = option(2, low=1, high=5, text="length of the longest n-grams of words")
    letters: int = option(4, low=0, high=8, text="length of the longest runs of letters inside words; 0: none")
    bits: int = option(18, low=8, high=24, text="weights, as a power of two")
    penalty: float = option(2.0, low=0.0, text="penalty on squared weights; rows have length 1")

    def rows(self, sources: Sequence[str], outputs: Sequence[str]) -> Any:
        """The n-grams of each pair as a row of a sparse matrix, of length 1."""
        from scipy.sparse import csr_matrix

        indices: list[int] = []
        starts = [0]
        mask = (1 << self.bits) - 1
        for pair in zip(sources, outputs, strict=True):
            grams = {
                crc32(gram.encode(), side) & mask
                for side, line in enumerate(pair)
                for gram in _grams(line.split(), self.order, self.letters)
            }
            indices.extend(sorted(grams))
            starts.append(len(indices))
        sizes = np.diff(starts)
        values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
        return csr_matrix((values, np.array(indices, dtype=np.int64), starts), shape=(len(sources), mask + 1))

    def train(self, sources: Sequence[str], outputs: Sequence[str], scores: ArrayLike) -> PhraseIndicators:
        """Learn the weights from tokenised pairs and their scores."""
        self.check()
        check_parallel({"sources": sources, "outputs": outputs, "scores": np.asarray(scores)})
        return self.fit(self.rows(sources, outputs), scores)

    def fit(self, rows: Any, scores: ArrayLike) -> PhraseIndicators:
        """The same from rows made before."""
        from scipy.sparse.linalg import lsqr

        y = np.asarray(scores, dtype=np.float64)
        mean = float(y.mean())
        weights = lsqr(rows, y - mean, damp=float(np.sqrt(self.penalty)), iter_lim=60)[0]
        return PhraseIndicators(self, weights.astype(np.float32), mean)


@dataclass(eq=False, repr=False)
class PhraseIndicators(StoredArtifact):
    """Weights of n-grams."""

    kind: ClassVar[str] = "phrase indicators"
    format: ClassVar[int] = 2

    recipe: IndicatorRecipe
    weights: NDArray[np.float32]
    mean: float

    @property
    def sizes(self) -> tuple[int, ...]:
        """Weights that are not 0."""
        return (int((self.weights != 0).sum()),)

    def _check(self) -> None:
        check_array("weights.npy", self.weights, np.float32, 1 << self.recipe.bits)

    def predict(self, sources: Sequence[str], outputs: Sequence[str]) -> Floats:
        """The scores that the n-grams speak for."""
        if not len(sources):
            return np.zeros(0)
        scores: Floats = self.recipe.rows(sources, outputs) @ self.weights.astype(np.float64) + self.mean
        return scores


def _grams(words: Sequence[str], order: int, letters: int) -> set[str]:
    lowered = ["<s>", *(word.lower() for word in words), "</s>"]
    grams = {
        " ".join(lowered[at : at + length]) for length in range(1, order + 1) for at in range(len(lowered) - length + 1)
    }
    for length in range(3, letters + 1):
        for word in lowered[1:-1]:
            padded = f"<{word}>"
            grams.update("\t" + padded[at : at + length] for at in range(len(padded) - length + 1))
    return grams
