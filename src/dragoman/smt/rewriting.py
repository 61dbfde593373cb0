"""Rewrite rules: which orders of source words a target language asks for, learnt from unfolded pairs.

(LIMSI at WMT 2012.) A rule says that words with these tags may stand in that order; a sentence with all rules that fit
is a lattice, whose paths are the orders in which it may be translated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dragoman.smt.unfolding import Tuple

__all__ = ["OrderLattice", "RewriteRules", "learn_rules", "order_lattice", "rewritten_spans"]

Order = tuple[int, ...]  # places within a span, in their new order
RewriteRules = Mapping[tuple[str, ...], tuple[Order, ...]]  # tags → orders


def rewritten_spans(units: Sequence[Tuple]) -> Iterator[tuple[int, Order]]:
    """The smallest spans of the source that its units put into another order: where each begins, and the order."""
    sequence = [place for unit in units for place in unit.places]
    begin, highest = 0, -1
    for count, place in enumerate(sequence, start=1):
        highest = max(highest, place)
        if highest == count - 1:  # what was read so far are the first words
            order = tuple(each - begin for each in sequence[begin:count])
            if order != tuple(range(len(order))):
                yield begin, order
            begin = count


def learn_rules(
    pairs: Iterable[tuple[Sequence[str], Sequence[Tuple]]], *, longest: int = 7, least: int = 1, share: float = 0.01
) -> dict[tuple[str, ...], tuple[Order, ...]]:
    """Rules from the tags of sources and their units; `share` is the least of all times that these tags met."""
    orders: Counter[tuple[tuple[str, ...], Order]] = Counter()
    met: Counter[tuple[str, ...]] = Counter()
    tagged = [(tuple(tags), list(rewritten_spans(units))) for tags, units in pairs]
    for tags, spans in tagged:
        for begin, order in spans:
            if len(order) <= longest:
                orders[tags[begin : begin + len(order)], order] += 1
    lengths = {len(tags) for tags, _ in orders}
    wanted = {tags for tags, _ in orders}
    for tags, _ in tagged:
        for length in lengths:
            met.update(part for i in range(len(tags) - length + 1) if (part := tags[i : i + length]) in wanted)
    rules: dict[tuple[str, ...], tuple[Order, ...]] = {}
    for (part, order), n in sorted(orders.items(), key=lambda item: (-item[1], item[0])):
        if n >= least and n >= share * met[part]:
            rules[part] = (*rules.get(part, ()), order)
    return rules


@dataclass(frozen=True)
class OrderLattice:
    """Arcs from node to node, forward, each reading the source word at a place; node 0 begins, the last one ends."""

    arcs: tuple[tuple[tuple[int, int], ...], ...]  # by node: where to, and the place of the word read

    def paths(self) -> Iterator[tuple[int, ...]]:
        """All orders in which the source may be read."""
        waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        while waiting:
            node, places = waiting.pop()
            if node == len(self.arcs) - 1:
                yield places
            waiting += [(to, (*places, place)) for to, place in reversed(self.arcs[node])]


def order_lattice(tags: Sequence[str], rules: RewriteRules) -> OrderLattice:
    """A sentence in its own order, and in those that rules give it."""
    edges: list[tuple[float, float, int]] = [(i, i + 1, i) for i in range(len(tags))]
    fresh = 0
    for length in {len(part) for part in rules}:
        for begin in range(len(tags) - length + 1):
            for order in rules.get(tuple(tags[begin : begin + length]), ()):
                # Nodes of a rewritten span are its own; they stand behind its beginning and before its end.
                nodes = [float(begin)]
                for step in range(1, length):
                    fresh += 1
                    nodes.append(begin + step - 0.5 + fresh * 1e-6)
                nodes.append(float(begin + length))
                edges += [(nodes[k], nodes[k + 1], begin + order[k]) for k in range(length)]
    numbers = {node: number for number, node in enumerate(sorted({0.0, *(n for a, b, _ in edges for n in (a, b))}))}
    arcs: list[list[tuple[int, int]]] = [[] for _ in numbers]
    for a, b, place in edges:
        arcs[numbers[a]].append((numbers[b], place))
    return OrderLattice(tuple(map(tuple, arcs)))
