"""Does one metric agree with people better than another? A bootstrap over topics (Lin, Liu, Ng & Kan, ACL 2012, §4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats
from dragoman.stats.correlation import correlate

__all__ = ["WinShare", "win_share"]


@dataclass(frozen=True)
class WinShare:
    """Shares of the drawn sets of topics on which the first metric, the second one, or neither correlates better."""

    first: float
    second: float
    ties: float
    trials: int

    @property
    def mark(self) -> str:
        """`**` where the first wins at 99 %, `*` at 95 %, else nothing."""
        return "**" if self.first >= 0.99 else "*" if self.first >= 0.95 else ""


def win_share(
    first: ArrayLike,
    second: ArrayLike,
    human: ArrayLike,
    *,
    measure: str = "pearson",
    trials: int = 1000,
    seed: int = 1,
) -> WinShare:
    """Draw as many topics as there are, with replacement, and correlate the means of systems over them.

    The three are arrays (systems, topics). A draw on which people or a metric give all systems the same is a tie.
    """
    scores = [np.asarray(each, dtype=np.float64) for each in (first, second, human)]
    shapes = [each.shape for each in scores]
    if len(set(shapes)) > 1 or len(shapes[0]) != 2 or min(shapes[0]) < 2:
        raise DataError(
            "Metrics and people have scores of the same systems and topics, at least two of each; got "
            f"{', '.join(f'{name}={shape}' for name, shape in zip(('first', 'second', 'human'), shapes, strict=True))}."
        )
    n_topics = shapes[0][1]
    drawn = (Stream(seed, "topics").uniform(trials * n_topics) * n_topics).astype(np.int64).reshape(trials, n_topics)
    gaps = np.array([_gap([each[:, topics].mean(axis=1) for each in scores], measure) for topics in drawn])
    return WinShare(float((gaps > 0).mean()), float((gaps < 0).mean()), float((gaps == 0).mean()), trials)


def _gap(means: list[Floats], measure: str) -> float:
    ours, theirs = (correlate(measure, means[2], each) for each in means[:2])
    return 0.0 if np.isnan(ours) or np.isnan(theirs) else ours - theirs
