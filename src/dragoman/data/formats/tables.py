"""Tables of any content as TSV, CSV, JSONL and Parquet.

TSV and CSV are text: numbers are written as Python shows them, truth values as `true` and `false`, missing values as
empty cells, and everything is read back as text. JSONL and Parquet keep numbers, truth values and missing values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, NoReturn

from dragoman.data.formats.base import Format
from dragoman.data.formats.csv import quoted, split_rows
from dragoman.data.records import Records, Value, check_columns
from dragoman.errors import DataError, FormatError, NotAvailable
from dragoman.files import StrPath, atomic_path, iter_lines, open_writer, read_bytes, read_lines, read_text, write_lines

__all__ = ["CsvFormat", "JsonlFormat", "ParquetFormat", "TsvFormat"]


@dataclass(frozen=True)
class TsvFormat(Format):
    """Tab-separated text with a header line and no quoting: a cell is what stands between two tabs.

    A cell with a tab or line break inside cannot be written and is refused.
    """

    name: ClassVar[str] = "tsv"
    holds: ClassVar[type] = Records
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    def read(self, path: StrPath) -> Records:
        """All cells as text."""
        rows = ((number, line.split("\t")) for number, line in enumerate(read_lines(path), start=1))
        return _text_table(rows, path)

    def write(self, value: Records, path: StrPath) -> None:
        """Header and rows."""
        _check_has_columns(value, self.name)
        write_lines(path, (_tabbed(row, number, value.columns) for number, row in enumerate(_text_rows(value))))

    def loses(self, value: Records) -> list[str]:
        """The types of cells that are not text."""
        return _lost_types(value)


@dataclass(frozen=True)
class CsvFormat(Format):
    """Comma-separated text with a header line, quoted as in RFC 4180; lines end in LF. Cells may hold line breaks."""

    name: ClassVar[str] = "csv"
    holds: ClassVar[type] = Records
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    def read(self, path: StrPath) -> Records:
        """All cells as text."""
        return _text_table(split_rows(read_text(path), path), path)

    def write(self, value: Records, path: StrPath) -> None:
        """Header and rows."""
        _check_has_columns(value, self.name)
        with open_writer(path) as stream:
            stream.writelines(quoted(row) + "\n" for row in _text_rows(value))

    def loses(self, value: Records) -> list[str]:
        """The types of cells that are not text."""
        return _lost_types(value)


@dataclass(frozen=True)
class JsonlFormat(Format):
    """One flat JSON object a line. The columns are all keys in the order they first occur; a missing key is null."""

    name: ClassVar[str] = "jsonl"
    holds: ClassVar[type] = Records
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def read(self, path: StrPath) -> Records:
        """The objects as rows."""
        objects = [_flat_object(line, path, number) for number, line in enumerate(iter_lines(path), start=1)]
        columns = list(dict.fromkeys(chain.from_iterable(objects)))
        try:
            return Records(columns, [tuple(map(each.get, columns)) for each in objects])
        except DataError as error:
            raise FormatError(str(error), path=path) from None

    def write(self, value: Records, path: StrPath) -> None:
        """One object per row, with all keys."""
        write_lines(path, (_json_line(row, number) for number, row in enumerate(value.to_dicts(), start=1)))

    def loses(self, value: Records) -> list[str]:
        """The columns of a table without rows."""
        return ["columns"] if value.columns and not value.rows else []


@dataclass(frozen=True)
class ParquetFormat(Format):
    """An Apache Parquet file of text, whole numbers, floating-point numbers and truth values (extra `parquet`)."""

    name: ClassVar[str] = "parquet"
    holds: ClassVar[type] = Records
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    def ready(self) -> None:
        """See `Format`."""
        _arrow()

    def read(self, path: StrPath) -> Records:
        """The columns, null as `None`."""
        arrow, parquet = _arrow()
        data = read_bytes(path)
        try:
            table = parquet.read_table(arrow.BufferReader(data))
        except (arrow.ArrowException, OSError) as error:  # of bytes in memory, so that no disk is meant
            raise FormatError(f"not a Parquet file, or a damaged one ({error}).", path=path) from None
        for field in table.schema:
            if not _is_plain(arrow.types, field.type):
                raise FormatError(
                    f"column {field.name!r} is of type {field.type}; a table holds text, numbers and truth values.",
                    path=path,
                )
        try:
            columns = [column.to_pylist() for column in table.columns]
        except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise FormatError(f"a damaged Parquet file ({error}).", path=path) from None
        try:
            return Records(table.column_names, list(zip(*columns, strict=True)))
        except DataError as error:
            raise FormatError(str(error), path=path) from None

    def write(self, value: Records, path: StrPath) -> None:
        """One typed column each; a column that mixes text and numbers is refused."""
        arrow, parquet = _arrow()
        _check_has_columns(value, self.name)
        arrays = []
        for name in value.columns:
            try:
                arrays.append(arrow.array(value.column(name)))
            except (arrow.ArrowException, OverflowError, UnicodeEncodeError) as error:
                raise DataError(f"Column {name!r} cannot be written as Parquet: {error}.") from None
        with atomic_path(path) as temporary:
            parquet.write_table(arrow.table(arrays, names=list(value.columns)), temporary)


def _text_table(lines: Iterator[tuple[int, list[str]]], path: StrPath) -> Records:
    header = next(lines, None)
    if header is None:
        raise FormatError("the file is empty; expected a header line with the names of the columns.", path=path)
    try:
        check_columns(header[1])
    except DataError as error:
        raise FormatError(str(error), path=path, line=1) from None
    numbered = list(lines)
    wrong = [(number, len(row)) for number, row in numbered if len(row) != len(header[1])]
    if wrong:
        more = f" {len(wrong) - 1} further lines are wrong." if len(wrong) > 1 else ""
        raise FormatError(
            f"the line has {_cells(wrong[0][1])}, the header {_cells(len(header[1]))}.{more}",
            path=path,
            line=wrong[0][0],
        )
    return Records(header[1], [row for _, row in numbered])


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _text_rows(value: Records) -> Iterator[Sequence[str]]:
    yield value.columns
    for row in value.rows:
        yield [_text(cell) for cell in row]


def _text(cell: Value) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell)


def _tabbed(row: Sequence[str], number: int, columns: Sequence[str]) -> str:
    line = "\t".join(row)
    if line.count("\t") >= len(row) or "\n" in line or "\r" in line:
        column, cell = next((c, t) for c, t in zip(columns, row, strict=True) if any(char in t for char in "\t\n\r"))
        raise DataError(
            f"Row {number}, column {column!r} has a tab or line break inside, which TSV cannot hold: {cell[:60]!r}. "
            "Write CSV or JSONL instead."
        )
    return line


def _lost_types(value: Records) -> list[str]:
    kinds = {type(cell) for row in value.rows for cell in row}
    names = {bool: "truth values", float: "numbers", int: "numbers", type(None): "missing cells"}
    return sorted({names[kind] for kind in kinds if kind in names})


def _check_has_columns(value: Records, format_name: str) -> None:
    if not value.columns:
        raise DataError(f"A table without columns cannot be written as {format_name}.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return values


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON; use null")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)


def _flat_object(line: str, path: StrPath, number: int) -> dict[str, Value]:
    try:
        values = _DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not a JSON object ({error}).", path=path, line=number) from None
    if not isinstance(values, dict):
        raise FormatError(f"a {type(values).__name__} stands where an object is expected.", path=path, line=number)
    if {list, dict} & set(map(type, values.values())):
        key, value = next((k, v) for k, v in values.items() if type(v) in (list, dict))
        raise FormatError(
            f"the value of {key!r} is a {type(value).__name__}; a cell holds text, a number, true, false or null.",
            path=path,
            line=number,
        )
    return values


def _json_line(row: dict[str, Value], number: int) -> str:
    try:
        return json.dumps(row, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise DataError(f"Row {number} has a number that JSON cannot hold (NaN or infinity): {row}.") from None


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise NotAvailable.package("Parquet", package="pyarrow", extra="parquet") from None
    return pyarrow, parquet


def _is_plain(types: Any, kind: Any) -> bool:
    if types.is_dictionary(kind):
        return _is_plain(types, kind.value_type)
    checks = (types.is_string, types.is_large_string, types.is_integer, types.is_floating, types.is_boolean)
    return any(check(kind) for check in (*checks, types.is_null))
