"""Engines of others that hang, fail or come back: who asks is told soon, and everybody else goes on."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from dragoman.engines.endpoint import ServiceError
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.web import Settings, create_app
from dragoman.web.models.guarded import CallGuard
from dragoman.web.refusals import EngineAway
from tests.web.cat.conftest import API, make_project
from tests.web.client import PASSWORD, Client

PATIENCE = 120  # seconds until something that must come counts as not coming; the engine would be waited for longer


@pytest.fixture
def deaf() -> Iterator[str]:
    """An address that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
def app(light_store: Store, deaf: str) -> FastAPI:
    engine = f"deaf=libretranslate:{deaf},source=de,target=en,timeout=600,cache=no"
    return create_app(light_store, Settings(engines=(engine,), engine_seconds=0.5, requests_per_minute=10**6))


def test_health_and_pages_are_answered_while_an_engine_hangs(app: FastAPI) -> None:
    """Twenty-four at once for an engine that never answers."""

    async def ask() -> tuple[list[httpx.Response], httpx.Response]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client:
            signed = await client.post("/api/v1/session", json={"name": "the-manager", "password": PASSWORD})
            headers = {"X-CSRF-Token": signed.json()["csrf"]}
            body = {"texts": ["Guten Morgen."]}
            waiting = [asyncio.create_task(client.post("/v1/translate", json=body, headers=headers)) for _ in range(24)]
            while not all(each.done() for each in waiting):
                for path in ("/health", "/api/v1/campaigns"):
                    assert (await asyncio.wait_for(client.get(path), PATIENCE)).status_code == 200
                await asyncio.sleep(0.05)
            again = await client.post("/v1/translate", json=body, headers=headers)
            return [each.result() for each in waiting], again

    answers, again = asyncio.run(ask())
    assert {each.status_code for each in answers} == {503}
    assert {each.json()["kind"] for each in answers} == {"EngineAway"}
    assert all(int(each.headers["Retry-After"]) >= 1 for each in answers)
    assert any("did not answer within 0.5 seconds" in each.json()["message"] for each in answers)
    assert "failed 3 times in a row and is left alone" in again.json()["message"]
    told = Client(app, "the-admin").get("/metrics").text
    assert 'dragoman_engine_resting{engine="deaf"} 1' in told
    assert 'dragoman_engine_failures_total{engine="deaf"}' in told


def test_memories_are_of_use_and_saving_goes_on_without_the_engine(app: FastAPI) -> None:
    project = make_project(app, engine="deaf")
    ada = Client(app, "ada")
    first = ada.get(f"{API}/projects/{project}/segments").json()["segments"][0]
    change = {"key": "k", "segment": first["id"], "revision": 0, "target": "The dog sleeps.", "state": "translated"}
    saved = ada.post(f"{API}/projects/{project}/changes", json={"changes": [change]})
    assert saved.json()["outcomes"][0]["saved"]
    begun = time.monotonic()
    told = ada.get(f"{API}/projects/{project}/segments/{first['id']}/suggestions")
    assert time.monotonic() - begun < PATIENCE
    assert told.status_code == 200
    assert [each["text"] for each in told.json()["suggestions"]] == ["The dog sleeps."]
    assert "deaf did not answer within 0.5 seconds" in told.json()["problem"]


def fails(*, away: bool) -> Callable[[], None]:
    def act() -> None:
        raise ServiceError("service", "translate", 0, 0, ": no", away=away)

    return act


def test_after_failures_in_a_row_an_engine_rests_and_then_one_call_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr("dragoman.web.models.guarded.time", SimpleNamespace(monotonic=lambda: clock.now))
    said: list[str] = []
    guard = CallGuard("x", seconds=60, failures=2, rest=0.5, tell=lambda _, what: said.append(what))
    for _ in range(2):
        with pytest.raises(ServiceError):
            guard.run(fails(away=True))
    assert guard.is_resting
    with pytest.raises(EngineAway, match="failed 2 times in a row") as caught:
        guard.run(list)
    assert caught.value.retry_after == 1
    assert said == ["failures", "failures", "refusals"]
    clock.now += 0.6
    with pytest.raises(ServiceError):  # the one that tries
        guard.run(fails(away=True))
    with pytest.raises(EngineAway):
        guard.run(list)
    clock.now += 0.6
    assert guard.run(lambda: "good") == "good"
    assert not guard.is_resting
    assert guard.run(lambda: "good") == "good"


def test_what_is_wrong_with_a_text_is_no_failure_of_the_engine() -> None:
    guard = CallGuard("x", seconds=60, failures=1)
    for _ in range(3):
        with pytest.raises(ServiceError):
            guard.run(fails(away=False))
    with pytest.raises(DataError):
        guard.run(lambda: Settings(host="0.0.0.0", local=True))
    assert guard.run(lambda: 1) == 1


def test_no_more_threads_wait_for_an_engine_than_it_has_calls() -> None:
    free = threading.Event()
    guard = CallGuard("x", seconds=0.1, calls=2, failures=1000)
    before = threading.active_count()
    for _ in range(2):
        with pytest.raises(EngineAway, match=r"within 0\.1 seconds"):
            guard.run(free.wait)
    with pytest.raises(EngineAway, match="as many requests as it can take"):
        guard.run(list)
    assert threading.active_count() <= before + 2
    free.set()
    for _ in range(1200):
        try:
            assert guard.run(lambda: 7) == 7
            break
        except EngineAway:
            time.sleep(0.05)
    else:
        raise AssertionError("the threads were not given back")


def test_a_service_that_answers_stays_in_use(light_store: Store) -> None:
    """Several requests go to a service at a time."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(0.3)
            content = b'{"translatedText": ["Good morning."]}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        engine = f"s=libretranslate:http://127.0.0.1:{server.server_address[1]},source=de,target=en,cache=no"
        app = create_app(light_store, Settings(engines=(engine,), requests_per_minute=10**6))
        client = Client(app, "the-manager")
        told = client.post("/v1/translate", json={"texts": ["Guten Morgen."]})
        assert told.json()["translations"][0]["text"] == "Good morning."
        more = client.post("/v1/translate", json={"texts": ["Guten Morgen."], "nbest": 3})
        assert "The engine libretranslate does not tell n-best" in more.json()["message"]
        server.shutdown()
