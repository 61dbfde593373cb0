"""Plans of every protocol, whatever their size: exact redundancy, nothing shown twice, overlap met, coverage told."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import TestSet
from dragoman.human.planning import CampaignPlan, plan_test_set
from dragoman.human.protocol import LESSON, Protocol
from dragoman.human.protocols.blind_editing import BlindEditing
from tests.examples import examples
from tests.human.protocol_examples import NAMES, example

each_protocol = pytest.mark.parametrize("name", NAMES)


def part_of(test_set: TestSet, n_segments: int, n_systems: int) -> TestSet:
    """The first segments and systems of a test set."""
    values = {each.name: getattr(test_set, each.name) for each in fields(test_set)}
    for name in ("srcs", "docs", "origlangs", "domains"):
        values[name] = None if values[name] is None else values[name][:n_segments]
    values["refs"] = {name: lines[:n_segments] for name, lines in test_set.refs.items()}
    values["systems"] = {name: lines[:n_segments] for name, lines in list(test_set.systems.items())[:n_systems]}
    return TestSet(**values)


@st.composite
def plans(draw: st.DrawFn, name: str) -> tuple[CampaignPlan, Protocol]:
    manifest = example(name)
    redundancy = draw(st.integers(1, 3))
    overlap = draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))
    protocol = replace(manifest.protocol, redundancy=redundancy, overlap=overlap)
    test_set = manifest.test_set
    if name == "comprehension":  # asks about passages that its questions name; everybody hears each once
        protocol = replace(protocol, overlap=1.0)
        people = redundancy * len(test_set.systems) + draw(st.integers(0, 2))
    else:
        systems = len(test_set.systems)
        protocol = replace(protocol, gold=(), tutorial=())
        # A task of direct assessment has seventy outputs.
        least, most = (40, 80) if name == "da" else (min(len(test_set), 12), min(len(test_set), 40))
        # A snippet of blind editing has segments of so many systems; edits that are reviewed are of the whole set.
        fewest = protocol.size if isinstance(protocol, BlindEditing) else min(2, systems)
        n_systems = draw(st.integers(fewest, systems))
        if name != "blind-review":
            test_set = part_of(test_set, draw(st.integers(least, most)), n_systems)
        people = redundancy + draw(st.integers(0, 5))
    names = tuple(f"p{number}" for number in range(people))
    return plan_test_set(test_set, protocol, names, seed=draw(st.integers(0, 2**32))), protocol


@each_protocol
@examples(15)
@given(data=st.data())
def test_a_plan_keeps_what_it_promises(name: str, data: st.DataObject) -> None:
    planned, protocol = data.draw(plans(name))
    work = [each for each in planned.assignments if each.task.name != LESSON]
    # Every task goes to its redundancy of different people, and to one person only beyond the quota of overlap.
    hands: dict[str, list[str]] = {}
    for each in work:
        hands.setdefault(each.task.name, []).append(each.annotator)
    assert all(len(set(own)) == len(own) for own in hands.values())
    sizes = Counter(len(own) for own in hands.values())
    if name == "comprehension":
        assert set(sizes) == {1}
    else:
        shared = round(protocol.overlap * len(hands)) if protocol.redundancy > 1 else 0
        wanted = Counter({protocol.redundancy: shared, 1: len(hands) - shared})
        assert sizes == +wanted
        loads = Counter(each.annotator for each in work)
        least = min(loads[who] for who in planned.annotators)
        assert max(loads.values()) - least <= 1
    # Nobody sees an output twice, but for repeats, controls beside their originals, and fillers.
    for who in planned.annotators:
        seen: Counter[tuple[str, int]] = Counter()
        shown: Counter[str] = Counter()
        for each in work:
            if each.annotator == who:
                for item in each.task.items:
                    shown[item.id] += 1
                    if item.type == "TGT" and not item.is_filler:
                        seen.update(item.contents)
        assert max(shown.values(), default=1) == 1
        assert max(seen.values(), default=1) == 1
        for each in work:
            if each.annotator == who:
                for item in each.task.items:
                    if item.type == "CHK":
                        others = [other.contents for other in each.task.items if other.id != item.id]
                        assert item.contents in others, "what is repeated is in the same sitting"
    # The coverage says what was planned, before anybody is invited.
    covered = planned.coverage()
    rows = {row["system"]: row for row in planned.tables()[0].records()}
    by_system: dict[str, list[int]] = {}
    for (system, _), count in covered.items():
        by_system.setdefault(system or "(source)", []).append(count)
    assert {system: (len(own), min(own), max(own)) for system, own in by_system.items()} == {
        system: (row["outputs"], row["least"], row["most"]) for system, row in rows.items()
    }
    if name == "comprehension" or protocol.overlap == 1:
        assert set(covered.values()) == {protocol.redundancy}
    else:
        assert set(covered.values()) <= {1, protocol.redundancy}
    left = planned.n_outputs - len(covered)
    assert left >= 0
    assert ("are left out" in (planned.tables()[0].note or "")) == (left > 0)


def test_a_plan_says_for_whom_there_is_no_task() -> None:
    """Documents that fit in one task: of three annotators one has nothing, and the plan says so."""
    manifest = example("da")
    options = {"level": "document", "section_size": 1000}
    protocol = replace(manifest.protocol, redundancy=2, overlap=1.0, gold=(), tutorial=(), **options)
    planned = plan_test_set(manifest.test_set, protocol, ("ada", "ben", "chloe"), seed=1)
    (idle,) = planned.idle
    assert planned.meta()["idle"] == [idle]
    assert f"nothing to judge for {idle}: plan smaller tasks or a higher redundancy" in planned.render("text")
    everybody = plan_test_set(manifest.test_set, replace(protocol, redundancy=3), ("ada", "ben", "chloe"), seed=1)
    assert everybody.idle == ()
    assert "nothing to judge" not in everybody.render("text")
