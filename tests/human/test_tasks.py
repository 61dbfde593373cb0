"""Tasks of direct assessment: counts, distances and coverage, whatever the size of the test set."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import TestSet
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.human.direct_assessment.degraders import deleted_words
from dragoman.human.direct_assessment.protocol import DirectAssessment
from dragoman.human.planning import plan_test_set
from dragoman.human.protocol import Task, deal
from tests.examples import examples
from tests.human.made_sets import made_set as make

PEOPLE = tuple(f"p{i}" for i in range(5))


def check_task(task: Task, *, size: int = 10, controls: int = 1) -> list[int]:
    """DA-TIME, Table 2: 70 outputs, 10 of each control, 7 + 1 + 1 + 1 in a section; the distances found."""
    per = size - 3 * controls
    kinds = Counter(item.type for item in task.items)
    assert kinds == {"TGT": 10 * per, "BAD": 10 * controls, "CHK": 10 * controls, "REF": 10 * controls}
    sections = [task.items[start : start + size] for start in range(0, 10 * size, size)]
    for number, section in enumerate(sections):
        assert Counter(item.type for item in section) == {"TGT": per, "BAD": controls, "CHK": controls, "REF": controls}
        partner = {item.content for item in sections[(number + 5) % 10] if item.type == "TGT"}
        originals = [item.content for item in section if item.type != "TGT"]
        assert set(originals) <= partner
        assert len(set(originals)) == 3 * controls  # each control has an original of its own
    places = {item.content: place for place, item in enumerate(task.items) if item.type == "TGT"}
    assert len(places) == 10 * per
    assert len({item.id for item in task.items}) == 10 * size
    return [abs(place - places[item.content]) for place, item in enumerate(task.items) if item.type != "TGT"]


@given(
    st.integers(1, 7), st.integers(12, 60), st.integers(1, 5), st.integers(0, 999), st.sampled_from(["fill", "leave"])
)
def test_every_plan_keeps_the_counts(n_systems: int, n_segments: int, redundancy: int, seed: int, rest: str) -> None:
    test_set = make(n_systems, n_segments)
    protocol = DirectAssessment(redundancy=redundancy, rest=rest)
    if n_systems * n_segments < 70:
        with pytest.raises(DataError, match=r"^A task holds 70 different outputs, but the test set has"):
            plan_test_set(test_set, protocol, PEOPLE, seed=seed)
        return
    plan = plan_test_set(test_set, protocol, PEOPLE, seed=seed)
    distances = [distance for task in plan.tasks for distance in check_task(task)]
    assert min(distances) >= 41
    assert max(distances) <= 59
    covered = plan.coverage()
    assert set(covered.values()) == {redundancy}
    whole, left = divmod(n_systems * n_segments, 70)
    assert len(covered) == (n_systems * n_segments if rest == "fill" else 70 * whole)
    assert len(plan.tasks) == whole + (rest == "fill" and left > 0)
    fillers = [item for task in plan.tasks for item in task.items if item.is_filler]
    assert len(fillers) == (70 - left if rest == "fill" and left else 0)
    for task in plan.tasks:
        shares = Counter(item.system for item in task.items if item.type == "TGT" and not item.is_filler)
        if not any(item.is_filler for item in task.items):
            assert max(shares.values()) - min(shares[name] for name in test_set.systems) <= 2
    load = Counter(assignment.annotator for assignment in plan.assignments)
    assert max(load.values()) - min(load[name] for name in PEOPLE) <= 1
    for task in plan.tasks:
        hands = [each.annotator for each in plan.assignments if each.task == task]
        assert len(set(hands)) == len(hands) == redundancy


@examples(10)
@given(st.integers(0, 999), st.sampled_from([(4, 0.25), (10, 0.1), (20, 0.05), (20, 0.15)]))
def test_other_sizes_keep_the_structure(seed: int, shape: tuple[int, float]) -> None:
    size, share = shape
    shares = {"bad": share, "repeat": share, "reference": share}
    if size == 4:
        shares = {"bad": 0.25}
    protocol = DirectAssessment(section_size=size, controls=shares)
    for task in plan_test_set(make(4, 60), protocol, PEOPLE, seed=seed).tasks:
        if size == 4:
            assert Counter(item.type for item in task.items) == {"TGT": 30, "BAD": 10}
        else:
            assert min(check_task(task, size=size, controls=round(size * share))) > 4 * size


def test_items_show_what_they_are() -> None:
    test_set = make()
    plan = plan_test_set(test_set, DirectAssessment(), PEOPLE, seed=3)
    for item in (item for task in plan.tasks for item in task.items):
        output = test_set.systems[item.system][item.segment - 1]
        reference = test_set.refs["A"][item.segment - 1]
        assert item.doc == f"doc-{(item.segment - 1) // 10}"
        assert set(item.shown) == {"text", "reference"}
        assert item.shown["reference"] == reference
        assert not any("sys-" in text for text in item.shown.values())
        if item.type in ("TGT", "CHK"):
            assert item.shown["text"] == output
        elif item.type == "REF":
            assert item.shown["text"] == reference
        else:
            assert len(item.shown["text"].split()) == 8 - deleted_words(8)


def test_fluency_shows_the_output_alone() -> None:
    plan = plan_test_set(make(), DirectAssessment(attribute="fluency"), PEOPLE, seed=3)
    assert {tuple(item.shown) for task in plan.tasks for item in task.items} == {("text",)}
    bad = [item.shown["text"].split() for task in plan.tasks for item in task.items if item.type == "BAD"]
    assert {len(words) for words in bad} == {10}


def test_the_source_may_stand_beside() -> None:
    protocol = DirectAssessment(against="source", controls={"bad": 0.1, "repeat": 0.1}, degrader="delete")
    without = TestSet(srcs=make().srcs, systems=make().systems, target_lang="en")
    plan = plan_test_set(without, protocol, PEOPLE, seed=3)
    assert {tuple(sorted(item.shown)) for task in plan.tasks for item in task.items} == {("source", "text")}


def test_a_plan_is_a_function_of_its_seed() -> None:
    first, again, other = (plan_test_set(make(), DirectAssessment(), PEOPLE, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.tasks != other.tasks


def test_words_are_replaced_by_others_references() -> None:
    plan = plan_test_set(make(), DirectAssessment(degrader="replace"), PEOPLE, seed=3)
    for item in (item for task in plan.tasks for item in task.items if item.type == "BAD"):
        strange = [word for word in item.shown["text"].split() if word.startswith("r")]
        assert len(strange) == 4
        assert not any(word.startswith(f"r{item.segment - 1}.") for word in strange)


def test_sections_of_short_outputs_are_refused() -> None:
    with pytest.raises(DataError, match=r"^None of 7 outputs of a section can be degraded by 'duplicate', among them"):
        plan_test_set(make(words=3), DirectAssessment(attribute="fluency"), PEOPLE, seed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"redundancy": 0}, "redundancy is 0; every item is judged by at least one annotator."),
        ({"attribute": "beauty"}, "attribute is 'beauty'; expected adequacy or fluency."),
        ({"against": "both"}, "against is 'both'; expected reference, source or nothing."),
        ({"attribute": "fluency", "against": "source"}, "Fluency is judged on the output alone; against is 'source'."),
        ({"rest": "drop"}, "rest is 'drop'; expected fill or leave."),
        ({"controls": {"good": 0.1}}, "There is no control 'good'. Known: bad, repeat, reference."),
        ({"controls": {"bad": 0.15}}, "The control 'bad' has the share 0.15, which is no whole number of items"),
        ({"controls": {"bad": -0.1}}, "The control 'bad' has the share -0.1, which is no whole number of items"),
        ({"controls": {"bad": 0.6}}, "A section of 10 items has 6 controls and only 4 outputs to make them from."),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError) as found:
        DirectAssessment(**options)  # type: ignore[arg-type]
    assert str(found.value).startswith(message)


def test_wrong_test_sets_are_named() -> None:
    for test_set, message in (
        (TestSet(srcs=["a"]), "The test set has no systems to judge."),
        (TestSet(systems={"a": ["b"] * 70}), "The test set has no reference, which this plan shows or needs"),
        (TestSet(systems={"a": ["b c"] * 100}, refs={"A": [None, *["x"] * 99]}), "Segment 1 has no reference to show."),
    ):
        with pytest.raises(DataError, match=f"^{message}"):
            plan_test_set(test_set, DirectAssessment(controls={}), PEOPLE, seed=1)
    with pytest.raises(DataError, match=r"^The test set has no source, which this plan shows\.$"):
        plan_test_set(TestSet(systems={"a": ["b"]}), DirectAssessment(against="source", controls={}), PEOPLE, seed=1)


def test_answers_are_checked() -> None:
    protocol = DirectAssessment()
    assignment = plan_test_set(make(), protocol, PEOPLE, seed=1).assignments[0]
    item = assignment.task.items[0]
    [row] = protocol.record(assignment, item, {"score": 57, "seconds": 12})
    assert row["score"] == 57.0
    assert (row["annotator"], row["task"], row["attribute"]) == (assignment.annotator, "task-1", "adequacy")
    assert (row["system"], row["segment"], row["item"], row["type"]) == (*item.content, item.id, item.type)
    for answer, message in (
        ({"score": 101}, f"The answer to item {item.id} has the score 101; expected a number from 0 to 100."),
        ({"score": "50"}, f"The answer to item {item.id} has the score '50'; expected a number from 0 to 100."),
        ({}, f"The answer to item {item.id} has no score; move the slider first."),
        ({"score": 1, "rank": 2}, f"The answer to item {item.id} has rank; expected score, seconds."),
        ({"score": 1, "seconds": -2}, f"The answer to item {item.id} has the seconds -2; expected a number from"),
    ):
        with pytest.raises(DataError) as found:
            protocol.check(item, answer)
        assert str(found.value).startswith(message)


@given(
    st.integers(0, 12), st.integers(1, 5), st.integers(1, 5), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(0, 50)
)
def test_nobody_has_a_task_twice(n_tasks: int, n_people: int, redundancy: int, overlap: float, seed: int) -> None:
    tasks = [Task(f"t{number}", ()) for number in range(n_tasks)]
    people = [f"p{number}" for number in range(n_people)]
    copies = min(redundancy, n_people)
    dealt = deal(tasks, people, redundancy=copies, seed=seed, overlap=overlap)
    assert len({(each.annotator, each.task.name) for each in dealt}) == len(dealt)
    counts = Counter(each.task.name for each in dealt)
    assert sum(counts.values()) == n_tasks + round(overlap * n_tasks) * (copies - 1)
    loads = Counter(dict.fromkeys(people, 0)) + Counter(each.annotator for each in dealt)
    assert max(loads.values(), default=0) - min((loads[name] for name in people), default=0) <= 1


def test_annotators_meet_many_others() -> None:
    tasks = [Task(f"t{i}", ()) for i in range(28)]
    dealt = deal(tasks, [f"p{i}" for i in range(8)], redundancy=2, seed=1)
    pairs = Counter(tuple(sorted(each.annotator for each in dealt if each.task.name == task.name)) for task in tasks)
    assert len(pairs) > 14  # taking turns alone would make four pairs of the eight
    assert set(Counter(each.annotator for each in dealt).values()) == {7}


def test_dealing_names_what_is_wrong() -> None:
    with pytest.raises(DataError, match=r"^Two annotators are called 'a'; names must differ\.$"):
        deal([], ["a", "a"], redundancy=1, seed=1)
    with pytest.raises(DataError, match=r"^Each task goes to 3 different annotators, but there are 2\. Invite more"):
        deal([], ["a", "b"], redundancy=3, seed=1)


@pytest.mark.realdata
def test_real_outputs_of_wmt13(data_folder) -> None:  # type: ignore[no-untyped-def]
    """DA-TIME acceptance 1: WMT13 es-en, 70/10/10/10, 7 + 3, distances 41–59, every original in its task."""
    folder = data_folder / "newstest2013"
    systems = {
        path.name.split("es-en.")[1].removesuffix(".gz"): read_lines(path) for path in (folder / "es-en").iterdir()
    }
    test_set = TestSet(
        systems=systems, refs={"A": read_lines(folder / "references" / "newstest2013.en.gz")}, target_lang="en"
    )
    for protocol in (DirectAssessment(), DirectAssessment(attribute="fluency")):
        plan = plan_test_set(test_set, protocol, PEOPLE, seed=2013)
        assert len(plan.tasks) == -(-17 * 3000 // 70)
        distances = [distance for task in plan.tasks for distance in check_task(task)]
        assert (min(distances), max(distances)) == (41, 59)
        assert len(plan.coverage()) == 51_000
        assert set(plan.coverage().values()) == {1}
