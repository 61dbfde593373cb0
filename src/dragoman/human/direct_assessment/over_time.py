"""Is machine translation getting better: systems of two years, corrected for the difficulty of their test sets.

DA-TIME §5: the best system of each year was judged on its own year's test set, and one current system on both. What
the current system gains on the older set is how much easier that set is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.direct_assessment.assessments import Assessments, Floats
from dragoman.human.direct_assessment.scores import standardise
from dragoman.human.direct_assessment.workers import judge_workers
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.stats import rank_sum_test

__all__ = ["ROLES", "Gain", "GainOverTime", "difficulty_corrected_gain", "f1", "gain_over_time"]

ROLES = ("best_then", "best_now", "current_then", "current_now")


@dataclass(frozen=True)
class Gain:
    """Four scores and what follows from them."""

    best_then: float
    best_now: float
    current_then: float  # today's system on the older test set
    current_now: float

    @property
    def difficulty(self) -> float:
        """How much harder the newer test set is: what today's system loses on it."""
        return self.current_then - self.current_now

    @property
    def difference(self) -> float:
        """The best systems as they stand, each on its own test set."""
        return self.best_now - self.best_then

    @property
    def gain(self) -> float:
        """The difference corrected for the difficulty."""
        return self.difference + self.difficulty


def difficulty_corrected_gain(scores: Mapping[str, float]) -> Gain:
    """The gain from four scores: best_then, best_now, current_then, current_now."""
    if set(scores) != set(ROLES):
        raise DataError(f"A gain over time needs the scores {', '.join(ROLES)}; got {', '.join(scores) or 'none'}.")
    return Gain(**{role: float(score) for role, score in scores.items()})


def f1(fluency: float, adequacy: float) -> float | None:
    """The harmonic mean of fluency and adequacy; `None` where both are 0."""
    total = fluency + adequacy
    return None if total == 0 else 2 * fluency * adequacy / total


@dataclass(frozen=True)
class GainOverTime(Result):
    """The gain in raw and standardised scores, with the significance of its two parts."""

    kind: ClassVar[str] = "gain-over-time"

    raw: Gain
    z: Gain
    p_difficulty: float  # two-sided rank-sum test on z
    p_difference: float
    counts: Mapping[str, int]
    provenance: Mapping[str, Any]

    def tables(self) -> list[Table]:
        """One row for raw scores, one for z."""
        columns = [Column("scores"), *(Column(role, digits=2) for role in ROLES)]
        columns += [
            Column("difficulty", digits=2, figures=1),
            Column("p_difficulty", alpha=0.05),
            Column("difference", digits=2, figures=1),
            Column("p_difference", alpha=0.05),
            Column("gain", digits=2, figures=1),
        ]
        rows = [
            (
                name,
                *(getattr(gain, role) for role in ROLES),
                gain.difficulty,
                self.p_difficulty,
                gain.difference,
                self.p_difference,
                gain.gain,
            )
            for name, gain in (("raw", self.raw), ("z", self.z))
        ]
        seen = ", ".join(f"{role} {n}" for role, n in self.counts.items())
        note = f"gain = difference + difficulty. Judgements: {seen}. p: two-sided rank-sum test on z."
        return [Table.of("Gain over time", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Which judgements and annotators."""
        return dict(self.provenance)


def gain_over_time(
    judgements: Judgements, roles: Mapping[str, str], *, test: str = "t", alpha: float = 0.05, seed: int = 1
) -> GainOverTime:
    """The gain of four systems judged in one campaign; `roles` says which system of the judgements plays which.

    Both test sets are mixed in the same tasks, so a segment's number must tell them apart. Annotators are filtered and
    standardised as in `analyse_direct`.
    """
    if set(roles) != set(ROLES):
        raise DataError(f"A gain over time needs systems as {', '.join(ROLES)}; got {', '.join(roles) or 'none'}.")
    assessments = Assessments.of(judgements)
    workers = judge_workers(assessments, test=test, alpha=alpha, seed=seed)
    z = standardise(assessments)
    is_reliable = np.array([each.kept for each in workers], dtype=bool)[assessments.annotator]
    usable = is_reliable & assessments.is_genuine & ~np.isnan(z)
    samples: dict[str, tuple[Floats, Floats]] = {}
    for role, system in roles.items():
        if system not in assessments.systems:
            raise DataError(f"No judgement is about {system!r} ({role}). Known: {', '.join(assessments.systems)}.")
        rows = usable & (assessments.system == assessments.systems.index(system))
        if not rows.any():
            raise DataError(f"No annotator who is kept has judged {system!r} ({role}).")
        samples[role] = assessments.score[rows], z[rows]
    return GainOverTime(
        raw=difficulty_corrected_gain({role: raw.mean() for role, (raw, _) in samples.items()}),
        z=difficulty_corrected_gain({role: own.mean() for role, (_, own) in samples.items()}),
        p_difficulty=rank_sum_test(samples["current_then"][1], samples["current_now"][1]).p,
        p_difference=rank_sum_test(samples["best_now"][1], samples["best_then"][1]).p,
        counts={role: len(raw) for role, (raw, _) in samples.items()},
        provenance={
            **assessments.provenance,
            "annotators": len(workers),
            "annotators_kept": sum(each.kept for each in workers),
            "test": test,
            "alpha": alpha,
            "seed": seed,
        },
    )
