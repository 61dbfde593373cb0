"""Parsed lines as a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.report import Result, Table
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["ParsedLines", "empty_line"]


@dataclass(frozen=True)
class ParsedLines(Result):
    """Parsed sentences, a line each."""

    kind: ClassVar[str] = "parsed lines"

    sentences: tuple[Sentence, ...]
    model: str

    def tables(self) -> list[Table]:
        """One row for each word."""
        rows = [
            (number, word.id, word.form, word.upos, word.xpos, word.feats, word.head, word.deprel, word.misc)
            for number, sentence in enumerate(self.sentences, start=1)
            for word in sentence.words
        ]
        return [Table.of("", ["line", "id", "form", "upos", "xpos", "feats", "head", "deprel", "misc"], rows)]

    def meta(self) -> dict[str, Any]:
        """The parser."""
        return {"model": self.model, "lines": len(self.sentences)}


def empty_line() -> Sentence:
    """What stands in a CoNLL-U file for a line without tokens: its `text` is empty, its one word is nothing."""
    return Sentence((Word(1, NOTHING, head=0, deprel="root", upos="X"),), ("# text =",))
