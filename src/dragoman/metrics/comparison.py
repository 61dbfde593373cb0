"""What a comparison of systems gives: scores with intervals, paired tests, breakdowns, and the segments themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import UnknownName
from dragoman.metrics.buckets import Breakdown
from dragoman.metrics.error_classes import ErrorProfile
from dragoman.metrics.findings import by_score, findings
from dragoman.metrics.ngram_contrast import NgramContrast
from dragoman.metrics.score_sheet import ReferenceScores
from dragoman.metrics.verdict import p_in_words, verdict
from dragoman.report import Column, Figure, Result, Sentence, Table, joined
from dragoman.report.sentence import isolated, without_isolates
from dragoman.report.table import shown_number

__all__ = ["ComparedSegments", "Comparison", "SystemPair", "SystemScore"]


@dataclass(frozen=True)
class SystemScore:
    """A system's score by one metric, with its bootstrap interval."""

    system: str
    metric: str  # as asked for
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class SystemPair:
    """One system against another by one metric. `delta` is the system's score minus the baseline's."""

    baseline: str
    system: str
    metric: str
    delta: float
    p: float
    p_adjusted: float  # for the pairs of this metric in the same table
    low: float  # of delta
    high: float
    wins: int  # of the system, in resamples or segments, with the metric's sense of better
    losses: int
    ties: int
    standardised: float | None  # delta in units of its spread from segment to segment
    smallest: float  # the smallest true difference that this test set shows with probability 0.8
    better: str | None  # the better system, if the test separates them

    @property
    def sentence(self) -> str:
        """What the test says, and no more than that."""
        return self._sentence(self.system, self.baseline, self.better)

    @property
    def isolated_sentence(self) -> str:
        """The sentence with its names isolated, so that a right-to-left name does not turn the rest round."""
        return self._sentence(isolated(self.system), isolated(self.baseline), self.better and isolated(self.better))

    def _sentence(self, system: str, baseline: str, better: str | None) -> str:
        gap = shown_number(self.delta, 2, sign="+").replace("-", "−") + f" {self.metric}"
        if self.delta == 0:
            says = "they score the same"
        elif better is None:
            says = "this test set does not separate them"
        else:
            says = f"{better} is better"
        return f"{system} − {baseline} = {gap}, {p_in_words(self.p_adjusted)}: {says}."


@dataclass(frozen=True, eq=False)
class ComparedSegments:
    """The compared texts and their segment scores: what the segment browser shows."""

    test_set: TestSet
    scores: NDArray[np.float64]  # (metrics, systems, segments)


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Systems compared on the same segments. The baseline stands first."""

    kind: ClassVar[str] = "comparison"

    systems: tuple[str, ...]
    metrics: tuple[str, ...]  # as asked for
    labels: tuple[str, ...]
    signatures: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    scores: tuple[SystemScore, ...]
    pairs: tuple[SystemPair, ...]  # with the baseline, or all
    all_pairs: tuple[SystemPair, ...]  # every pair, corrected for all of them
    breakdowns: tuple[Breakdown, ...]
    ngrams: tuple[NgramContrast, ...]
    references: tuple[ReferenceScores, ...]  # for each metric, where there are several references
    segment_tables: tuple[Table, ...]  # how metrics see the segments where systems differ most
    errors: ErrorProfile | None
    left_out: str  # which of these could not be made, and why
    segments: ComparedSegments
    test: str
    sides: str  # which differences the test's p is for: `two-sided`, `one-sided`, `nearly one-sided`
    test_options: Mapping[str, Any]
    test_note: str
    correction: str
    alpha: float
    level: float
    interval_trials: int
    seed: int

    @property
    def baseline(self) -> str:
        """The system that the others are compared with."""
        return self.systems[0]

    @property
    def n_segments(self) -> int:
        """How many segments were compared."""
        return len(self.segments.test_set)

    def score(self, system: str, metric: str) -> SystemScore:
        """One system's score by one metric."""
        for each in self.scores:
            if (each.system, each.metric) == (system, metric):
                return each
        raise UnknownName(
            f"{system!r} was not scored by {metric!r}. Systems: {', '.join(self.systems)}; "
            f"metrics: {', '.join(self.metrics)}."
        )

    def pair(self, system: str, baseline: str, metric: str) -> SystemPair:
        """One comparison out of the main table."""
        for each in self.pairs:
            if (each.system, each.baseline, each.metric) == (system, baseline, metric):
                return each
        compared = ", ".join(f"{each.system}/{each.baseline} {each.metric}" for each in self.pairs)
        raise UnknownName(f"{system} was not compared with {baseline} by {metric}. Made: {compared}.")

    def answer(self) -> str:
        """Who is better than whom: a sentence for each pair, or for each metric where there are many pairs."""
        said = verdict(self.pairs, dict(zip(self.metrics, self.labels, strict=True)))
        return "\n".join(said or map(without_isolates, self.findings()))

    def findings(self) -> list[str]:
        """What was found, in a few sentences, however many systems there are."""
        return findings(self)

    def tables(self) -> list[Table]:
        """The paired comparisons, scores, the matrix of all pairs, then what the differences are made of."""
        return [self.pair_table(), self.score_table(), *self.matrices(), *self.detail_tables()]

    def figures(self) -> list[Figure]:
        """Scores with intervals by metric, then the breakdowns that can be drawn."""
        references = [figure for each in self.references for figure in each.figures()]
        errors = [] if self.errors is None else self.errors.figures()
        return [*self.score_figures(), *self.breakdown_figures(), *references, *errors]

    def meta(self) -> dict[str, Any]:
        """How it was made, and the tables besides the main one: scores, all pairs, breakdowns, errors, n-grams."""
        return {
            "signatures": dict(zip(self.metrics, self.signatures, strict=True)),
            "scores": {
                metric: {each.system: each.score for each in self.scores if each.metric == metric}
                for metric in self.metrics
            },
            "higher_is_better": dict(zip(self.metrics, self.higher_is_better, strict=True)),
            "test": self.test,
            **self.test_options,
            "sidedness": self.sides,
            "correction": self.correction,
            "alpha": self.alpha,
            "interval_level": self.level,
            "interval_trials": self.interval_trials,
            "seed": self.seed,
            "n_segments": self.n_segments,
            "all_pairs": [asdict(pair) for pair in self.all_pairs],
            "breakdowns": [breakdown.to_dict() for breakdown in self.breakdowns],
            "references": [each.to_dict() for each in self.references],
            "errors": None if self.errors is None else self.errors.to_dict(),
            "left_out": self.left_out or None,
            "ngrams": [contrast.to_dict() for contrast in self.ngrams],
        }

    def html(self, *, title: str = "") -> str:
        """The comparison as one HTML file that needs nothing else: tables, figures and the segment browser."""
        from dragoman.metrics.comparison_page import comparison_page

        return comparison_page(self, title)

    def pair_table(self) -> Table:
        """One row per pair and metric."""
        columns: list[Column | str] = [
            "baseline",
            "system",
            "metric",
            Column("delta", "Δ", digits=2, figures=2),
            Column("p", alpha=self.alpha),
            Column("p_adjusted", f"p ({self.correction})", alpha=self.alpha),
            Column("low", digits=2, figures=2, rank=1),
            Column("high", digits=2, figures=2, rank=1),
            Column("better"),
            Column("standardised", "effect", digits=3, rank=2),
            Column("smallest", "smallest Δ shown", digits=2, figures=2, rank=3),
        ]
        rows = [
            (
                each.baseline,
                each.system,
                each.metric,
                each.delta,
                each.p,
                each.p_adjusted,
                each.low,
                each.high,
                each.better,
                each.standardised,
                each.smallest,
            )
            for each in self.pairs
        ]
        fewer = [metric for metric, higher in zip(self.metrics, self.higher_is_better, strict=True) if not higher]
        notes: list[str] = [
            Sentence(
                "Δ is the system's score minus the baseline's, low and high its bootstrap interval; better is named "
                "where the corrected p is at most {alpha:g}. Where none is, this test set does not separate the two, "
                "which is not the same as their being equal. A small p says that the difference would hold on other "
                "segments of this kind, not that people would notice it.",
                alpha=self.alpha,
            )
        ]
        if fewer:
            notes.append(Sentence("Lower is better: {metrics}.", metrics=", ".join(fewer)))
        if self.sides == "nearly one-sided":
            notes.append(Sentence("The test {test} leaves out one tail; bootstrap is two-sided.", test=self.test))
        if self.test_note:
            notes.append(self.test_note)
        if self.left_out:
            notes.append(self.left_out)
        return Table.of(f"Paired comparisons ({self.test}, {self.sides})", columns, rows, note=joined(notes))

    def score_table(self) -> Table:
        """One row per system and metric."""
        columns = [
            Column("system"),
            Column("metric"),
            *(Column(name, digits=2, figures=3) for name in ("score", "low", "high")),
        ]
        rows = [(each.system, each.metric, each.score, each.low, each.high) for each in self.scores]
        intervals = Sentence(
            "Percentile bootstrap intervals ({level:.0%}, {trials:,} resamples, seed {seed}). Overlapping intervals do "
            "not mean that two systems are equal: the paired tests answer that.",
            level=self.level,
            trials=self.interval_trials,
            seed=self.seed,
        )
        signatures = " ".join(f"{m}: {s}." for m, s in zip(self.metrics, self.signatures, strict=True))
        return Table.of("Scores", columns, rows, note=joined([intervals, signatures]))

    def matrices(self) -> list[Table]:
        """For each metric the matrix of all pairs, row minus column; none where there are but two systems."""
        return [self._matrix(metric) for metric in self.metrics] if len(self.systems) > 2 else []

    def detail_tables(self) -> list[Table]:
        """The breakdowns, the scores by reference, the error classes, the n-grams and a closer look at segments."""
        tables = [breakdown.table() for breakdown in self.breakdowns]
        tables += [table for each in self.references for table in each.tables()]
        errors = [] if self.errors is None else [self.errors.by_class(), *self.errors.tables()]
        contrasts = [table for contrast in self.ngrams for table in contrast.tables()]
        return [*tables, *errors, *contrasts, *self.segment_tables]

    def score_figures(self) -> list[Figure]:
        """For each metric the scores with their intervals, the best first."""
        columns = [Column("system"), *(Column(name, digits=2, figures=3) for name in ("score", "low", "high"))]
        figures = []
        for metric, label in zip(self.metrics, self.labels, strict=True):
            rows = [(each.system, each.score, each.low, each.high) for each in by_score(self, metric)]
            table = Table.of(f"{label} with intervals", columns, rows)
            figures.append(Figure(table.title, "interval", table, x="system", y="score", low="low", high="high"))
        return figures

    def breakdown_figures(self, by: str | None = None) -> list[Figure]:
        """The breakdowns that can be drawn, or those of one kind; the best system by the first metric comes first."""
        order = [each.system for each in by_score(self, self.metrics[0])]
        figures = (each.figure(order) for each in self.breakdowns if by in (None, each.by))
        return [figure for figure in figures if figure is not None]

    def _matrix(self, metric: str) -> Table:
        cells: dict[tuple[str, str], str] = {}
        for each in self.all_pairs:
            if each.metric == metric:
                mark = "" if each.better is None else " *"
                for row, column, delta in (
                    (each.system, each.baseline, each.delta),
                    (each.baseline, each.system, -each.delta if each.delta else 0.0),
                ):
                    cells[row, column] = (
                        f"{shown_number(delta, 2, sign='+')} ({p_in_words(each.p_adjusted)}){mark}".replace("-", "−")
                    )
        columns = [Column("system"), *(Column(f"system:{name}", name) for name in self.systems)]
        rows = [(row, *(cells.get((row, column)) for column in self.systems)) for row in self.systems]
        note = Sentence(
            "Row minus column; p corrected for all pairs ({correction}). * the test separates the two at {alpha:g}.",
            correction=self.correction,
            alpha=self.alpha,
        )
        return Table.of(f"All pairs, {metric}", columns, rows, note=note, is_matrix=True)
