"""Character references of HTML and XML, `&amp;` and `&#8217;`, in text that should have none."""

from __future__ import annotations

import re
from html.entities import html5

__all__ = ["decode_entities", "find_entities", "without_entities"]

_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")
_DEEPEST = 3  # times that a text is decoded: `&amp;amp;quot;` went through two escapings
_BREAKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]")  # a segment is a line, and columns are told by tabs


def decode_entities(text: str) -> str:
    """The text with every reference to a character that there is resolved, once."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def find_entities(text: str) -> list[str]:
    """The references in a text that stand for a character, in their order."""
    if "&" not in text:
        return []
    return [match[0] for match in _ENTITY.finditer(text) if _character(match) != match[0]]


def without_entities(line: str) -> str:
    """A line with references resolved, those that were escaped again too; it stays a line."""
    for _ in range(_DEEPEST):
        decoded = decode_entities(line)
        if decoded == line:
            return line
        line = _BREAKS.sub(" ", decoded)
    return line


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return html5.get(f"{name};", match[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0xD800 or 0xE000 <= code <= 0x10FFFF else match[0]
