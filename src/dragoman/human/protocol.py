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
from dragoman.human.analysing import Analysis, analyse
from dragoman.human.draws import Draws
from dragoman.options import option
from dragoman.registry import Registry

__all__ = ["LESSON", "PROTOCOLS", "Assignment", "Item", "Protocol", "Task", "deal", "item_of"]

_OWN_KEYS = {"task", "position", "item"}  # beside what is shown, in the files of a plan
_EXTRA = {"GOLD": "gold", "TUT": "a tutorial"}
LESSON = "tutorial"  # the task that everybody does first


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
    types: tuple[str, ...] = ()  # of each segment, where an item shows segments of different types
    joint: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by place (`text`): who gave this same output
    notes: Mapping[str, Any] = field(default_factory=dict)  # what the organiser knows of it besides: JSON, never shown

    def __post_init__(self) -> None:
        taken = sorted(_OWN_KEYS & set(self.shown))
        if taken:
            raise DataError(f"An item cannot show something called {taken[0]!r}: the word is used for the item itself.")
        for name in ("shown", "places", "media", "notes"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        joint = {place: tuple(systems) for place, systems in self.joint.items()}
        object.__setattr__(self, "joint", MappingProxyType(joint))
        for name in ("langs", "types"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @property
    def content(self) -> tuple[str, int]:
        """What is judged, however it is shown: system and segment."""
        return self.system, self.segment

    @property
    def contents(self) -> tuple[tuple[str, int], ...]:
        """All outputs that are judged: of each system shown, each segment shown."""
        places = dict(sorted(self.places.items(), key=lambda each: each[1])) or {"text": self.system}
        systems = [name for place, system in places.items() for name in self.joint.get(place, (system,))]
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


@dataclass(frozen=True)
class Protocol(ABC):
    """A way of asking people. Options are the fields.

    `screen` names what asks in the browser: the module `judge/screens/<screen>.js` gets `ask()`, the same for all
    items, and `Item.shown`, and gives back an answer, a JSON object. Their shapes are in the guide of protocols.
    """

    name: ClassVar[str]
    screen: ClassVar[str]
    schema: ClassVar[Schema]  # of the judgements it gives
    paths: ClassVar[tuple[str, ...]] = ()  # options that name files; a manifest means them from its own folder
    recorded: ClassVar[tuple[str, ...]] = ("TGT", "CHK")  # types of item that give judgements; others watch the judges
    most_tasks: ClassVar[int | None] = None  # that one annotator may do, where more would show things already met
    needs_systems: ClassVar[bool] = True  # whether there is nothing to ask without outputs of systems

    redundancy: int = option(1, text="how many annotators judge each item")
    overlap: float = option(1.0, text="share of the tasks that go to so many annotators; the others go to one")
    gold: Sequence[Mapping[str, Any]] = option(
        (), text="outputs whose judgement is known; every task gets one of them, in turn"
    )
    tutorial: Sequence[Mapping[str, Any]] = option(
        (), text="outputs that everybody judges first, with a hint; not counted"
    )
    question: str = option("", text="asked instead of the interface's own question")

    def __post_init__(self) -> None:
        if self.redundancy < 1:
            raise DataError(f"redundancy is {self.redundancy}; every item is judged by at least one annotator.")
        if not 0 <= self.overlap <= 1:
            raise DataError(f"overlap is {self.overlap:g}; expected a share from 0 to 1.")
        for name in ("gold", "tutorial"):
            entries = getattr(self, name)
            if not isinstance(entries, list | tuple) or not all(isinstance(each, Mapping) for each in entries):
                raise DataError(f"{name} is {str(entries)[:60]!r}; expected a list of tables.")

    def plan(self, test_set: TestSet, annotators: Sequence[str], *, seed: int) -> list[Assignment]:
        """Who judges what, in which order. Pure; every item exactly `redundancy` times, fillers not counted."""
        if self.needs_systems and not test_set.systems:
            raise DataError("The test set has no systems to judge.")
        tasks = self._with_gold(test_set, self.tasks(test_set, seed=seed), seed)
        if self.tutorial:
            draws = Draws(seed, "tutorial")
            tasks.append(Task(LESSON, tuple(self.special(test_set, "TUT", each, draws) for each in self.tutorial)))
        return self.deal(tasks, annotators, seed=seed)

    def deal(self, tasks: Sequence[Task], annotators: Sequence[str], *, seed: int) -> list[Assignment]:
        """Tasks that were made elsewhere in the hands of annotators; the lesson, where there is one, in everybody's."""
        lessons = [task for task in tasks if task.name == LESSON]
        others = [task for task in tasks if task.name != LESSON]
        dealt = deal(others, annotators, redundancy=self.redundancy, seed=seed, overlap=self.overlap)
        return [*(Assignment(name, task) for name in annotators for task in lessons), *dealt]

    def _with_gold(self, test_set: TestSet, tasks: list[Task], seed: int) -> list[Task]:
        if not self.gold:
            return tasks
        draws = Draws(seed, "gold")
        with_gold = []
        for number, task in enumerate(tasks):
            item = self.special(test_set, "GOLD", self.gold[number % len(self.gold)], draws)
            place = draws.below(len(task.items) + 1)
            with_gold.append(Task(task.name, (*task.items[:place], item, *task.items[place:])))
        return with_gold

    @abstractmethod
    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """The work cut into sittings, each output in one of them; controls stand among the outputs. Pure."""

    def special(self, test_set: TestSet, kind: str, entry: Mapping[str, Any], draws: Draws) -> Item:  # noqa: ARG002
        """The item of type GOLD or TUT that an entry of `gold` or `tutorial` describes."""
        raise DataError(f"The protocol {self.name!r} has no items of {_EXTRA[kind]}.")

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:  # noqa: ARG002
        """An answer in numbers, the higher the better, by place on the screen (`text` for a single output).

        By them controls, repeats and other annotators are compared; a protocol without any has none of these.
        """
        return {}

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

    def spread(self, item: Item, rows: list[dict[str, Value]]) -> list[dict[str, Value]]:
        """The judgements for each of the systems that gave this same output; as they are, where one did."""
        names = item.joint.get("text", ())
        if len(names) < 2:
            return rows
        each = [row | {"system": name} for row in rows for name in names]
        return [row | {"item": f"{item.id}.{number}"} for number, row in enumerate(each, start=1)]

    def analyse(self, judgements: Judgements, *, seed: int = 1) -> Analysis:
        """Quality control, scores, agreement: as judgements of the kind are analysed, wherever they come from."""
        return analyse(judgements, seed=seed)

    @abstractmethod
    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """The answer of an invented judge: at random with `care` 0, what the output deserves with 1.

        What it deserves is invented as well: a function of the system's name and the segment alone. The answer holds
        `seconds`, too.
        """


def deal(
    tasks: Sequence[Task], annotators: Sequence[str], *, redundancy: int, seed: int, overlap: float = 1.0
) -> list[Assignment]:
    """Give every task to `redundancy` different annotators; or a share `overlap` of the tasks, the others to one.

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
    shared = range(len(tasks)) if overlap == 1 else draws.sample(range(len(tasks)), round(overlap * len(tasks)))
    for number, task in enumerate(tasks):
        chosen: list[str] = []
        turn = {name: draws.bits() for name in annotators}
        for _ in range(redundancy if number in shared else 1):
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
        "adequacy-fluency": "dragoman.human.protocols.scales:AdequacyFluency",
        "blind-editing": "dragoman.human.protocols.blind_editing:BlindEditing",
        "blind-review": "dragoman.human.protocols.blind_editing:BlindReview",
        "comprehension": "dragoman.human.protocols.questions:ComprehensionTest",
        "contrastive-da": "dragoman.human.protocols.contrastive:ContrastiveAssessment",
        "crowd-translation": "dragoman.human.protocols.crowd:CrowdTranslation",
        "crowd-voting": "dragoman.human.protocols.crowd:CrowdVoting",
        "da": "dragoman.human.direct_assessment.protocol:DirectAssessment",
        "esa": "dragoman.human.protocols.spans:Esa",
        "esa-ai": "dragoman.human.protocols.proposals:EsaWithProposals",
        "hmeant": "dragoman.human.protocols.frames:HmeantFrames",
        "mqm": "dragoman.human.protocols.spans:Mqm",
        "pairwise": "dragoman.human.protocols.ranking:Pairwise",
        "post-editing": "dragoman.human.protocols.post_editing:PostEditing",
        "ranking": "dragoman.human.protocols.ranking:Ranking",
    },
)
