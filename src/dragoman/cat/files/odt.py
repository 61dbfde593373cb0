"""Texts of LibreOffice (OpenDocument, ISO 26300)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.archives import ArchiveFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.markup import Element, check_fragment, escape, tree
from dragoman.cat.files.nested import NestedSlot, nested_changes
from dragoman.cat.files.xml_inline import Dialect, inline_text
from dragoman.cat.files.zips import Archive
from dragoman.cat.segments import Code, Target, Unit

__all__ = ["Odt"]

_DIALECT = Dialect(
    whole=frozenset(
        {
            "draw:frame",
            "draw:custom-shape",
            "draw:g",
            "text:note",
            "annotation",
            "text:ruby",
            "text:tracked-changes",
        }
    ),
    ids=("text:id", "xml:id"),
)


@dataclass(frozen=True)
class Odt(ArchiveFormat[NestedSlot]):
    """OpenDocument texts: each paragraph and heading of the text, tables, frames, notes, headers and footers.

    Spans, links, fields, tabs, breaks, frames and notes are codes; styles and all other parts of the file are kept.
    """

    name: ClassVar[str] = "odt"
    suffixes: ClassVar[tuple[str, ...]] = (".odt", ".ott")
    main: ClassVar[str] = "content.xml"
    what: ClassVar[str] = "an OpenDocument text"
    macros: ClassVar[tuple[str, ...]] = ("Basic/",)

    def documents(self, archive: Archive) -> Sequence[tuple[Document, Sequence[NestedSlot]]]:
        """The text, then headers and footers."""
        parts = [part for part in ("content.xml", "styles.xml") if part in archive.names()]
        return [(document := self.part(archive, part), _slots(document, part)) for part in parts]

    def edits(self, document: Document, slots: Sequence[NestedSlot], targets: Mapping[str, Target]) -> Sequence[Edit]:
        """New content for paragraphs, notes and frames inside them included."""
        return nested_changes(document, slots, targets, _markup)


def _slots(document: Document, part: str) -> list[NestedSlot]:
    label = part.removesuffix(".xml")
    slots = []
    for number, element in enumerate(tree(document).within("text:p", "text:h"), start=1):
        table = CodeTable()
        text = inline_text(element, _DIALECT, table)
        if _has_text(text):
            unit = Unit(f"{label}/{number}", text, tuple(table.codes))
            slots.append(NestedSlot(unit, element.inner_begin, element.inner_end, _spans(element, table.codes)))
    return slots


def _has_text(text: str) -> bool:
    return any(not character.isspace() and not "\ue000" <= character <= "\uf8ff" for character in text)


def _spans(element: Element, codes: Sequence[Code]) -> tuple[tuple[int, int] | None, ...]:
    """Where the codes stand that hold other paragraphs. All codes of a paragraph are in it, in their order."""
    spans: list[tuple[int, int] | None] = []
    place = element.inner_begin
    for code in codes:
        if "<text:p" not in code.text and "<text:h" not in code.text:
            spans.append(None)
            continue
        begin = element.text.index(code.text, place, element.inner_end)
        place = begin + len(code.text)
        spans.append((begin, place))
    return tuple(spans)


def _markup(slot: NestedSlot, codes: Sequence[Code], target: Target) -> str:
    markup = written(target.text, codes, lambda text: _spaced(escape(text)))
    check_fragment(markup, slot.unit.key)
    return markup


def _spaced(text: str) -> str:
    """Two blanks are one to OpenDocument, and line breaks and tabs are blanks, unless they are elements."""
    text = text.replace("\t", "<text:tab/>").replace("\n", "<text:line-break/>")
    return text.replace("  ", " <text:s/>")
