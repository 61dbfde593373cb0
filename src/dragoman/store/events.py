"""An append-only log of events by stream: of a project, a campaign, whatever has a history to be kept and replayed.

Everybody who appends to a stream takes turns at its row, so that numbers have no gaps and come in the order of commits:
whoever has read up to a number misses nothing by asking for what came after it. A client makes the key of an event:
what it sends again, not knowing whether it arrived, is saved once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from dragoman.errors import DataError
from dragoman.store import tables
from dragoman.store.columns import check_row, now
from dragoman.store.refusals import Conflict

__all__ = ["Entry", "Event", "append_events", "read_events"]

_E = tables.events.c
_S = tables.streams.c
_KEYS = 500  # asked for in one query
_STREAM = sa.select(_S.id, _S.length).where(_S.name == sa.bindparam("stream")).with_for_update()


@dataclass(frozen=True)
class Event:
    """Something that happened: what kind of thing, about what, and the details, which are JSON."""

    key: str
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    subject: str = ""
    at: datetime | None = None  # by the client's clock


@dataclass(frozen=True)
class Entry:
    """An event in the log."""

    number: int  # from 1, in its stream
    event: Event
    user_id: int | None
    received: datetime


def append_events(
    connection: sa.Connection,
    stream: str,
    events: Sequence[Event],
    *,
    user_id: int | None = None,
    are_new: bool = False,
) -> list[int]:
    """Append events in their order; the number of each. One that is there already keeps its number.

    It is done when the transaction is: all of them are saved, or none. Whoever has looked for the keys in this
    transaction says that they `are_new`, and saves a question.
    """
    contents = [_content(event) for event in events]
    stream_id, length = _lock(connection, stream)
    saved = [] if are_new else _saved(connection, stream_id, events)
    log = {event.key: (number, _content(event)) for number, event in saved}
    fresh: list[dict[str, Any]] = []
    received = now()
    for event, content in zip(events, contents, strict=True):
        if event.key not in log:
            log[event.key] = (length + len(fresh) + 1, content)
            fresh.append(
                {
                    "stream_id": stream_id,
                    "number": log[event.key][0],
                    "key": event.key,
                    "kind": event.kind,
                    "subject": event.subject,
                    "user_id": user_id,
                    "at": event.at,
                    "received": received,
                    "data": dict(event.data),
                }
            )
        elif log[event.key][1] != content:
            raise Conflict(f"The key {event.key!r} is that of another event in {stream!r}; make one for each event.")
    if fresh:
        connection.execute(sa.insert(tables.events), fresh)
        connection.execute(sa.update(tables.streams).where(_S.id == stream_id).values(length=length + len(fresh)))
    return [log[event.key][0] for event in events]


def read_events(
    connection: sa.Connection, stream: str, *, subject: str | None = None, after: int = 0, limit: int | None = None
) -> list[Entry]:
    """The events of a stream in order: perhaps of one subject, those after a number, so many at most."""
    query = (
        sa.select(tables.events)
        .join(tables.streams, _S.id == _E.stream_id)
        .where(_S.name == stream, _E.number > after)
        .order_by(_E.number)
        .limit(limit)
    )
    if subject is not None:
        query = query.where(_E.subject == subject)
    return [Entry(row.number, _event(row), row.user_id, row.received) for row in connection.execute(query)]


def _content(event: Event) -> str:
    """What an event says, as text that can be compared; refused if the database has no place for it."""
    check_row(tables.events, {"key": event.key, "kind": event.kind, "subject": event.subject})
    try:
        return json.dumps([event.kind, event.subject, event.data], sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise DataError(f"The event {event.key!r} holds what JSON cannot say: {error}.") from None


def _lock(connection: sa.Connection, stream: str) -> tuple[int, int]:
    """The stream's row, held to the end of the transaction: its number and length. A new stream is made."""
    row = connection.execute(_STREAM, {"stream": stream}).first()
    if row is None:
        check_row(tables.streams, {"name": stream})
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        connection.execute(insert(tables.streams).values(name=stream, length=0).on_conflict_do_nothing())
        row = connection.execute(_STREAM, {"stream": stream}).one()
    return row.id, row.length


def _saved(connection: sa.Connection, stream_id: int, events: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    """Which of the events are in the log, with their numbers."""
    keys = [event.key for event in events]
    for start in range(0, len(keys), _KEYS):
        some = _E.key.in_(keys[start : start + _KEYS])
        for row in connection.execute(sa.select(tables.events).where(_E.stream_id == stream_id, some)):
            yield row.number, _event(row)


def _event(row: Any) -> Event:
    return Event(row.key, row.kind, row.data, row.subject, row.at)
