"""Relative rankings as pairs: WMT's files from 2015 on.

From 2015 on identical outputs were shown once under a joint name. For a ranking each system of the joint name gets the
rank; for agreement the joint name stays (`split_merged=no`), or the same click would be counted several times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from os import fspath
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements.base import JudgementFile, Judgements, Value
from dragoman.data.judgements.files import JudgementFormat, first_row, language_of, write_csv
from dragoman.data.judgements.ranking import NO_RANK, rank_parser, ranking_schema, screens
from dragoman.data.judgements.table import Coded, TextTable, coded_judgements
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath
from dragoman.options import option

__all__ = ["PairwiseRanking"]

Ints = NDArray[np.int64]

_HEADER = (
    "srclang",
    "trglang",
    "srcIndex",
    "segmentId",
    "judgeID",
    "system1Id",
    "system1rank",
    "system2Id",
    "system2rank",
    "rankingID",
)


@dataclass(frozen=True)
class PairwiseRanking(JudgementFormat):
    """Relative rankings as WMT released them from 2015 on: a row a pair of systems, `rankingID` naming their screen.

    The pairs of a screen are put together again; where some are missing, each stands on a screen of its own. Joint
    names (`a+b`, identical outputs) are taken apart unless `split_merged` is off.
    """

    name: ClassVar[str] = "pairwise-ranking"
    kind: ClassVar[str] = "relative-ranking"
    suffixes: ClassVar[tuple[str, ...]] = (".pairwise.csv",)

    split_merged: bool = option(True, choices=(True, False), text="give every system of a joint name the rank")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the names of its columns."""
        names = {name.lower() for name in first_row(head, path, tsv=False)}
        return {"srclang", "trglang", "judgeid", "system1id", "system1rank", "rankingid"} <= names

    def read(self, path: StrPath) -> Judgements:
        """The screens, in the order in which they begin."""
        table = TextTable(path, tsv=False)
        return _PairTable(table, _pair_columns(table, self.on_bad), self.split_merged).judgements(
            self.name, self.on_bad
        )

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """Every pair of each screen."""
        write_csv(path, self._rows(value))

    def _rows(self, value: Judgements) -> Iterator[list[str]]:
        yield list(_HEADER)
        for row, ranked in zip(value.rows(), screens(value), strict=True):
            for system, _ in ranked:
                if self.split_merged and "+" in system:
                    raise DataError(
                        f"The system {system!r} has a + in its name, which joins names in a {self.name} file. Rename "
                        "it, or write with split_merged=no."
                    )
            place = [str(row["source_lang"]), str(row["target_lang"]), str(row["segment"]), str(row["segment"])]
            for (first, rank), (second, other) in combinations(ranked, 2):
                ranks = [NO_RANK if each is None else str(each) for each in (rank, other)]
                yield [*place, str(row["annotator"]), first, ranks[0], second, ranks[1], str(row["item"])]

    def loses(self, value: Judgements) -> list[str]:
        """Documents, and screens with fewer than two systems."""
        return _lost(value)


def _pair_columns(table: TextTable, on_bad: str) -> dict[str, str]:
    spelt = {name.lower(): name for name in table.header}
    names = {name: spelt[name.lower()] for name in _HEADER if name.lower() in spelt}
    if "srcIndex" not in names and "segmentId" in names:
        names["srcIndex"] = names["segmentId"]
    absent = [name for name in _HEADER if name not in names and name != "segmentId"]
    if absent:
        raise FormatError(f"this is no table of ranked pairs: it lacks {', '.join(absent)}.", path=table.path, line=1)
    strange = [name for name in table.header if name not in names.values()]
    if strange and on_bad == "error":
        raise FormatError(
            f"a table of ranked pairs has no column {', '.join(strange)}. Take it out, or drop what is wrong "
            "(on_bad=drop).",
            path=table.path,
            line=1,
        )
    return names


def _lost(value: Judgements) -> list[str]:
    lost = [name for name in ("doc", "doc_segment") if any(each is not None for each in value[name])]
    return lost + (["small screens"] if any(len(ranked) < 2 for ranked in screens(value)) else [])


class _PairTable:
    """The pairs of a file put together to screens, all at once: arrays of numbers, no object a pair."""

    def __init__(self, table: TextTable, names: dict[str, str], split_merged: bool) -> None:
        self.table = table
        parse = ranking_schema(2).field("segment").parse
        self.places = {
            "source_lang": table.column(names["srclang"], language_of),
            "target_lang": table.column(names["trglang"], language_of),
            "segment": table.column(names["srcIndex"], parse),
            "annotator": table.column(names["judgeID"], str),
            "ranking": table.column(names["rankingID"], str),
        }
        shown = [table.column(names[f"system{n}Id"], str) for n in (1, 2)]
        rank_columns = [table.column(names[f"system{n}rank"], rank_parser(f"system{n}")) for n in (1, 2)]
        cells: dict[Value, int] = {}  # names as the file has them
        self.systems: dict[str, int] = {}
        self.pair = np.empty((len(table), 2), dtype=np.int64)  # numbers of the cells
        self.rank = np.empty((len(table), 2), dtype=np.int64)  # 0 for a blank
        for side in (0, 1):
            numbers = np.array([cells.setdefault(value, len(cells)) for value in shown[side].values], dtype=np.int64)
            self.pair[:, side] = numbers[shown[side].codes] if len(table) else 0
            ranks = np.array([int(value or 0) for value in rank_columns[side].values], dtype=np.int64)
            self.rank[:, side] = ranks[rank_columns[side].codes] if len(table) else 0
        self.cells = [str(cell) for cell in cells]
        self.members = [  # the systems of each cell
            [self.systems.setdefault(name, len(self.systems)) for name in (cell.split("+") if split_merged else [cell])]
            for cell in self.cells
        ]
        self.group = _numbered([coded.codes for coded in self.places.values()])

    def judgements(self, format_: str, on_bad: str) -> Judgements:
        """The screens, once what is wrong is out of the way."""
        self._flag_twice()
        self._flag_repeated()
        self._flag_ranks()
        good, dropped = self.table.settle(on_bad)
        rows = np.flatnonzero(good)
        screen = self._screens(rows)
        first, screen = np.unique(screen, return_index=True, return_inverse=True)[1:]
        # Screens in the order in which they begin.
        order = np.argsort(first, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        screen, first = place[screen], rows[first[order]]
        columns = {name: Coded(coded.codes[first], coded.values) for name, coded in self.places.items()}
        columns["item"] = self._items(first, columns.pop("ranking"))
        width = self._fill(columns, rows, screen, len(first))
        file = JudgementFile(fspath(self.table.path), format_, len(first), dropped)
        return coded_judgements(ranking_schema(width), columns, file)

    def _flag_twice(self) -> None:
        """A system on both sides of a pair."""
        meet = self.pair[:, 0] == self.pair[:, 1]
        if any(len(members) > 1 for members in self.members):
            sets = [set(members) for members in self.members]
            keys, inverse = np.unique(self.pair, axis=0, return_inverse=True)
            meet |= np.array([bool(sets[a] & sets[b]) for a, b in keys.tolist()], dtype=bool)[inverse.reshape(-1)]
        names = list(self.systems)

        def say(row: int) -> str:
            one, other = (set(self.members[cell]) for cell in self.pair[row].tolist())
            twice = names[min(one & other)]
            return f"the system {twice!r} stands twice in one pair. Leave such pairs out with on_bad=drop."

        self.table.flag(meet, say)

    def _flag_repeated(self) -> None:
        """A pair that its screen has already."""
        ends = [self.pair.min(axis=1, initial=len(self.cells)), self.pair.max(axis=1, initial=0)]
        again = np.ones(len(self.table), dtype=bool)
        again[np.unique(_numbered([self.group, *ends]), return_index=True)[1]] = False

        def say(row: int) -> str:
            one, other = (self.cells[cell] for cell in self.pair[row].tolist())
            return f"the pair {one!r}, {other!r} is there twice in ranking {self._ranking(row)!r}."

        self.table.flag(again, say)

    def _flag_ranks(self) -> None:
        """A system with another rank than where its screen first names it."""
        row, system, rank = self._entries(np.arange(len(self.table)))
        _, first, inverse = np.unique(
            self.group[row] * max(1, len(self.systems)) + system, return_index=True, return_inverse=True
        )
        differs = rank != rank[first][inverse]
        wrong = np.zeros(len(self.table), dtype=bool)
        wrong[row[differs]] = True
        names = list(self.systems)

        def say(at: int) -> str:
            entry = int(np.flatnonzero(differs & (row == at))[0])
            before, here = (int(rank[e]) or "a blank" for e in (first[inverse[entry]], entry))
            return (
                f"the system {names[int(system[entry])]!r} has rank {here} here and {before} before in ranking "
                f"{self._ranking(at)!r}. Leave such pairs out with on_bad=drop."
            )

        self.table.flag(wrong, say)

    def _ranking(self, row: int) -> str:
        coded = self.places["ranking"]
        return str(coded.values[int(coded.codes[row])])

    def _entries(self, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Row, system and rank of every system of every pair, in the order of the file."""
        sizes = np.array([len(members) for members in self.members], dtype=np.int64)
        flat = np.array([system for members in self.members for system in members], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        cell, rank = self.pair[rows].reshape(-1), self.rank[rows].reshape(-1)
        counts = sizes[cell] if len(cell) else cell
        offset = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return (
            np.repeat(np.repeat(rows, 2), counts),
            flat[np.repeat(starts[cell] if len(cell) else cell, counts) + offset] if len(flat) else cell,
            np.repeat(rank, counts),
        )

    def _screens(self, rows: Ints) -> Ints:
        """For each of these rows a number of its screen: that of its ranking, or its own if pairs are missing there."""
        group = self.group[rows]
        n_pairs = np.bincount(group, minlength=len(self.table))
        cells = np.unique(np.repeat(group, 2) * max(1, len(self.cells)) + self.pair[rows].reshape(-1))
        n_cells = np.bincount(cells // max(1, len(self.cells)), minlength=len(self.table))
        is_whole = n_pairs == n_cells * (n_cells - 1) // 2
        return np.where(is_whole[group], group, len(self.table) + np.arange(len(rows)))

    def _items(self, first: Ints, ranking: Coded) -> Coded:
        """The ranking's number where it names one screen; else languages, segment and the place among its pairs too."""
        names = [str(name) for name in ranking.column()]
        if len(set(names)) == len(names):
            return ranking
        places = [self.places[name].column() for name in ("source_lang", "target_lang", "segment", "annotator")]
        seen: dict[str, int] = {}
        items = []
        for row, name in zip(first.tolist(), names, strict=True):
            source, target, segment, annotator = (column[row] for column in places)
            item = f"{source}-{target}:{segment}:{annotator}:{name}"
            seen[item] = seen.get(item, 0) + 1
            items.append(item if seen[item] == 1 else f"{item}.{seen[item]}")
        return Coded.of(np.arange(len(items), dtype=np.int32), items)

    def _fill(self, columns: dict[str, Coded], rows: Ints, screen: Ints, n: int) -> int:
        """The systems and ranks of the screens into their columns; how wide the widest is."""
        row, system, rank = self._entries(rows)
        of_row = np.empty(len(self.table), dtype=np.int64)
        of_row[rows] = screen
        at = of_row[row]
        first = np.sort(np.unique(at * max(1, len(self.systems)) + system, return_index=True)[1])
        order = first[np.argsort(at[first], kind="stable")]
        at, system, rank = at[order], system[order], rank[order]
        sizes = np.bincount(at, minlength=n)
        place = np.arange(len(at)) - (np.cumsum(sizes) - sizes)[at]
        width = max(2, int(sizes.max(initial=0)))
        highest = int(rank.max(initial=0))
        for column in range(width):
            here = place == column
            shown = np.full(n, len(self.systems), dtype=np.int32)
            shown[at[here]] = system[here]
            numbers = np.zeros(n, dtype=np.int32)
            numbers[at[here]] = rank[here]
            columns[f"system{column + 1}"] = Coded(shown, [*self.systems, None])
            columns[f"rank{column + 1}"] = Coded(numbers, [None, *range(1, highest + 1)])
        return width


def _numbered(columns: list[Any]) -> Ints:
    """A number for each row, the same where all columns are the same."""
    group = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        group = np.unique(group * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1].reshape(-1)
    return group
