"""Words that a dictionary knows, or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from os import fspath
from pathlib import Path
from typing import ClassVar

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.text.annotate.base import Need, TypeAnnotator
from dragoman.text.spelling import Dictionary

__all__ = ["Spelling"]


@dataclass(frozen=True)
class Spelling(TypeAnnotator[bool]):
    """True for words that a Hunspell dictionary knows: roots, affixes, compounds, in any case that is right."""

    name: ClassVar[str] = "hunspell"
    layers: ClassVar[tuple[str, ...]] = ("spelling",)

    dictionary: str = option("", positional=True, text="the dictionary's files, without .aff and .dic; required")

    def __post_init__(self) -> None:
        if not fspath(self.dictionary):
            raise DataError("The annotator hunspell needs a dictionary: hunspell:dictionary=/usr/share/hunspell/es_ES.")

    def needs(self) -> list[Need]:
        """The two files."""
        base = fspath(self.dictionary).removesuffix(".dic").removesuffix(".aff")
        return [
            Need(
                f"the dictionary {base}.aff and .dic",
                "apt install hunspell-en-us (or -es, -de-de, …)",
                lambda: all(Path(base + end).is_file() for end in (".aff", ".dic")),
            )
        ]

    def _annotate_types(self, words: Sequence[str]) -> list[bool]:
        return _dictionary(fspath(self.dictionary)).knows(words)


@lru_cache(maxsize=4)
def _dictionary(path: str) -> Dictionary:
    return Dictionary.load(path)
