"""A project in the house: a letter of five lines, a translator, a reviewer, and what the tests of pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from fastapi import FastAPI

from tests.web.client import Client
from tests.web.conftest import (
    app,
    browser,
    cluster,
    database,
    light_app,
    light_store,
    open_page,
    postgres_template,
    sqlite_template,
    store,
    windows,
)

__all__ = [
    "app",
    "browser",
    "cluster",
    "database",
    "light_app",
    "light_store",
    "open_page",
    "postgres_template",
    "sqlite_template",
    "store",
    "windows",
]

API = "/api/v1/cat"
LETTER = "Der Hund schläft.\r\nEs regnet heute nicht.\r\n\r\n  Wir gehen nach Hause.\r\nGute Nacht!\r\nEnde"
_KEYS = count(1)


def make_key() -> str:
    return f"k{next(_KEYS)}"


def make_project(app: FastAPI, name: str = "Letters", **more: object) -> int:
    """A project with a letter, which ada translates (1–3) and ben reviews."""
    manager = Client(app, "the-manager")
    body = {"name": name, "source_lang": "de", "target_lang": "en", **more}
    made = manager.post(f"{API}/projects", json=body)
    assert made.status_code == 201, made.text
    number = made.json()["id"]
    sent = manager.post(f"{API}/projects/{number}/files", params={"name": "letter.txt"}, content=LETTER.encode())
    assert sent.status_code == 201, sent.text
    for job in ({"user": "ada", "first": 1, "last": 3}, {"user": "ben", "role": "reviewer"}):
        assert manager.post(f"{API}/projects/{number}/jobs", json=job).status_code == 201
    return int(number)


@pytest.fixture
def project(light_app: FastAPI) -> int:
    return make_project(light_app)


@pytest.fixture
def change() -> Callable[..., dict[str, object]]:
    def made(segment: int, target: str, revision: int = 0, **more: object) -> dict[str, object]:
        return {"key": make_key(), "segment": segment, "revision": revision, "target": target, **more}

    return made


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A running server for the stories of a module."""
    pytest.importorskip("websockets")
    from tests.web.cat.desks import DoubtfulEngine, Office

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dragoman.web.models.engines.load_engine", lambda spec: DoubtfulEngine())
        made = Office(tmp_path_factory.mktemp("office"))
        yield made
        made.close()


@pytest.fixture
def sit(office: Any, open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Somebody signs in and opens the editor of a project."""
    from tests.web.cat.desks import Person

    def sat(name: str, project: int, **more: Any) -> Person:
        return Person(office, open_page, name, project, **more)

    return sat
