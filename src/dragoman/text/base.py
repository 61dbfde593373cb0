"""The contract of tokenisers, and the table of those we have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from dragoman.options import changed_options
from dragoman.registry import Registry
from dragoman.text.tokens import TokenBatch, TokenIds

if TYPE_CHECKING:
    from dragoman import _core
    from dragoman.text.vocabulary import Vocabulary

__all__ = ["TOKENISERS", "NativeTokeniser", "Tokeniser"]


@dataclass(frozen=True)
class Tokeniser(ABC):
    """Cuts lines into tokens. Options are the fields of the subclass, hence the signature is derived, not written.

    A line may hold anything that is text, line breaks and NUL too. A lone surrogate, which is no character, raises
    `DataError` with the line's number. Nothing depends on `n_threads`.
    """

    name: ClassVar[str]
    idempotent: ClassVar[bool] = False  # tokenising what is tokenised changes nothing

    @abstractmethod
    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line with its tokens separated by white space (by single spaces, where the method does not say else)."""

    def batch(self, lines: Sequence[str], *, n_threads: int = 1) -> TokenBatch:
        """The tokenised lines as one run of UTF-8 with the places of all tokens."""
        from dragoman import _core

        tokenised = self.tokenise(lines, n_threads=n_threads)
        return TokenBatch(_core.text.surface_tokeniser("none").batch(tokenised, n_threads=n_threads))

    def encode(self, lines: Sequence[str], vocabulary: Vocabulary, *, n_threads: int = 1) -> TokenIds:
        """The tokens as ids. A growing vocabulary takes in new ones; a frozen one gives the id of its unknown word."""
        from dragoman import _core

        tokenised = self.tokenise(lines, n_threads=n_threads)
        none = _core.text.surface_tokeniser("none")
        return TokenIds(*vocabulary.core.encode(tokenised, none, n_threads=n_threads))

    def signature(self) -> str:
        """The name, followed by the options that differ from their defaults: `moses+lang=de`."""
        return "+".join([self.name, *changed_options(self)])


@dataclass(frozen=True)
class NativeTokeniser(Tokeniser):
    """A tokeniser that lives in the native core: batches and ids come from there without Python strings between."""

    @property
    @abstractmethod
    def core(self) -> _core.text.Tokeniser:
        """The tokeniser of the core, with the options of this one."""

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line with its tokens separated by white space."""
        return self.core.tokenise(lines, n_threads=n_threads)

    def batch(self, lines: Sequence[str], *, n_threads: int = 1) -> TokenBatch:
        """The tokenised lines as one run of UTF-8 with the places of all tokens."""
        return TokenBatch(self.core.batch(lines, n_threads=n_threads))

    def encode(self, lines: Sequence[str], vocabulary: Vocabulary, *, n_threads: int = 1) -> TokenIds:
        """The tokens as ids."""
        return TokenIds(*vocabulary.core.encode(lines, self.core, n_threads=n_threads))


TOKENISERS: Registry[Tokeniser] = Registry(
    "tokeniser",
    {
        "13a": "dragoman.text.surface:Tokeniser13a",
        "char": "dragoman.text.surface:CharTokeniser",
        "intl": "dragoman.text.surface:InternationalTokeniser",
        "ja-mecab": "dragoman.text.mecab:JapaneseTokeniser",
        "ko-mecab": "dragoman.text.mecab:KoreanTokeniser",
        "moses": "dragoman.text.moses:MosesTokeniser",
        "none": "dragoman.text.surface:NoTokeniser",
        "spm": "dragoman.text.subword:SubwordTokeniser",
        "zh": "dragoman.text.surface:ChineseTokeniser",
    },
)
