"""Whether a net's translations are no translations: one word over and over, one line for every source, or nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import category

__all__ = ["Degeneration", "degeneration"]

_RUN = 4  # times that one word, or one pair of words, stands behind itself, ...
_DISTINCT = 0.3  # ... or share of different words in a line that is as long as
_WORDS = 10
_PIECE = 6  # letters that repeat, at most, where words are written without spaces
_STUTTER = re.compile(rf"([^\W\d_]{{2,{_PIECE}}})\1{{{_RUN - 1}}}|([^\W\d_])\2{{{_RUN}}}")  # exportierierierier, mmmmm
_LEAST = 0.1  # share of lines, beyond that of the references, from which there is a word about it


class Degeneration(NamedTuple):
    """Shares of a development set's translations."""

    n: int  # translations
    repeating: float  # one word over and over
    same: float  # of different sources, the most frequent translation
    empty: float
    usual: float  # repeating references

    @property
    def doubt(self) -> str:
        """What must be said about the engine; empty if nothing."""
        found = [
            ("repeat a word over and over", self.repeating, self.usual),
            ("are one and the same line for different sources", self.same, 0.0),
            ("are empty", self.empty, 0.0),
        ]
        said = [f"{share:.0%} {what}" for what, share, usual in found if share - usual > _LEAST]
        if not said:
            return ""
        return (
            f"Of {self.n} translations of the development set {', '.join(said)}. The engine is not fit for use: train "
            "it longer, with more text, or with a smaller net."
        )


def degeneration(sources: Sequence[str], translations: Sequence[str], references: Sequence[str]) -> Degeneration:
    """How many translations degenerate; sources with the same text count once."""
    lines = list(dict(zip(sources, translations, strict=True)).values())
    n = len(lines)
    if not n:
        return Degeneration(0, 0.0, 0.0, 0.0, 0.0)
    counts = Counter(line for line in lines if line.strip())
    most = max(counts.values(), default=1)
    repeating, usual = (
        sum(map(_repeats, side)) / max(len(side), 1) for side in (lines, [line for line in references if line])
    )
    empty = sum(not line.strip() for line in lines) / n
    return Degeneration(n, repeating, most / n if most > 1 else 0.0, empty, usual)


def _repeats(line: str) -> bool:
    words = line.casefold().split()
    if any(map(_runs, words)):
        return True
    return _has_run(words, 2) or (len(words) >= _WORDS and len(set(words)) < _DISTINCT * len(words))


def _runs(word: str) -> bool:
    """Whether pieces of a word repeat, or letters of a script that may do without spaces, as its words would."""
    if _STUTTER.search(word):
        return True
    return len(word) > _RUN and any(category(char) == "Lo" for char in word) and _has_run(word, _PIECE)


def _has_run(parts: Sequence[str], longest: int) -> bool:
    """Whether a part, or up to `longest` of them, stands `_RUN` times in a row."""
    for size in range(1, longest + 1):
        run = 0
        for place in range(size, len(parts)):
            run = run + 1 if parts[place] == parts[place - size] else 0
            if run >= _RUN * size - size:
                return True
    return False
