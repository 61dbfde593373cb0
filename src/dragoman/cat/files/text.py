"""Plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.base import PlainFormat, Slot
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, InlineText, one_line, written
from dragoman.cat.segments import Target, Unit
from dragoman.options import option

__all__ = ["PlainText"]

_LINE = re.compile(r"[^\r\n]+")
_PARAGRAPH = re.compile(r"[^\r\n]+(?:(?:\r?\r\n|\r|\n)[^\S\r\n]*[^\s][^\r\n]*)*")
_BREAK = re.compile(r"(?<![^\S\r\n])[^\S\r\n]*+(?:\r?\r\n|\r|\n)[^\S\r\n]*+")


@dataclass(frozen=True)
class PlainText(PlainFormat[Slot]):
    """Plain text: each line is a unit; with `paragraphs=yes` lines up to an empty one are. Outer blanks stay."""

    name: ClassVar[str] = "text"
    suffixes: ClassVar[tuple[str, ...]] = (".txt", ".text")
    paragraphs: bool = option(False, text="Units end at empty lines only: for text that was wrapped by hand.")

    def slots(self, document: Document) -> Sequence[Slot]:
        """A slot for each line, or paragraph, that has text."""
        pattern = _PARAGRAPH if self.paragraphs else _LINE
        slots: list[Slot] = []
        for match in pattern.finditer(document.text, document.start):
            piece = match[0]
            text = piece.strip()
            if text:
                begin = match.start() + piece.index(text)
                slots.append(Slot(self._unit(len(slots) + 1, text), begin, begin + len(text)))
        return slots

    def _unit(self, number: int, text: str) -> Unit:
        inline = InlineText(table := CodeTable())
        inline.add(_BREAK.sub(" ", text) if self.paragraphs else text)
        return Unit(str(number), str(inline), tuple(table.codes))

    def edits(self, document: Document, slot: Slot, target: Target) -> Iterable[Edit]:  # noqa: ARG002
        """The text in place of the line, line breaks in it as blanks: a line of the file stays one."""
        if target.text == slot.unit.source:
            return []
        text = written(target.text, slot.unit.codes).strip()
        return [Edit(slot.begin, slot.end, one_line(text))]
