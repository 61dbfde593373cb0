"""Tuples: a sentence pair, its source put into the order of the target, as a unique sequence of smallest units.

(Mariño et al., CL 2006; LIMSI at WMT 2012.) Words that links connect are one unit; units follow the target. A source
word without a link is a unit that says nothing, behind that of the source word before it; a target word without one
joins the unit before it, or the one behind it if their words fit better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragoman.align import tuples

__all__ = ["Tuple", "unfold"]

Fit = Callable[[str, tuple[str, ...]], float]  # of a target word and the source words that it would join


@dataclass(frozen=True)
class Tuple:
    """A unit: source words in source order with their places, and the target words that they become."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    places: tuple[int, ...] = ()


def unfold(
    source: Sequence[str], target: Sequence[str], links: Iterable[tuple[int, int]], *, fit: Fit | None = None
) -> list[Tuple]:
    """The units of a pair in target order. Without links there is one unit, of all words."""
    pairs = list(links)
    units = [(list(unit.source), list(unit.target)) for unit in tuples.unfold(len(source), len(target), pairs)]
    if fit is not None and pairs:
        _refit(units, {t for _, t in pairs}, source, target, fit)
    return [Tuple(tuple(source[i] for i in s), tuple(target[j] for j in t), tuple(s)) for s, t in units]


def _refit(
    units: list[tuple[list[int], list[int]]], linked: set[int], source: Sequence[str], target: Sequence[str], fit: Fit
) -> None:
    """Give the last words of a unit that have no link to the unit behind it, from the first that fits better there."""
    speaking = [unit for unit in units if unit[1]]
    for (places, words), (next_places, next_words) in pairwise(speaking):
        free = [t for t in words if t > max(linked.intersection(words))]
        here, there = (tuple(source[i] for i in each) for each in (places, next_places))
        away = next((t for t in free if fit(target[t], there) > fit(target[t], here)), None)
        if away is not None:
            next_words[:0] = words[words.index(away) :]
            del words[words.index(away) :]
