"""Abilities by maximum likelihood: what Bradley–Terry and Hopkins–May have in common.

The log-likelihood is a sum over pairs of concave functions of the difference of two abilities, plus a normal prior;
Newton's method finds its only maximum, for a whole stack of resamples at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError

__all__ = ["fit_abilities"]

Floats = NDArray[np.float64]
Slopes = Callable[[Floats], tuple[Floats, Floats]]

_STEPS = 200
_TOLERANCE = 1e-10


def fit_abilities(slopes: Slopes, shape: tuple[int, ...], prior_variance: float) -> Floats:
    """The abilities, (…, n), that maximise Σ_{i<j} ℓ_ij(μ_i − μ_j) − Σ μ_i²/2σ².

    `slopes` gives ℓ' and ℓ'' of all ordered pairs at the differences (…, n, n); ℓ'_ji = −ℓ'_ij, the diagonals are 0.
    """
    n = shape[-1]
    abilities = np.zeros(shape)
    eye = np.eye(n)
    for _ in range(_STEPS):
        first, second = slopes(abilities[..., :, np.newaxis] - abilities[..., np.newaxis, :])
        gradient = first.sum(-1) - abilities / prior_variance
        # Minus the Hessian: positive definite thanks to the prior, also where nothing was compared.
        curvature = second + eye * (1 / prior_variance - second.sum(-1))[..., np.newaxis]
        step = np.linalg.solve(curvature, gradient[..., np.newaxis])[..., 0]
        # Far from the maximum a full step may overshoot; nobody is moved by more than 1 at a time.
        largest = np.abs(step).max(axis=-1, keepdims=True)
        abilities = abilities + step / np.maximum(1.0, largest)
        if largest.max() < _TOLERANCE:
            centred: Floats = abilities - abilities.mean(-1, keepdims=True)
            return centred
    raise DataError("The abilities did not settle; the counts are too extreme for this prior.")
