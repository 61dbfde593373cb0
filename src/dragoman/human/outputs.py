"""Protocols that show one output at a time: what they share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Value
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.direct_assessment.degraders import DEGRADERS
from dragoman.human.direct_assessment.tasks import system_order
from dragoman.human.draws import Draws
from dragoman.human.known import known_output
from dragoman.human.material import Material, check_choice, check_neighbours
from dragoman.human.placing import check_shares, even, placed
from dragoman.human.protocol import Assignment, Item, Protocol, Task
from dragoman.human.simulated import deserved, is_careful, known_quality, seconds_of
from dragoman.options import option

__all__ = ["OutputProtocol"]


@dataclass(frozen=True)
class OutputProtocol(Protocol):
    """One output an item, in tasks of some twenty, with degraded copies and repeats among them."""

    scale: ClassVar[tuple[float, float] | None] = None  # of the marks, where gold may name a range
    invites: ClassVar[tuple[str, ...]] = ("source", "reference", "both")  # what may stand beside
    typical_seconds: ClassVar[float] = 15.0

    against: str = option("source", text="what is shown beside: source, reference or both")
    context: int = option(0, text="neighbouring segments shown on either side")
    neighbours: str = option("beside", text="whose neighbours: of what stands beside, outputs of the system, or both")
    task_size: int = option(20, text="outputs in a task; controls come on top")
    repeats: float = option(0.1, text="share of a task's outputs that are shown again")
    degraded: float = option(0.1, text="share of a task's outputs that are shown degraded, too")
    degrader: str = option("delete", text="how outputs are made worse")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("against", self.against, self.invites)
        check_shares(repeats=self.repeats, degraded=self.degraded)
        DEGRADERS.get(self.degrader)
        if self.task_size < 1 or self.context < 0:
            raise DataError(
                f"task_size is {self.task_size} and context {self.context}; expected at least one output and none."
            )
        check_neighbours(self.neighbours, self.context)

    def material(self, test_set: TestSet, *, seed: int = 1) -> Material:  # noqa: ARG002 - for those that draw
        """The test set as it is shown."""
        return Material(test_set, self.against, self.context, self.degrader, self.neighbours)

    def shown(self, material: Material, segment: int, text: str) -> dict[str, Any]:
        """What an annotator sees of an output."""
        return {"text": text, **material.around(segment)}

    def chosen(self, material: Material, order: Sequence[tuple[str, int]], draws: Draws) -> list[tuple[str, int]]:  # noqa: ARG002
        """The outputs that are judged, of all: system and segment."""
        return list(order)

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """The outputs in random order, the systems evenly spread, cut into tasks of about one size."""
        material = self.material(test_set, seed=seed)
        order = self.chosen(material, system_order(test_set, Draws(seed, "order")), Draws(seed, "chosen"))
        sizes = even(len(order), self.task_size)
        tasks, start = [], 0
        for number, size in enumerate(sizes, start=1):
            draws = Draws(seed, f"task/{number}")
            items = [self.made(material, "TGT", *content, draws) for content in order[start : start + size]]
            start += size
            name = f"task-{number:0{len(str(len(sizes)))}}"
            tasks.append(Task(name, self._placed(material, items, draws)))
        return tasks

    def _placed(self, material: Material, items: list[Item], draws: Draws) -> tuple[Item, ...]:
        def worse(item: Item) -> Item | None:
            text = material.degraded(material.output(item.system, item.segment), item.segment, draws)
            return None if text is None else self.made(material, "BAD", item.system, item.segment, draws, text=text)

        return placed(
            [[item] for item in items],
            repeats=self.repeats,
            degraded=self.degraded,
            again=lambda item: self.made(material, "CHK", item.system, item.segment, draws),
            worse=worse,
            draws=draws,
        )

    def made(
        self, material: Material, kind: str, system: str, segment: int, draws: Draws, *, text: str | None = None
    ) -> Item:
        """The item of an output, or of another text in its place."""
        output = material.output(system, segment) if text is None else text
        return Item(
            id=draws.name(),
            type=kind,
            system=system,
            segment=segment,
            doc=material.doc(segment),
            shown=self.shown(material, segment, output) | material.beside_output(system, segment),
            langs=material.langs,
        )

    def special(self, test_set: TestSet, kind: str, entry: Mapping[str, Any], draws: Draws) -> Item:
        """An output with a known range: `segment`, `system`, `low`, `high`; a `text` of its own; a `hint`."""
        if kind == "GOLD" and self.scale is None:
            raise DataError(f"The protocol {self.name!r} has no scale on which gold could be known.")
        return known_output(self.material(test_set), kind, entry, draws, scale=self.scale, show=self.shown)

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """The judgements of a system's output; controls and lessons give none."""
        self.check(item, answer)
        if item.type not in self.recorded:
            return []
        return [self.schema.check(row) for row in self.spread(item, self.rows(assignment, item, answer))]

    @abstractmethod
    def rows(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """The judgements that an answer about a system's output is."""

    def place(self, assignment: Assignment, item: Item) -> dict[str, Value]:
        """The fields that say who judged what, as far as the schema has them."""
        source_lang, target_lang = item.langs
        place: dict[str, Value] = {
            "annotator": assignment.annotator,
            "item": item.id,
            "segment": item.segment,
            "system": item.system,
            "doc": item.doc,
            "type": item.type,
            "task": assignment.task.name,
            "source_lang": source_lang,
            "target_lang": target_lang,
        }
        names = {each.name for each in self.schema.fields}
        return {name: value for name, value in place.items() if name in names}

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """What the output deserves, with a little noise, or anything."""
        careful = is_careful(draws, care)
        quality_known = None if self.scale is None else known_quality(item, self.scale)
        if careful and quality_known is not None:
            quality = quality_known
        elif careful:
            quality = min(100.0, max(0.0, deserved(item.system, item.segment, item.type) + 8 * draws.normal()))
        else:
            quality = 100 * draws.share()
        answer = self.invented(item, quality, draws, careful)
        return answer | {"seconds": seconds_of(draws, careful, typical=self.typical_seconds)}

    @abstractmethod
    def invented(self, item: Item, quality: float, draws: Draws, careful: bool) -> dict[str, Any]:
        """The answer of somebody who thinks an output worth so much, 0–100."""
