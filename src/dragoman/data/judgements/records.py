"""Judgements as records: an object a line, or a Parquet file whose columns are the fields of a kind."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.judgements.base import Judgements, Schema
from dragoman.data.judgements.files import JudgementFormat, read_head
from dragoman.data.judgements.kinds import schema_shown_by
from dragoman.data.judgements.rows import RowCollector
from dragoman.data.records import Records
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, open_binary, write_lines
from dragoman.notation import parse_json

__all__ = ["JudgementLines", "JudgementParquet", "read_records"]

_PARQUET = b"PAR1"


@dataclass(frozen=True)
class JudgementLines(JudgementFormat):
    """JSON, an object a line, whose keys are the fields of one kind of judgement; the first line tells the kind.

    Numbers may be spelt as text, as what converts tables of text writes them.
    """

    name: ClassVar[str] = "judgement-lines"
    kind: ClassVar[str] = ""
    suffixes: ClassVar[tuple[str, ...]] = (".judgements.ndjson",)

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:  # noqa: ARG003 - the contract
        """By the keys of its first line."""
        try:
            first = parse_json(head.partition("\n")[0])
        except DataError:
            return False
        return isinstance(first, dict) and schema_shown_by(list(first)) is not None

    def read(self, path: StrPath) -> Judgements:
        """The judgements of the kind that the first line shows; what a line lacks is missing."""
        return self.read_as(path, None)

    def read_as(self, path: StrPath, schema: Schema | None, missing: Collection[str] = ()) -> Judgements:
        """The judgements of a kind, or of the one that the first line shows; text in `missing` becomes None."""
        rows = RowCollector(path, format=self.name, on_bad=self.on_bad)
        for number, line in enumerate(iter_lines(path), start=1):
            try:
                row = parse_json(line)
            except DataError as error:
                rows.wrong(number, str(error))
                continue
            if not isinstance(row, dict):
                rows.wrong(number, "expected a JSON object with the fields of a judgement.")
                continue
            if schema is None:
                schema = _schema_of(list(row), path, number)
            rows.add(number, _unspelt(row, schema, missing))
        if schema is None:
            raise FormatError("there is no judgement in it.", path=path)
        return rows.finish(schema)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """An object a line, with every field."""
        if not len(value):
            raise DataError("There is no judgement to write: without one a file of JSON lines does not tell its kind.")
        write_lines(path, (json.dumps(row, ensure_ascii=False) for row in value.rows()))


@dataclass(frozen=True)
class JudgementParquet(JudgementFormat):
    """Apache Parquet (extra `parquet`) whose columns are the fields of one kind of judgement."""

    name: ClassVar[str] = "judgement-parquet"
    kind: ClassVar[str] = ""
    suffixes: ClassVar[tuple[str, ...]] = (".judgements.parquet",)

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """By its first bytes; the columns are looked at when it is read. Standard input cannot be peeked."""
        if not Path(path).is_file():
            return cls.is_named_by(path)
        try:
            with open_binary(path) as stream:
                head = stream.read(len(_PARQUET))
        except (DataError, OSError):
            return cls.is_named_by(path)
        return head == _PARQUET or (not head and cls.is_named_by(path))

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:  # noqa: ARG003 - the contract
        """By its first letters."""
        return head.startswith(_PARQUET.decode())

    def read(self, path: StrPath) -> Judgements:
        """The judgements of the kind that the columns show."""
        return self.read_as(path, None)

    def read_as(self, path: StrPath, schema: Schema | None, missing: Collection[str] = ()) -> Judgements:
        """The judgements of a kind, or of the one that the columns show; text in `missing` becomes None."""
        from dragoman.data.formats.tables import ParquetFormat

        table = ParquetFormat().read(path)
        schema = schema or _schema_of(table.columns, path, None)
        rows = RowCollector(path, format=self.name, on_bad=self.on_bad)
        for cells in table.rows:
            rows.add(None, _unspelt(dict(zip(table.columns, cells, strict=True)), schema, missing))
        return rows.finish(schema)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """A column each field."""
        from dragoman.data.formats.tables import ParquetFormat

        rows: list[tuple[Any, ...]] = [tuple(row.values()) for row in value.rows()]
        ParquetFormat().write(Records(tuple(value.columns), rows), path)


def read_records(path: StrPath, schema: Schema, *, missing: Collection[str], on_bad: str) -> Judgements | None:
    """The judgements in JSON lines or Parquet whose names are fields of the schema; None if the file is neither."""
    if Path(path).is_file() and JudgementParquet.recognises(path):
        return JudgementParquet(on_bad=on_bad).read_as(path, schema, missing)
    head = (read_head(path) or "").partition("\n")[0]
    with suppress(DataError):
        if isinstance(parse_json(head), dict):
            return JudgementLines(on_bad=on_bad).read_as(path, schema, missing)
    return None


def _schema_of(names: Sequence[str], path: StrPath, line: int | None) -> Schema:
    schema = schema_shown_by(names)
    if schema is None:
        listed = ", ".join(map(str, names[:12]))
        raise FormatError(f"the fields {listed} are of no kind of judgement that is known here.", path=path, line=line)
    return schema


def _unspelt(row: dict[str, Any], schema: Schema, missing: Collection[str] = ()) -> dict[str, Any]:
    """Return the row with numbers and truths for text that spells them; what spells none is left for the check."""
    if missing:
        row = {name: None if isinstance(value, str) and value in missing else value for name, value in row.items()}
    types = {field.name: field for field in schema.fields if field.type != "text"}
    if not any(isinstance(row.get(name), str) for name in types):
        return row
    values = dict(row)
    for name, field in types.items():
        if isinstance(text := row.get(name), str):
            with suppress(DataError):
                values[name] = field.parse(text) if text else None
    return values
