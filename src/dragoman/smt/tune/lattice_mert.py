"""Minimum error rate training on search graphs (Macherey, Och, Thayer & Uszkoreit, EMNLP 2008)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core import tune as core
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.smt.tune.base import Problem, Tuned, Tuner, stream
from dragoman.smt.tune.mert import TOGETHER, random_starts
from dragoman.smt.tune.pool import Vector
from dragoman.smt.tune.rounds import Round, best_round, measure
from dragoman.smt.tune.weights import normalised

if TYPE_CHECKING:
    from dragoman.smt.hypergraph import SearchGraph

__all__ = ["LatticeMert"]


@dataclass(frozen=True)
class LatticeMert(Tuner):
    """MERT on search graphs (Macherey et al., EMNLP 2008): line searches over all that the search found.

    Along a line, the upper envelope of all translations in a graph is computed exactly, though there are more than
    could be listed. Lists of a hundred hide what weights far away would choose; graphs show it, so that fewer rounds
    are needed. For decoders that give graphs: engines do.
    """

    name: ClassVar[str] = "lattice-mert"

    rounds: int = option(6, low=1, text="at most so many times the tuning set is decoded again")
    patience: int = option(2, low=1, text="rounds without a better value after which tuning ends")
    least_change: float = option(1e-4, low=0, text="tuning ends when no weight changes more than so much")
    arcs: int = option(20, low=1, text="arcs of a graph for each source token, the best ones")
    starts: int = option(3, low=0, text="random weights to start from, besides those at hand")
    settle: int = option(1, low=0, text="rounds without random starts")
    directions: int = option(8, low=0, text="random directions searched in each sweep, besides the axes")
    sweeps: int = option(6, low=1, text="at most so many sweeps over all directions from each start")
    tolerance: float = option(0.02, low=0, text="a sweep that gains less, in units of the metric, is the last")

    def solve(self, problem: Problem) -> Tuned:
        """Round after round; the graphs of all rounds are searched together."""
        if not hasattr(problem.decode, "graphs"):
            raise DataError("The tuner 'lattice-mert' needs a decoder that gives graphs, as an engine's does.")
        weights = before = problem.start
        graphs: list[list[SearchGraph]] = [[] for _ in range(len(problem.objective))]
        rounds: list[Round] = []
        predicted: float | None = None
        spread = np.zeros(len(weights))
        stopped = f"All {self.rounds} rounds were made."
        for number in range(self.rounds + 1):
            began = monotonic()
            new = problem.decode.graphs(weights, most_arcs=self.arcs)
            for segment, graph in enumerate(new):
                if not len(graph):
                    raise DataError(f"The decoder gave no candidate for segment {segment + 1}.")
                graphs[segment].append(graph)
            rounds.append(_round(problem, new, graphs, weights, before, predicted, number))
            best = best_round(rounds, higher_is_better=problem.objective.metric.higher_is_better)
            reason = ""
            if number and rounds[-1].change < self.least_change:
                reason = f"No weight changed by {self.least_change:g} or more."
            elif number - best >= self.patience:
                reason = f"{self.patience} rounds brought nothing better."
            if not reason and number < self.rounds:
                before = weights
                spread = _spread(new)[: len(weights)]
                weights, gain = self._improve(problem, graphs, weights, spread, number)
                predicted = problem.objective.shown(gain)
            rounds[-1] = replace(rounds[-1], seconds=monotonic() - began)
            problem.tell(self.rounds + 1 if reason else number + 1, self.rounds + 1)
            if reason:
                stopped = reason
                break
        moved = zip(problem.names, problem.moves, spread > 0, strict=True)
        idle = tuple(name for name, may, does in moved if not (may and does))
        return self._tuned(problem, rounds, best, idle=idle, stopped=stopped)

    def _improve(
        self, problem: Problem, graphs: list[list[SearchGraph]], weights: Vector, spread: Vector, number: int
    ) -> tuple[Vector, float]:
        scales = np.where(problem.moves & (spread > 0), 1.0 / np.where(spread > 0, spread, 1.0), 0.0)
        chance = stream(problem, "lattice-mert", number)
        starts = weights[np.newaxis]
        if number >= self.settle:
            starts = np.vstack([starts, random_starts(weights, scales, chance, self.starts)])
        # The graphs of engines with sparse features have the sum of these as one more, which stays as it is.
        n_more = len(graphs[0][0].feature_names) - len(weights)
        starts = np.hstack([starts, np.ones((len(starts), n_more))])
        scales = np.concatenate([scales, np.zeros(n_more)])
        texts: dict[tuple[int, str], NDArray[np.float64]] = {}
        words_of = [{number: word for graph in each for number, word in graph.vocabulary.items()} for each in graphs]

        def score(
            segments: NDArray[np.int64], offsets: NDArray[np.int64], words: NDArray[np.int32]
        ) -> NDArray[np.float64]:
            flat, ends = words.tolist(), offsets.tolist()
            lines = [
                " ".join([words_of[segment][number] for number in flat[begin:end]])
                for segment, begin, end in zip(segments.tolist(), ends[:-1], ends[1:], strict=True)
            ]
            keys = list(zip(segments.tolist(), lines, strict=True))
            new = [i for i, key in enumerate(keys) if key not in texts]
            if new:
                rows = problem.objective.rows(segments[new], [lines[i] for i in new])
                texts.update(zip((keys[i] for i in new), rows, strict=True))
            return np.ascontiguousarray([texts[key] for key in keys], dtype=np.float64)

        n_stats = problem.objective.rows(np.array([0]), [""]).shape[1]
        optima, values, _ = core.ascend_graphs(
            [[graph.core for graph in each] for each in graphs],
            problem.objective.core,
            score,
            n_stats,
            np.ascontiguousarray(starts),
            scales,
            chance.key,
            random_directions=self.directions,
            features_of_direction=TOGETHER,
            most_sweeps=self.sweeps,
            tolerance=self.tolerance,
            n_threads=problem.n_threads,
        )
        best = int(np.argmax(values))
        return normalised(optima[best][: len(weights)], problem.moves), float(values[best])


def _spread(graphs: list[SearchGraph]) -> Vector:
    """By feature: how far the two best translations of a graph are apart, about; 0 where they never differ."""
    differences = []
    for graph in graphs:
        paths = graph.n_best(8)
        rows = np.array([graph.core.arc_features[list(path.arcs)].sum(axis=0, dtype=np.float64) for path in paths])
        differences.append(((rows - rows.mean(axis=0)) ** 2).mean(axis=0))
    spread: Vector = np.sqrt(np.mean(differences, axis=0))
    spread[spread < 1e-5] = 0.0  # rounding of a constant, in single precision
    return spread


def _round(
    problem: Problem,
    new: list[SearchGraph],
    graphs: list[list[SearchGraph]],
    weights: Vector,
    before: Vector,
    predicted: float | None,
    number: int,
) -> Round:
    objective = problem.objective
    texts = [graph.n_best(1)[0].text for graph in new]
    gain = objective.gain(objective.rows(np.arange(len(objective)), texts).sum(axis=0))
    held_out = None
    if problem.held_out is not None:
        decode, other = problem.held_out
        held_out = other.shown(measure(decode, other, weights))
    n_arcs = sum(len(graph.core.arc_scores) for each in graphs for graph in each)
    return Round(
        number=number,
        value=objective.shown(gain),
        predicted=predicted,
        held_out=held_out,
        length_ratio=sum(len(text.split()) for text in texts) / (objective.words * len(objective)),
        candidates=n_arcs / len(objective),
        new=sum(len(graph.core.arc_scores) for graph in new),
        oracle=None,
        change=float(np.abs(weights - before)[problem.moves].max()),
        seconds=0.0,
        weights=tuple(weights.tolist()),
    )
