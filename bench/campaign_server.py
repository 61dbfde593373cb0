"""A real server under load: simulated annotators judge over HTTP; what it confirmed is compared with what it kept.

    python bench/campaign_server.py --people 300 --seconds 600 --db postgresql://…
    python bench/campaign_server.py --people 300 --seconds 600 --json load.json

Everybody joins first; that is timed apart, for it hashes a password each. Prints the memory of all processes of the
server over time (on Linux), so that one that grows is seen, how many of them ended (a request that one had breaks
off and is sent again), and the times of saving a judgement against the bar (p95 below 100 ms on PostgreSQL, 250 ms on
SQLite), and fails if an answer is lost or doubled, or a request fails; with --strict also if the bar is not met. The
default is short.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from pathlib import Path

import httpx
import sqlalchemy as sa

from dragoman.human.manifest import read_manifest
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.people.invites import make_invite

BASE = "/api/v1/campaigns/load"
BARS = {"postgresql": 100.0, "sqlite": 250.0}  # milliseconds, p95 of saving a judgement
N_SYSTEMS, REDUNDANCY = 2, 3
MANIFEST = """
name = "load"
protocol = "da"
redundancy = {redundancy}
annotators = 6
section_size = 2
controls = {{bad = 0.5}}

[test_set]
source_lang = "de"
target_lang = "en"
srcs = "source.de"
refs = ["reference.en"]
systems = {{one = "one.en", two = "two.en"}}
"""


def prepare(db: str, given: argparse.Namespace, folder: Path) -> str:
    """A campaign large enough for everybody to the end, and the token of an invitation to it."""
    expected = given.people * given.seconds / max(given.think, 0.01)
    n = max(20, 60 * given.people, int(1.2 * expected / (N_SYSTEMS * REDUNDANCY)))
    for name in ("source.de", "reference.en", "one.en", "two.en"):
        (folder / name).write_text("".join(f"Sentence {k} of {name}, said in plain words.\n" for k in range(n)))
    (folder / "manifest.toml").write_text(MANIFEST.format(redundancy=REDUNDANCY))
    store = Store(db)
    store.migrate()
    with store.write() as connection:
        create_campaign(connection, read_manifest(folder / "manifest.toml"), actor=COMMAND_LINE)
        made = make_invite(connection, secret=store.secret, address="", actor=COMMAND_LINE, campaign="load")
    store.close()
    return made.token


class Judge:
    """One simulated annotator: opens the next item, thinks, answers."""

    def __init__(self, number: int, address: str, token: str) -> None:
        self.number, self.token = number, token
        self.client = httpx.AsyncClient(base_url=address, timeout=60)
        self.draws = random.Random(number)
        self.confirmed: list[str] = []
        self.seconds: list[float] = []
        self.joining = 0.0
        self.errors: list[str] = []
        self.resent: list[str] = []  # why, by the name of the error

    async def join(self) -> None:
        """Make an account by the invitation."""
        body = {"name": f"judge-{self.number}", "password": uuid.uuid4().hex}
        begun = time.perf_counter()
        answer = await self.client.post(f"/api/v1/join/{self.token}", json=body)
        self.joining = time.perf_counter() - begun
        if answer.status_code != 200:
            raise SystemExit(f"{body['name']} could not join: {answer.status_code} {answer.text[:200]}")
        self.client.headers["X-CSRF-Token"] = answer.json()["csrf"]

    async def ask(self, method: str, path: str, **more: object) -> httpx.Response:
        """A request, sent again as browsers do where its connection broke: a worker ended, or closed it under us."""
        for _ in range(3):
            try:
                return await self.client.request(method, path, **more)
            except httpx.TransportError as error:
                self.resent.append(type(error).__name__)
        return await self.client.request(method, path, **more)

    async def work(self, until: float, think: float) -> None:
        """Judge item after item until the time is over."""
        await asyncio.sleep(self.draws.random() * think)
        while time.monotonic() < until:
            shown = (await self.ask("GET", f"{BASE}/next")).json()
            if shown.get("item") is None:
                self.errors.append(str(shown)[:200])
                return
            await asyncio.sleep(self.draws.expovariate(1 / think))
            event = {"key": uuid.uuid4().hex, "item": shown["item"], "answer": {"score": self.draws.randrange(101)}}
            begun = time.perf_counter()
            answer = await self.ask("POST", f"{BASE}/answers", json={"events": [event]})
            self.seconds.append(time.perf_counter() - begun)
            if answer.status_code != 200 or answer.json()["refused"]:
                self.errors.append(answer.text[:200])
            else:
                self.confirmed.append(event["key"])


def memory_of(group: int) -> dict[int, float]:
    """Resident megabytes of each process of a group; nothing where there is no /proc."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[2]) == group:  # fields after the name: state, parent, group …, resident pages as the 22nd
            found[int(stat.parent.name)] = int(fields[21]) * resource.getpagesize() / 2**20
    return found


class Watch:
    """The server's memory over time, and how many of its processes ended."""

    def __init__(self) -> None:
        self.memory: list[tuple[float, float]] = []  # seconds since judging began, megabytes
        self.ended: set[int] = set()
        self._seen: set[int] = set()

    def look(self, group: int, second: float) -> None:
        """Note what is there now."""
        now = memory_of(group)
        self.memory.append((round(second), round(sum(now.values()), 1)))
        self.ended |= self._seen - set(now)
        self._seen |= set(now)

    async def run(self, group: int, every: float) -> None:
        """Look every so many seconds, until cancelled."""
        begun = time.monotonic()
        while True:
            self.look(group, time.monotonic() - begun)
            await asyncio.sleep(every)


async def load(
    address: str, token: str, given: argparse.Namespace, group: int, watch: Watch
) -> tuple[list[Judge], float, float]:
    """The judges, and how long joining and judging took."""
    people, seconds, think = given.people, given.seconds, given.think
    judges = [Judge(number, address, token) for number in range(people)]
    begun = time.monotonic()
    for start in range(0, people, 8):
        await asyncio.gather(*(judge.join() for judge in judges[start : start + 8]))
    joined = time.monotonic()
    watching = asyncio.create_task(watch.run(group, seconds / 20))
    await asyncio.gather(*(judge.work(joined + seconds, think) for judge in judges))
    watching.cancel()
    ended = time.monotonic()
    watch.look(group, ended - joined)
    for judge in judges:
        await judge.client.aclose()
    return judges, joined - begun, ended - joined


def served(command: list[str], token: str, given: argparse.Namespace, watch: Watch) -> tuple[list[Judge], float, float]:
    """Run the server while everybody judges."""
    server = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    try:
        address = json.loads(server.stdout.readline())["rows"][0]["address"]
        while True:
            try:
                httpx.get(f"{address}/health", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        return asyncio.run(load(address, token, given, server.pid, watch))
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def at(times: list[float], share: float) -> float:
    """A quantile in milliseconds."""
    return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def measured(dialect: str, given: argparse.Namespace, told: tuple[list[Judge], float, float], kept: list[str]) -> dict:
    """What came of it, as figures."""
    judges, joining, judging = told
    times = sorted(second for judge in judges for second in judge.seconds)
    joins = sorted(judge.joining for judge in judges)
    confirmed = sorted(key for judge in judges for key in judge.confirmed)
    errors = [error for judge in judges for error in judge.errors]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # the server and its workers, which have ended
    p95 = at(times, 0.95)
    return {
        "database": dialect,
        "people": given.people,
        "workers": given.workers,
        "think_seconds": given.think,
        "joining": {"seconds": round(joining, 1), "p50_ms": round(at(joins, 0.5)), "p95_ms": round(at(joins, 0.95))},
        "judging": {
            "seconds": round(judging, 1),
            "judgements": len(times),
            "per_second": round(len(times) / judging, 1),
            "p50_ms": round(at(times, 0.5), 1),
            "p95_ms": round(p95, 1),
            "p99_ms": round(at(times, 0.99), 1),
            "most_ms": round(at(times, 1.0), 1),
        },
        "errors": len(errors),
        "first_error": errors[0] if errors else None,
        "resent": dict(Counter(kind for judge in judges for kind in judge.resent)),
        "confirmed": len(confirmed),
        "kept": len(kept),
        "lost_or_doubled": kept != confirmed,
        "processor_ms_per_judgement": round(1000 * (used.ru_utime + used.ru_stime) / max(1, len(times)), 1),
        "load_average": [round(value, 1) for value in os.getloadavg()],
        "bar": {
            "p95_ms": BARS[dialect],
            "met": bool(times) and p95 < BARS[dialect] and not errors and kept == confirmed,
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10, help="how long they judge, joining not counted")
    parser.add_argument("--think", type=float, default=4.0, help="mean seconds an annotator thinks")
    parser.add_argument("--workers", type=int, default=2, help="processes of the server")
    parser.add_argument("--db", default="", help="an empty database; a new SQLite file if not given")
    parser.add_argument("--json", dest="result", default="", help="also write the figures into this file")
    parser.add_argument("--strict", action="store_true", help="fail if the bar is not met")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        db = given.db or str(folder / "load.db")
        token = prepare(db, given, folder)
        command = [
            str(Path(sys.executable).with_name("dragoman")),
            "serve",
            "--json",
            "--port",
            "0",
            "--db",
            db,
            "--workers",
            str(given.workers),
            "--log-level",
            "warning",
        ]
        watch = Watch()
        told = served(command, token, given, watch)
        store = Store(db)
        with store.read() as connection:
            kept = sorted(connection.scalars(sa.select(tables.answers.c.key)))
        store.close()
    found = measured(store.dialect, given, told, kept) | {"memory": watch.memory, "ended": len(watch.ended)}
    if given.result:
        Path(given.result).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    join, judge, bar = found["joining"], found["judging"], found["bar"]
    print(
        f"{store.dialect}, {given.workers} workers: {given.people} people joined in {join['seconds']:g} s "
        f"(each p95 {join['p95_ms']} ms), then {judge['judgements']} judgements in {judge['seconds']:g} s; saving took "
        f"p50 {judge['p50_ms']:.0f} ms, p95 {judge['p95_ms']:.0f} ms, p99 {judge['p99_ms']:.0f} ms, at most "
        f"{judge['most_ms']:.0f} ms; {found['errors']} errors, {sum(found['resent'].values())} requests sent again; "
        f"kept {found['kept']}, confirmed {found['confirmed']}; "
        f"the server's processor time {found['processor_ms_per_judgement']:.0f} ms a judgement, joining included; load "
        f"average {' '.join(map(str, found['load_average']))}"
    )
    print("memory of the server: " + ", ".join(f"{mb:.0f} MB at {second:.0f} s" for second, mb in watch.memory))
    why = ", ".join(f"{kind} {n} times" for kind, n in found["resent"].items()) or "no connection broke"
    print(f"processes of the server that ended meanwhile: {found['ended']}; {why}")
    print(f"bar {'met' if bar['met'] else 'not met'}: p95 {judge['p95_ms']:.0f} ms, to be below {bar['p95_ms']:.0f} ms")
    if found["errors"] or found["lost_or_doubled"]:
        sys.exit(f"Kept {found['kept']}, confirmed {found['confirmed']}; first error: {found['first_error']}")
    if given.strict and not bar["met"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
