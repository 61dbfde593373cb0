"""Weights of features, dense ones first: which of them move, and their scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.smt.tune.pool import Vector

__all__ = ["all_moves", "normalised", "padded"]


def normalised(weights: Vector, moves: NDArray[np.bool_]) -> Vector:
    """The weights, those that move scaled so that their absolute values sum to 1: only proportions matter.

    Frozen weights stay what they are: they are penalties far beyond the others, such as that of unknown words. Sparse
    weights, which stand behind the others and all move, are scaled along and not counted.
    """
    size = float(np.abs(weights[: len(moves)][moves]).sum())
    return np.where(all_moves(weights, moves), weights / size, weights) if size > 0 else weights.copy()


def all_moves(weights: Vector, moves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which weights move, sparse ones among them."""
    return np.concatenate([moves, np.ones(len(weights) - len(moves), dtype=bool)])


def padded(weights: Vector, n: int) -> Vector:
    """The weights, with zeros for sparse features that came up since."""
    return np.concatenate([weights, np.zeros(n - len(weights))]) if n > len(weights) else weights
