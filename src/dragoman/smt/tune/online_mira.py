"""Online large-margin learning, segment by segment, with a choice of oracles and predictions (Eidelman, WMT 2012)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.rng import Stream
from dragoman.smt.tune.base import Problem, Tuned, Tuner
from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.pool import Lists, Vector, sparse_of
from dragoman.smt.tune.rounds import Round, best_round, measure
from dragoman.smt.tune.weights import all_moves, normalised, padded

__all__ = ["ORACLES", "PREDICTIONS", "OnlineMira", "Update", "select", "update"]

# (γ, β) of the ramp loss: what the model's score and the metric's gain weigh when a candidate is chosen.
ORACLES = {"local": (0.0, 1.0), "hope": (1.0, 1.0)}
PREDICTIONS = {"cost": (0.0, -1.0), "model": (1.0, 0.0), "fear": (1.0, -1.0)}


@dataclass(frozen=True)
class Update:
    """One step of 1-best MIRA: what it saw and what it did."""

    margin: float  # score of the prediction minus that of the oracle
    cost: float  # gain of the oracle minus that of the prediction
    loss: float
    step: float  # δ; 0: nothing to learn
    weights: Vector


def select(scores: Vector, gains: Vector, *, oracle: str = "hope", prediction: str = "fear") -> tuple[int, int]:
    """The oracle and the prediction among candidates with these model scores and gains; of equal ones the first."""
    places = []
    for gamma, beta in (ORACLES[oracle], PREDICTIONS[prediction]):
        places.append(int(np.argmax(gamma * scores + beta * gains)))
    return places[0], places[1]


def update(
    weights: Vector, good: Any, bad: Any, *, gain_good: float, gain_bad: float, aggressiveness: float = 0.01
) -> Update:
    """Move weights so that the oracle's features (`good`) beat the prediction's by as much as its gain is larger.

    Features are vectors or single rows of a SciPy sparse matrix; of the latter, only entries that differ are touched.
    """
    from scipy.sparse import issparse

    difference = good - bad
    sparse = issparse(difference)
    if sparse:
        row = difference.tocsr()
        places, values = row.indices, row.data
    else:
        places, values = slice(None), np.asarray(difference, dtype=np.float64)
    margin = -float(weights[places] @ values)
    cost = gain_good - gain_bad
    loss = margin + cost
    norm = float(values @ values)
    if loss <= 0 or norm == 0:
        return Update(margin, cost, loss, 0.0, weights)
    step = min(aggressiveness, loss / norm)
    moved = weights.copy()
    moved[places] += step * values
    return Update(margin, cost, loss, step, moved)


@dataclass(frozen=True)
class OnlineMira(Tuner):
    """Online 1-best MIRA (Eidelman, WMT 2012): after each segment the weights move from a prediction to an oracle.

    Oracles: `local`, the candidate with the best metric; `hope`, metric and model score together. Predictions: `cost`,
    the worst metric; `model`, the model's best; `fear`, model score minus metric. Hope with fear is the steady choice;
    local with model or fear fails. Features may be SciPy sparse matrices.
    """

    name: ClassVar[str] = "online-mira"
    takes_sparse: ClassVar[bool] = True

    oracle: str = option("hope", choices=tuple(ORACLES), text="what to move towards")
    prediction: str = option("fear", choices=tuple(PREDICTIONS), text="what to move away from")
    aggressiveness: float = option(0.01, low=1e-9, text="C, the longest step of an update")
    epochs: int = option(10, low=1, text="passes over the tuning set")
    shards: int = option(1, low=1, text="parts learnt from apart, whose weights are averaged after each epoch")

    def solve(self, problem: Problem) -> Tuned:
        """Epoch after epoch; the weights of the one with the best value are kept."""
        from scipy.sparse import issparse

        weights = problem.start
        rounds: list[Round] = []
        context: NDArray[np.float64] | None = None
        before = weights
        learnt: list[Vector] = []
        for epoch in range(self.epochs + 1):
            began = monotonic()
            lists = problem.decode(weights)
            learnt.append(weights[len(problem.names) :])
            best = lists.offsets[:-1].tolist()
            texts = [lists.texts[first] for first in best]
            stats = problem.objective.rows(np.arange(len(problem.objective)), texts)
            # Over the epochs lists are not merged: an online learner forgets them.
            entry = _entry(problem, epoch, stats, texts, weights, before, len(lists.texts))
            if epoch < self.epochs:
                before = weights
                weights = self._epoch(problem, weights, epoch, context)
                context = stats
            rounds.append(replace(entry, seconds=monotonic() - began))
            problem.tell(epoch + 1, self.epochs + 1)
            sparse = issparse(lists.features)
        chosen = best_round(rounds, higher_is_better=problem.objective.metric.higher_is_better)
        if sparse:  # thousands of weights: the curve keeps those of the chosen round alone
            rounds = [each if each.number in (0, chosen) else replace(each, weights=()) for each in rounds]
        idle = tuple(name for name, moves in zip(problem.names, problem.moves, strict=True) if not moves)
        return self._tuned(
            problem,
            rounds,
            chosen,
            idle=idle,
            stopped=f"All {self.epochs} epochs were made.",
            sparse=problem.sparse_names(learnt[chosen]),
        )

    def _epoch(self, problem: Problem, weights: Vector, epoch: int, context: NDArray[np.float64] | None) -> Vector:
        order = Stream(problem.seed, f"tune:online:{epoch}").permutation(len(problem.objective))
        parts = np.array_split(order, min(self.shards, len(order)))
        # Threads would number new sparse features in the order of their haste.
        n_workers = 1 if getattr(problem.decode, "sparse", False) else min(problem.n_threads, len(parts))
        with ThreadPoolExecutor(max_workers=n_workers) as workers:
            vectors = list(workers.map(lambda part: self._learn(problem, weights, part, context), parts))
        width = max(len(each) for each in vectors)
        return np.mean([padded(each, width) for each in vectors], axis=0) if len(vectors) > 1 else vectors[0]

    def _learn(
        self, problem: Problem, weights: Vector, part: NDArray[np.int64], context: NDArray[np.float64] | None
    ) -> Vector:
        total = None if context is None else context.sum(axis=0)
        for segment in part.tolist():
            number = np.array([segment])
            lists = problem.decode(weights, number)
            rows = problem.objective.rows(np.full(len(lists.texts), segment), lists.texts)
            others = None if context is None or total is None else total - context[segment]
            gains = _gains(problem.objective, rows, others)
            features = _all_features(lists)
            weights = padded(weights, features.shape[1])
            scores = np.asarray(features @ weights).ravel()
            good, bad = select(scores, gains, oracle=self.oracle, prediction=self.prediction)
            moved = update(
                weights,
                features[good],
                features[bad],
                gain_good=float(gains[good]),
                gain_bad=float(gains[bad]),
                aggressiveness=self.aggressiveness,
            ).weights
            weights = np.where(all_moves(weights, problem.moves), moved, weights)
        return weights


def _all_features(lists: Lists) -> Any:
    sparse = sparse_of(lists)
    if sparse is None:
        return lists.features
    from scipy.sparse import csr_matrix, hstack

    return hstack([csr_matrix(lists.features), sparse], format="csr")


def _gains(objective: Objective, rows: NDArray[np.float64], others: NDArray[np.float64] | None) -> Vector:
    """In the first epoch smoothed scores of the segment alone; then what it does for the score of the whole set.

    Eidelman leaves the scale of the latter open: the difference one segment makes is multiplied by the number of
    segments, so that it is of the size of a segment's own score.
    """
    if others is None:
        return objective.sentence_gains(rows)
    return objective.gains(others + rows) / 100.0 * len(objective)


def _entry(
    problem: Problem, epoch: int, stats: NDArray[np.float64], texts: list[str], weights: Vector, before: Vector, n: int
) -> Round:
    objective = problem.objective
    held_out = None
    if problem.held_out is not None:
        decode, other = problem.held_out
        held_out = other.shown(measure(decode, other, weights))
    words = sum(len(text.split()) for text in texts)
    n = len(problem.moves)
    change = np.abs(normalised(weights[:n], problem.moves) - normalised(before[:n], problem.moves))
    return Round(
        number=epoch,
        value=objective.shown(objective.gain(stats.sum(axis=0))),
        predicted=None,
        held_out=held_out,
        length_ratio=words / (objective.words * len(objective)),
        candidates=n / len(objective),
        new=n,
        oracle=None,
        change=float(change[problem.moves].max(initial=0.0)),
        seconds=0.0,
        weights=tuple(weights[:n].tolist()),
    )
