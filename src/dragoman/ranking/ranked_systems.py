"""Rankings as results: tables, the plot of rank ranges, one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dragoman.errors import UnknownName
from dragoman.report import Column, Figure, Result, Section, Sentence, Table, joined, page
from dragoman.text.languages import pair_among

__all__ = ["Boundary", "RankedSystem", "Ranking", "Rankings"]


@dataclass(frozen=True)
class RankedSystem:
    """A row of a ranking. The range and the cluster are there when clusters were asked for."""

    system: str
    score: float
    rank: int  # from 1; systems of one score share the better rank
    rank_low: int | None = None
    rank_high: int | None = None
    cluster: int | None = None  # from 1; systems of one cluster are officially tied


@dataclass(frozen=True)
class Boundary:
    """The gap between two neighbours of a ranking, and how often resampled replicates part clusters there."""

    above: str
    below: str
    parts_clusters: bool
    support: float


_COLUMNS = (
    Column("system"),
    Column("score", digits=3),
    Column("rank"),
    Column("rank_low"),
    Column("rank_high"),
    Column("cluster"),
)


@dataclass(frozen=True)
class Ranking(Result):
    """Systems in order, best first, with the rank ranges and clusters that the judgements allow."""

    kind: ClassVar[str] = "ranking"

    rows: tuple[RankedSystem, ...]
    method: str  # signature
    label: str
    pair: str | None = None
    higher_is_better: bool = True
    seed: int = 1
    clusters: Mapping[str, Any] = field(default_factory=dict)  # replicates, unit, interval, level; empty without
    boundaries: tuple[Boundary, ...] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    style: str = ""  # of the table as print has it, wmt13 or wmt14; none if empty

    @property
    def order(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(row.system for row in self.rows)

    def partition(self) -> tuple[tuple[str, ...], ...]:
        """The clusters, best first, each with its systems."""
        numbers = sorted({row.cluster for row in self.rows if row.cluster is not None})
        return tuple(tuple(row.system for row in self.rows if row.cluster == number) for number in numbers)

    def cluster_labels(self, style: str = "wmt13") -> tuple[int | None, ...]:
        """The number of each system's cluster as print has it.

        Findings of WMT 2013 call a cluster by the place of its first system (1, 2, 4, 7 …), those of 2014 count
        clusters as `cluster` does (1, 2, 3, 4 …); 2012 had none and is numbered as 2013.
        """
        first: dict[int | None, int] = {}
        for place, row in enumerate(self.rows, start=1):
            first.setdefault(row.cluster, place)
        return tuple(
            None if row.cluster is None else row.cluster if style == "wmt14" else first[row.cluster]
            for row in self.rows
        )

    def official_table(self, style: str = "wmt13") -> Table:
        """The ranking as WMT prints it: `#` where a cluster begins, score, range of ranks, system."""
        labels = self.cluster_labels(style)
        rows = [
            ("" if label in (None, before) else str(label), row.score, _shown_range(row), row.system)
            for row, label, before in zip(self.rows, labels, (None, *labels), strict=False)
        ]
        columns = [Column("#"), Column("score", digits=3), Column("range"), Column("system")]
        title = Sentence("{title}, as WMT prints it", title=self.title)
        return Table.of(title, columns, rows)

    @property
    def title(self) -> str:
        """What was ranked and how."""
        return f"{self.pair}: {self.label}" if self.pair else self.label

    def cells(self) -> list[tuple[Any, ...]]:
        """The rows as plain tuples."""
        return [(r.system, r.score, r.rank, r.rank_low, r.rank_high, r.cluster) for r in self.rows]

    def note(self) -> str:
        """How to read the table."""
        parts: list[str] = []
        if self.clusters:
            how = self.clusters
            ranges = (
                "Rank ranges hold {level:.0%} of {n:,} {resampled}; clusters are ranges that overlap, and their "
                "systems are tied."
            )
            parts.append(Sentence(ranges, level=how["level"], n=how["replicates"], resampled=how["resampled"]))
        if not self.higher_is_better:
            parts.append(Sentence("Lower scores are better."))
        return joined((*parts, *self.notes))

    def tables(self) -> list[Table]:
        """The ranking, then, with clusters, how firm their boundaries are, and the table of the style."""
        columns = _COLUMNS if self.clusters else _COLUMNS[:3]
        rows = [cells[: len(columns)] for cells in self.cells()]
        tables = [Table.of(self.title, columns, rows, note=self.note())]
        tables += [self._boundary_table()] if self.boundaries else []
        return [*tables, self.official_table(self.style)] if self.style and self.clusters else tables

    def _boundary_table(self) -> Table:
        rows = [(b.above, b.below, b.parts_clusters, b.support) for b in self.boundaries]
        columns = [Column("above"), Column("below"), Column("boundary", "parts clusters"), Column("support", digits=2)]
        note = Sentence(
            "Support: how often the gap parts clusters when the replicates are drawn anew. Near .5, a seed decides."
        )
        return Table.of("Neighbours", columns, rows, note=note)

    def figures(self) -> list[Figure]:
        """Rank ranges where there are any, else the scores."""
        table = self.tables()[0]
        if not self.clusters:
            return [Figure(self.title, "bar", table, x="system", y="score")]
        title = Sentence("Rank ranges, {title}", title=self.title)
        return [Figure(title, "range", table, "system", "rank", low="rank_low", high="rank_high", series="cluster")]

    def meta(self) -> dict[str, Any]:
        """Which judgements, which method, which choices, which seed."""
        return {
            "method": self.method,
            "pair": self.pair,
            "higher_is_better": self.higher_is_better,
            "seed": self.seed,
            "clusters": dict(self.clusters) or None,
            "judgements": dict(self.provenance),
            "details": dict(self.details),
            "notes": list(self.notes),
        }

    def to_dict(self) -> dict[str, Any]:
        """All columns, also those that are empty without clusters."""
        whole = super().to_dict()
        rows = Table.of(self.title, _COLUMNS, self.cells()).records()
        if self.style:
            labels = self.cluster_labels(self.style)
            rows = [{**row, "label": label} for row, label in zip(rows, labels, strict=True)]
        return {**whole, "rows": rows}

    def html(self, *more: Section) -> str:
        """One HTML page: the ranking, its figure, how it was made."""
        return Rankings((self,)).html(*more)


@dataclass(frozen=True)
class Rankings(Result):
    """The rankings of several language pairs."""

    kind: ClassVar[str] = "rankings"

    rankings: tuple[Ranking, ...]

    def __getitem__(self, pair: str) -> Ranking:
        for each in self.rankings:
            if pair_among(pair, [str(each.pair)]):
                return each
        pairs = ", ".join(str(each.pair) for each in self.rankings)
        raise UnknownName(f"There is no ranking of the language pair {pair!r}. Known: {pairs}.")

    def tables(self) -> list[Table]:
        """One table, the pair in front of every row."""
        with_clusters = any(each.clusters for each in self.rankings)
        columns = [Column("pair"), *(_COLUMNS if with_clusters else _COLUMNS[:3])]
        rows = [(each.pair, *cells)[: len(columns)] for each in self.rankings for cells in each.cells()]
        notes = dict.fromkeys(each.note() for each in self.rankings)
        return [Table.of(self.rankings[0].label, columns, rows, note=joined(notes))]

    def figures(self) -> list[Figure]:
        """The figures of every pair."""
        return [figure for each in self.rankings for figure in each.figures()]

    def meta(self) -> dict[str, Any]:
        """What each ranking was made of."""
        return {"rankings": [each.meta() for each in self.rankings]}

    def to_dict(self) -> dict[str, Any]:
        """All columns, also those that are empty without clusters."""
        rows = [(each.pair, *cells) for each in self.rankings for cells in each.cells()]
        records = Table.of("", [Column("pair"), *_COLUMNS], rows).records()
        return {**super().to_dict(), "rows": records}

    def html(self, *more: Section) -> str:
        """One HTML page: every ranking with its figure, and how it was made."""
        sections = []
        for each in self.rankings:
            origin = Table.of("How it was made", ["what", "value"], _flat(each.meta()))
            sections.append(Section(each.title, each.note(), (*each.figures(), *each.tables(), origin)))
        return page("Ranking", [*sections, *more])


def _shown_range(row: RankedSystem) -> str | None:
    """`2-3`, or `1` where the range is one rank; None without clusters."""
    if row.rank_low is None or row.rank_high is None:
        return None
    return f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low}-{row.rank_high}"


def _flat(values: Mapping[str, Any], prefix: str = "") -> Sequence[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            rows += _flat(value, f"{prefix}{key}.")
        elif isinstance(value, list | tuple):
            rows += [(prefix + key, str(item)) for item in value]
        elif value is not None:
            rows.append((prefix + key, str(value)))
    return rows
