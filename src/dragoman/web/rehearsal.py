"""A campaign rehearsed: invented judges fill it through the interface of a server, of its own or a running one.

What they say is no judgement of anything. Their accounts are marked as simulated, and every ranking that rests on one
of them says so.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.human.draws import Draws
from dragoman.human.manifest import read_manifest
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.database import Store
from dragoman.store.judging.campaigns import Campaign, create_campaign, find_campaign
from dragoman.store.judging.membership import add_member
from dragoman.store.judging.publishing import publish
from dragoman.store.judging.ranking import LiveRanking, live_ranking
from dragoman.store.judging.state import campaign_quality, plan_of
from dragoman.store.people.invented import admit_invented
from dragoman.store.people.passwords import hash_password
from dragoman.web.app import create_app
from dragoman.web.settings import Settings

if TYPE_CHECKING:
    from dragoman.human.protocol import Item

__all__ = ["Rehearsal", "SimulatedAnswers", "rehearse", "simulate_at"]

_PATIENCE = 30.0  # seconds for the server to start, and for each answer of its
_MOST_AT_ONCE = 500  # answers in a request


@dataclass(frozen=True)
class Rehearsal(Result):
    """A campaign that invented judges filled, and where its ranking is to be seen while a server runs."""

    kind: ClassVar[str] = "rehearsal"

    campaign: str
    database: str
    port: int
    link: str
    n_answers: int
    careless: tuple[str, ...]
    ranking: LiveRanking

    def tables(self) -> list[Table]:
        """The ranking."""
        return self.ranking.tables()

    def meta(self) -> dict[str, Any]:
        """Where it is, and how it came about."""
        return {
            "campaign": self.campaign,
            "database": self.database,
            "link": self.link,
            "answers": self.n_answers,
            "careless": list(self.careless),
            "simulated": True,
        }


def rehearse(manifest: StrPath, db: StrPath, care: Mapping[str, float], *, seed: int = 1) -> Rehearsal:
    """Make the campaign in a new database, let invented judges with this `care` fill it, publish the ranking.

    The judges sign in and answer by HTTP as browsers do. The server ends when they are done; `serve` with the same
    database and port shows everything at the same addresses.
    """
    if Path(db).exists():
        raise DataError(f"{db} is there already; a rehearsal makes a database of its own.")
    declared = read_manifest(manifest)
    store = Store(Path(db))
    with closing(store):
        store.migrate()
        with store.write() as connection:
            create_campaign(connection, declared, actor=COMMAND_LINE)
        with _running(store) as port:
            address = f"http://127.0.0.1:{port}"
            n_answers = sum(simulate_at(store, address, declared.name, care, seed=seed).given.values())
        with store.write() as connection:
            link = publish(connection, declared.name, address=address, actor=COMMAND_LINE).link
        with store.read() as connection:
            careless = campaign_quality(connection, declared.name).careless
            ranking = live_ranking(connection, declared.name)
    return Rehearsal(declared.name, str(db), port, str(link), n_answers, careless, ranking)


@dataclass(frozen=True)
class SimulatedAnswers(Result):
    """What invented judges answered at a server. No judgement of anything."""

    kind: ClassVar[str] = "simulated-answers"

    campaign: str
    care: Mapping[str, float]
    given: Mapping[str, int]  # answers by judge

    def tables(self) -> list[Table]:
        """One row per judge."""
        columns = [Column("annotator"), Column("care", digits=2), Column("answers")]
        rows = [(name, self.care[name], n) for name, n in self.given.items()]
        return [
            Table.of(f"Simulated judges of {self.campaign}", columns, rows, note="Invented: no judgement of anything.")
        ]

    def meta(self) -> dict[str, Any]:
        """The campaign, and that it is simulated."""
        return {"campaign": self.campaign, "answers": sum(self.given.values()), "simulated": True}


def simulate_at(store: Store, address: str, name: str, care: Mapping[str, float], *, seed: int = 1) -> SimulatedAnswers:
    """Let invented judges with this `care` sign in at a running server and answer all that it gives them.

    `store` is the server's database: the judges get accounts there that are marked as simulated. A person's account is
    never used.
    """
    passwords = {judge: secrets.token_urlsafe(16) for judge in care}
    hashed = {judge: hash_password(password) for judge, password in passwords.items()}
    with store.write() as connection:
        campaign = find_campaign(connection, name)
        admit_invented(connection, hashed, actor=COMMAND_LINE)
        for judge in passwords:
            add_member(connection, name, judge, actor=COMMAND_LINE)
        items = {item.id: item for task in plan_of(connection, campaign).values() for item in task.items}
    judges = [_Judge(address, campaign, items, each, passwords[each], own, seed) for each, own in care.items()]
    answers = dict.fromkeys(care, 0)
    while True:  # in turns, so that everybody gets tasks
        done = {judge.name: judge.work() for judge in judges}
        if not any(done.values()):
            return SimulatedAnswers(name, dict(care), answers)
        answers = {judge: answers[judge] + n for judge, n in done.items()}


@contextmanager
def _running(store: Store) -> Iterator[int]:
    """A server in a thread; its port."""
    import uvicorn

    app = create_app(store, Settings(db=str(store.url.database)))
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    over = time.monotonic() + _PATIENCE
    while not server.started:
        if not thread.is_alive() or time.monotonic() > over:
            raise DataError("The server of the rehearsal did not start.")
        time.sleep(0.01)
    try:
        yield int(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(_PATIENCE)


class _Judge:
    """An invented judge with a session."""

    def __init__(
        self,
        address: str,
        campaign: Campaign,
        items: Mapping[str, Item],
        name: str,
        password: str,
        care: float,
        seed: int,
    ) -> None:
        self.base = f"{address}/api/v1"
        self.campaign = campaign
        self.items = items
        self.name = name
        self.care = care
        self.seed = seed
        # The server is here: no proxy stands between.
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()), ProxyHandler({}))
        self.csrf = ""
        self.csrf = self.ask("/session", {"name": name, "password": password})["csrf"]

    def ask(self, path: str, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self.csrf}
        data = None if body is None else json.dumps(body).encode()
        try:
            request = Request(self.base + path, data=data, headers=headers)  # noqa: S310 - our own server
            with self.opener.open(request, timeout=_PATIENCE) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                message = error.read(500).decode("utf-8", "replace")
            raise DataError(f"The server answered {error.code} to {path}: {message}") from None
        except (URLError, OSError, ValueError) as error:
            raise DataError(f"No server of Dragoman's answers at {self.base}: {error}.") from None

    def work(self) -> int:
        """Answer what there is to answer now, a task or several; how many answers that was."""
        listed = self.ask(f"/campaigns/{self.campaign.name}/work")["items"]
        waiting = [each["item"] for each in listed if not each["done"]][:_MOST_AT_ONCE]
        if not waiting:
            return 0
        saved = self.ask(f"/campaigns/{self.campaign.name}/answers", {"events": [self.event(i) for i in waiting]})
        if saved["refused"]:
            raise DataError(f"An invented answer was refused: {saved['refused'][0]['message']}")
        return len(waiting)

    def event(self, item: str) -> dict[str, Any]:
        answer = self.campaign.protocol.simulate(
            self.items[item], Draws(self.seed, f"answer of {self.name} to {item}"), self.care
        )
        return {
            "key": f"simulated-{item}",
            "item": item,
            "active_seconds": answer.pop("seconds", None),
            "answer": answer,
        }
