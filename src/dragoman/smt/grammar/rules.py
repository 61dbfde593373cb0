"""One rule of a synchronous grammar, and how its symbols are spelt."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dragoman.errors import DataError

__all__ = ["Gap", "Labels", "Rule", "Side", "escaped", "unescaped"]

Labels = tuple[str, str]  # what something is called in the source and in the target

_ODD = re.compile(r"\[.*\]$|\|\|\|$|&#")
_ESCAPE = re.compile(r"&#(91|124|38);")


@dataclass(frozen=True)
class Gap:
    """A gap, by its number among those of the source side and its labels."""

    number: int
    labels: Labels


Side = tuple[str | Gap, ...]


@dataclass(frozen=True)
class Rule:
    """A rule of a table: both sides, what the whole is called, its scores and where it was counted.

    Links are places of words in the two sides, gaps included. The scores without names are probabilities, or other
    numbers whose logarithms an engine weighs; `named` ones are weighed as they stand.
    """

    source: Side
    target: Side
    labels: Labels
    scores: tuple[float, ...] = ()
    links: tuple[tuple[int, int], ...] = ()  # of words, sorted
    counts: tuple[float, ...] = ()  # of target side, source side, rule
    named: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        gaps = [[each for each in side if isinstance(each, Gap)] for side in (self.source, self.target)]
        if [each.number for each in gaps[0]] != list(range(len(gaps[0]))):
            raise DataError("The gaps of a source side are numbered from 0 in their order.")
        if sorted(gaps[1], key=lambda each: each.number) != gaps[0]:
            raise DataError("The gaps of the two sides are not the same.")

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """The places of the gaps in the two sides, in the order of the source."""
        target = {each.number: place for place, each in enumerate(self.target) if isinstance(each, Gap)}
        return [(place, target[each.number]) for place, each in enumerate(self.source) if isinstance(each, Gap)]

    @property
    def is_lexical(self) -> bool:
        """True if the rule has no gaps."""
        return not any(isinstance(each, Gap) for each in self.source)


def escaped(word: str) -> str:
    """A word as it stands in a table: what would be read as a symbol has its first character as a number.

    >>> escaped("[X]"), escaped("|||"), escaped("[")
    ('&#91;X]', '&#124;||', '[')
    """
    return f"&#{ord(word[0])};{word[1:]}" if _ODD.match(word) else word


def unescaped(token: str) -> str:
    """The word that a table's token stands for."""
    escape = _ESCAPE.match(token)
    return chr(int(escape[1])) + token[escape.end() :] if escape else token
