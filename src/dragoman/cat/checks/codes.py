"""Checks of inline codes: which, how often, in which order, between which spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.checks.base import Check, Finding, Pair, Severity, Span
from dragoman.cat.segments import Code, code_place
from dragoman.report import Sentence

__all__ = ["CodeOrder", "CodePairs", "CodeSpaces", "Codes"]

_CODE = re.compile("[\ue000-\uf8ff]")


def _codes(text: str) -> list[str]:
    return _CODE.findall(text)


def _spans(text: str, codes: Iterable[str]) -> list[Span]:
    wanted = set(codes)
    return [(k, k + 1) for k, char in enumerate(text) if char in wanted]


def _name(char: str, pair: Pair) -> str:
    """What the translator sees of a code: its chip's text, or its number."""
    place = code_place(char) or 0
    code = pair.codes[place] if place < len(pair.codes) else None
    return (code.shown or code.text) if code is not None else str(place + 1)


def _code(char: str, pair: Pair) -> Code | None:
    place = code_place(char) or 0
    return pair.codes[place] if place < len(pair.codes) else None


@dataclass(frozen=True)
class Codes(Check):
    """Codes that are missing, that the source has not, or that stand more often than in the source."""

    name: ClassVar[str] = "codes"
    severity: ClassVar[Severity] = "error"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for what is missing, one for what is too much."""
        source, target = Counter(_codes(pair.source)), Counter(_codes(pair.target))
        missing, extra = source - target, target - source
        if missing:
            names = ", ".join(_name(char, pair) for char in missing)
            yield self.finding(Sentence("Missing codes: {names}.", names=names), _spans(pair.source, missing))
        if extra:
            names = ", ".join(_name(char, pair) for char in extra)
            yield self.finding(
                Sentence("Codes that the source has not, or not so often: {names}.", names=names),
                (),
                _spans(pair.target, extra),
            )


@dataclass(frozen=True)
class CodePairs(Check):
    """Codes that open and are not closed, or close before they open, where those of the source do not."""

    name: ClassVar[str] = "code-pairs"
    severity: ClassVar[Severity] = "error"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for all broken pairs."""
        broken = _broken(pair.target, pair) - _broken(pair.source, pair)
        if broken:
            names = ", ".join(_name(char, pair) for char in sorted(broken))
            yield self.finding(
                Sentence("Codes that open and close do not fit: {names}.", names=names), (), _spans(pair.target, broken)
            )


def _broken(text: str, pair: Pair) -> set[str]:
    """The codes of a text whose other half is missing or on the wrong side, or that overlap another pair."""
    broken: set[str] = set()
    opened: list[tuple[str, str]] = []  # pair's name and code
    waiting: dict[str, list[tuple[int, str]]] = {}  # by pair: places in `opened` of those not closed, and codes
    for char in _codes(text):
        code = _code(char, pair)
        if code is None or code.kind == "alone":
            continue
        if code.kind == "open":
            waiting.setdefault(code.pair, []).append((len(opened), char))
            opened.append((code.pair, char))
            continue
        while opened and not _waits(waiting, opened):  # it was closed within another pair
            opened.pop()
        if opened and opened[-1][0] == code.pair:
            opened.pop()
            waiting[code.pair].pop()
        else:
            broken.add(char)
            broken |= {other for _, other in waiting.pop(code.pair, ())}
    return broken | {char for own in waiting.values() for _, char in own}


def _waits(waiting: dict[str, list[tuple[int, str]]], opened: list[tuple[str, str]]) -> bool:
    """Whether the last that was opened is not closed."""
    own = waiting.get(opened[-1][0], [])
    return own is not None and own != [] and own[-1][0] == len(opened) - 1


@dataclass(frozen=True)
class CodeOrder(Check):
    """Codes in another order than in the source."""

    name: ClassVar[str] = "code-order"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for all codes, if they are the same ones."""
        source, target = _codes(pair.source), _codes(pair.target)
        if source != target and Counter(source) == Counter(target):
            moved = {b for a, b in zip(source, target, strict=True) if a != b}
            yield self.finding(
                Sentence("The codes stand in another order."), _spans(pair.source, moved), _spans(pair.target, moved)
            )


@dataclass(frozen=True)
class CodeSpaces(Check):
    """Codes with a space before or behind them in one language alone."""

    name: ClassVar[str] = "code-spaces"
    severity: ClassVar[Severity] = "note"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for all such codes."""
        around = _around(pair.source)
        wrong = {c for c, spaces in _around(pair.target).items() if c in around and _differs(spaces, around[c])}
        if wrong:
            names = ", ".join(_name(char, pair) for char in sorted(wrong))
            yield self.finding(
                Sentence("Other spaces around codes than in the source: {names}.", names=names),
                _spans(pair.source, wrong),
                _spans(pair.target, wrong),
            )


def _around(text: str) -> dict[str, tuple[bool | None, bool | None]]:
    """For each code that stands once: whether space is before and behind it; `None` at an end or beside a mark."""
    counts = Counter(_codes(text))
    around = {}
    for k, char in enumerate(text):
        if counts[char] == 1:
            around[char] = (_space(text[k - 1] if k else ""), _space(text[k + 1 : k + 2]))
    return around


def _space(char: str) -> bool | None:
    if char.isspace():
        return True
    return False if char.isalnum() else None


def _differs(one: tuple[bool | None, bool | None], other: tuple[bool | None, bool | None]) -> bool:
    return any(a is not None and b is not None and a != b for a, b in zip(one, other, strict=True))
