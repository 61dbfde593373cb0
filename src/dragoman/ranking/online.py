"""Methods that see one judgement after the other: the order in which they come is part of the answer."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons
from dragoman.ranking.base import ComparisonMethod, Floats, Progress, Scores
from dragoman.ranking.resampling import Unit, grouped, unit_keys
from dragoman.rng import Stream

__all__ = ["OnlineMethod", "Played"]


@dataclass(frozen=True)
class Played:
    """Judgements in runs that are drawn together, as the kernels take them."""

    comparisons: Comparisons
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, comparisons: Comparisons, unit: Unit) -> Played:
        """The judgements with those of one unit together."""
        order, starts = grouped(unit_keys(comparisons, unit), len(comparisons))
        return cls(comparisons.take(order), starts)

    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8], int, NDArray[np.int64]]:
        """First, second, outcome, number of systems, starts."""
        some = self.comparisons
        contiguous = np.ascontiguousarray
        return contiguous(some.first), contiguous(some.second), contiguous(some.outcome), len(some.systems), self.starts


@dataclass(frozen=True)
class OnlineMethod(ComparisonMethod):
    """The frame of online methods: the scores are means over random orders, `orders` of them."""

    @property
    @abstractmethod
    def orders(self) -> int:
        """Random orders to average over; 0 for the order in which the judgements were made."""

    @abstractmethod
    def play(self, played: Played, *, sequence: str, n: int, key: int, n_threads: int) -> Floats:
        """Scores after each of `n` runs: (n, systems)."""

    def scores(self, judgements: Comparisons, *, seed: int = 1, n_threads: int = 1) -> Scores:
        """Mean scores over the orders."""
        played = Played.of(judgements, "judgement")
        sequence, n = ("shuffled", self.orders) if self.orders else ("given", 1)
        key = Stream(seed, f"{self.name} orders").key
        return Scores(self.play(played, sequence=sequence, n=n, key=key, n_threads=n_threads).mean(axis=0))

    def replicates(
        self,
        judgements: Comparisons,
        *,
        n: int,
        unit: Unit,
        seed: int = 1,
        n_threads: int = 1,
        progress: Progress | None = None,
    ) -> Floats:
        """Scores of bootstrap samples, each in the order in which its units were drawn."""
        played = Played.of(judgements, unit)
        key = Stream(seed, f"{self.name} bootstrap").key
        ratings = self.play(played, sequence="resampled", n=n, key=key, n_threads=n_threads)
        if progress is not None:
            progress(n, n)
        return ratings
