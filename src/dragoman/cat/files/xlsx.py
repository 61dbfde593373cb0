"""Bilingual Excel workbooks (Office Open XML, ECMA-376)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from dragoman.cat.files.archives import ArchiveFormat
from dragoman.cat.files.base import Langs, Slot
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import written
from dragoman.cat.files.markup import Element, escape, tree
from dragoman.cat.files.tables import columns, language_columns, table_unit
from dragoman.cat.files.zips import Archive
from dragoman.cat.segments import Target
from dragoman.errors import DataError
from dragoman.notation import whole_number
from dragoman.options import option

__all__ = ["Xlsx"]

_SHEET = re.compile(r"xl/worksheets/sheet(\d{1,6})\.xml")
_STRINGS = "xl/sharedStrings.xml"


@dataclass(frozen=True)
class _Row(Slot):
    row: Element
    cell: Element | None  # of the target
    place: str  # `B7`


@dataclass(frozen=True)
class Xlsx(ArchiveFormat[_Row]):
    """Bilingual Excel workbooks: one unit a row, on every sheet that has the two columns, by heading, letter or number.

    Targets become texts in their cells, which keep their style. Formulas, other columns and sheets are kept; macros are
    refused.
    """

    name: ClassVar[str] = "xlsx"
    suffixes: ClassVar[tuple[str, ...]] = (".xlsx",)
    main: ClassVar[str] = "xl/workbook.xml"
    what: ClassVar[str] = "an Excel workbook"
    macros: ClassVar[tuple[str, ...]] = ("vbaProject.bin",)
    bilingual: ClassVar[bool] = True
    source: str = option("source", text="Heading of the column of sources, its letter or its number from 1.")
    target: str = option("target", text="Heading of the column of targets, its letter or its number from 1.")
    header: bool = option(True, text="The first row has headings; without them columns are named by letter or number.")

    def documents(self, archive: Archive) -> Sequence[tuple[Document, Sequence[_Row]]]:
        """The sheets that have the columns; an error if none has."""
        numbers = sorted(int(match[1]) for each in archive.names() if (match := _SHEET.fullmatch(each)))
        strings = self._strings(archive)
        sheets, problem = [], None
        for number in numbers:
            document = self.part(archive, f"xl/worksheets/sheet{number}.xml")
            try:
                sheets.append((document, self._rows(document, strings, number)))
            except DataError as error:
                problem = problem or error
        if not sheets and problem:
            raise problem
        return sheets

    def for_languages(self, content: bytes, langs: Langs, *, name: str = "file") -> Self:
        """The format with the columns that are called as the languages are, on the first sheet that has them."""
        archive = self.archive(content, name)
        strings = self._strings(archive)
        for part in archive.names():
            row = next(tree(self.part(archive, part)).within("row"), None) if _SHEET.fullmatch(part) else None
            header = [_text(cell, strings) for cell in _cells(row)[1].values()] if row and self.header else []
            named = language_columns(header, langs)
            if named and not {"source", "target"} & {each.lower() for each in header}:
                return replace(self, source=named[0], target=named[1])
        return self

    def edits(self, document: Document, slots: Sequence[_Row], targets: Mapping[str, Target]) -> Sequence[Edit]:  # noqa: ARG002
        """New cells for targets."""
        return [
            _edit(slot, targets[slot.unit.key]) for slot in slots if targets[slot.unit.key].text != slot.unit.target
        ]

    def _strings(self, archive: Archive) -> list[str]:
        """The texts that cells refer to by number."""
        if _STRINGS not in archive.names():
            return []
        return [_parts(item) for item in tree(self.part(archive, _STRINGS)).named("si")]

    def _rows(self, document: Document, strings: Sequence[str], sheet: int) -> list[_Row]:
        rows = [_cells(row) for row in tree(document).within("row")]
        if not rows:
            return []
        source, target = self._columns(document, rows[0][1], strings)
        found = []
        for number, (element, cells) in enumerate(rows[self.header :], start=1 + self.header):
            cell = cells.get(source)
            text = _text(cell, strings)
            if cell and text.strip() and cell.attributes.get("t", "n") in {"s", "str", "inlineStr"}:  # numbers stay
                unit = table_unit(number, text, _text(cells.get(target), strings))
                row = element.attributes.get("r", str(number))
                key = f"{sheet}/{row}"
                place = f"{_letters(target)}{row}"
                unit = replace(unit, key=key)
                found.append(_Row(unit, element.begin, element.end, element, cells.get(target), place))
        return found

    def _columns(self, document: Document, first: Mapping[int, Element], strings: Sequence[str]) -> tuple[int, int]:
        header = (
            [_text(first.get(place), strings) for place in range(max(first, default=-1) + 1)] if self.header else []
        )
        wanted = [self.source, self.target]
        if not self.header and wanted == ["source", "target"]:
            wanted = ["1", "2"]
        named = [each.strip().lower() for each in header]
        for place, each in enumerate(wanted):
            if each.strip().lower() not in named and re.fullmatch("[A-Za-z]{1,2}", each):
                wanted[place] = str(_number(each.upper()) + 1)
        return columns(header, wanted[0], wanted[1], document.name, self.name)


def _parts(item: Element) -> str:
    """The text of a string; the reading aids of Japanese are no part of it."""
    return "".join(
        text.plain()
        for part in item.children
        for text in ([part] if part.tag == "t" else part.named("t"))
        if part.tag in {"t", "r"}
    )


def _cells(row: Element) -> tuple[Element, dict[int, Element]]:
    """The cells by column, from 0; one without a name stands behind the one before."""
    cells: dict[int, Element] = {}
    place = -1
    for cell in row.named("c"):
        letters = re.match("[A-Z]{1,3}", cell.attributes.get("r", ""))
        place = _number(letters[0]) if letters else place + 1
        cells[place] = cell
    return row, cells


def _text(cell: Element | None, strings: Sequence[str]) -> str:
    if cell is None:
        return ""
    kind, value = cell.attributes.get("t", "n"), cell.first("v")
    if kind == "inlineStr":
        item = cell.first("is")
        return _parts(item) if item else ""
    text = value.plain() if value else ""
    if kind == "s":
        number = whole_number(text)
        return strings[number] if number is not None and number < len(strings) else ""
    return text


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _letters(number: int) -> str:
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _edit(row: _Row, target: Target) -> Edit:
    element = row.row
    prefix = element.text[element.begin + 1 : element.inner_begin].split("row")[0]
    text = escape(written(target.text, row.unit.codes))
    style = row.cell.attributes.get("s") if row.cell else None
    styled = f' s="{style}"' if style is not None and style.isdigit() else ""
    cell = (
        f'<{prefix}c r="{row.place}"{styled} t="inlineStr"><{prefix}is><{prefix}t xml:space="preserve">{text}'
        f"</{prefix}t></{prefix}is></{prefix}c>"
    )
    if row.cell is not None:
        return Edit(row.cell.begin, row.cell.end, cell)
    letters = re.match("[A-Z]+", row.place)
    place = _number(letters[0]) if letters else 0
    before = [each for number, each in _cells(element)[1].items() if number < place]
    behind = before[-1].end if before else element.inner_begin
    return Edit(behind, behind, cell)
