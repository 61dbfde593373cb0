"""Bayesian word alignment by Gibbs sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman import _core
from dragoman.align.base import AlignmentRecipe
from dragoman.align.directions import DirectedLinks, Direction, Learnt
from dragoman.options import filled, option

__all__ = ["Sampler"]


@dataclass(frozen=True)
class Sampler(AlignmentRecipe):
    """Words, jumps and fertilities under sparse priors, links drawn by Gibbs sampling (Östling & Tiedemann 2016).

    The model of eflomal: sparse priors keep rare words from taking all that
    is left over. Samplers run independently and are averaged; draws depend on the seed, not on threads.
    """

    name: ClassVar[str] = "sampler"

    start_rounds: int = option(3, low=0, high=10_000, text="rounds of IBM model 1 by EM, whose links are the start")
    sweeps: int = option(
        0,
        low=0,
        high=10_000,
        text="sweeps with fertilities; 0: 24 to 96 by the corpus's size, a third as many before, half of them kept",
    )
    jump_sweeps: int = option(8, low=0, high=10_000, text="sweeps without fertilities before, if `sweeps` are given")
    kept: int = option(12, low=1, high=10_000, text="how many of the last sweeps are averaged, if `sweeps` are given")
    samplers: int = option(3, low=1, high=100, text="independent samplers in each direction")
    align_sweeps: int = option(12, low=3, high=10_000, text="sweeps of each sampler when sentences are aligned")
    p_null: float = option(0.2, low=1e-6, high=0.99, text="prior probability of no source word")
    alpha: float = option(0.0001, low=1e-9, high=100.0, text="pseudo-count of word pairs")
    jump_alpha: float = option(0.5, low=1e-6, high=1e6, text="pseudo-count of each width of a jump")
    fertility_alpha: float = option(1.0, low=1e-6, high=1e6, text="weight of all words' fertilities in one word's")
    max_jump: int = option(100, low=1, high=4096, text="jumps wider than this share a probability")

    def _options(self, key: int, n_threads: int) -> _core.align.SamplerOptions:
        n_kept = min(self.kept, self.sweeps or self.kept)
        return filled(_core.align.SamplerOptions(), self, n_kept=n_kept, key=key, n_threads=n_threads)

    def learn(
        self, bitext: _core.align.Bitext, pairs: _core.align.Pairs, *, key: int, posteriors: bool, n_threads: int
    ) -> Learnt:
        """Run the samplers and keep the averages."""
        table, jumps, fertilities, links = _core.align.train_sampler(
            bitext, pairs, self._options(key, n_threads), posteriors=posteriors
        )
        return Learnt(Direction(*table, arrays={"jumps": jumps, "fertilities": fertilities}), DirectedLinks(*links))

    def find(
        self, direction: Direction, bitext: _core.align.Bitext, *, key: int, posteriors: bool, n_threads: int
    ) -> DirectedLinks:
        """Sample again with what was learnt; the draws for a sentence pair depend on its words and the key alone."""
        table, jumps, fertilities = direction.core(), direction.arrays["jumps"], direction.arrays["fertilities"]
        options = self._options(key, n_threads)
        return DirectedLinks(
            *_core.align.align_sampler(table, jumps, fertilities, bitext, options, posteriors=posteriors)
        )
