"""Numbers as languages write them, and as one word for all of them (LIUM at WMT 2012).

English has 32,000 and 0.99, French 32 000 and 0,99, German 32.000 and 0,99. In tokens a space within a number is `_`:
the number is one token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dragoman.text.languages import base_language

__all__ = ["DECIMAL", "INTEGER", "NumberStyle", "join_numbers", "localise_number", "localise_numbers", "number_tag"]

INTEGER, DECIMAL = "@@NUM", "@@DEC"
_DAYS = 31  # up to here integers may be days of dates, which translate by context
_SPACE = "_"  # stands for a space within a number

_POINTS = ("de", "es", "it", "nl", "pt", "da", "id", "tr", "el", "ro", "hr", "sl")  # 32.000,5
_SPACES = ("fr", "cs", "sk", "pl", "ru", "uk", "sv", "fi", "nb", "nn", "no", "hu", "bg", "lv", "lt", "et")  # 32 000,5


@dataclass(frozen=True)
class NumberStyle:
    """How a language writes numbers: what stands between thousands, and before decimals."""

    group: str
    decimal: str

    @classmethod
    def of(cls, lang: str) -> NumberStyle:
        """The style of a language; languages that are not listed write as English does."""
        base = base_language(lang)
        if base in _SPACES:
            return cls(_SPACE, ",")
        return cls(".", ",") if base in _POINTS else cls(",", ".")


@lru_cache(maxsize=64)
def _pattern(lang: str) -> re.Pattern[str]:
    style = NumberStyle.of(lang)
    group, decimal = re.escape(style.group), re.escape(style.decimal)
    return re.compile(rf"(?P<whole>\d{{1,3}}(?:{group}\d{{3}})+|\d+)(?:{decimal}(?P<decimals>\d+))?")


_SPACED = re.compile(r"(?<!\S)\d{1,3}(?: \d{3})+(?:,\d+)?(?!\S)")


def join_numbers(line: str, lang: str) -> str:
    """A line of tokens with 32 000 as one token, 32_000, if the language writes so."""
    if NumberStyle.of(lang).group != _SPACE:
        return line
    return _SPACED.sub(lambda number: number[0].replace(" ", _SPACE), line)


def number_tag(token: str, lang: str) -> str | None:
    """The word that stands for a number: `@@NUM`, `@@DEC`; None for integers up to 31 and for what is no number."""
    number = _pattern(lang).fullmatch(token)
    if number is None:
        return None
    if number["decimals"]:
        return DECIMAL
    return None if token.isdigit() and int(token) <= _DAYS else INTEGER


def localise_number(token: str, source: str, target: str) -> str:
    """A number as the target language writes it; what is no number of the source language stays as it is."""
    number = _pattern(source).fullmatch(token)
    if number is None:
        return token
    here, there = NumberStyle.of(source), NumberStyle.of(target)
    whole = number["whole"].replace(here.group, there.group)
    return whole + (there.decimal + number["decimals"] if number["decimals"] else "")


def localise_numbers(text: str, source: str, target: str) -> str:
    """Text with all its numbers as the target language writes them: 0.99 → 0,99 and 32,000 → 32 000 from en to fr."""
    joined = join_numbers(text, source)
    converted = re.sub(
        r"(?<![\w.,])[\d][\d.,_]*\d(?!\w)", lambda each: localise_number(each[0], source, target), joined
    )
    return re.sub(r"(?<=\d)_(?=\d{3})", " ", converted)
