"""Text with inline codes: read from a file's mark-up, and written back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from dragoman.cat.segments import MOST_CODES, Code, code_char, code_place
from dragoman.errors import DataError

__all__ = ["CodeTable", "InlineText", "misfit", "one_line", "unfit", "written"]

_BREAK = re.compile("[\r\n]")
_CODE = re.compile("([\ue000-\uf8ff])")


class CodeTable:
    """The codes of a unit while it is read: those of its source in order, then those that only its target has."""

    def __init__(self) -> None:
        self.codes: list[Code] = []
        self._places: dict[Hashable, list[int]] = {}

    def place(self, code: Code, same: Hashable, number: int) -> int:
        """The place of the `number`-th code that is the same as this one; it is added if there are fewer."""
        places = self._places.setdefault(same, [])
        if number >= len(places):
            places.append(len(self.codes))
            self.codes.append(code)
        return places[min(number, len(places) - 1)]


class InlineText:
    """One text of a unit, put together from pieces. Texts of one table that have the same code share its character."""

    def __init__(self, table: CodeTable) -> None:
        self.table = table
        self._parts: list[str] = []
        self._seen: Counter[Hashable] = Counter()

    def __str__(self) -> str:
        return "".join(self._parts)

    def add(self, text: str) -> None:
        """A piece of text; private characters of the file become codes."""
        if text.isascii():
            self._parts.append(text)
            return
        for piece in _CODE.split(text):
            if code_place(piece) is None:
                self._parts.append(piece)
            else:
                self.code(Code(piece, shown=f"U+{ord(piece):04X}"))

    def code(self, code: Code, *, same: Hashable = None) -> None:
        """A code; `same` is what makes it the same code in source and target, its mark-up if nothing else."""
        same = code.text if same is None else same
        place = self.table.place(code, same, self._seen[same])
        self._seen[same] += 1
        if place >= MOST_CODES:
            begin = "".join(self._parts[:20])[:40]
            raise DataError(
                f"The unit that begins with {begin!r} has more than {MOST_CODES} inline codes; cut it in two."
            )
        self._parts.append(code_char(place))


def written(text: str, codes: Sequence[Code], escape: Callable[[str], str] = str) -> str:
    """The text as mark-up: its codes verbatim, what is between them escaped."""
    parts = []
    for piece in _CODE.split(text):
        place = code_place(piece)
        parts.append(escape(piece) if place is None else codes[place].text)
    return "".join(parts)


def one_line(text: str) -> str:
    """The text, a blank for each line break and the blanks around it."""
    return " ".join(filter(None, map(str.strip, _BREAK.split(text))))


def misfit(text: str, codes: Sequence[Code]) -> str:
    """Why a text cannot be written with these codes, as the end of a sentence; empty if it can.

    Codes may be left out or stand twice, as far as the mark-up stays well-formed: what opens closes, inside out.
    """
    nested = {code.pair for code in codes if code.kind == "close" and code.text.startswith("</")}
    waiting: list[Code] = []
    for character in _CODE.findall(text):
        place = code_place(character) or 0
        if place >= len(codes):
            return f"it has the code number {place + 1}, and the unit has {len(codes)}"
        code = codes[place]
        if code.pair not in nested:
            continue
        if code.kind == "open":
            waiting.append(code)
        elif code.kind == "close" and (not waiting or waiting.pop().pair != code.pair):
            return f"the code {_name_of(code)} closes what is not open there"
    return f"the code {_name_of(waiting[-1])} is not closed" if waiting else ""


class _Loose(NamedTuple):
    """Codes of a text whose other half is not in it, and whether others overlap that must not."""

    closing: list[Code]
    opening: list[Code]
    crossed: Code | None


def unfit(source: str, text: str, codes: Sequence[Code]) -> str:
    """Why a segment's target cannot be confirmed, as the end of a sentence; empty if it can.

    Whole pairs may move, go or stand twice, as `misfit` allows. What is broken in the source, because the other half is
    in the sentence before or behind, is to be broken in the same way: then the unit is whole when it is put together.
    """
    unknown = next((place for each in _CODE.findall(text) if (place := code_place(each) or 0) >= len(codes)), None)
    if unknown is not None:
        return f"it has the code number {unknown + 1}, and there are {len(codes)}"
    wanted, found = _loose(source, codes), _loose(text, codes)
    if found.crossed and not wanted.crossed:
        return f"the code {_name_of(found.crossed)} closes what is not open there"
    for have, need, reason in (
        (found.closing, wanted.closing, "closes what is not open there"),
        (found.opening, wanted.opening, "is not closed"),
    ):
        more = Counter(each.pair for each in have) - Counter(each.pair for each in need)
        if more:
            return f"the code {_name_of(next(each for each in have if each.pair in more))} {reason}"
        less = Counter(each.pair for each in need) - Counter(each.pair for each in have)
        if less:
            code = next(each for each in need if each.pair in less)
            return f"it lacks the code {_name_of(code)}, whose other half is in another segment"
        if not wanted.crossed and _nested(have, codes) != _nested(need, codes):
            return f"the code {_name_of(have[0])} stands in another order than in the source"
    return ""


def _loose(text: str, codes: Sequence[Code]) -> _Loose:
    """What is loose in a text, in time by its length: a target may have the same code a hundred thousand times."""
    nested = {code.pair for code in codes if code.kind == "close" and code.text.startswith("</")}
    closing: list[Code] = []
    waiting: list[Code | None] = []  # those that were opened; None where one was closed since
    places: dict[str, list[int]] = {}  # of a pair in `waiting`
    inner: list[int] = []  # places in `waiting` of what must not overlap
    crossed: Code | None = None
    for character in _CODE.findall(text):
        place = code_place(character) or 0
        code = codes[place] if place < len(codes) else Code("")
        if code.kind == "open":
            places.setdefault(code.pair, []).append(len(waiting))
            if code.pair in nested:
                inner.append(len(waiting))
            waiting.append(code)
        elif code.kind == "close":
            own = places.get(code.pair)
            behind = own.pop() if own else -1
            while inner and waiting[inner[-1]] is None:
                inner.pop()
            if code.pair in nested and inner and inner[-1] > behind:
                crossed = crossed or code
            if behind < 0:
                closing.append(code)
            else:
                waiting[behind] = None
    return _Loose(closing, [code for code in waiting if code is not None], crossed)


def _nested(loose: Sequence[Code], codes: Sequence[Code]) -> list[str]:
    nested = {code.pair for code in codes if code.kind == "close" and code.text.startswith("</")}
    return [each.pair for each in loose if each.pair in nested]


def _name_of(code: Code) -> str:
    """A code as errors name it."""
    return repr(code.shown or code.text[:30])
