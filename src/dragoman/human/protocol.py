"""The contract of ways to ask people, and the table of those we have.

A protocol is a frozen dataclass; its fields are the options that a manifest may set. `plan` is pure: the same test set,
annotators and seed give the same assignments, on paper, on a crowd platform and on the server alike. What an annotator
may see of an item is `Item.shown`, and nothing else leaves the house before the judgement is in: not the system, not
the type, not the text's origin.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements, Schema, Value
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.registry import Registry
from dragoman.report.result import Result

__all__ = ["CONTROL_TYPES", "PROTOCOLS", "Analysis", "Assignment", "Item", "Protocol", "Task", "deal", "item_of"]

_OWN_KEYS = {"task", "position", "item"}  # beside what is shown, in the files of a plan
CONTROL_TYPES = ("REF", "BAD", "CHK", "GOLD", "TUT")  # everything but the outputs that are to be judged


def item_of(name: str) -> str:
    """The planned item of a judgement's item: one answer may be several judgements, numbered behind a point."""
    return name.partition(".")[0]


@dataclass(frozen=True)
class Item:
    """One thing to judge. `shown` is all that the annotator gets; the other fields stay with the organiser.

    `type` is of Appraise's vocabulary, with two more: TGT, REF, BAD (degraded), CHK (shown again), GOLD (the answer is
    known), TUT (to learn on, not counted).
    """

    id: str  # opaque: says nothing of system, type or segment
    type: str
    system: str  # empty where several outputs are shown: see `places`
    segment: int  # from 1, as in the test set
    doc: str | None
    shown: Mapping[str, Any]  # JSON, by place on the screen; must not name systems
    is_filler: bool = False  # a further showing that fills a task up; not counted in the redundancy
    places: Mapping[str, str] = field(default_factory=dict)  # which system stands where, by the place's name in `shown`
    langs: tuple[str | None, str | None] = (None, None)  # source and target
    segments: int = 1  # how many consecutive segments it shows, from `segment` on
    media: Mapping[str, str] = field(default_factory=dict)  # name in `shown` → file, which a server hands out
    expected: Mapping[str, Any] | None = None  # what a GOLD answer must be, as the protocol understands it

    def __post_init__(self) -> None:
        taken = sorted(_OWN_KEYS & set(self.shown))
        if taken:
            raise DataError(f"An item cannot show something called {taken[0]!r}: the word is used for the item itself.")
        for name in ("shown", "places", "media"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def content(self) -> tuple[str, int]:
        """What is judged, however it is shown: system and segment."""
        return self.system, self.segment

    @property
    def contents(self) -> tuple[tuple[str, int], ...]:
        """All outputs that are judged: of each system shown, each segment shown."""
        systems = sorted(self.places.values()) or [self.system]
        return tuple((system, self.segment + n) for system in systems for n in range(self.segments))


@dataclass(frozen=True)
class Task:
    """Items that one annotator judges in this order, in one sitting."""

    name: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Assignment:
    """A task in the hands of an annotator."""

    annotator: str
    task: Task


class Analysis(Result):
    """What judgements of one kind say: tables, figures and a page."""

    @abstractmethod
    def html(self, *, title: str = "") -> str:
        """The whole analysis as one page."""

    def segment_scores(self) -> Result:
        """The scores of single outputs, where the kind of judgement gives any."""
        raise DataError(f"An analysis of the kind {self.kind!r} has no scores of single outputs.")


@dataclass(frozen=True)
class Protocol(ABC):
    """A way of asking people. Options are the fields.

    `screen` names what asks in the browser: the module `judge/screens/<screen>.js` gets `ask()`, the same for all
    items, and `Item.shown`, and gives back an answer, a JSON object. Their shapes are in the guide of protocols.
    """

    name: ClassVar[str]
    screen: ClassVar[str]
    schema: ClassVar[Schema]  # of the judgements it gives
    needs_systems: ClassVar[bool] = True  # whether there is nothing to ask without outputs of systems

    redundancy: int = field(default=1, metadata={"text": "how many annotators judge each item"})

    def __post_init__(self) -> None:
        if self.redundancy < 1:
            raise DataError(f"redundancy is {self.redundancy}; every item is judged by at least one annotator.")

    @abstractmethod
    def plan(self, test_set: TestSet, annotators: Sequence[str], *, seed: int) -> list[Assignment]:
        """Who judges what, in which order. Pure; every item exactly `redundancy` times, fillers not counted."""

    @abstractmethod
    def ask(self) -> dict[str, Any]:
        """The settings of the screen, as JSON: question, labels, limits. They reach every annotator: no secrets."""

    @abstractmethod
    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """Raise `DataError` if this is no answer to this item; the same for web, CSV and crowd import."""

    @abstractmethod
    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """The judgements that an answer is, after `check`: the answer with what the annotator was not told.

        The first is of the item `item.id`, or all are of items `<item.id>.<number>`; `item_of` leads back. An answer
        that is given again replaces all judgements of the one before, so record the last answer to each item alone.
        """

    @abstractmethod
    def analyse(self, judgements: Judgements, *, seed: int = 1) -> Analysis:
        """Quality control, scores, agreement."""

    @abstractmethod
    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """The answer of an invented judge: at random with `care` 0, what the output deserves with 1.

        What it deserves is invented as well: a function of the system's name and the segment alone. The answer holds
        `seconds`, too.
        """


def deal(tasks: Sequence[Task], annotators: Sequence[str], *, redundancy: int, seed: int) -> list[Assignment]:
    """Give every task to `redundancy` different annotators.

    Loads differ by one task at most. Among the least loaded, those go first who have shared the fewest tasks with the
    annotators chosen already, so that agreement can be measured between many pairs; chance decides the rest.
    """
    doubled = [name for name, count in Counter(annotators).items() if count > 1]
    if doubled:
        raise DataError(f"Two annotators are called {doubled[0]!r}; names must differ.")
    if redundancy > len(annotators):
        raise DataError(
            f"Each task goes to {redundancy} different annotators, but there are {len(annotators)}. "
            "Invite more or lower the redundancy."
        )
    draws = Draws(seed, "deal")
    load = dict.fromkeys(annotators, 0)
    met: Counter[tuple[str, str]] = Counter()
    dealt = []
    for task in tasks:
        chosen: list[str] = []
        turn = {name: draws.bits() for name in annotators}
        for _ in range(redundancy):
            free = [name for name in annotators if name not in chosen]
            pick = min(free, key=lambda name: (load[name], sum(met[name, other] for other in chosen), turn[name]))
            for other in chosen:
                met[pick, other] += 1
                met[other, pick] += 1
            chosen.append(pick)
            load[pick] += 1
        dealt += [Assignment(name, task) for name in chosen]
    return dealt


PROTOCOLS: Registry[Protocol] = Registry(
    "protocol",
    {
        "da": "dragoman.human.direct_assessment.protocol:DirectAssessment",
    },
)
