"""What tests of the server share: the same tests on SQLite and on PostgreSQL, a house with people in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from dragoman.web import Settings, Store, create_app
from tests.web import databases
from tests.web.house import ROLES, fill

DIALECTS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def cluster() -> Iterator[databases.Cluster]:
    found = databases.programs()
    if found is None:
        pytest.skip("no PostgreSQL: install the package postgresql to run the tests on it")
    with databases.cluster(found) as made:
        yield made


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "house.db"
    store = Store(path)
    store.migrate()
    fill(store)
    store.close()
    return path


@pytest.fixture(scope="session")
def postgres_template(cluster: databases.Cluster) -> str:
    name = cluster.make()
    store = Store(cluster.url(name))
    store.migrate()
    fill(store)
    store.close()
    return name


def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A house of its own for one test, copied from the template."""
    if request.param == "sqlite":
        path = tmp_path / "house.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        return Store(path)
    cluster = request.getfixturevalue("cluster")
    return Store(cluster.url(cluster.make(request.getfixturevalue("postgres_template"))))


@pytest.fixture(params=DIALECTS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = make_store(request, tmp_path)
    yield made
    made.close()


@pytest.fixture(params=["sqlite"])
def light_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """For what has nothing to do with the database's kind."""
    made = make_store(request, tmp_path)
    yield made
    made.close()


@pytest.fixture
def app(store: Store) -> FastAPI:
    return create_app(store, Settings(requests_per_minute=100_000))


@pytest.fixture
def light_app(light_store: Store) -> FastAPI:
    return create_app(light_store, Settings(requests_per_minute=100_000))


@pytest.fixture(params=ROLES)
def role(request: pytest.FixtureRequest) -> str:
    return str(request.param)
