"""How many judgements are needed: campaigns of invented annotators, analysed as real ones are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.human.direct_assessment.assessments import BAD, CHK, REF, TGT, Assessments, Floats
from dragoman.human.direct_assessment.scores import compare_all, standardise
from dragoman.human.direct_assessment.simulation import (
    DEGRADED_LOSS,
    HABITS,
    REFERENCE_QUALITY,
    SEGMENT_SD,
    Population,
    answers,
)
from dragoman.human.direct_assessment.workers import judge_workers
from dragoman.report import Column, Figure, Table
from dragoman.report.result import Result
from dragoman.rng import Stream
from dragoman.stats.arrays import check_trials

__all__ = ["PowerCurve", "PowerPoint", "power_curve", "simulated_campaign"]

_PER_TASK = {TGT: 70, CHK: 10, BAD: 10, REF: 10}  # DA-TIME, Table 2


@dataclass(frozen=True)
class PowerPoint:
    """What campaigns of one size find, on average: shares of pairs of systems, and order against the truth."""

    judgements: int  # per system, before anybody is left out
    tasks: int
    annotators: int
    kept: float  # share of annotators
    found: float  # share of pairs whose better system is significantly better
    wrong: float  # share of pairs whose worse system is significantly better
    tau: float  # Kendall's, of mean z of annotators kept
    tau_raw: float  # of raw means of everybody


@dataclass(frozen=True)
class PowerCurve(Result):
    """Simulated campaigns by size: how many judgements separate these systems."""

    kind: ClassVar[str] = "power"

    points: tuple[PowerPoint, ...]
    quality: Mapping[str, float]
    shares: Mapping[str, float]
    trials: int
    alpha: float
    seed: int

    def tables(self) -> list[Table]:
        """One row per size."""
        columns = [
            Column("judgements"),
            Column("tasks"),
            Column("annotators"),
            Column("kept", digits=2),
            Column("found", digits=3),
            Column("wrong", digits=3),
            Column("tau", digits=3),
            Column("tau_raw", digits=3),
        ]
        note = (
            f"SIMULATED: means of {self.trials} campaigns of invented annotators, seed {self.seed}. found: pairs of "
            f"systems told apart in the right direction at α = {self.alpha:g}; tau: order by z of the annotators kept "
            "against the true order; tau_raw: by raw scores of everybody."
        )
        return [
            Table.of("Judgements needed", columns, [tuple(vars(point).values()) for point in self.points], note=note)
        ]

    def figures(self) -> list[Figure]:
        """Pairs told apart by judgements per system."""
        return [Figure("Pairs of systems told apart", "line", self.tables()[0], "judgements", "found")]

    def needed(self, share: float = 0.8) -> int | None:
        """The smallest simulated number of judgements per system that tells this share of pairs apart."""
        return next((point.judgements for point in self.points if point.found >= share), None)

    def meta(self) -> dict[str, Any]:
        """What was assumed."""
        return {
            "simulated": True,
            "quality": dict(self.quality),
            "population": dict(self.shares),
            "trials": self.trials,
            "alpha": self.alpha,
            "seed": self.seed,
        }


def power_curve(
    quality: Mapping[str, float],
    population: Population,
    *,
    judgements: Sequence[int] = (50, 100, 200, 500, 1000),
    tasks_each: int = 2,
    trials: int = 20,
    test: str = "t",
    alpha: float = 0.05,
    seed: int = 1,
) -> PowerCurve:
    """Simulate campaigns of several sizes over systems of known quality, and analyse each.

    `quality` is each system's true mean score; pairs of equal quality count as neither found nor missed.
    """
    check_trials(trials)
    if len(quality) < 2:
        raise DataError(f"Power is about telling systems apart; got {len(quality)} system(s).")
    if not judgements or min(judgements) < 1 or tasks_each < 1:
        raise DataError("The numbers of judgements and of tasks for each annotator are at least 1.")
    points = []
    for size in judgements:
        seen = [
            _one(quality, population, size, tasks_each, test=test, alpha=alpha, seed=seed, trial=trial)
            for trial in range(trials)
        ]
        n_tasks, n_people = _shape(quality, size, tasks_each)
        means = [float(value) for value in np.mean(seen, axis=0)]
        points.append(PowerPoint(size, n_tasks, n_people, *means))
    return PowerCurve(tuple(points), dict(quality), dict(population.shares), trials, alpha, seed)


def _shape(quality: Mapping[str, float], size: int, tasks_each: int) -> tuple[int, int]:
    """How many tasks and annotators give that many judgements (repeats count) of each system."""
    n_tasks = -(-size * len(quality) // (_PER_TASK[TGT] + _PER_TASK[CHK]))
    return n_tasks, -(-n_tasks // tasks_each)


def simulated_campaign(
    quality: Mapping[str, float], habits: Sequence[str], n_tasks: int, *, seed: int, label: str = ""
) -> Assessments:
    """A campaign as arrays, without texts: tasks of 100 handed round to annotators of these habits."""
    systems = tuple(quality)
    draws = Stream(seed, f"campaign/{label}").generator()
    true_of = np.array([quality[name] for name in systems], dtype=np.float64)
    n = _PER_TASK[TGT]
    parts: list[list[Floats]] = []
    for task in range(n_tasks):
        system = draws.permutation(np.arange(n) + task * n) % len(systems)
        segment = np.arange(n) + task * n
        own = np.clip(true_of[system] + SEGMENT_SD * draws.standard_normal(n), 0, 100)
        control = draws.permutation(n)[: sum(_PER_TASK.values()) - n]
        kinds = np.repeat([CHK, BAD, REF], [_PER_TASK[CHK], _PER_TASK[BAD], _PER_TASK[REF]])
        again = own[control].copy()
        again[kinds == BAD] = np.maximum(0, again[kinds == BAD] - draws.uniform(*DEGRADED_LOSS, size=_PER_TASK[BAD]))
        again[kinds == REF] = REFERENCE_QUALITY
        order = draws.permutation(n + len(control))
        whole = [
            np.concatenate([system, system[control]]),
            np.concatenate([segment, segment[control]]),
            np.concatenate([np.full(n, TGT), kinds]),
            np.concatenate([own, again]),
        ]
        who = np.full(n + len(control), task % len(habits))
        parts.append([who, *(array[order] for array in whole)])
    who, system, segment, kind, true = (np.concatenate(column) for column in zip(*parts, strict=True))
    score = np.empty(len(true))
    for number, habit in enumerate(habits):
        own_rows = who == number
        if own_rows.any():
            score[own_rows] = answers(true[own_rows], HABITS[habit], seed=seed, who=f"{label}/{number}")
    return Assessments(
        annotators=tuple(f"{habit}-{number}" for number, habit in enumerate(habits)),
        systems=systems,
        segments=tuple((None, number) for number in range(n * n_tasks)),
        annotator=who.astype(np.int64),
        system=system.astype(np.int64),
        segment=segment.astype(np.int64),
        type=kind.astype(np.int64),
        score=score,
        seconds=np.full(len(score), np.nan),
        task=segment.astype(np.int64) // n,
        start=np.full(len(score), np.nan),
        end=np.full(len(score), np.nan),
        is_rejected=np.zeros(len(score), dtype=bool),
        provenance={"simulated": True},
    )


def _one(
    quality: Mapping[str, float],
    population: Population,
    size: int,
    tasks_each: int,
    *,
    test: str,
    alpha: float,
    seed: int,
    trial: int,
) -> tuple[float, float, float, float, float]:
    """Kept, found, wrong, tau and raw tau of one campaign."""
    n_tasks, n_people = _shape(quality, size, tasks_each)
    label = f"{size}/{trial}"
    habits = population.habits(n_people, seed=seed + trial)
    campaign = simulated_campaign(quality, habits, n_tasks, seed=seed, label=label)
    is_reliable = np.array([each.kept for each in judge_workers(campaign, test=test, alpha=alpha, seed=seed)])
    everybody = _means(campaign, campaign.score)
    mask = is_reliable[campaign.annotator]
    trusted, z = campaign.take(mask), standardise(campaign)[mask]
    means = _means(trusted, z)
    order = sorted(means, key=lambda name: -means[name])
    different = [(a, b) for a, b in combinations(quality, 2) if quality[a] != quality[b]]
    right = {(a, b) if quality[a] > quality[b] else (b, a) for a, b in different}
    strong = [pair for pair in compare_all(trusted, z, order) if pair.p < alpha]
    n_right = sum((pair.better, pair.worse) in right for pair in strong)
    wrong = sum((pair.worse, pair.better) in right for pair in strong)
    n = max(1, len(different))
    return (
        float(is_reliable.mean()),
        n_right / n,
        wrong / n,
        _tau(means, different, quality),
        _tau(everybody, different, quality),
    )


def _means(campaign: Assessments, scores: Floats) -> dict[str, float]:
    usable = campaign.is_genuine & ~np.isnan(scores)
    means = {}
    for number, name in enumerate(campaign.systems):
        rows = usable & (campaign.system == number)
        if rows.any():
            means[name] = float(scores[rows].mean())
    return means


def _tau(means: Mapping[str, float], pairs: Sequence[tuple[str, str]], quality: Mapping[str, float]) -> float:
    """Kendall's τ over pairs of different quality; a pair without scores counts as neither way."""
    signs = [
        np.sign((means[a] - means[b]) * (quality[a] - quality[b])) if a in means and b in means else 0.0
        for a, b in pairs
    ]
    return float(np.mean(signs)) if signs else 1.0
