"""The tokens that memories compare: words, single marks, inline codes.

A run of letters, their marks and digits is a word; where a script has no spaces between words (Han, Kana, Thai …) each
character is one. Words are compared in lower case, and all codes are alike.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from dragoman._core import memory as core

__all__ = ["Token", "tokens"]

Kind = Literal["word", "mark", "code"]
_KINDS: tuple[Kind, ...] = ("word", "mark", "code")


class Token(NamedTuple):
    """A token: the form that is compared, the characters `[begin, end)` of its text, what it is."""

    form: str
    begin: int
    end: int
    kind: Kind


def tokens(text: str) -> list[Token]:
    """The tokens of a text, in order."""
    return [Token(form, begin, end, _KINDS[kind]) for form, begin, end, kind in core.words(text)]
