"""Orders of heads and their dependents, learnt from trees beside word alignments.

A family is a head with its dependents, each with all that hangs on it. Aligned trees say which of two members comes
first in the target; a logistic model of pairs takes that down, and a new sentence is put into the order that its
families' pairs like best (after Lerner & Petrov 2013 and Jehl et al. 2014; W12-GERM's factorised orders, KIT12's rules
over constituents with their children inseparable).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from scipy import optimize, sparse

from dragoman.data.alignments import Link
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.base import Move, OrderMethod, OrderRules
from dragoman.reorder.orders import Order, target_spans
from dragoman.reorder.precedence import PairScorer, best_arrangement, pair_features, ranked_arrangements
from dragoman.reorder.trees import children_of, families, linearised, subtree_places

__all__ = ["FamilyOrders", "TreeOrder"]


@dataclass(frozen=True)
class TreeOrder(OrderMethod):
    """Heads and dependents in the order that pairs of them have in the target."""

    name: ClassVar[str] = "tree"
    needs_trees: ClassVar[bool] = True

    least: int = option(3, low=1, text="how often something must be seen in pairs to be looked at")
    penalty: float = option(1.0, low=0, text="on squared weights; more is smoother")
    most: int = option(3, low=1, high=20, text="orders of a family in a lattice")
    least_p: float = option(0.1, low=0, high=1, text="a family's order in a lattice is at least so probable")

    def learn(self, sentences: Sequence[Annotated], links: Sequence[Sequence[Link]]) -> FamilyOrders:
        """Weights of the pairs whose targets do not overlap."""
        examples: list[list[str]] = []
        swapped: list[bool] = []
        for sentence, own in zip(sentences, links, strict=True):
            for features, is_swapped in _examples(sentence, own):
                examples.append(features)
                swapped.append(is_swapped)
        if not examples:
            raise DataError("No two words of a family are linked to different words: there is no order to learn.")
        counts = Counter(name for features in examples for name in features)
        names = sorted(name for name, count in counts.items() if count >= self.least)
        weights = _fitted(examples, np.array(swapped), names, self.penalty)
        kept = {name: float(weight) for name, weight in zip(names, weights, strict=True) if abs(weight) > _SMALL}
        return FamilyOrders(self, kept, {name: counts[name] for name in kept})

    def of_rows(self, rows: Iterable[Sequence[Any]]) -> FamilyOrders:
        """Weights and counts by feature."""
        triples = [(str(name), float(weight), int(count)) for name, weight, count in rows]
        return FamilyOrders(self, {n: w for n, w, _ in triples}, {n: c for n, _, c in triples})


_SMALL = 0.1  # weights nearer to 0 are left out: they say little, and fewer links cross without them


def _examples(sentence: Annotated, links: Sequence[Link]) -> Iterable[tuple[list[str], bool]]:
    """The features of each pair whose order in the target is clear, and whether that is another."""
    if len(sentence) < 2:
        return
    spans = target_spans(links, len(sentence))
    below = subtree_places(sentence)
    sizes = [len(each) for each in below]
    for head, family in families(sentence):
        reach: list[tuple[int, int] | None] = []
        for place in family:
            own = [span for each in ([head] if place == head else below[place]) if (span := spans[each])]
            reach.append((min(s[0] for s in own), max(s[1] for s in own)) if own else None)
        pairs = combinations(reach, 2)
        for features, (a, b) in zip(pair_features(sentence, head, family, sizes), pairs, strict=True):
            if a and b and (a[1] < b[0] or b[1] < a[0]):
                yield features, b[1] < a[0]


def _fitted(
    examples: Sequence[Sequence[str]], swapped: np.ndarray[Any, Any], names: Sequence[str], penalty: float
) -> np.ndarray[Any, Any]:
    """Weights by logistic regression with squared weights penalised, found by L-BFGS."""
    numbers = {name: number for number, name in enumerate(names)}
    columns, ends = [], [0]
    for features in examples:
        columns += [numbers[name] for name in features if name in numbers]
        ends.append(len(columns))
    matrix = sparse.csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(examples), len(names)))
    signs = np.where(swapped, 1.0, -1.0)

    def loss(weights: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        margins = signs * (matrix @ weights)
        wrong = 1.0 / (1.0 + np.exp(np.clip(margins, -500, 500)))
        value = np.logaddexp(0.0, -margins).sum() + penalty / 2 * weights @ weights
        return float(value), penalty * weights - matrix.T @ (signs * wrong)

    solved = optimize.minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 100})
    weights: np.ndarray[Any, Any] = solved.x
    return weights


class FamilyOrders(OrderRules):
    """Weights of what is seen in pairs of a family: positive ones want the second word first."""

    needs_trees: ClassVar[bool] = True

    def __init__(self, method: TreeOrder, weights: dict[str, float], counts: dict[str, int]) -> None:
        self.method = method
        self.weights = weights
        self.counts = counts
        self._pairs = PairScorer(weights)

    def __len__(self) -> int:
        return len(self.weights)

    def rows(self) -> Iterable[Sequence[Any]]:
        """Feature, weight, count."""
        return [(name, round(weight, 6), self.counts[name]) for name, weight in sorted(self.weights.items())]

    def shown(self, most: int) -> list[tuple[str, int, float]]:
        """The pairs of roles that were met most, with the probability that they are swapped by these alone."""
        pairs = [name for name in self.weights if name.count(" ") == 1]
        bias = self.weights.get("", 0.0)
        return [
            (f"{name} → {' '.join(reversed(name.split()))}", self.counts[name], _p(bias + self.weights[name]))
            for name in sorted(pairs, key=lambda name: (-self.counts[name], name))[:most]
        ]

    def best(self, sentence: Annotated) -> Order:
        """The order in which every family has its best one."""
        sizes = [len(each) for each in subtree_places(sentence)]

        def choose(head: int, family: tuple[int, ...]) -> list[int]:
            scores = self._pairs.scores(sentence, head, family, sizes)
            return [family[place] for place in best_arrangement(len(family), scores)]

        return linearised(sentence, choose)

    def moves(self, sentence: Annotated) -> list[Move]:
        """For each subtree without gaps its probable orders, whatever hangs on a member in its own best order."""
        return self.offers(sentence)[0]

    def offers(self, sentence: Annotated) -> tuple[list[Move], Order]:
        """The moves, and the best order, for which each family is looked at once."""
        below = subtree_places(sentence)
        sizes = [len(each) for each in below]
        _, children = children_of(sentence)
        arrangements: dict[int, list[tuple[tuple[int, ...], float]]] = {}
        best: dict[int, list[int]] = {}
        for head, family in families(sentence):
            scores = self._pairs.scores(sentence, head, family, sizes)
            first = best_arrangement(len(family), scores)
            best[head] = [family[i] for i in first]
            ranked = ranked_arrangements(len(family), scores, self.method.most, first)
            arrangements[head] = [(tuple(family[i] for i in order), p) for order, p in ranked]
        order = linearised(sentence, lambda head, family: best[head])  # noqa: ARG005 - families are known by their heads
        return self._moves(below, children, arrangements), order

    def _moves(
        self,
        below: Sequence[Sequence[int]],
        children: Sequence[Sequence[int]],
        arrangements: dict[int, list[tuple[tuple[int, ...], float]]],
    ) -> list[Move]:
        moves: dict[tuple[int, Order], float] = {}
        for head, options in arrangements.items():
            places = sorted(below[head])
            begin = places[0]
            if places[-1] - begin + 1 != len(places):
                continue
            stays = tuple(range(len(places)))
            for members, p in options:
                if p < self.method.least_p:
                    continue
                for nested in (True, False):
                    order = _spelt(head, members, children, arrangements, nested=nested)
                    own = tuple([place - begin for place in order])
                    if own != stays:
                        moves[begin, own] = max(p, moves.get((begin, own), 0.0))
        return [Move(begin, order, p) for (begin, order), p in moves.items()]


def _spelt(
    head: int,
    members: Sequence[int],
    children: Sequence[Sequence[int]],
    arrangements: dict[int, list[tuple[tuple[int, ...], float]]],
    *,
    nested: bool,
) -> list[int]:
    """The words of a subtree whose family has an order; inside of members the best ones, or as they stand."""
    order: list[int] = []
    waiting = [(each, each == head) for each in reversed(members)]
    while waiting:
        place, is_word = waiting.pop()
        if is_word or not children[place]:
            order.append(place)
            continue
        inside = arrangements[place][0][0] if nested else tuple(sorted((*children[place], place)))
        waiting += [(each, each == place) for each in reversed(inside)]
    return order


def _p(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-500.0, min(500.0, log_odds))))
