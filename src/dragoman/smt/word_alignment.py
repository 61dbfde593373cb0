"""Word alignment for an engine: both directions made one, by one method or by several whose phrases are pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align import align_ids
from dragoman.align.base import ALIGNERS, AlignmentRecipe
from dragoman.artifact import Recipe, option
from dragoman.smt.extraction import AlignedText
from dragoman.text.tokens import TokenIds

__all__ = ["WordAlignment", "repeated"]

T = TypeVar("T", bound=np.generic)

SYMMETRISATIONS = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


@dataclass(frozen=True)
class WordAlignment(Recipe):
    """How to align the words of a bitext (Koehn et al., IWSLT 2005)."""

    method: str = option(
        "sampler:samplers=1", text="an aligner, perhaps with options; several, joined by +, pool their phrases"
    )
    symmetrisation: str = option(
        "grow-diag-final-and", choices=SYMMETRISATIONS, text="how both directions become one alignment"
    )
    seed: int = option(1, low=0, text="of methods that draw")

    def check(self) -> Self:
        """Return the recipe if it keeps its rules and all its methods are known."""
        super().check()
        self._aligners()
        return self

    def _aligners(self) -> list[AlignmentRecipe]:
        return [ALIGNERS.make(name.strip()).check() for name in self.method.split("+")]

    def align(self, source: TokenIds, target: TokenIds, *, n_threads: int = 1) -> AlignedText:
        """The bitext with the links of its words; with several methods once for each, one behind the other."""
        self.check()
        found = [
            align_ids(
                source, target, method=each, symmetrisation=self.symmetrisation, seed=self.seed, n_threads=n_threads
            )
            for each in self._aligners()
        ]
        links, offsets = _joined([each[0] for each in found], [each[1] for each in found])
        return AlignedText(repeated(source, len(found)), repeated(target, len(found)), links, offsets)


def repeated(text: TokenIds, copies: int) -> TokenIds:
    """The same lines again and again, one copy behind the other."""
    return text if copies == 1 else TokenIds(*_joined([text.ids] * copies, [text.offsets] * copies))


def _joined(values: Sequence[NDArray[T]], offsets: Sequence[NDArray[np.int64]]) -> tuple[NDArray[T], NDArray[np.int64]]:
    starts = np.cumsum([0, *map(len, values)])
    moved = [each[1:] + start for each, start in zip(offsets, starts[:-1], strict=True)]
    return np.concatenate(values), np.concatenate([np.zeros(1, np.int64), *moved])
