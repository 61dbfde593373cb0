"""Dynamic campaigns and lessons: the next task by the answers so far, never more than the redundancy."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from dragoman.human.draws import Draws
from dragoman.human.manifest import read_manifest
from dragoman.human.protocol import LESSON
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging import saving, work
from dragoman.store.judging.campaigns import create_campaign, find_campaign
from dragoman.store.judging.membership import add_member
from dragoman.store.judging.results import campaign_judgements, campaign_progress
from dragoman.store.judging.saving import Answer
from dragoman.store.judging.state import campaign_quality, campaign_standing, campaign_state, plan_of
from dragoman.store.people.accounts import User, add_user

ROOT = Path(__file__).parents[2]


def begin(store: Store, example: str, *, dynamic: bool, people: int) -> tuple[str, list[User]]:
    manifest = read_manifest(ROOT / "examples" / example / "manifest.toml")
    with store.write() as connection:
        create_campaign(connection, manifest, actor=COMMAND_LINE, dynamic=dynamic)
        users = []
        for n in range(people):
            users.append(add_user(connection, f"p{n}", "annotator", None, actor=COMMAND_LINE))
            add_member(connection, manifest.name, f"p{n}", actor=COMMAND_LINE)
    return manifest.name, users


def judge(store: Store, name: str, user: User, *, care: float = 1.0, tasks: int = 10**6) -> None:
    """Do up to so many tasks as an invented judge."""
    with store.read() as connection:
        campaign = find_campaign(connection, name)
        items = {item.id: item for task in plan_of(connection, campaign).values() for item in task.items}
    for _ in range(tasks):
        waiting = [each["item"] for each in work.get_work(store, name, user)["items"] if not each["done"]]
        if not waiting:
            return
        events = []
        for item in waiting:
            answer = campaign.protocol.simulate(items[item], Draws(3, f"{user.name} {item}"), care)
            events.append(Answer(item, item, answer))
        told = saving.save_answers(store, name, user, events)
        assert not told["refused"], told["refused"][0]


@pytest.mark.parametrize("example", ["ranking", "da"])
def test_tasks_are_chosen_and_no_copy_is_given_twice(store: Store, example: str) -> None:
    name, people = begin(store, example, dynamic=True, people=4)
    faults: list[BaseException] = []

    def run(user: User) -> None:
        try:
            judge(store, name, user, tasks=3)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=run, args=(user,)) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults[0]
    with store.read() as connection:
        campaign = find_campaign(connection, name)
        state = campaign_state(connection, name)
        told = campaign_judgements(connection, name)
        held = Counter(each.task.name for each in state.assignments if each.task.name != LESSON)
        found = campaign_standing(connection, name)
    assert len(told)
    assert max(held.values()) <= campaign.protocol.redundancy
    assert len({(each.annotator, each.task.name) for each in state.assignments}) == len(state.assignments)
    assert found.pairs


def test_a_dynamic_campaign_ends(light_store: Store) -> None:
    name, people = begin(light_store, "pairwise", dynamic=True, people=3)
    for user in people:
        judge(light_store, name, user)
    with light_store.read() as connection:
        found = campaign_standing(connection, name)
        free, held, _ = campaign_progress(connection, name).copies
    assert held == 0
    assert found.stop or free == 0
    assert work.next_item(light_store, name, people[0])["code"]


def test_careless_people_are_seen(light_store: Store) -> None:
    name, people = begin(light_store, "da", dynamic=False, people=3)
    for user, care in zip(people, (1.0, 1.0, 0.0), strict=True):
        judge(light_store, name, user, care=care, tasks=2)
    with light_store.read() as connection:
        report = campaign_quality(connection, name)
    gaps = {each.annotator: each.control_gap for each in report.annotators if each.answered}
    assert min(gaps["p0"], gaps["p1"]) > 20 > gaps["p2"]
    assert "p0" not in report.careless


WITH_LESSON = [path for path in sorted((ROOT / "examples").glob("*/manifest.toml")) if "tutorial" in path.read_text()]


@pytest.mark.parametrize("example", [path.parent.name for path in WITH_LESSON])
def test_everybody_does_the_lesson_first(store: Store, example: str) -> None:
    name, people = begin(store, example, dynamic=False, people=2)
    for user in people:
        items = work.get_work(store, name, user)["items"]
        assert {item["task"] for item in items} == {LESSON}
        judge(store, name, user, tasks=1)
        assert {item["task"] for item in work.get_work(store, name, user)["items"]} > {LESSON}
    with store.read() as connection:
        lesson = sa.select(tables.tasks.c.id).where(tables.tasks.c.name == LESSON)
        a = tables.assignments.c
        rows = connection.execute(sa.select(a.copy).where(a.task_id.in_(lesson), a.seat.in_(["p0", "p1"]))).all()
    assert len(rows) == len({row.copy for row in rows}) == 2
