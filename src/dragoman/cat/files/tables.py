"""Bilingual tables as text: a column of sources, a column of targets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

from dragoman.cat.files.base import Langs, PlainFormat, Slot
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.messages import TAGS, message_text
from dragoman.cat.segments import Target, Unit
from dragoman.errors import DataError
from dragoman.options import option

__all__ = ["Csv", "Tsv", "columns", "language_columns", "table_unit"]


class _Cell(NamedTuple):
    begin: int
    end: int
    text: str


@dataclass(frozen=True)
class _Row(Slot):
    missing: str  # separators to write before a target that the row has no cell for
    is_quoted: bool


def columns(header: Sequence[str], source: str, target: str, name: str, form: str) -> tuple[int, int]:
    """The places of the two columns, by their heading or by their number from 1."""
    places = []
    headings = [heading.strip().lower() for heading in header]
    for wanted in (source, target):
        if wanted.strip().lower() in headings:
            places.append(headings.index(wanted.strip().lower()))
        elif wanted.isascii() and wanted.isdigit() and int(wanted) > 0:
            places.append(int(wanted) - 1)
        else:
            listed = ", ".join(repr(each) for each in header[:20])
            raise DataError(
                f"{name} has no column {wanted!r}; its first row has {listed}. "
                f"Name the columns, by heading or number: {form}:source=1,target=2."
            )
    if places[0] == places[1]:
        raise DataError(f"{name}: the column {source!r} cannot be source and target at once.")
    return places[0], places[1]


def language_columns(header: Sequence[str], langs: tuple[str, str]) -> tuple[str, str] | None:
    """The headings that are the codes of two languages, exactly or but for the region."""
    found = []
    for lang in langs:
        exact = [each for each in header if each.strip().lower().replace("_", "-") == lang.lower()]
        near = [each for each in header if re.split("[-_]", each.strip().lower())[0] == lang.lower().split("-")[0]]
        found += (exact or near)[:1]
    return (found[0], found[1]) if len(found) == 2 else None


def table_unit(number: int, source: str, target: str, note: str = "") -> Unit:
    """The unit of a row."""
    table = CodeTable()
    text = message_text(source, table, (TAGS,))
    translation = message_text(target, table, (TAGS,)) or None
    state = "translated" if translation else "new"
    return Unit(str(number), text, tuple(table.codes), translation, state, note)  # type: ignore[arg-type]


@dataclass(frozen=True)
class _Table(PlainFormat[_Row]):
    separators: ClassVar[str]
    bilingual: ClassVar[bool] = True
    source: str = option("source", text="Heading of the column of sources, or its number from 1.")
    target: str = option("target", text="Heading of the column of targets, or its number from 1.")
    note: str = option("note", text="Heading of a column that is shown to the translator, if there is one.")
    header: bool = option(True, text="The first row has headings; without them columns are named by number.")

    def for_languages(self, content: bytes, langs: Langs, *, name: str = "file") -> Self:
        """The format with the columns that are called as the languages are."""
        document = self.document(content, name)
        header = [cell.text for cell in next(_rows(document, self._separator(document)), [])]
        named = language_columns(header, langs) if self.header else None
        return (
            self
            if named is None or {"source", "target"} & {*header}
            else replace(self, source=named[0], target=named[1])
        )

    def slots(self, document: Document) -> Sequence[_Row]:
        """A slot for each row that has a source."""
        separator = self._separator(document)
        rows = list(_rows(document, separator))
        if not rows:
            return []
        header = [cell.text for cell in rows[0]]
        if self.header:
            source, target = columns(header, self.source, self.target, document.name, self.name)
        else:
            source, target = columns([], *self._numbers(), document.name, self.name)
        headings = [heading.strip().lower() for heading in header]
        note = headings.index(self.note.lower()) if self.header and self.note.lower() in headings else None
        slots = []
        for number, row in enumerate(rows[self.header :], start=1 + self.header):
            if len(row) > source and row[source].text.strip():
                slots.append(_slot(document, row, number, (source, target, note), separator))
        return slots

    def _numbers(self) -> tuple[str, str]:
        default = (self.source, self.target) == ("source", "target")
        return ("1", "2") if default else (self.source, self.target)

    def _separator(self, document: Document) -> str:
        first = re.compile(r"[^\r\n]*").match(document.text, document.start)
        line = first[0] if first else ""
        return max(self.separators, key=line.count)

    def edits(self, document: Document, slot: _Row, target: Target) -> Iterable[Edit]:
        """The cell, in quotation marks if it had them or needs them."""
        if target.text == slot.unit.target:
            return []
        text = written(target.text, slot.unit.codes)
        special = f'"\r\n{self._separator(document)}'
        if slot.is_quoted or any(character in text for character in special) or text != text.strip():
            doubled = text.replace('"', '""')
            text = f'"{doubled}"'
        return [Edit(slot.begin, slot.end, slot.missing + text)]


@dataclass(frozen=True)
class Csv(_Table):
    """Bilingual CSV, by commas or semicolons: a unit a row; columns by heading (`csv:source=en`) or number."""

    name: ClassVar[str] = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    separators: ClassVar[str] = ",;"


@dataclass(frozen=True)
class Tsv(_Table):
    """Bilingual tables with tabs: one unit a row; columns by heading (`tsv:source=en,target=de`) or place."""

    name: ClassVar[str] = "tsv"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".tab")
    separators: ClassVar[str] = "\t"


def _slot(
    document: Document, row: Sequence[_Cell], number: int, places: tuple[int, int, int | None], separator: str
) -> _Row:
    source, target, note = places
    cell = row[target] if len(row) > target else None
    remark = row[note].text if note is not None and len(row) > note else ""
    unit = table_unit(number, row[source].text, cell.text if cell else "", remark)
    if cell is None:
        end = row[-1].end
        return _Row(unit, end, end, separator * (target - len(row) + 1), False)
    return _Row(unit, cell.begin, cell.end, "", document.text[cell.begin : cell.begin + 1] == '"')


def _rows(document: Document, separator: str) -> Iterator[list[_Cell]]:
    """The rows of a table (RFC 4180): a cell that begins with a quotation mark ends with one."""
    cell = re.compile(rf'"((?:[^"]|"")*+)"(?=[{separator}\r\n]|\Z)|([^{separator}\r\n]*+)')
    after = re.compile(rf"{separator}|\r?\r\n|\r|\n|\Z")
    place, row = document.start, list[_Cell]()
    while place < len(document.text) or row:
        found = cell.match(document.text, place)
        assert found is not None  # noqa: S101 - the second branch may be empty
        text = found[2] if found[1] is None else re.sub("\r?\r\n", "\n", found[1].replace('""', '"'))
        row.append(_Cell(found.start(), found.end(), text))
        mark = after.match(document.text, found.end())
        place = mark.end() if mark else len(document.text)
        if mark is None or mark[0] != separator:
            yield row
            row = []
