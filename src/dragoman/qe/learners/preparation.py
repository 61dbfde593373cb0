"""From raw features to what a learner sees: scaled, selected, perhaps combined. Always a linear map, kept as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.qe.learners.selectors.base import SELECTORS, Job, Selector
from dragoman.stats.arrays import Floats

__all__ = ["SCALES", "Job", "Preparation", "prepare", "spread_out"]

SCALES = ("standard", "unit", "symmetric")


@dataclass(frozen=True, eq=False)
class Preparation:
    """Shift, scale, leave out, combine. A feature whose spread is 0 is left out."""

    shifts: Floats  # (features,)
    spreads: Floats  # (features,)
    components: Floats | None  # (features that are left, combined features)

    @property
    def used(self) -> NDArray[np.bool_]:
        """Which features are looked at."""
        return self.spreads > 0

    def apply(self, x: Floats) -> Floats:
        """What the learner sees of raw features."""
        used = self.used
        z: Floats = (x[:, used] - self.shifts[used]) / self.spreads[used]
        return z if self.components is None else z @ self.components

    def names(self, features: Sequence[str]) -> tuple[str, ...]:
        """What the columns that the learner sees are called."""
        if self.components is not None:
            return tuple(f"component-{number + 1}" for number in range(self.components.shape[1]))
        return tuple(name for name, used in zip(features, self.used, strict=True) if used)


def prepare(x: Floats, y: Floats, scale: str, select: Sequence[str], job: Job) -> Preparation:
    """The preparation of training features; `job.names` are those of all features. Selectors see these rows alone."""
    shifts, spreads = _scaling(x, scale)
    columns = np.flatnonzero(spreads > 0)
    z = (x[:, columns] - shifts[columns]) / spreads[columns]
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
    return Preparation(shifts, left, components)


def make_selectors(select: Sequence[str]) -> list[Selector]:
    """The selectors that specifications name, checked."""
    return [SELECTORS.make(spec).check() for spec in select]


def _scaling(x: Floats, scale: str) -> tuple[Floats, Floats]:
    low, high = x.min(axis=0), x.max(axis=0)
    if scale == "standard":
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
