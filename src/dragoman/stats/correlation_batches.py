"""Correlations of many resamples at once: what permutation and bootstrap over a few systems spend their time on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dragoman.stats.arrays import Floats
from dragoman.stats.correlation import correlate

__all__ = ["correlate_rows"]

_MOST_ITEMS = 128  # comparing all pairs of more items costs more than sorting them one resample at a time
_CELLS = 1 << 21  # signs held at once


def correlate_rows(name: str, human: Floats, metric: Floats) -> Floats:
    """The correlation of each row of `human` with the same row of `metric`: (trials, n) twice → (trials,).

    The same as `correlate` row by row, without its checks: scores are finite. NaN where it is not defined.
    """
    trials, n = human.shape
    if name not in _BATCHED or n > _MOST_ITEMS or n < 2:
        return np.array([correlate(name, h, m) for h, m in zip(human, metric, strict=True)])
    step = max(1, _CELLS // (n * n))
    parts = [_BATCHED[name](human[at : at + step], metric[at : at + step]) for at in range(0, trials, step)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _pearson(human: Floats, metric: Floats) -> Floats:
    h, m = human - human.mean(axis=1, keepdims=True), metric - metric.mean(axis=1, keepdims=True)
    flat = (np.ptp(human, axis=1) == 0) | (np.ptp(metric, axis=1) == 0)
    length = np.sqrt(np.square(h).sum(axis=1) * np.square(m).sum(axis=1))
    r: Floats = np.divide((h * m).sum(axis=1), length, out=np.full(len(h), np.nan), where=~flat & (length > 0))
    np.clip(r, -1.0, 1.0, out=r)
    return r


def _signs(scores: Floats) -> Floats:
    """+1 where the row's item is above the column's: (trials, n, n)."""
    return np.sign(scores[:, :, np.newaxis] - scores[:, np.newaxis, :])


def _spearman(human: Floats, metric: Floats) -> Floats:
    # An item's average rank is, up to a constant and a factor, how many it is above minus how many below.
    return _pearson(_signs(human).sum(axis=2), _signs(metric).sum(axis=2))


def _kendall(human: Floats, metric: Floats) -> Floats:
    h, m = _signs(human), _signs(metric)
    untied = np.count_nonzero(h, axis=(1, 2)) * np.count_nonzero(m, axis=(1, 2)).astype(np.float64)
    difference = np.einsum("tij,tij->t", h, m)
    tau: Floats = np.divide(difference, np.sqrt(untied), out=np.full(len(h), np.nan), where=untied > 0)
    return tau


def _kendall_a(human: Floats, metric: Floats) -> Floats:
    n = human.shape[1]
    tau: Floats = np.einsum("tij,tij->t", _signs(human), _signs(metric)) / (n * (n - 1))
    return tau


def _accuracy(human: Floats, metric: Floats) -> Floats:
    n = human.shape[1]
    alike = np.count_nonzero(_signs(human) == _signs(metric), axis=(1, 2)) - n  # an item is like itself
    share: Floats = alike / (n * (n - 1))
    return share


_BATCHED: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall": _kendall,
    "kendall-a": _kendall_a,
    "accuracy": _accuracy,
}
