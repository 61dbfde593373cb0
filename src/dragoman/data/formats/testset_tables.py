"""Test sets as tables, one row per segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.formats.gather import built, check_writable
from dragoman.data.formats.tables import JsonlFormat, TsvFormat
from dragoman.data.records import Records, Value
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath

__all__ = ["TestSetJsonl", "TestSetTsv"]

MISSING = r"\N"  # as PostgreSQL and MySQL write it in text dumps

_LABELS = {"doc": "docs", "domain": "domains", "origlang": "origlangs"}
_CONSTANTS = {"testset": "name", "source_lang": "source_lang", "target_lang": "target_lang"}


@dataclass(frozen=True)
class TestSetTsv(Format):
    r"""A test set as tab-separated text: a header line, then one row per segment.

    Columns: `source`, `ref:NAME`, `sys:NAME`, `doc`, `domain`, `origlang`, and `testset`, `source_lang`, `target_lang`,
    which say the same in every row. All may be absent. An empty cell is an empty text; a missing translation is `\N`,
    and for `domain` and `origlang` an empty cell means missing, too. No quoting: a tab or line break is refused.
    """

    name: ClassVar[str] = "testset-tsv"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    def read(self, path: StrPath) -> TestSet:
        """The rows as segments."""
        records = TsvFormat().read(path)
        if any(MISSING in row for row in records.rows):
            rows = [[None if cell == MISSING else cell for cell in row] for row in records.rows]
            records = Records(records.columns, rows)
        return _from_records(records, path, first_line=2)

    def write(self, value: TestSet, path: StrPath) -> None:
        """One row per segment."""
        records = _to_records(value)
        for column in records.columns:
            if MISSING in records.column(column):
                segment = records.column(column).index(MISSING) + 1
                raise DataError(
                    rf"Segment {segment} of {column} is the text \N, which here means a missing translation. "
                    "Write testset-jsonl instead."
                )
        rows = [[MISSING if cell is None else cell for cell in row] for row in records.rows]
        TsvFormat().write(Records(records.columns, rows), path)


@dataclass(frozen=True)
class TestSetJsonl(Format):
    """A test set as one JSON object per segment, with the keys that testset-tsv has as columns.

    A missing translation is null or an absent key; an empty one is `""`.
    """

    name: ClassVar[str] = "testset-jsonl"
    holds: ClassVar[type] = TestSet
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def read(self, path: StrPath) -> TestSet:
        """The objects as segments."""
        return _from_records(JsonlFormat().read(path), path, first_line=1)

    def write(self, value: TestSet, path: StrPath) -> None:
        """One object per segment."""
        JsonlFormat().write(_to_records(value), path)


def _to_records(test_set: TestSet) -> Records:
    check_writable(test_set, "a table")
    columns: dict[str, Sequence[Value]] = {}
    for column, field in _CONSTANTS.items():
        if getattr(test_set, field):
            columns[column] = [getattr(test_set, field)] * len(test_set)
    for column, field in _LABELS.items():
        if getattr(test_set, field) is not None:
            columns[column] = getattr(test_set, field)
    if test_set.srcs is not None:
        columns["source"] = test_set.srcs
    columns |= {f"ref:{name}": lines for name, lines in test_set.refs.items()}
    columns |= {f"sys:{name}": lines for name, lines in test_set.systems.items()}
    return Records(tuple(columns), list(zip(*columns.values(), strict=True)))


def _from_records(records: Records, path: StrPath, *, first_line: int) -> TestSet:
    if not records.rows:
        raise FormatError("there is not a single segment.", path=path)
    values: dict[str, Any] = {"refs": {}, "systems": {}}
    for column in records.columns:
        cells = records.column(column)
        group, _, name = column.partition(":")
        allowed = {str, type(None)} if group in {"ref", "domain", "origlang"} else {str}
        if not set(map(type, cells)) <= allowed:
            number, cell = next((n, c) for n, c in enumerate(cells, start=first_line) if type(c) not in allowed)
            what = "missing" if cell is None else f"{cell!r}, which is no text"
            raise FormatError(f"{column} is {what}.", path=path, line=number)
        if column in _CONSTANTS:
            values[_CONSTANTS[column]] = _constant(column, cells, path, first_line)
        elif column in _LABELS:
            # An empty label is none at all; TestSet refuses it for documents.
            values[_LABELS[column]] = [cell or None for cell in cells] if column != "doc" else cells
        elif column == "source":
            values["srcs"] = cells
        elif group in {"ref", "sys"} and name:
            values["refs" if group == "ref" else "systems"][name] = cells
        else:
            names = ", ".join(["source", "ref:NAME", "sys:NAME", *_LABELS, *_CONSTANTS])
            raise FormatError(f"a test set has no column {column!r}. Known: {names}.", path=path, line=1)
    return built(path, **values)


def _constant(column: str, cells: Sequence[Value], path: StrPath, first_line: int) -> Value:
    for number, cell in enumerate(cells, start=first_line):
        if cell != cells[0]:
            raise FormatError(f"{column} is {cell!r}, before it was {cells[0]!r}.", path=path, line=number)
    return cells[0]
