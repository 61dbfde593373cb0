"""From raw features to what a learner sees: scaled, selected, perhaps combined. Kept as arrays.

All but the scale `ranks` is a linear map; that one is a step function of each feature by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.learn.selectors.base import SELECTORS, Job, Selector
from dragoman.stats.arrays import Floats

__all__ = ["SCALES", "Job", "Preparation", "normal_scores", "prepare", "spread_out"]

SCALES = ("standard", "unit", "symmetric", "ranks")
_LEVELS = 256  # values of a feature that ranks are told by: finer ones change nothing, and 7,000 rows would be 20 MB


@dataclass(frozen=True, eq=False)
class Preparation:
    """Rank, shift, scale, leave out, combine. A feature whose spread is 0 is left out."""

    shifts: Floats  # (features,)
    spreads: Floats  # (features,)
    components: Floats | None  # (features that are left, combined features)
    levels: Floats | None = None  # (up to 256, features) values of training sentences in their order, for ranks

    @property
    def used(self) -> NDArray[np.bool_]:
        """Which features are looked at."""
        return self.spreads > 0

    def scaled(self, x: Floats) -> Floats:
        """The features that are looked at, scaled, and not yet combined."""
        used = self.used
        raw = x[:, used] if self.levels is None else normal_scores(x[:, used], self.levels[:, used])
        z: Floats = (raw - self.shifts[used]) / self.spreads[used]
        return z

    def apply(self, x: Floats) -> Floats:
        """What the learner sees of raw features."""
        z = self.scaled(x)
        return z if self.components is None else z @ self.components

    def names(self, features: Sequence[str]) -> tuple[str, ...]:
        """What the columns that the learner sees are called."""
        if self.components is not None:
            return tuple(f"component-{number + 1}" for number in range(self.components.shape[1]))
        return tuple(name for name, used in zip(features, self.used, strict=True) if used)


def prepare(x: Floats, y: Floats, scale: str, select: Sequence[str], job: Job) -> Preparation:
    """The preparation of training features; `job.names` are those of all features. Selectors see these rows alone."""
    levels = _levels(x) if scale == "ranks" else None
    shifts, spreads = _scaling(x if levels is None else normal_scores(x, levels), scale)
    columns = np.flatnonzero(spreads > 0)
    z = Preparation(shifts, spreads, None, levels).scaled(x)
    components: Floats | None = None
    names = tuple(job.names[column] for column in columns)
    for selector in make_selectors(select):
        if not z.shape[1]:
            break
        chosen = selector.choose(z, y, Job(names, job.seed, job.n_threads, job.higher_is_better))
        if chosen.ndim == 1:
            names = tuple(names[column] for column in chosen)
            z = z[:, chosen]
            if components is None:
                columns = columns[chosen]
            else:
                components = components[:, chosen]
        else:
            components = chosen if components is None else components @ chosen
            z = z @ chosen
            names = tuple(f"component-{number + 1}" for number in range(z.shape[1]))
    left = np.zeros(len(spreads))
    left[columns] = spreads[columns]
    return Preparation(shifts, left, components, levels)


def _levels(x: Floats) -> Floats:
    """Values that stand for those of all sentences: each in the middle of an equal share of them."""
    n, most = len(x), min(len(x), _LEVELS)
    levels: Floats = np.sort(x, axis=0)[(2 * np.arange(most) + 1) * n // (2 * most)]
    return levels


def normal_scores(x: Floats, levels: Floats) -> Floats:
    """Each value's rank among the levels of its feature, equal ones in the middle, on the normal curve.

    No value is further out than the middle of the first or last level, however far off it lies.
    """
    from scipy.special import ndtri

    n = len(levels)
    scores = ndtri(np.clip(np.arange(2 * n + 1) / (2 * n), 0.5 / n, 1 - 0.5 / n))  # by twice the rank
    normal = np.empty(x.shape)
    for column, (own, values) in enumerate(zip(levels.T.copy(), x.T.copy(), strict=True)):
        normal[:, column] = scores[np.searchsorted(own, values, "left") + np.searchsorted(own, values, "right")]
    return normal


def make_selectors(select: Sequence[str]) -> list[Selector]:
    """The selectors that specifications name, checked."""
    return [SELECTORS.make(spec).check() for spec in select]


def _scaling(x: Floats, scale: str) -> tuple[Floats, Floats]:
    low, high = x.min(axis=0), x.max(axis=0)
    if scale in {"standard", "ranks"}:
        shifts, spreads = x.mean(axis=0), x.std(axis=0)
    elif scale == "unit":
        shifts, spreads = low.copy(), high - low
    elif scale == "symmetric":
        shifts, spreads = (low + high) / 2, (high - low) / 2
    else:
        raise DataError(f"No scale of features is called {scale!r}. Known: {', '.join(SCALES)}.")
    spreads[high == low] = 0.0
    return shifts, spreads


def spread_out(n: int, most: int) -> NDArray[np.int64]:
    """Up to `most` of n places, evenly spread."""
    return np.arange(n) if n <= most else np.arange(most) * n // most
