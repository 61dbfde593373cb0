"""Racing: a decoder is judged on as many segments as it takes to see that it is worse (Chung & Galley, WMT 2012)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core import resample
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.smt.tune.objective import Objective
from dragoman.stats.resampling import Randomisation

__all__ = ["Evaluation", "Output", "Race", "Racing", "RacingEvaluator", "extrapolated", "time_penalty"]


@dataclass(frozen=True)
class Racing(Recipe):
    """When a candidate is given up before it has decoded the whole tuning set."""

    race: bool = option(True, choices=(False, True), text="give up candidates that are found to be worse")
    batch: int = option(50, low=1, text="segments decoded between two looks")
    samples: int = option(5000, low=99, text="shuffles of the randomisation test at each look")
    alpha: float = option(0.05, low=0, high=1, text="a candidate that is worse at this level is given up")
    near: float = option(0.1, low=0, text="so is one whose shuffled outputs never differ by so much of the metric")


@dataclass(frozen=True, eq=False)
class Output:
    """A decoder's output for some segments, and what it cost in deterministic units, if that is known."""

    texts: Sequence[str]
    effort: float | None = None


@dataclass(frozen=True)
class Evaluation:
    """One candidate: its parameters, its (perhaps extrapolated) value and how far it came."""

    number: int
    parameters: dict[str, float]
    value: float
    segments: int  # decoded
    verdict: str  # "best", "worse", "discarded", "near", "known"
    looks: int  # tests made
    p: float | None  # of the last one


Run = Callable[[Mapping[str, float], NDArray[np.int64]], "Sequence[str] | Output"]


class RacingEvaluator:
    """Values of parameters of any decoder, for any optimiser.

    `run(parameters, segments)` translates the segments with these numbers (from 0) and returns their texts, or an
    `Output` that also tells the effort. Parameters seen before are not decoded again. With a `budget`, values are
    multiplied by a penalty for effort per segment beyond it.
    """

    def __init__(
        self,
        run: Run,
        objective: Objective,
        *,
        racing: Racing | None = None,
        seed: int = 1,
        budget: float | None = None,
    ) -> None:
        self.run = run
        self.objective = objective
        self.racing = (racing or Racing()).check()
        self.seed = seed
        self.budget = budget
        if budget is not None and not (budget > 0 and objective.metric.higher_is_better):
            raise DataError("A budget of effort is above 0 and goes with a metric that is better when higher.")
        self.order = Stream(seed, "racing").permutation(len(objective))
        self.history: list[Evaluation] = []
        self._known: dict[tuple[tuple[str, float], ...], float] = {}
        self._best: tuple[NDArray[np.float64], float] | None = None  # statistics in racing order, value

    @property
    def best(self) -> Evaluation:
        """The incumbent."""
        bests = [each for each in self.history if each.verdict == "best"]
        if not bests:
            raise DataError("Nothing has been evaluated yet.")
        return bests[-1]

    @property
    def segments(self) -> int:
        """Segments decoded so far, all candidates together."""
        return sum(each.segments for each in self.history)

    def __call__(self, parameters: Mapping[str, float]) -> float:
        """The gain of the parameters: higher is better; of those given up, extrapolated to the whole set."""
        values = {name: float(value) for name, value in parameters.items()}
        key = tuple(sorted(values.items()))
        if key in self._known:
            return self._known[key]
        gain, segments, verdict, looks, p = self._evaluate(values)
        shown = self.objective.shown(gain)
        self.history.append(Evaluation(len(self.history) + 1, values, shown, segments, verdict, looks, p))
        self._known[key] = gain
        return gain

    def result(self) -> Race:
        """All evaluations."""
        return Race(tuple(self.history), self.objective.metric.label, len(self.objective), self.racing, self.seed)

    def _evaluate(self, parameters: Mapping[str, float]) -> tuple[float, int, str, int, float | None]:
        racing, n = self.racing, len(self.objective)
        rows: list[NDArray[np.float64]] = []
        effort, looks, done = 0.0, 0, 0
        p: float | None = None
        while done < n:
            # Without an incumbent there is nobody to race against.
            upto = min(done + racing.batch, n) if racing.race and self._best is not None else n
            numbers = self.order[done:upto]
            output = self.run(parameters, numbers)
            if not isinstance(output, Output):
                output = Output(output)
            if len(output.texts) != len(numbers):
                raise DataError(f"The decoder gave {len(output.texts)} lines for {len(numbers)} segments.")
            rows.append(self.objective.rows(numbers, output.texts))
            effort += output.effort or 0.0
            done = upto
            if self._best is None or not racing.race:
                continue
            looks += 1
            mine = np.concatenate(rows)
            theirs = self._best[0][:done]
            verdict, p = self._look(mine, theirs)
            if verdict and (verdict == "near" or done < n):
                gain = extrapolated(self._best[1], self._error(mine), self._error(theirs), self.objective)
                return gain, done, verdict, looks, p
        stats = np.concatenate(rows)
        gain = self._penalised(self.objective.gain(stats.sum(axis=0)), effort / n)
        if self._best is None or gain > self._best[1]:
            self._best = (stats, gain)
            return gain, done, "best", looks, p
        return gain, done, "worse", looks, p

    def _look(self, mine: NDArray[np.float64], theirs: NDArray[np.float64]) -> tuple[str, float]:
        """Whether the candidate may be given up after the segments seen."""
        test = Randomisation(sides=1, trials=self.racing.samples, seed=self.seed)
        answer = test.compare(theirs, mine, self.objective.gains, n_threads=self.objective.n_threads)
        if answer.delta > 0 and answer.p <= self.racing.alpha:
            return "discarded", answer.p
        if self.racing.near > 0:
            key = Stream(self.seed, "randomisation").key
            moved = np.ascontiguousarray(mine - theirs)
            heads = resample.coin_totals(moved, self.racing.samples, key, n_threads=self.objective.n_threads)
            scores = self.objective.gains(theirs.sum(axis=0) + heads)
            if float(scores.max() - scores.min()) < self.racing.near:
                return "near", answer.p
        return "", answer.p

    def _error(self, rows: NDArray[np.float64]) -> float:
        gain = self.objective.gain(rows.sum(axis=0))
        return 100.0 - gain if self.objective.metric.higher_is_better else -gain

    def _penalised(self, gain: float, effort: float) -> float:
        return gain if self.budget is None else gain * time_penalty(effort, self.budget)


def extrapolated(best: float, error: float, best_error: float, objective: Objective) -> float:
    """The gain on the whole set of a candidate given up: errors are taken to grow as the incumbent's do.

    Chung & Galley: E_M(full) = E_M*(full) · E_M(sub) / E_M*(sub). An error is 100 minus the metric where more is
    better.
    """
    rising = objective.metric.higher_is_better
    whole = 100.0 - best if rising else -best
    if best_error <= 0:  # an incumbent without errors so far
        return best - abs(error)
    full = whole * error / best_error
    return 100.0 - full if rising else -full


def time_penalty(effort: float, budget: float) -> float:
    """1 within the budget, exp(1 − effort/budget) beyond it (Chung & Galley, §4)."""
    return 1.0 if effort <= budget else math.exp(1.0 - effort / budget)


@dataclass(frozen=True)
class Race(Result):
    """All candidates of a direct search, in order."""

    kind: ClassVar[str] = "race"

    evaluations: tuple[Evaluation, ...]
    label: str
    n_segments: int
    racing: Racing
    seed: int

    @property
    def looks(self) -> int:
        """Tests made: each gives up an equal candidate with probability α, so several looks do so more often."""
        return sum(each.looks for each in self.evaluations)

    def tables(self) -> list[Table]:
        """One row a candidate."""
        columns: list[Column | str] = ["number", Column("value", self.label, digits=2), "segments", "verdict", "looks"]
        columns.append(Column("p", alpha=0.05))
        rows = [(e.number, e.value, e.segments, e.verdict, e.looks, e.p) for e in self.evaluations]
        decoded = sum(each.segments for each in self.evaluations)
        note = f"{decoded:,} segments decoded of {len(self.evaluations) * self.n_segments:,} without racing."
        return [Table.of("Candidates", columns, rows, note=note)]

    def meta(self) -> dict[str, object]:
        """Settings, and the number of looks."""
        return {"racing": self.racing.to_dict(), "seed": self.seed, "segments": self.n_segments, "looks": self.looks}
