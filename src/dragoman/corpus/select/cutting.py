"""Where a ranking is cut: so many, such a share, from such a score on; or with the lengths of another text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.select.texts import Texts
from dragoman.errors import DataError
from dragoman.stats.arrays import Floats

__all__ = ["Cut", "ranked", "with_lengths"]

_BINS = 10  # of lengths, with as many lines each of the text to be like

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Cut:
    """How much of a ranking is taken; all conditions hold together."""

    most: int | None = None
    share: float | None = None
    least: float | None = None  # the score must be above it

    def __post_init__(self) -> None:
        if self.most is not None and self.most < 1:
            raise DataError(f"At least one is to be taken, got most={self.most}.")
        if self.share is not None and not 0 < self.share <= 1:
            raise DataError(f"A share is above 0 and at most 1, got {self.share}.")

    def apply(self, scores: Floats) -> Places:
        """The places that are taken, best first."""
        places = ranked(scores)
        if self.least is not None:
            places = places[scores[places] > self.least]
        return places[: self.size(len(scores))]

    def size(self, n_lines: int) -> int:
        """How many may be taken of so many."""
        share = n_lines if self.share is None else max(1, round(self.share * n_lines))
        return min(n_lines if self.most is None else self.most, share)


def ranked(scores: Floats) -> Places:
    """The places that may be taken, best first, earlier ones first among equals."""
    order = np.argsort(-scores, kind="stable")
    return order[np.isfinite(scores[order])]


def with_lengths(scores: Floats, pool: Texts, like: Texts, size: int, side: int = 0) -> Places:
    """The `size` best whose histogram of lengths is that of the text to be like, best first.

    Lengths are cut into bins that hold a tenth of that text each; of each bin the best are taken. Where the pool has
    too few lines in a bin, the others get its share.
    """
    wanted, there = (_lengths(texts, side if texts.n_sides > side else 0) for texts in (like, pool))
    borders = np.unique(np.quantile(wanted, np.arange(1, _BINS) / _BINS))
    quota = np.bincount(np.searchsorted(borders, wanted), minlength=len(borders) + 1) / len(wanted)
    bins = np.searchsorted(borders, there)
    places = ranked(scores)
    left = {number: places[bins[places] == number] for number in range(len(quota))}
    taken = _quotas(quota, np.array([len(left[number]) for number in range(len(quota))]), min(size, len(places)))
    chosen = np.concatenate([left[number][: taken[number]] for number in range(len(quota))])
    return chosen[np.lexsort((chosen, -scores[chosen]))]


def _quotas(quota: Floats, there: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How many each bin gives: as its quota says while it has them; what is missing is shared out among the rest."""
    taken = np.zeros(len(there), dtype=np.int64)
    while (missing := size - int(taken.sum())) > 0:
        room = there - taken
        weights = np.where(room > 0, np.maximum(quota, 1e-9), 0.0)
        wish = missing * weights / weights.sum()
        step = np.minimum(np.floor(wish).astype(np.int64), room)
        if not step.any():  # less than one for each: the largest wishes first
            step[np.argsort(-wish, kind="stable")[:missing]] = 1
            step = np.minimum(step, room)
        taken += step
    return taken


def _lengths(texts: Texts, side: int) -> NDArray[np.int64]:
    return np.array([len(line.split()) for line in texts.lines(side)], dtype=np.int64)
