"""Plackett–Luce: a ranking of a whole screen as a sequence of choices of the best among those left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core import rank as core
from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.ranking.base import ComparisonMethod, Floats, Progress, Scores
from dragoman.ranking.resampling import Unit, grouped, unit_keys
from dragoman.rng import Stream

__all__ = ["PlackettLuce"]

_STEPS = 200
_TOLERANCE = 1e-9  # of log abilities between two steps
_PIECE = 100  # resamples drawn at a time


@dataclass(frozen=True)
class _Choices:
    """Every choice of a system among those not better than it, with the distinct choices numbered."""

    cell: NDArray[np.int32]  # which distinct choice
    keys: NDArray[np.int32]  # which unit it was drawn with
    sets: Floats  # (distinct sets, systems): 1 for those chosen among
    firsts: NDArray[np.intp]  # the first distinct choice from each set; those from one set stand together
    chosen: Floats  # (distinct choices, systems): 1 for the one chosen

    @classmethod
    def of(cls, comparisons: Comparisons, unit: Unit) -> _Choices:
        n = len(comparisons.systems)
        keys = unit_keys(comparisons, unit)
        # A choice of single judgements cannot be drawn apart from its screen: the screen is the smallest unit here.
        keys = comparisons.screen if keys is None else keys
        sides = comparisons.outcome >= 0, comparisons.outcome <= 0
        screen = np.concatenate([comparisons.screen[sides[0]], comparisons.screen[sides[1]]]).astype(np.int64)
        system = np.concatenate([comparisons.first[sides[0]], comparisons.second[sides[1]]])
        other = np.concatenate([comparisons.second[sides[0]], comparisons.first[sides[1]]])
        unit_of = np.concatenate([keys[sides[0]], keys[sides[1]]])
        _, place, choice = np.unique(screen * n + system, return_index=True, return_inverse=True)
        among = np.zeros((len(place), n), dtype=bool)
        among[choice, other] = True
        among[np.arange(len(place)), system[place]] = True
        chosen = np.zeros_like(among)
        chosen[np.arange(len(place)), system[place]] = True
        # Sorted by the set first, so that the choices from one set come together.
        distinct, cell = np.unique(
            np.hstack([np.packbits(among, axis=1), np.packbits(chosen, axis=1)]), axis=0, return_inverse=True
        )
        width = distinct.shape[1] // 2
        sets, firsts = np.unique(distinct[:, :width], axis=0, return_index=True)
        return cls(
            cell.ravel().astype(np.int32),
            unit_of[place].astype(np.int32),
            np.unpackbits(sets, axis=1, count=n).astype(np.float64),
            firsts,
            np.unpackbits(distinct[:, width:], axis=1, count=n).astype(np.float64),
        )

    def fit(self, counts: Floats, prior_variance: float, start: Floats) -> Floats:
        """The log abilities of counts of distinct choices, by Newton's method from `start`."""
        times = np.add.reduceat(counts, self.firsts)
        won = counts @ self.chosen
        ability = start
        for _ in range(_STEPS):
            weights = self.sets * np.exp(ability - ability.max())
            p = weights / weights.sum(axis=1, keepdims=True)
            expected = times @ p
            gradient = won - expected - ability / prior_variance
            curvature = np.diag(expected + 1 / prior_variance) - (p * times[:, np.newaxis]).T @ p
            step = np.linalg.solve(curvature, gradient)
            step -= step.mean()  # rounding: abilities add up to 0, and a wide prior alone holds them there
            largest = float(np.abs(step).max())
            ability = ability + step / max(1.0, largest)
            if largest < _TOLERANCE:
                centred: Floats = ability - ability.mean()
                return centred
        raise DataError("The abilities did not settle; the rankings are too extreme for this prior.")


@dataclass(frozen=True)
class PlackettLuce(ComparisonMethod):
    """Abilities of which the rankings of whole screens are most likely (Plackett 1975; Luce 1959).

    A ranking is read as choices: the best among all, the next among those left. Systems that share a rank are each
    chosen among all of them and the worse ones (Breslow's rule for ties). Log abilities, centred at 0. Resampled by
    whole screens at least.
    """

    name: ClassVar[str] = "plackett-luce"
    label: ClassVar[str] = "Plackett–Luce"

    prior_sd: float = option(10.0, low=1e-3, text="standard deviation of log abilities before any judgement")

    def scores(self, judgements: Comparisons, *, seed: int = 1, n_threads: int = 1) -> Scores:  # noqa: ARG002
        """The log abilities."""
        return Scores(self._whole(_Choices.of(judgements, "screen")))

    def _whole(self, choices: _Choices) -> Floats:
        counts = np.bincount(choices.cell, minlength=len(choices.chosen)).astype(np.float64)
        return choices.fit(counts, self.prior_sd**2, np.zeros(choices.sets.shape[1]))

    def replicates(
        self,
        judgements: Comparisons,
        *,
        n: int,
        unit: Unit,
        seed: int = 1,
        n_threads: int = 1,
        progress: Progress | None = None,
    ) -> Floats:
        """Log abilities of bootstrap samples."""
        choices = _Choices.of(judgements, unit)
        order, starts = grouped(choices.keys, len(choices.keys))
        cells = np.ascontiguousarray(choices.cell[order])
        key = Stream(seed, f"rank bootstrap by {unit}").key
        whole = self._whole(choices)
        parts: list[Floats] = []
        for first in range(0, n, _PIECE):
            count = min(_PIECE, n - first)
            drawn = core.resampled_counts(
                cells, starts, len(choices.chosen), count, key, first=first, n_threads=n_threads
            )
            parts += [choices.fit(row, self.prior_sd**2, whole) for row in drawn.astype(np.float64)]
            if progress is not None:
                progress(first + count, n)
        return np.stack(parts)
