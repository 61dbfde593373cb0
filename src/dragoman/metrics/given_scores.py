"""Segment scores that were made elsewhere: by a neural metric, by people, by anything that gives a segment a number.

They enter comparisons as the mean of segment scores, whose statistics are `[score, 1]`: tests, intervals, buckets and
the segment browser work on them as on a metric of ours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError, UnknownName
from dragoman.metrics.base import VERSION, Metric, Rows, mean_rows, ratio
from dragoman.metrics.references import ScoredText
from dragoman.metrics.scoring import Statistics

__all__ = ["GivenScores"]


@dataclass(frozen=True)
class GivenScores:
    """The scores of segments by one metric: `GivenScores("comet", {"mine": [0.81, …], "theirs": [0.79, …]})`."""

    name: str
    scores: Mapping[str, Sequence[float | None]]  # of each system, one for each segment in their order
    higher_is_better: bool = True
    origin: str = "given"  # where they are from: a file, in signatures
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of each system, if the file has them

    @classmethod
    def of_frame(
        cls, frame: Any, column: str, *, system: str = "system", segment: str | None = None, **rest: Any
    ) -> GivenScores:
        """A column of a data frame (pandas, polars), beside one with the systems' names.

        The rows of a system are its segments in their order, or in that of the numbers in the column `segment`.
        """
        wanted = [system, column, *([] if segment is None else [segment])]
        missing = [name for name in wanted if name not in list(frame.columns)]
        if missing:
            raise UnknownName(f"The frame has no column {', '.join(missing)}. Known: {', '.join(frame.columns)}.")
        names, values = list(frame[system]), list(frame[column])
        order = range(len(names)) if segment is None else np.argsort(list(frame[segment]), kind="stable").tolist()
        scores: dict[str, list[float | None]] = {}
        for row in order:
            scores.setdefault(str(names[row]), []).append(values[row])
        return cls(column, scores, **{"origin": "frame", **rest})

    def statistics(
        self, systems: Sequence[str], n_segments: int, *, outputs: Mapping[str, Sequence[str]] | None = None
    ) -> Statistics:
        """The statistics of some systems; a system that is missing, a wrong number of scores, a hole are named.

        Scores that came with the texts that they are of are held to `outputs`: those of another system are refused.
        """
        missing = [name for name in systems if name not in self.scores]
        if missing:
            raise UnknownName(
                f"{self._who} has no scores of {', '.join(missing)}. It has: {', '.join(self.scores)}. "
                "Call the systems so with NAME=PATH."
            )
        for name in systems:
            if outputs is not None and name in self.texts:
                self._check_text(name, outputs)
        rows = np.stack([self._of(name, n_segments) for name in systems])
        kind = _GivenMetric if self.higher_is_better else _GivenErrors
        return Statistics(kind(self.name, self.origin), tuple(systems), mean_rows(rows), None)

    def _of(self, system: str, n_segments: int) -> NDArray[np.float64]:
        scores = self.scores[system]
        if len(scores) != n_segments:
            raise DataError(f"{self._who} has {len(scores)} scores of {system} for {n_segments} segments.")
        for number, score in enumerate(scores, start=1):
            if score is None or isinstance(score, str) or not math.isfinite(score):
                raise DataError(
                    f"{self._who}: the score of segment {number} of {system} is {score!r}; each needs a number."
                )
        return np.array(scores, dtype=np.float64)

    def _check_text(self, system: str, outputs: Mapping[str, Sequence[str]]) -> None:
        scored = [" ".join(line.split()) for line in self.texts[system]]
        for number, (line, own) in enumerate(zip(scored, outputs[system], strict=False), start=1):
            if line != " ".join(own.split()):
                same = [
                    other
                    for other, lines in outputs.items()
                    if len(lines) == len(scored) and [" ".join(each.split()) for each in lines] == scored
                ]
                whose = f"They are of the output of {', '.join(same)}: name the systems so." if same else ""
                raise DataError(
                    f"{self._who}: the scores of {system} are of another text. Segment {number} there: "
                    f"{line[:60]!r}; here: {own[:60]!r}. {whose}".rstrip()
                )

    @property
    def _who(self) -> str:
        return self.name if self.origin in ("given", "frame") else f"{self.name} ({self.origin})"


@dataclass(frozen=True)
class _GivenMetric(Metric):
    """The mean of given segment scores."""

    name: ClassVar[str] = "given"
    label_pattern: ClassVar[str] = ".*"
    level: ClassVar[Literal["corpus", "segment"]] = "segment"
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    title: str = ""
    origin: str = ""

    @property
    def label(self) -> str:
        """As whoever gave the scores calls them."""
        return self.title

    def spec(self) -> str:
        """As in the tables."""
        return self.title

    def signature(self, nrefs: int | None = 1, **run: Any) -> str:  # noqa: ARG002 - how many there were is not known
        """Where the scores are from."""
        return "|".join(f"{key}:{value}" for key, value in {"scores": self.origin, **run, "version": VERSION}.items())

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:  # noqa: ARG002 - the contract
        """Refused: the scores are of the texts that they were given for."""
        raise DataError(f"{self.title} was given as scores of segments; other texts cannot be scored with it.")

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True)
class _GivenErrors(_GivenMetric):
    """The mean of given segment scores of which less is better."""

    higher_is_better: ClassVar[bool] = False
