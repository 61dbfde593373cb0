"""Many at once: no task dealt twice, no answer lost or doubled."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from dragoman.human.manifest import read_manifest
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging import saving, work
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.dealing import join_campaign
from dragoman.store.judging.results import campaign_judgements, campaign_progress
from dragoman.store.judging.saving import Answer
from dragoman.store.people.accounts import User, add_user
from tests.web.house import MANIFEST, write_manifest

REDUNDANCY = 3


def crowd(store: Store, folder: Path, n: int, *, max_tasks: int | None = None) -> list[User]:
    """A campaign in which every task is free, and n people for it."""
    text = (
        MANIFEST.replace('"birds"', '"crowd"')
        .replace("redundancy = 2", f"redundancy = {REDUNDANCY}")
        .replace('["ada", "ben", "chloe"]', "5")
    )
    with store.write() as connection:
        create_campaign(connection, read_manifest(write_manifest(folder, text)), actor=COMMAND_LINE)
        number = int(connection.scalar(sa.select(tables.campaigns.c.id).where(tables.campaigns.c.name == "crowd")) or 0)
        people = []
        for k in range(n):
            user = add_user(connection, f"w{k}", "annotator", None, actor=COMMAND_LINE)
            join_campaign(connection, number, user.id, max_tasks=max_tasks)
            people.append(user)
    return people


def all_at_once(functions: list[Callable[[], None]]) -> None:
    faults: list[BaseException] = []
    gate = threading.Barrier(len(functions))

    def run(function: Callable[[], None]) -> None:
        try:
            gate.wait()
            function()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults[0]


def test_everything_is_judged_exactly_by_its_redundancy(store: Store, tmp_path: Path) -> None:
    people = crowd(store, tmp_path, 6)
    mine: dict[str, set[tuple[str, str]]] = {user.name: set() for user in people}

    def judge(user: User) -> None:
        draws = random.Random(user.name)
        while items := [item["item"] for item in work.get_work(store, "crowd", user)["items"] if not item["done"]]:
            for start in range(0, len(items), 7):
                events = [Answer(f"{user.name}.{item}", item, {"score": 50}) for item in items[start : start + 7]]
                if draws.random() < 0.3:  # a client that did not hear the answer sends again
                    saving.save_answers(store, "crowd", user, events)
                told = saving.save_answers(store, "crowd", user, events)
                assert not told["refused"]
                mine[user.name] |= {(each["key"], each["item"]) for each in told["saved"]}

    all_at_once([lambda user=user: judge(user) for user in people])  # type: ignore[misc]
    with store.read() as connection:
        told = campaign_judgements(connection, "crowd")
        progress = campaign_progress(connection, "crowd")
        kept = connection.execute(
            sa.select(tables.answers.c.key, tables.items.c.name)
            .join(tables.items)
            .where(tables.items.c.campaign_id != 1)
        ).all()
    assert progress.copies == (0, 0, len(set(told["item"])) // 20 * REDUNDANCY)
    assert set(Counter(told["item"]).values()) == {REDUNDANCY}
    assert max(Counter(zip(told["annotator"], told["item"], strict=True)).values()) == 1
    assert sorted(tuple(row) for row in kept) == sorted(pair for own in mine.values() for pair in own)


def test_one_key_sent_by_many_hands_is_saved_once(store: Store) -> None:
    with store.read() as connection:
        row = connection.execute(sa.select(tables.users).where(tables.users.c.name == "ada")).one()
    ada = User.of(row)
    items = [item["item"] for item in work.get_work(store, "birds", ada)["items"][:5]]
    told: list[list[dict[str, object]]] = []

    def send() -> None:
        events = [Answer(f"key-{item}", item, {"score": 1}) for item in items]
        told.append(saving.save_answers(store, "birds", ada, events)["saved"])

    all_at_once([send] * 8)
    assert all(answer == told[0] for answer in told)
    with store.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(tables.answers)) == 5


def test_corrections_at_once_get_different_revisions(store: Store) -> None:
    with store.read() as connection:
        ada = User.of(connection.execute(sa.select(tables.users).where(tables.users.c.name == "ada")).one())
    item = work.get_work(store, "birds", ada)["items"][0]["item"]
    revisions: list[int] = []

    def send(n: int) -> None:
        told = saving.save_answers(store, "birds", ada, [Answer(f"k{n}", item, {"score": n})])
        revisions.append(told["saved"][0]["revision"])

    all_at_once([lambda n=n: send(n) for n in range(8)])  # type: ignore[misc]
    assert sorted(revisions) == list(range(1, 9))


def test_two_windows_of_one_person_claim_one_task(store: Store, tmp_path: Path) -> None:
    person = crowd(store, tmp_path, 1)[0]
    all_at_once([lambda: work.get_work(store, "crowd", person) and None] * 6)
    with store.read() as connection:
        a = tables.assignments.c
        held = sa.select(sa.func.count()).where(a.user_id == person.id, a.released.is_(None))
        assert connection.scalar(held) == 1


def test_a_crowd_that_leaves_after_one_task(store: Store, tmp_path: Path) -> None:
    people = crowd(store, tmp_path, 14, max_tasks=1)
    all_at_once([lambda user=user: work.get_work(store, "crowd", user) and None for user in people])  # type: ignore[misc]
    with store.read() as connection:
        a = tables.assignments.c
        rows = connection.execute(
            sa.select(a.task_id, a.user_id)
            .where(a.released.is_(None), a.user_id.is_not(None))
            .where(a.seat.like("annotator-%"))
        ).all()
    per_task = Counter(row.task_id for row in rows)
    assert len({row.user_id for row in rows}) == len(rows) == min(14, REDUNDANCY * len(per_task))
    assert max(per_task.values()) - min(per_task.values()) <= 1
