"""What a meta-evaluation gives: each metric's agreement with people, who is better than whom, and whence it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UnknownName
from dragoman.report import Column, Figure, Result, Section, Sentence, Table, joined, page

__all__ = ["Agreement", "MetaEvaluation", "MetricTests"]

_MOST_SCATTERS = 4  # of the best metrics; one's own are always drawn

# How the columns of measures are headed.
_HEADINGS = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ-b",
    "accuracy": "pairwise accuracy",
    "soft_accuracy": "soft accuracy",
    "accuracy_eq": "acc_eq",
    "epsilon": "ε",
}


@dataclass(frozen=True)
class Agreement:
    """One metric against people. A value that is not defined is None."""

    metric: str
    values: Mapping[str, float | None]  # measure → value, oriented: more is better
    low: float | None  # interval of the measure that orders the table
    high: float | None
    n: int  # systems, translations or pairs that both have
    n_of: int  # that people have
    rank: int | None
    cluster: int | None  # None where no test was made
    lower_is_better: bool = False  # its scores were negated
    own: bool = False  # a row to look for
    missing: tuple[str, ...] = ()  # judged systems without a score by this metric


@dataclass(frozen=True, eq=False)
class MetricTests:
    """All pairs of metrics: `p[a, b]` asks whether a agrees better than b; NaN where it does not look so."""

    name: str  # "Williams", "randomisation"
    metrics: tuple[str, ...]  # best first
    p: NDArray[np.float64]
    p_adjusted: NDArray[np.float64]
    correction: str
    alpha: float
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_significant(self) -> int:
        """Pairs that the test separates."""
        return int(np.count_nonzero(self.p_adjusted <= self.alpha))

    def p_value(self, better: str, worse: str) -> float | None:
        """The p that the first metric agrees better than the second; None where it does not look so."""
        places = []
        for name in (better, worse):
            if name not in self.metrics:
                raise UnknownName(f"No metric is called {name!r}. Known: {', '.join(self.metrics)}.")
            places.append(self.metrics.index(name))
        p = float(self.p[places[0], places[1]])
        return None if math.isnan(p) else p

    def table(self) -> Table:
        """The matrix, best metric first."""
        columns = [Column("metric"), *(Column(f"p_{name}", name, alpha=0.05) for name in self.metrics)]
        rows = [(name, *map(_none, row)) for name, row in zip(self.metrics, self.p_adjusted, strict=True)]
        n_pairs = len(self.metrics) * (len(self.metrics) - 1) // 2
        note = Sentence(
            "One-sided p that the row's metric agrees better with people than the column's ({test}, correction: "
            "{correction}). {n} of {pairs} pairs are separated at {alpha:g}. The test is the surer the more two "
            "metrics resemble each other, so do not rank metrics by how many they beat.",
            test=self.name,
            correction=self.correction,
            n=self.n_significant,
            pairs=n_pairs,
            alpha=self.alpha,
        )
        return Table.of(f"Which metric is better ({self.name})", columns, rows, note=note, is_matrix=True)

    def figure(self) -> Figure:
        """The matrix as a heat map."""
        cells = [
            (row, column, _none(self.p_adjusted[a, b]))
            for a, row in enumerate(self.metrics)
            for b, column in enumerate(self.metrics)
        ]
        table = Table.of("p-values", ["metric", "than", Column("p", alpha=0.05)], cells)
        return Figure(
            f"p that the row beats the column ({self.name})", "heatmap", table, x="than", y="p", series="metric"
        )


@dataclass(frozen=True, eq=False)
class MetaEvaluation(Result):
    """Metrics ordered by their agreement with people on one test set and language pair."""

    kind: ClassVar[str] = "meta-evaluation"

    level: str  # "sys" or "seg"
    by: str  # the measure that orders the table
    agreements: tuple[Agreement, ...]  # best first
    tests: MetricTests | None
    systems: tuple[str, ...]  # judged by people
    not_judged: tuple[str, ...]  # scored by a metric, not by people
    unit: str  # what n counts: "systems", "translations", "pairs"
    points: Mapping[str, tuple[tuple[str, float, float], ...]]  # metric → (system, human, score) for the scatter
    provenance: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def agreement(self, metric: str) -> Agreement:
        """One metric's row."""
        for each in self.agreements:
            if each.metric == metric:
                return each
        raise UnknownName(f"No metric is called {metric!r}. Known: {', '.join(e.metric for e in self.agreements)}.")

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order of the table."""
        return tuple(self.agreements[0].values) if self.agreements else ()

    def tables(self) -> list[Table]:
        """Agreement of each metric, then the tests, then what was missing."""
        tables = [self._main()]
        if self.tests is not None:
            tables.append(self.tests.table())
        missing = [(each.metric, ", ".join(each.missing)) for each in self.agreements if each.missing]
        if missing:
            tables.append(Table.of("Judged systems that a metric did not score", ["metric", "systems"], missing))
        return tables

    def _main(self) -> Table:
        measures = list(self.measures)
        measures.remove(self.by)
        columns = [
            Column("rank"),
            Column("cluster"),
            Column("metric"),
            Column(self.by, _HEADINGS.get(self.by, self.by), digits=3),
            Column("low", digits=3),
            Column("high", digits=3),
            *(Column(name, _HEADINGS.get(name, name), digits=3) for name in measures),
            Column("n"),
            Column("n_of", f"of {self.unit}"),
        ]
        marks = any(each.own for each in self.agreements)
        if marks:
            columns.append(Column("own"))
        rows = []
        for each in self.agreements:
            value, others = each.values[self.by], [each.values[name] for name in measures]
            row: list[Any] = [
                each.rank,
                each.cluster,
                each.metric,
                value,
                each.low,
                each.high,
                *others,
                each.n,
                each.n_of,
            ]
            rows.append([*row, each.own] if marks else row)
        title = f"Agreement with people, {'systems' if self.level == 'sys' else 'segments'}"
        where = self.provenance.get("pair")
        return Table.of(f"{title}, {where}" if where else title, columns, rows, note=joined(self.notes))

    def figures(self) -> list[Figure]:
        """Scores by people and by metric, one figure for each of the best metrics and for one's own."""
        drawn = [each.metric for each in self.agreements[:_MOST_SCATTERS]]
        drawn += [each.metric for each in self.agreements[_MOST_SCATTERS:] if each.own]
        figures = []
        for name in drawn:
            points = self.points.get(name, ())
            if points:
                table = Table.of(name, ["system", Column("human", "people"), Column("score", name)], points)
                figures.append(Figure(f"{name} against people", "scatter", table, x="human", y="score"))
        return figures

    def meta(self) -> dict[str, Any]:
        """Where the judgements are from, what was left out, how ties were treated, which test was made."""
        tests = None
        if self.tests is not None:
            tests = {
                "test": self.tests.name,
                "correction": self.tests.correction,
                "alpha": self.tests.alpha,
                "significant": self.tests.n_significant,
                **self.tests.options,
            }
        return {
            "level": self.level,
            "by": self.by,
            "unit": self.unit,
            "systems": list(self.systems),
            "not_judged": list(self.not_judged),
            "missing": {each.metric: list(each.missing) for each in self.agreements if each.missing},
            "lower_is_better": [each.metric for each in self.agreements if each.lower_is_better],
            "tests": tests,
            "notes": list(self.notes),
            **self.provenance,
        }

    def sections(self) -> list[Section]:
        """The parts of the page."""
        main, *others = self.tables()
        facts = [(key, _fact(value)) for key, value in self.meta().items() if key not in ("notes", "tests")]
        sections = [Section("Metrics", "", (main,))]
        if self.tests is not None:
            sections.append(Section("Which metric is better", "", (self.tests.figure(), self.tests.table())))
            others = others[1:]
        if self.figures():
            sections.append(Section("Scores of people and metrics", "", tuple(self.figures())))
        sections.append(Section("Provenance", "", (Table.of("", ["what", "value"], facts), *others)))
        return sections

    def html(self, title: str = "") -> str:
        """The result as one HTML file."""
        return page(title or "Meta-evaluation of metrics", self.sections())


def _fact(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_fact(item)}" for key, item in value.items()) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(map(_fact, value)) or "–"
    return "–" if value is None else str(value)


def _none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
