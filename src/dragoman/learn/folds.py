"""Folds of cross-validation, and the layout that made them: it moves the figures, so it is part of a model's record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["LAYOUTS", "by_folds", "make_folds"]

LAYOUTS = ("contiguous", "shuffled", "grouped")


def make_folds(
    n: int, n_folds: int, layout: str, *, seed: int, groups: Sequence[Any] | None = None
) -> NDArray[np.int64]:
    """The fold of each sentence, from 0.

    `contiguous` cuts the file into runs, so that a document is seldom on both sides; `shuffled` deals sentences at
    random; `grouped` keeps the sentences of one group (document, source) together, the largest groups dealt first.
    """
    if layout not in LAYOUTS:
        raise DataError(f"No layout of folds is called {layout!r}. Known: {', '.join(LAYOUTS)}.")
    if (layout == "grouped") != (groups is not None):
        raise DataError("Groups and the layout grouped belong together: give both or neither.")
    if groups is None:
        if n < 2 * n_folds:
            raise DataError(f"{n} sentences are too few for {n_folds} folds of at least two.")
        folds = np.arange(n) * n_folds // n
        return folds if layout == "contiguous" else folds[Stream(seed, "folds").permutation(n)]
    if len(groups) != n:
        raise DataError(f"Every sentence needs a group: {n} sentences, {len(groups)} groups.")
    sizes: dict[Any, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    if len(sizes) < n_folds:
        raise DataError(f"{len(sizes)} groups are too few for {n_folds} folds.")
    filled = [0] * n_folds
    fold_of = {}
    for group in sorted(sizes, key=lambda each: -sizes[each]):  # stable: equal ones in the order of the file
        smallest = filled.index(min(filled))
        fold_of[group] = smallest
        filled[smallest] += sizes[group]
    return np.array([fold_of[group] for group in groups], dtype=np.int64)


def by_folds(
    measures: Mapping[str, Callable[[Floats, Floats], float]], gold: Floats, predicted: Floats, folds: NDArray[np.int64]
) -> dict[str, tuple[float, float]]:
    """Each measure of all held-out predictions together, and its mean over the folds; where both are defined."""
    measured = {}
    for name, measure in measures.items():
        each = [measure(gold[folds == fold], predicted[folds == fold]) for fold in np.unique(folds)]
        values = (measure(gold, predicted), float(np.mean(each)))
        if np.isfinite(values).all():
            measured[name] = values
    return measured
