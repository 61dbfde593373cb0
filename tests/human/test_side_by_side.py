"""Screens of several outputs: balance, consecutive segments, traps, records."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.comparisons import compare_pairwise
from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.human.planning import plan_test_set
from dragoman.human.protocol import Assignment, Item, Task
from dragoman.human.protocols.crowd import CrowdVoting
from dragoman.human.protocols.ranking import Pairwise, Ranking
from dragoman.human.side_by_side import screens_of
from dragoman.human.simulated import simulate_judges
from tests.human.made_sets import made_set

PEOPLE = ("ada", "ben", "chloe")


def items(protocol: Ranking | Pairwise | CrowdVoting, n_systems: int = 7, n_segments: int = 40) -> list[Item]:
    tasks = protocol.tasks(made_set(n_systems, n_segments), seed=1)
    return [item for task in tasks for item in task.items]


@given(st.integers(2, 9), st.integers(1, 12), st.integers(2, 5), st.integers(1, 4), st.integers(0, 99))
def test_screens_show_all_systems_equally_often(n: int, segments: int, size: int, count: int, seed: int) -> None:
    systems = [f"s{k}" for k in range(n)]
    size = min(size, n)
    dealt = screens_of(systems, segments, size, count, Draws(seed, "x"))
    assert len(dealt) == segments
    for screens in dealt:
        assert all(len(screen) == len(set(screen)) == size for screen in screens)
        shown = Counter(name for screen in screens for name in screen)
        times = [shown[name] for name in systems]
        assert max(times) - min(times) <= 1
    total = Counter(name for screens in dealt for screen in screens for name in screen)
    assert max(total[name] for name in systems) - min(total[name] for name in systems) <= 1


def test_all_pairs_meet_about_equally_often() -> None:
    dealt = screens_of([f"s{k}" for k in range(13)], 60, 5, 3, Draws(1, "x"))
    met: Counter[tuple[str, str]] = Counter()
    for screens in dealt:
        for screen in screens:
            met.update(combinations(sorted(screen), 2))
    counts = [met[pair] for pair in combinations(sorted({name for pair in met for name in pair}), 2)]
    expected = sum(counts) / len(counts)
    # Multinomial noise would give a χ² of about the number of pairs (spec: wmt12-he, acceptance 4).
    assert sum((count - expected) ** 2 / expected for count in counts) < len(counts)


def test_a_run_is_three_consecutive_segments_of_one_document() -> None:
    protocol = Ranking(repeats=0, degraded=0)
    runs = protocol._runs(made_set(5, 40))
    assert sorted(segment for run in runs for segment in run) == list(range(1, 41))
    assert Counter(map(len, runs)) == {3: 12, 1: 4}  # documents of ten
    for run in runs:
        assert run == list(range(run[0], run[0] + len(run)))
        assert (run[0] - 1) // 10 == (run[-1] - 1) // 10
    shown = [item.segment for task in protocol.tasks(made_set(5, 40), seed=1) for item in task.items]
    assert all(shown.index(run[0]) + 1 == shown.index(run[1]) for run in runs if len(run) > 1)


def test_neighbours_are_of_the_same_document() -> None:
    found = {item.segment: item.shown for item in items(Ranking(repeats=0, degraded=0), 5)}
    assert found[10]["before"] == ["q8.0 q8.1 q8.2 q8.3 q8.4 q8.5 q8.6 q8.7"]
    assert found[10]["after"] == []
    assert found[11]["before"] == []


def test_a_trap_shows_an_output_beside_its_degraded_copy() -> None:
    traps = [item for item in items(Ranking(degraded=0.3)) if item.type == "BAD"]
    assert traps
    for item in traps:
        [[better, worse]] = item.expected["order"]  # type: ignore[index]
        texts = {card["place"]: card["text"] for card in item.shown["outputs"]}
        assert item.places[better] == item.places[worse]
        assert len(texts[worse]) < len(texts[better])
        assert len(texts) == 5
    two = [item for item in items(Pairwise(degraded=0.3)) if item.type == "BAD"]
    assert all(len(item.places) == 2 == 1 + len(set(item.places.values()) - {""}) for item in two)


def test_repeats_follow_their_originals_with_the_systems_elsewhere() -> None:
    for task in Ranking(repeats=0.3, degraded=0).tasks(made_set(5, 40), seed=1):
        place = {item.segment: n for n, item in enumerate(task.items) if item.type == "TGT"}
        repeats = [(n, item) for n, item in enumerate(task.items) if item.type == "CHK"]
        assert repeats
        assert all(n > place[item.segment] + 1 for n, item in repeats)


def test_ranks_become_judgements() -> None:
    protocol = Ranking()
    item = next(item for item in items(protocol, 3) if item.type == "TGT")
    given_ranks = {"A": 2, "B": 1, "C": 2}
    assignment = Assignment("ada", Task("task-1", (item,)))
    [row] = protocol.record(assignment, item, {"ranks": given_ranks, "seconds": 3})
    said = {row[f"system{n}"]: row[f"rank{n}"] for n in (1, 2, 3)}
    assert said == {item.places[place]: rank for place, rank in given_ranks.items()}
    assert (row["source_lang"], row["target_lang"], row["system4"], row["rank5"]) == ("de", "en", None, None)
    nameless = replace(item, langs=(None, None))
    assert protocol.record(assignment, nameless, {"ranks": given_ranks})[0]["source_lang"] == "und"
    assert protocol.marks(item, {"ranks": given_ranks}) == {"A": -2.0, "B": -1.0, "C": -2.0}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"ranks": {"A": 1, "B": 2}}, "has no rank for C; every output gets one."),
        ({"ranks": {"A": 1, "B": 2, "C": 6}}, "has the rank '6' for C; expected a whole number, 1 to 5."),
        ({"ranks": {"A": 1, "B": 2, "C": True}}, "has the rank 'True' for C; expected a whole number, 1 to 5."),
        ({"ranks": {"A": 1, "B": 2, "C": 1, "D": 1}}, "has D in its ranks; expected A, B, C."),
        ({"ranks": [1, 2, 3]}, "has the wrong ranks; expected an object."),
        ({}, "has no ranks; expected an object."),
        ({"ranks": {"A": 1, "B": 1, "C": 1}, "seconds": -1}, "has the seconds -1; expected a number from 0 on."),
    ],
)
def test_wrong_ranks_are_named(answer: dict[str, object], message: str) -> None:
    protocol = Ranking()
    item = next(item for item in items(protocol, 3) if item.type == "TGT")
    with pytest.raises(DataError) as found:
        protocol.check(item, answer)
    assert str(found.value) == f"The answer to item {item.id} {message}"


def test_blanks_are_absent() -> None:
    protocol = Ranking(blanks=True)
    item = next(item for item in items(protocol, 3) if item.type == "TGT")
    [row] = protocol.record(Assignment("ada", Task("t", (item,))), item, {"ranks": {"A": 1, "B": None}})
    assert [row[f"rank{n}"] for n in (1, 2, 3)] == [1, None, None]
    assert protocol.marks(item, {"ranks": {"A": 1}}) == {"A": -1.0}


def test_preferences_are_rankings_of_two() -> None:
    protocol = Pairwise()
    item = next(item for item in items(protocol, 2) if item.type == "TGT")
    assignment = Assignment("ada", Task("t", (item,)))
    for choice, ranks in (("A", (1, 2)), ("B", (2, 1)), ("tie", (1, 1))):
        [row] = protocol.record(assignment, item, {"choice": choice})
        assert (row["rank1"], row["rank2"]) == ranks
    with pytest.raises(DataError, match=r"has the choice 'tie'; expected A, B\.$"):
        Pairwise(ties=False).check(item, {"choice": "tie"})
    planned = plan_test_set(made_set(2, 40), protocol, PEOPLE, seed=1)
    found = compare_pairwise(simulate_judges(protocol, planned.assignments))
    assert len(found) == 40 + sum(item.type == "CHK" for task in planned.tasks for item in task.items)


def test_votes_need_all_translations_on_one_screen() -> None:
    with pytest.raises(DataError, match="There are 9 translations, but outputs is 8; all must be on the screen"):
        items(CrowdVoting(), 9)
    with pytest.raises(DataError, match="outputs is 13; a screen of crowd-voting has room for 12"):
        CrowdVoting(outputs=13)
    with pytest.raises(DataError, match="screens is 2; a segment is voted on once"):
        CrowdVoting(screens=2)


def test_votes_are_counted() -> None:
    from dragoman.human.crowd.votes import votes_among

    protocol = CrowdVoting(redundancy=3)
    told = simulate_judges(protocol, protocol.plan(made_set(4, 10), PEOPLE, seed=1))
    votes = votes_among(told)
    assert len(votes) == 10
    assert all(sum(each.votes) == 3 and len(each.translations) == 4 for each in votes.segments)
    first = next(told.rows())
    with pytest.raises(DataError, match="Vote 1 does not say what could be chosen"):
        votes_among(type(told).of(told.schema, [{**first, "among": None}]))
    other = {**first, "annotator": "zoe", "among": json.dumps({str(first["translator"]): "x"})}
    with pytest.raises(DataError, match="Vote 2 was cast among other translations of segment"):
        votes_among(type(told).of(told.schema, [first, other]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"against": "nothing"}, "against is 'nothing'; expected source, reference or both."),
        ({"outputs": 1}, "outputs is 1; expected at least 2."),
        ({"outputs": 6}, "outputs is 6; a screen of ranking has room for 5."),
        ({"repeats": 0.6}, "repeats is 0.6; expected a share from 0 to 0.5."),
        ({"repeats": 0.3, "degraded": 0.3}, "repeats and degraded are 0.6 together; expected at most 0.5."),
        ({"overlap": 1.5}, "overlap is 1.5; expected a share from 0 to 1."),
        ({"gold": [1]}, "gold is '[1]'; expected a list of tables."),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError) as found:
        Ranking(**options)  # type: ignore[arg-type]
    assert str(found.value) == message


def test_one_system_cannot_be_compared() -> None:
    with pytest.raises(DataError, match="Outputs are compared with each other; the test set has one system only"):
        items(Ranking(), 1)


def test_overlap_shares_some_tasks() -> None:
    planned = plan_test_set(made_set(5, 120), Ranking(redundancy=2, overlap=0.25, runs=2), PEOPLE, seed=1)
    hands = Counter(each.task.name for each in planned.assignments)
    assert Counter(hands.values()) == {1: round(0.75 * len(hands)), 2: round(0.25 * len(hands))}
    assert "each judged by 1 to 2 of 3 annotators" in planned.render()


def test_gold_and_lessons() -> None:
    gold = [{"segment": 1, "better": "sys-0", "worse": "sys-1"}]
    lesson = [{"segment": 2, "better": "sys-2", "worse": "sys-1", "hint": "Look at the verb."}]
    protocol = Ranking(redundancy=2, gold=gold, tutorial=lesson)
    planned = plan_test_set(made_set(7, 40), protocol, PEOPLE, seed=1)
    lessons = [each for each in planned.assignments if each.task.name == "tutorial"]
    assert [each.annotator for each in lessons] == list(PEOPLE)
    assert planned.assignments[: len(PEOPLE)] == tuple(lessons)
    assert lessons[0].task.items[0].shown["hint"] == "Look at the verb."
    for task in planned.tasks[1:]:
        [known] = [item for item in task.items if item.type == "GOLD"]
        [[better, worse]] = known.expected["order"]  # type: ignore[index]
        assert (known.places[better], known.places[worse]) == ("sys-0", "sys-1")
        assert len(known.places) == 5
    assert f"{len(planned.tasks) - 1} items of gold, 1 of a tutorial" in planned.render()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"segment": 1, "better": "sys-0"}, "An entry of gold has no worse; it needs segment, better, worse."),
        (
            {"segment": "1", "better": "a", "worse": "b"},
            "An entry of gold has the segment '1'; expected a whole number.",
        ),
        (
            {"segment": 99, "better": "sys-0", "worse": "sys-1"},
            "An entry of gold has the segment 99; the test set has 40.",
        ),
        (
            {"segment": 1, "better": "sys-0", "worse": "sys-1", "x": 1},
            "An entry of gold has 'x'; known: segment, better",
        ),
        ({"segment": 1, "better": "sys-9", "worse": "sys-1"}, "The test set 'made' has no system 'sys-9'."),
        ({"hint": "x"}, "An entry of gold has a hint, by which it would be known; hints are for the tutorial."),
    ],
)
def test_wrong_gold_is_named(entry: dict[str, object], message: str) -> None:
    from dragoman.errors import DragomanError

    with pytest.raises(DragomanError) as found:
        Ranking(gold=[entry]).plan(made_set(7, 40), PEOPLE, seed=1)
    assert str(found.value).startswith(message)


def test_direct_assessments_of_screens_are_not_invented() -> None:
    from dragoman.human.direct_assessment.simulation import simulate_judgements

    assignments = Ranking().plan(made_set(3, 12), PEOPLE, seed=1)
    with pytest.raises(DataError, match="The plan does not show one output at a time"):
        simulate_judgements(assignments, {"sys-0": 50.0}, dict.fromkeys(PEOPLE, "honest"), seed=1)
