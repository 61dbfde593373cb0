"""Pairwise ranking optimisation (Hopkins & May, EMNLP 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core import tune as core
from dragoman.options import option
from dragoman.smt.tune.base import Problem, stream
from dragoman.smt.tune.list_tuner import ListTuner
from dragoman.smt.tune.pool import Candidates, Vector
from dragoman.smt.tune.weights import all_moves, normalised

__all__ = ["Pro", "fit_ranking"]


@dataclass(frozen=True)
class Pro(ListTuner):
    """Pairwise ranking optimisation (Hopkins & May, EMNLP 2011): a classifier learns which of two candidates is better.

    Pairs are drawn from each list, those that differ most in the metric are kept, and a logistic regression without
    intercept gives the weights, mixed with those of the round before. Scores of single segments make outputs short
    (Nakov et al., COLING 2012): look at the length ratio.
    """

    name: ClassVar[str] = "pro"
    takes_sparse: ClassVar[bool] = True

    draws: int = option(5000, low=1, text="Γ, pairs drawn from each segment's candidates")
    kept: int = option(50, low=1, text="Ξ, of these the pairs that differ most")
    threshold: float = option(0.05, low=0, text="α, the least difference, as a share of 1")
    mixing: float = option(0.5, low=0.01, high=1, text="Ψ, the share of the new weights (Hopkins & May: 0.1)")
    ridge: float = option(1e-3, low=0, text="L2 penalty for each pair, on features scaled to spread 1")

    def improve(self, candidates: Candidates, weights: Vector, problem: Problem, number: int) -> tuple[Vector, float]:
        """Weights that rank most pairs rightly, mixed with the old ones."""
        gains = problem.objective.sentence_gains(candidates.stats)
        pairs = core.sample_pairs(
            gains,
            candidates.offsets,
            stream(problem, "pro", number).key,
            draws=self.draws,
            kept=self.kept,
            threshold=self.threshold,
            n_threads=problem.n_threads,
        )
        if len(pairs):
            differences = candidates.rows(pairs[:, 0]) - candidates.rows(pairs[:, 1])
            moves = all_moves(weights, problem.moves)
            frozen = np.asarray(differences[:, ~moves] @ weights[~moves])
            fitted = weights.copy()
            moving = differences[:, moves]
            fitted[moves] = fit_ranking(
                np.ascontiguousarray(moving) if candidates.sparse is None else moving, frozen, ridge=self.ridge
            )
            weights = self.mixing * normalised(fitted, problem.moves) + (1 - self.mixing) * weights
            weights = normalised(weights, problem.moves)
        best = candidates.best(candidates.scores(weights))
        return weights, problem.objective.gain(candidates.stats[best].sum(axis=0))


def fit_ranking(
    differences: Any, offsets: NDArray[np.float64] | None = None, *, ridge: float, steps: int = 200
) -> Vector:
    """Weights of a logistic regression for which every row of differences, plus its offset, should be above 0.

    A mirrored row would say the same, so none is made. Columns are scaled to unit spread before the penalty; those
    that are 0 throughout get no weight. Rows may be a SciPy sparse matrix, which is never made dense.
    """
    from scipy.optimize import minimize
    from scipy.sparse import diags, issparse

    n, width = differences.shape
    fixed = np.zeros(n) if offsets is None else offsets
    squares = differences.multiply(differences) if issparse(differences) else differences**2
    spread = np.sqrt(np.asarray(squares.mean(axis=0)).ravel())
    scales = np.where(spread > 0, 1.0 / np.where(spread > 0, spread, 1.0), 0.0)
    sparse = issparse(differences)
    rows = differences @ diags(scales) if sparse else differences * scales

    # BLAS would share out these short sums to threads of its own, which wait for each other on a busy machine.
    def scores(weights: Vector) -> Vector:
        return np.asarray(rows @ weights if sparse else np.einsum("ij,j->i", rows, weights))

    def gathered(wrong: Vector) -> Vector:
        return np.asarray(rows.T @ wrong if sparse else np.einsum("ij,i->j", rows, wrong))

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = scores(weights) + fixed
        wrong = np.exp(-np.logaddexp(0.0, margins))  # 1 / (1 + e^margin)
        value = np.logaddexp(0.0, -margins).mean() + 0.5 * ridge * weights @ weights
        return float(value), -gathered(wrong) / n + ridge * weights

    minimum = minimize(loss, np.zeros(width), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    weights: Vector = np.asarray(minimum.x) * scales
    return weights
