"""PostgreSQL under load while its processes are ended: what was confirmed is there once, and the server recovers."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.web.client import Client
from tests.web.databases import Cluster
from tests.web.savers import Savers
from tests.web.test_faults import keys_in

BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = :name AND backend_type = 'client backend'"


@contextmanager
def overseer(cluster: Cluster) -> Iterator[sa.Connection]:
    """A connection from outside of the house's database."""
    engine = sa.create_engine(cluster.url("postgres"), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        yield connection


def end_backends(cluster: Cluster, database: str, draws: random.Random) -> None:
    """Some of them, in order, as an administrator would."""
    with overseer(cluster) as connection:
        backends = list(connection.scalars(sa.text(BACKENDS), {"name": database}))
        for pid in draws.sample(backends, max(1, len(backends) // 2)):
            connection.execute(sa.text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})


def kill_backend(cluster: Cluster, database: str, draws: random.Random) -> None:
    """One, by kill -9: PostgreSQL then ends all others and recovers from its log."""
    with overseer(cluster) as connection:
        backends = list(connection.scalars(sa.text(BACKENDS), {"name": database}))
    os.kill(draws.choice(backends), signal.SIGKILL)


@pytest.mark.parametrize(("fault", "n"), [(end_backends, 8), (kill_backend, 2)])
def test_backends_that_end_while_people_save(
    cluster: Cluster, postgres_template: str, fault: Callable[[Cluster, str, random.Random], None], n: int
) -> None:
    database = cluster.make(postgres_template)
    store = Store(cluster.url(database))
    app = create_app(store, Settings(requests_per_minute=10**6))
    draws = random.Random(n)
    with Savers(app, ("ada", "ben"), hands=4) as savers:
        savers.until_saved()
        for _ in range(n):
            fault(cluster, database, draws)
            savers.until_saved()  # by itself: nobody restarts anything
    assert savers.strange == []
    assert sum(savers.away) > 0, "no fault met anybody"
    assert keys_in(store) == savers.keys
    assert len(set(savers.keys)) == len(savers.keys)
    assert Client(app).get("/health").status_code == 200
    store.close()
