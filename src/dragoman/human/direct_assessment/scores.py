"""From scores of people to scores of systems and segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError, UnknownName
from dragoman.human.direct_assessment.assessments import REF, Assessments, Floats
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.stats import bootstrap_interval, rank_sum_test

__all__ = [
    "OVER",
    "UNITS",
    "SegmentScore",
    "SegmentScores",
    "SystemPair",
    "SystemScore",
    "clusters",
    "compare_all",
    "segment_scores",
    "standardise",
    "system_scores",
]

OVER = ("all", "no-references", "genuine")
UNITS = ("judgement", "segment")
_ENOUGH = 15  # judgements of a segment: Graham, Baldwin & Mathur, NAACL 2015


def standardise(assessments: Assessments, *, over: str = "all") -> Floats:
    """Scores as (score − mean) / sd of their annotator, sd with n − 1; NaN where an annotator's do not vary.

    `over` names the scores that mean and sd are taken of: `all` (DA-TIME), all but references (its option), or
    `genuine` outputs and their repeats (the tool).
    """
    if over not in OVER:
        raise UnknownName(f"Scores are standardised over {', '.join(OVER)}; got {over!r}.")
    counted = np.ones(len(assessments), dtype=bool)
    if over == "no-references":
        counted = assessments.type != REF
    elif over == "genuine":
        counted = assessments.is_genuine
    n_people = len(assessments.annotators)
    who, score = assessments.annotator, assessments.score
    n = np.bincount(who[counted], minlength=n_people).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(who[counted], weights=score[counted], minlength=n_people) / n
        squares = np.bincount(who[counted], weights=(score[counted] - mean[who[counted]]) ** 2, minlength=n_people)
        sd = np.sqrt(squares / (n - 1))
        # Scores that are all the same may differ from their mean in the last digit.
        sd[~(sd > 1e-9)] = np.nan
        z: Floats = (score - mean[who]) / sd[who]
    return z


@dataclass(frozen=True)
class SystemScore:
    """A system's mean over its judgements: z with its interval, and raw."""

    system: str
    n: int
    n_segments: int
    raw: float
    z: float
    low: float | None  # of z; None for a single segment
    high: float | None
    wins: int = 0  # systems that it is significantly better than
    losses: int = 0
    cluster: int = 1


@dataclass(frozen=True)
class SystemPair:
    """Two systems by the rank-sum test: `p` that the first is better by chance (one-sided)."""

    better: str
    worse: str
    delta: float  # of mean z
    p: float


@dataclass(frozen=True)
class SegmentScore:
    """The mean of one output's judgements."""

    system: str
    doc: str | None
    segment: int
    n: int
    raw: float
    z: float


def segment_scores(assessments: Assessments, z: Floats) -> list[SegmentScore]:
    """The outputs in order of system and segment, with the means of their judgements (repeats included)."""
    rows, keys = _genuine(assessments, z)
    if not len(rows):
        return []
    values, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
    raw = np.bincount(which, weights=assessments.score[rows]) / counts
    mean_z = np.bincount(which, weights=z[rows]) / counts
    scores = []
    for place, key in enumerate(values.tolist()):
        system, segment = divmod(key, len(assessments.segments))
        doc, number = assessments.segments[segment]
        scores.append(
            SegmentScore(
                assessments.systems[system], doc, number, int(counts[place]), float(raw[place]), float(mean_z[place])
            )
        )
    return sorted(scores, key=lambda each: (each.system, each.doc or "", each.segment))


def _genuine(assessments: Assessments, z: Floats) -> tuple[Any, Any]:
    rows = np.flatnonzero(assessments.is_genuine & ~np.isnan(z))
    return rows, assessments.system[rows] * len(assessments.segments) + assessments.segment[rows]


@dataclass(frozen=True)
class _Sample:
    """What a system's score is the mean of."""

    system: str
    z: Floats
    raw: Floats
    rows: Floats  # (segments, 2): sum of z and how many, for the bootstrap
    n: int


def _samples(assessments: Assessments, z: Floats, unit: str) -> list[_Sample]:
    if unit not in UNITS:
        raise UnknownName(f"A system's score is the mean over each {' or '.join(UNITS)}; got {unit!r}.")
    rows, keys = _genuine(assessments, z)
    samples = []
    for number, name in enumerate(assessments.systems):
        own = rows[assessments.system[rows] == number]
        if not len(own):
            continue
        _, which, counts = np.unique(keys[assessments.system[rows] == number], return_inverse=True, return_counts=True)
        sums = np.bincount(which, weights=z[own])
        if unit == "judgement":
            table = np.column_stack([sums, counts])
            samples.append(_Sample(name, z[own], assessments.score[own], table, len(own)))
        else:
            raw = np.bincount(which, weights=assessments.score[own]) / counts
            table = np.column_stack([sums / counts, np.ones(len(counts))])
            samples.append(_Sample(name, sums / counts, raw, table, len(own)))
    return samples


def system_scores(
    assessments: Assessments, z: Floats, *, unit: str = "judgement", level: float = 0.95, trials: int = 1000, seed: int
) -> list[SystemScore]:
    """The systems by mean z, best first, with percentile intervals over resampled segments."""
    scores = []
    for sample in _samples(assessments, z, unit):
        low = high = None
        if len(sample.rows) > 1:
            interval = bootstrap_interval(sample.rows, _mean, level=level, trials=trials, seed=seed)
            low, high = interval.low, interval.high
        scores.append(
            SystemScore(
                sample.system, sample.n, len(sample.rows), float(sample.raw.mean()), float(sample.z.mean()), low, high
            )
        )
    return sorted(scores, key=lambda each: (-each.z, each.system))


def _mean(totals: Floats) -> Floats:
    means: Floats = totals[:, 0] / totals[:, 1]
    return means


def compare_all(assessments: Assessments, z: Floats, order: list[str], *, unit: str = "judgement") -> list[SystemPair]:
    """Every system against every lower one in `order`, by the one-sided rank-sum test on z."""
    samples = {sample.system: sample for sample in _samples(assessments, z, unit)}
    pairs = []
    for place, better in enumerate(order):
        for worse in order[place + 1 :]:
            a, b = samples[better].z, samples[worse].z
            p = rank_sum_test(a, b, sides=1).p
            pairs.append(SystemPair(better, worse, float(a.mean() - b.mean()), p))
    return pairs


def clusters(order: list[str], pairs: list[SystemPair], *, alpha: float) -> dict[str, int]:
    """The cluster of each system, from 1: a line is drawn where all above are significantly better than all below."""
    is_better = {(pair.better, pair.worse): pair.p < alpha for pair in pairs}
    if len(pairs) != len(order) * (len(order) - 1) // 2:
        raise DataError(f"Clusters of {len(order)} systems need all their pairs, got {len(pairs)}.")
    number, cluster_of = 1, {}
    for place, name in enumerate(order):
        if place and all(is_better[above, below] for above in order[:place] for below in order[place:]):
            number += 1
        cluster_of[name] = number
    return cluster_of


@dataclass(frozen=True)
class SegmentScores(Result):
    """Scores of outputs: what segment-level meta-evaluation needs."""

    kind: ClassVar[str] = "direct-assessment-segments"

    scores: tuple[SegmentScore, ...]
    about: dict[str, Any]

    def tables(self) -> list[Table]:
        """One row per output."""
        columns = [
            Column("system"),
            Column("doc"),
            Column("segment"),
            Column("n"),
            Column("raw", digits=2),
            Column("z", digits=4),
        ]
        rows = [(each.system, each.doc, each.segment, each.n, each.raw, each.z) for each in self.scores]
        enough = sum(each.n >= _ENOUGH for each in self.scores)
        note = f"{enough} of {len(rows)} outputs have the {_ENOUGH} judgements that a segment's score needs."
        return [Table.of("Segments", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How the scores came about."""
        return self.about
