"""A server for this machine alone: nobody signs in, and nobody else gets in."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user, find_user, set_role
from dragoman.store.people.local import find_local, make_local
from dragoman.store.people.tokens import make_token
from dragoman.store.refusals import Conflict
from dragoman.web import Settings, create_app
from dragoman.web.serving import open_house
from tests.web.client import Client
from tests.web.house import CHEAP

BODY = {"systems": [{"name": "a", "text": "A cat.\n"}], "refs": [{"name": "r", "text": "A cat.\n"}]}


@pytest.fixture
def local_app(light_store: Store) -> FastAPI:
    open_house(Settings(db=light_store.name, local=True))
    return create_app(light_store, Settings(local=True))


def test_nobody_signs_in(local_app: FastAPI) -> None:
    client = Client(local_app)
    session = client.get("/api/v1/session").json()
    assert (session["name"], session["role"]) == ("local", "admin")
    assert client.get("/campaigns").status_code == 200
    scored = client.post("/v1/score", json=BODY)
    assert scored.status_code == 200, scored.text
    client.csrf = session["csrf"]
    assert client.post("/api/v1/tokens", json={"name": "x", "scopes": ["score"]}).status_code == 201
    assert client.delete("/api/v1/session").status_code == 200  # nothing to sign out of; nothing breaks


def test_a_page_of_another_site_gets_nothing_done(local_app: FastAPI) -> None:
    client = Client(local_app)
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert client.post("/v1/score", json=BODY, headers=headers).status_code == 403, headers
    # What a page may send without asking first: a form, or text.
    assert client.post("/people", data={"name": "eve", "role": "admin", "password": "0123456789"}).status_code == 403
    assert client.post("/v1/score", content="{}", headers={"Content-Type": "text/plain"}).status_code == 403
    assert client.post("/v1/score", json=BODY, headers={"X-CSRF-Token": "guessed"}).status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "192.0.2.7", "8.8.8.8:8000", "localhost.evil.org"]
)
def test_a_name_that_points_here_is_not_this_machine(local_app: FastAPI, host: str) -> None:
    assert Client(local_app).get("/api/v1/session", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST"])
def test_its_own_names_are(local_app: FastAPI, host: str) -> None:
    assert Client(local_app).get("/api/v1/session", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"host": "0.0.0.0"}, "cannot listen at '0.0.0.0'"),
        ({"host": "192.168.1.4"}, "cannot listen at '192.168.1.4'"),
        ({"host": "judge.example.org"}, "cannot listen at 'judge.example.org'"),
        ({"url": "https://judge.example.org"}, "leave out --url https://judge.example.org"),
        ({"proxies": "127.0.0.1"}, "leave out --proxies 127.0.0.1"),
        ({"hosts": ("judge.lan",)}, "leave out --name judge.lan"),
    ],
)
def test_what_would_let_others_in_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=r"--local serves this machine alone") as refused:
        Settings(local=True, **options)  # type: ignore[arg-type]
    assert said in str(refused.value)


def test_the_account_opens_nothing_where_others_are_served(local_app: FastAPI, light_store: Store) -> None:
    app = create_app(light_store, Settings())
    client = Client(app)
    assert client.get("/api/v1/session").status_code == 401
    for password in ("", "local"):
        refused = client.post("/api/v1/session", json={"name": "local", "password": password})
        assert refused.status_code in (401, 422), refused.text


def test_it_does_not_count_as_the_admin_of_a_house(light_store: Store) -> None:
    with light_store.write() as connection:
        make_local(connection)
        with pytest.raises(Conflict, match="only admin"):
            set_role(connection, "the-admin", "viewer", actor=COMMAND_LINE)


def test_a_database_without_admins_still_makes_the_first(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = Settings(db=str(tmp_path_factory.mktemp("fresh") / "house.db"), local=True)
    assert open_house(settings).first_admin is None
    assert open_house(Settings(db=settings.db)).first_admin is not None


def test_an_account_of_that_name_is_not_taken_over(light_store: Store) -> None:
    with light_store.write() as connection:
        add_user(connection, "Local", "annotator", CHEAP, actor=COMMAND_LINE)
    with pytest.raises(Conflict, match="name another database with --db"):
        open_house(Settings(db=light_store.name, local=True))
    assert find_local(light_store) is None


def test_tokens_are_checked_here_too(local_app: FastAPI, light_store: Store) -> None:
    with light_store.write() as connection:
        user = find_user(connection, "the-manager")
        token = make_token(connection, user, name="x", scopes=["translate"], actor=COMMAND_LINE)
    client = Client(local_app)
    assert client.post("/v1/score", json=BODY, headers={"Authorization": "Bearer drg_wrong"}).status_code == 401
    assert client.post("/v1/score", json=BODY, headers={"Authorization": f"Bearer {token.secret}"}).status_code == 403
