"""Synonyms of words, from a file of classes: a code and its words on each line, as in Cilin (同义词词林)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from dragoman.cache import digest_of
from dragoman.errors import DataError, FormatError
from dragoman.files import iter_lines, read_bytes
from dragoman.options import option
from dragoman.text.annotate.base import Need, TypeAnnotator
from dragoman.text.languages import parse_language

__all__ = ["Thesaurus"]


@dataclass(frozen=True)
class Thesaurus(TypeAnnotator[tuple[str, ...]]):
    """Synonyms from a file of classes: two words are synonyms if a line has both.

    The lines of Cilin are `Bp34A01= 伞 雨伞 …`: the last sign of a code tells synonyms (`=`) from related words (`#`)
    and from words without any (`@`), and the signs before it say how near classes are.
    """

    name: ClassVar[str] = "thesaurus"
    layers: ClassVar[tuple[str, ...]] = ("synonyms", "synsets")

    lang: str = option("en", positional=True, text="language of the text")
    give: str = option("synonyms", choices=("synonyms", "synsets"), text="the layer wanted")
    file: str | None = option(None, text="the classes: on each line a code and its words, between blanks")
    kinds: str | None = option(None, text="only classes whose code ends in one of these signs (=#); all by default")
    code: int = option(0, low=0, high=99, text="signs of the code that must agree; 0: all of it")

    def __post_init__(self) -> None:
        parse_language(self.lang)

    def needs(self) -> list[Need]:
        """The file."""
        what = "a file of classes" if self.file is None else f"the file of classes {self.file}"
        return [Need(what, "say thesaurus+file=FILE (such as Cilin's)", self._is_there)]

    def _is_there(self) -> bool:
        return self.file is not None and Path(self.file).is_file()

    def fingerprint(self) -> str | None:
        """The classes of the file."""
        return None if self.file is None else f"{self.signature()} {digest_of(read_bytes(self.file))}"

    def _annotate_types(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        codes, members = _classes(str(self.file), self.kinds, self.code)
        if self.give == "synsets":
            return [codes.get(word, ()) for word in words]
        others = (dict.fromkeys(other for code in codes.get(word, ()) for other in members[code]) for word in words)
        return [tuple(sorted(each.keys() - {word})) for word, each in zip(words, others, strict=True)]


@lru_cache(maxsize=4)
def _classes(path: str, kinds: str | None, length: int) -> tuple[dict[str, tuple[str, ...]], dict[str, list[str]]]:
    """The codes of each word, and the words of each code."""
    codes: dict[str, dict[str, None]] = {}
    members: dict[str, list[str]] = {}
    number = 0
    for number, line in enumerate(iter_lines(path), start=1):
        code, *words = line.split() or [""]
        if not words:
            raise FormatError("expected a code and its words between blanks, as in Cilin.", path=path, line=number)
        if kinds is None or code[-1] in kinds:
            code = code[:length] if length else code
            members.setdefault(code, []).extend(words)
            for word in words:
                codes.setdefault(word, {})[code] = None
    if not members:
        of_kinds = "" if kinds is None else f" whose code ends in one of {kinds}"
        raise DataError(f"{path} has {number} lines and no class{of_kinds}.")
    return {word: tuple(each) for word, each in codes.items()}, members
