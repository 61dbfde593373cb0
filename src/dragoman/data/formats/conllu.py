"""CoNLL-U, the format of Universal Dependencies, as one of the data room's formats."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.parsed import ParsedText
from dragoman.files import StrPath
from dragoman.text.conllu import Sentence, iter_conllu, write_conllu

__all__ = ["ConlluFormat"]


@dataclass(frozen=True)
class ConlluFormat(Format):
    """Sentences of annotated words in ten columns, a word a line, an empty line behind each sentence."""

    name: ClassVar[str] = "conllu"
    holds: ClassVar[type] = ParsedText
    suffixes: ClassVar[tuple[str, ...]] = (".conllu",)

    def read(self, path: StrPath) -> ParsedText:
        """The sentences; the file is opened when they are iterated."""
        return ParsedText(_ConlluFile(os.fspath(path)))

    def write(self, value: ParsedText, path: StrPath) -> None:
        """Write all sentences."""
        write_conllu(path, value)


@dataclass(frozen=True)
class _ConlluFile:
    path: str

    def __iter__(self) -> Iterator[Sentence]:
        return iter_conllu(self.path)
