"""Quotes and apostrophes brought to one form (Zeman, Data Issues of the Multilingual Translation Matrix, WMT 2012).

Text from many sources writes quotations with straight marks, directed marks, accents and primes, with blanks where none
belong. Here they all become “ and ”, single and double ones alike, and the apostrophes among them ’: paired marks help
alignment, and a system that learns them writes text that is easy to detokenise. The ASCII form is what the official
normalisation of the shared tasks makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

from dragoman._core import text as core
from dragoman.errors import DataError
from dragoman.text.prefixes import language_of

__all__ = ["QuoteStyle", "normalise_quotes"]

QuoteStyle = Literal["directed", "ascii"]


def normalise_quotes(
    lines: Sequence[str], lang: str, *, style: QuoteStyle = "directed", guillemets: bool = False, n_threads: int = 1
) -> list[str]:
    """Each line with its quotation marks as “ ” and its apostrophes as ’, or as straight marks in the `ascii` style.

    `lang` knows the clitics that stand with an apostrophe. With `guillemets` « » and ‹ › are quotation marks as well.
    Normalising twice changes nothing; the answer does not depend on `n_threads`.
    """
    if style not in get_args(QuoteStyle):
        raise DataError(f"There is no quote style {style!r}. Known: {', '.join(get_args(QuoteStyle))}.")
    return _kernel(language_of(lang), style, guillemets).normalise(lines, n_threads=n_threads)


@lru_cache(maxsize=64)
def _kernel(lang: str, style: QuoteStyle, guillemets: bool) -> core.QuoteNormaliser:
    return core.QuoteNormaliser(lang=lang, ascii=style == "ascii", guillemets=guillemets)
