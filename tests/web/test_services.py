"""Engines, scoring, quality estimation: asked by whom they are given to, and so often; tokens with own bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner
from fastapi import FastAPI

from dragoman.cli.campaign import campaign
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people import tokens
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.people.services import services_of
from dragoman.web import Settings, create_app
from tests.web.cat.conftest import make_project
from tests.web.cat.engines import load_word_engine
from tests.web.client import PASSWORD, Client
from tests.web.conftest import PATIENT
from tests.web.test_tokens import bearer, made

TEXTS = {"texts": ["Der Hund schläft."]}
REFUSED = "You may not ask the engines of this server; an admin can give your account the service 'translate'."


def serve(store: Store, monkeypatch: pytest.MonkeyPatch, **more: object) -> FastAPI:
    monkeypatch.setattr("dragoman.web.models.engines.load_engine", load_word_engine)
    return create_app(store, replace(PATIENT, engines=("words=nowhere",), **more))  # type: ignore[arg-type]


def test_an_admin_gives_an_account_what_its_role_has_not(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    app = serve(light_store, monkeypatch)
    admin, ada = Client(app, "the-admin"), Client(app, "ada")
    assert ada.post("/v1/translate", json=TEXTS).json()["message"] == REFUSED
    assert "desk.translate" not in ada.get("/").text
    assert 'href="/translate"' not in ada.get("/").text
    given = admin.put("/api/v1/users/ada/services", json={"services": ["translate"]})
    assert given.status_code == 200, given.text
    assert ada.post("/v1/translate", json=TEXTS).status_code == 200
    assert 'href="/translate"' in ada.get("/").text
    assert 'href="/score"' not in ada.get("/").text
    token = made(ada, "translate", "cat")
    assert ada.post("/api/v1/tokens", json={"name": "x", "scopes": ["score"]}).status_code == 403
    program = Client(app)
    assert program.post("/v1/translate", json=TEXTS, headers=bearer(token)).status_code == 200
    assert admin.get("/api/v1/users/ada").json()["meta"]["services"] == ["translate"]
    assert Client(app, "the-manager").put("/api/v1/users/ada/services", json={"services": None}).status_code == 403
    assert admin.put("/api/v1/users/ada/services", json={"services": None}).status_code == 200
    assert program.post("/v1/translate", json=TEXTS, headers=bearer(token)).status_code == 403, "no more than ada may"
    assert admin.put("/api/v1/users/ada/services", json={"services": ["everything"]}).status_code == 422


def test_a_page_gives_and_takes_services(light_app: FastAPI) -> None:
    admin, manager = Client(light_app, "the-admin"), Client(light_app, "the-manager")
    page = {"csrf_token": admin.csrf or ""}
    done = admin.post("/people/the-manager/services", data={**page, "services": ["score", "quality"]})
    assert (done.status_code, done.headers["location"]) == (303, "/people/the-manager")
    assert manager.get("/translate").status_code == 403
    assert manager.get("/score").status_code == 200
    assert 'value="score" checked' in admin.get("/people/the-manager").text
    offered = manager.get("/account/tokens").text
    assert ('value="score"' in offered, 'value="translate"' in offered) == (True, False)
    assert admin.post("/people/the-manager/services", data={**page, "by_role": "yes"}).status_code == 303
    assert manager.get("/translate").status_code == 200
    assert 'name="by_role" value="yes" checked' in admin.get("/people/the-manager").text


def test_a_server_says_what_roles_may(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    app = serve(light_store, monkeypatch, services=("annotator=translate,score", "manager=", "admin="))
    assert Client(app, "ada").post("/v1/translate", json=TEXTS).status_code == 200
    assert Client(app, "the-manager").post("/v1/translate", json=TEXTS).status_code == 403
    assert Client(app, "the-admin").post("/v1/translate", json=TEXTS).status_code == 200, "admins have all"
    with light_store.write() as connection:
        worker = {"platform": "prolific", "worker": "w1"}
        add_user(connection, "prolific-w", "annotator", None, actor=COMMAND_LINE, platform=worker)
        found = find_user(connection, "prolific-w")
    assert services_of(found, {"annotator": ("translate",)}) == (), "what a role has is not crowd workers'"
    assert app.state.settings.bounded(found).services == ()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"services": ("annotator=sing",)}, "no service 'sing'. Known: translate, score, quality"),
        ({"services": ("ada=translate",)}, "does not begin with ROLE="),
        ({"services": ("annotator",)}, "does not begin with ROLE="),
        ({"service_limits": ("annotator=0",)}, "annotator=0 is no number of requests"),
        ({"service_limits": ("annotator=many",)}, "annotator=many is no number of requests"),
        ({"service_limits": ("boss=3",)}, "does not begin with ROLE="),
    ],
)
def test_settings_that_cannot_be_are_named(values: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Settings(**values)  # type: ignore[arg-type]


@pytest.mark.usefixtures("still")
def test_requests_for_services_are_limited_by_role(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that change nothing: Google's interface translates what is in the address."""
    app = serve(light_store, monkeypatch, service_limits=("manager=3",))
    manager = Client(app, "the-manager")
    asked = {"q": "Der Hund schläft.", "source": "de", "target": "en"}
    codes = [manager.get("/google/language/translate/v2", params=asked).status_code for _ in range(2)]
    codes += [manager.post("/v1/translate", json=TEXTS).status_code for _ in range(2)]
    token = manager.post("/api/v1/tokens", json={"name": "x", "scopes": ["translate"]}).json()["rows"][0]
    answer = Client(app).post("/v1/translate", json=TEXTS, headers=bearer(token))
    assert (codes, answer.status_code) == ([200, 200, 200, 429], 429), "a second token gives no second limit"
    assert int(answer.headers["retry-after"]) > 0
    assert Client(app, "the-admin").post("/v1/translate", json=TEXTS).status_code == 200


@pytest.mark.usefixtures("still")
def test_filling_segments_by_an_engine_is_given_and_limited(
    light_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call counts as a request for the engine; a manager from whom it was taken asks it in no project."""
    app = serve(light_store, monkeypatch, service_limits=("manager=2",))
    admin, manager = Client(app, "the-admin"), Client(app, "the-manager")
    body = {"name": "p", "source_lang": "de", "target_lang": "en", "engine": "words"}
    project = f"/api/v1/cat/projects/{manager.post('/api/v1/cat/projects', json=body).json()['id']}"
    manager.post(f"{project}/files", params={"name": "l.txt"}, content=b"Der Hund.\n" * 50)
    answers = [manager.post(f"{project}/pretranslation", json={"after": after}) for after in (0, 20, 40)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert int(answers[2].headers["retry-after"]) > 0
    assert manager.post(f"{project}/pretranslation", json={"after": 40, "use_engine": False}).status_code == 200
    assert admin.put("/api/v1/users/the-manager/services", json={"services": []}).status_code == 200
    assert manager.post(f"{project}/pretranslation", json={}).json()["message"] == REFUSED
    told = manager.get(f"{project}/segments/50/suggestions").json()
    assert "MT" not in [each["kind"] for each in told["suggestions"]]
    assert told["problem"] == "You may not ask the engines of this server; an admin can give your account the service."
    for user in ("the-manager", "ada"):
        assert manager.post(f"{project}/jobs", json={"user": user}).status_code == 201
    assert "MT" in _kinds(admin, project)
    assert "MT" in _kinds(Client(app, "ada"), project), "a job lends it"
    own = manager.get(f"{project}/segments/50/suggestions").json()
    assert (own["problem"], _kinds(manager, project)) == (told["problem"], []), "but not one that managers assign"


@pytest.mark.usefixtures("still")
def test_word_links_in_the_tables_of_the_log_are_requests_for_the_engine(
    light_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = serve(light_store, monkeypatch, service_limits=("manager=1",))
    asked: list[str] = []

    def aligned(engine: object, source: str, target: str) -> list[object]:
        asked.append(source)
        return []

    monkeypatch.setattr("dragoman.web.cat.log_api.aligned_spans", aligned)
    admin, manager, ada = (Client(app, name) for name in ("the-admin", "the-manager", "ada"))
    project = f"/api/v1/cat/projects/{make_project(app, engine='words')}"
    segment = ada.get(f"{project}/segments").json()["segments"][0]["id"]
    assert ada.put(f"{project}/consent", json={"given": True}).status_code == 200
    change = {"key": "k", "segment": segment, "revision": 0, "target": "The dog.", "state": "translated"}
    assert ada.post(f"{project}/changes", json={"changes": [change]}).status_code == 200
    assert [manager.get(f"{project}/log.zip").status_code for _ in range(2)] == [200, 429]
    assert asked
    asked.clear()
    assert admin.put("/api/v1/users/the-manager/services", json={"services": []}).status_code == 200
    assert manager.get(f"{project}/log.zip").status_code == 200
    assert asked == [], "the tables come without links"


def test_a_password_gives_nobody_services_that_they_do_not_have(light_app: FastAPI) -> None:
    admin, manager = Client(light_app, "the-admin"), Client(light_app, "the-manager")
    new = {"password": PASSWORD}
    for user, services in (("ada", ["translate"]), ("the-manager", ["score"])):
        assert admin.put(f"/api/v1/users/{user}/services", json={"services": services}).status_code == 200
    refused = manager.put("/api/v1/users/ada/password", json=new)
    told = "ada has services that you do not have (translate); ask an admin."
    assert (refused.status_code, refused.json()["message"]) == (403, told)
    page = {"csrf_token": manager.csrf or "", **new}
    assert manager.post("/people/ada/password", data=page).status_code == 403
    assert manager.put("/api/v1/users/ben/password", json=new).status_code == 200
    assert admin.put("/api/v1/users/the-manager/services", json={"services": None}).status_code == 200
    assert manager.put("/api/v1/users/ada/password", json=new).status_code == 200


def _kinds(client: Client, project: str) -> list[str]:
    return [each["kind"] for each in client.get(f"{project}/segments/50/suggestions").json()["suggestions"]]


@pytest.mark.usefixtures("still")
def test_a_token_has_a_limit_of_its_own(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    app = serve(light_store, monkeypatch)
    manager, program = Client(app, "the-manager"), Client(app)
    body = {"name": "x", "scopes": ["translate", "cat"], "per_minute": 2}
    row = manager.post("/api/v1/tokens", json=body).json()["rows"][0]
    assert row["per_minute"] == 2
    asked = [program.get("/v1/engines", headers=bearer(row)).status_code for _ in range(2)]
    asked.append(program.get("/api/v1/cat/projects", headers=bearer(row)).status_code)
    assert asked == [200, 200, 429]
    assert manager.get("/v1/engines").status_code == 200
    for wrong in (0, 10**7, "x"):
        assert manager.post("/api/v1/tokens", json={**body, "per_minute": wrong}).status_code == 422
    page = {"name": "y", "scopes": ["score"], "days": "7", "csrf_token": manager.csrf or ""}
    assert manager.post("/account/tokens", data={**page, "per_minute": "5"}).status_code == 201
    assert manager.post("/account/tokens", data={**page, "per_minute": "five"}).status_code == 422
    assert [each["per_minute"] for each in manager.get("/api/v1/tokens").json()["rows"]] == [2, 5]


def test_tokens_have_a_quota(light_app: FastAPI, light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_MOST_GOOD", 2)
    monkeypatch.setattr(tokens, "_MOST_KEPT", 4)
    ada = Client(light_app, "ada")
    for _ in range(5):
        first, _ = made(ada, "cat"), made(ada, "cat")
        refused = ada.post("/api/v1/tokens", json={"name": "x", "scopes": ["cat"]})
        assert (refused.status_code, "withdraw one" in refused.json()["message"]) == (409, True)
        for row in ada.get("/api/v1/tokens").json()["rows"]:
            ada.delete(f"/api/v1/tokens/{row['token']}")
    assert first["token"] in [row["token"] for row in ada.get("/api/v1/tokens").json()["rows"]]
    assert len(ada.get("/api/v1/tokens").json()["rows"]) <= 4


def test_a_new_password_ends_tokens_unless_they_are_kept(light_app: FastAPI, light_store: Store) -> None:
    def opens(row: dict[str, str]) -> bool:
        return Client(light_app).get("/api/v1/cat/projects", headers=bearer(row)).status_code == 200

    ada = Client(light_app, "ada")
    row = made(ada, "cat")
    body = {"old": PASSWORD, "new": PASSWORD}
    ada.csrf = ada.post("/api/v1/password", json={**body, "keep_tokens": True}).json()["csrf"]
    assert opens(row)
    page = {"old": PASSWORD, "new": PASSWORD, "csrf_token": ada.csrf or ""}
    assert ada.post("/account", data={**page, "keep_tokens": "yes"}).status_code == 200
    assert opens(row)
    ada = Client(light_app, "ada")
    assert ada.post("/account", data={**page, "csrf_token": ada.csrf or ""}).status_code == 200
    assert not opens(row)
    ada = Client(light_app, "ada")
    row = made(ada, "cat")
    assert ada.post("/api/v1/password", json=body).status_code == 200
    assert not opens(row)
    row = made(Client(light_app, "ada"), "cat")
    manager = Client(light_app, "the-manager")
    assert manager.put("/api/v1/users/ada/password", json={"password": PASSWORD}).status_code == 200
    assert not opens(row), "who resets a password wants nobody else in"


def test_a_token_for_projects_works_in_them_and_opens_nothing_else(light_app: FastAPI) -> None:
    manager, program = Client(light_app, "the-manager"), Client(light_app)
    row = made(manager, "cat")
    body = {"name": "By program", "source_lang": "de", "target_lang": "en"}
    created = program.post("/api/v1/cat/projects", json=body, headers=bearer(row))
    assert created.status_code == 201, created.text
    base = f"/api/v1/cat/projects/{created.json()['id']}"
    sent = program.post(f"{base}/files", params={"name": "a.txt"}, content=b"Ja.\n", headers=bearer(row))
    assert sent.status_code == 201
    assert program.get(f"{base}/segments", headers=bearer(row)).json()["total"] == 1
    assert program.get(base, params={"key": row["secret"]}).status_code == 401, "by a header alone"
    assert program.get(base, headers=bearer(made(manager, "translate"))).status_code == 403
    for path in ("/cat", f"/cat/projects/{created.json()['id']}", "/api/v1/users", "/v1/engines"):
        assert program.get(path, headers=bearer(row)).status_code in (303, 401, 403)
    assert program.delete(base, headers=bearer(row)).status_code == 200


def test_services_are_given_at_the_command_line(light_store: Store) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(campaign, ["users", "services", *words, "--db", light_store.name, "--json"])
        return done.exit_code, done.output

    def given() -> tuple[str, ...] | None:
        with light_store.read() as connection:
            return find_user(connection, "ada").services

    assert run("ada", "score", "translate")[0] == 0
    assert given() == ("translate", "score")
    assert run("ada", "--none")[0] == 0
    assert given() == ()
    assert run("ada")[0] == 0
    assert given() is None
    assert run("ada", "score", "--none")[0] == 2
