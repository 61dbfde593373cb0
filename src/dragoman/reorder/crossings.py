"""Crossing links: how far apart the orders of source and target are (Kendall's distance over links)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dragoman.data.alignments import Link

__all__ = ["Crossings", "count_crossings"]


@dataclass(frozen=True)
class Crossings:
    """Pairs of links of one sentence that join four different words, and how many of these pairs cross."""

    crossing: int = 0
    pairs: int = 0

    def __add__(self, other: Crossings) -> Crossings:
        return Crossings(self.crossing + other.crossing, self.pairs + other.pairs)

    @property
    def share(self) -> float | None:
        """Crossing pairs among all, 0 for one order on both sides, 1 for opposite ones; None without pairs."""
        return self.crossing / self.pairs if self.pairs else None


def count_crossings(links: Iterable[Link], order: Sequence[int] | None = None) -> Crossings:
    """The crossings of a sentence's links if its source words are read in an order, or as they stand.

    >>> count_crossings([(0, 0), (1, 2), (2, 1)])
    Crossings(crossing=1, pairs=3)
    >>> count_crossings([(0, 0), (1, 2), (2, 1)], (0, 2, 1))
    Crossings(crossing=0, pairs=3)
    """
    if order is not None:
        places = {word: place for place, word in enumerate(order)}
        links = [(places[source], target) for source, target in links]
    earlier: list[int] = []  # targets of words before, rising
    by_source: dict[int, list[int]] = {}
    for source, target in links:
        by_source.setdefault(source, []).append(target)
    crossing = pairs = 0
    for source in sorted(by_source):
        own = by_source[source]
        for target in own:
            below = bisect_left(earlier, target)
            above = len(earlier) - bisect_left(earlier, target + 1)
            crossing += above
            pairs += below + above
        for target in own:
            insort(earlier, target)
    return Crossings(crossing, pairs)
