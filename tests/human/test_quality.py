"""Quality control while a campaign runs, the next task, and when it is enough."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.completion import completion_code, is_completion_code
from dragoman.human.direct_assessment.analysis import analyse_direct
from dragoman.human.direct_assessment.protocol import DirectAssessment
from dragoman.human.dynamic import next_task, standing
from dragoman.human.protocol import LESSON, Assignment, Protocol, Task
from dragoman.human.protocols.ranking import Pairwise, Ranking
from dragoman.human.protocols.scales import AdequacyFluency
from dragoman.human.quality import _flip_p, leave_out, quality_of_annotators
from dragoman.human.simulated import simulate_answers, simulate_judges
from tests.human.made_sets import made_set

PEOPLE = ("ada", "ben", "chloe", "dmitri")
Answers = dict[tuple[str, str], dict[str, Any]]


def answered(protocol: Protocol, assignments: list[Assignment], care: float | dict[str, float] = 1.0) -> Answers:
    return {(each.annotator, item.id): said for each, item, said in simulate_answers(protocol, assignments, care)}


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_flipped_signs_are_counted_exactly(gaps: list[int]) -> None:
    reached = [sum(s * g for s, g in zip(signs, gaps, strict=True)) for signs in product((-1, 1), repeat=len(gaps))]
    assert _flip_p(gaps) == pytest.approx(np.mean([total >= sum(gaps) for total in reached]))


def test_many_flips_are_drawn_and_never_zero() -> None:
    assert _flip_p([1.0] * 40) == pytest.approx(1 / 20_001)
    assert _flip_p([1.0, -1.0] * 20) == _flip_p([1.0, -1.0] * 20)
    assert _flip_p([]) is None


def test_before_the_first_answer_nothing_is_said() -> None:
    protocol = Ranking(redundancy=2)
    assignments = protocol.plan(made_set(5, 40), PEOPLE, seed=1)
    found = quality_of_annotators(protocol, assignments, {})
    assert [each.verdict for each in found.annotators] == ["undecided"] * 4
    assert found.careless == ()
    assert {each.answered for each in found.annotators} == {0}
    assert all(each.assigned > 0 for each in found.annotators)


def test_answers_to_unassigned_items_are_left_aside() -> None:
    protocol = AdequacyFluency()
    assignments = protocol.plan(made_set(3, 20), PEOPLE, seed=1)
    strange: Answers = {("ada", "0" * 16): {"adequacy": 1, "fluency": 1}, ("zoe", "1" * 16): {"adequacy": 1}}
    found = quality_of_annotators(protocol, assignments, strange)
    assert found.n_answers == 0
    assert "zoe" not in {each.annotator for each in found.annotators}


def test_failed_gold_is_careless() -> None:
    gold = [{"segment": 1, "system": "sys-0", "low": 4}]
    protocol = AdequacyFluency(gold=gold, degraded=0, repeats=0, task_size=4)
    assignments = protocol.plan(made_set(3, 40), ("ada", "ben"), seed=1)
    answers = answered(protocol, assignments)
    for each in assignments:
        for item in each.task.items:
            if item.type == "GOLD" and each.annotator == "ada":
                answers["ada", item.id] = {"adequacy": 1, "fluency": 1}
    by_name = {each.annotator: each for each in quality_of_annotators(protocol, assignments, answers).annotators}
    assert by_name["ada"].verdict == "careless"
    assert by_name["ada"].reason == "15 of 15 known answers are wrong"
    assert by_name["ben"].gold_right == by_name["ben"].n_gold == 15
    assert by_name["ben"].verdict == "undecided"


def test_haste_and_sameness_are_flagged_and_exclude_nobody() -> None:
    protocol = DirectAssessment(redundancy=2)
    assignments = protocol.plan(made_set(3, 50), ("ada", "ben"), seed=1)
    answers = answered(protocol, assignments) | {
        ("ada", item.id): {"score": 50, "seconds": 1.0}
        for each in assignments
        if each.annotator == "ada"
        for item in each.task.items
    }
    by_name = {each.annotator: each for each in quality_of_annotators(protocol, assignments, answers).annotators}
    assert by_name["ada"].flags[0] == "under 3 s an item"
    assert by_name["ada"].flags[1].startswith("the same answer ")
    assert by_name["ben"].flags == ()
    assert by_name["ben"].repeat_error == pytest.approx(9, abs=4)


def test_exclusion_deletes_nothing() -> None:
    protocol = DirectAssessment()
    told = simulate_judges(protocol, protocol.plan(made_set(3, 50), PEOPLE, seed=1))
    first = str(told["annotator"][0])
    kept = leave_out(told, [first])
    assert 0 < len(kept) < len(told)
    assert set(kept["annotator"]) == set(told["annotator"]) - {first}
    assert leave_out(told, []) == told


def test_completion_codes() -> None:
    secret = b"0123456789abcdef"
    code = completion_code("c", "ada", secret=secret)
    assert len(code) == 14
    assert code != completion_code("c", "ada", secret=secret, passed=False)
    assert code != completion_code("ca", "da", secret=secret)
    assert is_completion_code(code.lower().replace("-", " "), "c", "ada", secret=secret) is True
    failed = completion_code("c", "ada", secret=secret, passed=False)
    assert is_completion_code(failed, "c", "ada", secret=secret) is False
    assert is_completion_code(code, "c", "ben", secret=secret) is None
    assert is_completion_code("ä", "c", "ada", secret=secret) is None
    with pytest.raises(DataError, match=r"The secret of completion codes has 3 bytes; expected at least 16\."):
        completion_code("c", "ada", secret=b"abc")


def test_not_enough_data_yet_is_said() -> None:
    protocol = Ranking(redundancy=2)
    assignments = protocol.plan(made_set(5, 40), PEOPLE, seed=1)
    now = standing(protocol, assignments, {})
    assert not now.enough
    assert not now.stop
    assert "not enough data yet: the first decision is due after 10%" in now.reason
    assert all(each.p == 1.0 and each.times is None for each in now.pairs)
    assert now.to_dict()["meta"]["enough"] is False


@pytest.mark.parametrize("protocol", [Ranking(redundancy=2), Pairwise(redundancy=2), DirectAssessment(redundancy=2)])
def test_all_is_judged_in_the_end(protocol: Protocol) -> None:
    assignments = protocol.plan(made_set(5, 40), PEOPLE, seed=1)
    now = standing(protocol, assignments, answered(protocol, assignments))
    assert now.stop
    assert now.share_done == 1
    n_apart = sum(each.told_apart for each in now.pairs)
    assert n_apart > 0
    assert now.enough == (n_apart >= 8)
    assert (
        "the target of 80% is reached" if now.enough else "everything was judged, and it is too little"
    ) in now.reason


def test_enough_rests_on_the_judgements_that_the_ranking_rests_on() -> None:
    protocol = DirectAssessment(redundancy=2)
    assignments = protocol.plan(made_set(5, 40), PEOPLE, seed=1)
    answers = answered(protocol, assignments)
    answers |= {key: {"score": 50} for key in answers if key[0] == "dmitri"}
    rows = [
        row
        for each in assignments
        for item in each.task.items
        for row in protocol.record(each, item, answers[each.annotator, item.id])
    ]
    ranking = analyse_direct(Judgements.of(protocol.schema, rows))
    assert [each.annotator for each in ranking.workers if not each.kept] == ["dmitri"]
    now = standing(protocol, assignments, answers)
    assert now == standing(protocol, assignments, answers, excluded=["dmitri"])


def test_a_plan_that_is_done_and_too_small_is_not_enough() -> None:
    protocol = DirectAssessment(redundancy=1, section_size=2, controls={})
    assignments = protocol.plan(made_set(3, 8), PEOPLE, seed=1)
    now = standing(protocol, assignments, answered(protocol, assignments, 0.0))
    assert (now.enough, now.stop, now.share_done) == (False, True, 1)
    assert "everything was judged, and it is too little to tell the others apart" in now.reason
    assert all(each.smallest is not None and each.smallest > 0.25 for each in now.pairs)


@pytest.mark.parametrize("n", [400, 520])
def test_enough_agrees_with_the_number_of_judgements_that_is_advised(n: int) -> None:
    """Equal systems: 500 judgements of each are what it takes to say that no difference of 0.25 sd is there."""
    protocol = DirectAssessment(redundancy=1, controls={}, section_size=5)
    assignments = protocol.plan(made_set(2, n), PEOPLE, seed=1)
    items = [(each.annotator, item) for each in assignments for item in each.task.items]
    # Scores of one spread for both systems, one after the other in the order of segments.
    answers = {(who, item.id): {"score": (37 * item.segment) % 101} for who, item in items}
    now = standing(protocol, assignments, answers)
    told = Judgements.of(
        protocol.schema,
        [
            row
            for each in assignments
            for item in each.task.items
            for row in protocol.record(each, item, answers[each.annotator, item.id])
        ],
    )
    note = analyse_direct(told, test="none").tables()[0].note
    assert not any(each.told_apart for each in now.pairs)
    [pair] = now.pairs
    assert pair.smallest == pytest.approx(0.23 * (500 / n) ** 0.5, rel=0.05)
    assert now.enough == (n > 500)
    assert ("fewer than the 500 judgements advised" in note) == (n < 500)


def test_equal_systems_are_not_told_apart_by_looking_often() -> None:
    protocol = Pairwise(redundancy=2, degraded=0, repeats=0)
    assignments = protocol.plan(made_set(2, 100), PEOPLE, seed=1)
    wrong = 0
    for seed in range(10):
        told = simulate_answers(protocol, assignments, 0.0, seed=seed)
        answers = {(each.annotator, item.id): said for each, item, said in told}
        keys = list(answers)
        looks = [dict.fromkeys(keys[: len(keys) * k // 10]) for k in range(1, 10, 2)]
        wrong += any(
            any(pair.told_apart for pair in standing(protocol, assignments, {k: answers[k] for k in look}).pairs)
            for look in looks
        )
    assert wrong <= 1  # of 10, at α = 0.05 in all


def test_hopeless_pairs_end_a_campaign_honestly() -> None:
    protocol = Pairwise(redundancy=2, degraded=0, repeats=0)
    assignments = protocol.plan(made_set(2, 200), PEOPLE, seed=1)
    answers = answered(protocol, assignments)
    places = {(each.annotator, item.id): item for each in assignments for item in each.task.items}
    half = list(answers)[: len(answers) // 2]
    level = {
        key: {"choice": sorted(places[key].places, key=places[key].places.get)[n % 2]}  # type: ignore[arg-type]
        for n, key in enumerate(half)
    }
    now = standing(protocol, assignments, level)
    assert (now.enough, now.stop) == (False, True)
    assert "the rest of the plan would hardly tell more of them apart" in now.reason


def played(protocol: Protocol, tasks: list[Task], *, seed: int) -> tuple[dict[str, list[str]], int, str]:
    """A whole dynamic campaign with careful judges: who got which task, how many answers, why it ended."""
    taken: dict[str, list[str]] = {}
    answers: Answers = {}
    for turn in range(1000):
        who = PEOPLE[turn % len(PEOPLE)]
        choice = next_task(protocol, tasks, taken, answers, who, seed=seed)
        if choice.task is None:
            if choice.stop:
                return taken, len(answers), choice.reason
            continue
        taken.setdefault(choice.task.name, []).append(who)
        answers |= answered(protocol, [Assignment(who, choice.task)])
    raise AssertionError("The campaign never ends.")


def test_a_dynamic_campaign_stops_when_it_is_enough() -> None:
    protocol = Pairwise(redundancy=2, runs=5, tutorial=[{"segment": 1, "better": "sys-0", "worse": "sys-1"}])
    planned = protocol.plan(made_set(3, 200), PEOPLE, seed=1)
    tasks = list({each.task.name: each.task for each in planned}.values())
    taken, n, reason = played(protocol, tasks, seed=1)
    assert sorted(taken[LESSON]) == sorted(PEOPLE)
    assert all(len(own) == len(set(own)) <= 2 for name, own in taken.items() if name != LESSON)
    assert "the target of 80% is reached" in reason or "would hardly tell more" in reason
    assert n < sum(len(each.task.items) for each in planned)
    assert played(protocol, tasks, seed=1) == (taken, n, reason)


def test_the_next_task_is_about_systems_that_are_not_told_apart() -> None:
    protocol = Pairwise(redundancy=1, runs=4, degraded=0, repeats=0)
    test_set = made_set(4, 120)
    tasks = protocol.tasks(test_set, seed=1)
    done, rest = tasks[: len(tasks) // 3], tasks[len(tasks) // 3 :]
    answers: Answers = {}
    met: Counter[tuple[str, ...]] = Counter()
    for task in done:
        for item in task.items:  # sys-0 always loses; of the others the first wins three of four times
            pair = tuple(sorted(item.places.values()))
            met[pair] += 1
            winner = pair[1] if pair[0] == "sys-0" or met[pair] % 4 == 0 else pair[0]
            answers["ada", item.id] = {"choice": next(p for p, system in item.places.items() if system == winner)}
    choice = next_task(protocol, tasks, {task.name: ["ada"] for task in done}, answers, "ben", seed=1, target=0.99)
    assert choice.task in rest, choice.reason

    def telling(task: Task) -> int:
        return sum("sys-0" not in item.places.values() for item in task.items)

    assert choice.task is not None
    assert telling(choice.task) == max(map(telling, rest))


def test_the_work_of_the_excluded_is_given_to_others() -> None:
    protocol = Pairwise(redundancy=1, runs=50)
    tasks = protocol.tasks(made_set(2, 40), seed=1)
    [task] = tasks
    answers = answered(protocol, [Assignment("ada", task)], 0.0)
    taken = {task.name: ["ada"]}
    assert next_task(protocol, tasks, taken, answers, "ben", seed=1).stop
    again = next_task(protocol, tasks, taken, answers, "ben", seed=1, excluded=["ada"])
    assert again.task == task
    mine = next_task(protocol, tasks, taken, answers, "ada", seed=1, excluded=["ada"])
    assert mine.task is None
    assert mine.reason == "There is no task left for ada."


def test_unknown_tasks_are_named() -> None:
    protocol = Pairwise()
    with pytest.raises(DataError, match=r"There is no task 'task-9' in the plan\."):
        next_task(protocol, protocol.tasks(made_set(2, 20), seed=1), {"task-9": ["ada"]}, {}, "ada", seed=1)


def test_loads_are_even_while_nothing_is_known() -> None:
    protocol = Ranking(redundancy=2, runs=2)
    tasks = protocol.tasks(made_set(5, 60), seed=1)
    taken: dict[str, list[str]] = {}
    for turn in range(8):
        who = PEOPLE[turn % 4]
        choice = next_task(protocol, tasks, taken, {}, who, seed=1)
        assert choice.task is not None
        taken.setdefault(choice.task.name, []).append(who)
    assert set(Counter(who for own in taken.values() for who in own).values()) == {2}
