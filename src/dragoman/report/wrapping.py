"""Text as a terminal shows it: how many columns it takes, and how it is cut into lines."""

from __future__ import annotations

import unicodedata

__all__ = ["one_line", "pad", "width_of", "wrap"]

_INVISIBLE = ("Mn", "Me", "Cf")  # marks upon other characters, and what only steers them
_BREAKS = "|/,;:_=.-"  # a word too long for a line is cut behind one of these, of several the first


def one_line(text: str) -> str:
    """The text without control characters, which could move a terminal's cursor."""
    if text.isprintable():
        return text
    return "".join(char if unicodedata.category(char) != "Cc" else " " for char in text)


def width_of(text: str) -> int:
    """Columns that a terminal gives the text: wide East Asian characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in _INVISIBLE:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pad(text: str, width: int, *, to_right: bool = False) -> str:
    """The text with blanks up to the width, before or behind it."""
    blank = " " * (width - width_of(text))
    return blank + text if to_right else text + blank


def wrap(text: str, width: int | None) -> list[str]:
    """The text in lines of at most so many columns, cut between words; as many lines as it has where there is no width.

    A word longer than a line is cut behind a mark such as `|` or `/`, or where the line ends.
    """
    if width is None:
        return text.split("\n")
    return [line for paragraph in text.split("\n") for line in _wrapped(paragraph, width)]


def _wrapped(paragraph: str, width: int) -> list[str]:
    if width_of(paragraph) <= width:
        return [paragraph]
    lines: list[str] = []
    line = ""
    for word in paragraph.split():
        if line and width_of(line) + 1 + width_of(word) <= width:
            line = f"{line} {word}"
            continue
        lines += [line] if line else []
        *whole, line = _pieces(word, width)
        lines += whole
    return [*lines, line]


def _pieces(word: str, width: int) -> list[str]:
    pieces = []
    while width_of(word) > width:
        end = _fitting(word, width)
        marks = (word.rfind(mark, 0, end) + 1 for mark in _BREAKS)
        end = next((place for place in marks if place > end // 2), end)
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _fitting(word: str, width: int) -> int:
    """How many characters of the word fit, at least one."""
    taken = 0
    for place, char in enumerate(word):
        taken += _char_width(char)
        if taken > width:
            return max(place, 1)
    return len(word)
