"""A project's glossary: which of its terms a segment has, also inflected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from dragoman.cat.segments import plain

__all__ = ["terms_in"]

_WORD = re.compile(r"\w+")
_ENDING = 3  # letters of a word that inflection may change
_STEM = 4  # letters that stay, at least


def terms_in(source: str, glossary: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """The terms whose words stand in the source one after another, with their places; longer terms first.

    Words are alike regardless of case and of up to three last letters, if four remain.
    """
    text = plain(source, " ")  # a code is one character: places stay
    words = [(match.group().casefold(), match.start(), match.end()) for match in _WORD.finditer(text)]
    found: list[dict[str, Any]] = []
    for term in glossary:
        wanted = [word.casefold() for word in _WORD.findall(term["source"])]
        n = len(wanted)
        places = [
            (words[i][1], words[i + n - 1][2])
            for i in range(len(words) - n + 1 if n else 0)
            if all(_is_alike(words[i + k][0], wanted[k]) for k in range(n))
        ]
        if places:
            found.append({**term, "places": [list(place) for place in places]})
    return sorted(found, key=lambda term: (-len(term["source"]), term["source"]))


def _is_alike(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    stem = wanted[: max(_STEM, len(wanted) - _ENDING)]
    return len(stem) >= _STEM and word.startswith(stem) and len(word) - len(stem) <= _ENDING
