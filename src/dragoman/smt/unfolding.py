"""Tuples: a sentence pair, its source put into the order of the target, as a unique sequence of smallest units.

(Mariño et al., CL 2006; LIMSI at WMT 2012.) Words that links connect are one unit; units follow the target. A source
word without a link is a unit that says nothing, behind that of the source word before it; a target word without one
joins the unit before it, or the one behind it if their words fit better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

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
    units = _units(len(source), len(target), links)
    if not units:
        return [Tuple(tuple(source), tuple(target), tuple(range(len(source))))] if source or target else []
    _attach(units, source, target, fit)
    linked = [(sorted(places), sorted(words)) for places, words in units]
    ordered = _with_silent(linked, len(source))
    return [Tuple(tuple(source[i] for i in s), tuple(target[j] for j in t), tuple(s)) for s, t in ordered]


def _units(n_source: int, n_target: int, links: Iterable[tuple[int, int]]) -> list[tuple[set[int], set[int]]]:
    """Connected words, and with them whatever stands between them in the target; in target order."""
    units: list[tuple[set[int], set[int]]] = []
    for s, t in links:
        if not (0 <= s < n_source and 0 <= t < n_target):
            raise IndexError(f"the link {s}-{t} leaves a pair of {n_source} and {n_target} words")
        touched = [unit for unit in units if s in unit[0] or t in unit[1]]
        units = [unit for unit in units if unit not in touched]
        units.append(({s}.union(*(unit[0] for unit in touched)), {t}.union(*(unit[1] for unit in touched))))
    merged: list[tuple[set[int], set[int]]] = []
    for places, words in sorted(units, key=lambda unit: min(unit[1])):
        if merged and min(words) < max(merged[-1][1]):
            merged[-1][0].update(places)
            merged[-1][1].update(words)
        else:
            merged.append((places, words))
    return merged


def _attach(
    units: list[tuple[set[int], set[int]]], source: Sequence[str], target: Sequence[str], fit: Fit | None
) -> None:
    """Give target words without a link to the unit before or behind them."""
    linked = set().union(*(words for _, words in units))
    for t in range(len(target)):
        if t in linked:
            continue
        before = [unit for unit in units if min(unit[1]) < t]
        behind = [unit for unit in units if min(unit[1]) > t]
        choices = [*before[-1:], *behind[:1]]

        def gain(unit: tuple[set[int], set[int]], word: str = target[t]) -> float:
            return 0.0 if fit is None else fit(word, tuple(source[i] for i in sorted(unit[0])))

        max(choices, key=gain)[1].add(t)


def _with_silent(units: list[tuple[list[int], list[int]]], n_source: int) -> list[tuple[list[int], list[int]]]:
    """The units, with those of source words without a link behind the word before them."""
    linked = {i for places, _ in units for i in places}
    ordered: list[tuple[list[int], list[int]]] = []
    for places, words in units:
        ordered.append((places, words))
    for i in range(n_source):
        if i in linked:
            continue
        at = next((k for k, (places, _) in enumerate(ordered) if i - 1 in places), -1)
        ordered.insert(at + 1, ([i], []))
    return ordered


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
