"""Word alignment for an engine: the diagonal model in both directions, made one."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.align import align_ids
from dragoman.align.ibm import Diagonal
from dragoman.artifact import Recipe, option
from dragoman.smt.extraction import AlignedText
from dragoman.text.tokens import TokenIds

__all__ = ["WordAlignment"]

SYMMETRISATIONS = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


@dataclass(frozen=True)
class WordAlignment(Recipe):
    """How to align the words of a bitext (Dyer, Chahuneau & Smith, NAACL 2013; Koehn et al., IWSLT 2005)."""

    rounds: int = option(5, low=1, high=1000, text="rounds of EM in each direction")
    symmetrisation: str = option(
        "grow-diag-final-and", choices=SYMMETRISATIONS, text="how both directions become one alignment"
    )

    def align(self, source: TokenIds, target: TokenIds, *, n_threads: int = 1) -> AlignedText:
        """The bitext with the links of its words."""
        self.check()
        links, offsets = align_ids(
            source, target, method=Diagonal(rounds=self.rounds), symmetrisation=self.symmetrisation, n_threads=n_threads
        )
        return AlignedText(source, target, links, offsets)
