"""Error spans: what an annotator marked as wrong, where, how grave, of which category; with ESA a score besides.

A row is one marked error. Places are characters of the text, half-open: `target[start:end]` is what was marked; the
source may be marked too, or instead. An omission that was marked at no place has none. An output without an error has
one row without a span, so that it is not mistaken for one that nobody looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.data.judgements.base import Field, Judgements, Schema, Value
from dragoman.data.judgements.files import JudgementFormat, first_row, optional, text_of, write_tsv
from dragoman.data.judgements.table import Coded, TextTable
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath

__all__ = ["ERROR_SPANS", "MqmTable", "looks", "marked", "unmarked"]

ERROR_SPANS = Schema(
    "error-spans",
    (
        Field("annotator"),
        Field("item", meaning="one marked error"),
        Field("segment", "whole", meaning="in the whole test set"),
        Field("system"),
        Field("doc", required=False),
        Field("doc_segment", "whole", required=False, meaning="in the document"),
        Field("source", required=False, meaning="the text of the source"),
        Field("target", required=False, meaning="the text of the output"),
        Field("source_start", "whole", required=False, low=0),
        Field("source_end", "whole", required=False, low=0),
        Field("start", "whole", required=False, low=0, meaning="first character marked in the output"),
        Field("end", "whole", required=False, low=0, meaning="behind the last one"),
        Field("is_omission", "truth", required=False, meaning="something is missing, marked at no place of the output"),
        Field("category", required=False),
        Field("severity", required=False),
        Field("score", "number", required=False, low=0, high=100, meaning="of the whole output (ESA)"),
        Field("type", required=False, meaning="TGT a system, REF a reference, BAD degraded, CHK shown again"),
        Field("source_lang", required=False),
        Field("target_lang", required=False),
        Field("seconds", "number", required=False, low=0),
        Field("assisted", "truth", required=False, meaning="whether the proposals of a model were shown"),
        Field("proposals", required=False, meaning="what a model proposed for the output, shown or not: spans in JSON"),
        Field("origin", required=False, meaning="of a span: a proposal accepted or changed, or added"),
    ),
)

_OPEN, _CLOSE = "<v>", "</v>"
# Google's releases: 2020–21, and from 2022 on.
_HEADERS = (
    ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"),
    ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity"),
)
_UNUSED = {"metadata", "comment"}


def looks(judgements: Judgements) -> Judgements:
    """A row for each look of an annotator at an output, the first of its errors: what has several is judged once."""
    columns = [judgements[name] for name in ("annotator", "item", "system", "segment", "type")]
    first: dict[tuple[Value, ...], int] = {}
    for number, (annotator, item, *of_what) in enumerate(zip(*columns, strict=True)):
        first.setdefault((annotator, str(item).partition(".")[0], *of_what), number)
    return judgements.take(list(first.values()))


def unmarked(text: str) -> tuple[str, int | None, int | None]:
    """The text without its `<v>` tags, and where they stood (half-open): a lone one opens or closes the whole text."""
    before, opened, rest = text.partition(_OPEN)
    if not opened:
        inside, closed, rest = text.partition(_CLOSE)
        if _CLOSE in rest:
            raise DataError(f"a text has one span at most; found several tags in {text[:60]!r}.")
        return inside + rest, *((0, len(inside)) if closed else (None, None))
    inside, _, after = rest.partition(_CLOSE)
    if _OPEN in rest or _CLOSE in before + after:
        raise DataError(f"a text has one span at most; found several tags in {text[:60]!r}.")
    return before + inside + after, len(before), len(before) + len(inside)


def lone_mark(text: str) -> str:
    """The rule by which `unmarked` reads a text with one tag of two, or nothing if both are there or none."""
    if (_OPEN in text) == (_CLOSE in text):
        return ""
    if _OPEN in text:
        return f"{_OPEN} is never closed: the span is taken to reach to the end of the text."
    return f"{_CLOSE} closes nothing: the span is taken to begin with the text."


def marked(text: str, start: int | None, end: int | None) -> str:
    """The text with `<v>` tags around a span."""
    if _OPEN in text or _CLOSE in text:
        raise DataError(f"The text holds tags of its own, which could not be told from those of a span: {text[:60]!r}.")
    if start is None or end is None:
        return text
    return f"{text[:start]}{_OPEN}{text[start:end]}{_CLOSE}{text[end:]}"


@dataclass(frozen=True)
class MqmTable(JudgementFormat):
    """MQM as Google released it for WMT: a TSV row an error, `<v>` tags around it in the source or the target.

    Both layouts are read (`doc_id seg_id`, and from 2022 on `docSegId globalSegId`); the first is written. What is
    marked in the source alone is an omission or an error of the source. Released files have a `<v>` without its end
    here and there: the span then reaches to the end of the text (or from its beginning), with a warning.
    """

    name: ClassVar[str] = "mqm"
    kind: ClassVar[str] = "error-spans"
    suffixes: ClassVar[tuple[str, ...]] = (".mqm.tsv",)

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the names of its columns."""
        names = set(first_row(head, path, tsv=True))
        return any(set(header) <= names for header in _HEADERS)

    def read(self, path: StrPath) -> Judgements:
        """A row an error, numbered within the annotator's work on an output."""
        table = TextTable(path, tsv=True)
        header = next((names for names in _HEADERS if set(names) <= set(table.header)), None)
        if header is None:
            lacking = [name for name in _HEADERS[0] if name not in table]
            raise FormatError(f"this is no MQM table: it lacks {', '.join(lacking)}.", path=path, line=1)
        strange = [name for name in table.header if name not in {*header, *_UNUSED}]
        if strange and self.on_bad == "error":
            raise FormatError(
                f"an MQM table has no column {', '.join(strange)}. Take it out, or drop what is wrong (on_bad=drop).",
                path=path,
                line=1,
            )
        system, doc, doc_segment, segment, rater, source, target, category, severity = header
        columns = {
            "annotator": table.column(rater, str),
            "segment": table.column(segment, ERROR_SPANS.field("segment").parse),
            "system": table.column(system, str),
            "doc": table.column(doc, optional(str)),
            "doc_segment": table.column(doc_segment, optional(ERROR_SPANS.field("doc_segment").parse)),
            "category": table.column(category, optional(str)),
            "severity": table.column(severity, optional(str)),
        }
        for name, side, prefix in ((source, "source", "source_"), (target, "target", "")):
            codes, cells = table.cells(name)
            parts = [_parts(cell) for cell in cells]
            wrong = {number: part for number, part in enumerate(parts) if isinstance(part, str)}
            if wrong:
                table.flag(np.isin(codes, list(wrong)), lambda row, c=codes, w=wrong: w[int(c[row])])  # type: ignore[misc]
            for rule in sorted({lone_mark(cell) for cell in cells} - {""}):
                table.mend(np.isin(codes, [n for n, cell in enumerate(cells) if lone_mark(cell) == rule]), rule)
            spans = [(None, None, None) if isinstance(part, str) else part for part in parts]
            columns[side] = Coded.of(codes, [part[0] for part in spans])
            columns[f"{prefix}start"] = Coded.of(codes, [part[1] for part in spans])
            columns[f"{prefix}end"] = Coded.of(codes, [part[2] for part in spans])
        columns["item"] = numbered_items(columns, len(table))
        return table.finish(ERROR_SPANS, columns, format=self.name, on_bad=self.on_bad)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """One row an error, in the layout of 2020."""
        write_tsv(path, _mqm_rows(value))

    def loses(self, value: Judgements) -> list[str]:
        """Scores, types, languages and times; omissions at no place; items with other names."""
        names = ("is_omission", "score", "type", "source_lang", "target_lang", "seconds")
        lost = [name for name in names if any(each is not None for each in value[name])]
        lost += [name for name in ("source", "target") if None in value[name]]
        coded = {name: Coded(*_listed(value.coded(name))) for name in ("annotator", "system", "segment")}
        return lost + ([] if value["item"] == numbered_items(coded, len(value)).column() else ["item"])


def _listed(coded: tuple[np.ndarray[tuple[int], np.dtype[np.int32]], tuple[Value, ...]]):  # type: ignore[no-untyped-def]
    return coded[0], list(coded[1])


def _parts(cell: str) -> tuple[str, int | None, int | None] | str:
    """What `unmarked` gives, or the message of what it raises."""
    try:
        return unmarked(cell)
    except DataError as error:
        return str(error)


def numbered_items(columns: dict[str, Coded], n: int) -> Coded:
    """`system/segment.number` of each row, the number counting an annotator's rows on an output."""
    counts: dict[tuple[Value, ...], int] = {}
    items = []
    keys = zip(*(columns[name].column() for name in ("annotator", "system", "segment")), strict=True)
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
        items.append(f"{key[1]}/{key[2]}.{counts[key]}")
    return Coded(np.arange(n, dtype=np.int32), list(items))


def _mqm_rows(value: Judgements) -> Iterator[list[str]]:
    yield list(_HEADERS[0])
    for row in value.rows():
        source = marked(str(row["source"] or ""), row["source_start"], row["source_end"])  # type: ignore[arg-type]
        target = marked(str(row["target"] or ""), row["start"], row["end"])  # type: ignore[arg-type]
        names = ("system", "doc", "doc_segment", "segment", "annotator")
        yield [
            *(text_of(row[name]) for name in names),
            source,
            target,
            *(text_of(row[n]) for n in ("category", "severity")),
        ]
