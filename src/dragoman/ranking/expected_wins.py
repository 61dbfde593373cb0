"""Expected Wins: the chance of beating a random opponent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from dragoman.data.comparisons import Comparisons
from dragoman.ranking.base import CountMethod, Floats, Scores
from dragoman.report import Sentence, joined
from dragoman.stats import pairwise

__all__ = ["ExpectedWins"]


@dataclass(frozen=True)
class ExpectedWins(CountMethod):
    """The mean over opponents of the share of decided comparisons won (Findings 2012, Eq. 10): official in WMT 2013.

    Every opponent weighs the same, so it does not matter whom a system happened to meet more often. Opponents never
    met are left out of a system's mean and named in a note.
    """

    name: ClassVar[str] = "expected-wins"
    label: ClassVar[str] = "Expected Wins"
    counts_ties: ClassVar[bool] = False

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """The mean of wins / (wins + losses) over opponents."""
        return pairwise.expected_wins(wins)

    def scores(self, judgements: Comparisons, *, seed: int = 1, n_threads: int = 1) -> Scores:
        """The scores, with a note on pairs that were never decided."""
        scores = super().scores(judgements, seed=seed, n_threads=n_threads)
        unmet = pairwise.unmet_pairs(judgements.wins())
        if not unmet:
            return scores
        names = [f"{judgements.systems[i]} and {judgements.systems[j]}" for i, j in unmet]
        shown: list[str] = names[:3]
        if len(names) > 3:
            shown.append(Sentence("and {n} further pairs", n=len(names) - 3))
        pairs = joined(shown, "{first}; {rest}")
        note = Sentence("Never decided, hence left out of the means: {pairs}.", pairs=pairs)
        return replace(scores, notes=(*scores.notes, note), details={"unmet_pairs": len(unmet)})
