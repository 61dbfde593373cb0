"""Structure-aware damage of markup: a tag, an attribute or a text is another, and the rest is well formed still."""

from __future__ import annotations

import random
import re

from tests.fuzz.structure import CELLS

__all__ = ["remarked"]

_TAG = re.compile(rb"<[^<>]+>")
_VALUE = re.compile(rb"""(?<==)("[^"<>]*"|'[^'<>]*')""")
_TEXT = re.compile(rb"(?<=>)[^<>]+(?=<)")
_ELEMENT = re.compile(rb"<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>.*?</\1>", re.DOTALL)
_PIECES = (
    b"",
    b"x",
    b"0",
    b"-1",
    b"9" * 40,
    b"&amp;",
    b"&#xE000;",
    b"&lol;",
    b"<g id='1'>x</g>",
    b"<x id='1'/>",
    b"<ph id='1'/>",
    b"<pc id='1'>",
    b"<!-- x -->",
    b"<![CDATA[<g>]]>",
    b"\xee\x80\x80",
    b"\xee\x80\x81x",
    b"\n",
    b" ",
)


def remarked(content: bytes, name: str, round_: int) -> bytes:
    """Markup with one to three places changed."""
    chance = random.Random(f"markup {name} {round_}")
    for _ in range(chance.choice((1, 1, 2, 3))):
        content = _once(content, chance)
    return content


def _once(content: bytes, chance: random.Random) -> bytes:
    act = chance.randrange(9)
    pattern = (_VALUE, _VALUE, _TEXT, _TEXT, _ELEMENT, _ELEMENT, _ELEMENT, _TAG, _TAG)[act]
    found = list(pattern.finditer(content))
    if not found:
        return content
    one, other = chance.choice(found), chance.choice(found)
    if act < 2:
        own = [each.group() for each in found] + [b'"' + cell.encode() + b'"' for cell in CELLS]
        new = chance.choice(own)
    elif act < 4:
        new = chance.choice((*_PIECES, other.group()))
    else:
        new = (b"", one.group() * 2, other.group(), b"<x>" + one.group() + b"</x>", chance.choice(_PIECES))[
            chance.randrange(5)
        ]
    return content[: one.start()] + new + content[one.end() :]
