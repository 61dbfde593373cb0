"""Function words: the closed classes of a language, from lists in the package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import ClassVar

from dragoman.cache import digest_of
from dragoman.errors import UnknownName
from dragoman.files import read_bytes, read_lines
from dragoman.options import option
from dragoman.text.annotate.base import TypeAnnotator
from dragoman.text.casing import lowercase
from dragoman.text.languages import base_language

__all__ = ["FUNCTION_WORD_LANGUAGES", "FunctionWords", "function_words"]

FUNCTION_WORD_LANGUAGES = ("cs", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru")
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "‘": "'"})


@dataclass(frozen=True)
class FunctionWords(TypeAnnotator[bool]):
    """True for function words: articles, pronouns, prepositions, conjunctions, auxiliaries, particles.

    The lists are Dragoman's own, of the closed classes of ten languages, or a user's, in small letters; case and kind
    of apostrophe do not matter.
    """

    name: ClassVar[str] = "function-words"
    layers: ClassVar[tuple[str, ...]] = ("function_word",)

    lang: str = option("en", positional=True, text="language of the text")
    file: str | None = option(None, text="a list of one's own, words between blanks or line ends; # opens a comment")

    def __post_init__(self) -> None:
        if self.file is None:
            _check_language(self.lang)

    def fingerprint(self) -> str | None:
        """The words of one's own list."""
        return None if self.file is None else f"{self.signature()} {digest_of(read_bytes(self.file))}"

    def _annotate_types(self, words: Sequence[str]) -> list[bool]:
        listed = function_words(self.lang) if self.file is None else _words_of(read_lines(self.file))
        return [_key(word) in listed for word in lowercase(words, self.lang)]


@lru_cache(maxsize=16)
def function_words(lang: str) -> frozenset[str]:
    """The function words of a language, in small letters."""
    _check_language(lang)
    path = files("dragoman.text") / "function_words" / f"{base_language(lang)}.txt"
    return _words_of(path.read_text(encoding="utf-8").splitlines())


def _words_of(lines: Sequence[str]) -> frozenset[str]:
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _key(word: str) -> str:
    return word.replace("&apos;", "'").translate(_APOSTROPHES)


def _check_language(lang: str) -> None:
    if base_language(lang) not in FUNCTION_WORD_LANGUAGES:
        raise UnknownName(
            f"There is no list of function words for {lang!r}. Known: {', '.join(FUNCTION_WORD_LANGUAGES)}."
        )
