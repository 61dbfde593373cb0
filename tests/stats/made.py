"""Statistics made for the tests: a mean of segment scores, and a ratio of sums that is no mean."""

from __future__ import annotations

import numpy as np

from dragoman.testing.paired_tests import Floats, counts, ratio

__all__ = ["Floats", "counts", "mean", "ratio", "scores"]


def mean(totals: Floats) -> Floats:
    """Rows [score, 1]: the mean of segment scores."""
    return totals[:, 0] / totals[:, 1]


def scores(*values: float) -> Floats:
    """Statistics whose `mean` is that of the values."""
    return np.stack([np.asarray(values, dtype=float), np.ones(len(values))], axis=1)
