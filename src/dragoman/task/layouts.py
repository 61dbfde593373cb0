"""Tables as the findings papers of WMT print them, made of results that single commands give."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dragoman.data.comparisons import Comparisons
from dragoman.human.agreement import Agreement
from dragoman.metrics.comparison import Comparison
from dragoman.metrics.meta.agreement import MetaEvaluation
from dragoman.metrics.score_sheet import ScoreSheet
from dragoman.metrics.views import Views
from dragoman.qe.evaluation import QEEvaluation
from dragoman.ranking import Ranking
from dragoman.report import Column, Table
from dragoman.report.render import to_latex
from dragoman.report.table import MISSING, shown_number
from dragoman.task.manifest import SharedTask
from dragoman.task.names import anonymous_names

__all__ = [
    "Layout",
    "agreement_table",
    "estimates_table",
    "judgement_table",
    "meta_table",
    "participants_table",
    "ranking_table",
    "scores_table",
    "significance_table",
    "views_table",
    "with_printed_names",
]

_CORNER = "row\\column"  # of the head of a matrix of systems
_LEVEL = 0.05  # at which estimators are told apart
_MARKS = ((0.01, "⋆"), (0.05, "†"), (0.10, "‡"))  # as in the head-to-head tables


@dataclass(frozen=True)
class Layout:
    """A table, and the rows above which a line is drawn: where a cluster ends."""

    table: Table
    rules: frozenset[int] = frozenset()

    def latex(self) -> str:
        """A `tabular` with the lines."""
        head, middle, body = to_latex(self.table).partition("\\midrule\n")
        rows = body.splitlines()
        ruled = [text for n, row in enumerate(rows) for text in ((r"\midrule", row) if n in self.rules else (row,))]
        return head + middle + "\n".join(ruled) + "\n"


def with_printed_names(layout: Layout, names: Mapping[str, str]) -> Layout:
    """A layout whose systems are called as the findings print them; results and commands keep names of files."""
    table = layout.table
    first = table.columns[0].name
    places = [n for n, column in enumerate(table.columns) if column.name == "system" or (n == 0 and first == _CORNER)]
    if not names or not places:
        return layout
    rows = [
        tuple(names.get(str(cell), cell) if n in places else cell for n, cell in enumerate(row)) for row in table.rows
    ]
    columns = [
        replace(column, name=names.get(column.name, column.name)) if first == _CORNER else column
        for column in table.columns
    ]
    return replace(layout, table=Table.of(table.title, columns, rows, note=table.note, is_matrix=table.is_matrix))


def participants_table(task: SharedTask, systems: Mapping[str, int]) -> Layout:
    """Who took part, and with how many systems; teams that wish it stand under a letter."""
    columns = [Column("team", "ID"), Column("institution", "Participant"), Column("systems", "Systems")]
    letters = anonymous_names(task)
    rows = [
        (
            letters.get(team.name, team.printed or team.name),
            "" if team.is_anonymous else team.institution,
            systems.get(team.name, 0),
        )
        for team in task.teams
    ]
    return Layout(Table.of("Participants", columns, rows))


def scores_table(sheet: ScoreSheet, title: str) -> Layout:
    """A row a system, the best by the first metric first, each score with half of its interval."""
    order = sorted(
        range(len(sheet.systems)),
        key=lambda s: sheet.scores[s][0][0] * (-1 if not sheet.higher_is_better or sheet.higher_is_better[0] else 1),
    )
    columns = [
        Column("system", "System"),
        *(Column(m, label) for m, label in zip(sheet.metrics, sheet.labels, strict=True)),
    ]
    rows = [(sheet.systems[s], *(_with_interval(sheet, s, m) for m in range(len(sheet.metrics)))) for s in order]
    note = f"± half of a {sheet.confidence:.0%} bootstrap interval; {sheet.n_segments:,} segments."
    return Layout(Table.of(title, columns, rows, note=note))


def _with_interval(sheet: ScoreSheet, s: int, m: int) -> str:
    score = sheet.scores[s][m][0]
    if sheet.low is None or sheet.high is None:
        return f"{score:.2f}"
    return f"{score:.2f} ± {(sheet.high[s, m, 0] - sheet.low[s, m, 0]) / 2:.2f}"


def significance_table(comparison: Comparison, metric: str, title: str) -> Layout:
    """All pairs by one metric: the row's score minus the column's, with the mark of its p-value."""
    higher = comparison.higher_is_better[comparison.metrics.index(metric)]
    scores = {each.system: each.score for each in comparison.scores if each.metric == metric}
    names = sorted(scores, key=lambda name: -scores[name] if higher else scores[name])
    pairs = {frozenset((each.system, each.baseline)): each for each in comparison.all_pairs if each.metric == metric}

    def cell(row: str, column: str) -> str:
        if row == column:
            return MISSING
        p = pairs[frozenset((row, column))].p_adjusted
        mark = next((mark for bound, mark in _MARKS if p <= bound), "")
        return shown_number(scores[row] - scores[column], 2, sign="+").replace("-", "−") + mark

    marks = ", ".join(f"{mark} p ≤ {bound:.2f}" for bound, mark in _MARKS)
    test = f"{comparison.test}, {comparison.sides}"
    note = f"Row minus column; {test}, p corrected ({comparison.correction}) for all pairs: {marks}."
    columns = [Column(_CORNER, " "), *map(Column, names)]
    rows = [(row, *(cell(row, column) for column in names)) for row in names]
    return Layout(Table.of(title, columns, rows, note=note, is_matrix=True))


def judgement_table(comparisons: Comparisons, pair: str) -> Layout:
    """Table 2 of the findings: systems, comparisons without ties, and how many that is for each system."""
    decided = int((comparisons.outcome != 0).sum())
    columns = [Column("pair", "Language pair"), Column("systems", "Systems"), Column("rankings", "Rankings"),
               Column("average", "Average", 2)]  # fmt: skip
    n = len(comparisons.systems)
    return Layout(Table.of("Amount of data", columns, [(pair, n, decided, decided / n)]))


def agreement_table(agreement: Agreement, pair: str) -> Layout:
    """κ between annotators and of annotators with themselves."""
    columns = [Column("pair", "Language pair"), Column("kind", "Agreement"), Column("statistic", "Coefficient"),
               Column("value", "κ", 3), Column("low", digits=3), Column("high", digits=3)]  # fmt: skip
    rows = [(pair, each.kind, each.statistic, each.value, each.low, each.high) for each in agreement.lines]
    return Layout(Table.of("Agreement", columns, rows))


def ranking_table(ranking: Ranking, style: str) -> Layout:
    """#, score, range, system, with a line between clusters."""
    table = ranking.official_table(style)
    rules = [n for n, (row, before) in enumerate(zip(ranking.rows[1:], ranking.rows, strict=False), start=1)
             if row.cluster != before.cluster]  # fmt: skip
    return Layout(table, frozenset(rules))


def meta_table(evaluation: MetaEvaluation, measures: Mapping[str, str], title: str) -> Layout:
    """A row a metric with its correlations and the interval of the first, the best first."""
    columns = [Column("metric", "Metric"), *(Column(name, label, 3) for name, label in measures.items()),
               Column("low", digits=3), Column("high", digits=3), Column("n")]  # fmt: skip
    rows = [
        (each.metric, *(each.values.get(name) for name in measures), each.low, each.high, each.n)
        for each in evaluation.agreements
    ]
    return Layout(Table.of(title, columns, rows))


def estimates_table(
    evaluation: QEEvaluation, title: str, decisive: str, *, less_is_better: bool, best: str, baseline: str | None = None
) -> Layout:
    """A row an estimator, the best first; the oracle and those that look at nothing below a line.

    Winners are the best and those that are not told apart from it (Bojar et al., WMT 2013, §5); the baseline and what
    is not told apart from that are marked as well.
    """
    measures = list(dict.fromkeys(each.measure for each in evaluation.measured))
    systems = list(dict.fromkeys(each.system for each in evaluation.measured))
    trivial = {*evaluation.trivial, "oracle"}
    values = {(each.system, each.measure): each.value for each in evaluation.measured}
    p = {(each.system, each.other): each.p for each in evaluation.against if each.measure == decisive}

    def place(name: str) -> tuple[bool, bool, float]:
        value = values.get((name, decisive))
        is_defined = value is not None and not math.isnan(value)
        sign = 1 if less_is_better else -1
        return name in trivial, name == "oracle", sign * value if value is not None and is_defined else math.inf

    def is_alike(name: str, other: str | None) -> bool:
        return name not in trivial and (name == other or p.get((name, str(other)), 0.0) > _LEVEL)

    def marks(name: str) -> str:
        return "●" * is_alike(name, best) + "○" * is_alike(name, baseline)

    ranked = sorted(systems, key=place)
    rows = [(marks(name), name, *(values.get((name, measure)) for measure in measures)) for name in ranked]
    columns = [Column("won", " "), Column("system", "System"), *(Column(measure, digits=4) for measure in measures)]
    first = next((n for n, name in enumerate(ranked) if name in trivial), None)
    note = f"● the best by {decisive}, and what is not told apart from it (paired bootstrap, p > {_LEVEL:g})"
    note += f"; ○ the baseline, {baseline}, likewise." if baseline is not None else "."
    return Layout(Table.of(title, columns, rows, note=note), frozenset({first} if first else ()))


def views_table(views: Views, title: str) -> Layout:
    """The medical task's: a row a system, measures under each view."""
    keys = list(dict.fromkeys((each.view, each.metric) for each in views.scores))
    cells: dict[str, dict[tuple[str, str], str]] = {}
    for each in views.scores:
        cells.setdefault(each.system, {})[each.view, each.metric] = f"{each.score:.2f} ± {each.half_width:.2f}"
    columns = [Column("system", "System"), *(Column(f"{view} {metric}") for view, metric in keys)]
    rows: Sequence[tuple[str, ...]] = [(name, *(own[key] for key in keys)) for name, own in cells.items()]
    return Layout(Table.of(title, columns, rows, note=views.tables()[0].note))
