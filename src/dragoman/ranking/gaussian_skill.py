"""Gaussian abilities: WMT 2014's replays with active matching, and the plain online rating.

The papers call both TrueSkill, which is a trademark; the old names of the methods are still taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman._core import rank as core
from dragoman.data.comparisons import Comparisons
from dragoman.options import option
from dragoman.ranking.base import ComparisonMethod, Floats, Interval, Progress, Scores
from dragoman.ranking.online import OnlineMethod, Played
from dragoman.ranking.resampling import Unit
from dragoman.rng import Stream

__all__ = ["GaussianSkill", "OnlineGaussianSkill"]

_PIECE = 20  # replays between two calls of `progress`


@dataclass(frozen=True)
class GaussianSkill(ComparisonMethod):
    """WMT's TrueSkill (Sakaguchi et al. 2014), official in WMT 2014–2016: the mean ability over many replays.

    A replay of N judgements plays N + 1 matches. In each, the system of largest variance meets an opponent drawn
    ∝ exp(−|μ − μ'|), and one of their judgements, drawn with replacement, decides. β grows with the number of matches
    (σ·matches/40), so that single judgements move abilities by little. The replays are also the resamples of rank
    ranges. Scores of different language pairs cannot be compared: their scale depends on the number of systems.
    """

    name: ClassVar[str] = "gaussian-skill"
    label: ClassVar[str] = "Gaussian skill"
    interval: ClassVar[Interval] = "equal"
    replays: ClassVar[bool] = True

    runs: int = option(1000, low=1, text="replays to average over when no rank ranges are asked for")
    sigma: float = option(0.5, low=1e-6, text="standard deviation of abilities before any judgement")
    draws: float = option(0.25, low=0.0, high=0.999, text="share of ties between systems of one ability")
    tau: float = option(0.0, low=0.0, text="drift of abilities between matches")
    beta: float = option(0.0, low=0.0, text="noise of a match; 0: sigma × matches / 40, as in WMT 2014")
    matches: int = option(0, low=0, text="matches of a replay; 0: one more than there are judgements")

    def scores(self, judgements: Comparisons, *, seed: int = 1, n_threads: int = 1) -> Scores:
        """Mean abilities over the replays."""
        values = self.replicates(judgements, n=self.runs, unit="judgement", seed=seed, n_threads=n_threads)
        return Scores(values.mean(axis=0))

    def replicates(
        self,
        judgements: Comparisons,
        *,
        n: int,
        unit: Unit,  # noqa: ARG002 - a replay draws judgements within pairs, whatever they belong to
        seed: int = 1,
        n_threads: int = 1,
        progress: Progress | None = None,
    ) -> Floats:
        """The abilities after each of `n` replays."""
        wins, ties = judgements.wins(), judgements.ties()
        matches = self.matches or len(judgements) + 1
        options = core.TrueSkillOptions(
            sd=self.sigma, beta=self.beta or self.sigma * matches / 40, tau=self.tau, p_draw=self.draws
        )
        key = Stream(seed, "trueskill replays").key
        parts = []
        for first in range(0, n, _PIECE):
            count = min(_PIECE, n - first)
            parts.append(
                core.active_replays(wins, ties, matches, count, key, options=options, first=first, n_threads=n_threads)
            )
            if progress is not None:
                progress(first + count, n)
        return np.concatenate(parts)


@dataclass(frozen=True)
class OnlineGaussianSkill(OnlineMethod):
    """Plain TrueSkill (Herbrich, Minka & Graepel 2006): abilities updated judgement by judgement.

    The last judgements weigh most where abilities drift (tau above 0); otherwise the order matters little. The score is
    the mean ability over `orders` random orders; orders=0 takes the judgements once, as they were made.
    """

    name: ClassVar[str] = "gaussian-skill-online"
    label: ClassVar[str] = "Gaussian skill, online"

    orders: int = option(100, low=0, text="random orders to average over; 0: the order in which they were made")
    sigma: float = option(0.5, low=1e-6, text="standard deviation of abilities before any judgement")
    beta: float = option(1.0, low=1e-6, text="noise of a comparison")
    draws: float = option(0.25, low=0.0, high=0.999, text="share of ties between systems of one ability")
    tau: float = option(0.0, low=0.0, text="drift of abilities between judgements")

    def play(self, played: Played, *, sequence: str, n: int, key: int, n_threads: int) -> Floats:
        """Mean abilities after each run."""
        options = core.TrueSkillOptions(sd=self.sigma, beta=self.beta, tau=self.tau, p_draw=self.draws)
        ratings = core.trueskill_runs(*played.arrays(), sequence, n, key, options=options, n_threads=n_threads)
        return np.ascontiguousarray(ratings[:, 0])
