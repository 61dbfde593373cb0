"""Which features moved a score: contributions that add up to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.qe.notes import empty_note, read_note
from dragoman.report import Column, Result, Table

__all__ = ["Explanation", "Reason"]


@dataclass(frozen=True)
class Reason:
    """A feature that moved a score: its value, what is usual, and by how much."""

    feature: str
    value: float
    usual: float
    contribution: float


@dataclass(frozen=True)
class Explanation(Result):
    """Scores taken apart: base + the contributions of all features + what the limits of the scale took = score."""

    kind: ClassVar[str] = "qe explanation"

    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # of the features, a row a sentence
    usual: tuple[float, ...]  # of the features: what the base stands for
    contributions: tuple[tuple[float, ...], ...]
    base: float  # the score of a sentence whose features are all as usual
    clipped: tuple[float, ...]  # what the limits of the scale add
    scores: tuple[float, ...]
    task: str
    method: str
    top: int
    segments: tuple[int, ...]  # the number of each sentence in its text, from 1
    read_before: tuple[int, ...] = ()  # segments whose post-edits the model's resources have read
    empty: tuple[int, ...] = ()  # segments without a translation

    def strongest(self, place: int) -> list[Reason]:
        """The `top` features that moved the score of a sentence most, the strongest first."""
        values, parts = self.values[place], self.contributions[place]
        order = sorted(range(len(parts)), key=lambda feature: (-abs(parts[feature]), feature))[: self.top]
        return [Reason(self.names[each], values[each], self.usual[each], parts[each]) for each in order if parts[each]]

    def tables(self) -> list[Table]:
        """The features that moved each score most; then the sums."""
        rows = [
            (number, each.feature, each.value, each.usual, each.contribution)
            for place, number in enumerate(self.segments)
            for each in self.strongest(place)
        ]
        columns = [
            Column("segment"),
            Column("feature"),
            Column("value", digits=4),
            Column("usual", digits=4),
            Column("contribution", digits=4),
        ]
        sums = [
            (number, self.base, sum(parts), clip, score)
            for number, parts, clip, score in zip(
                self.segments, self.contributions, self.clipped, self.scores, strict=True
            )
        ]
        marks = (read_note(self.read_before), empty_note(self.empty))
        return [
            Table.of("What moved the scores", columns, rows, note=" ".join(filter(None, (self.method, *marks)))),
            Table.of(
                "Sums",
                [
                    Column("segment"),
                    Column("base", digits=4),
                    Column("all", "all features", digits=4),
                    Column("limits", digits=4),
                    Column("score", self.task, digits=4),
                ],
                sums,
                note="base: the score where all features are as usual. limits: what the ends of the scale took.",
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """All contributions by sentence."""
        return {
            "task": self.task,
            "base": self.base,
            "method": self.method,
            "sums": [
                {"segment": number, "clipped": clip, "score": score}
                for number, clip, score in zip(self.segments, self.clipped, self.scores, strict=True)
            ],
            "read_before": list(self.read_before),
            "empty": list(self.empty),
            "contributions": [dict(zip(self.names, parts, strict=True)) for parts in self.contributions],
        }
