"""Answers in numbers: what each annotator said of each item, in a form in which all protocols can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from dragoman.data.judgements import Field, Judgements, Schema
from dragoman.data.judgements.ranking import ranking_schema
from dragoman.human.protocol import Assignment, Item, Protocol

__all__ = ["Marked", "MarkedAnswers", "marked_answers", "marks_table"]

_SCORES = Schema(
    "marks", (Field("annotator"), Field("item"), Field("segment", "whole"), Field("system"), Field("score", "number"))
)


@dataclass(frozen=True)
class Marked:
    """An answer with the item it answers, in numbers by place on the screen."""

    item: Item
    marks: Mapping[str, float]
    seconds: float | None
    is_gold_right: bool | None  # None where the item is no gold

    @property
    def systems(self) -> tuple[str, ...]:
        """What was shown, in the order of names."""
        return tuple(sorted(self.item.places.values())) or (self.item.system,)

    def by_system(self) -> dict[str, float]:
        """The marks of the systems that have one, in the order of names."""
        return {
            system: self.marks[place]
            for place, system in sorted(self.item.places.items(), key=lambda each: each[1])
            if place in self.marks
        }

    def outcomes(self) -> list[int | None]:
        """For each pair of systems shown, in the order of names, who was better; None where one has no mark."""
        marks = self.by_system()
        outcomes: list[int | None] = []
        for a, b in combinations(sorted(self.item.places.values()), 2):
            outcomes.append((marks[a] > marks[b]) - (marks[a] < marks[b]) if a in marks and b in marks else None)
        return outcomes


class MarkedAnswers(dict[str, list[Marked]]):
    """The answers of each annotator in the order made, and how many items each was assigned."""

    def __init__(self, assigned: Mapping[str, int]) -> None:
        super().__init__({name: [] for name in assigned})
        self.assigned = dict(assigned)


def marked_answers(
    protocol: Protocol, assignments: Iterable[Assignment], answers: Mapping[tuple[str, str], Mapping[str, Any]]
) -> MarkedAnswers:
    """The answers to assigned items, in numbers; lessons are left out."""
    items = {(each.annotator, item.id): item for each in assignments for item in each.task.items if item.type != "TUT"}
    assigned: dict[str, int] = {}
    for name, _ in items:
        assigned[name] = assigned.get(name, 0) + 1
    marked = MarkedAnswers(assigned)
    for key, answer in answers.items():
        item = items.get(key)
        if item is not None:
            marks = protocol.marks(item, answer)
            marked[key[0]].append(Marked(item, marks, answer.get("seconds"), _is_right(item, marks)))
    return marked


def _is_right(item: Item, marks: Mapping[str, float]) -> bool | None:
    """Whether an answer to gold meets all that is expected of it: orders of places, ranges of marks."""
    if item.type != "GOLD" or item.expected is None:
        return None
    orders = item.expected.get("order", [])
    ranges = item.expected.get("range", {})
    return all(marks.get(better, 0.0) > marks.get(worse, 0.0) for better, worse in orders) and all(
        place in marks and low <= marks[place] <= high for place, (low, high) in ranges.items()
    )


def marks_table(marked: Mapping[str, Sequence[Marked]]) -> Judgements | None:
    """The marks of systems' outputs as judgements: rankings of what stood side by side, else scores."""
    told = [
        (name, each) for name, own in marked.items() for each in own if each.item.type in ("TGT", "CHK") and each.marks
    ]
    if not told:
        return None
    if not told[0][1].item.places:
        rows: list[dict[str, Any]] = [
            {
                "annotator": name,
                "item": each.item.id,
                "segment": each.item.segment,
                "system": each.item.system,
                "score": each.marks["text"],
            }
            for name, each in told
        ]
        return Judgements.of(_SCORES, rows)
    rows = []
    for name, each in told:
        row: dict[str, Any] = {
            "annotator": name,
            "item": each.item.id,
            "source_lang": "und",
            "target_lang": "und",
            "segment": each.item.segment,
        }
        marks = each.by_system()
        for number, (system, mark) in enumerate(marks.items(), start=1):
            row |= {f"system{number}": system, f"rank{number}": 1 + sum(other > mark for other in marks.values())}
        rows.append(row)
    return Judgements.of(ranking_schema(max(2, *(len(each.item.places) for _, each in told))), rows)
