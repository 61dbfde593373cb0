"""A clock that jumps, databases of other versions, and a disk that can only be read."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from fastapi import FastAPI

from dragoman.human.manifest import read_manifest
from dragoman.store import Store, columns, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign, find_campaign
from dragoman.store.judging.membership import add_member
from dragoman.store.judging.results import campaign_judgements
from dragoman.store.people.accounts import add_user
from dragoman.store.people.invites import make_invite
from dragoman.store.shape import MIGRATIONS
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD, Client
from tests.web.disks import mounted
from tests.web.house import CAMPAIGN, MANIFEST, fill, write_manifest
from tests.web.running import Running

BASE = "/api/v1/campaigns/crowd"
Jump = Callable[[timedelta], None]


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Jump:
    """Set the clock of all modules of the server forward or back."""
    true_now = columns.now
    offset = [timedelta()]

    def now() -> datetime:
        return true_now() + offset[0]

    for name, module in list(sys.modules.items()):
        if name.startswith(("dragoman.store", "dragoman.web")) and getattr(module, "now", None) is true_now:
            monkeypatch.setattr(module, "now", now)

    clock = SimpleNamespace(time=lambda: time.time() + offset[0].total_seconds())
    monkeypatch.setattr("dragoman.store.signing.time", clock)
    # Limits count in windows of the clock; this one stands between jumps, so that none ends in the middle of a test.
    standing = SimpleNamespace(time=lambda: 1_800_000_000.0 + offset[0].total_seconds())
    monkeypatch.setattr("dragoman.store.throttle.time", standing)

    def by(delta: timedelta) -> None:
        offset[0] += delta

    return by


def crowd(store: Store, folder: Path) -> str:
    """A campaign with one copy of each task and nobody planned; the token of an invitation for two days."""
    text = (
        MANIFEST.replace('"birds"', '"crowd"')
        .replace("redundancy = 2", "redundancy = 1")
        .replace('["ada", "ben", "chloe"]', "1")
    )
    with store.write() as connection:
        create_campaign(connection, read_manifest(write_manifest(folder, text)), actor=COMMAND_LINE, lease_minutes=60)
        for name in ("wim", "xenia"):
            add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)
            add_member(connection, "crowd", name, actor=COMMAND_LINE, max_tasks=1)
        return make_invite(
            connection, secret=store.secret, address="", actor=COMMAND_LINE, campaign="crowd", hours=48
        ).token


def own_items(client: Client) -> list[str]:
    return [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]


def send(client: Client, key: str, item: str, score: int = 40) -> dict[str, Any]:
    answer = client.post(f"{BASE}/answers", json={"events": [{"key": key, "item": item, "answer": {"score": score}}]})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_day_forward(app: FastAPI, store: Store, tmp_path: Path, jump: Jump) -> None:
    """Leases are over, sessions and links by their own time; nothing that was said counts twice."""
    token = crowd(store, tmp_path)
    wim = Client(app, "wim")
    first = own_items(wim)
    assert send(wim, "a", first[0])["saved"]
    jump(timedelta(days=1))
    # Everything is still free for others, so nobody is sent away; what wim had is taken only when nothing else is left.
    again = Client(app, "wim")
    assert own_items(again) == first
    with store.write() as connection:
        a = tables.assignments.c
        own = find_campaign(connection, "crowd").id
        free = sa.update(tables.assignments).where(a.user_id.is_(None), a.campaign_id == own)
        connection.execute(free.values(released=columns.now()))
    xenia = Client(app, "xenia")
    assert own_items(xenia) == first, "the task whose lease is over"
    for number, item in enumerate(first):
        assert send(xenia, f"x{number}", item)["saved"]
    late = send(again, "b", first[1])
    assert late["saved"] == []
    assert late["refused"][0]["key"] == "b"
    with store.read() as connection:
        told = campaign_judgements(connection, "crowd")
    assert set(told["annotator"]) == {"xenia"}
    joined = Client(app).post(f"/api/v1/join/{token}", json={"name": "yara", "password": PASSWORD})
    assert joined.status_code == 200, "the link is good for two days"
    jump(timedelta(days=1, minutes=1))
    over = Client(app).post(f"/api/v1/join/{token}", json={"name": "zoe", "password": PASSWORD})
    assert over.status_code in (403, 404, 409, 410)
    assert "expired" in over.text


def test_a_day_back(app: FastAPI, store: Store, tmp_path: Path, jump: Jump) -> None:
    """Whoever works goes on working: nothing is from the future to them, and nothing is lost."""
    token = crowd(store, tmp_path)
    wim = Client(app, "wim")
    items = own_items(wim)
    assert send(wim, "a", items[0])["saved"]
    jump(timedelta(days=-1))
    assert send(wim, "b", items[1])["saved"], "the session goes on"
    assert send(wim, "a", items[0])["saved"][0]["revision"] == 1
    assert send(wim, "c", items[0])["saved"][0]["revision"] == 2
    xenia = Client(app, "xenia")
    assert not set(own_items(xenia)) & set(items), "what somebody has is not dealt again"
    joined = Client(app).post(f"/api/v1/join/{token}", json={"name": "yara", "password": PASSWORD})
    assert joined.status_code == 200
    with store.read() as connection:
        told = campaign_judgements(connection, "crowd")
    assert len(told) >= 1


DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def log_in(app: FastAPI, name: str, password: str = PASSWORD, address: str = "10.0.0.1") -> int:
    body = {"name": name, "password": password}
    return Client(app, address=address).post("/api/v1/session", json=body).status_code


@pytest.mark.parametrize("delta", [DAY, -DAY, -HOUR])
def test_too_many_failed_logins_are_forgiven_by_any_jump(app: FastAPI, jump: Jump, delta: timedelta) -> None:
    assert [log_in(app, "ada", "wrong password") for _ in range(11)] == [401] * 10 + [429]
    assert log_in(app, "ada") == 429
    jump(delta)
    assert log_in(app, "ada") == 200
    jump(-delta)
    assert log_in(app, "ada") == 200


def test_failures_of_a_clock_that_was_ahead_lock_nobody_out_later(store: Store, jump: Jump) -> None:
    """They were counted for a quarter of an hour of tomorrow; tomorrow they are nobody's."""
    app = create_app(store, Settings(login_tries=1, requests_per_minute=10**6))
    jump(DAY)
    for name in ("u", "v", "w", "x", "y"):
        assert log_in(app, name, "wrong password") == 401
    assert log_in(app, "ada") == 429, "the address has no try left"
    jump(-DAY)  # set right
    assert log_in(app, "ben", address="10.0.0.2") == 200
    assert log_in(app, "ada") == 200
    jump(DAY)  # that went by
    assert log_in(app, "ada") == 200


def test_requests_are_counted_by_the_minute_whatever_the_clock_says(store: Store, jump: Jump) -> None:
    app = create_app(store, Settings(requests_per_minute=3))
    ada = Client(app, "ada")
    item = ada.get(f"/api/v1/campaigns/{CAMPAIGN}/work").json()["items"][0]["item"]

    def save(key: str) -> int:
        events = [{"key": key, "item": item, "answer": {"score": 3}}]
        return ada.post(f"/api/v1/campaigns/{CAMPAIGN}/answers", json={"events": events}).status_code

    assert [save(f"a{n}") for n in range(4)] == [200, 200, 200, 429]
    for number, delta in enumerate((-HOUR, -DAY, 3 * DAY)):
        jump(delta)
        assert save(f"b{number}") == 200
    jump(HOUR - 2 * DAY)  # the very minute again
    assert save("a3") == 429
    jump(timedelta(minutes=1))
    assert save("a3") == 200


def test_an_hour_back_while_people_work(app: FastAPI, store: Store, tmp_path: Path, jump: Jump) -> None:
    """Nothing is lost, nothing counts twice, the last word counts, and everybody goes on."""
    token = crowd(store, tmp_path)
    people = {name: Client(app, name) for name in ("wim", "xenia")}
    items = {name: own_items(client) for name, client in people.items()}
    assert not set(items["wim"]) & set(items["xenia"])
    for name, client in people.items():
        for item in items[name][:4]:
            assert send(client, f"{name}:{item}", item)["saved"]
    jump(-HOUR)
    for name, client in people.items():
        assert send(client, f"{name}:{items[name][0]}", items[name][0])["saved"][0]["revision"] == 1, "sent again"
        assert send(client, f"{name}:again", items[name][1], 77)["saved"][0]["revision"] == 2
        for item in items[name][4:]:
            assert send(client, f"{name}:{item}", item)["saved"]
    joined = Client(app).post(f"/api/v1/join/{token}", json={"name": "yara", "password": PASSWORD})
    assert joined.status_code == 200
    assert not set(own_items(Client(app, "yara"))) & {item for own in items.values() for item in own}
    jump(HOUR)
    for client in people.values():
        assert client.get(f"{BASE}/work").json()["progress"]["done"] == len(own_items(client))
    with store.read() as connection:
        keys = list(connection.scalars(sa.select(tables.answers.c.key)))
        told = campaign_judgements(connection, "crowd")
    assert sorted(keys) == sorted([f"{name}:{item}" for name, own in items.items() for item in [*own, "again"]])
    assert len(told) == sum(map(len, items.values()))
    assert sorted(score for score in told["score"] if score != 40) == [77, 77]


@pytest.mark.parametrize(("ahead", "later"), [(timedelta(), 2 * HOUR), (DAY, DAY + HOUR)])
def test_what_was_begun_before_a_jump_back_ends(
    app: FastAPI, store: Store, tmp_path: Path, jump: Jump, ahead: timedelta, later: timedelta
) -> None:
    """A lease, a session and an invitation last longer by the jump, and not for ever."""
    back = ahead or HOUR
    jump(ahead)
    token = crowd(store, tmp_path)
    wim = Client(app, "wim")
    first = own_items(wim)
    with store.write() as connection:
        a = tables.assignments.c
        own = find_campaign(connection, "crowd").id
        free = sa.update(tables.assignments).where(a.user_id.is_(None), a.campaign_id == own)
        connection.execute(free.values(released=columns.now()))
    jump(-back)
    assert own_items(Client(app, "xenia")) == [], "wim has it"
    assert own_items(wim) == first
    jump(later + timedelta(minutes=1))
    assert own_items(Client(app, "xenia")) == first, "wim did nothing"
    jump(48 * HOUR)
    over = Client(app).post(f"/api/v1/join/{token}", json={"name": "zoe", "password": PASSWORD})
    assert "expired" in over.text
    jump(72 * HOUR)
    assert wim.get("/api/v1/session").status_code == 401
    assert log_in(app, "wim") == 200


def at_revision(path: Path, revision: str) -> None:
    """A database as an earlier Dragoman left it."""
    store = Store(path)
    with store.write() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    store.close()


def dragoman(*words: str) -> subprocess.CompletedProcess[str]:
    program = str(Path(sys.executable).with_name("dragoman"))
    return subprocess.run([program, *words], capture_output=True, text=True, check=False, timeout=120)


def test_an_older_database_is_brought_up_to_date_by_the_server(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    at_revision(path, "0001")
    with Running(str(path), log=tmp_path / "log.txt") as server:
        assert server.opening["before"] == "0001"
        assert server.opening["after"] != "0001"
        server.stop()
    store = Store(path)
    fill(store)  # it is a house like any other
    store.close()


def test_a_newer_database_is_refused_by_the_server(tmp_path: Path, sqlite_template: Path) -> None:
    path = tmp_path / "new.db"
    shutil.copy(sqlite_template, path)
    before = path.read_bytes()
    store = Store(path)
    with store.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    for words in (["serve", "--port", "0", "--db", str(path)], ["campaign", "list", "--db", str(path)]):
        done = dragoman(*words)
        assert done.returncode == 1
        assert "was written by a newer Dragoman (its shape is 9999" in done.stderr
        assert "Traceback" not in done.stderr
    assert len(before)


@pytest.fixture
def frozen_disk(tmp_path: Path) -> Iterator[tuple[Path, Callable[[str], None]]]:
    """A disk of its own, and how to make it readable only and writable again."""
    with mounted(tmp_path / "disk", "8m") as folder:

        def remount(how: str) -> None:
            subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)

        yield folder, remount


def test_a_database_that_can_only_be_read(
    frozen_disk: tuple[Path, Callable[[str], None]], sqlite_template: Path
) -> None:
    folder, remount = frozen_disk
    path = folder / "house.db"
    shutil.copy(sqlite_template, path)
    remount("ro")
    for words in (["serve", "--port", "0"], ["campaign", "pause", CAMPAIGN]):
        done = dragoman(*words, "--db", str(path))
        assert done.returncode == 1
        assert "is read-only; make the file and its folder writable" in done.stderr
        assert "Traceback" not in done.stderr
    assert dragoman("campaign", "list", "--db", str(path)).returncode == 0, "looking needs no writing"
    remount("rw")
    assert dragoman("campaign", "pause", CAMPAIGN, "--db", str(path)).returncode == 0


def test_a_disk_that_becomes_read_only_while_people_save(
    frozen_disk: tuple[Path, Callable[[str], None]], sqlite_template: Path
) -> None:
    folder, remount = frozen_disk
    path = folder / "house.db"
    shutil.copy(sqlite_template, path)
    store = Store(path)
    client = Client(create_app(store, Settings(requests_per_minute=10**6)), "ada")
    base = f"/api/v1/campaigns/{CAMPAIGN}"
    item = client.get(f"{base}/work").json()["items"][0]["item"]

    def save(key: str) -> Any:
        return client.post(f"{base}/answers", json={"events": [{"key": key, "item": item, "answer": {"score": 3}}]})

    assert save("a").status_code == 200
    store.close()  # connections that are open keep their files open, which no disk can be frozen under
    remount("ro")
    refused = save("b")
    assert (refused.status_code, refused.json()["kind"]) == (503, "Unavailable"), refused.text
    remount("rw")
    assert save("b").status_code == 200
    with store.read() as connection:
        assert sorted(connection.scalars(sa.select(tables.answers.c.key))) == ["a", "b"]
    store.close()
    assert json.loads(refused.text)["message"]
