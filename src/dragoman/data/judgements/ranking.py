"""Relative ranking: several outputs of one segment on a screen, each with a rank, 1 for the best.

Equal ranks are ties. A rank that was left blank is absent: it neither wins nor loses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements.base import Field, Judgements, Schema, Value
from dragoman.data.judgements.files import JudgementFormat, first_row, language_of, optional, write_csv
from dragoman.data.judgements.table import Coded, TextTable
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath
from dragoman.text.languages import LANGUAGE_NAMES

__all__ = ["NO_RANK", "WmtRanking", "n_ranked", "rank_parser", "ranking_schema", "read_ranking", "screens"]

_RANKS = 5  # the scale of WMT's relative ranking
_SYSTEM = re.compile("system([0-9]+)Id")
_FIXED = ("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId")
NO_RANK = "-1"
NO_SYSTEM = "blank"


def ranking_schema(n_systems: int) -> Schema:
    """Relative ranking of up to `n_systems` outputs of one segment: 1 is best, equal ranks are ties."""
    systems = [
        field
        for n in range(1, n_systems + 1)
        for field in (
            Field(f"system{n}", required=False),
            Field(f"rank{n}", "whole", required=False, low=1, high=max(_RANKS, n_systems)),
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


def n_ranked(schema: Schema) -> int:
    """How many outputs a screen of this schema has room for."""
    return sum(1 for field in schema.fields if re.fullmatch("rank[0-9]+", field.name))


def screens(judgements: Judgements) -> Iterator[list[tuple[str, int | None]]]:
    """For each row the systems on the screen with their ranks, None for one left blank; empty places are not named."""
    places = range(1, n_ranked(judgements.schema) + 1)
    columns = [(judgements[f"system{n}"], judgements[f"rank{n}"]) for n in places]
    for row in range(len(judgements)):
        yield [(systems[row], ranks[row]) for systems, ranks in columns if systems[row] is not None]  # type: ignore[misc]


def read_ranking(path: StrPath, *, on_bad: str = "error") -> Judgements:
    """The relative-ranking judgements of a WMT file (`srclang,trglang,srcIndex,…,system5rank`).

    −1 becomes None, and so does a system called `blank`, which filled an empty place on the screen. The files do not
    name their screens, so `item` is the number of the row: a screen shown twice to one annotator was shown on purpose.
    """
    return WmtRanking(on_bad=on_bad).read(path)


@dataclass(frozen=True)
class WmtRanking(JudgementFormat):
    """Relative rankings as WMT released them from 2010 to 2014: a row a screen, systems and ranks in columns.

    Rank −1 is a blank, the system `blank` an empty place. Systems may be more or fewer than five.
    """

    name: ClassVar[str] = "wmt-ranking"
    kind: ClassVar[str] = "relative-ranking"
    suffixes: ClassVar[tuple[str, ...]] = (".rnk.csv", ".rnk_results.csv")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the names of its columns."""
        names = {name.lower() for name in first_row(head, path, tsv=False)}
        return {"srclang", "trglang", "judgeid", "system1id", "system1rank"} <= names and "rankingid" not in names

    def read(self, path: StrPath) -> Judgements:
        """The rows as screens, their number as `item`."""
        table = TextTable(path, tsv=False)
        names = _wmt_columns(table, self.on_bad)
        n_systems = sum(1 for name in names if _SYSTEM.fullmatch(name))
        schema = ranking_schema(n_systems)
        place = schema.field("segment").parse
        columns = {
            "annotator": table.column(names["judgeId"], str),
            "item": Coded(np.arange(len(table), dtype=np.int32), [str(n) for n in range(1, len(table) + 1)]),
            "source_lang": table.column(names["srclang"], language_of),
            "target_lang": table.column(names["trglang"], language_of),
            "segment": table.column(names["srcIndex"], place),
        }
        if "documentId" in names:
            columns["doc"] = table.column(names["documentId"], optional(str, ("-1", "")))
        if "segmentId" in names:
            columns["doc_segment"] = table.column(names["segmentId"], optional(schema.field("doc_segment").parse))
        for n in range(1, n_systems + 1):
            columns[f"system{n}"] = table.column(names[f"system{n}Id"], optional(str, ("", NO_SYSTEM)))
            columns[f"rank{n}"] = table.column(
                names[f"system{n}rank"], rank_parser(f"system{n}", max(_RANKS, n_systems))
            )
        _check_screens(table, columns, n_systems, names)
        return table.finish(schema, columns, format=self.name, on_bad=self.on_bad)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """One row a screen; systems are numbered by name."""
        write_csv(path, _wmt_rows(value))

    def loses(self, value: Judgements) -> list[str]:
        """Items that are not the number of their row, and pieces of documents that have no place."""
        lost = [] if value["item"] == tuple(str(n) for n in range(1, len(value) + 1)) else ["item"]
        return lost + (["doc"] if "-1" in value["doc"] else [])


def _wmt_columns(table: TextTable, on_bad: str) -> dict[str, str]:
    """The columns of a WMT file by the names they have in 2012's, as the file spells them."""
    spelt = {name.lower(): name for name in table.header}
    n_systems = sum(1 for name in spelt if re.fullmatch("system[0-9]+id", name))
    wanted = [*_FIXED]
    wanted += [f"system{n}{what}" for n in range(1, max(1, n_systems) + 1) for what in ("Id", "rank")]
    names = {name: spelt[name.lower()] for name in wanted if name.lower() in spelt}
    if "srcIndex" not in names and "segmentId" in names:
        names["srcIndex"] = names["segmentId"]
    absent = [name for name in wanted if name not in names and name not in ("documentId", "segmentId")]
    if absent:
        raise FormatError(
            f"this is no relative-ranking table of WMT's: it lacks {', '.join(absent)}.", path=table.path, line=1
        )
    expected = {*names.values(), *(name for key, name in spelt.items() if re.fullmatch("system[0-9]+number", key))}
    strange = [name for name in table.header if name not in expected]
    if strange and on_bad == "error":
        raise FormatError(
            f"a relative-ranking table of WMT's has no column {', '.join(strange)}. Take it out, or drop what is wrong "
            "(on_bad=drop).",
            path=table.path,
            line=1,
        )
    return names


def rank_parser(system: str, highest: int | None = None) -> Callable[[str], Value]:
    """A parser of rank cells: −1 is a blank, everything else a rank of the scale, which may be open."""
    expected = "a rank from 1 on" if highest is None else f"1–{highest}"

    def parse(cell: str) -> Value:
        if cell == NO_RANK:
            return None
        is_rank = cell.isascii() and cell.isdigit() and len(cell) < 5 and int(cell) >= 1
        if not is_rank or (highest is not None and int(cell) > highest):
            raise DataError(f"rank of {system} is {cell!r}; expected {expected}, or -1 for not judged.")
        return int(cell)

    return parse


def _check_screens(table: TextTable, columns: dict[str, Coded], n_systems: int, names: dict[str, str]) -> None:
    """Mark screens on which an empty place has a rank, or a system stands twice."""
    everywhere: dict[Value, int] = {}
    shown: NDArray[np.int64] = np.empty((len(table), n_systems), dtype=np.int64)
    for n in range(1, n_systems + 1):
        systems, ranks = columns[f"system{n}"], columns[f"rank{n}"]
        is_blank = np.array([value is None for value in systems.values], dtype=bool)[systems.codes]
        is_ranked = np.array([value is not None for value in ranks.values], dtype=bool)[ranks.codes]
        table.flag(
            is_blank & is_ranked,
            lambda row, n=n: (  # type: ignore[misc]
                f"system{n} is blank, but its rank is {table.cell(names[f'system{n}rank'], row)!r}; expected -1."
            ),
        )
        numbers = np.array([everywhere.setdefault(value, len(everywhere)) for value in systems.values], dtype=np.int64)
        shown[:, n - 1] = np.where(is_blank, -n, numbers[systems.codes])
    in_order = np.sort(shown, axis=1)
    twice = (in_order[:, 1:] == in_order[:, :-1]).any(axis=1)

    def say(row: int) -> str:
        cells = [table.cell(names[f"system{n}Id"], row) for n in range(1, n_systems + 1)]
        doubled = next(cell for cell in cells if cell != NO_SYSTEM and cells.count(cell) > 1)
        return (
            f"the system {doubled!r} stands twice in one ranking task; a screen shows each system once. Leave such "
            "tasks out with on_bad=drop."
        )

    table.flag(twice, say)


def _language(tag: str) -> str:
    return LANGUAGE_NAMES.get(tag, tag)


def _wmt_rows(value: Judgements) -> Iterator[list[str]]:
    n_systems = n_ranked(value.schema)
    places = range(1, n_systems + 1)
    numbers = {
        name: number for number, name in enumerate(sorted({s for n in places for s in value[f"system{n}"] if s}))
    }
    shown = [f"system{n}{what}" for n in places for what in ("Number", "Id")]
    yield [*_FIXED, *shown, *(f"system{n}rank" for n in places)]
    for row in value.rows():
        cells = [
            _language(str(row["source_lang"])),
            _language(str(row["target_lang"])),
            str(row["segment"]),
            "-1" if row["doc"] is None else str(row["doc"]),
            "" if row["doc_segment"] is None else str(row["doc_segment"]),
            str(row["annotator"]),
        ]
        for n in places:
            system = row[f"system{n}"]
            if system in ("", NO_SYSTEM):
                raise DataError(f"A system called {system!r} is an empty place in a {WmtRanking.name} file. Rename it.")
            cells += ["0", NO_SYSTEM] if system is None else [str(numbers[str(system)] + 1), str(system)]
        cells += [NO_RANK if row[f"rank{n}"] is None else str(row[f"rank{n}"]) for n in places]
        yield cells
