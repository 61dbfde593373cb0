"""A real server under load: simulated annotators judge over HTTP; what it confirmed is compared with what it kept.

    python bench/campaign_server.py --people 300 --seconds 600 --db postgresql://…

Prints the times of saving a judgement. Fails if an answer is lost or doubled, or a request fails. The default is short.
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
from pathlib import Path

import httpx
import sqlalchemy as sa

from dragoman.human.manifest import read_manifest
from dragoman.web import Store, tables
from dragoman.web.audit import COMMAND_LINE
from dragoman.web.campaigns import create_campaign
from dragoman.web.invites import make_invite

BASE = "/api/v1/campaigns/load"
MANIFEST = """
name = "load"
protocol = "da"
redundancy = 3
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


def prepare(db: str, people: int, folder: Path) -> str:
    """A campaign large enough for everybody, and the token of an invitation to it."""
    n = max(20, 60 * people)
    for name in ("source.de", "reference.en", "one.en", "two.en"):
        (folder / name).write_text("".join(f"Sentence {k} of {name}, said in plain words.\n" for k in range(n)))
    (folder / "manifest.toml").write_text(MANIFEST.format())
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
        self.errors: list[str] = []

    async def join(self) -> None:
        """Make an account by the invitation."""
        body = {"name": f"judge-{self.number}", "password": uuid.uuid4().hex}
        answer = await self.client.post(f"/api/v1/join/{self.token}", json=body)
        self.client.headers["X-CSRF-Token"] = answer.json()["csrf"]

    async def work(self, until: float, think: float) -> None:
        """Judge item after item until the time is over."""
        await asyncio.sleep(self.draws.random() * think)
        while time.monotonic() < until:
            shown = (await self.client.get(f"{BASE}/next")).json()
            if shown.get("item") is None:
                self.errors.append(str(shown)[:200])
                return
            await asyncio.sleep(self.draws.expovariate(1 / think))
            event = {"key": uuid.uuid4().hex, "item": shown["item"], "answer": {"score": self.draws.randrange(101)}}
            begun = time.perf_counter()
            answer = await self.client.post(f"{BASE}/answers", json={"events": [event]})
            self.seconds.append(time.perf_counter() - begun)
            if answer.status_code != 200 or answer.json()["refused"]:
                self.errors.append(answer.text[:200])
            else:
                self.confirmed.append(event["key"])


async def load(address: str, token: str, people: int, seconds: float, think: float) -> list[Judge]:
    judges = [Judge(number, address, token) for number in range(people)]
    for start in range(0, people, 8):
        await asyncio.gather(*(judge.join() for judge in judges[start : start + 8]))
    until = time.monotonic() + seconds
    await asyncio.gather(*(judge.work(until, think) for judge in judges))
    for judge in judges:
        await judge.client.aclose()
    return judges


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--think", type=float, default=4.0, help="mean seconds an annotator thinks")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--db", default="", help="an empty database; a new SQLite file if not given")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        db = given.db or str(folder / "load.db")
        token = prepare(db, given.people, folder)
        command = [str(Path(sys.executable).with_name("dragoman")), "serve", "--json", "--port", "0", "--db", db]
        words = ["--workers", str(given.workers), "--log-level", "warning"]
        server = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, start_new_session=True)
        try:
            address = json.loads(server.stdout.readline())["rows"][0]["address"]
            while True:
                try:
                    httpx.get(f"{address}/health", timeout=5)
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            judges = asyncio.run(load(address, token, given.people, given.seconds, given.think))
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()
        store = Store(db)
        with store.read() as connection:
            kept = sorted(connection.scalars(sa.select(tables.answers.c.key)))
        store.close()
    confirmed = sorted(key for judge in judges for key in judge.confirmed)
    errors = [error for judge in judges for error in judge.errors]
    times = sorted(second for judge in judges for second in judge.seconds)
    at = {share: 1000 * times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99)}
    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # the server and its workers, which have ended
    processor = 1000 * (used.ru_utime + used.ru_stime) / max(1, len(times))
    load_average = " ".join(f"{value:.1f}" for value in os.getloadavg())
    print(
        f"{store.dialect}: {given.people} people, {len(times)} judgements in {given.seconds:g} s; saving took "
        f"p50 {at[0.5]:.0f} ms, p95 {at[0.95]:.0f} ms, p99 {at[0.99]:.0f} ms, "
        f"at most {1000 * times[-1]:.0f} ms; {len(errors)} errors; "
        f"kept {len(kept)}, confirmed {len(confirmed)}; the server's processor time "
        f"{processor:.0f} ms a judgement, joining included; load average {load_average}"
    )
    if errors or kept != confirmed:
        sys.exit(f"Kept {len(kept)}, confirmed {len(confirmed)}; first error: {errors[:1]}")


if __name__ == "__main__":
    main()
