"""METEOR's words: how version 1.5 normalises and cuts lines before it compares them.

The rules are those of the Moses tokeniser with four departures: quotes and dashes become the plain ones, compounds are
cut at their hyphens, and the full stops of `U.S.` are dropped, so that `US` equals it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from dragoman.text.prefixes import prefixes_of

__all__ = ["NORMALISED_LANGUAGES", "cut_lines"]

NORMALISED_LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")

_LETTERS = "A-Za-zŠŽšžŸÀ-ÖØ-öø-žЀ-ӿԀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
_SIGNS = f"0-9{_LETTERS}"
_DOTS = "\ue000"  # for use inside only: a full stop of several in a row
_NUMERIC_ONLY = " #NUMERIC_ONLY#"

Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*rules: tuple[str, str]) -> Rules:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_SEPARATE = re.compile(rf"([^{_SIGNS}\s.'`,\-‘’{_DOTS}])", re.ASCII)
_SEVERAL_DOTS = re.compile(r"\.{2,}")
_COMMAS = _rules(
    (r"([^0-9]),([^0-9])", r"\1 , \2"),
    (r"([0-9]),([^0-9])", r"\1 , \2"),
    (r"([^0-9]),([0-9])", r"\1 , \2"),
)
_QUOTES_AND_DASHES = _rules(
    ("[`‘’]", "'"),
    ("[“”]|''", ' " '),
    ("–|--", "-"),
    (rf"([{_SIGNS}.])-([{_SIGNS}])", r"\1 \2"),
)
_ALONE = (rf"([^{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2")
_BEHIND = (rf"([{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2")
_APOSTROPHES = {
    "en": _rules(
        _ALONE,
        (rf"([^{_LETTERS}0-9])'([{_LETTERS}])", r"\1 ' \2"),
        _BEHIND,
        (rf"([{_LETTERS}])'([{_LETTERS}])", r"\1 '\2"),  # do n't stays don 't
        (r"([0-9])'(s)", r"\1 '\2"),
    ),
    "fr": _rules(
        _ALONE,
        (rf"([^{_LETTERS}])'([{_LETTERS}])", r"\1 ' \2"),
        _BEHIND,
        (rf"([{_LETTERS}])'([{_LETTERS}])", r"\1' \2"),
    ),
}
_EVERY_APOSTROPHE = _rules(("'", " ' "))
_LETTER = re.compile(f"[{_LETTERS}]")
_NO_SIGN = re.compile(f"[^{_SIGNS}]")


def cut_lines(lines: Sequence[str], norm: str, lang: str) -> list[list[str]]:
    """The words of lines: `norm` says how they are normalised (see `Meteor.norm`)."""
    cutters: dict[str, Callable[[str], list[str]]] = {
        "keep": partial(_normalised, lang=lang),
        "drop": partial(_without_punctuation, lang=lang),
        "lower": lambda line: line.lower().split(),
        "none": str.split,
    }
    return [cutters[norm](line) for line in lines]


def _without_punctuation(line: str, lang: str) -> list[str]:
    return _NO_SIGN.sub(" ", " ".join(_normalised(line, lang))).split()


def _normalised(line: str, lang: str) -> list[str]:
    text = _SEPARATE.sub(r" \1 ", f" {line} ")
    text = _SEVERAL_DOTS.sub(lambda dots: f" {_DOTS * len(dots[0])} ", text)
    for pattern, replacement in (*_COMMAS, *_QUOTES_AND_DASHES, *_APOSTROPHES.get(lang, _EVERY_APOSTROPHE)):
        text = pattern.sub(replacement, text)
    words = text.split()
    cut = [_cut_stop(word, following, lang) for word, following in pairwise([*words, ""])]
    return " ".join(cut).replace(_DOTS, ".").lower().split()


def _cut_stop(word: str, following: str, lang: str) -> str:
    """The word with a blank before its full stop, if that is no part of it."""
    if not (len(word) > 1 and word.endswith(".")):
        return word
    rest = word[:-1]
    if "." in rest and _LETTER.search(rest):
        return word.replace(".", "")
    always, before_numbers = _abbreviations(lang)
    first = following[:1]
    if rest in always or "a" <= first <= "z" or (rest in before_numbers and "0" <= first <= "9"):
        return word
    return f"{rest} ."


@lru_cache(maxsize=8)
def _abbreviations(lang: str) -> tuple[frozenset[str], frozenset[str]]:
    """Those whose full stop is always part of them, and those of which it is in front of a number."""
    numeric = frozenset(word.removesuffix(_NUMERIC_ONLY) for word in prefixes_of(lang) if word.endswith(_NUMERIC_ONLY))
    return frozenset(prefixes_of(lang)), numeric
