"""Submissions to the quality-estimation task of WMT 2012: lines of METHOD, SEGMENT, SCORE and RANK between tabs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.qe.files import read_scores
from dragoman.qe.tasks import SCORE_TASKS, score_task

__all__ = ["Submission", "read_estimates", "read_submission", "write_submission"]

_CELLS = ("METHOD", "SEGMENT", "SCORE", "RANK")


@dataclass(frozen=True)
class Submission:
    """What a method says of segments 1, 2, …; a column that was not submitted, all zeros in the file, is None."""

    method: str  # TEAM_DESCRIPTION
    scores: tuple[float, ...] | None
    ranks: tuple[int, ...] | None  # 1 for the best

    def __post_init__(self) -> None:
        if not self.method or set(self.method) & set("\t\n\r"):
            raise DataError(f"A submission's method is a name without tabs, such as TEAM_svr; got {self.method!r}.")
        if self.scores is None and self.ranks is None:
            raise DataError("A submission has scores, ranks or both.")
        check_parallel({"scores": self.scores, "ranks": self.ranks})
        if self.ranks is not None and sorted(self.ranks) != list(range(1, len(self.ranks) + 1)):
            raise DataError(f"Ranks are the numbers 1 to {len(self.ranks)}, each once.")

    @classmethod
    def of(cls, method: str, scores: Sequence[float], *, task: str = "effort") -> Submission:
        """Scores and the ranking that follows from them; of equal scores the earlier segment stands first."""
        sign = -1.0 if score_task(task).higher_is_better else 1.0
        order = np.argsort(sign * np.asarray(scores, dtype=np.float64), kind="stable")
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(1, len(order) + 1)
        return cls(method, tuple(float(score) for score in scores), tuple(ranks.tolist()))

    def estimates(self, task: str = "score", variant: str = "both") -> tuple[float, ...]:
        """The scores, or what orders as the ranks do where only those were submitted, on the scale of the task.

        In the variant `ranking` ranks stand before scores, if both were submitted; in `scoring` ranks are no scores.
        """
        ranks = None if self.ranks is None or variant == "scoring" else self.ranks
        if self.scores is not None and (ranks is None or variant != "ranking"):
            return self.scores
        if ranks is None:
            raise DataError(f"{self.method} has ranks and no scores; it takes part in the ranking alone.")
        sign = -1.0 if task not in SCORE_TASKS or score_task(task).higher_is_better else 1.0
        return tuple(sign * rank for rank in ranks)


def write_submission(submission: Submission, path: StrPath) -> None:
    """Write the lines as the task's scorer reads them."""
    n = len(submission.scores or submission.ranks or ())
    scores = submission.scores or (0.0,) * n
    ranks = submission.ranks or (0,) * n
    write_lines(
        path,
        (
            f"{submission.method}\t{number}\t{score:.6f}\t{rank}"
            for number, (score, rank) in enumerate(zip(scores, ranks, strict=True), start=1)
        ),
    )


def read_submission(path: StrPath) -> Submission:
    """Read such lines, in any order of the segments."""
    method = ""
    by_segment: dict[int, tuple[float, float]] = {}
    for number, line in enumerate(iter_lines(path), start=1):
        cells = line.split("\t")
        if len(cells) != len(_CELLS):
            raise FormatError(
                f"expected {', '.join(_CELLS)} between tabs, found {line[:60]!r}.", path=path, line=number
            )
        method = method or cells[0]
        if cells[0] != method:
            raise FormatError(f"the method is {cells[0]!r}, and {method!r} before.", path=path, line=number)
        try:
            segment, score, rank = int(cells[1]), float(cells[2]), float(cells[3])
        except ValueError:
            segment, score, rank = 0, math.nan, math.nan
        if not (math.isfinite(score) and math.isfinite(rank)) or rank != int(rank):
            raise FormatError(
                f"expected the numbers of segment, score and rank, found {line[:60]!r}.", path=path, line=number
            )
        if segment in by_segment:
            raise FormatError(f"segment {segment} is there twice.", path=path, line=number)
        by_segment[segment] = (score, rank)
    if sorted(by_segment) != list(range(1, len(by_segment) + 1)):
        missing = next(number for number in range(1, len(by_segment) + 2) if number not in by_segment)
        raise FormatError(f"there are {len(by_segment)} segments, and none has the number {missing}.", path=path)
    rows = [by_segment[number] for number in range(1, len(by_segment) + 1)]
    scores, ranks = ([row[column] for row in rows] for column in (0, 1))
    try:
        return Submission(
            method, tuple(scores) if any(scores) else None, tuple(int(rank) for rank in ranks) if any(ranks) else None
        )
    except DataError as error:
        raise FormatError(str(error), path=path) from None


def read_estimates(path: StrPath, task: str = "score", variant: str = "both") -> list[float]:
    """A score a line, or a submission of WMT 2012, of which the variant says the column."""
    first = next(iter_lines(path), "")
    if first.count("\t") != len(_CELLS) - 1:
        return read_scores(path)
    return list(read_submission(path).estimates(task, variant))
