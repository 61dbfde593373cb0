"""Texts of LibreOffice (OpenDocument, ISO 26300)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.base import FileFormat, Langs
from dragoman.cat.files.document import Document
from dragoman.cat.files.inline import CodeTable, InlineText, written
from dragoman.cat.files.markup import Element, check_fragment, escape, tree, xml_document
from dragoman.cat.files.nested import NestedSlot, nested_edits
from dragoman.cat.files.xml_inline import Dialect, read_inline
from dragoman.cat.files.zips import Archive
from dragoman.cat.segments import Code, Target, Unit

__all__ = ["Odt"]

_PARTS = ("content.xml", "styles.xml")  # the text; headers and footers
_DIALECT = Dialect(
    whole=frozenset(
        {
            "draw:frame",
            "draw:custom-shape",
            "draw:g",
            "text:note",
            "office:annotation",
            "text:ruby",
            "text:tracked-changes",
        }
    ),
    ids=("text:id", "xml:id"),
)


@dataclass(frozen=True)
class Odt(FileFormat):
    """OpenDocument texts: each paragraph and heading of the text, tables, frames, notes, headers and footers.

    Spans, links, fields, tabs, breaks, frames and notes are codes; styles and all other parts of the file are kept.
    """

    name: ClassVar[str] = "odt"
    suffixes: ClassVar[tuple[str, ...]] = (".odt", ".ott")

    def units(self, content: bytes, *, name: str = "file") -> list[Unit]:
        """The paragraphs that have text."""
        archive = _archive(content, name)
        return [slot.unit for part in _parts(archive) for slot in _slots(_document(archive, part), part)]

    def _filled(self, content: bytes, targets: Mapping[str, Target], langs: Langs | None, name: str) -> bytes:  # noqa: ARG002
        archive = _archive(content, name)
        parts = {}
        for part in _parts(archive):
            document = _document(archive, part)
            slots = [
                slot
                for slot in _slots(document, part)
                if slot.unit.key in targets and targets[slot.unit.key].text != slot.unit.source
            ]
            if slots:
                edits = nested_edits(document, slots, lambda slot, codes: _markup(slot, codes, targets[slot.unit.key]))
                parts[part] = document.spliced(edits, escaped=True)
        return archive.replaced(parts) if parts else content


def _archive(content: bytes, name: str) -> Archive:
    archive = Archive.of(content, name)
    names = archive.names()
    if any(each.startswith("Basic/") for each in names):
        raise archive.error("it has macros. Remove them (Tools, Macros) and save it again")
    if "content.xml" not in names:
        raise archive.error("it is no OpenDocument text: it has no content.xml")
    return archive


def _parts(archive: Archive) -> list[str]:
    return [part for part in _PARTS if part in archive.names()]


def _document(archive: Archive, part: str) -> Document:
    return xml_document(archive.read(part), f"{archive.name}/{part}")


def _slots(document: Document, part: str) -> list[NestedSlot]:
    label = part.removesuffix(".xml")
    slots = []
    for number, element in enumerate(tree(document).within("text:p", "text:h"), start=1):
        table = CodeTable()
        inline = InlineText(table)
        read_inline(document.text, element.inner_begin, element.inner_end, _DIALECT, inline)
        text = str(inline)
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
