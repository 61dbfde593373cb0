"""Statistics made for the tests: a mean of segment scores, and a ratio of sums that is no mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def mean(totals: Floats) -> Floats:
    """Rows [score, 1]: the mean of segment scores."""
    return totals[:, 0] / totals[:, 1]


def scores(*values: float) -> Floats:
    """Statistics whose `mean` is that of the values."""
    return np.stack([np.asarray(values, dtype=float), np.ones(len(values))], axis=1)


def ratio(totals: Floats) -> Floats:
    """100 × matches / length: like a precision, not a mean of segment scores."""
    return 100 * totals[:, 0] / totals[:, 1]


def counts(rng: np.random.Generator, n: int, share: float) -> Floats:
    """Whole-numbered statistics for `ratio`: [matches, length]."""
    length = rng.integers(5, 40, size=n)
    return np.stack([rng.binomial(length, share), length], axis=1).astype(float)
