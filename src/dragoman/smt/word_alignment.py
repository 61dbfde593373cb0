"""Word alignment for an engine: both directions made one, by one method or by several whose phrases are pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dragoman.align import Aligner, align_ids
from dragoman.align.base import ALIGNERS, AlignmentRecipe
from dragoman.options import Recipe, option
from dragoman.smt.aligned_text import AlignedText
from dragoman.text.tokens import TokenIds, join_rows

__all__ = ["WordAlignment", "repeated"]

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

    def train(self, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> Aligner:
        """What links the words of new text, learnt from tokenised sentence pairs; of several methods the first."""
        self.check()
        return self._aligners()[0].train(srcs, tgts, seed=self.seed, n_threads=n_threads)

    def align(self, source: TokenIds, target: TokenIds, *, n_threads: int = 1) -> AlignedText:
        """The bitext with the links of its words; with several methods once for each, one behind the other."""
        self.check()
        alignments = [
            align_ids(
                source, target, method=each, symmetrisation=self.symmetrisation, seed=self.seed, n_threads=n_threads
            )
            for each in self._aligners()
        ]
        links, offsets = join_rows(alignments)
        return AlignedText(repeated(source, len(alignments)), repeated(target, len(alignments)), links, offsets)


def repeated(text: TokenIds, copies: int) -> TokenIds:
    """The same lines again and again, one copy behind the other."""
    return text if copies == 1 else TokenIds(*join_rows([(text.ids, text.offsets)] * copies))
