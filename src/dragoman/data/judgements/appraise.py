"""What Appraise exports (`ExportSystemScoresToCSV`): rows without a header, in several widths.

annotator, system, segment, type, languages, score; then for documents the document, whether the score is of the whole
of it, and from 2024 on the error spans, or for pairs of outputs the errors ticked in output and source; then start and
end, unless they were cut off; then, if asked for, batch and item.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.data.judgements.base import Field, Judgements, Value
from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT, ITEM_TYPES
from dragoman.data.judgements.files import JudgementFormat, first_row, language_of, optional, text_of, write_csv
from dragoman.data.judgements.table import Coded, TextTable, checked_utf8
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath
from dragoman.options import option

__all__ = ["AppraiseScores", "appraise_columns", "read_appraise_table", "telling_row"]

_PLAIN = ("annotator", "system", "segment", "type", "source_lang", "target_lang", "score")
_TIMES = ("start", "end")
_ERRORS = ("target_errors", "source_errors")
_BATCH = ("batch", "real_item")
_HEAD = 1 << 20  # bytes among which the first row ends
_LOOKED_AT = 100  # rows, for one that tells
_NO_TIME = ("", "None")
_TRUTH = {"True": True, "False": False}


def appraise_columns(row: list[str]) -> tuple[str, ...] | None:
    """The names of the columns of a file that begins with this row, or None if it is not Appraise's."""
    if len(row) < 7 or row[3] not in ITEM_TYPES or not row[2].lstrip("-").isdigit():
        return None
    names: tuple[str, ...] = _PLAIN
    if len(row) > 8 and row[8] in _TRUTH:
        names += ("doc", "is_document", *(["spans"] if len(row) > 9 and row[9].startswith(("[", "{")) else []))
    elif len(row) > 8 and not (_is_time(row[7]) and _is_time(row[8])):
        names += _ERRORS
    widths = (names, names + _TIMES, names + _TIMES + _BATCH)
    return next((names for names in widths if len(names) == len(row)), None)


def _is_time(cell: str) -> bool:
    try:
        return cell in _NO_TIME or math.isfinite(float(cell))
    except ValueError:
        return False


def telling_row(head: str, path: StrPath) -> list[str]:
    """The first row that says what its columns are: one whose places for times or errors are not both empty."""
    first = first_row(head, path, tsv=False)
    if not set(first[7:9]) <= set(_NO_TIME):
        return first
    rows = (first_row(line, path, tsv=False) for line in head.split("\n")[1:_LOOKED_AT])
    return next((row for row in rows if len(row) == len(first) and not set(row[7:9]) <= set(_NO_TIME)), first)


def read_appraise_table(path: StrPath) -> TextTable:
    """The table of an Appraise file under the names of its columns."""
    data = checked_utf8(path)
    names = appraise_columns(telling_row(data[:_HEAD].decode("utf-8", errors="replace"), path))
    if names is None:
        raise FormatError(
            "this is no export of Appraise's: expected annotator, system, segment, type (TGT, REF, BAD or CHK), "
            "two languages, score, perhaps document and spans or two columns of errors, and two times.",
            path=path,
            line=1,
        )
    return TextTable(path, tsv=False, data=data, header=names)


@dataclass(frozen=True)
class AppraiseScores(JudgementFormat):
    """Direct assessments as Appraise exports them: a CSV without a header, the type of control items in column four.

    Joint names (`a+b`, identical outputs) are taken apart unless `split_merged` is off. Spans are left aside here; the
    format `appraise-esa` reads them. So are the errors ticked beside pairs of outputs, which no kind has a place for.
    """

    name: ClassVar[str] = "appraise-da"
    kind: ClassVar[str] = "direct-assessment"
    suffixes: ClassVar[tuple[str, ...]] = (".appraise.csv",)

    split_merged: bool = option(True, choices=(True, False), text="give every system of a joint name the score")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the cells of the first row."""
        return appraise_columns(telling_row(head, path)) is not None

    def read(self, path: StrPath) -> Judgements:
        """The scores, numbered by row."""
        table = read_appraise_table(path)
        columns = scored_columns(table)
        if self.split_merged:
            expand_merged(table, columns)
        return table.finish(DIRECT_ASSESSMENT, columns, format=self.name, on_bad=self.on_bad)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """Rows as wide as they need to be."""
        write_csv(path, self._rows(value))

    def _rows(self, value: Judgements) -> Iterator[list[str]]:
        has_documents = any(each is not None for name in ("doc", "is_document") for each in value[name])
        for number, row in enumerate(value.rows(), start=1):
            if row["type"] not in ITEM_TYPES:
                raise DataError(f"Row {number} has the type {row['type']!r}; Appraise has {', '.join(ITEM_TYPES)}.")
            if self.split_merged and "+" in str(row["system"]):
                raise DataError(f"Row {number}: the system {row['system']!r} has a +, which joins names in Appraise.")
            cells = [text_of(row[name]) for name in _PLAIN]
            if has_documents:
                cells += [text_of(row["doc"]), str(bool(row["is_document"]))]
            yield [*cells, *(text_of(row[name]) for name in _TIMES)]

    def loses(self, value: Judgements) -> list[str]:
        """Fields that Appraise does not export, and times that are not the end less the start."""
        lost = [name for name in ("task", "attribute", "status") if any(each is not None for each in value[name])]
        if value["item"] != tuple(str(n) for n in range(1, len(value) + 1)):
            lost.append("item")
        spent = zip(value["seconds"], value["start"], value["end"], strict=True)
        return lost + (["seconds"] if any(seconds != elapsed(start, end) for seconds, start, end in spent) else [])


def elapsed(start: Value, end: Value) -> float | None:
    """The seconds between two times, if both are known and in order."""
    if start is None or end is None or float(end) < float(start):
        return None
    return float(end) - float(start)


def scored_columns(table: TextTable) -> dict[str, Coded]:
    """The columns of an Appraise file as fields of a direct assessment."""

    def field(name: str) -> Field:
        return DIRECT_ASSESSMENT.field(name)

    def item_type(cell: str) -> str:
        if cell not in ITEM_TYPES:
            raise DataError(f"type is {cell!r}; expected {', '.join(ITEM_TYPES)}.")
        return cell

    def truth(cell: str) -> bool:
        if cell not in _TRUTH:
            raise DataError(f"is_document is {cell!r}; expected True or False.")
        return _TRUTH[cell]

    columns = {
        "annotator": table.column("annotator", str),
        "item": Coded(np.arange(len(table), dtype=np.int32), [str(n) for n in range(1, len(table) + 1)]),
        "type": table.column("type", item_type),
        "segment": table.column("segment", field("segment").parse),
        "system": table.column("system", str),
        "score": table.column("score", optional(field("score").parse, ("", "None"))),
        "source_lang": table.column("source_lang", optional(language_of)),
        "target_lang": table.column("target_lang", optional(language_of)),
    }
    for name in _TIMES:
        parse = optional(field(name).parse, _NO_TIME)
        columns[name] = table.column(name, parse) if name in table else Coded.constant(None, len(table))
    if "doc" in table:
        columns["doc"] = table.column("doc", optional(str))
        columns["is_document"] = table.column("is_document", truth)
    start, end = columns["start"].column(), columns["end"].column()
    spent = [elapsed(first, last) for first, last in zip(start, end, strict=True)]
    columns["seconds"] = Coded.of(np.arange(len(table), dtype=np.int32), spent)
    return columns


def expand_merged(table: TextTable, columns: dict[str, Coded]) -> None:
    """A row for each system of a joint name; items of such rows get a number behind a full stop."""
    system = columns["system"]
    split = [str(name).split("+") for name in system.values]
    if all(len(names) == 1 for names in split):
        return
    counts = np.array([len(names) for names in split])[system.codes]
    rows = np.repeat(np.arange(len(table)), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    place = np.arange(len(rows)) - first
    names = [split[code][n] for code, n in zip(system.codes[rows].tolist(), place.tolist(), strict=True)]
    items = columns["item"].column()
    numbered = [
        f"{items[row]}.{n + 1}" if counts[row] > 1 else items[row]
        for row, n in zip(rows.tolist(), place.tolist(), strict=True)
    ]
    table.repeat(rows)
    for name, coded in columns.items():
        columns[name] = Coded(coded.codes[rows], coded.values)
    columns["system"] = Coded.of(np.arange(len(rows), dtype=np.int32), names)
    columns["item"] = Coded.of(np.arange(len(rows), dtype=np.int32), numbered)
