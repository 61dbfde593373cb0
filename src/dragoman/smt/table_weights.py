"""Weights of phrase tables, by expectation maximisation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["likeliest_weights"]

_ROUNDS = 1000  # of EM, at most
_SMALL = 1e-6  # change of every weight at which EM stops


def likeliest_weights(p: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each feature the weights of tables that make phrase pairs, met so often, most probable.

    `p` has the pairs' probabilities by pair, feature and table; pairs that no table has say nothing.
    """
    weights = np.full(p.shape[1:], 1 / p.shape[2])
    for feature in range(p.shape[1]):
        probabilities = p[:, feature].any(axis=1)
        likely, times = p[probabilities, feature], counts[probabilities]
        if not len(likely):
            continue
        for _ in range(_ROUNDS):
            shares = weights[feature] * likely
            shares /= shares.sum(axis=1, keepdims=True)
            better = times @ shares / times.sum()
            done = np.abs(better - weights[feature]).max() < _SMALL
            weights[feature] = better
            if done:
                break
    return weights
