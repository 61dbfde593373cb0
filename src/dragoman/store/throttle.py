"""Limits on how often something may happen, counted in the database, so that they hold across workers."""

from __future__ import annotations

import time
from datetime import timedelta
from functools import cache
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from dragoman.store import tables
from dragoman.store.columns import Moment, now
from dragoman.store.refusals import TooMany

__all__ = ["Left", "check", "count", "forget", "sweep"]

_LONGEST = timedelta(hours=1)  # that a count is kept for: twice its window


class Left(NamedTuple):
    """What is left of a limit: events, and seconds until it begins anew."""

    events: int
    seconds: int


def count(connection: sa.Connection, key: str, *, limit: int, seconds: int, message: str) -> Left:
    """Count one event of `key` in the current window of so many seconds; raise `TooMany` above the limit.

    The count stands if the transaction does: where the event is refused, count it in a transaction of its own.
    """
    period, left = _window(seconds)
    values = {"p_key": key, "p_period": period, "p_expires": now() + timedelta(seconds=2 * seconds)}
    n_events = int(connection.scalar(_counting(connection.dialect.name), values) or 0)
    if n_events > limit:
        raise TooMany(message, retry_after=left)
    return Left(limit - n_events, left)


def check(connection: sa.Connection, key: str, *, limit: int, seconds: int, message: str) -> None:
    """Raise `TooMany` if the events of `key` in the current window have come to the limit."""
    period, left = _window(seconds)
    query = sa.select(tables.limits.c.count).where(tables.limits.c.key == key, tables.limits.c.period == period)
    if int(connection.scalar(query) or 0) >= limit:
        raise TooMany(message, retry_after=left)


def _window(seconds: int) -> tuple[int, int]:
    """The number of the current window, and the seconds that are left of it."""
    moment = int(time.time())
    period = moment // seconds
    return period, (period + 1) * seconds - moment


@cache
def _counting(dialect: str) -> sa.Executable:
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    limits = tables.limits.c
    fresh = insert(tables.limits).values(
        key=sa.bindparam("p_key"),
        period=sa.bindparam("p_period"),
        count=1,
        expires=sa.bindparam("p_expires", type_=Moment),
    )
    counted = fresh.on_conflict_do_update(index_elements=["key", "period"], set_={"count": limits.count + 1})
    return counted.returning(limits.count)


def forget(connection: sa.Connection, key: str) -> None:
    """Begin the count of `key` anew."""
    connection.execute(sa.delete(tables.limits).where(tables.limits.c.key == key))


def sweep(connection: sa.Connection) -> None:
    """Drop counts of windows that are over, and of a clock that was ahead: their windows are still to come."""
    moment, expires = now(), tables.limits.c.expires
    connection.execute(sa.delete(tables.limits).where((expires < moment) | (expires > moment + _LONGEST)))
