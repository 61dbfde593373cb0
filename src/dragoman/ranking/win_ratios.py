"""The win ratios that WMT's official tables used: 2007–2011 with ties, 2012 without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman.ranking.base import CountMethod, Floats
from dragoman.stats import pairwise

__all__ = ["Bojar", "WinRatio", "WinsAndTies"]


@dataclass(frozen=True)
class WinsAndTies(CountMethod):
    """Share of comparisons not lost: official in WMT 2007–2011 (Lopez 2012, Eq. 1). Ties count as wins.

    A human reference among the systems counts as an opponent, but is not ranked.
    """

    name: ClassVar[str] = "wins-and-ties"
    label: ClassVar[str] = "wins and ties"
    counts_reference: ClassVar[bool] = True

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """(wins + ties) / (wins + losses + ties)."""
        return pairwise.wins_and_ties(wins, ties)


@dataclass(frozen=True)
class WinRatio(CountMethod):
    """Share of comparisons won, ties only in the denominator (Lopez 2012, Eq. 2)."""

    name: ClassVar[str] = "win-ratio"
    label: ClassVar[str] = "win ratio"

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """Wins / (wins + losses + ties)."""
        return pairwise.win_ratio(wins, ties)


@dataclass(frozen=True)
class Bojar(CountMethod):
    """Share of decided comparisons won (Bojar et al. 2011; Lopez 2012, Eq. 3): official in WMT 2012.

    A system that happened to meet weak opponents more often gains by it; Expected Wins does not have this fault.
    """

    name: ClassVar[str] = "bojar"
    label: ClassVar[str] = "Bojar"
    counts_ties: ClassVar[bool] = False

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """Wins / (wins + losses)."""
        return pairwise.bojar(wins)
