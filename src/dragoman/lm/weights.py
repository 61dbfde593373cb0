"""Weights of several models."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.errors import DataError

__all__ = ["check_weights"]


def check_weights(weights: Sequence[float], n_models: int, *, total: float | None) -> None:
    """Raise unless there is a weight for each model, none negative, adding up to `total` if that is given."""
    if len(weights) != n_models or not n_models:
        raise DataError(f"A mixture needs one weight for each model, got {len(weights)} for {n_models}.")
    if not all(weight >= 0 for weight in weights):
        raise DataError(f"The weights of a mixture must not be negative, got {list(weights)}.")
    if total is not None and abs(sum(weights) - total) > 1e-6:
        raise DataError(f"The weights of a mixture are positive and add up to {total:g}, got {list(weights)}.")
