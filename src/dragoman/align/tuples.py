"""Bilingual tuples: a pair cut into the smallest units that go from left to right once the source is reordered.

Crego & Mariño's unfolding, as LIMSI at WMT 2012 has it: words that links hold together are one unit, units follow the
target, and inside a unit source words keep their order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dragoman.errors import DataError

__all__ = ["TupleUnit", "unfold"]


class TupleUnit(NamedTuple):
    """A unit by the places of its words, from 0 on; source words need not be neighbours, and a side may be empty."""

    source: tuple[int, ...]
    target: tuple[int, ...]


def unfold(n_source: int, n_target: int, links: Iterable[tuple[int, int]]) -> list[TupleUnit]:
    """The units of a pair in the order of the target.

    A source word without a link is a unit of its own behind that of the source word before it. A target word without
    one goes with the unit before it, the first ones with the unit behind them: no unit lacks a source, unless there is
    no link at all; then all words are one unit.
    """
    spans: dict[int, tuple[int, int]] = {}  # of each source word, its first and last target word
    linked = set()
    for s, t in links:
        if not (0 <= s < n_source and 0 <= t < n_target):
            raise DataError(f"The link {s}-{t} is not of a pair of {n_source} and {n_target} words.")
        first, last = spans.get(s, (t, t))
        spans[s] = min(first, t), max(last, t)
        linked.add(t)
    if not spans:
        return [TupleUnit(tuple(range(n_source)), tuple(range(n_target)))] if n_source or n_target else []
    unit_of = _target_units(n_target, spans.values(), linked)
    sources: list[list[int]] = [[] for _ in range(unit_of[-1] + 1)]
    alone: dict[int, list[int]] = {}  # unit → the source words without a link behind it; −1: before all
    home = -1
    for word in range(n_source):
        if word in spans:
            home = unit_of[spans[word][0]]
            sources[home].append(word)
        else:
            alone.setdefault(home, []).append(word)
    targets: list[list[int]] = [[] for _ in sources]
    for word, unit in enumerate(unit_of):
        targets[unit].append(word)
    units = [TupleUnit((word,), ()) for word in alone.get(-1, [])]
    for unit, (source, target) in enumerate(zip(sources, targets, strict=True)):
        units.append(TupleUnit(tuple(source), tuple(target)))
        units += [TupleUnit((word,), ()) for word in alone.get(unit, [])]
    return units


def _target_units(n_target: int, spans: Iterable[tuple[int, int]], linked: set[int]) -> list[int]:
    """The number of each target word's unit: words that a source word's span covers belong together."""
    joined = [False] * n_target  # a word to the next one
    for first, last in spans:
        joined[first:last] = [True] * (last - first)
    covered = {word for word in range(n_target) if joined[word]} | linked
    covered |= {word + 1 for word in range(n_target - 1) if joined[word]}
    seen = False
    for word in range(n_target):
        if word in covered:
            seen = True
        elif seen:
            joined[word - 1] = True
        else:
            joined[word] = True
    units = [0] * n_target
    for word in range(1, n_target):
        units[word] = units[word - 1] + (not joined[word - 1])
    return units
