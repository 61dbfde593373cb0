"""Rescored lists, as people and programs read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.report import Column, Result, Table
from dragoman.rescoring.lists import CandidateLists
from dragoman.stats.arrays import Floats

__all__ = ["Agreed", "Described", "Rescored"]


@dataclass(frozen=True)
class Rescored(Result):
    """The best candidate of each list, its score, and the place that it had before."""

    kind: ClassVar[str] = "rescored"

    lists: CandidateLists
    scores: Floats

    def tables(self) -> list[Table]:
        """A row for each segment that has candidates."""
        order = self.lists.in_order(self.scores)
        rows = [
            (segment, self.lists.texts[order[begin]], float(self.scores[order[begin]]), int(order[begin]) - begin + 1)
            for segment, (begin, end) in enumerate(
                zip(self.lists.offsets[:-1].tolist(), self.lists.offsets[1:].tolist(), strict=True), start=1
            )
            if begin < end
        ]
        columns: list[str | Column] = [
            "segment",
            Column("translation", is_text=True),
            Column("score", digits=4),
            Column("before", "place before"),
        ]
        moved = sum(place > 1 for *_, place in rows)
        return [Table.of("Rescored", columns, rows, note=f"{moved} of {len(rows)} lists have another first candidate.")]

    def meta(self) -> dict[str, Any]:
        """What the candidates' numbers are called."""
        return {"features": list(self.lists.names)}


@dataclass(frozen=True)
class Described(Result):
    """Every candidate with its features."""

    kind: ClassVar[str] = "candidates"

    lists: CandidateLists

    def tables(self) -> list[Table]:
        """A row for each candidate."""
        segments = np.repeat(np.arange(1, len(self.lists.offsets)), np.diff(self.lists.offsets)).tolist()
        columns: list[str | Column] = [
            "segment",
            Column("translation", is_text=True),
            *(Column(name, digits=4) for name in self.lists.names),
        ]
        rows = [
            (segment, text, *values)
            for segment, text, values in zip(segments, self.lists.texts, self.lists.features.tolist(), strict=True)
        ]
        return [Table.of("Candidates", columns, rows)]


@dataclass(frozen=True)
class Agreed(Result):
    """The candidate of each segment that the others agree with most."""

    kind: ClassVar[str] = "least risk"

    texts: tuple[str, ...]

    def tables(self) -> list[Table]:
        """A row for each segment."""
        columns: list[str | Column] = ["segment", Column("translation", is_text=True)]
        return [Table.of("Least risk", columns, list(enumerate(self.texts, start=1)))]
