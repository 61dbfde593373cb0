"""The Moses punctuation normaliser, after normalize-punctuation.perl and the two scripts that go before and behind it.

Where its answers differ from those of sacremoses, and why, is told in docs/differences-moses.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from dragoman._core import text as core
from dragoman.text.prefixes import language_of

__all__ = ["PunctuationNormaliser"]


@dataclass(frozen=True)
class PunctuationNormaliser:
    """Brings quotes, dashes, apostrophes and the spaces around punctuation to one ASCII form, by language."""

    lang: str = "en"
    """Decides where commas stand at quotes and how numbers are written; `de-AT` is `de`."""
    penn: bool = False
    """Leave ` and '' as they are, for text in the style of the Penn Treebank."""
    quote_commas: bool = True
    """Move commas and full stops into quotes (English) or out of them (all others but Czech)."""
    numbers: bool = True
    """A no-break space between digits becomes a comma (de, es, cs, fr) or a full stop."""
    replace_unicode: bool = False
    """First, bring East Asian punctuation and digits to ASCII (replace-unicode-punctuation.perl)."""
    remove_control: bool = False
    """Last, remove control and format characters (remove-non-printing-char.perl)."""

    def __post_init__(self) -> None:
        language_of(self.lang)

    def normalise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line normalised, without white space at its ends. The answer does not depend on `n_threads`."""
        return _kernel(self).normalise(lines, n_threads=n_threads)


@lru_cache(maxsize=64)
def _kernel(normaliser: PunctuationNormaliser) -> core.PunctuationNormaliser:
    return core.PunctuationNormaliser(**{**asdict(normaliser), "lang": language_of(normaliser.lang)})
