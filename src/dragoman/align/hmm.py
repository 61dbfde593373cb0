"""The hidden Markov model of word alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman import _core
from dragoman.align.base import AlignmentRecipe
from dragoman.align.directions import DirectedLinks, Direction, Learnt, Round
from dragoman.options import filled, option

__all__ = ["Hmm"]


@dataclass(frozen=True)
class Hmm(AlignmentRecipe):
    """The hidden Markov model (Vogel et al. 1996): where a word's partner stands depends on where the last one stood.

    The empty word is Och and Ney's (2003). Training begins with IBM model 1. Links are those with the largest
    posterior, not those of the best path.
    """

    name: ClassVar[str] = "hmm"

    start_rounds: int = option(5, low=0, high=10_000, text="rounds of IBM model 1 before")
    rounds: int = option(5, low=0, high=10_000, text="rounds of EM in each direction")
    p_null: float = option(0.2, low=1e-6, high=0.99, text="probability that a target word comes from no source word")
    max_jump: int = option(20, low=1, high=4096, text="jumps wider than this share a probability")
    alpha: float = option(0.0, low=0.0, high=100.0, text="variational Bayes: pseudo-count of word pairs; 0: none")

    def _options(self, n_threads: int) -> _core.align.HmmOptions:
        return filled(_core.align.HmmOptions(), self, n_threads=n_threads)

    def learn(
        self,
        bitext: _core.align.Bitext,
        pairs: _core.align.Pairs,
        *,
        key: int,  # noqa: ARG002 - the contract's
        posteriors: bool,  # noqa: ARG002
        n_threads: int,
    ) -> Learnt:
        """Learn one direction by EM; nothing is left to chance."""
        table, jumps, rounds = _core.align.train_hmm(bitext, pairs, self._options(n_threads))
        return Learnt(Direction(*table, arrays={"jumps": jumps}, rounds=tuple(Round(*each) for each in rounds)))

    def find(
        self,
        direction: Direction,
        bitext: _core.align.Bitext,
        *,
        key: int,  # noqa: ARG002 - the contract's
        posteriors: bool,
        n_threads: int,
    ) -> DirectedLinks:
        """The source word with the largest posterior of each target word, by the forward–backward algorithm."""
        table, jumps = direction.core(), direction.arrays["jumps"]
        return DirectedLinks(
            *_core.align.align_hmm(table, jumps, bitext, self._options(n_threads), posteriors=posteriors)
        )
