"""Dragoman's own files of judgements: a table whose columns are the fields of a kind, and the log of a campaign."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.data.judgements.base import Field, Judgements, Schema, Value
from dragoman.data.judgements.files import JudgementFormat, first_row, optional, text_of, write_csv, write_tsv
from dragoman.data.judgements.kinds import JUDGEMENT_KINDS, schema_shown_by
from dragoman.data.judgements.rules import RULES
from dragoman.data.judgements.table import Coded, TextTable, is_tsv
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, open_writer
from dragoman.options import option
from dragoman.spreadsheets import plain_cell, raw_cell, spreadsheet_cell

__all__ = ["JudgementLogFormat", "JudgementTable", "read_table"]


@dataclass(frozen=True)
class JudgementTable(JudgementFormat):
    """A TSV or CSV (by the suffix) whose columns are the fields of one kind of judgement; the header tells the kind.

    An empty cell is a missing value. Optional fields that are empty in all rows have no column.
    """

    name: ClassVar[str] = "judgement-table"
    kind: ClassVar[str] = ""
    suffixes: ClassVar[tuple[str, ...]] = (".judgements.tsv", ".judgements.csv")

    raw: bool = option(False, choices=(True, False), text="write also formulas of spreadsheets as they are")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By columns that one kind has."""
        return schema_shown_by(first_row(head, path, tsv=is_tsv(path))) is not None

    def read(self, path: StrPath) -> Judgements:
        """The judgements of the kind that the header shows."""
        table = TextTable(path)
        schema = schema_shown_by(table.header)
        if schema is None:
            raise FormatError(
                f"the columns {', '.join(table.header[:12])} are of no kind of judgement that is known here.",
                path=path,
                line=1,
            )
        return _read(table, schema, missing=("",), on_bad=self.on_bad, format=self.name)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """Header and rows."""
        shown_by = JUDGEMENT_KINDS.get(value.kind).shown_by if value.kind in JUDGEMENT_KINDS else frozenset()
        is_wide = value.kind == "relative-ranking"  # and keeps its width, whatever was left blank on all screens
        names = [
            each.name
            for each in value.schema.fields
            if each.required
            or each.name in shown_by
            or (is_wide and each.name.startswith(("system", "rank")))
            or any(cell is not None for cell in value[each.name])
        ]
        if any(each == "" for name in names for each in value[name]):
            raise DataError("A field holds empty text, which a judgement table cannot tell from a missing value.")
        texts = [map(text_of, value[name]) for name in names]
        cells = [map(raw_cell if self.raw else spreadsheet_cell, column) for column in texts]
        (write_tsv if is_tsv(path) else write_csv)(path, [names, *(list(row) for row in zip(*cells, strict=True))])


def read_table(path: StrPath, schema: Schema, *, missing: Collection[str] = ("",), on_bad: str = "error") -> Judgements:
    """The judgements in a CSV or TSV file whose columns are fields of the schema; cells in `missing` become None."""
    return _read(TextTable(path), schema, missing=missing, on_bad=on_bad, format=JudgementTable.name)


def _read(table: TextTable, schema: Schema, *, missing: Collection[str], on_bad: str, format: str) -> Judgements:  # noqa: A002
    fields = {field.name: field for field in schema.fields}
    strange = [name for name in table.header if name not in fields]
    absent = [field.name for field in schema.fields if field.required and field.name not in table.header]
    if strange or absent:
        problem = f"has no field {', '.join(strange)}" if strange else f"needs the field {', '.join(absent)}"
        raise FormatError(f"a table of {schema.kind} {problem}.", path=table.path, line=1)
    columns = {name: table.column(name, _parser(fields[name], missing)) for name in table.header}
    if schema.kind in RULES:
        _flag_rules(table, schema, columns)
    return table.finish(schema, columns, format=format, on_bad=on_bad)


def _parser(field: Field, missing: Collection[str]):  # type: ignore[no-untyped-def]
    def parse(cell: str) -> Value:
        return field.check(None) if cell in missing else field.parse(plain_cell(cell))

    return parse if field.required else optional(parse, missing)


def _flag_rules(table: TextTable, schema: Schema, columns: dict[str, Coded]) -> None:
    """Mark rows whose fields do not go together."""
    problems: dict[int, str] = {}
    full = {f.name: columns[f.name].column() if f.name in columns else (None,) * len(table) for f in schema.fields}
    for number, problem in RULES[schema.kind](full):
        problems.setdefault(number, f"{problem}.")
    wrong = np.zeros(len(table), dtype=bool)
    wrong[list(problems)] = True
    table.flag(wrong, lambda row: problems[row])


@dataclass(frozen=True)
class JudgementLogFormat(JudgementFormat):
    """The log of a campaign, one JSON object a line: the schema, then the judgements as they came in.

    Written, every judgement becomes an event without a time. `JudgementLog` appends to such a file.
    """

    name: ClassVar[str] = "judgement-log"
    kind: ClassVar[str] = ""
    suffixes: ClassVar[tuple[str, ...]] = (".judgements.jsonl", ".log")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:  # noqa: ARG003 - the contract
        """By its first line."""
        return head.startswith('{"log": "judgements"')

    def read(self, path: StrPath) -> Judgements:
        """All events in order, corrections included."""
        from dragoman.data.judgement_log import read_log

        return read_log(path, on_bad=self.on_bad)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """A log as if the judgements had been appended to it."""
        from dragoman.data.judgement_log import log_lines

        with open_writer(path) as stream:
            stream.writelines(log_lines(value))
