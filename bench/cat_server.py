"""The workbench under load: translators save over HTTP, and one types by the socket with a prediction at every key.

    python bench/cat_server.py --people 50 --seconds 60
    python bench/cat_server.py --engine models/de-en --source test.de --reference test.en
    python bench/cat_server.py --people 50 --db postgresql://…

Prints the times of saving against the bar (p95 below 150 ms for 50 translators), and fails if a text that was confirmed
is lost or doubled. With an engine it prints the times from a key to its prediction, through the socket, and of opening
a segment, against theirs (p95 below 50 ms and 150 ms). The default is short.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import httpx
from websockets.sync.client import connect

from dragoman.cat.projects import import_file, new_project
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user
from dragoman.store.translating.history import read_log
from dragoman.store.translating.jobs import add_job

PASSWORD = "correct horse battery"
SAVING, KEY, OPENING = 150.0, 50.0, 150.0  # milliseconds, p95
PER_PERSON = 200  # segments


def prepare(db: str, people: int, engine: bool) -> int:
    """A project in which everybody has segments; its number."""
    store = Store(db)
    store.migrate()
    text = "".join(f"Satz {n} von vielen, in klaren Worten gesagt.\n" for n in range(people * PER_PERSON))
    with store.write() as connection:
        project = new_project(connection, "load", "de", "en", actor=COMMAND_LINE, engine="engine" if engine else None)
        import_file(connection, project, "text.txt", text.encode(), actor=COMMAND_LINE)
        for number in range(people):
            add_user(connection, f"t{number}", "annotator", PASSWORD, actor=COMMAND_LINE)
            first = number * PER_PERSON + 1
            add_job(connection, project.id, f"t{number}", first=first, last=first + PER_PERSON - 1, actor=COMMAND_LINE)
    store.close()
    return project.id


class Translator:
    """One simulated translator: thinks, saves a draft or confirms."""

    def __init__(self, number: int, address: str, project: int) -> None:
        self.number = number
        self.base = f"/api/v1/cat/projects/{project}"
        self.client = httpx.AsyncClient(base_url=address, timeout=60)
        self.draws = random.Random(number)
        self.confirmed: list[str] = []
        self.seconds: list[float] = []
        self.errors: list[str] = []

    async def sign_in(self) -> None:
        """Sign in, and see the segments."""
        body = {"name": f"t{self.number}", "password": PASSWORD}
        self.client.headers["X-CSRF-Token"] = (await self.client.post("/api/v1/session", json=body)).json()["csrf"]
        first = self.number * PER_PERSON + 1
        wanted = {"first": first, "last": first + PER_PERSON - 1, "limit": PER_PERSON}
        rows = (await self.client.get(f"{self.base}/segments", params=wanted)).json()["segments"]
        self.revisions = {row["id"]: row["revision"] for row in rows}

    async def work(self, until: float, think: float) -> None:
        """Save segment after segment until the time is over."""
        while time.monotonic() < until:
            await asyncio.sleep(self.draws.expovariate(1 / think))
            segment, text = self.draws.choice([*self.revisions]), uuid.uuid4().hex
            change = {"key": text, "segment": segment, "revision": self.revisions[segment], "target": text}
            change["state"] = self.draws.choice(["draft", "translated"])
            begun = time.perf_counter()
            answer = await self.client.post(f"{self.base}/changes", json={"changes": [change]})
            self.seconds.append(time.perf_counter() - begun)
            outcome = answer.json()["outcomes"][0] if answer.status_code == 200 else {"saved": False}
            if not outcome["saved"]:
                self.errors.append(answer.text[:200])
                continue
            self.revisions[segment] = outcome["revision"]
            self.confirmed.append(text)


def percentile(values: list[float], share: float) -> float:
    """A percentile in milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


async def save_together(address: str, project: int, people: int, seconds: float, think: float) -> list[Translator]:
    """Everybody saves for a while."""
    translators = [Translator(number, address, project) for number in range(people)]
    for each in translators:
        await each.sign_in()
    until = time.monotonic() + seconds
    await asyncio.gather(*(each.work(until, think) for each in translators))
    for each in translators:
        await each.client.aclose()
    return translators


def type_with_predictions(address: str, project: int, pairs: list[tuple[str, str]]) -> tuple[list[float], list[float]]:
    """Type references key by key: seconds until a segment is open, and from each key to its prediction."""
    with httpx.Client(base_url=address) as client:
        client.post("/api/v1/session", json={"name": "t0", "password": PASSWORD})
        cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
    opening, keys = [], []
    where = address.replace("http", "ws", 1) + f"/cat/projects/{project}/socket"
    with connect(where, origin=address, additional_headers={"Cookie": cookies}) as socket:

        def ask(name: str, **data: object) -> float:
            begun = time.perf_counter()
            socket.send(json.dumps({"id": 1, "name": name, "data": data}))
            while (answer := json.loads(socket.recv()))["name"] != f"{name}Result":
                pass
            if answer["errors"]:
                raise SystemExit(f"{name}: {answer['errors'][0]}")
            return time.perf_counter() - begun

        ask("startSession", source="Ein Hund.")  # the engine is loaded when it is first asked
        for source, reference in pairs:
            opening.append(ask("startSession", source=source))
            keys += [ask("setPrefix", target=reference[:n], caretPos=n) for n in range(len(reference))]
    return opening, keys


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--think", type=float, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--db", help="an empty database; a SQLite file for this run, if not given")
    parser.add_argument("--engine", help="an engine's folder")
    parser.add_argument("--source", help="sentences to be typed, a line each")
    parser.add_argument("--reference", help="their translations")
    parser.add_argument("--words", type=int, default=40, help="length of the typed sentences: short ones are joined")
    parser.add_argument("--sentences", type=int, default=10)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db = asked.db or str(Path(folder) / "load.db")
        project = prepare(db, asked.people, bool(asked.engine))
        more = ["--engine", f"engine={asked.engine}"] if asked.engine else []
        words = ["--json", "--port", "0", "--db", db, "--workers", str(asked.workers), "--log-level", "error"]
        server = subprocess.Popen(
            [Path(sys.executable).with_name("dragoman"), "serve", *words, *more],
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["rows"][0]["address"]
            while True:
                try:
                    httpx.get(f"{address}/health", timeout=5).raise_for_status()
                    break
                except httpx.TransportError:
                    time.sleep(0.2)
            if asked.engine:
                texts = [
                    Path(path).read_text(encoding="utf-8").splitlines() for path in (asked.source, asked.reference)
                ]
                report_typing(
                    *type_with_predictions(address, project, long_pairs(*texts, asked.words, asked.sentences))
                )
            else:
                translators = asyncio.run(save_together(address, project, asked.people, asked.seconds, asked.think))
                report_saving(translators, kept(db, project))
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()


def long_pairs(sources: list[str], references: list[str], words: int, most: int) -> list[tuple[str, str]]:
    """Sentences of so many words at least, made of neighbours."""
    pairs: list[tuple[str, str]] = []
    left, right = "", ""
    for source, reference in zip(sources, references, strict=True):
        left, right = f"{left} {source}".strip(), f"{right} {reference}".strip()
        if len(left.split()) >= words:
            pairs.append((left, right))
            left, right = "", ""
        if len(pairs) == most:
            break
    return pairs


def kept(db: str, project: int) -> list[str]:
    """The texts that the database has, in the order in which they were saved."""
    store = Store(db)
    with store.read() as connection:
        texts = [event.data["target"] for event in read_log(connection, project) if event.kind == "saved"]
    store.close()
    return texts


def report_saving(translators: list[Translator], texts: list[str]) -> None:
    """Times against the bar; what is lost or doubled fails."""
    seconds = [each for one in translators for each in one.seconds]
    confirmed = sorted(text for one in translators for text in one.confirmed)
    errors = [error for one in translators for error in one.errors]
    p95 = percentile(seconds, 0.95)
    print(f"{len(confirmed)} texts saved by {len(translators)} people; p50 {percentile(seconds, 0.5):.1f} ms,", end=" ")
    print(f"p95 {p95:.1f} ms; bar {SAVING:g} ms {'met' if p95 < SAVING else 'not met'}; load {os.getloadavg()[0]:.1f}")
    if errors or sorted(texts) != confirmed:
        sys.exit(f"{len(errors)} errors; {len(confirmed)} confirmed, {len(texts)} kept. {errors[:1]}")


def report_typing(opening: list[float], keys: list[float]) -> None:
    """Times against the bars."""
    for name, values, bar in (("opening a segment", opening, OPENING), ("a key", keys, KEY)):
        p95 = percentile(values, 0.95)
        print(f"{name}: {len(values)} times, p50 {percentile(values, 0.5):.1f} ms, p95 {p95:.1f} ms,", end=" ")
        print(f"bar {bar:g} ms {'met' if p95 < bar else 'not met'}; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
