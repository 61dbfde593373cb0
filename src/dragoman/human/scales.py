"""Scales of a few whole numbers analysed: adequacy and fluency from 1 to 5, the effort of correcting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.direct_assessment.assessments import Assessments
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
from dragoman.report import Column, Figure, Section, Sentence, Table, page
from dragoman.stats.arrays import check_level

__all__ = ["ScaleAnalysis", "ScaleScores", "analyse_scales", "scale_scores"]


@dataclass(frozen=True)
class ScaleScores:
    """What was said on one scale. Of a system, `low` and `high` enclose the raw mean."""

    name: str
    systems: tuple[SystemScore, ...]
    pairs: tuple[SystemPair, ...]
    segments: tuple[SegmentScore, ...]
    annotators: tuple[tuple[str, int, float, float | None], ...]  # name, n, mean, sd
    n: int


@dataclass(frozen=True)
class ScaleAnalysis(Analysis):
    """Systems by their means on each scale of the judgements."""

    kind: ClassVar[str] = "scales"

    judged: str  # kind of judgement
    scales: tuple[ScaleScores, ...]
    alpha: float
    level: float
    trials: int
    seed: int
    provenance: Mapping[str, Any]

    def tables(self) -> list[Table]:
        """Systems, annotators and pairs of systems, scale by scale."""
        return [self._system_table(), self._annotator_table(), self._pair_table()]

    def _system_table(self) -> Table:
        columns = [
            Column("scale"),
            Column("system"),
            Column("cluster"),
            Column("mean", digits=3),
            Column("low", digits=3),
            Column("high", digits=3),
            Column("z", digits=3),
            Column("n"),
            Column("segments"),
        ]
        rows = [
            (scale.name, each.system, each.cluster, each.raw, each.low, each.high, each.z, each.n, each.n_segments)
            for scale in self.scales
            for each in scale.systems
        ]
        note = Sentence(
            "Means with {per_cent:g} % intervals over resampled segments; z is standardised by annotator, and missing "
            "where nobody's scores vary. A cluster begins where every system above is better than every one below "
            "(rank-sum test, one-sided, α = {alpha:g}).",
            per_cent=100 * self.level,
            alpha=self.alpha,
        )
        return Table.of("Systems", columns, rows, note=note)

    def _annotator_table(self) -> Table:
        columns = [Column("scale"), Column("annotator"), Column("n"), Column("mean", digits=2), Column("sd", digits=2)]
        rows = [(scale.name, *each) for scale in self.scales for each in scale.annotators]
        return Table.of("Annotators", columns, rows)

    def _pair_table(self) -> Table:
        columns = [
            Column("scale"),
            Column("better"),
            Column("worse"),
            Column("delta", digits=3, figures=1),
            Column("p", alpha=0.05),
        ]
        rows = [
            (scale.name, each.better, each.worse, each.delta, each.p) for scale in self.scales for each in scale.pairs
        ]
        note = Sentence("p of the one-sided rank-sum test, not corrected.")
        return Table.of("Pairs of systems", columns, rows, note=note)

    def figures(self, *, apart: bool = False) -> list[Figure]:
        """Systems with their intervals; with `apart` a figure for each of several scales."""
        if not any(each.low is not None for scale in self.scales for each in scale.systems):
            return []
        if apart and len(self.scales) > 1:
            alone = [replace(self, scales=(scale,)) for scale in self.scales]
            return [
                replace(figure, title=Sentence("Systems by mean: {scale}", scale=each.scales[0].name))
                for each in alone
                for figure in each.figures()
            ]
        return [
            Figure(
                "Systems by mean", "interval", self._system_table(), "system", "mean", "scale", low="low", high="high"
            )
        ]

    def segment_scores(self) -> SegmentScores:
        """The outputs' means, a scale after the other where there are several."""
        if len(self.scales) > 1:
            raise DataError(
                f"These judgements have several scales, {', '.join(scale.name for scale in self.scales)}; "
                "scores of single outputs are given for one of them. Name it with attribute."
            )
        return SegmentScores(self.scales[0].segments, self.meta())

    def meta(self) -> dict[str, Any]:
        """Which judgements, scales and seed."""
        return {
            **self.provenance,
            "judged": self.judged,
            "scales": [scale.name for scale in self.scales],
            "alpha": self.alpha,
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
        }

    def html(self, *, title: str = "") -> str:
        """The whole analysis as one page."""
        return page(title or f"Analysis of {self.judged}", [Section.of("Systems and annotators", self)])


def analyse_scales(
    judgements: Judgements,
    *,
    pair: str | None = None,
    attribute: str | None = None,
    alpha: float = 0.05,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 1,
) -> ScaleAnalysis:
    """Analyse judgements on scales: every field of whole numbers with both ends given is one; `attribute` names one.

    There are no control items, so nobody is left out. Systems are ordered by their raw mean.
    """
    check_level(alpha, "alpha")
    check_level(level)
    values = [
        field.name
        for field in judgements.schema.fields
        if field.type == "whole" and field.low is not None and field.high is not None
    ]
    if attribute is not None and attribute not in values:
        raise DataError(f"These judgements have no scale {attribute!r}. Known: {', '.join(values) or 'none'}.")
    scales, provenance = [], {}
    for name in values if attribute is None else [attribute]:
        data = Assessments.of_field(judgements, name, pair=pair)
        provenance = {key: value for key, value in data.provenance.items() if key not in ("attribute", "without_score")}
        if len(data):
            scales.append(scale_scores(name, data, alpha=alpha, level=level, trials=trials, seed=seed))
    if not scales:
        raise DataError("There is no judgement on a scale to analyse.")
    return ScaleAnalysis(judgements.schema.kind, tuple(scales), alpha, level, trials, seed, provenance)


def scale_scores(name: str, data: Assessments, *, alpha: float, level: float, trials: int, seed: int) -> ScaleScores:
    """What was said on one scale: systems by their raw mean, pairs, outputs, annotators."""
    z = standardise(data)
    scored = system_scores(data, data.score, level=level, trials=trials, seed=seed)  # ordered by the raw mean
    order = [each.system for each in scored]
    pairs = compare_all(data, data.score, order)
    cluster = clusters(order, pairs, alpha=alpha)
    final = []
    for each in scored:
        own = z[data.system == data.systems.index(each.system)]
        own = own[~np.isnan(own)]
        final.append(replace(each, cluster=cluster[each.system], z=float(own.mean()) if len(own) else float("nan")))
    people = []
    for number, annotator in enumerate(data.annotators):
        score = data.score[data.annotator == number]
        sd = float(score.std(ddof=1)) if len(score) > 1 else None
        people.append((annotator, len(score), float(score.mean()), sd))
    return ScaleScores(
        name, tuple(final), tuple(pairs), tuple(segment_scores(data, data.score)), tuple(people), len(data)
    )
