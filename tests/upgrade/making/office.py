"""A server's database with all that people do there, filled through the server and its commands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from click.testing import CliRunner

from tests.conftest import ROOT
from tests.upgrade.asking import run
from tests.web.running import Running

__all__ = ["fill"]

PASSWORD = "correct horse battery"
PEOPLE = {"ida": "admin", "max": "manager", "ada": "annotator", "ben": "annotator", "vera": "viewer"}
CAMPAIGNS = ("da", "ranking", "esa", "mqm")
CARE = ("judy=1", "joan=0.9", "joe=0")
LETTER = "Der Hund schläft.\nEs regnet heute nicht.\n\nWir gehen nach Hause.\nGute Nacht!\nDas Zimmer kostet 80 Euro.\n"
PAGE = "<html><body><h1>Hotel</h1><p>Das <b>Zimmer</b> ist <i>ruhig</i>.</p><p>Gute Nacht!</p></body></html>\n"
MEMORY = """<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4"><header creationtool="sample" creationtoolversion="1" segtype="sentence" o-tmf="sample"
 adminlang="en" srclang="de" datatype="plaintext"/><body>
<tu><tuv xml:lang="de"><seg>Gute Nacht!</seg></tuv><tuv xml:lang="en"><seg>Good night!</seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>Das Zimmer kostet 90 Euro.</seg></tuv>
<tuv xml:lang="en"><seg>The room is 90 euros.</seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>Wir gehen nach Wien.</seg></tuv><tuv xml:lang="en"><seg>We go to Vienna.</seg></tuv></tu>
</body></tmx>
"""
TARGETS = ("The dog sleeps.", "It does not rain today.", "We go home.")
MOMENT = "2026-05-04T10:00:{:02}Z"


def fill(db: str, folder: Path) -> None:
    """Fill a database; the folder is for files on the way."""
    material(folder)
    for name, role in PEOPLE.items():
        words = ["campaign", "users", "add", name, "--role", role, "--password-stdin", "--db", db]
        _run_with(words, folder, PASSWORD)
    _campaigns(db, folder)
    run(["cat", "memory", "new", "office", "--pair", "de-en", "--db", db], folder)
    run(["cat", "memory", "import", "office", "office.tmx", "--db", db], folder)
    files = ["letter.txt", "page.html"]
    run(["cat", "new", "letters", *files, "-l", "de-en", "--memory", "office", "--db", db], folder)
    with Running(db, log=folder / "server.log") as server:
        _judge(db, server.address, folder)
        _translate(server.address)
        server.stop()
    _decide(db, folder)


def material(folder: Path) -> None:
    """Manifests and files, beside the samples."""
    (folder / "letter.txt").write_text(LETTER, encoding="utf-8")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    (folder / "office.tmx").write_text(MEMORY, encoding="utf-8")
    for name in CAMPAIGNS:
        text = (ROOT / "examples" / name / "manifest.toml").read_text(encoding="utf-8")
        text = text.replace("../../src/dragoman/samples/", "samples/")
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    heard = folder / "heard"
    if not heard.exists():
        shutil.copytree(ROOT / "examples" / "comprehension", heard)
    manifest = (ROOT / "examples" / "comprehension" / "manifest.toml").read_text(encoding="utf-8")
    (heard / "manifest.toml").write_text('audio = "{system}-{segment}.wav"\n' + manifest, encoding="utf-8")
    systems = {path.stem: path.read_text(encoding="utf-8").splitlines() for path in heard.glob("*.en")}
    for system, lines in systems.items():
        for segment in range(1, len(lines) + 1):
            (heard / f"{system}-{segment}.wav").write_bytes(f"RIFF {system} {segment}".encode())


def _campaigns(db: str, folder: Path) -> None:
    for name in CAMPAIGNS:
        run(["campaign", "new", f"{name}.toml", "--title", f"Campaign {name}", "--db", db], folder)
    run(["campaign", "new", "heard/manifest.toml", "--code", "C0DE", "--db", db], folder)
    for name in ("ada", "ben"):
        run(["campaign", "add", "sample-mqm", name, "--db", db], folder)
        run(["campaign", "add", "sample-comprehension", name, "--db", db], folder)
    run(["campaign", "users", "languages", "ada", "de", "en", "--db", db], folder)
    run(["campaign", "users", "services", "ada", "translate", "score", "--db", db], folder)
    run(["campaign", "managers", "sample-da", "--add", "max", "--db", db], folder)
    run(["campaign", "invite", "sample-mqm", "--db", db], folder)


def _judge(db: str, address: str, folder: Path) -> None:
    care = [word for each in CARE for word in ("--care", each)]
    for name in ("da", "ranking", "esa"):
        run(["campaign", "simulate", f"sample-{name}", "--url", address, *care, "--db", db], folder)
    with _person(address, "max") as manager:
        invite = {"platform": "prolific", "max_tasks": 1}
        made = _checked(manager.post("/api/v1/campaigns/sample-comprehension/invites", json=invite)).json()
        _checked(manager.post("/api/v1/tokens", json={"name": "reports", "scopes": ["cat"], "days": 30}))
    with httpx.Client(base_url=address, trust_env=False) as worker:
        came = {"PROLIFIC_PID": "5f00aa77zq", "STUDY_ID": "s1", "SESSION_ID": "6633cc11ses"}
        token = made["rows"][0]["link"].rsplit("/", 1)[-1].partition("?")[0]
        _checked(worker.post(f"/api/v1/join/{token}", json={"parameters": came}))
        worker.headers["X-CSRF-Token"] = worker.get("/api/v1/session").json()["csrf"]
        _answer(worker, "sample-comprehension", {"answers": {"1": "1987"}, "quality": 4, "plays": 1})
    with _person(address, "ada") as ada:
        _answer(ada, "sample-comprehension", {"answers": {"2": "no"}, "quality": 2})
        spans = [{"start": 0, "end": 3, "severity": "major", "category": "accuracy/mistranslation"}]
        _answer(ada, "sample-mqm", {"spans": spans})


def _answer(person: httpx.Client, campaign: str, answer: dict[str, Any]) -> None:
    """Give the first three items that wait the same answer, as long as it takes."""
    base = f"/api/v1/campaigns/{campaign}"
    waiting = [each["item"] for each in _checked(person.get(f"{base}/work")).json()["items"] if not each["done"]][:3]
    for n, item in enumerate(waiting):
        event = {
            "key": f"k{n}-{item}"[:64],
            "item": item,
            "answer": answer,
            "active_seconds": 10.0 + n,
            "started": MOMENT.format(n),
            "ended": MOMENT.format(n + 10),
        }
        saved = _checked(person.post(f"{base}/answers", json={"events": [event]})).json()
        if saved["refused"]:
            raise AssertionError(saved)


def _translate(address: str) -> None:
    keys = count(1)

    def key() -> str:
        return f"k{next(keys)}"

    base = "/api/v1/cat/projects/1"
    with _person(address, "max") as manager:
        terms = [{"source": "Zimmer", "target": "room"}, {"source": "Hund", "target": "hound", "status": "forbidden"}]
        _checked(manager.put(f"{base}/glossary", json={"terms": terms}))
        for job in ({"user": "ada", "first": 1, "last": 4}, {"user": "ben", "role": "reviewer"}):
            _checked(manager.post(f"{base}/jobs", json=job))
    with _person(address, "ada") as ada:
        _checked(ada.put(f"{base}/consent", json={"given": True}))
        rows = _checked(ada.get(f"{base}/segments")).json()["segments"]
        events = [("segmentOpened", 0, {"text": ""}), ("keyDown", 4, {"key": "a"}), ("segmentClosed", 6, {})]
        told = [
            {"key": key(), "kind": kind, "segment": rows[0]["id"], "at": MOMENT.format(second), "data": data}
            for kind, second, data in events
        ]
        _checked(ada.post(f"{base}/events", json={"events": told}))
        origin = {"kind": "MT", "name": "e", "score": 85, "text": "The dog sleep."}
        changes = [
            {"key": key(), "segment": row["id"], "revision": 0, "target": text, "state": "translated"}
            for row, text in zip(rows, TARGETS, strict=False)
        ]
        _checked(ada.post(f"{base}/changes", json={"changes": [{**changes[0], "origin": origin}, *changes[1:]]}))
    with _person(address, "ben") as ben:
        first, second = (f"{base}/segments/{row['id']}" for row in rows[:2])
        _checked(ben.post(f"{first}/comments", json={"key": key(), "text": "Is this a young dog?"}))
        issue = {"key": key(), "start": 0, "end": 3, "severity": "minor", "category": "accuracy/mistranslation"}
        _checked(ben.post(f"{first}/issues", json=issue))
        _checked(ben.put(f"{second}/score", json={"key": key(), "score": 90}))


def _decide(db: str, folder: Path) -> None:
    run(["campaign", "exclude", "sample-da", "joe", "--reason", "scores all alike", "--db", db], folder)
    disputed = _first_item(db, folder)
    answer = ["--answer", '{"spans": [], "score": 70}', "--by", "ida", "--note", "both are right in part"]
    run(["campaign", "decide", "sample-esa", disputed, *answer, "--db", db], folder)
    run(["campaign", "publish", "sample-da", "--db", db], folder)
    run(["campaign", "pause", "sample-mqm", "--db", db], folder)
    run(["campaign", "close", "sample-ranking", "--db", db], folder)


def _first_item(db: str, folder: Path) -> str:
    import json

    told = json.loads(run(["campaign", "disputes", "sample-esa", "--db", db, "--json"], folder))
    return str(told["rows"][0]["item"])


def _run_with(words: list[str], folder: Path, line: str) -> None:
    from dragoman.cli.main import group

    done = CliRunner().invoke(group, words, input=f"{line}\n")
    if done.exit_code:
        raise AssertionError(f"{folder}: {words}\n{done.output}")


@contextmanager
def _person(address: str, name: str) -> Iterator[httpx.Client]:
    """Somebody who has signed in."""
    with httpx.Client(base_url=address, trust_env=False) as client:
        signed_in = _checked(client.post("/api/v1/session", json={"name": name, "password": PASSWORD}))
        client.headers["X-CSRF-Token"] = signed_in.json()["csrf"]
        yield client


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.is_error:
        raise AssertionError(f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}")
    return answer
