"""The server as a process: workers, limits on bodies, logs, stopping, and kill -9 under load."""

from __future__ import annotations

import json
import socket
import sys
import threading
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import Store, tables
from dragoman.web import Settings
from dragoman.web.serving import Opening, serve
from tests.web.client import PASSWORD
from tests.web.house import CAMPAIGN
from tests.web.running import Running

BASE = f"/api/v1/campaigns/{CAMPAIGN}"


def signed_in(address: str, name: str) -> httpx.Client:
    client = httpx.Client(base_url=address, timeout=60)
    answer = client.post("/api/v1/session", json={"name": name, "password": PASSWORD})
    client.headers["X-CSRF-Token"] = answer.json()["csrf"]
    return client


def test_every_acknowledged_answer_survives_kill_9_exactly_once(database: str, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    told: dict[str, list[tuple[str, int]]] = {"ada": [], "ben": []}  # what the server confirmed: key, revision
    unsure: dict[str, list[dict[str, Any]]] = {"ada": [], "ben": []}  # what was sent and not answered
    enough = threading.Event()

    def work(name: str, client: httpx.Client, items: list[str]) -> None:
        n = 0
        while True:
            events = [
                {"key": uuid.uuid4().hex, "item": items[(n + k) % len(items)], "answer": {"score": n % 100}}
                for k in range(2)
            ]
            n += 1
            try:
                answer = client.post(f"{BASE}/answers", json={"events": events})
            except httpx.TransportError:
                unsure[name] += events
                return
            assert answer.status_code == 200, answer.text
            told[name] += [(each["key"], each["revision"]) for each in answer.json()["saved"]]
            if sum(map(len, told.values())) >= 30:
                enough.set()

    for _ in range(2):
        with Running(database, "--workers", "2", log=log) as server:
            threads = []
            for name in told:
                client = signed_in(server.address, name)
                if unsure[name]:  # the browser sends again what was not confirmed
                    again = client.post(f"{BASE}/answers", json={"events": unsure[name]})
                    told[name] += [(each["key"], each["revision"]) for each in again.json()["saved"]]
                    unsure[name] = []
                items = [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]
                threads.append(threading.Thread(target=work, args=(name, client, items)))
            enough.clear()
            for thread in threads:
                thread.start()
            assert enough.wait(120)
            server.kill()
            for thread in threads:
                thread.join()
    store = Store(database)
    store.migrate()
    s = tables.answers.c
    with store.read() as connection:
        rows = connection.execute(
            sa.select(tables.users.c.name, s.key, s.revision, s.item_id, s.assignment_id).join(
                tables.users, tables.users.c.id == s.user_id
            )
        ).all()
    store.close()
    kept = [(row.name, row.key, row.revision) for row in rows]
    for name, own in told.items():
        assert {(name, key, revision) for key, revision in own} <= set(kept)
    assert len(kept) == len({(row.name, row.key) for row in rows})
    allowed = {key for own in told.values() for key, _ in own} | {e["key"] for own in unsure.values() for e in own}
    assert {key for _, key, _ in kept} <= allowed
    # Revisions have no gap: nothing was saved twice, nothing was taken away.
    by_place: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        by_place.setdefault((row.assignment_id, row.item_id), []).append(row.revision)
    assert all(sorted(own) == list(range(1, len(own) + 1)) for own in by_place.values())


def test_a_server_from_nothing_to_its_end(tmp_path: Path) -> None:
    """Makes the database, offers the first admin, refuses what is too large or too slow, logs JSON, stops in order."""
    log = tmp_path / "log.txt"
    with Running("new.db", "--max-body", "4096", log=log) as server:
        link = server.opening["first_admin"]
        assert server.opening["before"] is None
        client = httpx.Client(timeout=60)
        joined = client.post(link.replace("/join/", "/api/v1/join/"), json={"name": "root", "password": PASSWORD})
        assert joined.json()["role"] == "admin"
        client.headers["X-CSRF-Token"] = joined.json()["csrf"]
        large = client.post(f"{server.address}/api/v1/campaigns", json={"manifest": "x" * 5000})
        assert (large.status_code, large.json()["kind"]) == (413, "TooLarge")
        streamed = client.post(
            f"{server.address}/api/v1/campaigns",
            content=(b"x" * 1000 for _ in range(9)),
            headers={"Content-Type": "application/json"},
        )
        assert streamed.status_code == 413
        metrics = client.get(f"{server.address}/metrics").text
        assert "dragoman_users 1" in metrics
        client.close()
        assert server.stop() == 0
    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    requests = [line for line in lines if line["message"] == "request"]
    assert {"request", "method", "path", "status", "milliseconds", "user"} <= set(requests[0])
    assert "/join/…" in {line["path"].replace("/api/v1", "") for line in requests}
    for secret in (PASSWORD, link.rpartition("/")[2], joined.json()["csrf"]):
        assert secret not in text


def test_a_body_that_does_not_come_is_given_up(light_store: Store) -> None:
    import asyncio

    from dragoman.web import create_app

    app = create_app(light_store, Settings(body_seconds=0.2))
    sent: list[dict[str, Any]] = []
    parts: list[bytes] = []

    async def ask() -> None:
        async def receive() -> dict[str, Any]:
            await asyncio.sleep(0.15)
            parts.append(b"x")
            return {"type": "http.request", "body": parts[-1], "more_body": len(parts) < 1000}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/v1/session",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [(b"content-length", b"1000"), (b"content-type", b"application/json"), (b"host", b"localhost")],
            "scheme": "http",
            "server": ("localhost", 80),
            "client": ("1.2.3.4", 5),
            "http_version": "1.1",
            "root_path": "",
        }
        await app(scope, receive, send)

    asyncio.run(ask())
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["message"] == "The body did not arrive within 0.2 seconds."
    assert len(parts) < 1000


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(DataError, match=f"Port {port} of 127.0.0.1 is taken"):
            serve(Settings(db=str(tmp_path / "x.db"), port=port))
    assert not (tmp_path / "x.db").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a port cannot be held for a server")
def test_the_port_is_kept_from_others_until_the_server_has_it(tmp_path: Path) -> None:
    class ToldError(Exception):
        pass

    def announce(opening: Opening) -> None:
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", int(opening.address.rpartition(":")[2])))
        raise ToldError

    with pytest.raises(ToldError):
        serve(Settings(db=str(tmp_path / "x.db"), port=0), announce=announce)


def test_settings_travel_to_the_workers() -> None:
    settings = Settings(db="postgresql://x", port=1, workers=3, url="https://judge.example.org/")
    assert Settings.from_environment(settings.to_environment()) == settings
    assert settings.address == "https://judge.example.org"
    assert Settings(host="::1").address == "http://[::1]:8000"
    with pytest.raises(DataError, match=r"The 'workers' option of Settings must be at least 1. Got 0"):
        Settings(workers=0)
    with pytest.raises(DataError, match=r"must be one of 'debug', 'info', 'warning', 'error'. Got 'loud'"):
        Settings(log_level="loud")
