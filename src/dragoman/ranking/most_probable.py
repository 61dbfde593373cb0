"""The Most Probable Ranking: the order with the largest product of pairwise winning chances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.ranking.linear_order import Costs, Optimum
from dragoman.ranking.lopez import OrderMethod
from dragoman.stats.pairwise import pair_shares

__all__ = ["MostProbable", "log_probability"]

_SCALE = 2.0**32  # costs are −log p in whole multiples of 2^−32, so that equal sums are equal
_IMPOSSIBLE = 2**48  # what never happened; more than all finite costs together


def log_probability(wins: NDArray[Any], order: tuple[int, ...] | list[int]) -> float:
    """The natural logarithm of p(order) = Π p(i beats j) over all i above j; −∞ when one of them never happened."""
    shares = _shares(wins)[np.ix_(order, order)]
    above = shares[np.triu_indices(len(order), k=1)]
    return -math.inf if (above == 0).any() else float(np.log(above).sum())


def _shares(wins: NDArray[Any]) -> NDArray[np.float64]:
    # A pair that was never decided says nothing: both ways are as likely.
    return np.nan_to_num(pair_shares(wins), nan=0.5)


@dataclass(frozen=True)
class MostProbable(OrderMethod):
    """The order of largest probability Π p(i beats j), i above j (Findings 2012, Eq. 8–9), found exactly.

    p(i beats j) is the share of decided comparisons that i won, not smoothed: an order that puts a system above one it
    never beat has probability 0. A system's score is the share of the other systems below it.
    """

    name: ClassVar[str] = "most-probable"
    label: ClassVar[str] = "Most Probable Ranking"
    counts_ties: ClassVar[bool] = False

    def costs(self, wins: NDArray[Any]) -> Costs:
        """−log p(column beats row), in whole numbers."""
        shares = _shares(wins).T
        safe = np.where(shares > 0, shares, 1.0)
        costs = np.where(shares > 0, np.rint(-np.log(safe) * _SCALE), _IMPOSSIBLE)
        np.fill_diagonal(costs, 0)
        return costs.astype(np.int64)

    def details(self, optimum: Optimum, wins: NDArray[Any]) -> dict[str, Any]:
        """The logarithm of the probability; nothing when it is 0."""
        log_p = log_probability(wins, optimum.order)
        return {"log_probability": log_p if math.isfinite(log_p) else None}

    def sentence(self, optimum: Optimum, wins: NDArray[Any]) -> str:
        """How likely the order is."""
        log_p = log_probability(wins, optimum.order)
        if not math.isfinite(log_p):
            return "The probability of every order is 0: each puts a system above one it never beat."
        return f"The probability of the order is e^{log_p:.2f}.".replace("^-", "^−")
