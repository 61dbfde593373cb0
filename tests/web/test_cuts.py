"""Connections that end in the middle, uploads that trickle, several workers, and kill -9 at random moments."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.human.manifest import read_manifest
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign, find_campaign
from dragoman.store.judging.results import campaign_judgements
from dragoman.store.people.invites import make_invite
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN, MANIFEST, write_manifest
from tests.web.running import Running

BASE = f"/api/v1/campaigns/{CAMPAIGN}"


@contextmanager
def signed_in(address: str, name: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        answer = client.post("/api/v1/session", json={"name": name, "password": PASSWORD})
        client.headers["X-CSRF-Token"] = answer.json()["csrf"]
        yield client


@dataclass
class Server:
    """A server in a thread: where it is, and what it has done with."""

    place: tuple[str, int]
    done: list[str]  # paths of requests that were answered or given up

    @property
    def address(self) -> str:
        return "http://{}:{}".format(*self.place)

    def wait_for(self, path: str) -> None:
        """Wait until a request for this path is over."""
        over = time.monotonic() + 60
        while path not in self.done:
            assert time.monotonic() < over, f"{path} is not over; there were {self.done}"
            time.sleep(0.01)


@pytest.fixture
def thread_server(request: pytest.FixtureRequest, light_store: Store) -> Iterator[Server]:
    """Bodies have a minute to come, or as many seconds as the test says."""
    uvicorn = pytest.importorskip("uvicorn")
    app = create_app(light_store, Settings(body_seconds=getattr(request, "param", 60), requests_per_minute=10**6))
    done: list[str] = []

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        try:
            await app(scope, receive, send)
        finally:
            done.append(scope.get("path", ""))

    server = uvicorn.Server(uvicorn.Config(watched, host="127.0.0.1", port=0, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Server(("127.0.0.1", int(server.servers[0].sockets[0].getsockname()[1])), done)
    server.should_exit = True
    thread.join(30)


def head(client: httpx.Client, path: str, kind: str, length: int) -> bytes:
    """The head of a request by hand, with the cookies of a client."""
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Cookie: {cookies}",
        f"Content-Type: {kind}",
        f"Content-Length: {length}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode()


def test_half_a_form_does_nothing(thread_server: Server, light_store: Store) -> None:
    """The fields that came are good by themselves; the connection ends before the last one has."""
    path = f"/campaigns/{CAMPAIGN}/state"
    with signed_in(thread_server.address, "the-manager") as client:
        token = client.headers["X-CSRF-Token"]
        body = f"csrf_token={token}&state=closed&note=".encode()
        kind = "application/x-www-form-urlencoded"
        with socket.create_connection(thread_server.place) as line:
            line.sendall(head(client, path, kind, len(body) + 100) + body)
        thread_server.wait_for(path)
        with light_store.read() as connection:
            assert find_campaign(connection, CAMPAIGN).state == "open"
        assert client.get("/health").status_code == 200
        # The whole of it does what it says: so it was the cut that kept it from being done.
        with socket.create_connection(thread_server.place) as line:
            line.sendall(head(client, path, kind, len(body)) + body)
            assert line.recv(200).startswith(b"HTTP/1.1 303")
        with light_store.read() as connection:
            assert find_campaign(connection, CAMPAIGN).state == "closed"


def test_half_a_body_is_never_a_whole_one(light_app: FastAPI, light_store: Store) -> None:
    """The same without a network in between: the app is told that the client left, and does nothing."""
    client = Client(light_app, "the-manager")
    body = f"csrf_token={client.csrf}&state=closed&note=".encode()
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    sent: list[Any] = []

    def ask(messages: list[dict[str, Any]]) -> None:
        async def receive() -> dict[str, Any]:
            return messages.pop(0) if messages else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [
            (b"host", b"localhost"),
            (b"cookie", cookies.encode()),
            (b"content-length", str(len(body) + 100).encode()),
            (b"content-type", b"application/x-www-form-urlencoded"),
        ]
        scope = {
            "type": "http",
            "method": "POST",
            "path": f"/campaigns/{CAMPAIGN}/state",
            "raw_path": b"/",
            "query_string": b"",
            "headers": headers,
            "scheme": "http",
            "server": ("localhost", 80),
            "client": ("1.2.3.4", 5),
            "http_version": "1.1",
            "root_path": "",
        }
        asyncio.run(light_app(scope, receive, send))

    ask([{"type": "http.request", "body": body, "more_body": True}])
    assert sent[0]["status"] == 400
    assert b"ended before the body was whole; nothing was done" in sent[1]["body"]
    with light_store.read() as connection:
        assert find_campaign(connection, CAMPAIGN).state == "open"
    ask([{"type": "http.request", "body": body, "more_body": False}])  # whole, by the word of the server
    with light_store.read() as connection:
        assert find_campaign(connection, CAMPAIGN).state == "closed"


def multipart(token: str, manifest: str) -> tuple[str, bytes]:
    fields = {"csrf_token": token, "by": "manifest", "manifest": manifest}
    parts = [
        f'--cut\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()
    ]
    parts.append('--cut\r\nContent-Disposition: form-data; name="files"; filename="a.en"\r\n\r\n' + "x" * 20_000)
    return "multipart/form-data; boundary=cut", "".join(parts).encode()


@pytest.mark.parametrize(
    ("how", "thread_server"), [("cut", 60), ("reset", 60), ("slow", 0.5)], indirect=["thread_server"]
)
def test_an_upload_that_does_not_arrive(
    thread_server: Server, light_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Nothing is made of it, nothing is left of it, and whoever is still there is told."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    # Signed in at another app of the same house: there, no body has to hurry.
    manager = Client(create_app(light_store, Settings()), "the-manager")
    with httpx.Client(base_url=thread_server.address, timeout=60, cookies=dict(manager.cookies)) as client:
        kind, body = multipart(str(manager.csrf), MANIFEST.replace('"birds"', '"cut"'))
        line = socket.create_connection(thread_server.place)
        line.sendall(head(client, "/campaigns", kind, len(body) + 5000))
        if how == "slow":
            said = b""
            with line, suppress(OSError):  # the server may hang up before it is heard
                line.sendall(body[: len(body) // 2])
                line.settimeout(60)
                for _ in range(1200):  # as long as it is still waited for
                    if "/campaigns" in thread_server.done:
                        break
                    line.sendall(b"x")
                    time.sleep(0.05)
                said = line.recv(4000)
            assert not said or b"408" in said.partition(b"\r\n")[0]
        else:
            line.sendall(body[: len(body) // 2])
            if how == "reset":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            line.close()
        thread_server.wait_for("/campaigns")
        assert client.get("/health").status_code == 200
        names = [row["name"] for row in client.get("/api/v1/campaigns").json()["rows"]]
        assert names == [CAMPAIGN]
    assert list(folder.iterdir()) == []


def workers_of(server: Running) -> list[int]:
    """The processes that answer: children of the one that was started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(words[1]) == server.process.pid and b"spawn_main" in command:
            found.append(int(folder.name))
    return found


@pytest.mark.parametrize("seed", [1])
def test_kill_9_at_random_moments(database: str, tmp_path: Path, seed: int) -> None:
    """Now all processes, now one worker that the others outlive; everybody sends until it is confirmed."""
    draws = random.Random(seed)
    told: dict[str, list[tuple[str, int]]] = {"ada": [], "ben": []}
    waiting: dict[str, list[dict[str, Any]]] = {"ada": [], "ben": []}
    sent: set[str] = set()
    strange: list[str] = []

    def work(name: str, address: str, over: threading.Event) -> None:
        """Send new answers, and first of all what was not confirmed, until the server is gone."""
        try:
            with signed_in(address, name) as client:
                items = [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]
                n = 0
                while not over.is_set():
                    if not waiting[name]:
                        n += 1
                        for k in range(2):
                            key = uuid.uuid4().hex
                            sent.add(key)
                            waiting[name].append(
                                {"key": key, "item": items[(n + k) % len(items)], "answer": {"score": n % 100}}
                            )
                    answer = client.post(f"{BASE}/answers", json={"events": waiting[name]})
                    if answer.status_code != 200:
                        strange.append(answer.text)
                        return
                    told[name] += [(each["key"], each["revision"]) for each in answer.json()["saved"]]
                    waiting[name] = []
        except (httpx.TransportError, KeyError, ValueError):
            return  # gone, perhaps while signing in

    for number in range(3):
        with Running(database, "--workers", "2", log=tmp_path / f"log-{number}.txt") as server:
            over = threading.Event()
            threads = [threading.Thread(target=work, args=(name, server.address, over)) for name in told]
            for thread in threads:
                thread.start()
            time.sleep(0.2 + 1.3 * draws.random())
            if number == 1 and (workers := workers_of(server)):
                os.kill(draws.choice(workers), signal.SIGKILL)
                time.sleep(0.5 * draws.random())
            server.kill()
            over.set()
            for thread in threads:
                thread.join()
    with Running(database, log=tmp_path / "last.txt") as server:  # what the browsers still have
        for name, events in waiting.items():
            with signed_in(server.address, name) as client:
                answer = client.post(f"{BASE}/answers", json={"events": events})
                told[name] += [(each["key"], each["revision"]) for each in answer.json().get("saved", [])]
        server.stop()
    assert strange == []
    store = Store(database)
    s = tables.answers.c
    with store.read() as connection:
        rows = connection.execute(
            sa.select(tables.users.c.name, s.key, s.revision, s.item_id, s.assignment_id).join(
                tables.users, tables.users.c.id == s.user_id
            )
        ).all()
    store.close()
    kept = [(row.name, row.key, row.revision) for row in rows]
    assert len(kept) == len({row.key for row in rows})
    assert {(name, *each) for name, own in told.items() for each in own} == set(kept)
    assert {row.key for row in rows} == sent, "all was confirmed in the end"
    by_place: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        by_place.setdefault((row.assignment_id, row.item_id), []).append(row.revision)
    assert all(sorted(own) == list(range(1, len(own) + 1)) for own in by_place.values())


def test_two_workers_deal_every_copy_once(database: str, tmp_path: Path) -> None:
    """People who come at once, at two processes that share nothing but the database."""
    text = (
        MANIFEST.replace('"birds"', '"crowd"')
        .replace("redundancy = 2", "redundancy = 3")
        .replace('["ada", "ben", "chloe"]', "5")
    )
    store = Store(database)
    with store.write() as connection:
        create_campaign(connection, read_manifest(write_manifest(tmp_path, text)), actor=COMMAND_LINE)
        token = make_invite(connection, secret=store.secret, address="", actor=COMMAND_LINE, campaign="crowd").token
    faults: list[str] = []
    mine: dict[str, list[str]] = {}

    def judge(address: str, name: str) -> None:
        try:
            with httpx.Client(base_url=address, timeout=60) as client:
                joined = client.post(f"/api/v1/join/{token}", json={"name": name, "password": PASSWORD})
                client.headers["X-CSRF-Token"] = joined.json()["csrf"]
                own = mine.setdefault(name, [])
                while (shown := client.get("/api/v1/campaigns/crowd/next").json()).get("item") is not None:
                    event = {"key": uuid.uuid4().hex, "item": shown["item"], "answer": {"score": 50}}
                    # A new connection each time: now this worker answers, now that one.
                    with httpx.Client(base_url=address, timeout=60, cookies=client.cookies) as other:
                        said = other.post(
                            "/api/v1/campaigns/crowd/answers",
                            json={"events": [event]},
                            headers={"X-CSRF-Token": client.headers["X-CSRF-Token"]},
                        )
                    assert not said.json()["refused"], said.text
                    own.append(event["key"])
        except Exception as error:
            faults.append(f"{name}: {error!r}")

    with Running(database, "--workers", "2", log=tmp_path / "log.txt") as server:
        threads = [threading.Thread(target=judge, args=(server.address, f"w{n}")) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(workers_of(server)) == 2
        server.stop()
    assert faults == []
    with store.read() as connection:
        told = campaign_judgements(connection, "crowd")
        kept = sorted(connection.scalars(sa.select(tables.answers.c.key)))
    store.close()
    assert set(Counter(told["item"]).values()) == {3}
    assert max(Counter(zip(told["annotator"], told["item"], strict=True)).values()) == 1
    assert kept == sorted(key for own in mine.values() for key in own)
