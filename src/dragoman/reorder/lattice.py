"""Orders as a lattice: every way from its first node to its last reads each source word once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dragoman.reorder.base import Move
from dragoman.reorder.orders import Order

__all__ = ["OrderArc", "OrderLattice"]

OrderArc = tuple[int, int, int, float]  # from, to, the place of the word that is read, natural logarithm of its score


@dataclass(frozen=True)
class OrderLattice:
    """Arcs between nodes 0, 1, …, n_nodes - 1, sorted, each leading forward and reading one word."""

    n_nodes: int
    arcs: tuple[OrderArc, ...]

    @classmethod
    def of_moves(cls, n_words: int, moves: Iterable[Move]) -> OrderLattice:
        """The words as they stand, and beside them a way of its own for each move, whose first arc has its score.

        Of moves that say the same the most probable one stays (Niehues & Kolss 2009). The words' own arcs have what
        the moves away from each place leave: at least a hundredth.
        """
        best: dict[tuple[int, Order], float] = {}
        for move in moves:
            key = move.begin, move.order
            best[key] = max(move.p, best.get(key, 0.0))
        # Nodes of a move are its own: behind the place where it begins, and before any later place of the sentence.
        away = [0.0] * n_words
        numbered: list[tuple[int, int, int]] = [(place, 0, 0) for place in range(n_words + 1)]
        arcs: list[tuple[tuple[int, int, int], tuple[int, int, int], int, float]] = []
        for count, ((begin, order), p) in enumerate(sorted(best.items()), start=1):
            away[begin] += p
            nodes = [(begin, count, step) for step in range(1, len(order))]
            numbered += nodes
            way = [(begin, 0, 0), *nodes, (begin + len(order), 0, 0)]
            for step, place in enumerate(order):
                score = math.log(max(p, _LEAST)) if step == 0 else 0.0
                arcs.append((way[step], way[step + 1], begin + place, score))
        for place in range(n_words):
            stays = math.log(max(_LEAST, 1.0 - away[place])) if away[place] else 0.0
            arcs.append(((place, 0, 0), (place + 1, 0, 0), place, stays))
        numbers = {node: number for number, node in enumerate(sorted(numbered))}
        rows = sorted((numbers[a], numbers[b], place, score) for a, b, place, score in arcs)
        return cls(len(numbers), tuple(rows))

    def paths(self) -> Iterator[Order]:
        """All orders in which the words may be read."""
        leaving = self._leaving()
        waiting: list[tuple[int, Order]] = [(0, ())]
        while waiting:
            node, places = waiting.pop()
            if node == self.n_nodes - 1:
                yield places
            waiting += [(to, (*places, place)) for _, to, place, _ in reversed(leaving[node])]

    def reads(self, order: Sequence[int]) -> bool:
        """True if some way reads the words in this order."""
        leaving = self._leaving()
        nodes = {0}
        for place in order:
            nodes = {to for node in nodes for _, to, word, _ in leaving[node] if word == place}
        return self.n_nodes - 1 in nodes

    def has_order(self, spans: Sequence[tuple[int, int, float] | None]) -> bool:
        """True if some way reads the words so that no links cross; `spans` has each word's targets (`target_spans`)."""
        leaving = self._leaving()
        highest: dict[int, int] = {0: -1}  # by node that can be reached: the last target of what is read by then
        for node in range(self.n_nodes):
            last = highest.get(node)
            if last is None:
                continue
            for _, to, place, _ in leaving[node]:
                span = spans[place]
                if span is None or span[0] >= last:
                    read = last if span is None else max(last, span[1])
                    highest[to] = min(read, highest.get(to, read))
        return self.n_nodes - 1 in highest

    def _leaving(self) -> list[list[OrderArc]]:
        leaving: list[list[OrderArc]] = [[] for _ in range(self.n_nodes)]
        for arc in self.arcs:
            leaving[arc[0]].append(arc)
        return leaving


_LEAST = 0.01  # probabilities below are taken as it
