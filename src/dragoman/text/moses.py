"""The Moses tokeniser, after tokenizer.perl of Moses release 4.0.

Where its answers differ from those of sacremoses, and why, is told in docs/differences-moses.md; the tests hold it to
that list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from dragoman._core import text as core
from dragoman.text.base import NativeTokeniser, Tokeniser
from dragoman.text.prefixes import check_prefixes, language_of
from dragoman.text.protected import named_patterns, own_patterns, spans_of
from dragoman.text.tokens import TokenBatch, TokenIds

if TYPE_CHECKING:
    from dragoman.text.vocabulary import Vocabulary

__all__ = ["MosesTokeniser"]


@dataclass(frozen=True)
class MosesTokeniser(NativeTokeniser):
    """The tokeniser of the Moses toolkit: punctuation set apart, abbreviations, numbers and contractions kept.

    Control characters are dropped, as Moses drops them; white space of every kind separates.
    """

    name: ClassVar[str] = "moses"

    lang: str = "en"
    """Chooses the abbreviations and what happens at apostrophes; `pt-BR` is `pt`."""
    aggressive_dash_splits: bool = False
    """`foo-bar` becomes `foo @-@ bar`."""
    escape: bool = True
    """Write & | < > ' " [ ] as entities, as Moses does; its decoder gives them a meaning."""
    protected: tuple[str, ...] = ()
    """What to leave whole: names of `PATTERNS`, or `re:` and a regular expression."""
    prefixes: tuple[str, ...] | str | None = None
    """Abbreviations to use instead of the language's own, or the path of a file that holds them, read once."""
    split_last: bool = False
    """Cut the full stop off the last word, whatever the word, as Moses does since release 4.0: `the U.S .`"""

    def __post_init__(self) -> None:
        _kernel(self)

    @property
    def core(self) -> core.MosesTokeniser:
        """The tokeniser of the core; it does not know the caller's regular expressions."""
        return _kernel(self)

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line with its tokens separated by single spaces."""
        own = own_patterns(self.protected)
        if not own:
            return _kernel(self).tokenise(lines, n_threads=n_threads)
        core.check_lines(lines)
        lines = tuple(lines)
        return _kernel(self).tokenise_around(lines, *spans_of(lines, own), n_threads=n_threads)

    def batch(self, lines: Sequence[str], *, n_threads: int = 1) -> TokenBatch:
        """The tokenised lines as one run of UTF-8 with the places of all tokens."""
        base = Tokeniser if own_patterns(self.protected) else NativeTokeniser
        return base.batch(self, lines, n_threads=n_threads)

    def encode(self, lines: Sequence[str], vocabulary: Vocabulary, *, n_threads: int = 1) -> TokenIds:
        """The tokens as ids."""
        base = Tokeniser if own_patterns(self.protected) else NativeTokeniser
        return base.encode(self, lines, vocabulary, n_threads=n_threads)


@lru_cache(maxsize=64)
def _kernel(tokeniser: MosesTokeniser) -> core.MosesTokeniser:
    own_patterns(tokeniser.protected)
    options = core.MosesOptions()
    options.lang = language_of(tokeniser.lang)
    options.aggressive_dash_splits = tokeniser.aggressive_dash_splits
    options.escape = tokeniser.escape
    options.split_last = tokeniser.split_last
    options.protect = named_patterns(tokeniser.protected)
    return core.MosesTokeniser(options, check_prefixes(tokeniser.prefixes, options.lang))
