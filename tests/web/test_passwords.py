"""Passwords are hashed while nobody waits: hashing is slow on purpose, and SQLite has one writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people import passwords
from dragoman.store.people.invites import make_invite
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN

NEW = "another good password"


@pytest.fixture
def hashing(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """For each password that was hashed or compared, whether others had to wait meanwhile."""
    waits: list[bool] = []
    hasher = passwords._HASHER

    class Watched:
        def __getattr__(self, name: str) -> Callable[..., Any]:
            waits.append(light_store._turn.locked())
            return getattr(hasher, name)  # type: ignore[no-any-return]

    monkeypatch.setattr(passwords, "_HASHER", Watched())
    yield waits
    assert waits
    assert not any(waits)


@pytest.fixture
def token(light_store: Store) -> str:
    with light_store.write() as connection:
        return make_invite(
            connection, secret=light_store.secret, address="", actor=COMMAND_LINE, campaign=CAMPAIGN
        ).token


def test_joining(light_app: FastAPI, hashing: list[bool], token: str) -> None:
    joined = Client(light_app).post(f"/api/v1/join/{token}", json={"name": "eve", "password": PASSWORD})
    assert joined.status_code == 200
    assert len(hashing) == 1
    page = Client(light_app)
    csrf = re.search(r'name="csrf_token" value="([^"]+)"', page.get(f"/join/{token}").text)
    assert csrf is not None
    fields = {"csrf_token": csrf[1], "name": "finn", "password": PASSWORD}
    assert page.post(f"/join/{token}", data=fields).status_code == 303


def test_links_that_are_not_good_cost_no_hashing(light_app: FastAPI, hashing: list[bool], token: str) -> None:
    for wrong in (token[:-1], "x.y"):
        answer = Client(light_app).post(f"/api/v1/join/{wrong}", json={"name": "eve", "password": PASSWORD})
        assert answer.status_code == 404
    assert hashing == []
    assert Client(light_app, "ada")


def test_accounts_and_passwords(light_app: FastAPI, hashing: list[bool]) -> None:
    admin = Client(light_app, "the-admin")
    assert admin.post("/api/v1/users", json={"name": "u1", "password": PASSWORD, "role": "viewer"}).status_code == 201
    assert admin.post("/people", data={"name": "u2", "password": PASSWORD}).status_code == 303
    assert admin.put("/api/v1/users/ada/password", json={"password": NEW}).status_code == 200
    assert admin.post("/people/ada/password", data={"password": PASSWORD}).status_code == 303
    ada = Client(light_app, "ada")
    changed = ada.post("/api/v1/password", json={"old": PASSWORD, "new": NEW})
    assert changed.status_code == 200
    ada.csrf = changed.json()["csrf"]
    assert ada.post("/account", data={"old": NEW, "new": PASSWORD}).status_code == 200
