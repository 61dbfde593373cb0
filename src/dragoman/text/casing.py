"""Upper and lower case by the rules of the language.

Without a language the answers are those of Python's `str.lower` and `str.upper` (full Unicode mappings, final sigma).
Turkish and Azeri pair `I` with `ı` and `İ` with `i`. German keeps `ß` among capitals, and `ẞ` becomes `ß` in small
letters. A Dutch word in `ij` begins with `IJ`.

Two customs are not followed: Lithuanian keeps the dot of an accented `i` (`Ì` → `i̇̀`), which only dictionaries write,
and Greek drops its accents in capitals (`Άνθρωπος` → `ΑΝΘΡΩΠΟΣ`), which cannot be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from dragoman.errors import DataError
from dragoman.text.languages import base_language

if TYPE_CHECKING:
    from dragoman._core.text import CaseRules

__all__ = ["case_rules", "lowercase", "sentence_case", "truecase_by_lemma", "uppercase"]

_SHARP_S = {"keep": "ß", "double": "SS", "capital": "ẞ"}


def lowercase(lines: Sequence[str], lang: str | None = None, *, n_threads: int = 1) -> list[str]:
    """Each line in small letters: `lowercase(["IĞDIR"], "tr")` → `["ığdır"]`."""
    from dragoman._core import text

    return text.lowercase(lines, case_rules(lang), n_threads=n_threads)


def uppercase(
    lines: Sequence[str], lang: str | None = None, *, sharp_s: str | None = None, n_threads: int = 1
) -> list[str]:
    """Each line in capitals. `sharp_s` says what becomes of `ß`: `keep` (German's default), `double`, `capital`."""
    from dragoman._core import text

    rules = case_rules(lang)
    if sharp_s is None:
        return text.uppercase(lines, rules, n_threads=n_threads)
    if sharp_s not in _SHARP_S:
        raise DataError(f"sharp_s must be one of {', '.join(map(repr, _SHARP_S))}. Got {sharp_s!r} instead.")
    if rules == text.CaseRules.TURKIC:
        lines = [line.replace("i", "İ") for line in lines]
    # German's rules keep ß, and in capitals differ from the others in nothing else.
    upper = text.uppercase(lines, text.CaseRules.GERMAN, n_threads=n_threads)
    return [line.replace("ß", _SHARP_S[sharp_s]) for line in upper]


def sentence_case(lines: Sequence[str], lang: str | None = None, *, n_threads: int = 1) -> list[str]:
    """Each line with a capital at its first letter, behind quotes and brackets too; all else stays as it is."""
    from dragoman._core import text

    return text.sentence_case(lines, case_rules(lang), n_threads=n_threads)


def truecase_by_lemma(
    token_lines: Sequence[Sequence[str]],
    lemma_lines: Sequence[Sequence[str]],
    lang: str | None = None,
    *,
    n_threads: int = 1,
) -> list[list[str]]:
    """Each token with the case of its lemma, all else in small letters (Zeman, WMT 2012, "supervised truecasing").

    The lemmatiser decides what is a name: `LONDÝNEM` with the lemma `Londýn` becomes `Londýnem`, `The` with the lemma
    `the` becomes `the`. Capitals are taken over letter by letter as far as the two spell alike (`NATOs`, `iPhones`). A
    lemma without letters (`_`, an empty one) says nothing, and its token stays as it is.
    """
    from dragoman._core import text

    if len(token_lines) != len(lemma_lines):
        raise DataError(
            f"Streams must have one line per segment, got tokens={len(token_lines)}, lemmas={len(lemma_lines)}."
        )
    for number, (tokens, lemmas) in enumerate(zip(token_lines, lemma_lines, strict=True), start=1):
        if len(tokens) != len(lemmas):
            raise DataError(f"Line {number} has {len(tokens)} tokens but {len(lemmas)} lemmas.")
    forms = list(chain.from_iterable(token_lines))
    lemmas = list(chain.from_iterable(lemma_lines))
    cased = iter(text.cast_case(forms, lemmas, case_rules(lang), n_threads=n_threads))
    return [list(islice(cased, len(tokens))) for tokens in token_lines]


@lru_cache(maxsize=256)
def case_rules(lang: str | None) -> CaseRules:
    """The core's name for the casing rules of a language."""
    from dragoman._core import text

    if lang is None:
        return text.CaseRules.STANDARD
    rules = {"az": text.CaseRules.TURKIC, "de": text.CaseRules.GERMAN, "nl": text.CaseRules.DUTCH}
    rules |= {"tr": text.CaseRules.TURKIC, "gsw": text.CaseRules.GERMAN, "nds": text.CaseRules.GERMAN}
    return rules.get(base_language(lang), text.CaseRules.STANDARD)
