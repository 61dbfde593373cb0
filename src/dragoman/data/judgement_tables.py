"""Judgements out of tables: any CSV or TSV with a schema, and the files of the WMT relative ranking."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from dragoman.data.formats.csv import split_rows
from dragoman.data.judgements import Field, Judgements, Row, Schema, Value
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, plain_name, read_lines, read_text
from dragoman.text.languages import LANGUAGE_NAMES, parse_language

__all__ = ["DIRECT_ASSESSMENT", "ranking_schema", "read_judgements", "read_ranking"]

DIRECT_ASSESSMENT = Schema(
    "direct-assessment",
    (
        Field("annotator"),
        Field("item", meaning="what was shown, by its number in the annotator's task"),
        Field("type", required=False, meaning="TGT a system, REF a reference, BAD degraded, CHK shown again"),
        Field("doc", required=False),
        Field("segment", "whole"),
        Field("system"),
        Field("score", "number", required=False, low=0, high=100),
        Field("seconds", "number", required=False, low=0),
    ),
)

_RANKS = 5  # the scale of WMT's relative ranking
_NAMED = {name.casefold(): tag for tag, name in LANGUAGE_NAMES.items()}
_SYSTEM = re.compile("system([0-9]+)Id")


def ranking_schema(n_systems: int) -> Schema:
    """Relative ranking of up to `n_systems` outputs of one segment: 1 is best, equal ranks are ties."""
    systems = [
        field
        for n in range(1, n_systems + 1)
        for field in (
            Field(f"system{n}", required=False),
            Field(f"rank{n}", "whole", required=False, low=1, high=_RANKS),
        )
    ]
    return Schema(
        "relative-ranking",
        (
            Field("annotator"),
            Field("item", meaning="one showing of one screen"),
            Field("source_lang"),
            Field("target_lang"),
            Field("segment", "whole", meaning="as the campaign counted the test set"),
            Field("doc", required=False),
            Field("doc_segment", "whole", required=False),
            *systems,
        ),
    )


def read_judgements(path: StrPath, schema: Schema, *, missing: Collection[str] = ("",)) -> Judgements:
    """The judgements in a CSV or TSV file whose columns are fields of the schema; cells in `missing` become None."""
    table = _Table(path)
    strange = [name for name in table.header if name not in {field.name for field in schema.fields}]
    absent = [field.name for field in schema.fields if field.required and field.name not in table.header]
    if strange or absent:
        problem = f"has no field {', '.join(strange)}" if strange else f"needs the field {', '.join(absent)}"
        raise FormatError(f"a table of {schema.kind} {problem}.", path=path, line=1)

    def read(_: int, cells: dict[str, str]) -> Row:
        return {name: None if cell in missing else schema.field(name).parse(cell) for name, cell in cells.items()}

    return table.collect(schema, read)


def read_ranking(path: StrPath) -> Judgements:
    """The relative-ranking judgements of a WMT file (`srclang,trglang,srcIndex,…,system5rank`).

    −1 becomes None, and so does a system called `blank`, which filled an empty place on the screen. The files do not
    name their screens, so `item` is the number of the row: a screen shown twice to one annotator was shown on purpose.
    """
    table = _Table(path)
    n_systems = sum(1 for name in table.header if _SYSTEM.fullmatch(name))
    needed = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    needed += [f"system{n}{what}" for n in range(1, max(1, n_systems) + 1) for what in ("Id", "rank")]
    absent = [name for name in needed if name not in table.header]
    if absent:
        raise FormatError(
            f"this is no relative-ranking table of WMT's: it lacks {', '.join(absent)}.", path=path, line=1
        )
    schema = ranking_schema(n_systems)

    def read(number: int, cells: dict[str, str]) -> Row:
        values: dict[str, Value] = {
            "annotator": cells["judgeId"],
            "item": str(number),
            "source_lang": _language(cells["srclang"]),
            "target_lang": _language(cells["trglang"]),
            "segment": schema.field("segment").parse(cells["srcIndex"]),
            "doc": None if cells["documentId"] == "-1" else cells["documentId"],
            "doc_segment": schema.field("doc_segment").parse(cells["segmentId"]),
        }
        for n in range(1, n_systems + 1):
            system, rank = cells[f"system{n}Id"], cells[f"system{n}rank"]
            values[f"system{n}"] = None if system == "blank" else system
            values[f"rank{n}"] = _rank(n, system, rank)
        return values

    return table.collect(schema, read)


class _Table:
    """The header of a CSV or TSV file, and its rows with the lines they begin on."""

    def __init__(self, path: StrPath) -> None:
        self.path = path
        if plain_name(path).lower().endswith(".tsv"):
            rows = [(number, line.split("\t")) for number, line in enumerate(read_lines(path), start=1)]
        else:
            rows = list(split_rows(read_text(path), path))
        if not rows:
            raise FormatError("the file is empty; a header line was expected.", path=path)
        (_, self.header), *self.rows = rows

    def collect(self, schema: Schema, read: Callable[[int, dict[str, str]], Row]) -> Judgements:
        """The judgements that `read` makes of number and cells of each row.

        The first wrong line raises, with how many others are wrong.
        """
        rows: list[dict[str, Value]] = []
        problems: list[tuple[int, str]] = []
        for number, (line, cells) in enumerate(self.rows, start=1):
            try:
                if len(cells) != len(self.header):
                    raise DataError(f"the line has {len(cells)} cells for {len(self.header)} columns.")
                rows.append(schema.check(read(number, dict(zip(self.header, cells, strict=True)))))
            except (DataError, UnknownName) as error:
                problems.append((line, str(error)))
        if problems:
            line, message = problems[0]
            n = len(problems) - 1
            more = f" {n} further line{'s are' if n > 1 else ' is'} wrong." if n else ""
            raise FormatError(message + more, path=self.path, line=line)
        return Judgements(schema, {field.name: tuple(row[field.name] for row in rows) for field in schema.fields})


def _rank(n: int, system: str, rank: str) -> int | None:
    if rank == "-1":
        return None
    if system == "blank":
        raise DataError(f"system{n} is blank, but its rank is {rank!r}; expected -1.")
    if not rank.isascii() or not rank.isdigit() or not 1 <= int(rank) <= _RANKS:
        raise DataError(f"rank of system{n} is {rank!r}; expected 1–{_RANKS}, or -1 for not judged.")
    return int(rank)


def _language(text: str) -> str:
    """The tag of a language given by its tag or, as in WMT's files, by its English name."""
    return _NAMED.get(text.casefold()) or parse_language(text)
