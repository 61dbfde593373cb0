"""Accounts, passwords and sessions."""

from __future__ import annotations

import re
import threading
from datetime import timedelta

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.errors import DataError
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE, Actor, list_audit
from dragoman.store.columns import now
from dragoman.store.people import accounts, sessions
from dragoman.store.refusals import Conflict, NotFound, NotSignedIn, TooMany
from dragoman.web import create_app
from tests.web.client import PASSWORD, Client


def log_in(store: Store, name: str, password: str, address: str = "10.0.0.1", tries: int = 5) -> sessions.Session:
    return sessions.log_in(store, name, password, address=address, tries=tries, hours=72, request="r")


def test_passwords_are_kept_as_argon2id_and_tokens_as_hashes(store: Store) -> None:
    session = log_in(store, "ada", PASSWORD)
    with store.read() as connection:
        kept = connection.scalar(sa.select(tables.users.c.password).where(tables.users.c.name == "ada"))
        tokens = list(connection.scalars(sa.select(tables.sessions.c.token)))
    assert str(kept).startswith("$argon2id$")
    assert session.token not in tokens
    found = sessions.find_session(store, session.token, hours=1)
    assert found is not None
    assert (found.user.name, found.csrf) == ("ada", session.csrf)
    assert sessions.find_session(store, "forged", hours=1) is None
    assert sessions.find_session(store, None, hours=1) is None


@pytest.mark.parametrize(
    ("name", "password"),
    [("ada", "wrong password"), ("nobody", PASSWORD), ("ada\x00", PASSWORD[::-1]), ("\ud800", "x")],
)
def test_wrong_names_and_passwords_get_one_answer(store: Store, name: str, password: str) -> None:
    with pytest.raises(NotSignedIn, match=r"The name or the password is wrong\."):
        log_in(store, name, password)


@pytest.mark.usefixtures("still")
def test_logins_are_throttled_also_when_many_try_at_once(store: Store) -> None:
    outcomes: list[str] = []

    def attempt() -> None:
        try:
            log_in(store, "ada", "wrong password")
        except (NotSignedIn, TooMany) as error:
            outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["NotSignedIn"] * 5 + ["TooMany"] * 7
    with pytest.raises(TooMany, match="Too many failed logins"):
        log_in(store, "ada", PASSWORD)
    assert log_in(store, "ada", PASSWORD, address="10.0.0.2").user.name == "ada"  # she is not locked out elsewhere


@pytest.mark.usefixtures("still")
def test_an_address_that_tries_many_names_is_throttled(store: Store) -> None:
    outcomes = []
    for n in range(12):
        try:
            log_in(store, f"name-{n}", "wrong password", tries=1)
        except (NotSignedIn, TooMany) as error:
            outcomes.append(type(error).__name__)
    assert outcomes == ["NotSignedIn"] * 5 + ["TooMany"] * 7


def test_sessions_end_and_are_prolonged_by_use(store: Store) -> None:
    session = log_in(store, "ada", PASSWORD)

    def set_expiry(**shift: int) -> None:
        with store.write() as connection:
            connection.execute(sa.update(tables.sessions).values(expires=now() + timedelta(**shift)))

    set_expiry(minutes=1)
    assert sessions.find_session(store, session.token, hours=2) is not None
    with store.read() as connection:
        expires = connection.scalar(sa.select(tables.sessions.c.expires))
    assert expires is not None
    assert expires > now() + timedelta(minutes=100)
    set_expiry(seconds=-1)
    assert sessions.find_session(store, session.token, hours=2) is None


def test_signing_out_and_changing_the_password(app: FastAPI) -> None:
    one, two = Client(app, "ada"), Client(app, "ada")
    assert one.delete("/api/v1/session").status_code == 200
    assert one.get("/api/v1/session").status_code == 401
    new = "another good password"
    assert two.post("/api/v1/password", json={"old": "wrong", "new": new}).status_code == 403
    short = two.post("/api/v1/password", json={"old": PASSWORD, "new": "short"})
    assert (short.status_code, short.json()["message"]) == (422, "A password has 10 to 200 characters; this one has 5.")
    three = Client(app, "ada")
    assert two.post("/api/v1/password", json={"old": PASSWORD, "new": new}).status_code == 200
    assert two.get("/api/v1/session").status_code == 200
    assert three.get("/api/v1/session").status_code == 401
    assert Client(app).post("/api/v1/session", json={"name": "ada", "password": PASSWORD}).status_code == 401
    assert Client(app).post("/api/v1/session", json={"name": "ada", "password": new}).status_code == 200


def test_managers_begin_at_the_campaigns_and_annotators_at_their_work(app: FastAPI) -> None:
    for name, first in (("the-manager", "/campaigns"), ("the-viewer", "/campaigns"), ("ada", "/")):
        client = Client(app)
        token = re.search(r'name="csrf_token" value="(\w+)"', client.get("/login").text)
        assert token is not None
        form = {"name": name, "password": PASSWORD, "csrf_token": token[1]}
        assert client.post("/login", data=form).headers["location"] == first
        assert Client(app).get("/login?next=/score").status_code == 200


def test_cookies_are_out_of_reach_for_scripts(app: FastAPI) -> None:
    answer = Client(app).post("/api/v1/session", json={"name": "ada", "password": PASSWORD})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert PASSWORD not in answer.text


def test_closed_accounts_and_roles(app: FastAPI, store: Store) -> None:
    admin, manager, ada = Client(app, "the-admin"), Client(app, "the-manager"), Client(app, "ada")
    assert admin.put("/api/v1/users/ada/disabled").status_code == 200
    assert ada.get("/api/v1/session").status_code == 401
    assert Client(app).post("/api/v1/session", json={"name": "ada", "password": PASSWORD}).status_code == 401
    assert admin.delete("/api/v1/users/ada/disabled").status_code == 200
    assert admin.put("/api/v1/users/ada/role", json={"role": "viewer"}).status_code == 200
    assert Client(app, "ada").get("/api/v1/campaigns").status_code == 200
    alone = admin.put("/api/v1/users/the-admin/role", json={"role": "viewer"})
    assert (alone.status_code, alone.json()["kind"]) == (409, "Conflict")
    assert admin.put("/api/v1/users/the-admin/disabled").status_code == 409
    new = {"name": "zoe", "role": "manager", "password": PASSWORD}
    assert manager.post("/api/v1/users", json=new).status_code == 403
    assert manager.put("/api/v1/users/the-admin/password", json={"password": PASSWORD}).status_code == 403
    assert manager.post("/api/v1/users", json={**new, "role": "annotator", "languages": ["de"]}).status_code == 201
    assert manager.post("/api/v1/users", json={**new, "role": "annotator", "name": "ZOE"}).status_code == 409
    assert manager.put("/api/v1/users/zoe/password", json={"password": PASSWORD + "!"}).status_code == 200
    rows = {row["name"]: row for row in manager.get("/api/v1/users").json()["rows"]}
    assert rows["zoe"]["languages"] == "de"
    actions = [row["action"] for row in admin.get("/api/v1/audit").json()["rows"]]
    assert {"user added", "role changed", "user disabled", "user enabled", "password changed", "login"} <= set(actions)
    with store.read() as connection:
        assert PASSWORD not in str(list_audit(connection).entries)


@pytest.mark.parametrize("name", ["", " ada", "a b", "x" * 81, "-ada", "a/b", "<b>", "a\x00"])
def test_bad_names_are_refused(store: Store, name: str) -> None:
    with store.write() as connection, pytest.raises(DataError, match="cannot name an account"):
        accounts.add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)


def test_names_of_many_scripts_are_fine(store: Store) -> None:
    with store.write() as connection:
        for name in ("Žofie", "علي", "李雷", "ada+1@example.org", "x"):
            assert accounts.add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE).name == name
            assert accounts.find_user(connection, name).name == name


def test_what_is_not_there_is_named(store: Store) -> None:
    with store.write() as connection:
        with pytest.raises(NotFound, match="There is no account called 'nobody'"):
            accounts.find_user(connection, "nobody")
        with pytest.raises(DataError, match="There is no role 'king'"):
            accounts.set_role(connection, "ada", "king", actor=COMMAND_LINE)
        with pytest.raises(DataError, match="There is no role 'king'"):
            accounts.add_user(connection, "zoe", "king", PASSWORD, actor=COMMAND_LINE)
        with pytest.raises(Conflict, match="already; choose another"):
            accounts.add_user(connection, "Ada", "viewer", PASSWORD, actor=Actor("me"))


def test_two_apps_share_sessions(store: Store) -> None:
    """Workers are processes with an app each over one database."""
    one, two = create_app(store), create_app(store)
    client = Client(one, "ada")
    client.app = two
    assert client.get("/api/v1/session").json()["name"] == "ada"


@pytest.mark.usefixtures("still")
def test_a_classroom_signs_in_from_one_address(store: Store) -> None:
    """Only failures count: an address has five tries here, and many more people."""
    with store.write() as connection:
        for n in range(8):
            accounts.add_user(connection, f"pupil{n}", "annotator", PASSWORD, actor=COMMAND_LINE)
    for n in range(8):
        assert log_in(store, f"pupil{n}", PASSWORD, tries=1).user.name == f"pupil{n}"
    assert all(log_in(store, "ada", PASSWORD, tries=1) for _ in range(12)), "nor do they count against the name"


@pytest.mark.usefixtures("still")
def test_right_passwords_do_not_pay_for_wrong_ones(store: Store) -> None:
    """Signing in with an own account between the tries does not let an address try the names of others for ever."""
    outcomes = []
    for n in range(8):
        log_in(store, "ben", PASSWORD, tries=1) if n < 5 else None
        try:
            log_in(store, f"name-{n}", "wrong password", tries=1)
        except (NotSignedIn, TooMany) as error:
            outcomes.append(type(error).__name__)
    assert outcomes == ["NotSignedIn"] * 5 + ["TooMany"] * 3
    with pytest.raises(TooMany):
        log_in(store, "ben", PASSWORD, tries=1)


@pytest.mark.parametrize(
    ("one", "other"), [("Élodie", "élodie"), ("straße", "STRASSE"), ("ａda2", "ada2"), ("ﬁnn", "Finn")]
)
def test_names_that_differ_in_capitals_or_form_are_one(store: Store, one: str, other: str) -> None:
    with store.write() as connection:
        accounts.add_user(connection, one, "annotator", None, actor=COMMAND_LINE)
    with pytest.raises(Conflict, match="There is an account called"), store.write() as connection:
        accounts.add_user(connection, other, "annotator", None, actor=COMMAND_LINE)


@pytest.mark.parametrize(
    "name", ["prolific-0123456789ab", "Prolific-x", "ｐrolific-x", "mturk-a", "toloka-a", "other-a"]
)
def test_names_of_crowd_workers_are_kept_for_them(light_store: Store, name: str) -> None:
    with pytest.raises(DataError, match="are kept for people from crowd platforms"), light_store.write() as connection:
        accounts.add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)


def test_other_names_may_begin_with_the_word(light_store: Store) -> None:
    with light_store.write() as connection:
        for name in ("prolific", "otherwise", "mturk.ada"):
            accounts.add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)
