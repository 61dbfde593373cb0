"""Direct assessments analysed: annotators kept or left out, systems scored, ordered and separated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.direct_assessment.assessments import Assessments, Floats
from dragoman.human.direct_assessment.scores import (
    SegmentScore,
    SegmentScores,
    SystemPair,
    SystemScore,
    clusters,
    compare_all,
    segment_scores,
    standardise,
    system_scores,
)
from dragoman.human.direct_assessment.workers import WorkerReport, judge_workers, worker_table
from dragoman.report import Column, Figure, Section, Sentence, Table, joined, page
from dragoman.stats.arrays import check_level

__all__ = ["DirectAnalysis", "analyse_direct"]

_ENOUGH = 500  # judgements per system: the tool that came with DA-TIME


@dataclass(frozen=True)
class DirectAnalysis(Analysis):
    """What direct assessments say of systems, and whose they are."""

    kind: ClassVar[str] = "direct-assessment"

    systems: tuple[SystemScore, ...]
    pairs: tuple[SystemPair, ...]
    workers: tuple[WorkerReport, ...]
    segments: tuple[SegmentScore, ...]
    test: str
    alpha: float
    over: str
    unit: str
    level: float
    trials: int
    seed: int
    provenance: Mapping[str, Any]
    advises: bool = True  # more judgements, where systems have few; not where it was found that these are enough

    def tables(self) -> list[Table]:
        """Systems, annotators, and the pairs of systems."""
        return [self.system_table(), self.worker_table(), self.pair_table()]

    def system_table(self) -> Table:
        """The systems, best first."""
        columns = [
            Column("system"),
            Column("cluster"),
            Column("z", digits=3),
            Column("low", digits=3),
            Column("high", digits=3),
            Column("raw", digits=1),
            Column("n"),
            Column("segments"),
            Column("rank_low"),
            Column("rank_high"),
        ]
        rows = [
            (
                each.system,
                each.cluster,
                each.z,
                each.low,
                each.high,
                each.raw,
                each.n,
                each.n_segments,
                1 + each.losses,
                len(self.systems) - each.wins,
            )
            for each in self.systems
        ]
        return Table.of("Systems", columns, rows, note=self._system_note())

    def _system_note(self) -> str:
        if not self.systems:
            return Sentence(
                "No annotator is kept, so no system has a score. Collect more judgements, or see --test none."
            )
        note = Sentence(
            "Mean z of the annotators kept, with {per_cent:g} % intervals over resampled segments. A new cluster "
            "begins where every system above is better than every one below (rank-sum test, one-sided, α = "
            "{alpha:g}); rank_low and rank_high, the best and worst rank, count those significantly better and worse.",
            per_cent=100 * self.level,
            alpha=self.alpha,
        )
        few = sum(each.n < _ENOUGH for each in self.systems)
        if not few or not self.advises:
            return note
        advised = Sentence(
            "{few} of {n} systems have fewer than the {advised} judgements advised: a difference that is not shown "
            "here may be there all the same.",
            few=few,
            n=len(self.systems),
            advised=_ENOUGH,
        )
        return joined((note, advised))

    def worker_table(self) -> Table:
        """The annotators with the reason why each is kept or not."""
        return worker_table(list(self.workers), test=self.test, alpha=self.alpha)

    def pair_table(self) -> Table:
        """Each pair of systems with the p-value of its difference."""
        columns = [Column("better"), Column("worse"), Column("delta", digits=3, figures=1), Column("p", alpha=0.05)]
        rows = [(pair.better, pair.worse, pair.delta, pair.p) for pair in self.pairs]
        note = Sentence("p of the one-sided rank-sum test, not corrected for their number.")
        return Table.of("Pairs of systems", columns, rows, note=note)

    def segment_scores(self) -> SegmentScores:
        """The outputs' scores, as a result of its own."""
        return SegmentScores(self.segments, self.meta())

    def figures(self) -> list[Figure]:
        """Systems with intervals, p-values of pairs, annotators by what they give to each type of item."""
        drawn = []
        if self.systems:
            drawn.append(
                Figure("Systems by mean z", "interval", self.system_table(), "system", "z", low="low", high="high")
            )
        if self.pairs:
            drawn.append(Figure("p of the difference", "heatmap", self.pair_table(), "worse", "p", series="better"))
        types = Table.of(
            "Mean score by type of item",
            ["annotator", "type", Column("mean", digits=1)],
            [
                (each.annotator, name, mean)
                for each in self.workers
                for name, mean in zip(("system", "repeat", "degraded", "reference"), each.means, strict=True)
                if mean is not None
            ],
        )
        if len(self.workers) <= 40:
            drawn.append(Figure("Mean score by type of item", "bar", types, "annotator", "mean", series="type"))
        return drawn

    def meta(self) -> dict[str, Any]:
        """Which judgements, filter, standardisation and seed."""
        reliable = [each for each in self.workers if each.kept]
        return {
            **self.provenance,
            "annotators": len(self.workers),
            "annotators_kept": len(reliable),
            "judgements_kept": sum(each.n for each in reliable),
            "test": self.test,
            "alpha": self.alpha,
            "standardised_over": self.over,
            "unit": self.unit,
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
        }

    def html(self, *, title: str = "") -> str:
        """The whole analysis as one page."""
        meta = self.meta()
        how = ", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in meta.items() if value is not None)
        figures = self.figures()
        of_systems = [figure for figure in figures if figure.kind != "bar"]
        of_workers = [figure for figure in figures if figure.kind == "bar"]
        return page(
            title or "Direct assessment",
            [
                Section("Systems", "", (*of_systems, self.system_table(), self.pair_table())),
                Section("Annotators", "", (*of_workers, self.worker_table())),
                Section("Segments", "", tuple(self.segment_scores().tables())),
                Section("How this was made", how),
            ],
        )


def analyse_direct(
    judgements: Judgements,
    *,
    test: str = "t",
    alpha: float = 0.05,
    over: str = "all",
    unit: str = "judgement",
    pair: str | None = None,
    attribute: str | None = None,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 1,
) -> DirectAnalysis:
    """Analyse direct assessments: filter annotators, standardise, score, compare.

    `test` and `alpha` decide who is kept, and `alpha` also which systems differ; `over` names the scores whose mean and
    sd standardise an annotator's; `unit` what a system's score is the mean of; `pair` and `attribute` choose among
    judgements of several campaigns. Annotators whose scores do not vary are
    left out with that reason.
    """
    check_level(level)
    assessments = Assessments.of(judgements, pair=pair, attribute=attribute)
    if not len(assessments):
        raise DataError("There is no judgement with a score to analyse.")
    z = standardise(assessments, over=over)
    workers = _workers(assessments, z, test=test, alpha=alpha, seed=seed)
    is_reliable = np.array([each.kept for each in workers], dtype=bool)[assessments.annotator]
    trusted, trusted_z = assessments.take(is_reliable), z[is_reliable]
    scored = system_scores(trusted, trusted_z, unit=unit, level=level, trials=trials, seed=seed)
    order = [each.system for each in scored]
    pairs = compare_all(trusted, trusted_z, order, unit=unit)
    cluster = clusters(order, pairs, alpha=alpha)
    final = tuple(
        replace(
            each,
            cluster=cluster[each.system],
            wins=sum(pair.better == each.system and pair.p < alpha for pair in pairs),
            losses=sum(pair.worse == each.system and pair.p < alpha for pair in pairs),
        )
        for each in scored
    )
    return DirectAnalysis(
        systems=final,
        pairs=tuple(pairs),
        workers=tuple(workers),
        segments=tuple(segment_scores(trusted, trusted_z)),
        test=test,
        alpha=alpha,
        over=over,
        unit=unit,
        level=level,
        trials=trials,
        seed=seed,
        provenance=dict(assessments.provenance),
    )


def not_kept(judgements: Judgements) -> dict[str, str]:
    """The annotators whose direct assessments `analyse_direct` leaves aside, each with the reason."""
    assessments = Assessments.of(judgements)
    workers = _workers(assessments, standardise(assessments), test="t", alpha=0.05, seed=1)
    return {each.annotator: each.reason for each in workers if not each.kept}


def _workers(assessments: Assessments, z: Floats, *, test: str, alpha: float, seed: int) -> list[WorkerReport]:
    """Every annotator's record; whose scores do not vary is not kept."""
    judged = str(assessments.provenance["attribute"] or "adequacy")
    workers = judge_workers(assessments, test=test, alpha=alpha, attribute=judged, seed=seed)
    flat = {assessments.annotators[int(n)] for n in np.unique(assessments.annotator[np.isnan(z)])}
    return [
        replace(each, kept=False, reason=_flat_reason(each)) if each.annotator in flat and each.kept else each
        for each in workers
    ]


def _flat_reason(worker: WorkerReport) -> str:
    return Sentence("one judgement only") if worker.n == 1 else Sentence("all {n} scores are the same", n=worker.n)
