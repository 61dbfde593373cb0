"""How far mined pairs can be trusted: pairs that are known are hidden among the texts, and looked for with the rest.

Every second planted source is an orphan, whose target is left out: most lines of comparable texts have no mate, and a
miner that finds one for them is wrong. The precision is that of a text half of whose lines have mates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.mining.base import Candidates

__all__ = ["PlantedPairs", "Point", "Trust"]

_POINTS = 10  # of the curve


@dataclass(frozen=True)
class Point:
    """What a threshold lets through of the planted sources."""

    threshold: float
    accepted: int
    right: int
    n_mates: int

    @property
    def precision(self) -> float:
        """The share of accepted pairs that are right."""
        return self.right / self.accepted

    @property
    def recall(self) -> float:
        """The share of mates that are found."""
        return self.right / self.n_mates


@dataclass(frozen=True)
class PlantedPairs:
    """Known pairs behind two texts."""

    sources: Sequence[str]
    targets: Sequence[str]  # of every first of two sources

    @classmethod
    def of(cls, bitext: Bitext) -> PlantedPairs:
        """The pairs, without the targets of orphans."""
        pairs = list(bitext)
        if len(pairs) < 2:
            raise DataError(f"{bitext.label} has {len(pairs)} pairs; plant some hundred, that models have not seen.")
        return cls([src for src, _ in pairs], [tgt for _, tgt in pairs[::2]])

    def trust(self, found: Candidates, n_sources: int, n_targets: int) -> Trust:
        """What candidates say of the planted sources, which follow so many lines."""
        planted = found.sources >= n_sources
        which = found.sources[planted] - n_sources
        right = (which % 2 == 0) & (found.targets[planted] - n_targets == which // 2)
        scores = found.scores[planted]
        order = np.argsort(-scores, kind="stable")
        return Trust(scores[order], np.cumsum(right[order]), len(self.targets))


@dataclass(frozen=True, eq=False)
class Trust:
    """Pairs that were found for planted sources, best score first."""

    scores: NDArray[np.float64]
    right: NDArray[np.int64]  # among the first so many
    n_mates: int

    def point(self, n: int) -> Point:
        """The first `n` and those that score the same."""
        threshold = float(self.scores[n - 1])
        accepted = int(np.searchsorted(-self.scores, -threshold, side="right"))
        return Point(threshold, accepted, int(self.right[accepted - 1]), self.n_mates)

    def curve(self) -> list[Point]:
        """Points at even steps."""
        steps = {round(len(self.scores) * step / _POINTS) for step in range(1, _POINTS + 1)} - {0}
        return [self.point(n) for n in sorted(steps)]

    def at(self, threshold: float) -> Point | None:
        """What a threshold lets through, if it is anything."""
        accepted = int((self.scores >= threshold).sum())
        return Point(threshold, accepted, int(self.right[accepted - 1]), self.n_mates) if accepted else None

    def threshold(self, precision: float) -> Point:
        """The lowest threshold at which so large a share is right."""
        points = [self.point(n) for n in range(1, len(self.scores) + 1)]
        good = [point for point in points if point.precision >= precision]
        if good:
            return good[-1]
        best = max(points, key=lambda point: point.precision, default=None)
        reached = f"the best is {best.precision:.3f}, at a score of {best.threshold:.3f}" if best else "none was found"
        raise DataError(
            f"At no threshold {precision:.3f} of the planted pairs that are found are right: {reached}. Ask for less, "
            "or give a lexicon or an engine that has learnt from more text of this kind."
        )
