"""How often words stay without a link: function words often, content words seldom (Graham et al. 2013)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.align.base import Aligner
from dragoman.arrays import check_array
from dragoman.data import check_parallel
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.qe.resources.words import lines_digest
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["UnalignedRates", "UnalignedRecipe"]

_SIDES = ("source", "target")


@dataclass(frozen=True)
class UnalignedRecipe(Recipe):
    """How to count the words of a bitext that an aligner leaves without a link."""

    join: str = option(
        "grow-diag-final-and", choices=("intersection", "grow-diag-final-and"), text="how both directions are joined"
    )

    def train(
        self, aligner: Aligner, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1
    ) -> UnalignedRates:
        """Align a tokenised bitext and count."""
        from dragoman import _core

        self.check()
        check_parallel({"sources": sources, "targets": targets})
        alignment = aligner.align(list(sources), list(targets), symmetrisation=self.join, n_threads=n_threads)
        pair = np.repeat(np.arange(len(sources)), np.diff(alignment.offsets))
        vocabularies, rates = {}, {}
        for column, (side, lines) in enumerate(zip(_SIDES, (sources, targets), strict=True)):
            words = Vocabulary(unk=" ")
            ids, offsets = words.core.encode(list(lines), _core.text.surface_tokeniser("none"))
            linked = np.bincount(offsets[pair] + alignment.links[:, column].astype(np.int64), minlength=len(ids)) > 0
            times = np.bincount(ids, minlength=len(words))
            free = np.bincount(ids, weights=~linked, minlength=len(words))
            vocabularies[side] = words.freeze()
            rates[side] = np.divide(free, times, out=np.zeros(len(times)), where=times > 0)
        return UnalignedRates(self, vocabularies, rates, data=lines_digest(sources, targets))


@dataclass(eq=False, repr=False)
class UnalignedRates(StoredArtifact):
    """The share of a word's occurrences without a link; 0 for words that the corpus has not."""

    kind: ClassVar[str] = "unaligned rates"
    format: ClassVar[int] = 2

    recipe: UnalignedRecipe
    vocabularies: dict[str, Vocabulary]
    rates: dict[str, Floats]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Words of either side."""
        return tuple(len(self.vocabularies[side]) - 1 for side in _SIDES)

    def _check(self) -> None:
        for side in _SIDES:
            check_array(f"rates.{side}.npy", self.rates[side], np.float64, len(self.vocabularies[side]))

    def of_words(self, side: str, words: Sequence[str]) -> Floats:
        """The rate of each word."""
        if not words:
            return np.zeros(0)
        rates: Floats = self.rates[side][self.vocabularies[side].ids(words)]
        return rates
