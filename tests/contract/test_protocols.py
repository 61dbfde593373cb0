"""What every protocol promises, shown on its example."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.human.planning import plan_test_set, read_plan, write_plan
from dragoman.human.protocol import LESSON, PROTOCOLS, Item, Protocol, item_of
from dragoman.human.quality import quality_of_annotators
from dragoman.human.simulated import simulate_answers, simulate_judges
from tests.human.protocol_examples import NAMES, example, renamed, with_redundancy

each_protocol = pytest.mark.parametrize("name", NAMES)
SCREENS = {
    "da", "ranking", "scales", "pairwise", "spans", "frames", "questions", "post-edit", "translate", "vote",
}  # fmt: skip


@each_protocol
@pytest.mark.parametrize("redundancy", [1, 2, 3])
def test_every_item_is_planned_exactly_redundancy_times(name: str, redundancy: int) -> None:
    protocol, test_set, annotators = with_redundancy(name, redundancy)
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


@each_protocol
def test_plans_are_pure(name: str) -> None:
    protocol, test_set, annotators = with_redundancy(name, 1)
    assert protocol.plan(test_set, annotators, seed=1) == protocol.plan(test_set, annotators, seed=1)
    assert protocol.plan(test_set, annotators, seed=1) != protocol.plan(test_set, annotators, seed=2)


@each_protocol
def test_ids_are_opaque_and_systems_stay_hidden(name: str) -> None:
    protocol, test_set, annotators = renamed(name)
    items = {item.id: item for each in protocol.plan(test_set, annotators, seed=1) for item in each.task.items}
    for item in items.values():
        public = json.dumps([item.id, dict(item.shown)], allow_nan=False)
        assert "zqx" not in public
        assert int(item.id, 16) >= 0
        assert all(word not in item.shown for word in ("type", "system", "expected"))
    assert "zqx" not in json.dumps(protocol.ask(), allow_nan=False)


@each_protocol
def test_each_showing_has_an_id_of_its_own(name: str) -> None:
    planned = plan_test_set(*(with_redundancy(name, 1)[n] for n in (1, 0, 2)), seed=1)  # type: ignore[arg-type]
    tasks = {each.task.name: each.task for each in planned.assignments}
    if name == "comprehension":  # a passage in one condition is one item, whoever hears it
        return
    ids = Counter(item.id for task in tasks.values() for item in task.items)
    assert set(ids.values()) == {1}


@each_protocol
def test_plans_are_written_and_read_back(name: str, tmp_path: Path) -> None:
    protocol, test_set, annotators = with_redundancy(name, 2)
    planned = plan_test_set(test_set, protocol, annotators, seed=1)
    write_plan(planned, tmp_path / "plan")
    assert read_plan(tmp_path / "plan") == list(planned.assignments)


@each_protocol
def test_too_few_annotators_are_refused(name: str) -> None:
    manifest = example(name)
    protocol = replace(manifest.protocol, redundancy=9)
    with pytest.raises(DataError, match=r"Each task goes to 9 different annotators.*but there are 3"):
        protocol.plan(manifest.test_set, ("ada", "ben", "chloe"), seed=1)


@each_protocol
def test_the_screen_and_the_schema_are_named(name: str) -> None:
    cls = PROTOCOLS.get(name)
    assert cls.name == name
    assert cls.screen in SCREENS
    assert {"annotator", "item"} <= {field.name for field in cls.schema.fields}


@each_protocol
@pytest.mark.parametrize("care", [0.0, 0.5, 1.0])
def test_invented_answers_are_answers(name: str, care: float) -> None:
    protocol, test_set, annotators = with_redundancy(name, 1)
    assignments = protocol.plan(test_set, annotators, seed=1)
    for assignment, item, answer in simulate_answers(protocol, assignments, care):
        json.dumps(answer, allow_nan=False)
        protocol.check(item, answer)
        rows = protocol.record(assignment, item, answer)
        assert all(item_of(str(row["item"])) == item.id for row in rows)
        assert all(row["annotator"] == assignment.annotator for row in rows)
        assert bool(rows) or item.type != "TGT"
        assert not rows or item.type not in ("GOLD", "TUT")


@each_protocol
def test_careless_judges_are_caught(name: str) -> None:
    manifest = example(name)
    protocol, test_set, annotators = with_redundancy(name, 3)
    if protocol.needs_systems and name != "comprehension" and hasattr(protocol, "degraded"):
        protocol = replace(protocol, degraded=0.25)  # type: ignore[call-arg]
    assignments = protocol.plan(test_set, annotators, seed=1)
    care = dict.fromkeys(annotators, 1.0) | {annotators[0]: 0.0}
    answers = {(each.annotator, item.id): said for each, item, said in simulate_answers(protocol, assignments, care)}
    found = quality_of_annotators(protocol, assignments, answers)
    by_name = {each.annotator: each for each in found.annotators}
    assert {each.annotator for each in found.annotators} == set(annotators)
    assert not set(annotators[1:]) & set(found.careless)
    assert found.to_dict()["meta"]["protocol"] == manifest.protocol.name
    has_controls = any(item.type == "BAD" for each in assignments for item in each.task.items)
    if has_controls:
        # A degraded sentence is shorter and has fewer frames: who links them at random falls with it.
        assert by_name[annotators[0]].verdict == ("contradictory" if name == "hmeant" else "careless")
        assert all(by_name[who].verdict == "careful" for who in annotators[1:])
    else:
        assert by_name[annotators[0]].flags, "haste shows without controls"


@each_protocol
def test_a_simulated_campaign_is_analysed(name: str) -> None:
    manifest = example(name)
    protocol, test_set, annotators = with_redundancy(name, 2)
    told = simulate_judges(protocol, protocol.plan(test_set, annotators, seed=1))
    found = protocol.analyse(told, seed=1)
    assert found.tables()[0].records()
    assert json.loads(found.render("json"))["rows"]
    assert "<table" in found.html(title=f"Simulated: {manifest.name}")


@each_protocol
def test_the_order_of_judgements_does_not_matter(name: str) -> None:
    protocol, test_set, annotators = with_redundancy(name, 2)
    told = simulate_judges(protocol, protocol.plan(test_set, annotators, seed=1))
    rows = list(told.rows())
    Random(1).shuffle(rows)
    other = Judgements.of(told.schema, rows)

    def numbers(judgements: Judgements) -> set[tuple[str, ...]]:
        """What does not hang on draws: everything but intervals, ranges and p-values of resampling."""
        table = protocol.analyse(judgements, seed=1).tables()[0]
        drawn = {"low", "high", "rank_low", "rank_high", "cluster", "rank"}
        return {
            tuple(f"{key}={round(value, 3) if isinstance(value, float) else value}" for key, value in row.items()
                  if key not in drawn)
            for row in table.records()
        }  # fmt: skip

    assert numbers(told) == numbers(other)


@each_protocol
def test_answers_do_not_depend_on_each_other(name: str) -> None:
    protocol, test_set, annotators = with_redundancy(name, 1)
    assignments = protocol.plan(test_set, annotators, seed=1)
    forward = {(a.annotator, i.id): said for a, i, said in simulate_answers(protocol, assignments)}
    backward = {(a.annotator, i.id): said for a, i, said in simulate_answers(protocol, reversed(assignments))}
    assert forward == backward


junk: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20),
        st.sampled_from(["\ud800", "\x00", "A", "tie", "yes", 10**30, -1, 10**6, float("nan")]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)  # fmt: skip


def items_of(name: str) -> tuple[Protocol, list[Item]]:
    protocol, test_set, annotators = with_redundancy(name, 1)
    first: dict[str, Item] = {}
    for each in protocol.plan(test_set, annotators, seed=1):
        for item in each.task.items:
            first.setdefault(item.type, item)
    return protocol, list(first.values())


@each_protocol
def test_hostile_answers_are_refused_by_name(name: str) -> None:
    protocol, items = items_of(name)

    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        item = data.draw(st.sampled_from(items))
        fields = [*protocol.simulate(item, Draws(1, "fields"), 1.0), "spans", "x"]
        said = data.draw(st.one_of(junk, st.dictionaries(st.sampled_from(fields), junk, max_size=4)))
        refused_or_taken(protocol, item, said)

    run()


@each_protocol
def test_answers_with_one_wrong_part_are_refused_by_name(name: str) -> None:
    protocol, items = items_of(name)

    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        item = data.draw(st.sampled_from(items))
        said = protocol.simulate(item, Draws(data.draw(st.integers(0, 50)), "said"), 1.0)
        refused_or_taken(protocol, item, spoilt(said, data))

    run()


def spoilt(value: Any, data: st.DataObject) -> Any:
    """The value with something else somewhere inside."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: spoilt(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], spoilt(value[place], data), *value[place + 1 :]]
    return data.draw(junk)


def refused_or_taken(protocol: Protocol, item: Item, said: Any) -> None:
    from dragoman.human.protocol import Assignment, Task

    assignment = Assignment("ada", Task("task-1", (item,)))
    try:
        protocol.check(item, said)
    except DataError as error:
        message = str(error)
    else:
        Judgements.of(protocol.schema, protocol.record(assignment, item, said))
        protocol.marks(item, said)
        return
    assert item.id in message
    assert not any(system in message for system in item.places.values())
    with pytest.raises(DataError):
        protocol.record(assignment, item, said)


@each_protocol
@pytest.mark.parametrize("answer", [{}, None, [], "yes", {"x": 1}])
def test_no_answer_is_refused(name: str, answer: Any) -> None:
    protocol, items = items_of(name)
    with pytest.raises(DataError, match=f"The answer to item {items[0].id} "):
        protocol.check(items[0], answer)
