"""What tests of the server share: SQLite and PostgreSQL, a house with people in it, one browser and one stub."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.browsers import running_browser
from tests.web import databases
from tests.web.house import ROLES, fill
from tests.web.windows import Windows

DIALECTS = ("sqlite", "postgresql")
# Nobody is sent away for asking too often, nor because the machine has much else to do.
PATIENT = Settings(requests_per_minute=10**6, desk_seconds=600)


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
    return Store(make_database(request))


def make_database(request: pytest.FixtureRequest) -> str:
    """The address of a database on PostgreSQL for as long as the fixture lasts, copied from the template."""
    cluster: databases.Cluster = request.getfixturevalue("cluster")
    name = cluster.make(request.getfixturevalue("postgres_template"))
    request.addfinalizer(partial(cluster.drop, name))
    return cluster.url(name)


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
    return create_app(store, PATIENT)


@pytest.fixture
def light_app(light_store: Store) -> FastAPI:
    return create_app(light_store, PATIENT)


@pytest.fixture(params=ROLES)
def role(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock by which requests and logins are counted stands: no window of time ends in the middle of a test."""
    monkeypatch.setattr("dragoman.store.throttle.time", SimpleNamespace(time=lambda: 1_800_000_000.0))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium for the tests of a module; each opens a context of its own.

    Not for the session: while Playwright runs, its event loop is the thread's, and `asyncio.run` of other tests fails.
    """
    with running_browser() as started:
        yield started


@pytest.fixture(scope="session")
def stub() -> Iterator[Any]:
    pytest.importorskip("fastapi")
    pytest.importorskip("uvicorn")
    from tests.web.stub import Stub

    running = Stub()
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def windows(browser: Any) -> Windows:
    return Windows(browser)


@pytest.fixture
def open_page(windows: Windows) -> Iterator[Callable[..., Any]]:
    """Open pages in windows of their own; what a script throws, or a policy forbids, fails the test."""
    with windows.for_a_test() as opened:
        yield opened


@pytest.fixture
def judge(stub: Any, open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Open a campaign of the stub; gives the page and what the stub knows of it."""

    def opened(name: str, **more: Any) -> tuple[Any, Any]:
        own = f"{name}~{next(_NUMBERS)}"
        page = open_page(f"{stub.address}/campaigns/{own}/work", **more)
        page.wait_for_selector("#screen .screen")
        return page, stub.of(own)

    return opened


_NUMBERS = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh database of either kind, for servers that are started as programs."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "house.db")
        return str(tmp_path / "house.db")
    return make_database(request)
