"""Monte-Carlo Playoffs: the mean rank over many random tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman._core import rank as core
from dragoman.options import option
from dragoman.ranking.base import CountMethod, Floats
from dragoman.rng import Stream
from dragoman.stats.pairwise import pair_shares

__all__ = ["Playoffs"]


@dataclass(frozen=True)
class Playoffs(CountMethod):
    """The mean final rank in random knock-out tournaments whose games are drawn judgements (Findings 2012, §4.6).

    Systems are seeded at random; seed i meets seed k + 1 − i, with byes up to the next power of two; winners play for
    the upper places and losers for the lower ones until all are placed. A game between systems whose comparisons were
    never decided is settled by lot. Lower is better.
    """

    name: ClassVar[str] = "playoffs"
    label: ClassVar[str] = "Monte-Carlo Playoffs"
    counts_ties: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False

    runs: int = option(1_000_000, low=1, text="tournaments, as in the paper")
    replicate_runs: int = option(10_000, low=1, text="tournaments for each resample of the judgements")

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """Mean ranks."""
        chances = np.nan_to_num(pair_shares(wins), nan=0.5)
        n_runs = self.runs if wins.ndim == 2 else self.replicate_runs
        key = Stream(seed, "playoffs").key
        ranks = np.empty(wins.shape[:-1])
        for index in np.ndindex(wins.shape[:-2]):
            ranks[index] = core.playoff_ranks(np.ascontiguousarray(chances[index]), n_runs, key, n_threads=n_threads)
        return ranks
