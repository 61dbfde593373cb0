"""What settings and features are chosen by: a measure of held-out predictions, turned so that less is better."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dragoman.stats import delta_avg, pearson, spearman
from dragoman.stats.arrays import Floats

__all__ = ["CRITERIA", "loss", "mae", "rmse"]

CRITERIA = ("mae", "rmse", "delta-avg", "spearman", "pearson")


def mae(gold: Floats, predicted: Floats) -> float:
    """Mean absolute error."""
    return float(np.abs(gold - predicted).mean())


def rmse(gold: Floats, predicted: Floats) -> float:
    """Root mean squared error."""
    return float(np.sqrt(np.square(gold - predicted).mean()))


def loss(criterion: str, *, higher_is_better: bool) -> Callable[[Floats, Floats], float]:
    """The criterion of (gold, predicted) as a loss; infinite where it is not defined, as for constant predictions."""
    sign = 1.0 if higher_is_better else -1.0
    measures: dict[str, Callable[[Floats, Floats], float]] = {
        "mae": mae,
        "rmse": rmse,
        "delta-avg": lambda gold, said: -delta_avg(sign * gold, sign * said),
        "spearman": lambda gold, said: -spearman(gold, said),
        "pearson": lambda gold, said: -pearson(gold, said),
    }
    measure = measures[criterion]

    def value(gold: Floats, predicted: Floats) -> float:
        if criterion not in {"mae", "rmse"} and np.ptp(predicted) == 0:
            return np.inf
        loss = measure(gold, predicted)
        return loss if np.isfinite(loss) else np.inf

    return value
