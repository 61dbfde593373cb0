"""What tasks have in common: the coregionalisation matrix B of Gaussian processes over several tasks.

k((x, t), (x′, t′)) = B[t, t′] k(x, x′) (intrinsic coregionalisation; Bonilla et al., NIPS 2007; for quality estimation
Cohn & Specia, ACL 2013). B is W Wᵀ + diag(κ): what tasks share, and what is a task's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dragoman.stats.arrays import Floats

__all__ = ["COREGIONS", "Coregion"]

COREGIONS = ("free", "own", "pooled", "independent")
_LOG_KAPPA = (-8.0, 4.0)
_WEIGHTS = (-5.0, 5.0)


@dataclass(frozen=True)
class Coregion:
    """A form of B with its free numbers: the entries of W, column by column, then the logarithms of κ.

    `free` learns W of some rank and κ; `own` has W = 1, so that tasks share one function and add one of their own;
    `pooled` has no κ beside that, so that tasks do not matter; `independent` has κ alone, so that they share nothing.
    """

    form: str
    n_tasks: int
    rank: int = 1

    @property
    def scales(self) -> bool:
        """Whether B has a scale of its own, so that the kernel needs none."""
        return self.form in {"free", "independent"}

    @property
    def _n_weights(self) -> int:
        return self.n_tasks * self.rank if self.form == "free" else 0

    @property
    def _n_kappa(self) -> int:
        return 0 if self.form == "pooled" else self.n_tasks

    def start(self) -> Floats:
        """Where learning starts: much in common, a little of one's own; further columns of W tell tasks apart."""
        task = np.arange(self.n_tasks)
        columns = [
            np.ones(self.n_tasks) if k == 0 else 0.3 * np.cos(np.pi * k * (task + 0.5) / self.n_tasks)
            for k in range(self.rank)
        ]
        weights = np.concatenate(columns) if self._n_weights else np.zeros(0)
        own = 0.0 if self.form == "independent" else np.log(0.3)
        return np.concatenate([weights, np.full(self._n_kappa, own)])

    def bounds(self) -> list[tuple[float, float]]:
        """Least and most of each free number."""
        return [_WEIGHTS] * self._n_weights + [_LOG_KAPPA] * self._n_kappa

    def _parts(self, numbers: Floats) -> tuple[Floats, Floats]:
        if self.form == "free":
            weights = numbers[: self._n_weights].reshape(self.rank, self.n_tasks).T
        else:
            weights = np.full((self.n_tasks, 1), 0.0 if self.form == "independent" else 1.0)
        kappa = np.exp(numbers[self._n_weights :]) if self._n_kappa else np.zeros(self.n_tasks)
        return weights, kappa

    def matrix(self, numbers: Floats) -> Floats:
        """B."""
        weights, kappa = self._parts(numbers)
        matrix: Floats = weights @ weights.T + np.diag(kappa)
        return matrix

    def with_unknown(self, numbers: Floats) -> Floats:
        """B with one row more: a task that nothing is known of, which has the mean of what tasks share."""
        weights, _ = self._parts(numbers)
        return np.vstack([self.matrix(numbers), weights.mean(axis=0) @ weights.T])

    def slopes(self, numbers: Floats, by_matrix: Floats) -> Floats:
        """By each free number, from those by each entry of B (symmetric)."""
        weights, kappa = self._parts(numbers)
        by_weights = (2.0 * by_matrix @ weights).T.ravel() if self._n_weights else np.zeros(0)
        by_kappa = np.diag(by_matrix) * kappa if self._n_kappa else np.zeros(0)
        return np.concatenate([by_weights, by_kappa])
