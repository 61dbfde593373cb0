"""Direct search (Chung & Galley, WMT 2012): the decoder itself stands inside the objective of an optimiser."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.smt.tune.base import Problem, Tuned, Tuner
from dragoman.smt.tune.pool import Vector
from dragoman.smt.tune.racing import Racing, RacingEvaluator
from dragoman.smt.tune.rounds import Round, best_round, measure

__all__ = ["DirectSearch", "NelderMead", "Parameter", "Powell", "search_parameters"]


@dataclass(frozen=True)
class Parameter:
    """A number that a decoder takes: a weight, a limit, a threshold."""

    name: str
    start: float
    low: float = -np.inf
    high: float = np.inf
    integer: bool = False
    step: float | None = None  # of the first simplex; by default a quarter of the start, at least 0.05 (an integer: 1)

    def __post_init__(self) -> None:
        if not self.low <= self.start <= self.high:
            raise DataError(
                f"The parameter {self.name!r} starts at {self.start:g}, outside its range {self.low:g} … {self.high:g}."
            )

    def legal(self, value: float) -> float:
        """The nearest value the parameter can have: rounded if it is an integer, then clamped."""
        return float(np.clip(np.round(value) if self.integer else value, self.low, self.high))

    @property
    def first_step(self) -> float:
        """How far the first candidates are from the start."""
        if self.step is not None:
            return self.step
        return max(1.0, round(abs(self.start) / 4)) if self.integer else max(0.05, abs(self.start) / 4)


def search_parameters(
    evaluate: RacingEvaluator,
    parameters: Sequence[Parameter],
    *,
    method: str = "nelder-mead",
    evaluations: int = 200,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, float]:
    """The best parameters that an optimiser finds within so many evaluations; `evaluate.result()` tells of all.

    `evaluate` may stand on any decoder, a command line among them (see `CommandDecoder`).
    """
    if not parameters:
        raise DataError("There are no parameters to search; name at least one.")
    if method not in _METHODS:
        raise DataError(f"A direct search is {' or '.join(_METHODS)}, got {method!r}.")
    steps = np.array([each.first_step for each in parameters])
    starts = np.array([each.start for each in parameters])

    def named(point: Vector) -> dict[str, float]:
        values = zip(parameters, starts + point * steps, strict=True)
        return {each.name: each.legal(float(value)) for each, value in values}

    def lose(point: Vector) -> float:
        gain = evaluate(named(point))
        if progress:
            progress(min(evaluations, len(evaluate.history)), evaluations)
        return -gain

    evaluate({each.name: each.legal(each.start) for each in parameters})
    _METHODS[method](lose, len(parameters), evaluations)
    return evaluate.best.parameters


def _nelder_mead(lose: Callable[[Vector], float], n: int, evaluations: int) -> None:
    from scipy.optimize import minimize

    simplex = np.vstack([np.zeros(n), np.eye(n)])
    options: dict[str, Any] = {"maxfev": evaluations, "initial_simplex": simplex, "xatol": 0.01, "fatol": 0.01}
    minimize(lose, np.zeros(n), method="Nelder-Mead", options={**options, "adaptive": n > 4})


def _powell(lose: Callable[[Vector], float], n: int, evaluations: int) -> None:
    from scipy.optimize import minimize

    minimize(lose, np.zeros(n), method="Powell", options={"maxfev": evaluations, "xtol": 0.05, "ftol": 1e-4})


_METHODS: dict[str, Callable[[Callable[[Vector], float], int, int], None]] = {
    "nelder-mead": _nelder_mead,
    "powell": _powell,
}


@dataclass(frozen=True)
class DirectSearch(Tuner):
    """The frame of direct searches: evaluations by decoding, with racing."""

    evaluations: int = option(200, low=1, text="decodings of the tuning set, whole or given up, at most")
    batch: int = option(50, low=1, text="segments decoded between two looks at a race")
    samples: int = option(5000, low=99, text="shuffles of the randomisation test at each look")
    alpha: float = option(0.05, low=0, high=1, text="a candidate that is worse at this level is given up")
    near: float = option(0.1, low=0, text="so is one whose shuffled outputs never differ by so much of the metric")
    race: bool = option(True, choices=(False, True), text="give up candidates that are found to be worse")

    @property
    @abstractmethod
    def method(self) -> str:
        """The optimiser."""

    def solve(self, problem: Problem) -> Tuned:
        """Search; the rounds of the result are the incumbents."""
        began = monotonic()
        evaluate = self.evaluator(problem)
        moving = [name for name, moves in zip(problem.names, problem.moves, strict=True) if moves]
        start = dict(zip(problem.names, problem.start.tolist(), strict=True))
        parameters = [Parameter(name, start[name], step=max(abs(start[name]) / 2, 0.02)) for name in moving]
        search_parameters(evaluate, parameters, method=self.method, evaluations=self.evaluations, progress=problem.tell)
        incumbents = [each for each in evaluate.history if each.verdict == "best"]
        rounds = []
        before = problem.start
        for number, each in enumerate(incumbents):
            weights = np.array([{**start, **each.parameters}[name] for name in problem.names])
            rounds.append(_round(problem, weights, before, each.value, number, evaluate.segments))
            before = weights
        seconds = (monotonic() - began) / len(rounds)
        rounds = [replace(each, seconds=seconds) for each in rounds]
        best = best_round(rounds, higher_is_better=problem.objective.metric.higher_is_better)
        race = evaluate.result()
        stopped = f"{len(race.evaluations)} candidates; {race.tables()[0].note}"
        idle = tuple(name for name in problem.names if name not in moving)
        return self._tuned(problem, rounds, best, idle=idle, stopped=stopped)

    def evaluator(self, problem: Problem) -> RacingEvaluator:
        """The race that weights of this problem run in."""
        start = dict(zip(problem.names, problem.start.tolist(), strict=True))

        def run(parameters: Mapping[str, float], segments: NDArray[np.int64]) -> list[str]:
            weights = np.array([{**start, **parameters}[name] for name in problem.names])
            lists = problem.decode(weights, segments)
            return [lists.texts[first] for first in lists.offsets[:-1].tolist()]

        names = ("race", "batch", "samples", "alpha", "near")
        racing = Racing(**{name: getattr(self, name) for name in names})
        return RacingEvaluator(run, problem.objective, racing=racing, seed=problem.seed)


def _round(problem: Problem, weights: Vector, before: Vector, value: float, number: int, segments: int) -> Round:
    held_out = None
    if problem.held_out is not None:
        decode, other = problem.held_out
        held_out = other.shown(measure(decode, other, weights))
    lists = problem.decode(weights)
    words = sum(len(lists.texts[first].split()) for first in lists.offsets[:-1].tolist())
    objective = problem.objective
    return Round(
        number=number,
        value=value,
        predicted=None,
        held_out=held_out,
        length_ratio=words / (objective.words * len(objective)),
        candidates=1.0,
        new=segments,
        oracle=None,
        change=float(np.abs(weights - before)[problem.moves].max()),
        seconds=0.0,
        weights=tuple(weights.tolist()),
    )


@dataclass(frozen=True)
class NelderMead(DirectSearch):
    """Nelder–Mead's simplex with the decoder inside the objective and racing (Chung & Galley, WMT 2012).

    Needs no lists and no features, only translations, so it can tune whatever a decoder takes. Slow for a dozen
    weights, good for two or three numbers.
    """

    name: ClassVar[str] = "nelder-mead"

    @property
    def method(self) -> str:
        """The optimiser."""
        return "nelder-mead"


@dataclass(frozen=True)
class Powell(DirectSearch):
    """Powell's conjugate directions with the decoder inside the objective and racing (Chung & Galley, WMT 2012).

    Searches along one direction after another; like `nelder-mead` it looks at translations alone.
    """

    name: ClassVar[str] = "powell"

    @property
    def method(self) -> str:
        """The optimiser."""
        return "powell"
