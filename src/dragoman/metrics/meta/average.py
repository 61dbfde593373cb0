"""Several language pairs: a metric's agreement on each, on average, and its average rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.metrics.meta.agreement import MetaEvaluation
from dragoman.report import Column, Result, Section, Table, page

__all__ = ["AverageRow", "MetaEvaluations", "average_evaluations"]


@dataclass(frozen=True)
class AverageRow:
    """One metric over all pairs. A mean is None unless the metric has a value for every pair."""

    metric: str
    values: Mapping[str, float | None]  # language pair → value
    mean: float | None
    rank: float | None  # mean of its clusters where there are any, else of its ranks
    n_pairs: int  # with a value
    above: float | None  # share of (pair, other metric) in which it agrees better: "rank>" of Popović 2012
    not_below: float | None  # better or as well: "rank≥"


@dataclass(frozen=True, eq=False)
class MetaEvaluations(Result):
    """Metrics on several language pairs, best mean first; those that lack a pair come last, without a mean."""

    kind: ClassVar[str] = "meta-evaluations"

    evaluations: Mapping[str, MetaEvaluation]
    rows: tuple[AverageRow, ...]
    by: str
    ranked_by: str  # "cluster" or "rank"

    def tables(self) -> list[Table]:
        """Means and values by pair, then the tables of every pair."""
        columns = [
            Column("metric"),
            Column("mean", f"mean {self.by}", digits=3),
            Column("average_rank", f"average {self.ranked_by}", digits=2),
            Column("pairs"),
            Column("above", "rank> %", digits=1),
            Column("not_below", "rank≥ %", digits=1),
            *(Column(pair, digits=3) for pair in self.evaluations),
        ]
        rows = [
            (
                row.metric,
                row.mean,
                row.rank,
                row.n_pairs,
                _percent(row.above),
                _percent(row.not_below),
                *row.values.values(),
            )
            for row in self.rows
        ]
        note = (
            f"{len(self.evaluations)} language pairs; a metric that lacks one has no mean. rank> and rank≥: share of "
            "(pair, other metric) that it surpasses, or at least equals (Popović 2012)."
        )
        main = Table.of(f"Agreement with people over language pairs ({self.by})", columns, rows, note=note)
        return [main, *(table for each in self.evaluations.values() for table in each.tables())]

    def meta(self) -> dict[str, Any]:
        """The provenance of every pair."""
        return {"by": self.by, "pairs": {pair: each.meta() for pair, each in self.evaluations.items()}}

    def html(self, title: str = "") -> str:
        """The result as one HTML file."""
        sections = [Section("All language pairs", "", (self.tables()[0],))]
        for pair, each in self.evaluations.items():
            sections += [Section(f"{pair}: {part.heading}", part.text, part.items) for part in each.sections()]
        return page(title or "Meta-evaluation of metrics", sections)


def average_evaluations(evaluations: Mapping[str, MetaEvaluation]) -> MetaEvaluations:
    """The mean over language pairs of each metric's agreement and of its cluster (its rank where tests are missing)."""
    if not evaluations:
        raise DataError("There are no evaluations to average.")
    measures = {each.by for each in evaluations.values()}
    if len(measures) > 1:
        raise DataError(f"Evaluations by different measures have no mean: {', '.join(sorted(measures))}.")
    ranked_by = "cluster" if all(each.tests is not None for each in evaluations.values()) else "rank"
    (by,) = measures
    names = dict.fromkeys(one.metric for each in evaluations.values() for one in each.agreements)
    rows = []
    for name in names:
        values: dict[str, float | None] = {}
        places: list[float] = []
        for pair, each in evaluations.items():
            agreement = next((one for one in each.agreements if one.metric == name), None)
            values[pair] = None if agreement is None else agreement.values[by]
            place = None if agreement is None else getattr(agreement, ranked_by)
            places += [] if place is None else [place]
        defined = [value for value in values.values() if value is not None]
        whole = len(defined) == len(evaluations)
        rows.append(
            AverageRow(
                name,
                values,
                sum(defined) / len(defined) if whole else None,
                sum(places) / len(places) if len(places) == len(evaluations) else None,
                len(defined),
                *_shares(name, evaluations, by),
            )
        )
    rows.sort(key=lambda row: (row.mean is None, -(row.mean or 0.0), -row.n_pairs))
    return MetaEvaluations(dict(evaluations), tuple(rows), by, ranked_by)


def _shares(name: str, evaluations: Mapping[str, MetaEvaluation], by: str) -> tuple[float | None, float | None]:
    """How often a metric agrees better than another, and at least as well, over all pairs and other metrics."""
    above = equal = n = 0
    for each in evaluations.values():
        values = {one.metric: one.values[by] for one in each.agreements if one.values[by] is not None}
        own = values.pop(name, None)
        if own is not None:
            others = [value for value in values.values() if value is not None]
            above += sum(own > other for other in others)
            equal += sum(own == other for other in others)
            n += len(others)
    return (above / n, (above + equal) / n) if n else (None, None)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
