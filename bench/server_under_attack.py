"""People at work while others do harm: saving and health of a server that is sent hostile files and asks a dead engine.

    python bench/server_under_attack.py                        # short: SQLite, 40 seconds
    python bench/server_under_attack.py --seconds 3600 --pace 30 --rest 20     # an hour, at the pace of people
    python bench/server_under_attack.py --seconds 3600 --db postgresql --workers 2 --servers 2
    python bench/server_under_attack.py --db postgresql://…    # an empty database

Translators open segments, ask for suggestions and save; annotators judge. Meanwhile documents that are small and mean
much work (a paragraph of 200,000 sentences, 300,000 runs, a workbook that unpacks to thousands of times its size, a TMX
file of a million units, packages of them) are uploaded without end, every third by somebody who leaves at once, and
programs ask an engine that takes connections and never answers. Sources are made up. Prints p95 of saving against the
bar of 500 ms, the longest `/health` against 1 second, what came of the uploads, memory and open files over time (on
Linux), and fails if something that was confirmed is not in the database; with --strict also if a bar is not met.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import random
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from campaign_server import BASE, MANIFEST
from sampling import Sampler
from workbench import postgresql

from dragoman.cat.projects import import_file, new_project
from dragoman.human.manifest import read_manifest
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.membership import add_member
from dragoman.store.people.accounts import add_user
from dragoman.store.people.sessions import COOKIE, Session, open_session
from dragoman.store.translating.jobs import add_job, spread
from dragoman.store.translating.segments import list_segments

BARS = {"saving": 500.0, "health": 1000.0}  # milliseconds: p95, and the longest
PEOPLE = "translators", "annotators"
TLS = ssl.create_default_context()  # one for all: making it takes longer than a request
LANGS = {"source_lang": "de", "target_lang": "en"}
PER_PERSON = 40  # segments
JUDGED = 20  # segments for each annotator, at least; two outputs of each are judged three times
PARTS = 10  # of the time, for the table of memory


def word(draws: random.Random) -> str:
    """Something that looks like a word, and packs badly."""
    return "".join(draws.choice("abcdefghijklmnop") for _ in range(draws.randint(2, 8)))


def zipped(parts: dict[str, str]) -> bytes:
    """An archive of texts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return stream.getvalue()


def document(body: str) -> bytes:
    """A Word document."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    return zipped({"word/document.xml": f"<w:document {space}><w:body>{body}</w:body></w:document>"})


def workbook(n_rows: int, text: str) -> bytes:
    """A workbook whose rows all show one text."""
    names = ("A1", "source"), ("B1", "target")
    head = "".join(f'<c r="{place}" t="inlineStr"><is><t>{name}</t></is></c>' for place, name in names)
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(2, n_rows + 2))
    return zipped(
        {
            "xl/workbook.xml": "<workbook/>",
            "xl/sharedStrings.xml": f"<sst><si><t>{text}</t></si></sst>",
            "xl/worksheets/sheet1.xml": f"<worksheet><sheetData><row r='1'>{head}</row>{rows}</sheetData></worksheet>",
        }
    )


def memory(n_units: int) -> bytes:
    """A TMX file."""
    head = '<header creationtool="x" creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" '
    unit = '<tu><tuv xml:lang="de"><seg>Wort</seg></tuv><tuv xml:lang="en"><seg>Word</seg></tuv></tu>'
    return f'<tmx version="1.4">{head}srclang="de" datatype="plaintext"/><body>{unit * n_units}</body></tmx>'.encode()


def hostile() -> dict[str, bytes]:
    """Documents by name: small to send, much to read."""
    draws = random.Random(1)
    sentences = " ".join(f"{word(draws).capitalize()} {word(draws)}." for _ in range(200_000))
    runs = "".join(f"<w:r><w:t>{word(draws)}. </w:t></w:r>" for _ in range(300_000))
    many = "".join(f"<w:p><w:r><w:t>{word(draws)}</w:t></w:r></w:p>" for _ in range(300_000))
    text = "<w:r><w:t>x</w:t></w:r>"
    tabs = "".join(f"<w:r><w:tab w:val='{word(draws)}'/></w:r>" for _ in range(300_000))
    return {
        "sentences.docx": document(f"<w:p><w:r><w:t>{sentences}</w:t></w:r></w:p>"),
        "runs.docx": document(f"<w:p>{runs}</w:p>"),
        "paragraphs.docx": document(many),
        "tabs.docx": document(f"<w:p>{text}{tabs}{text}</w:p>"),
        "bomb.xlsx": workbook(40_000, "Some words. " * 1500),
        "rows.xlsx": workbook(60_000, "".join(word(draws) for _ in range(20_000))),
        "one-line.txt": " ".join(f"{word(draws).capitalize()}." for _ in range(300_000)).encode(),
        "units.tmx": memory(120_000),
        "letter.txt": b"Guten Tag.\nWir kommen morgen.\n",  # somebody who means no harm
    }


@dataclass
class House:
    """The database as it is before the server starts: who is signed in, and what they work on."""

    project: int
    target: int  # the project that is sent hostile files
    translators: list[Session]
    annotators: list[Session]
    manager: Session
    segments: list[list[int]]  # of each translator


def prepare(db: str, translators: int, annotators: int, steps: float, folder: Path) -> House:
    """A project cut among translators, a campaign of `steps` judgements each for the annotators, all signed in."""
    n_items = round(max(JUDGED, 0.4 * steps) * annotators)
    for name in ("source.de", "reference.en", "one.en", "two.en"):
        (folder / name).write_text("".join(f"Sentence {k} of {name}, in plain words.\n" for k in range(n_items)))
    (folder / "manifest.toml").write_text(MANIFEST.format())
    store = Store(db)
    store.migrate()
    names = [f"translator-{number}" for number in range(translators)]
    judges = [f"judge-{number}" for number in range(annotators)]
    text = "".join(f"Satz {k} steht in einer Zeile.\n" for k in range(translators * PER_PERSON))
    manifest = read_manifest(folder / "manifest.toml")
    with store.write() as connection:
        manager = add_user(connection, "manager", "manager", None, actor=COMMAND_LINE)
        create_campaign(connection, manifest, actor=COMMAND_LINE)
        made = [
            new_project(connection, name, "de", "en", actor=COMMAND_LINE, owner=manager, engine="deaf")
            for name in ("work", "attacked")
        ]
        import_file(connection, made[0], "lines.txt", text.encode(), actor=COMMAND_LINE)
        people = [add_user(connection, name, "annotator", None, actor=COMMAND_LINE) for name in (*names, *judges)]
        for name in judges:
            add_member(connection, "load", name, actor=COMMAND_LINE)
        sessions = [open_session(connection, user, hours=24) for user in (manager, *people)]
        _, rows = list_segments(connection, made[0].id, limit=10**6)
        parts = spread(len(rows), names)
        for name, first, last in parts:
            add_job(connection, made[0].id, name, actor=COMMAND_LINE, first=first, last=last)
    store.close()
    own = [[row["id"] for row in rows[first - 1 : last]] for _, first, last in parts]
    first, *rest = sessions
    return House(made[0].id, made[1].id, rest[:translators], rest[translators:], first, own)


def client(address: str, session: Session, seconds: float = 60.0) -> httpx.AsyncClient:
    """Somebody's browser."""
    headers = {"Cookie": f"{COOKIE}={session.token}", "X-CSRF-Token": session.csrf}
    return httpx.AsyncClient(base_url=address, headers=headers, timeout=seconds, verify=TLS)


@dataclass
class Load:
    """What came of it."""

    house: House
    addresses: list[str]
    until: float = 0.0
    saving: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in PEOPLE})
    health: list[float] = field(default_factory=list)
    confirmed: dict[int, str] = field(default_factory=dict)  # by segment
    keys: list[str] = field(default_factory=list)  # of judgements
    uploads: Counter[str] = field(default_factory=Counter)
    engine: Counter[str] = field(default_factory=Counter)
    suggestions: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    resent: int = 0

    def address(self, number: int) -> str:
        """The server of somebody: each of several has a share."""
        return self.addresses[number % len(self.addresses)]

    async def save(self, http: httpx.AsyncClient, who: str, path: str, body: dict[str, Any]) -> Any:
        """Send until it is answered, as pages do; what was saved has a key, so it is saved once."""
        begun = time.perf_counter()
        for _ in range(20):
            try:
                answer = await http.post(path, json=body)
            except httpx.TransportError:
                self.resent += 1
                continue
            if answer.status_code == 503:
                self.resent += 1
                await asyncio.sleep(1)
                continue
            self.saving[who].append(time.perf_counter() - begun)
            if answer.status_code == 200:
                return answer.json()
            self.errors.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            return None
        self.errors.append(f"{path}: no answer")
        return None

    async def read(self, http: httpx.AsyncClient, path: str) -> Any:
        """What a page reads, asked for again where the connection broke or the server has too much to do."""
        for _ in range(20):
            try:
                answer = await http.get(path)
            except httpx.TransportError:
                self.resent += 1
                continue
            if answer.status_code == 200:
                return answer.json()
            if answer.status_code != 503:
                break
            self.resent += 1
            await asyncio.sleep(1)
        self.errors.append(f"{path}: not read")
        return None

    async def translate(self, number: int, pace: float) -> None:
        """Open a segment, look at suggestions, save; then the next."""
        draws = random.Random(number)
        base = f"/api/v1/cat/projects/{self.house.project}"
        async with client(self.address(number), self.house.translators[number]) as http:
            await asyncio.sleep(pace * draws.random())
            segments = self.house.segments[number]
            for step in range(10**6):
                if time.monotonic() > self.until:
                    return
                segment = segments[step % len(segments)]
                row = await self.read(http, f"{base}/segments/{segment}")
                told = await self.read(http, f"{base}/segments/{segment}/suggestions")
                if row is None or told is None:
                    continue
                self.suggestions["without the engine" if told["problem"] else "whole"] += 1
                await asyncio.sleep(draws.expovariate(1 / pace))
                text = f"Sentence {step} of {number}."
                change = {"key": uuid.uuid4().hex, "segment": segment, "revision": row["revision"], "target": text}
                change["state"] = "translated"
                saved = await self.save(http, PEOPLE[0], f"{base}/changes", {"changes": [change]})
                if saved and saved["outcomes"][0]["saved"]:
                    self.confirmed[segment] = text
                elif saved:
                    self.errors.append(str(saved)[:200])

    async def judge(self, number: int, pace: float) -> None:
        """Judge item after item."""
        draws = random.Random(-number)
        async with client(self.address(number), self.house.annotators[number]) as http:
            await asyncio.sleep(pace * draws.random())
            while time.monotonic() < self.until:
                shown = await self.read(http, f"{BASE}/next")
                if shown is None or shown.get("item") is None:
                    self.errors.append(str(shown)[:200])
                    return
                await asyncio.sleep(draws.expovariate(1 / pace))
                event = {"key": uuid.uuid4().hex, "item": shown["item"], "answer": {"score": draws.randrange(101)}}
                saved = await self.save(http, PEOPLE[1], f"{BASE}/answers", {"events": [event]})
                if saved and not saved["refused"]:
                    self.keys.append(event["key"])
                elif saved:
                    self.errors.append(str(saved)[:200])

    async def upload(self, number: int, files: dict[str, bytes], rest: float) -> None:
        """Send one hostile file after another; leave before every third is read."""
        base = "/api/v1/cat"
        for step in range(10**6):
            if time.monotonic() > self.until:
                return
            name = [*files][(step * 5 + number) % len(files)]
            leaves = step % 3 == 2
            own = {"name": f"{number}-{step}-{name}", "memory": "attacked"}
            path = f"{base}/memories/tmx" if name.endswith(".tmx") else f"{base}/projects/{self.house.target}/files"
            if not name.endswith(".tmx"):
                del own["memory"]
            async with client(self.address(number), self.house.manager, 1.0 if leaves else 300.0) as http:
                try:
                    answer = await http.post(path, params=own, content=files[name])
                    what = "taken" if answer.status_code < 300 else answer.json()["kind"]
                    self.uploads[what] += 1
                    await asyncio.sleep(float(answer.headers.get("Retry-After", 0)) / 30)
                except httpx.TransportError:
                    self.uploads["left" if leaves else "broken"] += 1
            await asyncio.sleep(rest)

    async def ask(self, number: int) -> None:
        """Ask the engine that never answers."""
        async with client(self.address(number), self.house.manager) as http:
            while time.monotonic() < self.until:
                try:
                    answer = await http.post("/v1/translate", json={"texts": ["Guten Tag."], "engine": "deaf"})
                    self.engine[answer.json().get("kind", "answered")] += 1
                except httpx.TransportError as error:
                    self.engine[type(error).__name__] += 1
                await asyncio.sleep(2)

    async def watch(self, number: int) -> None:
        """Ask for health all the time."""
        async with httpx.AsyncClient(base_url=self.address(number), timeout=60, verify=TLS) as http:
            while time.monotonic() < self.until:
                begun = time.perf_counter()
                try:
                    answer = await http.get("/health")
                    if answer.status_code != 200:
                        self.errors.append(f"/health: {answer.status_code} {answer.text[:100]}")
                except httpx.TransportError as error:
                    self.errors.append(f"/health: {type(error).__name__}")
                self.health.append(time.perf_counter() - begun)
                await asyncio.sleep(0.25)


async def run(load: Load, given: argparse.Namespace, files: dict[str, bytes]) -> None:
    """Everybody at once."""
    people = [load.translate(number, given.pace) for number in range(given.translators)]
    people += [load.judge(number, given.pace) for number in range(given.annotators)]
    people += [load.watch(number) for number in range(len(load.addresses))]
    attack = [load.upload(number, files, given.rest) for number in range(given.uploads)] if files else []
    attack += [load.ask(number) for number in range(24)] if files else []
    load.until = time.monotonic() + given.seconds
    attackers = [asyncio.create_task(each) for each in attack]
    await asyncio.gather(*people)
    for each in attackers:
        each.cancel()
    await asyncio.gather(*attackers, return_exceptions=True)


@contextmanager
def serving(db: str, engine: str, given: argparse.Namespace) -> Iterator[tuple[str, int]]:
    """The address of a server of its own processes, and their group."""
    command = [str(Path(sys.executable).with_name("dragoman")), "serve", "--json", "--port", "0", "--db", db]
    command += ["--workers", str(given.workers), "--log-level", "error", "--engine", f"deaf={engine}"]
    command += ["--engine-seconds", "5"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["rows"][0]["address"]
        for _ in range(600):
            try:
                httpx.get(f"{address}/health", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield address, server.pid
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def lost(db: str, load: Load) -> list[str]:
    """What was confirmed and is not there, and judgements that stand twice or were never confirmed."""
    store = Store(db)
    with store.read() as connection:
        keys = Counter(connection.scalars(sa.select(tables.answers.c.key)))
        _, rows = list_segments(connection, load.house.project, limit=10**6)
    store.close()
    kept = {row["id"]: row["target"] for row in rows}
    wrong = [f"segment {number}" for number, text in load.confirmed.items() if kept.get(number) != text]
    wrong += [f"judgement {key}" for key in load.keys if keys[key] != 1]
    return wrong


def at(times: list[float], share: float) -> float:
    """A quantile in milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def told(counts: Counter[str]) -> str:
    """Counts as text."""
    return ", ".join(f"{what} {n}" for what, n in counts.most_common()) or "none"


def print_samples(sampler: Sampler) -> None:
    """Memory, open files and load over time."""
    print("  minute   servers MB   with readers, most   open files   load, least to most")
    for part in filter(None, sampler.parts(PARTS)):
        last, loads = part[-1], sorted(each.load for each in part)
        print(
            f"  {last.second / 60:6.1f}   {last.lasting:10.0f}   {max(each.all for each in part):18.0f}   "
            f"{last.files:10}   {loads[0]:.1f} to {loads[-1]:.1f}"
        )
    if sampler.ended:
        print(f"  {sampler.ended} of {len(sampler.lasting)} processes of the servers ended")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--translators", type=int, default=50)
    parser.add_argument("--annotators", type=int, default=100)
    parser.add_argument("--uploads", type=int, default=4, help="people who upload hostile files at a time")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rest", type=float, default=0.0, help="seconds that each of them waits between files")
    parser.add_argument("--pace", type=float, default=8.0, help="mean seconds somebody thinks")
    parser.add_argument("--workers", type=int, default=2, help="processes of each server")
    parser.add_argument("--servers", type=int, default=1, help="servers on the one database (PostgreSQL)")
    parser.add_argument("--db", default="", help="an empty database, or `postgresql`; else a SQLite file")
    parser.add_argument("--peace", action="store_true", help="without hostile files and without the engine, to compare")
    parser.add_argument("--strict", action="store_true", help="fail if a bar is not met")
    given = parser.parse_args()
    files = {} if given.peace else hostile()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        db = stack.enter_context(postgresql()) if given.db == "postgresql" else given.db or str(folder / "load.db")
        deaf = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=1000))
        engine = f"libretranslate:http://127.0.0.1:{deaf.getsockname()[1]},source=de,target=en,cache=no,timeout=40"
        house = prepare(db, given.translators, given.annotators, given.seconds / given.pace, folder)
        with ExitStack() as servers:
            opened = [servers.enter_context(serving(db, engine, given)) for _ in range(given.servers)]
            load = Load(house, [address for address, _ in opened])
            sampler = Sampler([group for _, group in opened])
            with sampler.running(max(1.0, given.seconds / 600)):
                asyncio.run(run(load, given, files))
            average = os.getloadavg()
        wrong = lost(db, load)
        dialect = Store(db).dialect
    print(
        f"{dialect}, {given.servers} servers of {given.workers} processes, {given.translators} translators, "
        f"{given.annotators} annotators, {given.seconds:g} s; load average {' '.join(f'{v:.1f}' for v in average)}"
    )
    bars = []
    for who, times in load.saving.items():
        bars.append(at(times, 0.95) < BARS["saving"])
        print(
            f"  saving, {who:<12} {len(times):6} times  p50 {at(times, 0.5):7.1f} ms  p95 {at(times, 0.95):7.1f} ms  "
            f"most {at(times, 1):7.1f} ms; bar {BARS['saving']:g} ms {'met' if bars[-1] else 'NOT met'}"
        )
    bars.append(at(load.health, 1) < BARS["health"])
    print(
        f"  /health              {len(load.health):6} times  p50 {at(load.health, 0.5):7.1f} ms  "
        f"p95 {at(load.health, 0.95):7.1f} ms  most {at(load.health, 1):7.1f} ms; bar {BARS['health']:g} ms "
        f"{'met' if bars[-1] else 'NOT met'}"
    )
    print_samples(sampler)
    print(f"  uploads: {told(load.uploads)}; suggestions: {told(load.suggestions)}; the engine: {told(load.engine)}")
    print(
        f"  confirmed {len(load.confirmed)} segments and {len(load.keys)} judgements; lost or doubled {len(wrong)}; "
        f"sent again {load.resent}; errors {len(load.errors)}"
    )
    if wrong or load.errors:
        print(f"  first: {[*wrong, *load.errors][0]}")
        return 1
    return int(given.strict and not all(bars))


if __name__ == "__main__":
    sys.exit(main())
