"""What is uploaded is read before any transaction, within limits that have names, as long as somebody waits for it."""

from __future__ import annotations

import asyncio
import inspect
import io
import threading
import time
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.requests import Request

from dragoman.cat.packages import Package, PackageFile, PackageJob
from dragoman.store import Store
from dragoman.web import Settings, create_app
from dragoman.web.app import routes_of
from dragoman.web.lanes import Lane, while_there
from dragoman.web.limited import Limited
from dragoman.web.refusals import Busy, CutOff
from tests.web.cat.conftest import API
from tests.web.client import Client

LANGS = {"source_lang": "en", "target_lang": "de"}
PATIENCE = 120  # seconds until something that must come counts as not coming
TMX = (
    '<?xml version="1.0"?><tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" '
    'o-tmf="x" adminlang="en" srclang="en" datatype="plaintext"/><body>{}</body></tmx>'
)
UNIT = '<tu><tuv xml:lang="en"><seg>Word {0}</seg></tuv><tuv xml:lang="de"><seg>Wort {0}</seg></tuv></tu>'


def workbook(n_rows: int, text: str) -> bytes:
    """Many rows that show one text: a small file with much to translate."""
    names = ("A1", "source"), ("B1", "target")
    head = "".join(f'<c r="{place}" t="inlineStr"><is><t>{name}</t></is></c>' for place, name in names)
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(2, n_rows + 2))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/sharedStrings.xml", f"<sst><si><t>{text}</t></si></sst>")
        sheet = f"<worksheet><sheetData><row r='1'>{head}</row>{rows}</sheetData></worksheet>"
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
    return stream.getvalue()


def bold(n_sentences: int) -> bytes:
    """A paragraph whose every sentence has codes of its own: segments keep those of all."""
    text = "".join(f"<b class='c{n}'>Words {n}</b> were here. " for n in range(n_sentences))
    return f"<html><body><p>{text}</p></body></html>".encode()


def upload(app: FastAPI, name: str, content: bytes) -> Any:
    manager = Client(app, "the-manager")
    made = manager.post(f"{API}/projects", json={"name": f"for {name}", **LANGS}).json()["id"]
    answer = manager.post(f"{API}/projects/{made}/files", params={"name": name}, content=content)
    assert manager.get(f"{API}/projects/{made}").json()["files"] == [] or answer.status_code == 201
    return answer


LIMITS: list[tuple[dict[str, Any], str, bytes, str, str]] = [
    ({"import_segments": 3}, "a.txt", b"One.\nTwo.\nThree.\nFour.\n", "TooManySegments", "more than 3 segments"),
    ({"import_characters": 9}, "a.txt", b"One.\nTwo.\nThree.\n", "TooManyCharacters", "more than 9 characters"),
    ({}, "a.xlsx", workbook(2_000, "A sentence. " * 100), "TooManySegments", "more than 100,000 segments"),
    ({"import_seconds": 0.3}, "a.xlsx", workbook(30_000, "x" * 900), "TooLong", "more than 0.3 seconds"),
    ({}, "a.txt", b"x" * 100_001, "DataError", "has 100,001 characters; one that is translated has at most 100,000"),
    ({"import_characters": 100_000}, "a.html", bold(500), "TooManyCharacters", "too many inline codes"),
    (
        {"import_memory": 1 << 28},
        "a.txt",
        ("word " * 2_500_000).encode(),
        "TooMuchMemory",
        "more than 256 MB of memory",
    ),
]


@pytest.mark.parametrize(
    ("limits", "name", "content", "kind", "message"), LIMITS, ids=[each[4][:25] for each in LIMITS]
)
def test_each_limit_has_a_name(
    light_store: Store, limits: dict[str, Any], name: str, content: bytes, kind: str, message: str
) -> None:
    app = create_app(light_store, Settings(**{"requests_per_minute": 10**6, "import_seconds": 600.0, **limits}))
    answer = upload(app, name, content)
    assert (answer.status_code, answer.json()["kind"]) == (422, kind), answer.text
    assert message in answer.json()["message"]
    if kind != "TooLong":  # there is hardly time to begin
        assert upload(app, "b.txt", b"One.\n").status_code == 201


def test_memories_glossaries_and_packages_have_the_same_limits(light_store: Store) -> None:
    app = create_app(light_store, Settings(requests_per_minute=10**6, import_segments=3))
    manager = Client(app, "the-manager")
    assert manager.post(f"{API}/memories", json={"name": "m", **LANGS}).status_code == 201
    for n_units, status in ((3, 200), (4, 422)):
        content = TMX.format("".join(UNIT.format(n) for n in range(n_units))).encode()
        query = {"memory": "m", "name": f"{n_units}.tmx"}
        answer = manager.post(f"{API}/memories/tmx", params=query, content=content)
        assert answer.status_code == status, answer.text
    assert answer.json()["kind"] == "TooManySegments"
    units = manager.get(f"{API}/memories").json()["rows"]
    assert [row["units"] for row in units if row["name"] == "m"] == [3]  # nothing of the one that is too long
    made = manager.post(f"{API}/projects", json={"name": "p", **LANGS}).json()["id"]
    terms = b"source\ttarget\nhouse\tHaus\n"
    told = manager.post(f"{API}/projects/{made}/glossary/file", params={"name": "t.tsv"}, content=terms)
    assert told.json() == {"id": 1}
    package = manager.get(f"{API}/projects/{made}/package").content
    assert manager.post(f"{API}/packages", params={"name": "again"}, content=package).status_code == 201


def test_terms_are_limited_as_those_of_the_interface(light_store: Store) -> None:
    """A project's terms are read with every request: by a file come no more than by JSON."""
    app = create_app(light_store, Settings(requests_per_minute=10**6))
    manager = Client(app, "the-manager")
    made = manager.post(f"{API}/projects", json={"name": "p", **LANGS}).json()["id"]
    path = f"{API}/projects/{made}/glossary/file"
    for what, rows, kind in (
        ("terms", "".join(f"house {n}\tHaus {n}\n" for n in range(20_001)), "DataError"),
        ("characters in its terms", f"house\t{'Haus ' * 20_000}\n" * 50, "TooManyCharacters"),
    ):
        told = manager.post(path, params={"name": "t.tsv"}, content=f"source\ttarget\n{rows}".encode())
        assert (told.status_code, told.json()["kind"]) == (422, kind), told.text
        assert what in told.json()["message"]
    assert manager.get(f"{API}/projects/{made}/glossary").json() == {"terms": []}


HEAD = TMX.format("").encode()


@pytest.mark.parametrize(
    ("what", "parts"),
    [
        ("1,001 jobs", {"jobs": (PackageJob("nobody", "translator", 1, 1),) * 1001}),
        ("51 memories", {"memories": {f"{'m' * 70}{n}": HEAD for n in range(51)}}),
        ("51 glossaries", {"glossaries": {str(n): b"cat\tKatze\n" for n in range(51)}}),
        ("1,001 files", {"files": tuple(PackageFile(f"{n}.txt", b"One.\n", "text") for n in range(1001))}),
    ],
)
def test_what_a_package_has_besides_segments_is_limited(light_store: Store, what: str, parts: dict[str, Any]) -> None:
    """A few hundred kilobytes had all others wait for most of a minute, for names were looked for one by one."""
    content = Package(**{"name": "p", "source_lang": "en", "target_lang": "de", "files": (), **parts}).to_bytes()
    manager = Client(create_app(light_store, Settings(requests_per_minute=10**6)), "the-manager")
    told = manager.post(f"{API}/packages", params={"assign": True}, content=content)
    assert told.status_code == 422, told.text
    assert f"The package has {what}" in told.json()["message"]


# Work over a whole project or campaign: a few at a time, in threads that nobody waits in who saves.
LONG = [
    "/api/v1/campaigns",
    "/api/v1/cat/projects/{project}/analysis",
    "/api/v1/cat/projects/{project}/checks",
    "/api/v1/cat/projects/{project}/engine/renew",
    "/api/v1/cat/projects/{project}/files/{file}/translated",
    "/api/v1/cat/projects/{project}/rollback",
    "/api/v1/restore",
    "/cat/projects/{project}/analysis",
    "/cat/projects/{project}/engine/renew",
]


@pytest.mark.parametrize("path", LONG)
def test_long_work_takes_no_thread_of_requests(light_app: FastAPI, path: str) -> None:
    long = [route.endpoint for route in routes_of(light_app) if route.path == path and "list" not in route.name]
    assert long
    assert all(map(inspect.iscoroutinefunction, long))


def test_others_save_while_a_document_is_read(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else writes before the first part of the document is read, and after the last."""
    received = Limited._received
    written: list[int] = []

    def write() -> None:
        with light_store.write():
            written.append(1)

    def others_write() -> None:
        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        writer.join(PATIENCE)
        assert not writer.is_alive(), "the database is locked while a document is read"

    def watched(*given: Any) -> Iterator[Any]:
        others_write()
        yield from received(*given)
        others_write()

    monkeypatch.setattr(Limited, "_received", watched)
    app = create_app(light_store, Settings(requests_per_minute=10**6, import_seconds=600))
    assert upload(app, "a.txt", b"One.\nTwo.\n").status_code == 201
    assert len(written) == 2


def sleeps(seconds: float) -> None:
    time.sleep(seconds)


def yields(n: int) -> Iterator[int]:
    yield from range(n)


def test_work_ends_when_whoever_asked_has_left() -> None:
    limited = Limited(600, 1 << 32, "Do less")
    assert limited.parts(yields, 3) == [0, 1, 2]

    async def ask(leaves: bool) -> Any:
        async def receive() -> dict[str, str]:
            if not leaves:
                await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        request = Request({"type": "http"}, receive)
        lane = Lane("jobs", 1, most=1, seconds=1)
        seconds = 600.0 if leaves else 0.0
        return await while_there(request, lane, lambda gone: limited.value(sleeps, seconds, gone=gone))

    assert asyncio.run(ask(leaves=False)) is None
    begun = time.monotonic()
    with pytest.raises(CutOff):
        asyncio.run(ask(leaves=True))
    assert time.monotonic() - begun < PATIENCE


def test_a_lane_sends_away_what_it_cannot_do() -> None:
    free = threading.Event()

    async def work() -> list[str]:
        lane = Lane("jobs", 1, most=1, seconds=0.2)
        # Tasks begin in the order of their making, and none is interrupted before it waits.
        first, second, third = (asyncio.create_task(lane.run(free.wait)) for _ in range(3))
        told = []
        for each in (third, second):  # no room to wait; waited too long
            with pytest.raises(Busy, match="too many jobs") as caught:
                await each
            told.append(str(caught.value))
        free.set()
        assert await first
        assert await lane.run(lambda: True)
        return told

    assert len(asyncio.run(work())) == 2
