"""Elo's rating, as chess and arena leaderboards use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman._core import rank as core
from dragoman.options import option
from dragoman.ranking.base import Floats
from dragoman.ranking.online import OnlineMethod, Played

__all__ = ["Elo"]


@dataclass(frozen=True)
class Elo(OnlineMethod):
    """Elo's rating: after each judgement, r moves by k times the surprise; a tie counts half (Elo 1978).

    The rating forgets: late judgements weigh most, the more so the larger k. The score is the mean over `orders` random
    orders, which takes that accident out; orders=0 takes the judgements once, as they were made.
    """

    name: ClassVar[str] = "elo"
    label: ClassVar[str] = "Elo"
    decision_unit: ClassVar[float] = 400.0

    orders: int = option(100, low=0, text="random orders to average over; 0: the order in which they were made")
    k: float = option(4.0, low=1e-6, text="the largest step of one judgement")
    scale: float = option(400.0, low=1e-6, text="a lead this large means ten wins to one loss")
    start: float = option(1000.0, text="rating before any judgement")

    def play(self, played: Played, *, sequence: str, n: int, key: int, n_threads: int) -> Floats:
        """Ratings after each run."""
        options = core.EloOptions(start=self.start, k=self.k, scale=self.scale)
        return core.elo_runs(*played.arrays(), sequence, n, key, options=options, n_threads=n_threads)
