"""IBM models 1 and 2: each target word comes from a source word by itself, whatever the others do."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman import _core
from dragoman.align.base import AlignmentRecipe
from dragoman.align.directions import DirectedLinks, Direction, Learnt, Round
from dragoman.options import filled, option

__all__ = ["Diagonal", "Ibm1", "IbmModel"]


@dataclass(frozen=True)
class IbmModel(AlignmentRecipe):
    """What the two share: EM over independent words, with a prior on places."""

    @abstractmethod
    def options(self, **more: Any) -> _core.align.DiagonalOptions:
        """The settings of the kernel."""

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
        options = self.options(n_threads=n_threads)
        table, tension, rounds = _core.align.train_diagonal(bitext, pairs, options)
        return Learnt(Direction(*table, values={"tension": tension}, rounds=tuple(Round(*each) for each in rounds)))

    def find(
        self,
        direction: Direction,
        bitext: _core.align.Bitext,
        *,
        key: int,  # noqa: ARG002 - the contract's
        posteriors: bool,
        n_threads: int,
    ) -> DirectedLinks:
        """The most probable source word of each target word."""
        options = self.options(tension=direction.values["tension"], n_threads=n_threads)
        return DirectedLinks(*_core.align.align_diagonal(direction.core(), bitext, options, posteriors=posteriors))


@dataclass(frozen=True)
class Ibm1(IbmModel):
    """IBM model 1 (Brown et al. 1993): words alone, all places alike. The start of better models, rarely an end."""

    name: ClassVar[str] = "ibm1"

    rounds: int = option(5, low=0, high=10_000, text="rounds of EM in each direction")
    empty: bool = option(True, choices=(False, True), text="a target word may come from no source word")
    alpha: float = option(0.0, low=0.0, high=100.0, text="variational Bayes: pseudo-count of word pairs; 0: none")

    def options(self, **more: Any) -> _core.align.DiagonalOptions:
        """The settings of the kernel."""
        places = {"p_null": -1.0 if self.empty else 0.0, "tension": 0.0, "learn_tension": False}
        return filled(_core.align.DiagonalOptions(), self, **places | more)


@dataclass(frozen=True)
class Diagonal(IbmModel):
    """IBM model 2 with one parameter for places, the tension of the diagonal (Dyer et al. 2013): fast_align's model.

    The quickest that gives usable links where word order is alike.
    """

    name: ClassVar[str] = "diagonal"

    rounds: int = option(5, low=0, high=10_000, text="rounds of EM in each direction")
    p_null: float = option(0.08, low=0.0, high=0.99, text="probability that a target word comes from no source word")
    tension: float = option(4.0, low=0.0, high=100.0, text="how much the diagonal is favoured, at the start")
    learn_tension: bool = option(True, choices=(False, True), text="let the data say how much the diagonal is favoured")
    alpha: float = option(0.01, low=0.0, high=100.0, text="variational Bayes: pseudo-count of word pairs; 0: none")

    def options(self, **more: Any) -> _core.align.DiagonalOptions:
        """The settings of the kernel."""
        return filled(_core.align.DiagonalOptions(), self, **more)
