"""What a translator works on: units of a file, cut into segments, whose inline codes stand in the text as characters.

Inline codes (tags, placeholders of a file's format) are one character each in a segment's text: the k-th code, from 0,
is the character `U+E000 + k` of the private use area. So text with codes is compared, cut, edited and sent as plain
text, and nothing but the code's own character must survive. A private character of the file itself becomes a code, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dragoman.errors import DataError

__all__ = [
    "MOST_CHARACTERS",
    "MOST_CODES",
    "Alternative",
    "Code",
    "Segment",
    "State",
    "Target",
    "Unit",
    "code_char",
    "code_place",
    "plain",
]

State = Literal["new", "draft", "translated", "approved", "rejected"]

_FIRST = 0xE000
MOST_CHARACTERS = 100_000  # of a source or target
MOST_CODES = 0xF8FF - _FIRST + 1  # in one unit
_CODES = re.compile("[\ue000-\uf8ff]")


def code_char(place: int) -> str:
    """The character that stands for a unit's code of this place, from 0."""
    if not 0 <= place < MOST_CODES:
        raise DataError(f"A segment holds at most {MOST_CODES} inline codes; cut it before it is translated.")
    return chr(_FIRST + place)


def code_place(char: str) -> int | None:
    """Which code of its unit a character stands for, from 0; `None` for a character of the text."""
    return ord(char) - _FIRST if _CODES.fullmatch(char) else None


def plain(text: str, replacement: str = "") -> str:
    """The text without its codes, each replaced by the same string."""
    return _CODES.sub(replacement, text)


@dataclass(frozen=True, slots=True)
class Code:
    """An inline code as the file has it. An opening and a closing code of one pair have the same `pair`."""

    text: str  # the mark-up, verbatim: what is written back
    kind: Literal["open", "close", "alone"] = "alone"
    pair: str = ""  # of codes that belong together, a name unique in the unit
    shown: str = ""  # what the chip in the editor says: `b`, `1`, `%s`; made from `text` if empty


@dataclass(frozen=True, slots=True)
class Alternative:
    """A translation that a file proposes (`alt-trans` of XLIFF 1.2, a match of XLIFF 2), with the codes of its unit."""

    text: str
    origin: str = ""  # who proposes it, in the words of the file
    quality: float | None = None  # in per cent, as the file says; None: it says nothing
    source: str = ""  # what it is the translation of; empty: of the unit's own source


@dataclass(frozen=True, slots=True)
class Unit:
    """What a file offers for translation: a paragraph, a message, a `trans-unit`."""

    key: str  # unique in its file, the same whenever the file is read
    source: str
    codes: tuple[Code, ...] = ()  # of source and target alike, in the order of the source
    target: str | None = None  # what the file already has
    state: State = "new"
    note: str = ""  # for the translator: the developer's comment, the context, who speaks
    translate: bool = True  # false: shown, kept, never filled
    cut: bool = True  # false: a segment as it is, whatever its sentences
    max_length: int | None = None  # in characters
    alternatives: tuple[Alternative, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence of a unit, or the whole unit: source `[begin, end)` without the space around it."""

    unit: str  # its key
    begin: int
    end: int
    source: str


@dataclass(frozen=True, slots=True)
class Target:
    """What takes the place of a unit's target when its file is written."""

    text: str
    state: State = "translated"
