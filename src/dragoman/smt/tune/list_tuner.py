"""Tuners that work on lists of candidates, which grow from round to round."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.smt.tune.base import Problem, Tuned, Tuner
from dragoman.smt.tune.pool import Candidates, Lists, Pool, Vector
from dragoman.smt.tune.rounds import Round, best_round, measure
from dragoman.smt.tune.weights import padded

__all__ = ["ListTuner"]


@dataclass(frozen=True)
class ListTuner(Tuner):
    """A tuner that works in rounds: decode, merge the candidates with those of all earlier rounds, find weights."""

    rounds: int = option(10, low=1, text="at most so many times the tuning set is decoded again")
    patience: int = option(3, low=1, text="rounds without a better value after which tuning ends")
    least_change: float = option(1e-4, low=0, text="tuning ends when no weight changes more than so much")

    @abstractmethod
    def improve(self, candidates: Candidates, weights: Vector, problem: Problem, number: int) -> tuple[Vector, float]:
        """Better weights on the candidates, and the gain that is expected of them."""

    def solve(self, problem: Problem) -> Tuned:
        """Round after round until nothing changes."""
        objective, weights = problem.objective, problem.start
        pool = Pool(objective)
        rounds: list[Round] = []
        sparse: list[Vector] = []
        predicted: float | None = None
        before = weights
        moved = np.zeros(len(weights), dtype=bool)
        stopped = f"All {self.rounds} rounds were made."
        for number in range(self.rounds + 1):
            began = monotonic()
            lists = problem.decode(weights)
            new = pool.add(lists)
            candidates = pool.candidates()
            if candidates.n_sparse and not self.takes_sparse:
                raise DataError(
                    f"The tuner {self.name!r} cannot tune sparse features, of which there are {candidates.n_sparse:,}; "
                    "use mira, pro or online-mira."
                )
            weights = padded(weights, len(problem.names) + candidates.n_sparse)
            before = padded(before, len(weights))
            sparse.append(weights[len(problem.names) :])
            rounds.append(self._round(problem, pool, lists, candidates, weights, predicted, before, new, number))
            moved |= candidates.spread() > 0
            best = best_round(rounds, higher_is_better=objective.metric.higher_is_better)
            reason = ""
            if new == 0:
                reason = "No candidate was new."
            elif number and rounds[-1].change < self.least_change:
                reason = f"No weight changed by {self.least_change:g} or more."
            elif number - best >= self.patience:
                reason = f"{self.patience} rounds brought nothing better."
            if not reason and number < self.rounds:
                before = weights
                weights, gain = self.improve(candidates, weights, problem, number)
                predicted = objective.shown(gain)
            rounds[-1] = replace(rounds[-1], seconds=monotonic() - began)
            problem.tell(self.rounds + 1 if reason else number + 1, self.rounds + 1)
            if reason:
                stopped = reason
                break
        idle = tuple(n for n, mv, mo in zip(problem.names, problem.moves, moved, strict=True) if not (mv and mo))
        names = problem.sparse_names(sparse[best])
        return self._tuned(problem, rounds, best, idle=idle, stopped=stopped, sparse=names)

    def _round(
        self,
        problem: Problem,
        pool: Pool,
        lists: Lists,
        candidates: Candidates,
        weights: Vector,
        predicted: float | None,
        before: Vector,
        new: int,
        number: int,
    ) -> Round:
        objective = problem.objective
        value = objective.gain(pool.best_stats(lists).sum(axis=0))
        oracle = candidates.best(objective.sentence_gains(candidates.stats))
        words = sum(len(lists.texts[first].split()) for first in lists.offsets[:-1].tolist())
        held_out = None
        if problem.held_out is not None:
            decode, other = problem.held_out
            held_out = other.shown(measure(decode, other, weights))
        return Round(
            number=number,
            value=objective.shown(value),
            predicted=predicted,
            held_out=held_out,
            length_ratio=words / (objective.words * len(objective)),
            candidates=len(candidates) / len(objective),
            new=new,
            oracle=objective.shown(objective.gain(candidates.stats[oracle].sum(axis=0))),
            change=float(np.abs(weights - before)[: len(problem.moves)][problem.moves].max(initial=0.0)),
            seconds=0.0,
            weights=tuple(weights[: len(problem.names)].tolist()),
        )
