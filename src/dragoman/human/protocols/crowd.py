"""Translations by many hands, and the vote on which is best, as protocols (Post et al., WMT 2012)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.crowd import TRANSLATIONS, VOTES
from dragoman.data.judgements import Schema, Value
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.answers import opened
from dragoman.human.draws import Draws
from dragoman.human.material import Material
from dragoman.human.pictures import Painter
from dragoman.human.placing import even
from dragoman.human.protocol import Assignment, Item, Protocol, Task
from dragoman.human.side_by_side import SideBySide
from dragoman.human.simulated import is_careful, seconds_of
from dragoman.options import option

__all__ = ["CrowdTranslation", "CrowdVoting"]


def _segment_name(item: Item) -> str:
    """A segment's name in crowd tables: document, `_`, number."""
    return f"{item.doc}_{item.segment}" if item.doc else str(item.segment)


@dataclass(frozen=True)
class CrowdTranslation(Protocol):
    """Crowd translation: several people translate each segment, ten in a task (Post et al. 2012).

    Where the source cannot be copied, it is drawn instead of written, so that nobody pastes it into a translator; what
    draws it is the browser, which has the text. With `pictures` the text does not leave the server at all. No screen
    reader can read a picture: who does not see cannot take part, so choose it only where you must.
    """

    name: ClassVar[str] = "crowd-translation"
    screen: ClassVar[str] = "translate"
    schema: ClassVar[Schema] = TRANSLATIONS
    needs_systems: ClassVar[bool] = False
    paths: ClassVar[tuple[str, ...]] = ("font",)

    redundancy: int = option(4, text="how many annotators translate each segment")
    task_size: int = option(10, text="segments in a task")
    context: int = option(0, text="neighbouring segments shown on either side")
    copyable: bool = option(True, text="whether the source may be copied")
    pictures: bool = option(False, text="whether the source is sent as a picture alone, which nobody can hear")
    font: str = option(
        "", text="file of the font of pictures; by default DejaVu Sans, Noto Sans or Arial, if installed"
    )
    max_length: int = option(2000, text="characters of a translation")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("task_size", 1), ("context", 0), ("max_length", 1)):
            if getattr(self, name) < least:
                raise DataError(f"{name} is {getattr(self, name)}; expected at least {least}.")

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """Consecutive segments, about as many in each task."""
        material = Material(test_set, "source", self.context)
        painter = Painter(self.font, test_set.source_lang) if self.pictures else None
        sizes = even(len(test_set), self.task_size)
        tasks, segment = [], 1
        for number, size in enumerate(sizes, start=1):
            draws = Draws(seed, f"task/{number}")
            items = tuple(self._item(material, segment + n, draws, painter) for n in range(size))
            segment += size
            tasks.append(Task(f"task-{number:0{len(str(len(sizes)))}}", items))
        return tasks

    def _item(self, material: Material, segment: int, draws: Draws, painter: Painter | None) -> Item:
        shown = material.around(segment)
        notes = {}
        if painter is not None:
            notes = {"source": shown["source"]}
            shown = {
                name: painter.picture(value) if isinstance(value, str) else [painter.picture(line) for line in value]
                for name, value in shown.items()
            }
        doc = material.doc(segment)
        return Item(draws.name(), "TGT", "", segment, doc, shown, langs=material.langs, notes=notes)

    def ask(self) -> dict[str, Any]:
        """Whether the source may be copied, and how long a translation may be."""
        return {"copyable": self.copyable, "max_length": self.max_length, "question": self.question}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """A text that is not empty."""
        opened(item, answer, "text").text("text", longest=self.max_length)

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """One translation. Its time is its own, so each is a task of its own in the table."""
        self.check(item, answer)
        row: dict[str, Value] = {
            "annotator": assignment.annotator,
            "segment": _segment_name(item),
            "text": answer["text"],
            "task": item.id,
            "seconds": answer.get("seconds"),
            "item": item.id,
        }
        return [self.schema.check(row)]

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """Words of the source turned round, the same by all who take care; or anything."""
        careful = is_careful(draws, care)
        source = item.notes.get("source", item.shown["source"])
        words = [word[::-1] for word in source.split()] or ["…"]
        if careful:
            text = [word for word in words if draws.share() < 0.9] or words
        else:
            text = [draws.name()[:5] for _ in range(1 + draws.below(4))]
        return {"text": " ".join(text)[: self.max_length], "seconds": seconds_of(draws, careful, typical=50)}


@dataclass(frozen=True)
class CrowdVoting(SideBySide):
    """Crowd voting: several translations of a segment, of which each annotator names the best (Post et al. 2012).

    The systems of the test set are the translators, people or machines. On control screens a degraded copy stands
    beside its original.
    """

    name: ClassVar[str] = "crowd-voting"
    screen: ClassVar[str] = "vote"
    schema: ClassVar[Schema] = VOTES
    recorded: ClassVar[tuple[str, ...]] = ("TGT",)  # one vote for an annotator and segment

    redundancy: int = option(1, text="how many annotators vote on each segment")
    outputs: int = option(8, text="translations on a screen; all there are, if fewer")
    screens: int = option(1, text="screens for a segment: one")
    consecutive: int = option(1, text="segments that follow each other, of one document")
    runs: int = option(20, text="such runs of segments in a task; controls come on top")
    context: int = option(0, text="neighbouring segments shown on either side")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.screens != 1:
            raise DataError(f"screens is {self.screens}; a segment is voted on once, on one screen.")

    @property
    def most(self) -> int:
        """More than anybody should have to read."""
        return 12

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """All translations of a segment on one screen."""
        if len(test_set.systems) > self.outputs:
            raise DataError(
                f"There are {len(test_set.systems)} translations, but outputs is {self.outputs}; all must be on the "
                "screen to be voted on."
            )
        return super().tasks(test_set, seed=seed)

    def ask(self) -> dict[str, Any]:
        """What is shown beside."""
        return {"beside": self.against, "question": self.question}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """An answer has a `choice`, a place of the screen."""
        opened(item, answer, "choice").one_of("choice", tuple(item.places))

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """One vote, with what could be chosen; controls, repeats and lessons give none."""
        self.check(item, answer)
        if item.type not in self.recorded:
            return []
        among = {item.places[card["place"]]: card["text"] for card in item.shown["outputs"]}
        row: dict[str, Value] = {
            "annotator": assignment.annotator,
            "segment": _segment_name(item),
            "translator": item.places[answer["choice"]],
            "item": item.id,
            "among": json.dumps(dict(sorted(among.items())), ensure_ascii=False),
        }
        return [self.schema.check(row)]

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:
        """1 for the chosen one, 0 for the others."""
        return {place: float(place == answer["choice"]) for place in item.places}

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """The translation that deserves most; or any."""
        qualities, careful = self.opinion(item, draws, care)
        return {
            "choice": max(qualities, key=lambda place: qualities[place]),
            "seconds": seconds_of(draws, careful, typical=25),
        }
