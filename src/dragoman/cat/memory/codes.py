"""Inline codes in memories: those of a segment may be the third and fourth of its file's unit.

A memory therefore compares texts whose codes are numbered in the order in which the source has them.
"""

from __future__ import annotations

import re

from dragoman.cat.segments import code_char, code_place

__all__ = ["as_in", "codes_of", "in_order"]

_CODE = re.compile("[\ue000-\uf8ff]")


def codes_of(text: str) -> list[str]:
    """The codes of a text, each once, in order."""
    return [] if text.isascii() else list(dict.fromkeys(_CODE.findall(text)))


def in_order(text: str, source: str | None = None) -> str:
    """The text with its codes numbered 0, 1, … as the source has them, then those that only the text has."""
    if text.isascii():
        return text
    codes = list(dict.fromkeys([*codes_of(text if source is None else source), *codes_of(text)]))
    return _CODE.sub(lambda code: code_char(codes.index(code[0])), text) if codes else text


def as_in(source: str, text: str) -> str:
    """A text numbered in order, with the codes of another source; further ones get numbers behind them."""
    if text.isascii():
        return text
    codes = codes_of(source)
    behind = 1 + max((ord(code) - ord(code_char(0)) for code in codes), default=-1)

    def own(code: re.Match[str]) -> str:
        place = code_place(code[0]) or 0
        return codes[place] if place < len(codes) else code_char(behind + place - len(codes))

    return _CODE.sub(own, text)
