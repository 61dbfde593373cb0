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

__all__ = ["Tuple", "source_windows", "target_windows", "unfold"]

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


def target_windows(units: Sequence[Tuple], n: int) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Each target word with the n − 1 target words before it and the last n − 1 source words of its unit's past.

    The translation factor of the word-factored model: the source's past reaches to the end of the word's own unit
    (LIMSI at WMT 2012, equation 3). Swap the sides of units for the other direction (equation 4).
    """
    windows = []
    said: list[str] = []
    read: list[str] = []
    for unit in units:
        read += unit.source
        for word in unit.target:
            windows.append((word, _last(said, n - 1), _last(read, n - 1)))
            said.append(word)
    return windows


def source_windows(units: Sequence[Tuple], n: int) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Each source word, in the order of units, with the target words before its unit and the source words before it.

    The reordering factor of equation 3.
    """
    windows = []
    said: list[str] = []
    read: list[str] = []
    for unit in units:
        for word in unit.source:
            windows.append((word, _last(said, n - 1), _last(read, n - 1)))
            read.append(word)
        said += unit.target
    return windows


def _last(words: Sequence[str], n: int) -> tuple[str, ...]:
    """The last n words, filled up with sentence beginnings."""
    return ("<s>",) * max(0, n - len(words)) + tuple(words[-n:] if n else ())
