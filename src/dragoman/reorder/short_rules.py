"""Rules for sequences of parts of speech (Rottmann & Vogel 2007): these tags, if they stand together, in that order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from dragoman.data.alignments import Link
from dragoman.options import option
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.base import Move, OrderMethod, OrderRules
from dragoman.reorder.orders import Order, target_spans

__all__ = ["ShortRules", "TagOrders", "reordered_windows"]

Tags = tuple[str, ...]


@dataclass(frozen=True)
class ShortRules(OrderMethod):
    """Sequences of tags → another order of them, with the share of their occurrences that the alignment has so."""

    name: ClassVar[str] = "short"

    longest: int = option(7, low=2, high=15, text="tags of a rule")
    least: int = option(2, low=1, text="how often a rule must be seen")
    least_p: float = option(0.2, low=0, high=1, text="the least probability of a rule that is used (θ_short)")

    def learn(self, sentences: Sequence[Annotated], links: Sequence[Sequence[Link]]) -> TagOrders:
        """Count reordered sequences, then how often their tags stand together."""
        seen: Counter[tuple[Tags, Order]] = Counter()
        for sentence, own in zip(sentences, links, strict=True):
            for begin, order in reordered_windows(own, len(sentence), self.longest):
                seen[sentence.tags[begin : begin + len(order)], order] += 1
        frequent = {rule: count for rule, count in seen.items() if count >= self.least}
        wanted = {tags for tags, _ in frequent}
        lengths = sorted({len(tags) for tags in wanted})
        met: Counter[Tags] = Counter()
        for sentence in sentences:
            tags = sentence.tags
            for length in lengths:
                met.update(part for i in range(len(tags) - length + 1) if (part := tags[i : i + length]) in wanted)
        rules = {rule: (count, count / met[rule[0]]) for rule, count in frequent.items()}
        return TagOrders({rule: each for rule, each in rules.items() if each[1] >= self.least_p})

    def of_rows(self, rows: Iterable[Sequence[Any]]) -> TagOrders:
        """Rules from rows: tags, order, count, probability."""
        return TagOrders(
            {(tuple(map(str, tags)), tuple(map(int, order))): (int(n), float(p)) for tags, order, n, p in rows}
        )


def reordered_windows(links: Sequence[Link], n_words: int, longest: int) -> Iterator[tuple[int, Order]]:
    """Sequences of linked words that the target has in another order, none of whose ends stays where it is."""
    spans = target_spans(links, n_words)
    for begin in range(n_words):
        for end in range(begin + 1, min(n_words, begin + longest) + 1):
            if spans[end - 1] is None:
                break
            order = _order(spans[begin:end])
            if order is not None and _is_whole(order):
                yield begin, order


def _order(spans: Sequence[tuple[int, int, float] | None]) -> Order | None:
    """The order of words by their targets; None if those of two overlap."""
    known = [span for span in spans if span is not None]
    order = tuple(sorted(range(len(known)), key=lambda place: known[place][0]))
    clear = all(known[a][1] < known[b][0] for a, b in pairwise(order))
    return order if clear else None


def _is_whole(order: Order) -> bool:
    """True if no first part of it stays in front."""
    highest = -1
    for count, place in enumerate(order[:-1], start=1):
        highest = max(highest, place)
        if highest == count - 1:
            return False
    return len(order) > 1


class TagOrders(OrderRules):
    """Rules with their counts and probabilities."""

    def __init__(self, rules: dict[tuple[Tags, Order], tuple[int, float]]) -> None:
        self.rules = rules
        self._by_tags: dict[Tags, list[tuple[Order, float]]] = {}
        for (tags, order), (_, p) in sorted(rules.items()):
            self._by_tags.setdefault(tags, []).append((order, p))
        self._lengths = sorted({len(tags) for tags in self._by_tags})

    def __len__(self) -> int:
        return len(self.rules)

    def rows(self) -> Iterable[Sequence[Any]]:
        """Tags, order, count, probability."""
        return [(tags, order, n, round(p, 6)) for (tags, order), (n, p) in sorted(self.rules.items())]

    def shown(self, most: int) -> list[tuple[str, int, float]]:
        """The most frequent ones: `ADJ NOUN → NOUN ADJ`."""
        ranked = sorted(self.rules.items(), key=lambda rule: (-rule[1][0], rule[0]))[:most]
        return [(f"{' '.join(tags)} → {' '.join(tags[i] for i in order)}", n, p) for (tags, order), (n, p) in ranked]

    def moves(self, sentence: Annotated) -> list[Move]:
        """Every rule wherever its tags stand."""
        tags, get = sentence.tags, self._by_tags.get
        return [
            Move(begin, order, p)
            for length in self._lengths
            for begin in range(len(tags) - length + 1)
            for order, p in get(tags[begin : begin + length], ())
        ]
