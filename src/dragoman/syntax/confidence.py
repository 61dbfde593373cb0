"""How sure a decision is: margins turned into probabilities of being right, by what was right in held-out text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Calibration"]

_ROUNDS = 50
_RIDGE = 1e-2  # keeps the fit finite where everything, or nothing, was right


@dataclass(frozen=True)
class Calibration:
    """P(right) = 1 / (1 + exp(−intercept − slope · log(1 + margin))); Platt (1999) on the margin's logarithm."""

    intercept: float = 0.0
    slope: float = 1.0

    def __post_init__(self) -> None:
        if not all(isinstance(each, int | float) and np.isfinite(each) for each in (self.intercept, self.slope)):
            raise TypeError(f"a calibration is two finite numbers, not {self.intercept!r} and {self.slope!r}")

    @classmethod
    def fit(cls, margins: NDArray[np.float32], right: NDArray[np.bool_]) -> Calibration:
        """The likeliest curve that rises; decisions without an alternative say nothing."""
        seen = np.isfinite(margins)
        if not seen.any():
            return cls()
        x = np.log1p(margins[seen].astype(np.float64))
        y = right[seen].astype(np.float64)
        design = np.stack([np.ones_like(x), x], axis=1)
        beta = np.zeros(2)
        for _ in range(_ROUNDS):
            p = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
            gradient = design.T @ (y - p) - _RIDGE * beta
            hessian = (design * (p * (1 - p))[:, None]).T @ design + _RIDGE * np.eye(2)
            step = np.linalg.solve(hessian, gradient)
            beta += np.clip(step, -2, 2)
            if np.abs(step).max() < 1e-9:
                break
        if beta[1] <= 0:  # margins say nothing: all decisions are as sure as their mean
            mean = (y.sum() + 0.5) / (len(y) + 1)
            return cls(float(np.log(mean / (1 - mean))), 0.0)
        return cls(float(beta[0]), float(beta[1]))

    def __call__(self, margins: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities, float32; 1 where there was no alternative."""
        forced = np.isinf(margins)
        x = np.log1p(np.where(forced, 0, margins).astype(np.float64))
        p = 1 / (1 + np.exp(-np.clip(self.intercept + self.slope * x, -30, 30)))
        return np.where(forced, 1.0, p).astype(np.float32)
