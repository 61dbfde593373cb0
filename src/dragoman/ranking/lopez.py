"""Lopez' ranking: the order that contradicts the fewest judgements, a minimum feedback arc set."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons
from dragoman.ranking.base import CountMethod, Floats, Scores
from dragoman.ranking.linear_order import Costs, Optimum, solve_order
from dragoman.stats.pairwise import expected_wins

__all__ = ["Lopez", "OrderMethod", "preference", "violations"]


def violations(wins: NDArray[Any]) -> Costs:
    """`[u, v]`: the judgements contradicted when u stands below v, max(0, win(u, v) − win(v, u))."""
    counts = np.asarray(wins).astype(np.int64)
    costs: Costs = np.maximum(0, counts - counts.T)
    return costs


def preference(wins: NDArray[Any]) -> NDArray[np.intp]:
    """What decides between equally good orders: Expected Wins, then the name (systems are sorted by name)."""
    return np.argsort(-np.nan_to_num(expected_wins(wins), nan=-1.0), kind="stable")


@dataclass(frozen=True)
class OrderMethod(CountMethod):
    """A method that looks for the best order of all systems. A system's score is the share of others below it."""

    @abstractmethod
    def costs(self, wins: NDArray[Any]) -> Costs:
        """What it costs to put the row's system below the column's."""

    def optimum(self, wins: NDArray[Any]) -> Optimum:
        """The best order, as indices into the systems."""
        preferred = preference(wins)
        solution = solve_order(self.costs(wins)[np.ix_(preferred, preferred)])
        order = tuple(int(preferred[item]) for item in solution.order)
        return Optimum(order, solution.cost, solution.n_orders, solution.certificate)

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """The share of other systems that the best order puts below each."""
        n = wins.shape[-1]
        shares = np.empty(wins.shape[:-1])
        for index in np.ndindex(wins.shape[:-2]):
            shares[index][list(self.optimum(wins[index]).order)] = _shares(n)
        return shares

    def scores(self, judgements: Comparisons, *, seed: int = 1, n_threads: int = 1) -> Scores:  # noqa: ARG002
        """The shares, with the cost of the order, how many orders are as good, and the proof."""
        wins = judgements.wins()
        optimum = self.optimum(wins)
        values = np.empty(len(optimum.order))
        values[list(optimum.order)] = _shares(len(values))
        notes = [f"{self.sentence(optimum, wins)} No order is better: {optimum.certificate}."]
        if optimum.n_orders is None or optimum.n_orders > 1:
            many = "Several" if optimum.n_orders is None else f"{optimum.n_orders:,}"
            unsure = "may be" if optimum.n_orders is None else "are"
            notes.append(
                f"{many} orders {unsure} equally good; of these, ties were broken by Expected Wins, then by name."
            )
        details = {
            **self.details(optimum, wins),
            "optimal_orders": optimum.n_orders,
            "certificate": optimum.certificate,
        }
        return Scores(values, tuple(notes), details)

    @abstractmethod
    def details(self, optimum: Optimum, wins: NDArray[Any]) -> dict[str, Any]:
        """What the method found out about its order."""

    @abstractmethod
    def sentence(self, optimum: Optimum, wins: NDArray[Any]) -> str:
        """The same as a sentence."""


def _shares(n: int) -> Floats:
    return np.linspace(1.0, 0.0, n) if n > 1 else np.ones(n)


@dataclass(frozen=True)
class Lopez(OrderMethod):
    """The order that contradicts the fewest judgements: an exact minimum feedback arc set (Lopez 2012).

    An edge leads from the system that won more comparisons of a pair to the other and weighs the difference; the order
    minimises the weight of edges that lead upwards. The result says how many orders are equally good and why none is
    better. A system's score is the share of the other systems below it.
    """

    name: ClassVar[str] = "lopez"
    label: ClassVar[str] = "Lopez (minimum feedback arc set)"
    counts_ties: ClassVar[bool] = False

    def costs(self, wins: NDArray[Any]) -> Costs:
        """The judgements contradicted."""
        return violations(wins)

    def details(self, optimum: Optimum, wins: NDArray[Any]) -> dict[str, Any]:
        """The contradicted judgements of the best order, and the pairs they belong to."""
        costs = violations(wins)[np.ix_(optimum.order, optimum.order)]
        return {"violated_judgements": optimum.cost, "violated_pairs": int(np.count_nonzero(np.tril(costs, k=-1)))}

    def sentence(self, optimum: Optimum, wins: NDArray[Any]) -> str:
        """How many judgements speak against the order."""
        pairs = self.details(optimum, wins)["violated_pairs"]
        return f"Judgements that the order violates: {optimum.cost:,}; pairs of systems: {pairs}."
