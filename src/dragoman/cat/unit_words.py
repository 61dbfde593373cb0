"""Units of a text as words that tokenisers keep whole, and back: for what makes one text of several engines'."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from dragoman.cat.protection import has_units, protected
from dragoman.cat.translating import HeardUnit, masked_units

__all__ = ["as_words", "from_words"]

_WORD = re.compile(r"( ?)XQ([0-3])((?:[0-9a-f]{2})+)QX( ?)")
_MARK = r"(?: ([/\\@#$&_=+~^|*<>])(?=\w))?"


def as_words(lines: Iterable[str]) -> list[str]:
    """Each line with a word for each unit, which spells the unit and whether it touches what is before and after it."""
    return [_with_words(line) if has_units(line) else line for line in lines]


def from_words(text: str, written: Callable[[str], str] = str) -> str:
    """A text with its units again, each as `written`."""

    def unit(match: re.Match[str]) -> str:
        before, touches, spelt, behind = match.groups()
        own = written(bytes.fromhex(spelt).decode("utf-8", "replace"))
        return f"{'' if int(touches) & 1 else before}{own}{'' if int(touches) & 2 else behind}"

    return _WORD.sub(unit, text)


def _with_words(line: str) -> str:
    passage = protected(line, ())
    pieces = []
    for part in passage.parts:
        text, units = masked_units(passage, part)
        for word, unit in units.items():
            text = re.sub(rf"{word}(?!\d){_MARK}", partial(_spelt_with_mark, unit), text)
        pieces.append(text)
        if part.wall:
            wall = HeardUnit(passage.written(part.wall), True, True)
            pieces.append(wall.heard(_spelt(wall)))
    return "".join(pieces)


def _spelt_with_mark(unit: HeardUnit, match: re.Match[str]) -> str:
    """A unit, with the mark that is between it and a word."""
    return f"{_spelt(replace(unit, text=unit.text + match[1]))} " if match[1] else _spelt(unit)


def _spelt(unit: HeardUnit) -> str:
    return f"XQ{unit.touches_before + 2 * unit.touches_after}{unit.text.encode().hex()}QX"
