"""The sentence splitter, after Moses' split-sentences.perl, which came with the Europarl corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dragoman._core import text as core
from dragoman.text.prefixes import check_prefixes, language_of

__all__ = ["SentenceSplitter"]


@dataclass(frozen=True)
class SentenceSplitter:
    """Cuts paragraphs into sentences, minding abbreviations, quotes and brackets, and scripts without capitals."""

    lang: str = "en"
    """Chooses the abbreviations and what may begin a sentence; `pt-BR` is `pt`."""
    prefixes: tuple[str, ...] | str | None = None
    """Abbreviations to use instead of the language's own, or the path of a file that holds them, read once."""
    list_items: bool = False
    """`1.`, `(a).` or `iv.` at the beginning of a sentence does not end it."""

    def __post_init__(self) -> None:
        _kernel(self)

    def split(self, paragraphs: Sequence[str], *, n_threads: int = 1) -> list[list[str]]:
        """The sentences of each paragraph, in order; white space inside a sentence becomes one blank.

        A line break is a blank, an empty line ends a sentence. A paragraph of white space has no sentences. The answer
        does not depend on `n_threads`.
        """
        return _kernel(self).split(paragraphs, n_threads=n_threads)


@lru_cache(maxsize=64)
def _kernel(splitter: SentenceSplitter) -> core.SentenceSplitter:
    language = language_of(splitter.lang)
    words = check_prefixes(splitter.prefixes, language)
    return core.SentenceSplitter(lang=language, list_items=splitter.list_items, prefixes=words)
