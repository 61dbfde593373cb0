"""Translators at work on a real server: each opens segments, asks for suggestions, types with prediction, saves.

    python bench/workbench.py ENGINE                                       # an engine's folder, German to English
    python bench/workbench.py ENGINE --db postgresql://… --seconds 60 --learn
    python bench/workbench.py ENGINE --db postgresql           # started for this, waiting for the disk (fsync)

The sources are Multi30k's captions; the translator types their reference. First one translator at sentences of 40
words, joined captions, on a server with one process on one core, without a pause: what a key and the opening of a
segment cost. Then 50 at once on two processes, with captions as they are, who read before they type. Opening is the
lock, the suggestions and the start of prediction together, as a page asks for them. The clock is the client's; the
server's processor time is told, too, for a machine that others use. Fails if something confirmed is not in the
database; with --strict also if a bar is not met.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from needs import caption_engine, real_data
from websockets.asyncio.client import connect

from dragoman.cat.projects import import_file, new_project
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user
from dragoman.store.people.sessions import COOKIE, Session, open_session
from dragoman.store.translating.jobs import add_job, spread
from dragoman.store.translating.segments import list_segments

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the database that the tests start

BARS = {"key": 50.0, "opening": 150.0, "saving": 150.0}  # milliseconds, p95
PER_PERSON = 100  # segments


def captions(data: Path, words: int) -> list[tuple[str, str]]:
    """Sources and references; captions are joined until a source has `words` words."""
    names = [data / "multi30k" / f"test_2016_flickr.{lang}.gz" for lang in ("de", "en")]
    sides = [gzip.decompress(name.read_bytes()).decode().splitlines() for name in names]
    pairs, source, reference = [], "", ""
    for one, other in zip(*sides, strict=True):
        # A full stop would end the segment.
        source, reference = (
            f"{text[:-1]}, {line.strip()}" if text else line.strip()
            for text, line in ((source, one), (reference, other))
        )
        if len(source.split()) >= words:
            pairs.append((source, reference))
            source = reference = ""
    return pairs


@dataclass(frozen=True)
class Habits:
    """How somebody works."""

    keys: int  # of each segment, from anywhere in it
    pace: float  # keys a second
    reading: float  # mean seconds before the first key


HURRIED = Habits(60, 1000.0, 0.0)


@dataclass
class Team:
    """A project and those who work in it."""

    project: int
    sessions: list[Session]
    references: dict[int, str]  # of a segment
    segments: list[list[int]]  # of each person


def prepare(db: str, pairs: list[tuple[str, str]], people: int) -> Team:
    """A project of one file, cut among people, who are signed in."""
    store = Store(db)
    store.migrate()
    names = [f"translator-{number}" for number in range(people)]
    text = "".join(f"{source}\n" for source, _ in pairs)
    with store.write() as connection:
        project = new_project(connection, "load", "de", "en", actor=COMMAND_LINE, engine="de-en")
        import_file(connection, project, "captions.txt", text.encode(), actor=COMMAND_LINE)
        users = [add_user(connection, name, "annotator", None, actor=COMMAND_LINE) for name in names]
        sessions = [open_session(connection, user, hours=24) for user in users]
        _, rows = list_segments(connection, project.id, limit=10**6)
        parts = spread(len(rows), names)
        for name, first, last in parts:
            add_job(connection, project.id, name, actor=COMMAND_LINE, first=first, last=last)
    store.close()
    typed = dict(pairs)
    # A caption of several sentences is as many segments, without a reference: what is typed is the source.
    references = {row["id"]: typed.get(row["source"], row["source"]) for row in rows}
    return Team(project.id, sessions, references, [[row["id"] for row in rows[a - 1 : b]] for _, a, b in parts])


@dataclass
class Translator:
    """Opens a segment, types with prediction at every key, saves; then the next."""

    address: str
    team: Team
    number: int
    n_segments: int | None = None  # at most; all of one's own if None
    seconds: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in (*BARS, "search")})
    confirmed: dict[int, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    async def work(self, until: float, habits: Habits) -> None:
        """Translate segment after segment until the time is over."""
        session = self.team.sessions[self.number]
        headers = {"Cookie": f"{COOKIE}={session.token}"}
        path = f"/cat/projects/{self.team.project}/socket"
        base = f"{self.address}/api/v1/cat/projects/{self.team.project}/"
        draws = random.Random(self.number)
        await asyncio.sleep((habits.reading + habits.keys / habits.pace) * draws.random())
        async with (
            httpx.AsyncClient(base_url=base, headers={**headers, "X-CSRF-Token": session.csrf}, timeout=60) as http,
            connect(self.address.replace("http", "ws") + path, origin=self.address, additional_headers=headers) as ws,
        ):
            for segment in self.team.segments[self.number][: self.n_segments]:
                if time.monotonic() > until:
                    return
                row = (await http.get(f"segments/{segment}")).json()
                await self._open(http, ws, row)
                text = self.team.references[segment]
                await asyncio.sleep(draws.random() * 2 * habits.reading)
                first = draws.randrange(max(1, len(text) - habits.keys))
                for caret in range(first, min(len(text), first + habits.keys)):
                    await self._press(ws, text[:caret])
                    await asyncio.sleep(draws.expovariate(habits.pace))
                await self._save(http, row, text)

    async def _open(self, http: httpx.AsyncClient, ws: Any, row: dict[str, Any]) -> None:
        begun = time.perf_counter()
        asked = asyncio.create_task(http.get(f"segments/{row['id']}/suggestions"))
        await self._ask(ws, "open", segment=row["id"])
        start = time.perf_counter()
        await self._ask(ws, "startSession", source=row["source"])
        self.seconds["search"].append(time.perf_counter() - start)
        suggested = await asked
        self.seconds["opening"].append(time.perf_counter() - begun)
        if suggested.status_code != 200:
            self.errors.append(suggested.text[:200])

    async def _press(self, ws: Any, prefix: str) -> None:
        start = time.perf_counter()
        await self._ask(ws, "setPrefix", target=prefix, caretPos=len(prefix), numResults=1)
        self.seconds["key"].append(time.perf_counter() - start)

    async def _save(self, http: httpx.AsyncClient, row: dict[str, Any], text: str) -> None:
        change = {"key": uuid.uuid4().hex, "segment": row["id"], "revision": row["revision"], "target": text}
        start = time.perf_counter()
        answer = await http.post("changes", json={"changes": [{**change, "state": "translated"}]})
        self.seconds["saving"].append(time.perf_counter() - start)
        if answer.status_code == 200 and answer.json()["outcomes"][0]["saved"]:
            self.confirmed[row["id"]] = text
        else:
            self.errors.append(answer.text[:200])

    async def _ask(self, ws: Any, name: str, **data: Any) -> None:
        await ws.send(json.dumps({"id": 1, "name": name, "data": data}))
        while True:  # what others do is heard meanwhile
            message = json.loads(await ws.recv())
            if message["name"] == f"{name}Result":
                self.errors += message["errors"]
                return


@contextmanager
def serving(db: str, engine: str, folder: Path, *, workers: int, learns: bool) -> Iterator[str]:
    """The address of a server of its own processes; a single one gets a single core."""
    command = [str(Path(sys.executable).with_name("dragoman")), "serve", "--json", "--port", "0", "--db", db]
    command += ["--workers", str(workers), "--log-level", "warning", "--engine", f"de-en={engine}"]
    command += ["--learning", str(folder / "learning") if learns else ""]
    if workers == 1 and shutil.which("taskset"):
        command = ["taskset", "-c", "0", *command]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["rows"][0]["address"]
        while True:
            try:
                httpx.get(f"{address}/health", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


async def translate(address: str, team: Team, seconds: float, habits: Habits) -> list[Translator]:
    """Everybody works until the time is over."""
    # The first to ask waits until the engine is read, in each process; that is no part of a working day.
    first = [Translator(address, team, 0, n_segments=1) for _ in range(8)]
    for each in first:
        await each.work(float("inf"), HURRIED)
    people = [Translator(address, team, number) for number in range(len(team.sessions))]
    until = time.monotonic() + seconds
    await asyncio.gather(*(each.work(until, habits) for each in people))
    people[0].errors += [error for each in first for error in each.errors]
    return people


def kept(db: str, project: int) -> dict[int, str]:
    """The confirmed texts in the database."""
    store = Store(db)
    with store.read() as connection:
        _, rows = list_segments(connection, project, limit=10**6)
    store.close()
    return {row["id"]: row["target"] for row in rows if row["state"] == "translated"}


def used() -> float:
    """Seconds of processor time of the servers that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def measure(given: argparse.Namespace, words: int, people: int, habits: Habits) -> bool:
    """Let people work, and print what it took against the bars; whether they are met."""
    before = used()
    pairs = captions(real_data(given.data), words)
    pairs = (pairs * (1 + people * PER_PERSON // len(pairs)))[: people * PER_PERSON]
    with tempfile.TemporaryDirectory() as folder:
        db = given.db if given.db and people > 1 else str(Path(folder) / "load.db")
        team = prepare(db, pairs, people)
        workers = 1 if people == 1 else given.workers
        with serving(db, given.engine, Path(folder), workers=workers, learns=given.learn) as address:
            translators = asyncio.run(translate(address, team, given.seconds, habits))
        found = kept(db, team.project)
    confirmed = {segment: text for each in translators for segment, text in each.confirmed.items()}
    errors = [error for each in translators for error in each.errors]
    print(
        f"{people} at once, sources of {words}+ words, {workers} processes: {len(confirmed)} segments in "
        f"{given.seconds:g} s, {len(errors)} errors; processor time of the server {used() - before:.1f} s, starting "
        f"included; load average {os.getloadavg()[0]:.1f}"
    )
    lost = [segment for segment, text in confirmed.items() if found.get(segment) != text]
    if lost or errors:
        sys.exit(f"Lost: {len(lost)}; first error: {errors[:1]}")
    bars = [tell(name, [s for each in translators for s in each.seconds[name]]) for name in ("search", *BARS)]
    return all(bars)


def tell(name: str, seconds: list[float]) -> bool:
    """Print times of one kind; whether the bar is met."""
    times = sorted(seconds)
    p50, p95, most = (1000 * times[min(len(times) - 1, int(q * len(times)))] for q in (0.5, 0.95, 1))
    met = name not in BARS or p95 < BARS[name]
    bar = f"; bar {BARS[name]:g} ms {'met' if met else 'NOT met'}" if name in BARS else ""
    print(f"  {name:<8} {len(times):6} times  p50 {p50:7.1f} ms  p95 {p95:7.1f} ms  most {most:7.1f} ms{bar}")
    return met


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?", help="an engine's folder; else one is trained on captions")
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30, help="how long each of the two parts lasts")
    parser.add_argument("--reading", type=float, default=4.0, help="mean seconds until somebody types")
    parser.add_argument("--workers", type=int, default=2, help="processes of the server with many people")
    parser.add_argument(
        "--db", default="", help="an empty database for many people, or `postgresql`; else a SQLite file"
    )
    parser.add_argument("--learn", action="store_true", help="the engine learns from what is confirmed")
    parser.add_argument("--data")
    parser.add_argument("--strict", action="store_true", help="fail if a bar is not met")
    given = parser.parse_args()
    given.engine = str(caption_engine(given.engine))
    alone = measure(given, 40, 1, HURRIED)
    with postgresql() if given.db == "postgresql" else nullcontext(given.db) as given.db:
        together = measure(given, 1, given.people, Habits(12, 4.0, given.reading))
    return int(given.strict and not (alone and together))


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty database in a cluster that is thrown away, as safe as a real one."""
    from tests.web import databases

    programs = databases.programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed here.")
    with databases.cluster(programs, fsync=True) as cluster:
        yield cluster.url(cluster.make())


if __name__ == "__main__":
    sys.exit(main())
