"""Sentences that can be said again in another language.

A result speaks English wherever it goes: on the command line, in files, in JSON. Its sentences remember what they were
made of, so that a page in another language can look the pattern up in its catalogue and fill in the same values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["Sentence", "isolated", "joined", "without_isolates"]


class Sentence(str):
    """An English sentence that knows its pattern and values; for everybody else it is a text like any other.

    The pattern is one of `str.format`: `Sentence("apart at p ≤ {level:g}", level=0.05)`. A value may be a sentence.
    """

    pattern: str
    values: dict[str, Any]

    def __new__(cls, pattern: str, /, **values: Any) -> Sentence:
        """The sentence with its values filled in."""
        sentence = super().__new__(cls, pattern.format(**values))
        sentence.pattern, sentence.values = pattern, values
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies and other processes get a sentence again, not a text of its words.
        return _restored, (self.pattern, self.values)


def _restored(pattern: str, values: dict[str, Any]) -> Sentence:
    return Sentence(pattern, **values)


def joined(parts: Iterable[str], pattern: str = "{first} {rest}") -> str:
    """Sentences one after the other, by a pattern of `first` and `rest`; nothing if there are none."""
    filled = [part for part in parts if part]
    text = filled.pop() if filled else ""
    while filled:
        text = Sentence(pattern, first=filled.pop(), rest=text)
    return text


def isolated(name: str) -> str:
    """A name between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE."""
    return f"\u2068{name}\u2069"


def without_isolates(text: str) -> str:
    """The text without the marks of `isolated`, for where nothing but letters is wanted."""
    return text.replace("\u2068", "").replace("\u2069", "")
