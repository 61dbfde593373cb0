"""Measures of selection and of document ranking (Soricut & Narsale, WMT 2012, §4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats

__all__ = ["choice_divergence", "choice_shares", "delta_set", "rank_accuracy"]


def choice_shares(chosen: ArrayLike, n_systems: int) -> Floats:
    """The share of sentences that each system is chosen for."""
    numbers = np.asarray(chosen, dtype=np.int64)
    if not len(numbers):
        raise DataError("Nothing was chosen: there are no sentences.")
    return np.bincount(numbers, minlength=n_systems) / len(numbers)


def choice_divergence(shares: ArrayLike, oracle: ArrayLike) -> float:
    """Kullback–Leibler divergence of a method's choices from the oracle's, 100·Σ m ln(m/o), in hundredths of nats.

    Infinite where the method chooses a system that the oracle never does.
    """
    ours, best = np.asarray(shares, dtype=np.float64), np.asarray(oracle, dtype=np.float64)
    if ours.shape != best.shape or ours.ndim != 1 or not len(ours):
        raise DataError(f"Two distributions over the same systems are compared, got {ours.shape} and {best.shape}.")
    ours, best = ours / ours.sum(), best / best.sum()
    some = ours > 0
    with np.errstate(divide="ignore"):
        return float(100 * (ours[some] * np.log(ours[some] / best[some])).sum())


def rank_accuracy(gold: ArrayLike, predicted: ArrayLike, n_quantiles: int = 2) -> float:
    """rAcc[n]: the share of items that prediction and truth put into the same of n quantiles; the last has the rest."""
    g, p = np.asarray(gold, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    if g.shape != p.shape or not 2 <= n_quantiles <= len(g):
        raise DataError(
            f"rAcc[{n_quantiles}] needs as many predictions as items, at least {n_quantiles}; got {len(p)}."
        )
    return float((_quantiles(g, n_quantiles) == _quantiles(p, n_quantiles)).mean())


def _quantiles(values: Floats, n: int) -> NDArray[np.int64]:
    """The quantile of each item, best first."""
    quantiles = np.empty(len(values), dtype=np.int64)
    quantiles[np.argsort(-values, kind="stable")] = np.minimum(np.arange(len(values)) // (len(values) // n), n - 1)
    return quantiles


def delta_set(
    value: Callable[[NDArray[np.int64]], float], predicted: Sequence[float] | ArrayLike, n_quantiles: int = 2
) -> float:
    """DeltaAvg[n] of a value of sets, such as their corpus BLEU, which is no mean of the values of their items."""
    order = np.argsort(-np.asarray(predicted, dtype=np.float64), kind="stable")
    if not 2 <= n_quantiles <= len(order):
        raise DataError(f"{len(order)} items have 2 to {len(order)} quantiles, got {n_quantiles}.")
    size = len(order) // n_quantiles
    heads = [value(order[: size * k]) for k in range(1, n_quantiles)]
    return float(np.mean(heads) - value(order))
