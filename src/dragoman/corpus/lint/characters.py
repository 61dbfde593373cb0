"""Checks of single characters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.corpus.lint.base import Check, Finding, Material, Severity, TextStream
from dragoman.corpus.scripts import foreign_letters
from dragoman.errors import UnknownName
from dragoman.options import option
from dragoman.text.entities import find_entities
from dragoman.text.languages import expected_scripts

__all__ = [
    "CharacterReferences",
    "ControlCharacters",
    "InvalidCharacters",
    "MixedAlphabet",
    "Mojibake",
    "OuterSpace",
    "WrongScript",
]


_UNITS = "μΩ"  # μs, kΩ: Greek letters at home in Latin words


@dataclass(frozen=True)
class ControlCharacters(Check):
    """A segment holds control characters (NUL, escape, C1 controls …); tabs are fine."""

    name: ClassVar[str] = "control"
    severity: ClassVar[Severity] = "warning"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            for place in np.flatnonzero(stream.profiles["controls"]):
                controls = [c for c in stream.lines[place] if unicodedata.category(c) == "Cc" and c != "\t"]
                yield self.finding(stream, place, _codes(controls))


@dataclass(frozen=True)
class InvalidCharacters(Check):
    """A segment holds what decoding left behind: U+FFFD, a byte-order mark inside, noncharacters."""

    name: ClassVar[str] = "invalid"
    severity: ClassVar[Severity] = "error"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            for place in np.flatnonzero(stream.profiles["invalid"]):
                line = stream.lines[place]
                invalid = [c for n, c in enumerate(line) if _is_invalid(c, is_first=n == 0)]
                yield self.finding(stream, place, _codes(invalid))


@dataclass(frozen=True)
class Mojibake(Check):
    """A segment is UTF-8 that was read as Windows-1252 or Latin-1: `Ã¼` for `ü`."""

    name: ClassVar[str] = "mojibake"
    severity: ClassVar[Severity] = "error"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            for place in np.flatnonzero(stream.profiles["mojibake"]):
                line = stream.lines[place]
                at = re.search("[ÂÃ][\x80-\u2122]|â[\x80€\x82‚]|[ÄÅÎÏÐÑ][\x80-\u2122]", line)
                start = max(0, at.start() - 10) if at else 0
                yield self.finding(stream, place, f"{line[start : start + 30]!r}")


@dataclass(frozen=True)
class CharacterReferences(Check):
    """A segment holds character references of HTML, `&amp;` or `&#8217;`, where the characters should stand.

    `dragoman corpus clean` resolves them.
    """

    name: ClassVar[str] = "entity"
    severity: ClassVar[Severity] = "warning"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            for place, line in enumerate(stream.lines):
                if references := find_entities(line):
                    counts = Counter(references).most_common(3)
                    yield self.finding(stream, place, ", ".join(f"{e}" + f" ×{n}" * (n > 1) for e, n in counts))


@dataclass(frozen=True)
class MixedAlphabet(Check):
    """A word mixes Latin letters with Cyrillic or Greek ones, which look alike and never match."""

    name: ClassVar[str] = "mixed-alphabet"
    severity: ClassVar[Severity] = "warning"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            for place in np.flatnonzero(stream.profiles["mixed_words"]):
                words = [word for word in re.findall(r"[^\W\d_]+", stream.lines[place]) if _is_mixed(word)]
                for word in words[:1]:
                    yield self.finding(stream, place, f"{word!r} ({_codes(_fewer(word))})")


@dataclass(frozen=True)
class WrongScript(Check):
    """Much of a segment is written in a script that its language does not use.

    Latin letters are at home everywhere (names, addresses, formulas): in other scripts' languages they count only where
    a segment of `latin_letters` or more has hardly anything else.
    """

    name: ClassVar[str] = "wrong-script"
    severity: ClassVar[Severity] = "warning"
    letters: int = option(4, low=1, text="fewest foreign letters that count")
    share: float = option(0.2, low=0, high=1, text="of the letters of the segment")
    latin_letters: int = option(20, low=1, text="fewest Latin letters that count, where another script is at home")
    latin_share: float = option(0.9, low=0, high=1, text="of the letters of the segment")

    def skipped(self, material: Material) -> str | None:
        """See `Check`."""
        return None if any(map(_known_scripts, material.streams)) else "no language is known"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            expected = _known_scripts(stream)
            if not expected or stream.lang is None:
                continue
            foreign, letters = foreign_letters(stream.lines, stream.lang, n_threads=stream.n_threads)
            few, part = (self.letters, self.share) if "Latin" in expected else (self.latin_letters, self.latin_share)
            for place in np.flatnonzero((foreign >= few) & (foreign > part * letters)):
                detail = f"{foreign[place]} of {letters[place]} letters are not {' or '.join(expected)}"
                yield self.finding(stream, place, f"{detail}: {stream.lines[place][:40]!r}")


@dataclass(frozen=True)
class OuterSpace(Check):
    """Segments of a stream begin or end with white space."""

    name: ClassVar[str] = "outer-space"
    severity: ClassVar[Severity] = "note"

    def find(self, material: Material) -> Iterator[Finding]:
        """See `Check`."""
        for stream in material.streams:
            spaces = np.where(stream.profiles["tokens"] > 0, stream.profiles["outer_space"], 0)
            for bit, verb in ((1, "begin"), (2, "end")):
                places = np.flatnonzero(spaces & bit)
                if len(places):
                    what = f"{len(places)} of {len(spaces)} segments {verb} with white space"
                    yield self.finding(stream, None, f"{what} (first: {places[0] + 1})")


def _known_scripts(stream: TextStream) -> tuple[str, ...]:
    if stream.lang is None:
        return ()
    try:
        return tuple(script for script in expected_scripts(stream.lang) if script != "Other")
    except UnknownName:
        return ()  # a tag of the user's own making


def _codes(characters: list[str]) -> str:
    counts = Counter(characters)
    return ", ".join(f"U+{ord(c):04X}" + (f" ×{n}" if n > 1 else "") for c, n in sorted(counts.items()))


def _is_invalid(char: str, *, is_first: bool) -> bool:
    code = ord(char)
    return code == 0xFFFD or (code == 0xFEFF and not is_first) or (code & 0xFFFE) == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def _is_mixed(word: str) -> bool:
    scripts = {_script(char) for char in word if char not in _UNITS}
    return "LATIN" in scripts and bool(scripts & {"CYRILLIC", "GREEK"})


def _fewer(word: str) -> list[str]:
    """The letters of the script that has fewer of them in the word: the intruders."""
    latin = [char for char in word if _script(char) == "LATIN"]
    others = [char for char in word if _script(char) in {"CYRILLIC", "GREEK"}]
    return min(others, latin, key=len)


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]
