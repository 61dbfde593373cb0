"""Structural learning: many linear problems on the same features, and the subspace they share (Ando & Zhang 2005).

Alternating structure optimisation in one round, as Liu & Ng (ACL 2007) have it. Auxiliary problems are solved one by
one; the first directions of a singular value decomposition of their weights are the rows of Θ. A target problem then
has the weights w + Θᵀv, in which only w is penalised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.learn.base import Job, Learner
from dragoman.learn.predictors import Linear, Predictor
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Aso", "fit_huber", "fit_structure", "huber", "objective", "shared_subspace"]

Matrix = Any  # dense, or sparse of SciPy: what has @ and .T


def huber(margins: Floats) -> tuple[Floats, Floats]:
    """The modified Huber loss of py, and its slope: −4py below −1, (1 − py)² up to 1, then 0."""
    inside = np.maximum(0.0, 1.0 - margins)
    far = margins < -1.0
    return np.where(far, -4.0 * margins, inside**2), np.where(far, -4.0, -2.0 * inside)


def objective(x: Matrix, y: Floats, u: Floats, penalty: float, *, free: Floats | None = None) -> float:
    """The mean loss of weights u + free, where the squares of u alone cost."""
    whole = u if free is None else u + free
    return float(huber(y * (x @ whole))[0].mean() + penalty * (u @ u))


def fit_huber(x: Matrix, y: Floats, penalty: float, theta: Floats | None = None) -> tuple[Floats, Floats]:
    """The w and v that make the mean loss of w + Θᵀv plus penalty·|w|² least; without Θ there is no v.

    `y` is 1 or −1. Where there is a Θ, the search begins at the weights without it, so that it never does worse.
    """
    from scipy.optimize import minimize

    n, width = x.shape
    h = 0 if theta is None else len(theta)
    inner = x @ theta.T if theta is not None and h else np.zeros((n, 0))
    start = np.zeros(width + h)
    if theta is not None and h:
        start[:width] = fit_huber(x, y, penalty)[0]

    def loss(point: Floats) -> tuple[float, Floats]:
        w, v = point[:width], point[width:]
        losses, slopes = huber(y * (x @ w + inner @ v))
        pull = slopes * y / n
        gradient = np.concatenate([x.T @ pull + 2.0 * penalty * w, inner.T @ pull])
        return float(losses.mean() + penalty * (w @ w)), gradient

    options = {"maxiter": 2000, "ftol": 1e-12, "gtol": 1e-8}
    point: Floats = np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x)
    return point[:width], point[width:]


def shared_subspace(weights: Floats, h: int) -> Floats:
    """Θ: the first h left singular vectors of the weights of problems (features, problems), as orthonormal rows."""
    if h < 1:
        return np.zeros((0, len(weights)))
    left, sizes, _ = np.linalg.svd(weights, full_matrices=False)
    there = int((sizes > 1e-12 * max(float(sizes[0]), 1e-300)).sum()) if len(sizes) else 0
    return np.ascontiguousarray(left[:, : min(h, there)].T)


def fit_structure(
    x: Matrix, targets: NDArray[Any], auxiliaries: NDArray[Any] | None = None, *, h: int, penalty: float = 1e-4
) -> tuple[Floats, Floats]:
    """The weights of all target problems (features, targets), and Θ.

    Problems are columns of 1 and −1, a row for each of x. Without auxiliary problems the targets are their own.
    """
    problems = targets if auxiliaries is None else auxiliaries
    for name, columns in (("target", targets), ("auxiliary", problems)):
        if columns.shape[0] != x.shape[0] or not np.isin(columns, (-1, 1)).all():
            raise DataError(
                f"Each {name} problem says 1 or −1 of each of the {x.shape[0]} rows; got {columns.shape[0]} rows of "
                f"{', '.join(map(str, np.unique(columns)[:4]))}."
            )
    alone = [fit_huber(x, column.astype(np.float64), penalty)[0] for column in problems.T] if h else []
    theta = shared_subspace(np.stack(alone, axis=1), h) if h else np.zeros((0, x.shape[1]))
    found = []
    for column in targets.T:
        w, v = fit_huber(x, column.astype(np.float64), penalty, theta)
        found.append(w + theta.T @ v)
    return np.stack(found, axis=1), theta


@dataclass(frozen=True)
class Aso(Learner):
    """Alternating structure optimisation (Ando & Zhang 2005; Liu & Ng 2007), brought to scores.

    Is a score above a cut, with cuts at equal shares of the sentences? Each cut is a problem; their weights share a
    subspace in which nothing is penalised. What the problems say together is brought to the scale of the scores by
    least squares. Needs no further package. Problems of one's own: `dragoman.learn.aso.fit_structure`.
    """

    name: ClassVar[str] = "aso"
    grid: ClassVar[tuple[str, ...]] = ("penalty",)

    penalty: tuple[float, ...] = option((0.1, 0.01, 0.001, 0.0001), text="penalties on squared weights, to try")
    cuts: int = option(7, low=1, high=99, text="problems that the scores are cut into")
    h: int = option(2, low=0, high=100, text="dimensions of the subspace that the problems share; 0 for none")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The mean weights of all problems."""
        shares = np.arange(1, self.cuts + 1) / (self.cuts + 1)
        above = np.where(y[:, np.newaxis] > np.quantile(y, shares), 1.0, -1.0)
        above = above[:, np.ptp(above, axis=0) > 0]
        constant = np.ones((len(x), 1))
        weights, _ = fit_structure(np.hstack([x, constant]), above, h=self.h, penalty=setting["penalty"])
        mean = weights[:-1].mean(axis=1)
        said = x @ mean
        spread = float(np.square(said - said.mean()).sum())
        slope = float((said - said.mean()) @ (y - y.mean())) / spread if spread else 0.0
        return Linear(mean * slope, np.array(float(y.mean() - slope * said.mean())))
