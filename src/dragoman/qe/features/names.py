"""Features of names: how many of each kind there are, and whether those of one side stand in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.alignment import links_of
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, once
from dragoman.qe.features.sides import ON, ON_TEXT, SIDES, between, needs_of
from dragoman.stats.arrays import Floats
from dragoman.syntax import Name, NameTagger

__all__ = ["KINDS", "Names", "NamesKept", "in_names", "kind_of"]

KINDS = ("person", "location", "organisation", "other")
# What annotated text calls them: CoNLL 2002 and 2003, OntoNotes, and others.
_CALLED = {
    "PER": "person",
    "PERS": "person",
    "PERSON": "person",
    "LOC": "location",
    "LOCATION": "location",
    "GPE": "location",
    "PLACE": "location",
    "ORG": "organisation",
    "ORGANIZATION": "organisation",
    "ORGANISATION": "organisation",
}
_JOIN = "grow-diag-final-and"


def kind_of(name: Name) -> str:
    """One of `KINDS`, whatever the tagger calls it."""
    return _CALLED.get(name.kind.upper(), "other")


@dataclass(frozen=True)
class Names(Feature):
    """Names of a kind or of all: their number, or whether there is any.

    A tagger learnt from annotated text finds them. `other` are all that are no persons, locations or organisations.
    """

    name: ClassVar[str] = "names"
    paper: ClassVar[str] = "Felice & Specia, WMT 2012, §3 (named entities); Buck, WMT 2012, §3.2"
    needs: ClassVar[tuple[str, ...]] = ("source_names",)

    kind: str = option("all", choices=("all", *KINDS), text="names of which kind")
    on: str = option("source", choices=ON, text=ON_TEXT)
    value: str = option("count", choices=("count", "any"), text="their number, or 1 where there is one")

    def needed(self) -> tuple[str, ...]:
        """The taggers of the sides."""
        return needs_of(self.on, "names")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        return between(self.on, lambda side: self._of(batch, side))

    def _of(self, batch: Batch, side: str) -> Floats:
        lines = _names(batch, side)
        counts = [sum(self.kind in ("all", kind_of(name)) for name in names) for names in lines]
        number = np.array(counts, dtype=np.float64)
        return number if self.value == "count" else np.minimum(number, 1.0)


@dataclass(frozen=True)
class NamesKept(Feature):
    """Share of the names of one side that stand in the other; 1 where there is none.

    By `copy` a name is found if all its words stand there, in any order and case; by `links` also if one of its words
    is aligned with a word of a name.
    """

    name: ClassVar[str] = "names-kept"
    paper: ClassVar[str] = "after Felice & Specia, WMT 2012, §3 (differences in named entities)"
    needs: ClassVar[tuple[str, ...]] = ("source_names",)

    on: str = option("source", choices=SIDES, text="whose names are looked for")
    by: str = option("copy", choices=("copy", "links"), text="as they are, or by way of links to names, too")

    def needed(self) -> tuple[str, ...]:
        """The tagger of the side; for links, both and an aligner."""
        return (f"{self.on}_names",) if self.by == "copy" else ("source_names", "target_names", "aligner")

    def values(self, batch: Batch) -> Floats:
        """The share of each sentence."""
        other = SIDES[1 - SIDES.index(self.on)]
        mine, theirs = batch.tokens(self.on).token_lines(), batch.tokens(other).token_lines()
        linked = list(self._linked(batch, other)) if self.by == "links" else [frozenset[int]()] * len(batch)
        parts = np.ones(len(batch))
        for number, names in enumerate(_names(batch, self.on)):
            if names:
                there = {word.casefold() for word in theirs[number]}
                stand = [_stands(name, mine[number], there) or _touches(name, linked[number]) for name in names]
                parts[number] = sum(stand) / len(names)
        return parts

    def _linked(self, batch: Batch, other: str) -> Iterator[frozenset[int]]:
        """The words of the side, by sentence, that are aligned with a word of a name in the other."""
        links, place = links_of(batch, _JOIN, self.compat), SIDES.index(self.on)
        inside = in_names(batch, other)
        bounds = batch.tokens(other).offsets.tolist()
        for number, (begin, end) in enumerate(pairwise(links.offsets.tolist())):
            own, across = links.links[begin:end, place], links.links[begin:end, 1 - place]
            yield frozenset(own[inside[bounds[number] + across.astype(np.int64)]].tolist())


def in_names(batch: Batch, side: str) -> NDArray[np.bool_]:
    """Which tokens of a side are words of a name."""
    tokens = batch.tokens(side)
    inside = np.zeros(len(tokens.ids), dtype=bool)
    for begin, names in zip(tokens.offsets[:-1].tolist(), _names(batch, side), strict=True):
        for name in names:
            inside[begin + name.start : begin + name.end] = True
    return inside


@once
def _names(batch: Batch, side: str) -> Sequence[tuple[Name, ...]]:
    """The names of each sentence of a side."""
    tagger = batch.resources.ask(f"{side}_names", NameTagger)
    return tagger.tag(batch.tokens(side).token_lines(), n_threads=batch.n_threads)


def _stands(name: Name, tokens: Sequence[str], there: set[str]) -> bool:
    return all(word.casefold() in there for word in tokens[name.start : name.end])


def _touches(name: Name, words: frozenset[int]) -> bool:
    return any(place in words for place in range(name.start, name.end))
