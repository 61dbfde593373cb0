"""What quality estimation can be asked for: the tasks of WMT 2012 to 2014, their scales and directions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError, UnknownName
from dragoman.stats.arrays import Floats

__all__ = ["SCORE_TASKS", "TASKS", "VARIANTS", "ScoreTask", "check_scores", "score_task"]


@dataclass(frozen=True)
class ScoreTask:
    """A score for each sentence: its scale, and which end of it is good."""

    name: str
    low: float
    high: float
    higher_is_better: bool
    meaning: str

    @property
    def limits(self) -> tuple[float, float]:
        """Both ends of the scale, which may be infinite."""
        return self.low, self.high

    @property
    def worst(self) -> float:
        """The bad end of the scale, which may be infinite."""
        return self.low if self.higher_is_better else self.high


SCORE_TASKS = {
    task.name: task
    for task in (
        ScoreTask("effort", 1, 5, True, "post-editing effort, 5 little or none (WMT 2012)"),
        ScoreTask("hter", 0, 1, False, "share of edited words (WMT 2013, task 1.1)"),
        ScoreTask("score", -math.inf, math.inf, True, "any score of which more is better, such as direct assessment"),
        ScoreTask("time", 0, math.inf, False, "post-editing time (WMT 2014, task 1.3)"),
    )
}
# The measures of each variant of a task with scores (WMT 2012, §6.2; 2013, §5): both, or one that has its own winners.
VARIANTS = {
    "both": ("mae", "rmse", "delta-avg", "spearman", "pearson"),
    "ranking": ("delta-avg", "spearman"),
    "scoring": ("mae", "rmse", "pearson"),
}
TASKS = (*SCORE_TASKS, "ranking", "words")


def score_task(name: str) -> ScoreTask:
    """The task of that name that asks for scores."""
    if name not in SCORE_TASKS:
        raise UnknownName(f"No task with scores is called {name!r}. Known: {', '.join(SCORE_TASKS)}.")
    return SCORE_TASKS[name]


def check_scores(
    what: str, scores: ArrayLike | Sequence[float | None], task: ScoreTask, *, gold: bool = True
) -> Floats:
    """The scores as an array; missing ones, and gold ones outside the task's scale, raise with their line.

    A prediction may leave the scale: it is then only wrong.
    """
    plain = [math.nan if score is None else score for score in scores] if isinstance(scores, list | tuple) else scores
    array = np.asarray(plain, dtype=np.float64)
    if array.ndim != 1:
        raise DataError(f"{what} must be one score for each sentence, got the shape {array.shape}.")
    absent = np.flatnonzero(~np.isfinite(array))
    if len(absent):
        raise DataError(
            f"{what}: {len(absent)} of {len(array)} scores are missing or not finite, first in line {absent[0] + 1}. "
            "Leave these sentences out."
        )
    outside = np.flatnonzero((array < task.low) | (array > task.high))
    if gold and len(outside):
        raise DataError(
            f"{what}: line {outside[0] + 1} has {array[outside[0]]:g}, outside the scale of {task.name}, "
            f"{task.low:g} to {task.high:g}; {len(outside)} of {len(array)} lines are. Is it another task's file?"
        )
    return array
