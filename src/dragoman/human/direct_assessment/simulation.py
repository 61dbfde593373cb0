"""Invented annotators with known habits: to see that the filter works, and to plan how many judgements are needed.

What they say is marked as simulated and is no judgement of anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.errors import DataError, UnknownName
from dragoman.human.direct_assessment.assessments import Floats
from dragoman.human.draws import Draws
from dragoman.human.protocol import Assignment, Item
from dragoman.report import Table
from dragoman.report.result import Result
from dragoman.rng import Stream

__all__ = [
    "DEGRADED_LOSS",
    "HABITS",
    "REFERENCE_QUALITY",
    "SEGMENT_SD",
    "Habit",
    "Population",
    "SimulatedCampaign",
    "answers",
    "simulate_campaign",
    "simulate_judgements",
]


@dataclass(frozen=True)
class Habit:
    """How a kind of annotator answers: `care` is the share of the answer that depends on the text."""

    text: str
    care: float = 1.0
    noise: float = 8.0  # standard deviation of an honest score
    shift: float = 0.0  # added to every score: lenient above 0, harsh below
    spread: float = 1.0  # stretches scores about 50, their noise too
    idle: str = "uniform"  # where the careless part comes from: uniform, constant or last
    seconds: float = 15.0


HABITS: dict[str, Habit] = {
    "honest": Habit("reads what it judges"),
    "lenient": Habit("honest, generous, uses the upper half of the scale", shift=15, spread=0.6),
    "harsh": Habit("honest, strict", shift=-15),
    "noisy": Habit("honest, unsteady", noise=20),
    "random": Habit("clicks anywhere", care=0, seconds=3),
    "constant": Habit("clicks beside the middle every time", care=0, idle="constant", seconds=2),
    "copycat": Habit("leaves the slider about where it last was", care=0, idle="last", seconds=3),
}

DEGRADED_LOSS = (15.0, 45.0)  # what degrading costs: uniform between these
SEGMENT_SD = 15.0  # how much outputs of one system differ in quality
REFERENCE_QUALITY = 97.0


@dataclass(frozen=True)
class Population:
    """Shares of habits among annotators: `Population({"honest": 0.6, "random": 0.4})`."""

    shares: Mapping[str, float]

    def __post_init__(self) -> None:
        for name, share in self.shares.items():
            if name not in HABITS:
                raise UnknownName(f"No habit is called {name!r}. Known: {', '.join(HABITS)}.")
            if not share >= 0:
                raise DataError(f"The share of {name} is {share}; expected a number from 0 on.")
        if not sum(self.shares.values()) > 0:
            raise DataError("A population needs at least one habit with a share above 0.")

    def habits(self, n: int, *, seed: int) -> list[str]:
        """The habits of n annotators: shares are met as nearly as whole people allow, in random order."""
        total = sum(self.shares.values())
        exact = {name: share / total * n for name, share in self.shares.items()}
        counts = {name: int(value) for name, value in exact.items()}
        by_rest = sorted(exact, key=lambda name: counts[name] - exact[name])
        for name in by_rest[: n - sum(counts.values())]:
            counts[name] += 1
        return Draws(seed, "habits").shuffled([name for name, count in counts.items() for _ in range(count)])


def simulate_judgements(
    assignments: Sequence[Assignment],
    quality: Mapping[str, float],
    population: Population | Mapping[str, str],
    *,
    seed: int,
) -> Judgements:
    """What invented annotators answer to planned items.

    `quality` gives each system's true mean from 0 to 100; an output's own quality scatters about it. `population` says
    who has which habit, by name of the annotator or by shares.
    """
    habit_of = _habits(assignments, population, seed)
    items = [(each, item) for each in assignments for item in each.task.items]
    if any(item.places or item.segments > 1 or not item.system for _, item in items):
        raise DataError(
            "The plan does not show one output at a time, so there is nothing to score from 0 to 100; invent judges "
            "for it with dragoman.human.simulate_judges."
        )
    absent = sorted({item.system for _, item in items} - set(quality))
    if absent:
        raise DataError(f"The quality of {', '.join(absent)} is not given.")
    true = _true_quality(items, quality, seed)
    places_of: dict[str, list[int]] = {name: [] for name in habit_of}
    for place, (assignment, _) in enumerate(items):
        places_of[assignment.annotator].append(place)
    rows = []
    for name, places in places_of.items():
        habit = HABITS[habit_of[name]]
        scores = answers(true[places], habit, seed=seed, who=name)
        for place, score in zip(places, scores.tolist(), strict=True):
            assignment, item = items[place]
            rows.append(
                {
                    "annotator": name,
                    "item": item.id,
                    "type": item.type,
                    "doc": item.doc,
                    "segment": item.segment,
                    "system": item.system,
                    "score": score,
                    "seconds": habit.seconds,
                    "task": assignment.task.name,
                }
            )
    return Judgements.of(DIRECT_ASSESSMENT, rows)


def _habits(assignments: Sequence[Assignment], population: Population | Mapping[str, str], seed: int) -> dict[str, str]:
    """Who has which habit."""
    annotators = list(dict.fromkeys(each.annotator for each in assignments))
    if isinstance(population, Population):
        return dict(zip(annotators, population.habits(len(annotators), seed=seed), strict=True))
    strange = [name for name in annotators if population.get(name) not in HABITS]
    if strange:
        raise UnknownName(f"The annotator {strange[0]!r} has no habit. Known: {', '.join(HABITS)}.")
    return {name: population[name] for name in annotators}


@dataclass(frozen=True)
class SimulatedCampaign(Result):
    """What invented annotators answered, and which habit each had."""

    kind: ClassVar[str] = "simulated-campaign"

    judgements: Judgements
    habits: Mapping[str, str]
    quality: Mapping[str, float]
    seed: int

    def tables(self) -> list[Table]:
        """The annotators with their habits."""
        counts = Counter(self.judgements["annotator"])
        rows = [(name, habit, HABITS[habit].text, counts[name]) for name, habit in self.habits.items()]
        note = f"SIMULATED: no person made these {len(self.judgements):,} judgements. Seed {self.seed}."
        return [Table.of("Invented annotators", ["annotator", "habit", "what it does", "judgements"], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """What was assumed."""
        return {"simulated": True, "quality": dict(self.quality), "seed": self.seed}


def simulate_campaign(
    assignments: Sequence[Assignment],
    quality: Mapping[str, float],
    population: Population | Mapping[str, str],
    *,
    seed: int,
) -> SimulatedCampaign:
    """`simulate_judgements`, with who had which habit."""
    judgements = simulate_judgements(assignments, quality, population, seed=seed)
    return SimulatedCampaign(judgements, _habits(assignments, population, seed), dict(quality), seed)


def _true_quality(items: Sequence[tuple[Assignment, Item]], quality: Mapping[str, float], seed: int) -> Floats:
    """The quality of each shown text; the same text has the same, a degraded copy less."""
    qualities: dict[tuple[str, int], float] = {}
    worse: dict[str, float] = {}
    draws = Draws(seed, "quality")
    values = np.empty(len(items))
    for place, (_, item) in enumerate(items):
        content = item.content
        if content not in qualities:
            qualities[content] = min(100.0, max(0.0, quality[content[0]] + SEGMENT_SD * _normal(draws)))
        if item.type == "REF":
            values[place] = REFERENCE_QUALITY
        elif item.type == "BAD":
            low, high = DEGRADED_LOSS
            loss = worse.setdefault(item.id, low + (high - low) * draws.below(1000) / 1000)
            values[place] = max(0.0, qualities[content] - loss)
        else:
            values[place] = qualities[content]
    return values


def _normal(draws: Draws) -> float:
    from scipy.special import ndtri

    return float(ndtri((draws.bits() + 0.5) / 2.0**64))


def answers(true: Floats, habit: Habit, *, seed: int, who: str) -> Floats:
    """Whole scores from 0 to 100 that an annotator of this habit gives, in order."""
    from scipy.special import ndtri

    n = len(true)
    stream = Stream(seed, f"answers/{who}")
    noise = ndtri(np.clip(stream.uniform(n), 1e-12, 1 - 1e-12))
    idle = stream.uniform(n, start=n)
    honest = 50 + habit.spread * (true - 50 + habit.noise * noise) + habit.shift
    if habit.idle == "uniform":
        careless = 100 * idle
    elif habit.idle == "constant":
        careless = 50 + 4 * (idle - 0.5)
    else:
        steps = np.cumsum(6 * (idle - 0.5))
        careless = 50 + steps
    scores: Floats = np.clip(np.rint(habit.care * honest + (1 - habit.care) * careless), 0, 100)
    return scores
