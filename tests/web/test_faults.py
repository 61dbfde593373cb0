"""PostgreSQL restarted, the disk full: what was confirmed is there, once; the rest is said."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import Store, tables
from dragoman.web import Settings, create_app
from tests.web.client import Client
from tests.web.databases import Cluster
from tests.web.disks import mounted
from tests.web.house import CAMPAIGN
from tests.web.savers import Savers

BASE = f"/api/v1/campaigns/{CAMPAIGN}"


def keys_in(store: Store) -> list[str]:
    with store.read() as connection:
        return sorted(connection.scalars(sa.select(tables.answers.c.key)))


def test_postgresql_restarted(cluster: Cluster, postgres_template: str) -> None:
    store = Store(cluster.url(cluster.make(postgres_template)))
    client = Client(create_app(store, Settings()), "ada")
    items = [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]

    def send(key: str) -> Any:
        event = {"key": key, "item": items[0], "answer": {"score": 5}}
        return client.post(f"{BASE}/answers", json={"events": [event]})

    assert send("a").status_code == 200
    cluster.stop("immediate")
    try:
        away = send("b")
        assert (away.status_code, away.json()["kind"]) == (503, "Unavailable")
        assert client.get("/health").status_code == 503
    finally:
        cluster.start()
    assert send("b").json()["saved"][0]["revision"] == 2
    assert send("a").json()["saved"][0]["revision"] == 1
    assert keys_in(store) == ["a", "b"]
    store.close()


def test_the_disk_is_full(light_store: Store) -> None:
    client = Client(create_app(light_store, Settings(requests_per_minute=10**6)), "ada")
    items = [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]
    with light_store.read() as connection:
        size = int(connection.scalar(sa.text("PRAGMA page_count")) or 0)
    limit = [size]

    def cramp(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {limit[0]}")

    sa.event.listen(light_store.engine, "connect", cramp)
    light_store.close()  # connections that are opened from now on find no room
    saved, refused = [], []
    for n in range(400):
        events = [{"key": f"k{n}.{m}", "item": item, "answer": {"score": n % 100}} for m, item in enumerate(items[:40])]
        answer = client.post(f"{BASE}/answers", json={"events": events})
        if answer.status_code == 503:
            refused = events
            break
        saved += [each["key"] for each in answer.json()["saved"]]
    else:
        pytest.fail("the disk was never full")
    assert "Nothing was saved" in answer.json()["message"]
    assert keys_in(light_store) == sorted(saved)
    limit[0] = size + 10_000
    light_store.close()
    again = client.post(f"{BASE}/answers", json={"events": refused}).json()
    saved += [each["key"] for each in again["saved"]]
    assert keys_in(light_store) == sorted(saved)


def test_health_writes_now_and_then_only(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody may ask, so asking often writes nothing; a database that comes back is seen at once."""
    clock = [100.0]
    monkeypatch.setattr("dragoman.store.probe.time", SimpleNamespace(monotonic=lambda: clock[0]))
    client = Client(create_app(light_store, Settings()))
    assert light_store.secret  # read once, not while we count
    writes: list[int] = []
    sa.event.listen(light_store.engine, "commit", lambda _connection: writes.append(1))

    def asked() -> int:
        writes.clear()
        assert client.get("/health").status_code == 200
        return len(writes)

    assert [asked(), asked(), asked()] == [1, 0, 0]
    clock[0] += 6
    assert asked() == 1


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program writes in the file and does not end."""
    words = "c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN IMMEDIATE'); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", f"import sqlite3, sys; {words}", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            yield
        finally:
            other.communicate()


def test_a_database_locked_by_another_program(
    sqlite_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People can read; saving and health say 503 until the other program has ended, then what waited is saved once."""
    monkeypatch.setattr("dragoman.store.database._BUSY_SECONDS", 1)
    path = tmp_path / "house.db"
    shutil.copy(sqlite_template, path)
    store = Store(path)
    client = Client(create_app(store, Settings()), "ada")
    item = client.get(f"{BASE}/work").json()["items"][0]["item"]

    def send() -> Any:
        return client.post(f"{BASE}/answers", json={"events": [{"key": "k", "item": item, "answer": {"score": 5}}]})

    with locked(path):
        refused = send()
        assert (refused.status_code, refused.json()["kind"]) == (503, "Unavailable")
        assert "Nothing was saved" in refused.json()["message"]
        assert client.get("/health").status_code == 503
        assert client.get(f"{BASE}/work").status_code == 200
        with pytest.raises(DataError, match=r"house\.db is in use by another program.*; stop it"):
            Store(path).migrate()
    assert [send().json()["saved"][0]["revision"] for _ in range(2)] == [1, 1]
    assert client.get("/health").status_code == 200
    assert keys_in(store) == ["k"]
    store.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte that can be filled up."""
    with mounted(tmp_path / "disk", "1m") as folder:
        yield folder


def test_a_real_disk_that_is_full(small_disk: Path, sqlite_template: Path) -> None:
    """Whatever was confirmed while it filled up is there; nothing is half there; work goes on when there is room."""
    path = small_disk / "house.db"
    shutil.copy(sqlite_template, path)
    store = Store(path)
    client = Client(create_app(store, Settings(requests_per_minute=10**6)), "ada")
    items = [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]
    ballast = small_disk / "ballast"
    room = shutil.disk_usage(small_disk).free
    ballast.write_bytes(b"\0" * max(0, room - (120 << 10)))
    saved: list[str] = []
    refused: list[Any] = []
    for n in range(200):
        events = [{"key": f"k{n}.{m}", "item": item, "answer": {"score": n % 100}} for m, item in enumerate(items)]
        answer = client.post(f"{BASE}/answers", json={"events": events})
        if answer.status_code != 200:
            refused = events
            break
        saved += [each["key"] for each in answer.json()["saved"]]
    assert (answer.status_code, answer.json()["kind"]) == (503, "Unavailable")
    assert "Nothing was saved" in answer.json()["message"]
    assert answer.headers["retry-after"]
    assert keys_in(store) == sorted(saved)
    sick = client.get("/health")
    assert (sick.status_code, sick.json()["kind"]) == (503, "Unavailable"), "whoever watches learns of it"
    ballast.unlink()
    assert client.get("/health").status_code == 200
    again = client.post(f"{BASE}/answers", json={"events": refused})
    assert len(again.json()["saved"]) == len(refused)
    assert keys_in(store) == sorted(saved + [event["key"] for event in refused])
    with store.read() as connection:
        assert connection.scalar(sa.text("PRAGMA integrity_check")) == "ok"
    store.close()


def test_postgresql_restarted_while_people_save(cluster: Cluster, postgres_template: str) -> None:
    """Everybody sends until it is confirmed, as the browser does; in the end everything is there once."""
    store = Store(cluster.url(cluster.make(postgres_template)))
    app = create_app(store, Settings(requests_per_minute=10**6))
    with Savers(app, ("ada", "ben")) as savers:
        for _ in range(2):
            savers.until_saved()
            cluster.stop("immediate")
            try:
                savers.until_refused()
            finally:
                cluster.start()
        savers.until_saved()
    assert savers.strange == []
    assert keys_in(store) == savers.keys
    assert len(set(savers.keys)) == len(savers.keys)
    store.close()


def test_saving_together_is_each_ones_own(light_store: Store) -> None:
    """Callers who wait share a transaction; one that fails takes nothing of the others with it."""
    commits: list[int] = []
    sa.event.listen(light_store.engine, "commit", lambda connection: commits.append(1))
    began, go = threading.Event(), threading.Event()
    told: dict[int, Any] = {}

    def put(n: int, connection: sa.Connection) -> int:
        if n == 0:
            began.set()
            assert go.wait(30)
        values = {"name": f"p{n}", "value": "x"}
        connection.execute(sa.insert(tables.properties).values(**values))
        if n == 3:
            raise ValueError("three fails")
        if n == 4:
            connection.execute(sa.insert(tables.properties).values(**values))  # twice: the database refuses
        return n

    def ask(n: int) -> None:
        try:
            told[n] = light_store.together(lambda connection: put(n, connection))
        except Exception as error:
            told[n] = type(error).__name__

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    threads[0].start()
    assert began.wait(30)
    for thread in threads[1:]:
        thread.start()
    while len(light_store._pieces) < 7:
        time.sleep(0.01)
    go.set()
    for thread in threads:
        thread.join()
    assert told == {0: 0, 1: 1, 2: 2, 3: "ValueError", 4: "IntegrityError", 5: 5, 6: 6, 7: 7}
    assert len(commits) == 2
    with light_store.read() as connection:
        kept = connection.scalars(sa.select(tables.properties.c.name).where(tables.properties.c.name.like("p_")))
        assert sorted(kept) == ["p0", "p1", "p2", "p5", "p6", "p7"]


def test_a_failed_commit_confirms_nothing_to_anybody(light_store: Store) -> None:
    def full(connection: sa.Connection) -> None:
        connection.execute(sa.insert(tables.properties).values(name="p", value="x"))
        raise sa.exc.OperationalError("COMMIT", {}, OSError("database or disk is full"))

    with pytest.raises(sa.exc.OperationalError, match="disk is full"):
        light_store.together(full)
    with light_store.read() as connection:
        assert connection.scalar(sa.select(tables.properties.c.name).where(tables.properties.c.name == "p")) is None
    assert light_store.together(lambda connection: connection.scalar(sa.text("SELECT 7"))) == 7
