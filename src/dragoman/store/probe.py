"""How the database does, for whoever watches the server: whether it takes writes, and what it holds."""

from __future__ import annotations

import threading
import time

import sqlalchemy as sa

from dragoman.store import tables
from dragoman.store.database import Store

__all__ = ["Probe", "facts_of"]

_NAME = "probe"
_SIZE = 64 << 10  # bytes: as much as a large save takes, so that what is full for one is full for the other
_GOOD_SECONDS = 5.0  # for which a write that succeeded is not tried again: everybody may ask


class Probe:
    """Writes a row and commits, one thread at a time; a full disk, a lock or a database that is away raises."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._turn = threading.Lock()
        self._good_until = 0.0  # by the clock that never jumps

    def check(self) -> None:
        """Raise what keeps the database from saving, if anything does."""
        with self._turn:
            if time.monotonic() < self._good_until:
                return
            self.store.together(_write)
            self._good_until = time.monotonic() + _GOOD_SECONDS


def _write(connection: sa.Connection) -> None:
    # The text alternates: SQLite and PostgreSQL may leave alone what does not change.
    column = tables.properties.c
    mine = column.name == _NAME
    now = connection.scalar(sa.select(sa.func.substr(column.value, 1, 1)).where(mine))
    value = ("b" if now == "a" else "a") * _SIZE
    if now is None:
        connection.execute(sa.insert(tables.properties).values(name=_NAME, value=value))
    else:
        connection.execute(sa.update(tables.properties).where(mine).values(value=value))


def facts_of(connection: sa.Connection) -> dict[str, int]:
    """How many answers, accounts and open campaigns there are."""
    queries = {
        "answers": sa.select(sa.func.max(tables.answers.c.id)),  # appended only, so the last number is the count
        "users": sa.select(sa.func.count()).select_from(tables.users),
        "campaigns_open": sa.select(sa.func.count()).where(tables.campaigns.c.state == "open"),
    }
    return {name: connection.scalar(query) or 0 for name, query in queries.items()}
