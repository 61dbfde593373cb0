"""The Moses detokeniser: from tokens back to text, after detokenizer.perl.

Where its answers differ from those of sacremoses, and why, is told in docs/differences-moses.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dragoman._core import text as core
from dragoman.text.prefixes import language_of

__all__ = ["MosesDetokeniser"]


@dataclass(frozen=True)
class MosesDetokeniser:
    """Joins tokens to text: punctuation, brackets and quotes to their words, contractions, Chinese and Japanese."""

    lang: str = "en"
    """Has rules for en, fr, it, ga, ca, cs, fi and ko; `fr-CA` is `fr`."""
    unescape: bool = True
    """Turn the entities that the tokeniser writes back into & | < > ' " [ ]."""

    def __post_init__(self) -> None:
        language_of(self.lang)

    def detokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """The text that the tokens of each line make. The answer does not depend on `n_threads`."""
        return _kernel(self).detokenise(lines, n_threads=n_threads)


@lru_cache(maxsize=64)
def _kernel(detokeniser: MosesDetokeniser) -> core.MosesDetokeniser:
    return core.MosesDetokeniser(lang=language_of(detokeniser.lang), unescape=detokeniser.unescape)
