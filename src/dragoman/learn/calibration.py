"""What held-out predictions tell of new ones: what a score means, and how far off it may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats, check_level

__all__ = ["Calibration", "isotonic"]

_BIN = 100  # held-out sentences that a band of predictions needs to have intervals of its own
_BINS = 10


def isotonic(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The rising function nearest to the points in squares, by pooling adjacent violators: knots and their values.

    Between knots it is drawn as a line, beyond them it stays.
    """
    order = np.argsort(x, kind="stable")
    places, starts = np.unique(x[order], return_index=True)
    sums = np.add.reduceat(y[order], starts)
    counts = np.diff(np.append(starts, len(x))).astype(np.float64)
    blocks: list[list[float]] = []  # sum of y, count, sum of x
    for place, total, count in zip(places.tolist(), sums.tolist(), counts.tolist(), strict=True):
        blocks.append([total, count, place * count])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    table = np.array(blocks)
    return table[:, 2] / table[:, 1], table[:, 0] / table[:, 1]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Held-out predictions and what was true of them, kept with a model."""

    predicted: Floats
    gold: Floats

    def calibrated(self, scores: Floats) -> Floats:
        """What is true on average where the model says this: an isotonic regression of truth on predictions."""
        knots, values = isotonic(self.predicted, self.gold)
        truth: Floats = np.interp(scores, knots, values)
        return truth

    def bands(self) -> Floats:
        """The inner borders of bands of predictions with about as many held-out sentences each."""
        count = int(np.clip(len(self.predicted) // _BIN, 1, _BINS))
        return np.unique(np.quantile(self.predicted, np.arange(1, count) / count))

    def intervals(self, scores: Floats, level: float, limits: tuple[float, float]) -> tuple[Floats, Floats]:
        """Where the truth lies in `level` of all cases, within the limits of the scale.

        Conformal intervals (Vovk et al. 2005), of each band of predictions by itself: where errors are larger, so are
        the intervals, and both ends have their own error. They hold for sentences like those of the training data.
        """
        check_level(level)
        tail = (1 - level) / 2
        borders = self.bands()
        errors = self.gold - self.predicted
        band_of = np.searchsorted(borders, self.predicted, side="right")
        low, high = np.empty(len(scores)), np.empty(len(scores))
        asked = np.searchsorted(borders, scores, side="right")
        for band in np.unique(asked):
            own = np.sort(errors[band_of == band])
            if (len(own) + 1) * tail < 1:
                own = np.sort(errors)
            if (len(own) + 1) * tail < 1:
                raise DataError(
                    f"{len(own)} held-out sentences are too few for intervals of {level:.0%}: "
                    f"{int(np.ceil(1 / tail)) - 1} are needed. Ask for a lower level or train on more."
                )
            here = asked == band
            below = int(np.floor((len(own) + 1) * tail + 1e-9)) - 1
            above = int(np.ceil((len(own) + 1) * (1 - tail) - 1e-9)) - 1
            low[here], high[here] = scores[here] + own[below], scores[here] + own[min(above, len(own) - 1)]
        return np.clip(low, *limits), np.clip(high, *limits)
