"""Restoring what means harm: no memory without bounds, nobody waits while it is read, and every fault is named."""

from __future__ import annotations

import base64
import io
import json
import threading
import tracemalloc
import zipfile
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.human.direct_assessment import DirectAssessment
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging import archived
from dragoman.store.judging.archive import write_archive
from dragoman.store.people.accounts import add_user
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN
from tests.web.judges import fill_campaign

MANY = 3_000_000  # rows or values; as objects some 200 MB
LITTLE = 100 << 20  # bytes


def archive_of(app: FastAPI, store: Store) -> bytes:
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0}, tasks=1)
    with store.read() as connection:
        return write_archive(connection, CAMPAIGN)


def with_part(content: bytes, path: str, text: bytes, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w", packing) as new:
        for entry in old.infolist():
            if entry.filename != path:
                new.writestr(entry.filename, old.read(entry))
        new.writestr(path, text)
    return stream.getvalue()


def restored(client: Client, content: bytes) -> Any:
    return client.post("/api/v1/restore", json={"archive": base64.b64encode(content).decode(), "name": "other"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{}\n" * MANY, "line 1: id is missing"),
        (b'{"id": ' + b"[" + b"[]," * MANY + b"[]]}\n", "line 1: it is longer than"),
    ],
)
def test_a_small_zip_takes_little_memory(light_app: FastAPI, light_store: Store, text: bytes, message: str) -> None:
    bomb = with_part(archive_of(light_app, light_store), "data/tasks.jsonl", text)
    assert len(bomb) < len(text) / 100
    manager = Client(light_app, "the-manager")
    tracemalloc.start()
    try:
        answer = restored(manager, bomb)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < LITTLE
    assert answer.status_code == 422
    assert message in answer.json()["message"]


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ("_MOST_ROWS", "more than 3 rows"),
        ("_MOST_PEOPLE", "more than 3 people"),
        ("_MOST_FILES", "3 of"),
        ("_LONGEST_LINE", "longer than 3 bytes"),
        ("_MOST_VALUES", "or 3 values"),
    ],
)
def test_what_is_refused_says_how_much_is_taken(
    light_app: FastAPI, light_store: Store, monkeypatch: pytest.MonkeyPatch, bound: str, message: str
) -> None:
    content = archive_of(light_app, light_store)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        member, *_ = archive.read("data/members.jsonl").splitlines()
    people = [json.dumps(json.loads(member) | {"user": name}) for name in ("ada", "b", "c", "d")]
    monkeypatch.setattr(archived, bound, 3)
    answer = restored(
        Client(light_app, "the-manager"), with_part(content, "data/members.jsonl", "\n".join(people).encode())
    )
    assert (answer.status_code, message in answer.json()["message"]) == (422, True), answer.text


def test_others_save_while_an_archive_is_read(
    light_app: FastAPI, light_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer of the archive is checked; while that happens, somebody else writes."""
    content = archive_of(light_app, light_store)
    check = DirectAssessment.check
    done: list[str] = []

    def write() -> None:
        with light_store.write() as connection:
            done.append(add_user(connection, f"new-{len(done)}", "annotator", PASSWORD, actor=COMMAND_LINE).name)

    def slow(self: DirectAssessment, *words: Any) -> None:
        if len(done) < 2:
            writer = threading.Thread(target=write, daemon=True)
            writer.start()
            writer.join(20)
            assert not writer.is_alive(), "the database is locked while answers are checked"
        check(self, *words)

    monkeypatch.setattr(DirectAssessment, "check", slow)
    answer = restored(Client(light_app, "the-manager"), content)
    assert (answer.status_code, done) == (201, ["new-0", "new-1"]), answer.text


DIGITS = "9" * 5000
DEEP = "[" * 100_000
HOSTILE: list[tuple[str, dict[str, Any] | str, str]] = [
    ("archive.json", "junk", "archive.json of the archive is no JSON"),
    ("archive.json", DEEP, "archive.json of the archive is no JSON"),
    ("archive.json", DIGITS, "archive.json of the archive is no JSON"),
    ("data/tasks.jsonl", DEEP, "line 1: this is no JSON object"),
    ("data/tasks.jsonl", f'{{"id": {DIGITS}}}', "line 1: this is no JSON object"),
    ("data/members.jsonl", {"max_tasks": 10**30}, "max_tasks is '1000000000000000000000000000000'"),
    ("data/members.jsonl", {"max_tasks": True}, "max_tasks is 'True'"),
    ("data/members.jsonl", {"joined": "0001-01-01T00:00:00+23:59"}, "joined is '0001-01-01T00:00:00+23:59'"),
    ("data/members.jsonl", {"joined": None}, "joined is missing"),
    ("data/members.jsonl", {"joined": 5}, "joined is '5', which is no moment"),
    ("data/members.jsonl", {"user": "a" * 81}, "user is 'aaa"),
    ("data/members.jsonl", {"user": ["ada"]}, "user is "),
    ("data/members.jsonl", {"reason": "nul \x00"}, "reason is "),
    ("data/members.jsonl", {"reason": "half \ud800"}, "reason is "),
    ("data/answers.jsonl", {"active_seconds": 10**400}, "line 1"),
    ("data/answers.jsonl", {"answer": {"score": 10**400}}, "line 1"),
    ("data/answers.jsonl", {"answer": [[[]]]}, "line 1"),
    ("data/answers.jsonl", {"item_id": 10**30}, "line 1"),
    ("data/answers.jsonl", {"item_id": {}}, "line 1"),
    ("data/campaign.jsonl", {"options": {"nothing": 1}}, "line 1"),
    ("data/campaign.jsonl", {"options": [[]]}, "line 1"),
    ("data/campaign.jsonl", {"protocol": "none"}, "none"),
    ("data/campaign.jsonl", {"state": {}}, "line 1"),
    ("data/items.jsonl", {"hidden": {"strange": 1}}, "line 1"),
    ("data/material.jsonl", {"test_set": {"srcs": [1]}}, "line 1"),
]


def test_hostile_values_are_refused_by_name(app: FastAPI, store: Store) -> None:
    content = archive_of(app, store)
    manager = Client(app, "the-manager")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {path: archive.read(path) for path in archive.namelist()}
    for path, change, message in HOSTILE:
        text = change.encode() if isinstance(change, str) else with_first(parts[path], change)
        answer = restored(manager, with_part(content, path, text))
        assert answer.status_code == (404 if change == {"protocol": "none"} else 422), (path, change, answer.text)
        assert message in answer.json()["message"]
    assert len(manager.get("/campaigns.json").json()["rows"]) == 1


def with_first(part: bytes, change: dict[str, Any]) -> bytes:
    """The part with other values in its first row."""
    first, *others = part.splitlines()
    return b"\n".join([json.dumps(json.loads(first) | change).encode(), *others])


def test_packings_that_expand_without_bounds_are_refused(light_app: FastAPI, light_store: Store) -> None:
    content = archive_of(light_app, light_store)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        about = archive.read("archive.json")
    answer = restored(Client(light_app, "the-manager"), with_part(content, "archive.json", about, zipfile.ZIP_BZIP2))
    assert answer.status_code == 422
    assert "packed in a way" in answer.json()["message"]
