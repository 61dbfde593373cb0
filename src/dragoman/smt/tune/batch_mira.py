"""Batch k-best MIRA (Cherry & Foster, NAACL 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman._core import tune as core
from dragoman.options import option
from dragoman.smt.tune.base import Problem, stream
from dragoman.smt.tune.list_tuner import ListTuner
from dragoman.smt.tune.pool import Candidates, Vector
from dragoman.smt.tune.weights import normalised

__all__ = ["BatchMira"]


@dataclass(frozen=True)
class BatchMira(ListTuner):
    """Batch k-best MIRA (Cherry & Foster, NAACL 2012): margins between hope and fear candidates of merged lists.

    A segment's gain is the metric of a slowly forgotten document with the candidate in it, times the document's words.
    Steady from run to run, and fit for many features.
    """

    name: ClassVar[str] = "mira"
    takes_sparse: ClassVar[bool] = True

    rounds: int = option(12, low=1, text="at most so many times the tuning set is decoded again")
    aggressiveness: float = option(0.01, low=1e-9, text="C, the longest step of an update")
    decay: float = option(0.999, low=0, high=1, text="how much of the background document each segment leaves")
    passes: int = option(60, low=1, text="passes over the tuning set in each round; the best one is kept")

    def improve(self, candidates: Candidates, weights: Vector, problem: Problem, number: int) -> tuple[Vector, float]:
        """The averaged weights of the pass that is best on the candidates."""
        sparse = None
        if candidates.sparse is not None:
            rows = candidates.sparse
            sparse = (
                rows.indptr.astype(np.int64),
                rows.indices.astype(np.int32),
                rows.data.astype(np.float64),
                rows.shape[1],
            )
        weights_of_starts, values, _, best_sparse = core.batch_mira(
            candidates.features,
            candidates.stats,
            candidates.offsets,
            problem.objective.core,
            weights,
            problem.moves.astype(np.uint8),
            stream(problem, "mira", number).key,
            aggressiveness=self.aggressiveness,
            decay=self.decay,
            words=problem.objective.words,
            passes=self.passes,
            sparse=sparse,
        )
        best = int(np.argmax(values))
        return normalised(np.concatenate([weights_of_starts[best], best_sparse]), problem.moves), float(values[best])
