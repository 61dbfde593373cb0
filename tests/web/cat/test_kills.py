"""kill -9 while translators save: nothing that was confirmed is lost, nothing is saved twice, revisions have no gap."""

from __future__ import annotations

import random
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from dragoman.cat.projects import import_file, new_project
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.translating.history import read_log
from dragoman.store.translating.jobs import add_job
from dragoman.store.translating.memories import find_memory, units_of
from dragoman.store.translating.segments import list_segments
from tests.web.cat.conftest import API, LETTER
from tests.web.running import Running
from tests.web.test_cuts import signed_in

PEOPLE = ("ada", "ben")


def prepare(database: str) -> int:
    store = Store(database)
    store.migrate()
    with store.write() as connection:
        project = new_project(connection, "letters", "de", "en", actor=COMMAND_LINE)
        import_file(connection, project, "letter.txt", LETTER.encode(), actor=COMMAND_LINE)
        for name in PEOPLE:
            add_job(connection, project.id, name, actor=COMMAND_LINE)
    store.close()
    return project.id


class Translator:
    """Saves without pause, into segments that others change, too; what was not answered is sent again first."""

    def __init__(self, name: str, project: int) -> None:
        self.name = name
        self.base = f"{API}/projects/{project}"
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.texts: dict[str, str] = {}
        self.waiting: list[dict[str, Any]] = []
        self.strange: list[str] = []
        self.draws = random.Random(name)

    def work(self, address: str, over: threading.Event) -> None:
        try:
            with signed_in(address, self.name) as client:
                while not over.is_set():
                    self.send(client)
        except (httpx.TransportError, KeyError, ValueError):
            return  # gone, perhaps while signing in

    def send(self, client: Any) -> None:
        if not self.waiting:
            rows = client.get(f"{self.base}/segments", params={"limit": 2}).json()["segments"]
            for row in rows:
                key = uuid.uuid4().hex
                self.texts[key] = f"{self.name} {key}"
                change = {"key": key, "segment": row["id"], "revision": row["revision"], "target": self.texts[key]}
                self.waiting.append({**change, "state": self.draws.choice(["draft", "translated"])})
        answer = client.post(f"{self.base}/changes", json={"changes": self.waiting})
        if answer.status_code != 200:
            self.strange.append(answer.text)
            raise KeyError("no answer that can be counted")
        self.outcomes |= {each["key"]: each for each in answer.json()["outcomes"]}
        self.waiting = []


@pytest.mark.parametrize("seed", [1])
def test_kill_9_at_random_moments(database: str, tmp_path: Path, seed: int) -> None:
    draws = random.Random(seed)
    project = prepare(database)
    people = [Translator(name, project) for name in PEOPLE]
    for number in range(2):
        with Running(database, "--workers", "2", log=tmp_path / f"log-{number}.txt") as server:
            over = threading.Event()
            threads = [threading.Thread(target=each.work, args=(server.address, over)) for each in people]
            for thread in threads:
                thread.start()
            time.sleep(0.5 + 1.5 * draws.random())
            server.kill()
            over.set()
            for thread in threads:
                thread.join()
    with Running(database, log=tmp_path / "last.txt") as server:  # what the browsers still have
        for each in people:
            with signed_in(server.address, each.name) as client:
                each.send(client)
        server.stop()
    assert [each.strange for each in people] == [[], []]
    store = Store(database)
    with store.read() as connection:
        log = [event for event in read_log(connection, project) if event.kind in ("saved", "refused")]
        rows = {row["id"]: row for row in list_segments(connection, project)[1]}
        units = [unit.target for unit in units_of(connection, find_memory(connection, "letters"))]
    store.close()
    texts = [event.data["target"] for event in log]
    assert len(set(texts)) == len(texts)
    assert set(texts) == {text for each in people for text in each.texts.values()}, "nobody's text is lost"
    saved = {event.data["target"]: event for event in log if event.kind == "saved"}
    for each in people:
        for key, outcome in each.outcomes.items():
            assert outcome["saved"] is (each.texts[key] in saved)
            if outcome["saved"]:
                assert saved[each.texts[key]].data["revision"] == outcome["revision"]
    for number, row in rows.items():
        own = [event for event in log if event.kind == "saved" and event.segment == number]
        assert [event.data["revision"] for event in own] == list(range(1, row["revision"] + 1))
        if own:
            assert row["target"] == own[-1].data["target"]
        confirmed = [event.data["target"] for event in own if event.data["state"] == "translated"]
        assert [text for text in units if text in set(confirmed)] == confirmed[-1:]  # the last is in the memory
