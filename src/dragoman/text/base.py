"""The contract of tokenisers, and the table of those we have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

from dragoman.registry import Registry

__all__ = ["TOKENISERS", "Tokeniser"]


@dataclass(frozen=True)
class Tokeniser(ABC):
    """Cuts lines into tokens. Options are the fields of the subclass, hence the signature is derived, not written."""

    name: ClassVar[str]

    @abstractmethod
    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line with its tokens separated by spaces. The answer does not depend on `n_threads`."""

    def signature(self) -> str:
        """The name, followed by the options that differ from their defaults: `moses+lang=de`."""
        changed = [f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != f.default]
        return "+".join([self.name, *changed])


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
