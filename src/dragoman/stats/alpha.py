"""Krippendorff's α: agreement of any number of judges, with gaps, on any scale.

Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). A unit is an item with at least two values.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError
from dragoman.stats.agreement import Coefficient, Ints, coefficient_of
from dragoman.stats.arrays import Floats

__all__ = ["AlphaLevel", "krippendorff_alpha", "long_form"]

AlphaLevel = Literal["nominal", "ordinal", "interval", "ratio"]

_MOST_DISTINCT = 4096  # values: the distances on the ratio scale make a square table of them


def long_form(table: ArrayLike) -> tuple[Ints, Floats]:
    """Items and values of a table (annotators, items) in which NaN is a missing judgement."""
    values = np.asarray(table, dtype=np.float64)
    if values.ndim != 2:
        raise DataError(f"A table of judgements is (annotators, items), got the shape {values.shape}.")
    judged = ~np.isnan(values)
    return np.nonzero(judged)[1].astype(np.int64), values[judged]


def krippendorff_alpha(
    items: ArrayLike,
    values: ArrayLike,
    *,
    level: AlphaLevel = "nominal",
    trials: int = 0,
    confidence: float = 0.95,
    seed: int = 12345,
) -> Coefficient:
    """α of judgements in long form: which item, which value (a number; NaN is no judgement).

    `level` is the scale: nominal (same or not), ordinal (how many values lie between), interval (squared difference),
    ratio (difference relative to the sum). With `trials` there is a bootstrap interval over items; the distances of
    ordinal values stay those of the whole sample.
    """
    if level not in get_args(AlphaLevel):
        raise DataError(f"level is {level!r}; expected {', '.join(get_args(AlphaLevel))}.")
    unit, x = _paired_units(items, values)
    if level == "ratio" and (x < 0).any():
        raise DataError(f"A ratio scale has no values below 0, got {x.min():g}.")
    scale, place = np.unique(x, return_inverse=True)
    sizes = np.bincount(unit).astype(np.float64)
    if level == "ordinal":
        counts = np.bincount(place).astype(np.float64)
        x = (np.cumsum(counts) - counts / 2)[place]  # the distance of two values is that of their middles in rank order
    if level in ("ordinal", "interval"):
        x = x - x.mean()  # smaller squares, fewer lost digits
        within = _squared_within(unit, x, sizes)
        rows = np.column_stack([within, sizes, np.bincount(unit, weights=x), np.bincount(unit, weights=x * x)])

        def spread(totals: Floats) -> Floats:
            return np.maximum(0.0, 2 * (totals[:, 1] * totals[:, 3] - totals[:, 2] ** 2))

    else:
        if len(scale) > _MOST_DISTINCT:
            raise DataError(f"The {level} scale has {len(scale)} values; at most {_MOST_DISTINCT}. Round them first.")
        distances = _ratio_distances(scale) if level == "ratio" else None
        table = np.zeros((len(sizes), len(scale)))
        np.add.at(table, (unit, place), 1)
        if distances is None:
            within = (sizes**2 - (table**2).sum(axis=1)) / (sizes - 1)
        else:
            within = np.einsum("uc,uc->u", table @ distances, table) / (sizes - 1)
        rows = np.column_stack([within, sizes, table])

        def spread(totals: Floats) -> Floats:
            counts = totals[:, 2:]
            equal = (counts**2).sum(axis=1)
            squares: Floats = (
                totals[:, 1] ** 2 - equal if distances is None else np.einsum("tc,tc->t", counts @ distances, counts)
            )
            return squares

    def disagreements(totals: Floats) -> tuple[Floats, Floats]:
        n = totals[:, 1]
        return totals[:, 0] / n, spread(totals) / (n * (n - 1))

    n_pairs = int((sizes * (sizes - 1) / 2).sum())
    return coefficient_of(f"alpha-{level}", rows, disagreements, len(sizes), n_pairs, trials, confidence, seed)


def _paired_units(items: ArrayLike, values: ArrayLike) -> tuple[Ints, Floats]:
    """Units numbered from 0 and their values, without missing ones and units of one value."""
    which, x = np.asarray(items), np.asarray(values, dtype=np.float64)
    if which.ndim != 1 or which.shape != x.shape:
        raise DataError(f"Every judgement has an item and a value, got the shapes {which.shape} and {x.shape}.")
    if np.isinf(x).any():
        raise DataError("A value is infinite; values are finite numbers, or NaN for no judgement.")
    judged = ~np.isnan(x)
    which, x = which[judged], x[judged]
    _, unit, sizes = np.unique(which, return_inverse=True, return_counts=True)
    paired = sizes[unit] > 1
    if not paired.any():
        raise DataError(f"None of the {len(sizes)} items has two values: there is no pair of judgements to compare.")
    _, unit = np.unique(unit[paired], return_inverse=True)
    return unit.astype(np.int64), x[paired]


def _squared_within(unit: Ints, x: Floats, sizes: Floats) -> NDArray[np.float64]:
    """The squared differences of all ordered pairs of each unit, over its size less one."""
    means = np.bincount(unit, weights=x) / sizes
    return 2 * sizes * np.bincount(unit, weights=(x - means[unit]) ** 2) / (sizes - 1)


def _ratio_distances(scale: Floats) -> Floats:
    total = np.add.outer(scale, scale)
    difference = np.subtract.outer(scale, scale)
    distances: Floats = np.divide(difference, total, out=np.zeros_like(total), where=total > 0) ** 2
    return distances
