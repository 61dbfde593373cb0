"""Every route stands in a row of the table of rights, and opens to those whom the row names, on both databases."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user
from dragoman.store.translating.segments import add_file
from dragoman.web.app import routes_of
from tests.web.cat.conftest import API, make_key
from tests.web.client import Client
from tests.web.house import CHEAP, FILES, MANIFEST
from tests.web.test_rights import ACTIONS, COLUMNS, ROWS, World, world

__all__ = ["world"]

# By row, the routes that it speaks of; `[.json]` is two, a page and its twin.
ROUTES = {
    "server: sign in, follow a link, read what was published and how programs ask": """
        POST /api/v1/session
        GET POST /login
        GET POST /join/{token}
        POST /api/v1/join/{token}
        GET /published/{token}[.json]
        GET /api/v1/published/{token}
        GET /health
        GET /docs
        GET /api/v1/openapi.json
    """,
    "server: see one's own work and account, sign out": """
        GET / /home.json /api/v1/work
        GET /account[.json]
        GET /patterns[.json]
        GET DELETE /api/v1/session
        POST /logout
    """,
    "server: read the audit log of everything, and measures": """
        GET /audit[.json]
        GET /api/v1/audit
        GET /metrics
    """,
    "server: invite managers, viewers and admins": """
        GET POST /api/v1/invites
        POST /people/invites
        POST /people/invites/{number}/withdraw
    """,
    "shared task: list those of one's own": """
        GET /tasks[.json]
    """,
    "shared task: see it, submit to it and have what was submitted": """
        GET /tasks/{name}[.json]
        POST /tasks/{name}/submissions[.json]
        GET /tasks/{name}/submissions/{item}
    """,
    "campaign: list those that one sees, look at protocols": """
        GET /campaigns[.json]
        GET /api/v1/campaigns
        GET /protocols/{protocol}[.json]
    """,
    "campaign: make or restore one": """
        GET /campaigns/new[.json]
        POST /campaigns /api/v1/campaigns
        POST /campaigns/restore /api/v1/restore
    """,
    "campaign: see progress and results": """
        GET /campaigns/{name}[.json]
        GET /campaigns/{name}/ranking[.json]
        GET /campaigns/{name}/quality[.json]
        GET /campaigns/{name}/answers[.json]
        GET /campaigns/{name}/answers/{item}[.json]
        GET /campaigns/{name}/disputes[.json]
        GET /campaigns/{name}/exports[.json]
        GET /api/v1/campaigns/{name}
        GET /api/v1/campaigns/{name}/judgements
        GET /api/v1/campaigns/{name}/analysis
        GET /api/v1/campaigns/{name}/quality
        GET /api/v1/campaigns/{name}/standing
        GET /api/v1/campaigns/{name}/adjudications
        GET /api/v1/campaigns/{name}/ranking
        GET /api/v1/campaigns/{name}/agreement
        GET /api/v1/campaigns/{name}/answers
        GET /api/v1/campaigns/{name}/answers/{item}
        GET /api/v1/campaigns/{name}/recordings/{media}
        GET /api/v1/campaigns/{name}/disputes
        GET /api/v1/campaigns/{name}/export
        GET /api/v1/campaigns/{name}/export/{form}
        GET /api/v1/campaigns/{name}/publication
    """,
    "campaign: change, pause, close": """
        PATCH /api/v1/campaigns/{name}
        PUT /api/v1/campaigns/{name}/state
        POST /campaigns/{name}/state
    """,
    "campaign: decide disputes": """
        POST /api/v1/campaigns/{name}/adjudications
        POST /campaigns/{name}/answers/{item}/decide
        POST /campaigns/{name}/decisions
    """,
    "campaign: publish the ranking, withdraw it": """
        PUT DELETE /api/v1/campaigns/{name}/publication
        POST /campaigns/{name}/publish
        POST /campaigns/{name}/withdraw
    """,
    "campaign: invite people": """
        GET /campaigns/{name}/people[.json]
        GET POST /api/v1/campaigns/{name}/invites
        POST /campaigns/{name}/invites
        POST /campaigns/{name}/invites/{number}/withdraw
        DELETE /api/v1/invites/{number}
    """,
    "campaign: add people, leave them out": """
        POST /api/v1/campaigns/{name}/members
        POST /campaigns/{name}/members
        PUT DELETE /api/v1/campaigns/{name}/members/{user}/exclusion
        POST /campaigns/{name}/members/{user}/exclude
        POST /campaigns/{name}/members/{user}/include
    """,
    "campaign: give it to another manager": """
        GET /api/v1/campaigns/{name}/managers
        PUT DELETE /api/v1/campaigns/{name}/managers/{user}
    """,
    "campaign: read its audit log": """
        GET /campaigns/{name}/audit[.json]
        GET /api/v1/campaigns/{name}/audit
    """,
    "campaign: see who is paid, by platforms' ids": """
        GET /campaigns/{name}/payments[.json]
        GET /campaigns/{name}/payments.csv
        GET /api/v1/campaigns/{name}/payments
    """,
    "campaign: judge": """
        GET /campaigns/{name}/work[.json]
        GET /api/v1/campaigns/{name}/work
        GET /api/v1/campaigns/{name}/next
        GET /api/v1/campaigns/{name}/items/{item}
        GET /api/v1/campaigns/{name}/media/{media}
        POST /api/v1/campaigns/{name}/answers
    """,
    "account: list all": """
        GET /people[.json]
        GET /api/v1/users
    """,
    "account: make an annotator's": """
        POST /people
        POST /api/v1/users
    """,
    "account: see one": """
        GET /people/{user}[.json]
        GET /api/v1/users/{user}
    """,
    "account: change the own password": """
        POST /account
        POST /api/v1/password
    """,
    "account: reset a password": """
        PUT /api/v1/users/{user}/password
        POST /people/{user}/password
    """,
    "account: say in which languages it may judge": """
        PUT /api/v1/users/{user}/languages
        POST /people/{user}/languages
    """,
    "account: read what was done to it": """
        GET /api/v1/users/{user}/audit
    """,
    "account: give services": """
        PUT /api/v1/users/{user}/services
        POST /people/{user}/services
    """,
    "account: give a role, close": """
        PUT /api/v1/users/{user}/role
        PUT DELETE /api/v1/users/{user}/disabled
        POST /people/{user}/role
        POST /people/{user}/close
        POST /people/{user}/open
    """,
    "project: list those that one sees": """
        GET /cat[.json]
        GET /api/v1/cat/projects
        GET /api/v1/cat/pen
        POST /api/v1/cat/pen/readings
    """,
    "project: make one, of files or a package": """
        GET /cat/new[.json]
        POST /cat/projects
        POST /api/v1/cat/projects
        POST /api/v1/cat/packages
    """,
    "project: see it, its segments and log": """
        GET /cat/projects/{project}[.json]
        GET /cat/projects/{project}/edit[.json]
        GET /cat/projects/{project}/analysis[.json]
        GET /cat/projects/{project}/log[.json]
        GET /cat/projects/{project}/replay
        GET /api/v1/cat/projects/{project}
        GET /api/v1/cat/projects/{project}/files
        GET /api/v1/cat/projects/{project}/files/{file}/original
        GET /api/v1/cat/projects/{project}/files/{file}/translated
        GET /api/v1/cat/projects/{project}/progress
        GET /api/v1/cat/projects/{project}/segments
        GET /api/v1/cat/projects/{project}/segments/{segment}
        GET /api/v1/cat/projects/{project}/segments/{segment}/history
        GET /api/v1/cat/projects/{project}/segments/{segment}/suggestions
        POST /api/v1/cat/projects/{project}/segments/{segment}/checks
        GET /api/v1/cat/projects/{project}/checks
        GET /api/v1/cat/projects/{project}/analysis
        GET /api/v1/cat/projects/{project}/concordance
        GET /api/v1/cat/projects/{project}/comments
        GET /api/v1/cat/projects/{project}/issues
        GET /api/v1/cat/projects/{project}/scores
        GET /api/v1/cat/projects/{project}/review
        GET /api/v1/cat/projects/{project}/edit-log
        GET /api/v1/cat/projects/{project}/edit-log.csv
    """,
    "project: change it and its files": """
        PATCH /api/v1/cat/projects/{project}
        POST /api/v1/cat/projects/{project}/files
        DELETE /api/v1/cat/projects/{project}/files/{file}
        POST /cat/projects/{project}/files
        POST /cat/projects/{project}/files/{file}/remove
    """,
    "project: take it along as a package": """
        GET /api/v1/cat/projects/{project}/package
    """,
    "project: replay what people typed": """
        GET /api/v1/cat/projects/{project}/replay
        GET /api/v1/cat/projects/{project}/log.jsonl
        GET /api/v1/cat/projects/{project}/log.zip
    """,
    "project: delete": """
        DELETE /api/v1/cat/projects/{project}
        POST /cat/projects/{project}/delete
    """,
    "job: see who works on what": """
        GET /api/v1/cat/projects/{project}/jobs
    """,
    "job: give": """
        POST /api/v1/cat/projects/{project}/jobs
        POST /api/v1/cat/projects/{project}/jobs/spread
        POST /cat/projects/{project}/jobs
    """,
    "job: take away": """
        DELETE /api/v1/cat/projects/{project}/jobs/{number}
        POST /cat/projects/{project}/jobs/{number}/remove
    """,
    "job: translate": """
        POST /api/v1/cat/projects/{project}/changes
        POST /api/v1/cat/projects/{project}/replace
        POST /api/v1/cat/projects/{project}/segments/{segment}/split
        POST /api/v1/cat/projects/{project}/segments/{segment}/merge
        POST /api/v1/cat/projects/{project}/segments/{segment}/restore
        POST /api/v1/cat/projects/{project}/segments/{segment}/ignored
        POST /api/v1/cat/projects/{project}/events
        POST /api/v1/cat/projects/{project}/gaze
    """,
    "job: have the own typing kept": """
        PUT /api/v1/cat/projects/{project}/consent
        POST /cat/projects/{project}/consent
    """,
    "job: comment": """
        POST /api/v1/cat/projects/{project}/segments/{segment}/comments
    """,
    "job: resolve a comment": """
        PUT /api/v1/cat/projects/{project}/comments/{number}/resolution
    """,
    "job: mark errors, give scores": """
        POST /api/v1/cat/projects/{project}/segments/{segment}/issues
        DELETE /api/v1/cat/projects/{project}/issues/{number}
        PUT /api/v1/cat/projects/{project}/segments/{segment}/score
    """,
    "memory: list those that one may use": """
        GET /api/v1/cat/memories
    """,
    "memory: make one": """
        POST /api/v1/cat/memories
    """,
    "private memory: look things up": """
        GET /api/v1/cat/memories/units
    """,
    "private memory: have the whole of it": """
        GET /api/v1/cat/memories/tmx
    """,
    "private memory: import": """
        POST /api/v1/cat/memories/tmx
    """,
    "private memory: delete units": """
        DELETE /api/v1/cat/memories/units
    """,
    "termbase: see and export": """
        GET /api/v1/cat/projects/{project}/glossary
        GET /api/v1/cat/projects/{project}/glossary/file
    """,
    "termbase: change": """
        PUT /api/v1/cat/projects/{project}/glossary
        POST /api/v1/cat/projects/{project}/glossary/file
    """,
    "engine: translate": """
        GET /v1/engines
        GET /v1/engines/{name}
        POST /v1/translate
        POST /v1/complete
    """,
    "engine: translate by other services' interfaces": """
        POST /libretranslate/translate /libretranslate/detect
        GET /libretranslate/languages
        POST /deepl/v2/translate
        GET /deepl/v2/languages /deepl/v2/usage
        GET POST /google/language/translate/v2
        GET /google/language/translate/v2/languages
        GET /casmacat/translate
    """,
    "engine: teach it for everybody": """
        POST /casmacat/update
    """,
    "engine: try it on the page": """
        GET POST /translate[.json]
    """,
    "engine: fill a project's empty segments": """
        POST /api/v1/cat/projects/{project}/pretranslation
    """,
    "engine: renew a project's copy, let it forget": """
        POST /api/v1/cat/projects/{project}/engine/renew
        POST /api/v1/cat/projects/{project}/rollback
        POST /cat/projects/{project}/engine/renew
    """,
    "scoring: by program": """
        POST /api/v1/score /api/v1/compare /api/v1/ranking /api/v1/meta
        POST /v1/score /v1/compare
    """,
    "scoring: on the page": """
        GET POST /score[.json]
        GET POST /compare[.json]
        GET POST /ranking[.json]
        GET POST /meta[.json]
    """,
    "quality estimation": """
        GET /v1/quality-models
        POST /v1/quality
        GET POST /quality[.json]
    """,
    "token: make one for projects": """
        GET POST /api/v1/tokens
        GET POST /account/tokens
    """,
    "token: withdraw another's": """
        DELETE /api/v1/tokens/{number}
        POST /account/tokens/{number}/withdraw
    """,
    "socket: hear what others do": """
        WS /cat/projects/{project}/socket
    """,
}  # fmt: skip

Route = tuple[str, str]
# Not walked here: what begins or ends a session, by which the walk goes on, and sockets: see their rows' actions.
ELSEWHERE = {
    *(("DELETE", "/api/v1/session"), ("POST", "/logout"), ("POST", "/join/{token}"), ("POST", "/api/v1/join/{token}")),
    ("WS", "/cat/projects/{project}/socket"),
}


def routes_in(text: str) -> list[Route]:
    """The methods and paths of lines such as `GET POST /a[.json] /b`."""
    found = []
    for line in text.splitlines():
        words = line.split()
        methods = [word for word in words if not word.startswith("/")]
        for path in (word for word in words if word.startswith("/")):
            twins = (path.replace("[.json]", ""), path.replace("[.json]", ".json"))
            found += [(method, each) for method in methods for each in dict.fromkeys(twins)]
    return found


WALKED = {row: [route for route in routes_in(text) if route not in ELSEWHERE] for row, text in ROUTES.items()}


def test_every_route_stands_in_one_row(light_app: FastAPI) -> None:
    there = [(method, route.path) for route in routes_of(light_app) for method in getattr(route, "methods", ("WS",))]
    assert sorted(there) == sorted(route for text in ROUTES.values() for route in routes_in(text))
    assert set(ROUTES) | set(ACTIONS) == set(ROWS)


class Walk:
    """The world with something behind every address: what a request used up is made anew for the next."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.own, zoe = world.clients["owner"], world.clients["worker"]
        self.at = world.at()
        self.item = zoe.get("/api/v1/campaigns/own/work").json()["items"][0]["item"]
        sent = {"key": make_key(), "item": self.item, "answer": {"score": 50}, "active_seconds": 3}
        assert zoe.post("/api/v1/campaigns/own/answers", json={"events": [sent]}).json()["saved"]
        change = {"key": make_key(), "segment": world.segment, "revision": 0, "target": "The dog sleeps."}
        assert zoe.post(f"{self.at}/changes", json={"changes": [change]}).json()["outcomes"][0]["saved"]
        self.file = self.own.get(f"{self.at}/files").json()["rows"][0]["id"]
        with world.store.write() as connection:
            for name, role in (("vera", "annotator"), ("mona", "manager")):
                add_user(connection, name, role, CHEAP, actor=COMMAND_LINE)
        output = (world.folder / "samples" / "testset" / "systems" / "dune.en").read_bytes()
        form = {"team": "", "track": "news", "system": "primary"}
        path = "/tasks/sample-task/submissions.json"
        taken = zoe.post(path, data=form, files={"file": ("out.en", output)})
        assert taken.status_code == 201, taken.text
        self.submission = taken.json()["rows"][0]["id"]
        made = Client(world.apps[0], "wanda").post("/api/v1/tokens", json={"name": "x", "scopes": ["cat"]})
        self.token = made.json()["rows"][0]["token"]
        self._left: dict[Route, dict[str, Any]] = {}

    def ask(self, route: Route, role: str) -> httpx.Response:
        """What somebody is answered at an address that names what is there."""
        values = self._left.pop(route, None) or self.values(route)
        answer = self.send(route, role, values)
        if not is_let_in(answer):
            self._left[route] = values
        return answer

    def send(self, route: Route, role: str, values: dict[str, Any]) -> httpx.Response:
        """What somebody is answered at an address of these values."""
        method, path = route
        where = re.sub(r"{(\w+)}", lambda found: str(values[found[1]]), path)
        kind, fields = next((body for end, body in BODIES.items() if path.endswith(end)), ("json", {}))
        fields = {name: make_key() if value == KEY else value for name, value in fields.items()}
        body = {} if method == "GET" else {kind: fields}
        return self.world.clients[role].request(method, where, params=self.query(path), **body)

    def query(self, path: str) -> dict[str, Any]:
        if path.endswith("/units"):
            return self.world.unit("private")
        if path.endswith("/tmx"):
            return {"memory": "private", "name": "x.tmx"}
        return {"text": "Hund", "q": "Hund", "source": "de", "target": "en"} if path in QUERIES else {}

    def values(self, route: Route) -> dict[str, Any]:
        """What the names in a path stand for."""
        path, address = route[1], f"{route[0]} {route[1]} "
        name = "sample-task" if path.startswith("/tasks") else "words" if path.startswith("/v1/engines") else "own"
        found: dict[str, Any] = {
            "name": name, "project": self.world.project, "segment": self.world.segment, "user": "wanda",
            "item": self.submission if path.startswith("/tasks") else self.item, "file": self.file,
            "protocol": "da", "form": "csv", "media": "m",
        }  # fmt: skip
        for part, make in MADE.items():
            if part in address:
                found |= make(self)
        return found

    def post(self, path: str, body: dict[str, Any], role: str = "owner") -> Any:
        answer = self.world.clients[role].post(path, json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def invite(self, campaign: str | None) -> dict[str, Any]:
        at = f"/api/v1/campaigns/{campaign}/invites" if campaign else "/api/v1/invites"
        made = self.post(at, {} if campaign else {"role": "viewer"}, "admin")["rows"][0]
        return {"token": made["link"].rpartition("/")[2], "number": made["invite"]}

    def issue(self) -> dict[str, Any]:
        body = {"key": make_key(), "start": 0, "end": 1, "severity": "minor", "category": "accuracy"}
        return {"number": self.post(f"{self.at}/segments/{self.world.segment}/issues", body)["id"]}

    def more_of_a_file(self) -> dict[str, Any]:
        project = self.world.project
        with self.world.store.write() as connection:
            file = add_file(connection, project, f"{make_key()}.txt", "text", b"", [], actor=COMMAND_LINE)
        return {"file": file}

    def empty(self) -> dict[str, Any]:
        body = {"name": f"p {make_key()}", "source_lang": "de", "target_lang": "en"}
        return {"project": self.post(f"{API}/projects", body)["id"]}

    def published(self) -> dict[str, Any]:
        link = self.own.put("/api/v1/campaigns/own/publication").json()["rows"][0]["link"]
        return {"token": link.rpartition("/")[2]}

    def managed(self) -> dict[str, Any]:
        assert self.own.put("/api/v1/campaigns/own/managers/mona").status_code == 200
        return {"user": "mona"}


# What is made for a part of an address, so that it is there: a refusal for want of it would say nothing about rights.
MADE: dict[str, Callable[[Walk], dict[str, Any]]] = {
    "/join/": lambda walk: walk.invite("birds"),
    "{name}/invites/{number}": lambda walk: walk.invite("own"),
    "v1/invites/{number}": lambda walk: walk.invite("own"),
    "/people/invites/{number}": lambda walk: walk.invite(None),
    "/tokens/{number}": lambda walk: {"number": walk.token},
    "/comments/{number}": lambda walk: {"number": walk.world.comment},
    "/issues/{number}": Walk.issue,
    "/jobs/{number}": lambda walk: {"number": walk.post(f"{walk.at}/jobs", {"user": "vera"})["id"]},
    "/files/{file} ": Walk.more_of_a_file,
    "/files/{file}/remove": Walk.more_of_a_file,
    "DELETE /api/v1/cat/projects/{project} ": Walk.empty,
    "{project}/delete": Walk.empty,
    "/publi": Walk.published,
    "{name}/withdraw": Walk.published,
    "/managers/{user}": Walk.managed,
}
KEY = "?"  # stands for one of its own for each request
FORM = ("data", {"source_lang": "de", "target_lang": "en", "team": "north"})
# By the end of a path, what is good enough for what it names to be looked for, and for the right to it.
BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "/changes": ("json", {"changes": []}),
    "/checks": ("json", {"target": "x"}),
    "/split": ("json", {"key": KEY, "at": 2}),
    "/merge": ("json", {"key": KEY}),
    "/restore": ("json", {"key": KEY, "number": 1, "revision": 0}),
    "/ignored": ("json", {"key": KEY, "check": "numbers", "message": "x", "reason": "x"}),
    "/comments": ("json", {"key": KEY, "text": "x"}),
    "/issues": ("json", {"key": KEY, "is_omission": True, "severity": "minor", "category": "accuracy"}),
    "/score": ("json", {"key": KEY, "score": 50}),
    "/answers": ("json", {"events": []}),
    f"{API}/projects/{{project}}/consent": ("json", {"given": True}),
    "/decide": ("data", {"key": KEY, "answer": '{"score": 50}'}),
    "/cat/projects": FORM,
    "/submissions": FORM,
    "/submissions.json": FORM,
}
QUERIES = (f"{API}/projects/{{project}}/concordance", "/google/language/translate/v2", "/casmacat/translate")
# What those who were let in are told where there is nothing; others hear of no campaign, or that they may not.
NOTHING_THERE = ("plays a file called", "has no text number", "This server has no quality model")


def is_let_in(answer: httpx.Response) -> bool:
    """Whether the policy let somebody in, whatever the route made of an empty body."""
    if answer.status_code == 404:
        return any(text in answer.text for text in NOTHING_THERE)
    return answer.status_code not in (401, 403) and "/login" not in answer.headers.get("location", "")


@pytest.fixture(scope="module")
def walk(world: World) -> Walk:
    return Walk(world)


@pytest.mark.parametrize("row", [row for row, routes in WALKED.items() if routes])
def test_every_route_opens_to_those_of_its_row(walk: Walk, row: str) -> None:
    expected = dict(zip(COLUMNS, ROWS[row], strict=True))
    for route in WALKED[row]:
        answers = {role: walk.ask(route, role) for role in COLUMNS}
        assert max(answer.status_code for answer in answers.values()) < 500, route
        assert {role: is_let_in(answer) for role, answer in answers.items()} == expected, route


def is_inside(path: str) -> bool:
    """Whether an address names something in a project or campaign, such as a segment or an invitation."""
    inner = re.search(r"{(file|segment|number|item|media)}", path)
    return inner is not None and ("{project}" in path or "/campaigns/{name}/" in path)


INSIDE = [route for route in itertools.chain(*WALKED.values()) if is_inside(route[1])]


def test_what_is_in_others_projects_and_campaigns_is_not_reached_through_ones_own(walk: Walk) -> None:
    """A manager names a project or campaign of theirs, and in it a segment, a job … of somebody else's."""
    other = walk.world.clients["other manager"]
    manifest = MANIFEST.replace('"birds"', '"mine"').replace("seed = 7", "seed = 8")  # for items of other ids
    assert other.post("/api/v1/campaigns", json={"manifest": manifest, "files": FILES}).status_code == 201
    body = {"name": "mine", "source_lang": "de", "target_lang": "en"}
    mine = {"name": "mine", "project": walk.post(f"{API}/projects", body, "other manager")["id"]}
    for route in INSIDE:
        answer = walk.send(route, "other manager", walk.values(route) | mine)
        assert answer.status_code == 404, (route, answer.text)
