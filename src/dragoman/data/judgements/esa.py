"""Error spans with a score (ESA) as Appraise keeps them: lists of spans in JSON.

Appraise counts characters, includes the last one and writes the word `missing` for an omission. Inside Dragoman spans
are half-open: `end_i` is one less than our `end`. Pearmut's log, which differs in all three, is in `pearmut`.
"""

from __future__ import annotations

import json
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

from dragoman.data.judgements.appraise import appraise_columns, read_appraise_table, scored_columns, telling_row
from dragoman.data.judgements.base import Judgements, Row, Value
from dragoman.data.judgements.direct_assessment import ITEM_TYPES
from dragoman.data.judgements.files import JudgementFormat, text_of, write_csv
from dragoman.data.judgements.rows import RowCollector
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath
from dragoman.notation import parse_json

__all__ = ["AppraiseEsa", "read_spans", "spans_json"]

_MISSING = "missing"


def read_spans(spans: Any) -> list[dict[str, Value]]:
    """The spans of a list as fields of rows; one row without a span if the list is empty."""
    if not isinstance(spans, list) or not all(isinstance(span, dict) for span in spans):
        raise DataError(f"the spans are {str(spans)[:60]!r}; expected a list of objects.")
    return [_span(span) for span in spans] or [{}]


def _span(span: dict[str, Any]) -> dict[str, Value]:
    start, end = span.get("start_i"), span.get("end_i")
    fields = {"category": span.get("category", span.get("error_type")), "severity": span.get("severity")}
    if _MISSING in (start, end):
        if start != end:
            raise DataError(f"a span begins at {start!r} and ends at {end!r}; an omission has {_MISSING!r} in both.")
        return {**fields, "is_omission": True}
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise DataError(f"a span begins at {start!r} and ends at {end!r}; expected whole numbers, the last included.")
    return {**fields, "start": start, "end": end + 1}


def spans_json(rows: list[Row]) -> list[dict[str, Any]]:
    """The spans of rows that are of one output, as Appraise writes them."""
    spans = []
    for row in rows:
        label = {"severity": row["severity"], "category": row["category"]}
        if row["is_omission"]:
            spans.append({"start_i": _MISSING, "end_i": _MISSING, **label})
        elif row["start"] is not None and row["end"] is not None:
            if row["start"] == row["end"]:
                raise DataError("A span of no characters cannot be written with its last character included.")
            spans.append({"start_i": row["start"], "end_i": int(row["end"]) - 1, **label})
        elif row["severity"] is not None or row["category"] is not None:
            raise DataError("An error that was marked at no place of the output cannot be written as an ESA span.")
    return spans


def _outputs(value: Judgements) -> Iterator[list[Row]]:
    """The rows of each output that somebody looked at."""

    def key(row: Row) -> tuple[Value, ...]:
        return tuple(row[name] for name in ("annotator", "system", "segment", "doc", "type", "score", "seconds"))

    for _, rows in groupby(value.rows(), key=key):
        yield list(rows)


def _lost(value: Judgements, extra: tuple[str, ...]) -> list[str]:
    names = ("doc_segment", "source", "target", "source_start", "source_end", *extra)
    lost = [name for name in names if any(each is not None for each in value[name])]
    return lost + ([] if value["item"] == tuple(_items(value)) else ["item"])


def _items(value: Judgements) -> Iterator[str]:
    for number, rows in enumerate(_outputs(value), start=1):
        yield from (f"{number}.{n}" for n in range(1, len(rows) + 1))


@dataclass(frozen=True)
class AppraiseEsa(JudgementFormat):
    """Error spans and scores as Appraise exports them: the CSV of `appraise-da` with a column of spans in JSON.

    Places include the last character there and are half-open here; `missing` marks an omission.
    """

    name: ClassVar[str] = "appraise-esa"
    kind: ClassVar[str] = "error-spans"
    suffixes: ClassVar[tuple[str, ...]] = (".esa.csv",)

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the cells of the first row, the spans among them."""
        return "spans" in (appraise_columns(telling_row(head, path)) or ())

    def read(self, path: StrPath) -> Judgements:
        """A row a span; an output without an error has one row."""
        table = read_appraise_table(path)
        if "spans" not in table:
            raise FormatError("there is no column of spans; read the file as appraise-da.", path=path, line=1)
        columns = {name: coded.column() for name, coded in scored_columns(table).items()}
        codes, cells = table.cells("spans")
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        problems = table.problems()
        for line, message in problems.items():
            collector.wrong(line, message)
        names = ("annotator", "system", "segment", "type", "source_lang", "target_lang", "score", "doc", "seconds")
        for number, line in enumerate(table.lines.tolist()):
            if line in problems:
                continue
            fields = {name: columns[name][number] for name in names}
            try:
                spans = read_spans(_parsed(cells[int(codes[number])]))
            except DataError as error:
                collector.wrong(line, str(error))
                continue
            for n, span in enumerate(spans, start=1):
                collector.add(line, {**fields, "item": f"{number + 1}.{n}", **span})
        return collector.finish(ERROR_SPANS)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """A row an output."""
        write_csv(path, self._rows(value))

    def _rows(self, value: Judgements) -> Iterator[list[str]]:
        for rows in _outputs(value):
            row = rows[0]
            if row["type"] not in ITEM_TYPES:
                raise DataError(f"The type {row['type']!r} is none of Appraise's: {', '.join(ITEM_TYPES)}.")
            names = ("annotator", "system", "segment", "type", "source_lang", "target_lang", "score", "doc")
            seconds = row["seconds"]
            times = ["", ""] if seconds is None else ["0.0", text_of(seconds)]
            spans = json.dumps(spans_json(rows), ensure_ascii=False)
            yield [*(text_of(row[name]) for name in names), "False", spans, *times]

    def loses(self, value: Judgements) -> list[str]:
        """The texts, what is marked in the source, and items with other names."""
        return _lost(value, ())


def _parsed(text: str) -> Any:
    """A list in JSON, or as Python writes it; there Appraise leaves out the brackets around a single span."""
    try:
        return parse_json(text)
    except ValueError:
        pass
    try:
        spans = literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise DataError(f"the spans are {text[:60]!r}; expected a list in JSON.") from None
    return [spans] if isinstance(spans, dict) else spans
