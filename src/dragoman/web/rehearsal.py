"""A campaign rehearsed: a server of its own, and invented judges who fill the campaign through its interface.

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
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.human.draws import Draws
from dragoman.human.manifest import read_manifest
from dragoman.report import Table
from dragoman.report.result import Result
from dragoman.web.accounts import add_user
from dragoman.web.app import create_app
from dragoman.web.audit import COMMAND_LINE
from dragoman.web.campaigns import Campaign, create_campaign, find_campaign
from dragoman.web.membership import add_member
from dragoman.web.publishing import publish
from dragoman.web.ranking import LiveRanking, live_ranking
from dragoman.web.settings import Settings
from dragoman.web.state import campaign_quality, plan_of
from dragoman.web.store import Store

if TYPE_CHECKING:
    from dragoman.human.protocol import Item

__all__ = ["Rehearsal", "rehearse"]

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
            "campaign": self.campaign, "database": self.database, "link": self.link, "answers": self.n_answers,
            "careless": list(self.careless), "simulated": True,
        }  # fmt: skip


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
        passwords = {name: secrets.token_urlsafe(16) for name in care}
        with store.write() as connection:
            create_campaign(connection, declared, actor=COMMAND_LINE)
            for name, password in passwords.items():
                add_user(
                    connection, name, "annotator", password, actor=COMMAND_LINE, platform={"platform": "simulated"}
                )
            for name in passwords:
                add_member(connection, declared.name, name, actor=COMMAND_LINE)
            campaign = find_campaign(connection, declared.name)
            items = {item.id: item for task in plan_of(connection, campaign).values() for item in task.items}
        with _running(store) as port:
            address = f"http://127.0.0.1:{port}"
            judges = [_Judge(address, campaign, items, name, passwords[name], own, seed) for name, own in care.items()]
            n_answers = 0
            while done := sum(judge.work() for judge in judges):  # in turns, so that everybody gets tasks
                n_answers += done
        with store.write() as connection:
            link = publish(connection, declared.name, address=address, actor=COMMAND_LINE).link
        with store.read() as connection:
            careless = campaign_quality(connection, declared.name).careless
            ranking = live_ranking(connection, declared.name)
    return Rehearsal(declared.name, str(db), port, str(link), n_answers, careless, ranking)


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
        self, address: str, campaign: Campaign, items: Mapping[str, Item], name: str, password: str, care: float,
        seed: int,
    ) -> None:  # fmt: skip
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
        request = Request(self.base + path, data=data, headers=headers)  # noqa: S310 - our own server
        with self.opener.open(request, timeout=_PATIENCE) as answer:
            return json.load(answer)

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
        said = self.campaign.protocol.simulate(
            self.items[item], Draws(self.seed, f"answer of {self.name} to {item}"), self.care
        )
        return {"key": f"simulated-{item}", "item": item, "active_seconds": said.pop("seconds", None), "answer": said}
