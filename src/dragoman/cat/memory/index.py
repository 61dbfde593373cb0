"""A translation memory in memory: what resembles a segment, and where words stand.

How alike two sources are, in per cent (`Match.score`):

- 101: the same text between the same neighbours;
- 100: the same text;
- 99: the same words, while case, punctuation, inline codes or spaces differ;
- else `100 · (1 - distance / length of the longer)`, by the Levenshtein distance of their tokens (`tokens`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from dragoman._core import memory as core
from dragoman.cat.memory.codes import as_in, in_order
from dragoman.cat.memory.tokens import tokens
from dragoman.errors import DataError

__all__ = ["THRESHOLD", "Hit", "Match", "MemoryIndex", "MemoryUnit", "Mode", "Query", "Side"]

THRESHOLD = 50.0  # per cent below which a match is no help
_MOST = 3  # matches shown; MateCat's number
Mode = Literal["phrase", "words", "exact"]
Side = Literal["source", "target"]
_MODES = {"phrase": core.Mode.PHRASE, "words": core.Mode.WORDS, "exact": core.Mode.EXACT}
_BATCH = 10_000  # units that cross to the core at once


@dataclass(frozen=True, slots=True)
class MemoryUnit:
    """A source and its translation. Neighbours are sources: empty at the end of a text, `None` if not known."""

    id: int
    source: str
    target: str
    previous: str | None = None
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A source to be translated, with its neighbours if they are known."""

    source: str
    previous: str | None = None
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A unit that resembles a query. Its codes are those of the query, in the order of both sources."""

    unit: int
    score: float  # per cent, 101 in the same context
    source: str
    target: str
    memory: str = ""  # its name, where several were asked

    @property
    def percent(self) -> int:
        """The score as it is shown, rounded down: only the same text is shown as 100."""
        return int(self.score + 1e-9)


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit in which something was looked for; `spans` are characters of the side that was searched."""

    unit: int
    source: str
    target: str
    spans: tuple[tuple[int, int], ...]
    memory: str = ""


class MemoryIndex:
    """Units that can be asked for by likeness and by words; threads may ask while another adds."""

    def __init__(self, units: Iterable[MemoryUnit] = ()) -> None:
        self._core = core.Index()
        self.add(units)

    def __len__(self) -> int:
        return len(self._core)

    @property
    def n_bytes(self) -> int:
        """The memory it takes, about."""
        return self._core.n_bytes

    def add(self, units: Iterable[MemoryUnit]) -> None:
        """Take in units, whose ids must rise; they are found from now on."""
        rest = iter(units)
        while batch := list(islice(rest, _BATCH)):
            self._core.add(
                np.array([unit.id for unit in batch], dtype=np.int64),
                [in_order(unit.source) for unit in batch],
                [in_order(unit.target, unit.source) for unit in batch],
                [_neighbour(unit.previous) for unit in batch],
                [_neighbour(unit.next) for unit in batch],
            )

    def remove(self, ids: Sequence[int]) -> int:
        """Take units out; how many were there."""
        return self._core.remove(np.array(ids, dtype=np.int64))

    def matches(self, query: Query | str, *, most: int = _MOST, threshold: float = THRESHOLD) -> list[Match]:
        """The units most like a source, best first, of equal ones the newest; of units with one target, the best."""
        return self.matches_of([query], most=most, threshold=threshold)[0]

    def matches_of(
        self, queries: Sequence[Query | str], *, most: int = _MOST, threshold: float = THRESHOLD, n_threads: int = 1
    ) -> list[list[Match]]:
        """The matches of each of many sources."""
        if most < 0 or not 0 <= threshold <= 101:
            raise DataError(f"Ask for 0 matches or more of 0 to 101 per cent, not for {most} of {threshold:g}.")
        asked = [Query(query) if isinstance(query, str) else query for query in queries]
        rows = self._core.matches(
            [in_order(query.source) for query in asked],
            [_neighbour(query.previous) for query in asked],
            [_neighbour(query.next) for query in asked],
            most,
            threshold / 100,
            n_threads,
        )
        return [
            [Match(unit, 100 * score, *(as_in(query.source, text) for text in texts)) for unit, score, *texts in found]
            for query, found in zip(asked, rows, strict=True)
        ]

    def units_with(self, phrase: str, *, side: Side = "source", most: int = 50) -> list[tuple[int, str, str]]:
        """Id, source and target of units that have a phrase, whole words alone; newest first."""
        hits = self._core.concordance(phrase, side == "target", core.Mode.EXACT, most)
        return [(unit, source, target) for unit, source, target, _ in hits]

    def concordance(
        self,
        text: str,
        *,
        side: Side = "source",
        mode: Mode = "phrase",
        most: int = 50,
    ) -> list[Hit]:
        """The units that have the text on one side, newest first, regardless of case, spaces and inline codes.

        As a phrase, its first word may be the end of a longer one and its last the beginning; as words, all must be
        there, whole, in any order; an exact phrase has whole words alone.
        """
        hits = self._core.concordance(text, side == "target", _MODES[mode], most)
        return [
            Hit(unit, source, target, _spans(target if side == "target" else source, places))
            for unit, source, target, places in hits
        ]


def _neighbour(text: str | None) -> str | None:
    return None if text is None else in_order(text)


def _spans(text: str, places: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Places of tokens as places of characters."""
    cut = tokens(text)
    return tuple((cut[begin].begin, cut[end - 1].end) for begin, end in places)
