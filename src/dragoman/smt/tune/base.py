"""The contract of tuners: a recipe that finds weights for a decoder, given references and a metric."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.references import RefsInput
from dragoman.options import Recipe, option
from dragoman.registry import Registry
from dragoman.report import Progress
from dragoman.rng import Stream
from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.pool import Candidates, Decode, Lists, Pool, Vector
from dragoman.smt.tune.tuned import Round, Tuned, Tunings

__all__ = ["TUNERS", "HeldOut", "ListTuner", "Problem", "Tuner", "normalised", "tune_seeds"]

TUNERS: Registry[Tuner] = Registry(
    "tuner",
    {
        "lattice-mert": "dragoman.smt.tune.lattice_mert:LatticeMert",
        "mert": "dragoman.smt.tune.mert:Mert",
        "mira": "dragoman.smt.tune.batch_mira:BatchMira",
        "nelder-mead": "dragoman.smt.tune.direct:NelderMead",
        "online-mira": "dragoman.smt.tune.online_mira:OnlineMira",
        "powell": "dragoman.smt.tune.direct:Powell",
        "pro": "dragoman.smt.tune.pro:Pro",
    },
)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Segments that are not tuned on and decide which round's weights are kept."""

    decode: Decode
    refs: RefsInput


@dataclass(frozen=True, eq=False)
class Problem:
    """What a tuner works on, checked."""

    decode: Decode
    objective: Objective
    names: tuple[str, ...]
    start: Vector
    moves: NDArray[np.bool_]  # which weights may change
    seed: int
    held_out: tuple[Decode, Objective] | None = None
    n_threads: int = 1
    progress: Progress | None = None

    def tell(self, done: int, whole: int) -> None:
        """Say how far tuning has come."""
        if self.progress:
            self.progress(done, max(done, whole), f"tuning, seed {self.seed}")

    def sparse_names(self, weights: Vector) -> dict[str, float]:
        """Weights of sparse features by name, those that are not 0."""
        if not weights.any():
            return {}
        name = self.decode.sparse_name  # type: ignore[attr-defined]  # only decoders with sparse features come here
        return {name(int(i)): float(weights[i]) for i in np.flatnonzero(weights)}


@dataclass(frozen=True)
class Tuner(Recipe, ABC):
    """Finds weights under which a decoder's output scores well. Options are the fields."""

    name: ClassVar[str]
    takes_sparse: ClassVar[bool] = False  # whether it tunes sparse features, too

    def tune(
        self,
        decode: Decode,
        refs: RefsInput,
        *,
        start: Mapping[str, float],
        metric: Metric | str = "bleu:tokeniser=none",
        seed: int = 1,
        frozen: Sequence[str] = (),
        held_out: HeldOut | None = None,
        n_threads: int = 1,
        progress: Progress | None = None,
    ) -> Tuned:
        """Weights for `decode(weights) -> Lists`, whose candidates are scored against `refs`.

        `start` has a weight for each feature, in the order of the decoder's columns; those named in `frozen` stay.
        """
        self.check()
        if not start:
            raise DataError("There are no weights to tune; start needs one for each feature.")
        unknown = [name for name in frozen if name not in start]
        if unknown:
            raise DataError(f"No feature is called {', '.join(unknown)}. Known: {', '.join(start)}.")
        broken = [name for name, weight in start.items() if not np.isfinite(weight)]
        if broken:
            raise DataError(f"Weights to start from must be finite numbers; those of {', '.join(broken)} are not.")
        moves = np.array([name not in frozen for name in start])
        if not moves.any() and not getattr(decode, "sparse", False):
            raise DataError("Every feature is frozen; there is nothing to tune.")
        objective = Objective(metric, refs, n_threads=n_threads)
        other = None
        if held_out is not None:
            other = (held_out.decode, Objective(objective.metric, held_out.refs, n_threads=n_threads))
        first = normalised(np.array(list(start.values()), dtype=np.float64), moves)
        return self.solve(Problem(decode, objective, tuple(start), first, moves, seed, other, n_threads, progress))

    @abstractmethod
    def solve(self, problem: Problem) -> Tuned:
        """The work, on a checked problem."""

    def _tuned(self, problem: Problem, rounds: Sequence[Round], kept: int, **told: object) -> Tuned:
        metric = problem.objective.metric
        return Tuned(
            method=self.name, recipe=self, metric=metric.signature(problem.objective.refs.nrefs), label=metric.label,
            higher_is_better=metric.higher_is_better, names=problem.names, rounds=tuple(rounds), kept=kept,
            seed=problem.seed, **told,  # type: ignore[arg-type]
        )  # fmt: skip


def normalised(weights: Vector, moves: NDArray[np.bool_]) -> Vector:
    """The weights, those that move scaled so that their absolute values sum to 1: only proportions matter.

    Frozen weights stay what they are: they are penalties far beyond the others, such as that of unknown words. Sparse
    weights, which stand behind the others and all move, are scaled along and not counted.
    """
    size = float(np.abs(weights[: len(moves)][moves]).sum())
    return np.where(all_moves(weights, moves), weights / size, weights) if size > 0 else weights.copy()


def all_moves(weights: Vector, moves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which weights move, sparse ones among them."""
    return np.concatenate([moves, np.ones(len(weights) - len(moves), dtype=bool)])


def padded(weights: Vector, n: int) -> Vector:
    """The weights, with zeros for sparse features that came up since."""
    return np.concatenate([weights, np.zeros(n - len(weights))]) if n > len(weights) else weights


def measure(decode: Decode, objective: Objective, weights: Vector) -> float:
    """The gain of a decoder's best translations."""
    lists = decode(weights)
    best = [lists.texts[first] for first in lists.offsets[:-1]]
    return objective.gain(objective.rows(np.arange(len(objective)), best).sum(axis=0))


def best_round(rounds: Sequence[Round], *, higher_is_better: bool) -> int:
    """The round with the best value, on held-out segments where there are any; the first of equals."""
    sign = 1 if higher_is_better else -1
    values = [sign * (each.value if each.held_out is None else each.held_out) for each in rounds]
    return int(np.argmax(values))


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
        self, problem: Problem, pool: Pool, lists: Lists, candidates: Candidates, weights: Vector,
        predicted: float | None, before: Vector, new: int, number: int,
    ) -> Round:  # fmt: skip
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


def tune_seeds(
    tuner: Tuner, decode: Decode, refs: RefsInput, *, seeds: Sequence[int] = (1, 2, 3), **rest: object
) -> Tunings:
    """One tuning for each seed: what chance does to the weights and to the score (Clark et al., ACL 2011)."""
    if not seeds:
        raise DataError("There are no seeds; give at least one.")
    return Tunings(tuple(tuner.tune(decode, refs, seed=seed, **rest) for seed in seeds))  # type: ignore[arg-type]


def stream(problem: Problem, label: str, number: int) -> Stream:
    """The chance of one round of one method."""
    return Stream(problem.seed, f"tune:{label}:{number}")
