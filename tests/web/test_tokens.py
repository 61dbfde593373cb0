"""Tokens for programs: made, used within their scopes, over, withdrawn; never shown twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.store import Store, tables
from dragoman.store.columns import now
from tests.web.client import Client


def made(client: Client, *scopes: str) -> dict[str, str]:
    answer = client.post("/api/v1/tokens", json={"name": "script", "scopes": list(scopes)})
    assert answer.status_code == 201, answer.text
    row: dict[str, str] = answer.json()["rows"][0]
    return row


def bearer(row: dict[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {row['secret']}"}


def test_a_token_opens_what_it_is_for_and_nothing_else(light_app: FastAPI) -> None:
    row = made(Client(light_app, "the-manager"), "translate")
    program = Client(light_app)
    assert program.get("/v1/engines", headers=bearer(row)).json() == {"engines": []}
    refused = program.post("/api/v1/score", headers=bearer(row), json={"systems": [], "refs": []})
    assert refused.status_code == 403
    assert refused.json()["message"] == "This token is for translate; make one with the scope score."
    for path in ("/api/v1/session", "/api/v1/tokens", "/api/v1/users"):
        assert program.get(path, headers=bearer(row)).status_code == 401


@pytest.mark.parametrize(
    "headers", [{"Authorization": "DeepL-Auth-Key {}"}, {"Authorization": "bearer {}"}, {"X-API-Key": "{}"}]
)
def test_a_token_comes_in_any_header_that_services_use(light_app: FastAPI, headers: dict[str, str]) -> None:
    secret = made(Client(light_app, "the-manager"), "translate")["secret"]
    filled = {name: value.format(secret) for name, value in headers.items()}
    assert Client(light_app).get("/v1/engines", headers=filled).status_code == 200


def test_a_token_is_shown_once_and_kept_as_its_hash(light_app: FastAPI, light_store: Store) -> None:
    client = Client(light_app, "the-manager")
    row = made(client, "quality", "translate")
    listing = client.get("/api/v1/tokens")
    assert row["secret"] not in listing.text
    assert listing.json()["rows"][0]["scopes"] == "translate quality"
    with light_store.read() as connection:
        rows = connection.execute(sa.select(tables.tokens)).all()
        log = connection.execute(sa.select(tables.audit)).all()
    assert row["secret"] not in str(rows) + str(log)


def test_a_token_that_was_withdrawn_or_is_over_opens_nothing(light_app: FastAPI, light_store: Store) -> None:
    client = Client(light_app, "the-manager")
    first, second = made(client, "translate"), made(client, "translate")
    program = Client(light_app)
    assert client.delete(f"/api/v1/tokens/{first['token']}").status_code == 200
    assert "withdrawn" in program.get("/v1/engines", headers=bearer(first)).json()["message"]
    assert program.get("/v1/engines", headers=bearer(second)).status_code == 200
    with light_store.write() as connection:
        connection.execute(sa.update(tables.tokens).values(expires=now() - timedelta(seconds=1)))
    assert program.get("/v1/engines", headers=bearer(second)).status_code == 401


def test_the_tokens_of_others_cannot_be_withdrawn(light_app: FastAPI) -> None:
    row = made(Client(light_app, "the-manager"), "translate")
    refused = Client(light_app, "the-admin").delete(f"/api/v1/tokens/{row['token']}")
    assert refused.status_code == 404
    assert Client(light_app).get("/v1/engines", headers=bearer(row)).status_code == 200


def test_whoever_is_disabled_has_no_tokens(light_app: FastAPI, light_store: Store) -> None:
    row = made(Client(light_app, "the-manager"), "translate")
    with light_store.write() as connection:
        connection.execute(sa.update(tables.users).values(disabled=now()))
    assert Client(light_app).get("/v1/engines", headers=bearer(row)).status_code == 401


def test_a_wrong_token_is_not_let_in_by_a_good_cookie(light_app: FastAPI) -> None:
    client = Client(light_app, "the-manager")
    assert client.get("/v1/engines").status_code == 200
    assert client.get("/v1/engines", headers={"Authorization": "Bearer drg_wrong"}).status_code == 401


def test_use_is_noted(light_app: FastAPI) -> None:
    client = Client(light_app, "the-manager")
    row = made(client, "translate")
    assert row["last_used"] is None
    Client(light_app).get("/v1/engines", headers=bearer(row))
    assert client.get("/api/v1/tokens").json()["rows"][0]["last_used"] is not None


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["everything"]},
        {"name": "x", "scopes": ["translate"], "days": 0},
        {"name": "x", "scopes": ["translate"], "days": 367},
        {"name": "", "scopes": ["translate"]},
    ],
)
def test_a_token_without_bounds_is_not_made(light_app: FastAPI, body: dict[str, object]) -> None:
    client = Client(light_app, "the-manager")
    assert client.post("/api/v1/tokens", json=body).status_code == 422
    assert client.get("/api/v1/tokens").json()["rows"] == []


def test_a_page_makes_shows_once_and_withdraws(light_app: FastAPI) -> None:
    client = Client(light_app, "the-manager")
    form = {"name": "my script", "scopes": ["translate", "score"], "days": "7", "csrf_token": client.csrf or ""}
    page = client.post("/account/tokens", data=form)
    assert page.status_code == 201, page.text
    secret = page.text.partition('<code id="secret">')[2].partition("<")[0]
    assert Client(light_app).get("/v1/engines", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    again = client.get("/account/tokens").text
    assert "my script" in again
    assert secret not in again
    number = client.get("/api/v1/tokens").json()["rows"][0]["token"]
    gone = client.post(f"/account/tokens/{number}/withdraw", data={"csrf_token": client.csrf or ""})
    assert (gone.status_code, gone.headers["location"]) == (303, "/account/tokens")
    assert Client(light_app).get("/v1/engines", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_the_page_says_what_a_token_lacks(light_app: FastAPI) -> None:
    client = Client(light_app, "the-manager")
    page = client.post("/account/tokens", data={"name": "x", "days": "7", "csrf_token": client.csrf or ""})
    assert page.status_code == 422
    assert "A token has one scope or more of" in page.text
