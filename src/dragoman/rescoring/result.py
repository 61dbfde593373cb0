"""Rescored lists, as people and programs read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.report import Column, Result, Table
from dragoman.rescoring.lists import CandidateLists
from dragoman.stats.arrays import Floats

__all__ = ["Rescored"]


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
