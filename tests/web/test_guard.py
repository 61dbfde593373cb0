"""Who may do what: every route with every role, and the guards against forged, foreign and hasty requests."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user
from dragoman.store.people.sessions import COOKIE, open_session
from dragoman.web import Settings, create_app
from dragoman.web.app import ROUTERS, check_policies, routes_of
from dragoman.web.app import ROUTES as SERVED
from dragoman.web.guard import Manager, Member, SignedIn, policy_of
from dragoman.web.objects import MemoryUser, ProjectReader
from tests.web.client import PASSWORD, Client
from tests.web.conftest import make_store
from tests.web.house import CAMPAIGN, ROLES

# Who may use a policy, written out a second time: a change of `guard` must be meant.
ALLOWED = {
    "anyone": {None, *ROLES},
    "entering": {None, *ROLES},
    "signed in": set(ROLES),
    "oneself": set(ROLES),
    "saving": set(ROLES),
    "translating": {"admin", "manager"},  # and to whom it is given: see test_services.py
    "teaching": {"admin", "manager"},
    "translate page": {"admin", "manager"},
    "scoring": {"admin", "manager", "viewer"},
    "score page": {"admin", "manager", "viewer"},
    "estimating": {"admin", "manager", "viewer"},
    "quality page": {"admin", "manager", "viewer"},
    "submitting": set(ROLES),
    # What follows looks at the object, too: see test_rights.py.
    "member": set(ROLES),
    "member, saving": set(ROLES),
    "workbench": set(ROLES),
    "workbench, often": set(ROLES),
    "workbench manager": {"admin", "manager"},
    "project see": set(ROLES),
    "project see, page": set(ROLES),
    "project see, often": set(ROLES),
    "project work": set(ROLES),
    "project work, page": set(ROLES),
    "project work, saving": set(ROLES),
    "project manage": set(ROLES),
    "project manage, page": set(ROLES),
    "memory use": set(ROLES),
    "memory change": set(ROLES),
    "token owner": set(ROLES),
    "account see": {"admin", "manager"},
    "account grant": {"admin", "manager"},
    "account keep": {"admin", "manager"},
    "account rule": {"admin"},
    "viewer": {"admin", "manager", "viewer"},
    "manager": {"admin", "manager"},
    "admin": {"admin"},
    "watching": {"admin"},  # everybody with --public-metrics
}
# What opens to whoever came by the link of a crowd platform, which anybody can make up who knows a worker's id.
BY_LINK = {
    *("anyone", "entering", "signed in", "member", "member, saving"),
    *("translating", "translate page", "scoring", "score page", "estimating", "quality page"),
}
PROGRAMS = ("/api/", "/v1/", "/metrics", "/libretranslate/", "/deepl/", "/google/", "/casmacat/")
# What stands for the names in a path. Nothing of it is there, so whoever is let in gets 404 or 422, and no harm done.
NAMES = {
    "name": "nothing",
    "user": "nobody",
    "item": "f00",
    "protocol": "da",
    "media": "m",
    "token": "t.t",
    "number": "9999",
    "form": "csv",
    "project": "9999",
    "segment": "9999",
    "file": "9999",
}
ROUTES = sorted(
    {
        (method, route.path, policy.name)
        for router in ROUTERS
        for route in router.routes
        for method in getattr(route, "methods", ())  # sockets have none: see tests/web/cat/test_socket.py
        if (policy := policy_of(route)) is not None
    }
)


def test_a_route_that_forgets_its_object_keeps_the_app_from_starting(
    light_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an address names is looked at by the policy, for every kind of object, in paths and in queries."""

    def with_memory(memory: str, who: Manager) -> str:
        return "told"

    def signed_in(who: SignedIn) -> str:
        return "told"

    def reading(access: ProjectReader) -> str:
        return "told"

    def looking(memory: str, access: MemoryUser) -> str:
        return "told"

    def taking_part(who: Member) -> str:
        return "told"

    for path, endpoint, kind in (
        ("/x/projects/{project}/secret", signed_in, "project"),
        ("/x/projects/{project}/secret", reading, None),
        ("/x/memories", with_memory, "memory"),
        ("/x/memories", looking, None),
        ("/people/{user}/secret", signed_in, "user"),
        ("/x/tokens/{number}", signed_in, "token"),
        ("/campaigns/{name}/secret", signed_in, "campaign"),
        ("/campaigns/{name}/secret", taking_part, None),
        ("/campaigns/{name}/projects/{project}", reading, "campaign"),
    ):
        router = APIRouter()
        router.add_api_route(path, endpoint)
        monkeypatch.setattr("dragoman.web.app.ROUTES", [*SERVED, *router.routes])
        if kind is None:
            create_app(light_store)
            continue
        with pytest.raises(TypeError, match=f"names a {kind}, and its policy"):
            create_app(light_store)


@pytest.fixture(scope="module", params=["sqlite"])
def clients(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str | None, Client]]:
    with closing(make_store(request, tmp_path_factory.mktemp("matrix"))) as store:
        app = create_app(store, Settings(requests_per_minute=100_000))
        made: dict[str | None, Client] = {None: Client(app)}
        for role in ROLES:
            made[role] = Client(app, f"the-{role}")
        yield made


def test_every_route_of_the_app_is_in_the_matrix(light_app: FastAPI) -> None:
    found = {(method, route.path) for route in routes_of(light_app) for method in getattr(route, "methods", ())}
    assert found == {(method, path) for method, path, _ in ROUTES}
    assert len(found) > 45


@pytest.mark.parametrize(("method", "path", "policy"), ROUTES, ids=lambda word: str(word))
def test_matrix(clients: dict[str | None, Client], method: str, path: str, policy: str) -> None:
    where = re.sub(r"\{(\w+)\}", lambda matched: NAMES[matched.group(1)], path)
    ends_session = path in ("/api/v1/session", "/logout") and method in ("DELETE", "POST")  # see test_sessions.py
    for who, client in clients.items():
        if who is None or not ends_session:
            answer = client.request(method, where, **({} if method == "GET" else {"json": {}}))
            check_answer(answer, method, path, who, allowed=who in ALLOWED[policy])


def test_the_link_of_a_study_opens_nothing_else(light_app: FastAPI, light_store: Store) -> None:
    """Every route, by a worker whom somebody made an admin; studies are in test_invites.py."""
    with light_store.write() as connection:
        platform = {"platform": "mturk", "worker": "A1"}
        worker = add_user(connection, "mturk-1", "admin", None, actor=COMMAND_LINE, platform=platform)
        session = open_session(connection, worker, hours=5, campaigns=())
    client = Client(light_app)
    client.cookies.set(COOKIE, session.token)
    client.csrf = session.csrf
    opened = set()
    for method, path, policy in ROUTES:
        where = re.sub(r"\{(\w+)\}", lambda matched: NAMES[matched.group(1)], path)
        if path in ("/api/v1/session", "/logout") and method != "GET":  # ends it
            continue
        answer = client.request(method, where, **({} if method == "GET" else {"json": {}}))
        is_refused = answer.status_code == 403 and "opens its study and nothing else" in answer.text
        assert is_refused == (policy not in BY_LINK), (method, path, answer.text)
        opened |= set() if is_refused else {policy}
        if policy.startswith("member"):
            assert (answer.status_code, "of another study" in answer.text) == (403, True), path
    assert opened == BY_LINK


def check_answer(answer: httpx.Response, method: str, path: str, who: str | None, *, allowed: bool) -> None:
    body = f"{who or 'a guest'}: {answer.text}"
    if allowed:
        # Inside: perhaps nothing is there, or the empty body is wrong; but never "who are you" or "you may not".
        is_told = path == "/api/v1/session" and who is None
        assert answer.status_code not in ((403,) if is_told or path == "/login" else (401, 403)), body
        assert answer.status_code < 500, body
    elif who is None:
        page = not path.startswith(PROGRAMS) and not path.endswith(".json") and method == "GET"
        assert answer.status_code == (303 if page else 403 if path.startswith("/deepl/") else 401), body
    else:
        assert answer.status_code == 403, body
        assert "This needs the role" in body or "an admin can give your account the service" in body.replace(
            "&#39;", "'"
        )


def test_a_route_without_a_policy_keeps_the_app_from_starting(
    light_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    router = APIRouter()

    @router.get("/secret")
    def secret() -> str:
        return "told"

    monkeypatch.setattr("dragoman.web.app.ROUTES", [*SERVED, *router.routes])
    with pytest.raises(TypeError, match="The route /secret states no policy"):
        create_app(light_store)


def test_the_check_sees_foreign_routes(light_app: FastAPI) -> None:
    light_app.add_route("/bare", lambda request: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match="no route that can state a policy"):
        check_policies(light_app)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-CSRF-Token": "wrong"},
        {"X-CSRF-Token": ""},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_forged_requests_are_refused(light_app: FastAPI, headers: dict[str, str]) -> None:
    client = Client(light_app, "the-manager")
    body = {"state": "closed"}
    assert client.put(f"/api/v1/campaigns/{CAMPAIGN}/state", json=body, headers=headers).status_code == 403
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.put(f"/api/v1/campaigns/{CAMPAIGN}/state", json=body, headers=own).status_code == 200


def test_the_token_of_another_session_does_not_fit(light_app: FastAPI) -> None:
    one, two = Client(light_app, "the-manager"), Client(light_app, "the-manager")
    one.csrf = two.csrf
    assert one.put(f"/api/v1/campaigns/{CAMPAIGN}/state", json={"state": "open"}).status_code == 403


def test_forms_of_guests_need_the_token_that_came_with_them(light_app: FastAPI) -> None:
    client = Client(light_app)
    form = {"name": "ada", "password": PASSWORD, "next": "//evil.example"}
    assert client.post("/login", data=form).status_code == 403
    token = re.search(r'name="csrf_token" value="(\w+)"', client.get("/login").text)
    assert token is not None
    assert Client(light_app).post("/login", data={**form, "csrf_token": token.group(1)}).status_code == 403
    answer = client.post("/login", data={**form, "csrf_token": token.group(1)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert client.get("/home.json").json()["rows"][0]["name"] == CAMPAIGN


def test_a_form_with_a_wrong_token_is_closed_with_its_files(
    light_app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    made = []

    def kept(*words: Any, **more: Any) -> Any:
        made.append(tempfile.SpooledTemporaryFile(*words, **more))  # noqa: SIM115 - the server is to close it
        return made[-1]

    monkeypatch.setattr("starlette.formparsers.SpooledTemporaryFile", kept)
    client = Client(light_app, "the-manager")
    client.csrf = None
    files = [("systems", (f"{n}.en", b"x" * (2 << 20))) for n in range(3)]  # large enough to lie on the disk
    answer = client.post("/campaigns", data={"by": "wizard", "csrf_token": "wrong"}, files=files)
    assert answer.status_code == 403
    assert [each.closed for each in made] == [True] * 3


def test_measures_are_for_admins_unless_they_are_public(light_store: Store) -> None:
    closed, opened = (create_app(light_store, Settings(public_metrics=public)) for public in (False, True))
    assert Client(closed).get("/metrics").json()["kind"] == "NotSignedIn"
    assert Client(closed, "the-manager").get("/metrics").status_code == 403
    assert "dragoman_users" in Client(closed, "the-admin").get("/metrics").text
    for who in (None, "ada"):
        assert "dragoman_users" in Client(opened, who).get("/metrics").text


def test_json_by_another_name_is_refused(light_app: FastAPI) -> None:
    answer = Client(light_app).post("/api/v1/session", content="{}", headers={"Content-Type": "text/plain"})
    assert answer.status_code in (403, 422)
    answer = Client(light_app).post("/api/v1/session", data={"name": "ada", "password": PASSWORD})
    assert answer.status_code in (403, 422)


@pytest.mark.usefixtures("still")
def test_changes_are_limited_across_workers(light_store: Store) -> None:
    apps = [create_app(light_store, Settings(requests_per_minute=6)) for _ in range(2)]
    one = Client(apps[0], "the-manager")
    two = Client(apps[1])
    two.cookies, two.csrf = one.cookies, one.csrf
    turns = itertools.cycle([one, two])
    codes = [next(turns).put(f"/api/v1/campaigns/{CAMPAIGN}/state", json={"state": "open"}) for _ in range(14)]
    statuses = [answer.status_code for answer in codes]
    assert statuses == [200] * 6 + [429] * 8
    refused = next(answer for answer in codes if answer.status_code == 429)
    assert 0 < int(refused.headers["retry-after"]) <= 60
    assert refused.json()["kind"] == "TooMany"


def test_pages_send_guests_to_the_login_and_programs_a_status(light_app: FastAPI) -> None:
    client = Client(light_app)
    answer = client.get(f"/campaigns/{CAMPAIGN}/work")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/login?next=/campaigns/{CAMPAIGN}/work")
    assert client.get("/home.json").json() == {
        "status": 401,
        "kind": "NotSignedIn",
        "message": "Sign in with POST /api/v1/session, and send its cookie; tokens do not open this.",
    }
    missing = client.get("/nothing/here")
    assert missing.status_code == 404
    assert "text/html" in missing.headers["content-type"]
    assert client.get("/api/nothing").json()["kind"] == "NotFound"
    assert client.post("/health", json={}).status_code == 405


def test_answers_carry_headers_of_safety(light_app: FastAPI) -> None:
    headers = Client(light_app).get("/login", headers={"X-Request-ID": "mine-1"}).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["x-request-id"] == "mine-1"
    assert (
        Client(light_app).get("/health", headers={"X-Request-ID": "bad id\n"[:6]}).headers["x-request-id"] != "bad id"
    )


@pytest.mark.usefixtures("still")
def test_the_limit_on_changes_stands_in_every_answer(light_store: Store) -> None:
    """As draft-ietf-httpapi-ratelimit-headers has it: what is allowed, what is left, and when it begins anew."""
    app = create_app(light_store, Settings(requests_per_minute=3))
    client = Client(app, "the-manager")
    told = [
        client.post("/api/v1/cat/memories", json={"name": f"m{n}", "source_lang": "de", "target_lang": "en"})
        for n in range(4)
    ]
    assert [each.status_code for each in told] == [201, 201, 201, 429]
    assert {each.headers["RateLimit-Policy"] for each in told} == {'"changes";q=3;w=60'}
    seconds = told[-1].headers["Retry-After"]
    assert [each.headers["RateLimit"] for each in told] == [f'"changes";r={n};t={seconds}' for n in (2, 1, 0, 0)]
    saving = Client(app, "ada").post(f"/api/v1/campaigns/{CAMPAIGN}/answers", json={"events": []})
    assert saving.headers["RateLimit-Policy"] == '"changes";q=3;w=60'
    assert "RateLimit" not in client.get("/health").headers
