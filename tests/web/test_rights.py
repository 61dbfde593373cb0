"""The table of rights on the page about security, walked: every role does what it says, on both databases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from dragoman.cat.packages import Package, PackageJob
from dragoman.cat.packing import give_jobs
from dragoman.samples import copy_samples
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.people.sessions import COOKIE, open_session
from dragoman.store.translating import jobs, memories, projects, segments
from dragoman.web import create_app
from tests.web.cat.conftest import API, LETTER, make_key
from tests.web.cat.engines import load_word_engine
from tests.web.cat.live import Closed, Live
from tests.web.client import Client
from tests.web.conftest import DIALECTS, PATIENT, make_store
from tests.web.house import CHEAP, FILES, MANIFEST

PAGE = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
TMX = """<?xml version="1.0"?><tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence"
o-tmf="x" adminlang="en" srclang="de" datatype="plaintext"/><body><tu><tuv xml:lang="de"><seg>Ja.</seg></tuv>
<tuv xml:lang="en"><seg>Yes.</seg></tuv></tu></body></tmx>"""
SCORES = {
    "systems": [{"name": "a", "text": "x\n"}],
    "refs": [{"name": "r", "text": "x\n"}],
    "metrics": ["chrf"],
}


def table() -> tuple[tuple[str, ...], dict[str, tuple[bool, ...]]]:
    """The columns, and for each row who may."""
    lines = PAGE.partition("| what |")[2].partition("\n\n")[0].splitlines()
    columns = tuple(cell.strip() for cell in lines[0].strip("| ").split("|"))
    rows: dict[str, tuple[bool, ...]] = {}
    for line in lines[2:]:
        what, *cells = (cell.strip() for cell in line.strip("| ").split("|"))
        assert set(cells) <= {"yes", "–"}, line
        rows[what] = tuple(cell == "yes" for cell in cells)
        assert len(cells) == len(columns), line
    return columns, rows


COLUMNS, ROWS = table()


class World:
    """What otto, a manager, has made, and everybody who would like to do something with it."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.folder = folder
        copy_samples(folder / "samples")
        task = folder / "samples" / "task"
        manifest = (task / "task.toml").read_text(encoding="utf-8")
        (task / "task.toml").write_text(manifest.replace('["nora"]', '["zoe"]'), encoding="utf-8")
        settings = replace(PATIENT, engines=("words=nowhere",), tasks=(str(task),))
        self.apps: list[FastAPI] = [
            create_app(store, replace(settings, own_campaigns=bounded)) for bounded in (False, True)
        ]
        self.lives = [Live(app) for app in self.apps]
        with store.write() as connection:
            for name, role in (("otto", "manager"), ("zoe", "annotator"), ("wanda", "annotator")):
                add_user(connection, name, role, CHEAP, actor=COMMAND_LINE)
            worker = add_user(
                connection, "mturk-1", "annotator", None, actor=COMMAND_LINE,
                platform={"platform": "mturk", "worker": "A1"},
            )  # fmt: skip
            session = open_session(connection, worker, hours=5, campaigns=())
            self.owner = find_user(connection, "otto")
            for name, shared in (("private", False), ("common", True)):
                memory = memories.create_memory(
                    connection, name, "de", "en", owner=self.owner, shared=shared, actor=COMMAND_LINE
                )
                memories.add_units(connection, memory, [memories.NewUnit("Nein.", "No.")], origin="x")
        crowd = Client(self.apps[0])
        crowd.cookies.set(COOKIE, session.token)
        crowd.csrf = session.csrf
        self.clients = {
            "admin": Client(self.apps[0], "the-admin"),
            "manager": Client(self.apps[0], "the-manager"),
            "owner": Client(self.apps[1], "otto"),
            "other manager": Client(self.apps[1], "the-manager"),
            "worker": Client(self.apps[0], "zoe"),
            "annotator": Client(self.apps[0], "the-annotator"),
            "crowd worker": crowd,
            "viewer": Client(self.apps[0], "the-viewer"),
            "guest": Client(self.apps[0]),
        }
        own = self.clients["owner"]
        made = own.post("/api/v1/campaigns", json={"manifest": MANIFEST.replace('"birds"', '"own"'), "files": FILES})
        assert made.status_code == 201, made.text
        for name in ("zoe", "wanda"):
            assert own.post("/api/v1/campaigns/own/members", json={"name": name}).status_code == 201
        self.project = self.fresh()
        self.segment = self.first_of(self.project)
        self.known = self.first_of(self.project) + 1
        with store.write() as connection:
            unit = memories.NewUnit("Es regnet heute nicht.", "No rain today.")
            memories.add_units(connection, memories.find_memory(connection, "private"), [unit], origin="x")
        self.comment = self.clients["worker"].post(
            self.at(f"/segments/{self.segment}/comments"), json={"key": make_key(), "text": "?"}
        ).json()["id"]  # fmt: skip
        self.token = self.clients["worker"].post("/api/v1/tokens", json={"name": "x", "scopes": ["cat"]}).json()

    def at(self, path: str = "") -> str:
        return f"{API}/projects/{self.project}{path}"

    def fresh(self) -> int:
        """A project of otto's with a letter, an engine and his memories, in which zoe and wanda translate."""
        own = self.clients["owner"]
        body = {"name": f"p {make_key()}", "source_lang": "de", "target_lang": "en", "engine": "words",
                "memories": [{"name": "private", "writes": True}]}  # fmt: skip
        number = int(own.post(f"{API}/projects", json=body).json()["id"])
        base = f"{API}/projects/{number}"
        assert own.post(f"{base}/files", params={"name": "l.txt"}, content=LETTER.encode()).status_code == 201
        for name in ("zoe", "wanda"):
            assert own.post(f"{base}/jobs", json={"user": name}).status_code == 201
        return number

    def first_of(self, project: int) -> int:
        with self.store.read() as connection:
            return int(segments.list_segments(connection, project)[1][0]["id"])

    def unit(self, memory: str) -> dict[str, Any]:
        with self.store.write() as connection:
            found = memories.find_memory(connection, memory)
            (number,) = memories.add_units(connection, found, [memories.NewUnit("Ja.", "Yes.")], origin="x")
        return {"memory": memory, "unit": number}

    def invitation(self) -> int:
        """The number of an invitation of a viewer."""
        made = self.clients["admin"].post("/api/v1/invites", json={"role": "viewer"})
        return int(made.json()["rows"][0]["invite"])

    def live(self, client: Client) -> Live:
        return self.lives[self.apps.index(client.app)]

    def close(self) -> None:
        for app in self.apps:
            app.state.measures.close()
        self.store.close()


@pytest.fixture(scope="module", params=DIALECTS)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dragoman.web.models.engines.load_engine", load_word_engine)
        folder = tmp_path_factory.mktemp("rights")
        made = World(make_store(request, folder), folder)
        with made.lives[0], made.lives[1]:
            yield made
        made.close()


Act = Callable[[World, Client], httpx.Response | bool]


def changed(world: World, client: Client) -> bool:
    project = world.fresh()
    change = {"key": make_key(), "segment": world.first_of(project), "revision": 0, "target": "x"}
    answer = client.post(f"{API}/projects/{project}/changes", json={"changes": [change]})
    return answer.status_code == 200 and bool(answer.json()["outcomes"][0]["saved"])


def suggested(world: World, client: Client) -> bool:
    answer = client.get(world.at(f"/segments/{world.segment}/suggestions"))
    return answer.status_code == 200 and "MT" in [each["kind"] for each in answer.json()["suggestions"]]


def matched(world: World, client: Client) -> bool:
    """Whether the private memory answers in the project: to a search, and as a suggestion for a segment that it has."""
    found = client.get(world.at("/concordance"), params={"text": "regnet"})
    hits = found.status_code == 200 and bool(found.json()["rows"])
    answer = client.get(world.at(f"/segments/{world.known}/suggestions"))
    shown = answer.json() if answer.status_code == 200 else {"suggestions": [], "fragments": []}
    matches = "TM" in [each["kind"] for each in shown["suggestions"]]
    assert hits == matches, (found.text, answer.text)
    assert hits or not shown["fragments"]
    return hits


def took_a_job(world: World, client: Client) -> httpx.Response:
    project = world.fresh()
    with world.store.read() as connection:
        number = jobs.list_jobs(connection, project).jobs[0][0]
    return client.delete(f"{API}/projects/{project}/jobs/{number}")


def named(world: World, client: Client) -> httpx.Response:
    body = {"name": f"mine {make_key()}", "source_lang": "de", "target_lang": "en",
            "memories": [{"name": "private", "writes": False}]}  # fmt: skip
    return client.post(f"{API}/projects", json=body)


def packed_memory(world: World, client: Client) -> bool:
    """Whether somebody has the whole of a shared memory by the package of a project of their own."""
    import io
    import zipfile

    body = {"name": f"mine {make_key()}", "source_lang": "de", "target_lang": "en",
            "memories": [{"name": "common", "writes": False}]}  # fmt: skip
    made = client.post(f"{API}/projects", json=body)
    if made.status_code != 201:
        return False
    base = f"{API}/projects/{made.json()['id']}"
    assert client.post(f"{base}/files", params={"name": "l.txt"}, content=LETTER.encode()).status_code == 201
    package = client.get(f"{base}/package").content
    return any("common" in name for name in zipfile.ZipFile(io.BytesIO(package)).namelist())


def fed(world: World, client: Client) -> bool:
    """Whether what is confirmed in a project of somebody's own goes into a shared memory."""
    body = {"name": f"mine {make_key()}", "source_lang": "de", "target_lang": "en",
            "memories": [{"name": "common", "writes": True}]}  # fmt: skip
    made = client.post(f"{API}/projects", json=body)
    if made.status_code != 201:
        return False
    base = f"{API}/projects/{made.json()['id']}"
    assert client.post(f"{base}/files", params={"name": "l.txt"}, content=LETTER.encode()).status_code == 201
    segment = world.first_of(made.json()["id"])
    change = {"key": make_key(), "segment": segment, "revision": 0, "target": "x", "state": "translated"}
    assert client.post(f"{base}/changes", json={"changes": [change]}).json()["outcomes"][0]["saved"]
    with world.store.read() as connection:
        common = memories.find_memory(connection, "common")
        return memories.count_origin(connection, common, f"project {body['name']}") == 1


def by_token(world: World, client: Client) -> httpx.Response | bool:
    made = client.post("/api/v1/tokens", json={"name": "x", "scopes": ["cat"]})
    if made.status_code != 201:
        return False
    row = made.json()["rows"][0]
    answer = Client(client.app).get(world.at(), headers={"Authorization": f"Bearer {row['secret']}"})
    client.delete(f"/api/v1/tokens/{row['token']}")
    return answer


def make_token(scope: str) -> Act:
    def act(world: World, client: Client) -> httpx.Response:
        made = client.post("/api/v1/tokens", json={"name": "x", "scopes": [scope]})
        if made.status_code == 201:
            client.delete(f"/api/v1/tokens/{made.json()['rows'][0]['token']}")
        return made

    return act


def call(name: str, data: Callable[[World], dict[str, Any]] | None = None) -> Act:
    def act(world: World, client: Client) -> bool:
        cookie = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
        headers = {"Origin": "http://localhost", "Cookie": cookie}
        with world.live(client).connect(f"/cat/projects/{world.project}/socket", headers) as socket:
            try:
                if not name:
                    return bool(socket.hear("presence"))
                answer = socket.ask(name, **(data(world) if data else {}))
                if name == "open":
                    socket.ask("close")
                return not answer["errors"]
            except Closed:
                return False

    return act


def get(path: str, **more: Any) -> Act:
    return lambda world, client: client.get(path.replace("PROJECT", str(world.project)), **more)


def put(path: str, body: Any) -> Act:
    return lambda world, client: client.put(path.replace("PROJECT", str(world.project)), json=body)


def post(path: str, body: Any) -> Act:
    return lambda world, client: client.post(path.replace("PROJECT", str(world.project)), json=body)


P = f"{API}/projects/PROJECT"
ACTIONS: dict[str, Act] = {
    "server: withdraw an invitation of managers, viewers and admins": lambda world, client: client.delete(
        f"/api/v1/invites/{world.invitation()}"
    ),
    "campaign: see progress and results": get("/api/v1/campaigns/own"),
    "campaign: change, pause, close": put("/api/v1/campaigns/own/state", {"state": "open"}),
    "campaign: invite people": post("/api/v1/campaigns/own/invites", {}),
    "campaign: read its audit log": get("/api/v1/campaigns/own/audit"),
    "campaign: see who is paid, by platforms' ids": get("/api/v1/campaigns/own/payments"),
    "campaign: judge": get("/api/v1/campaigns/own/next"),
    "account: see one": get("/api/v1/users/wanda"),
    "account: reset a password": put("/api/v1/users/wanda/password", {"password": "another good password"}),
    "account: say in which languages it may judge": put("/api/v1/users/wanda/languages", {"languages": ["de"]}),
    "account: read what was done to it": get("/api/v1/users/wanda/audit"),
    "account of a viewer, manager or admin: read what was done to it": get("/api/v1/users/the-viewer/audit"),
    "account: give services": put("/api/v1/users/wanda/services", {"services": None}),
    "account: give a role, close": put("/api/v1/users/wanda/role", {"role": "annotator"}),
    "project: see it, its segments and log": get(f"{P}/segments"),
    "project: change it and its files": lambda world, client: client.request("PATCH", world.at(), json={}),
    "project: take it along as a package": get(f"{P}/package"),
    "project: replay what people typed": get(f"{P}/replay"),
    "project: delete": lambda world, client: client.delete(f"{API}/projects/{world.fresh()}"),
    "job: see who works on what": get(f"{P}/jobs"),
    "job: give": post(f"{P}/jobs", {"user": "wanda"}),
    "job: take away": took_a_job,
    "job: translate": changed,
    "job: comment": lambda world, client: client.post(
        world.at(f"/segments/{world.segment}/comments"), json={"key": make_key(), "text": "?"}
    ),
    "job: resolve a comment": lambda world, client: client.put(
        world.at(f"/comments/{world.comment}/resolution"), json={"resolved": True}
    ),
    "job: ask the project's engine": suggested,
    "private memory: look things up": lambda world, client: client.get(
        f"{API}/memories/units", params=world.unit("private")
    ),
    "private memory: have its matches in the project": matched,
    "private memory: name it in a project of one's own": named,
    "private memory: have the whole of it": get(f"{API}/memories/tmx", params={"memory": "private"}),
    "private memory: import": lambda world, client: client.post(
        f"{API}/memories/tmx", params={"memory": "private", "name": "x.tmx", "known": "again"}, content=TMX.encode()
    ),
    "private memory: delete units": lambda world, client: client.delete(
        f"{API}/memories/units", params=world.unit("private")
    ),
    "shared memory: look things up": lambda world, client: client.get(
        f"{API}/memories/units", params=world.unit("common")
    ),
    "shared memory: have the whole of it": get(f"{API}/memories/tmx", params={"memory": "common"}),
    "shared memory: have it in a package": packed_memory,
    "shared memory: import": lambda world, client: client.post(
        f"{API}/memories/tmx", params={"memory": "common", "name": "x.tmx", "known": "again"}, content=TMX.encode()
    ),
    "shared memory: have confirmed segments of one's project go there": fed,
    "shared memory: delete units": lambda world, client: client.delete(
        f"{API}/memories/units", params=world.unit("common")
    ),
    "termbase: see and export": get(f"{P}/glossary/file"),
    "termbase: change": put(f"{P}/glossary", {"terms": []}),
    "engine: translate": post("/v1/translate", {"texts": ["Der Hund schläft."]}),
    "engine: translate by other services' interfaces": post(
        "/libretranslate/translate", {"q": "Der Hund schläft.", "source": "de", "target": "en"}
    ),
    "engine: teach it for everybody": post(
        "/casmacat/update", {"q": "Der Hund schläft.", "t": "The dog sleeps.", "source": "de", "target": "en"}
    ),
    "engine: try it on the page": get("/translate"),
    "engine: fill a project's empty segments": lambda world, client: client.post(
        f"{API}/projects/{world.fresh()}/pretranslation", json={}
    ),
    "engine: give it to a project": lambda world, client: client.request("PATCH", world.at(), json={"engine": "words"}),
    "scoring: by program": post("/api/v1/score", SCORES),
    "scoring: on the page": get("/score"),
    "quality estimation": get("/v1/quality-models"),
    "token: make one to translate": make_token("translate"),
    "token: make one to score": make_token("score"),
    "token: make one for projects": make_token("cat"),
    "token: see the project with it": by_token,
    "token: withdraw another's": lambda world, client: (
        False
        if client is world.clients["worker"]
        else client.delete(f"/api/v1/tokens/{world.token['rows'][0]['token']}")
    ),
    "socket: hear what others do": call(""),
    "socket: lock a segment": call("open", lambda world: {"segment": world.segment}),
    "socket: ask for predictions": call("startSession", lambda _: {"source": "Der Hund schläft."}),
}


def test_the_page_says_what_is_walked() -> None:
    assert [row for row in ROWS if row in ACTIONS] == list(ACTIONS)  # others: see test_rights_of_routes.py
    assert COLUMNS == (
        "admin", "manager", "owner", "other manager", "worker", "annotator", "crowd worker", "viewer", "guest",
    )  # fmt: skip
    kinds = {re.split("[: ]", row.removeprefix("private ").removeprefix("shared "))[0] for row in ROWS}
    assert {"server", "campaign", "project", "job", "memory", "termbase", "engine", "token", "socket"} <= kinds


@pytest.mark.parametrize("what", ACTIONS)
def test_everybody_may_what_the_page_says(world: World, what: str) -> None:
    told = {}
    for role in COLUMNS:
        answer = ACTIONS[what](world, world.clients[role])
        if not isinstance(answer, bool):
            assert answer.status_code < 500, answer.text
            assert answer.status_code < 300 or answer.status_code in (303, 401, 403, 404), answer.text
            answer = answer.status_code < 300
        told[role] = answer
    assert told == dict(zip(COLUMNS, ROWS[what], strict=True))


def test_crowd_workers_get_no_job(world: World) -> None:
    """Whoever knows a worker's id comes as this worker, by a link of any study: no project may open to that."""
    answer = world.clients["owner"].post(world.at("/jobs"), json={"user": "mturk-1"})
    assert (answer.status_code, "is a worker of a crowd platform" in answer.text) == (409, True)
    package = Package("x", "de", "en", (), (), jobs=(PackageJob("mturk-1", "translator", 1, 1),))
    with world.store.write() as connection:
        project = projects.find_project(connection, world.project)
        assert give_jobs(connection, project, package, actor=COMMAND_LINE) == ["mturk-1"]


def test_projects_made_at_the_command_line_are_no_limited_managers(world: World) -> None:
    with world.store.write() as connection:
        made = projects.create_project(connection, f"house {make_key()}", "de", "en", actor=COMMAND_LINE)
    for role, status in (("admin", 200), ("manager", 200), ("owner", 404), ("other manager", 404)):
        assert world.clients[role].get(f"{API}/projects/{made.id}").status_code == status


def test_the_houses_memory_takes_what_every_managers_project_confirms(world: World) -> None:
    with world.store.write() as connection:
        house = memories.create_memory(connection, f"house {make_key()}", "de", "en", actor=COMMAND_LINE)
    body = {"source_lang": "de", "target_lang": "en", "memories": [{"name": house.name, "writes": True}]}
    made = world.clients["other manager"].post(f"{API}/projects", json={"name": f"p {make_key()}", **body})
    assert made.status_code == 201, made.text
    project = f"{API}/projects/{made.json()['id']}"
    change = {"memories": [{"name": "common", "writes": True}]}
    assert world.clients["other manager"].request("PATCH", project, json=change).status_code == 403
    assert world.clients["admin"].request("PATCH", project, json=change).status_code == 200
