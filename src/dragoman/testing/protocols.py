"""What every protocol promises, shown on a test set to judge."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from dragoman.data import TestSet
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.human.planning import plan_test_set, read_plan, write_plan
from dragoman.human.protocol import LESSON, PROTOCOLS, Assignment, Item, Protocol, Task, item_of
from dragoman.human.quality import quality_of_annotators
from dragoman.human.simulated import simulate_answers, simulate_judges
from dragoman.testing.contract import Contract, raises

__all__ = ["PROTOCOL", "ProtocolCase", "check_protocol"]

SCREENS = {
    "blind-edit",
    "da",
    "frames",
    "pairwise",
    "post-edit",
    "questions",
    "ranking",
    "review",
    "scales",
    "spans",
    "translate",
    "vote",
}
JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**6,
    10**30,
    0.5,
    float("nan"),
    "",
    "A",
    "tie",
    "yes",
    "\ud800",
    "\x00",
    [],
    [None],
    ["A"],
    [-1, 10**30],
    {},
    {"x": 1},
    {"": [{}]},
)

Planned = tuple[Protocol, TestSet, tuple[str, ...]]


@dataclass(frozen=True)
class ProtocolCase:
    """A protocol, set up for a test set."""

    protocol: Protocol
    test_set: TestSet
    people_each: int | None = None  # annotators for every judgement of an item, where one may not see it twice
    shared_ids: bool = False  # an item that is shown in several tasks is one item
    verdict: str = "careless"  # on a judge who answers at random

    def with_redundancy(self, redundancy: int) -> Planned:
        """The protocol with so many judgements of an item, its test set and enough annotators."""
        n = redundancy * self.people_each if self.people_each else max(3, redundancy)
        people = tuple(f"person-{number}" for number in range(n))
        return replace(self.protocol, redundancy=redundancy, overlap=1.0), self.test_set, people

    def renamed(self) -> Planned:
        """The same with systems whose names stand in no text."""
        protocol, test_set, annotators = self.with_redundancy(1)
        names = {old: f"zqx-{number}" for number, old in enumerate(test_set.systems)}

        def entries(specials: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
            return [{key: names.get(value, value) for key, value in each.items()} for each in specials]

        systems = {names[old]: lines for old, lines in test_set.systems.items()}
        hidden = replace(protocol, gold=entries(protocol.gold), tutorial=entries(protocol.tutorial))
        return hidden, replace(test_set, systems=systems), annotators

    def items(self) -> tuple[Protocol, list[Item]]:
        """The protocol and one item of each type."""
        protocol, test_set, annotators = self.with_redundancy(1)
        first: dict[str, Item] = {}
        for each in protocol.plan(test_set, annotators, seed=1):
            for item in each.task.items:
                first.setdefault(item.type, item)
        return protocol, list(first.values())


PROTOCOL: Contract[ProtocolCase] = Contract("protocol")


def check_protocol(protocol: Protocol, test_set: TestSet, **excuses: Any) -> None:
    """Check a protocol on a test set with some systems; `excuses` are further fields of `ProtocolCase`."""
    PROTOCOL.check(ProtocolCase(protocol, test_set, **excuses), protocol.name)


@PROTOCOL.rule
def every_item_is_planned_exactly_redundancy_times(case: ProtocolCase) -> None:
    for redundancy in (1, 2, 3):
        planned_exactly(case, redundancy)


def planned_exactly(case: ProtocolCase, redundancy: int) -> None:
    protocol, test_set, annotators = case.with_redundancy(redundancy)
    planned = plan_test_set(test_set, protocol, annotators, seed=1)
    hands: dict[str, list[str]] = {}
    for each in planned.assignments:
        for item in each.task.items:
            if item.type == "TGT":
                hands.setdefault(item.id, []).append(each.annotator)
    assert all(len(own) == len(set(own)) == redundancy for own in hands.values())
    assert set(planned.coverage().values()) == {redundancy}
    assert len(planned.coverage()) == planned.n_outputs
    loads = Counter(each.annotator for each in planned.assignments if each.task.name != LESSON)
    assert max(loads.values()) - min(loads.values()) <= 1


@PROTOCOL.rule
def plans_are_pure(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.with_redundancy(1)
    assert protocol.plan(test_set, annotators, seed=1) == protocol.plan(test_set, annotators, seed=1)
    assert protocol.plan(test_set, annotators, seed=1) != protocol.plan(test_set, annotators, seed=2)


@PROTOCOL.rule
def ids_are_opaque_and_systems_stay_hidden(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.renamed()
    items = {item.id: item for each in protocol.plan(test_set, annotators, seed=1) for item in each.task.items}
    for item in items.values():
        public = json.dumps([item.id, dict(item.shown)], allow_nan=False)
        assert "zqx" not in public
        assert int(item.id, 16) >= 0
        assert all(word not in item.shown for word in ("type", "system", "expected"))
    assert "zqx" not in json.dumps(protocol.ask(), allow_nan=False)


@PROTOCOL.rule
def each_showing_has_an_id_of_its_own(case: ProtocolCase) -> None:
    if case.shared_ids:
        return
    protocol, test_set, annotators = case.with_redundancy(1)
    planned = plan_test_set(test_set, protocol, annotators, seed=1)
    tasks = {each.task.name: each.task for each in planned.assignments}
    ids = Counter(item.id for task in tasks.values() for item in task.items)
    assert set(ids.values()) == {1}


@PROTOCOL.rule
def plans_are_written_and_read_back(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.with_redundancy(2)
    planned = plan_test_set(test_set, protocol, annotators, seed=1)
    with TemporaryDirectory() as folder:
        write_plan(planned, Path(folder) / "plan")
        assert read_plan(Path(folder) / "plan") == list(planned.assignments)


@PROTOCOL.rule
def too_few_annotators_are_refused(case: ProtocolCase) -> None:
    protocol = replace(case.protocol, redundancy=9)
    with raises(DataError, match=r"Each task goes to 9 different annotators.*but there are 3"):
        protocol.plan(case.test_set, ("ada", "ben", "chloe"), seed=1)


@PROTOCOL.rule
def the_screen_and_the_schema_are_named(case: ProtocolCase) -> None:
    assert PROTOCOLS.get(case.protocol.name) is type(case.protocol)
    assert case.protocol.screen in SCREENS
    assert {"annotator", "item"} <= {field.name for field in case.protocol.schema.fields}


@PROTOCOL.rule
def invented_answers_are_answers(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.with_redundancy(1)
    assignments = protocol.plan(test_set, annotators, seed=1)
    for assignment, item, answer in chain.from_iterable(
        simulate_answers(protocol, assignments, care) for care in (0.0, 0.5, 1.0)
    ):
        json.dumps(answer, allow_nan=False)
        protocol.check(item, answer)
        rows = protocol.record(assignment, item, answer)
        assert all(item_of(str(row["item"])) == item.id for row in rows)
        assert all(row["annotator"] == assignment.annotator for row in rows)
        assert bool(rows) or item.type != "TGT"
        assert not rows or item.type not in ("GOLD", "TUT")


@PROTOCOL.rule
def careless_judges_are_caught(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.with_redundancy(3)
    if protocol.needs_systems and not case.shared_ids and hasattr(protocol, "degraded"):
        controls: dict[str, Any] = {"degraded": 0.25}
        protocol = replace(protocol, **controls)
    assignments = protocol.plan(test_set, annotators, seed=1)
    care = dict.fromkeys(annotators, 1.0) | {annotators[0]: 0.0}
    answers = {
        (each.annotator, item.id): answer for each, item, answer in simulate_answers(protocol, assignments, care)
    }
    quality = quality_of_annotators(protocol, assignments, answers)
    by_name = {each.annotator: each for each in quality.annotators}
    assert {each.annotator for each in quality.annotators} == set(annotators)
    assert not set(annotators[1:]) & set(quality.careless)
    assert quality.to_dict()["meta"]["protocol"] == protocol.name
    has_controls = any(item.type == "BAD" for each in assignments for item in each.task.items)
    if has_controls:
        assert by_name[annotators[0]].verdict == case.verdict
        assert all(by_name[who].verdict == "careful" for who in annotators[1:])
    else:
        assert by_name[annotators[0]].flags, "haste shows without controls"


@PROTOCOL.rule
def a_simulated_campaign_is_analysed(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.with_redundancy(2)
    judgements = simulate_judges(protocol, protocol.plan(test_set, annotators, seed=1))
    analysis = protocol.analyse(judgements, seed=1)
    assert analysis.tables()[0].records()
    assert json.loads(analysis.render("json"))["rows"]
    assert "<table" in analysis.html(title="Simulated")


@PROTOCOL.rule
def the_order_of_judgements_does_not_matter(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.with_redundancy(2)
    judgements = simulate_judges(protocol, protocol.plan(test_set, annotators, seed=1))
    rows = list(judgements.rows())
    Random(1).shuffle(rows)
    other = Judgements.of(judgements.schema, rows)

    def numbers(some: Judgements) -> set[tuple[str, ...]]:
        """What does not hang on draws: everything but intervals, ranges and p-values of resampling."""
        table = protocol.analyse(some, seed=1).tables()[0]
        drawn = {"low", "high", "rank_low", "rank_high", "cluster", "rank"}
        return {
            tuple(
                f"{key}={round(value, 3) if isinstance(value, float) else value}"
                for key, value in row.items()
                if key not in drawn
            )
            for row in table.records()
        }

    assert numbers(judgements) == numbers(other)


@PROTOCOL.rule
def answers_do_not_depend_on_each_other(case: ProtocolCase) -> None:
    protocol, test_set, annotators = case.with_redundancy(1)
    assignments = protocol.plan(test_set, annotators, seed=1)
    forward = {(a.annotator, i.id): answer for a, i, answer in simulate_answers(protocol, assignments)}
    backward = {(a.annotator, i.id): answer for a, i, answer in simulate_answers(protocol, reversed(assignments))}
    assert forward == backward


@PROTOCOL.rule
def answers_with_one_wrong_part_are_refused_by_name(case: ProtocolCase) -> None:
    protocol, items = case.items()
    for item in items:
        for answer in spoilt(protocol.simulate(item, Draws(1, "answer"), 1.0)):
            refused_or_taken(protocol, item, answer)


def spoilt(value: Any) -> Iterator[Any]:
    """The value with something else in the place of each of its parts, and of itself."""
    yield from JUNK
    if isinstance(value, dict):
        yield from ({**value, key: other} for key in value for other in spoilt(value[key]))
    elif isinstance(value, list):
        yield from ([*value[:n], other, *value[n + 1 :]] for n in range(len(value)) for other in spoilt(value[n]))


def refused_or_taken(protocol: Protocol, item: Item, answer: Any) -> None:
    """Assert that an answer is refused with its item's name and no system's, or that it makes judgements."""
    assignment = Assignment("ada", Task("task-1", (item,)))
    try:
        protocol.check(item, answer)
    except DataError as error:
        message = str(error)
    else:
        Judgements.of(protocol.schema, protocol.record(assignment, item, answer))
        protocol.marks(item, answer)
        return
    assert item.id in message, f"the item is not named: {message}"
    assert not any(system in message for system in item.places.values()), f"a system is named: {message}"
    with raises(DataError, match=""):
        protocol.record(assignment, item, answer)


@PROTOCOL.rule
def no_answer_is_refused(case: ProtocolCase) -> None:
    protocol, items = case.items()
    nothing: tuple[Any, ...] = ({}, None, [], "yes", {"x": 1})
    for answer in nothing:
        with raises(DataError, match=f"The answer to item {items[0].id} "):
            protocol.check(items[0], answer)
