"""The Moses tokeniser, after tokenizer.perl of Moses release 4.0.

Where its answers differ from those of sacremoses, and why, is told in docs/differences-moses.md; the tests hold it to
that list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from dragoman._core import text as core
from dragoman.text.base import Tokeniser
from dragoman.text.prefixes import check_prefix, language_of, prefixes_of
from dragoman.text.protected import named_patterns, own_patterns, spans_of

__all__ = ["MosesTokeniser"]


@dataclass(frozen=True)
class MosesTokeniser(Tokeniser):
    """The tokeniser of the Moses toolkit: punctuation set apart, abbreviations, numbers and contractions kept."""

    name: ClassVar[str] = "moses"

    lang: str = "en"
    """Chooses the abbreviations and what happens at apostrophes; `pt-BR` is `pt`."""
    aggressive_dash_splits: bool = False
    """`foo-bar` becomes `foo @-@ bar`."""
    escape: bool = True
    """Write & | < > ' " [ ] as entities, as Moses does; its decoder gives them a meaning."""
    protected: tuple[str, ...] = ()
    """What to leave whole: names of `PATTERNS`, or `re:` and a regular expression."""
    prefixes: tuple[str, ...] | None = None
    """Abbreviations to use instead of the language's own; see `read_prefixes`."""
    split_last: bool = False
    """Cut the full stop off the last word, whatever the word, as Moses does since release 4.0: `the U.S .`"""

    def __post_init__(self) -> None:
        _kernel(self)

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line with its tokens separated by spaces. The answer does not depend on `n_threads`."""
        own = own_patterns(self.protected)
        if not own:
            return _kernel(self).tokenise(lines, n_threads=n_threads)
        lines = tuple(lines)
        return _kernel(self).tokenise_around(lines, *spans_of(lines, own), n_threads=n_threads)


@lru_cache(maxsize=64)
def _kernel(tokeniser: MosesTokeniser) -> core.MosesTokeniser:
    own_patterns(tokeniser.protected)
    options = core.MosesOptions()
    options.lang = language_of(tokeniser.lang)
    options.aggressive_dash_splits = tokeniser.aggressive_dash_splits
    options.escape = tokeniser.escape
    options.split_last = tokeniser.split_last
    options.protect = named_patterns(tokeniser.protected)
    if tokeniser.prefixes is None:
        words = prefixes_of(tokeniser.lang)
    else:
        words = tuple(check_prefix(entry) for entry in tokeniser.prefixes)
    return core.MosesTokeniser(options, words)
