"""What people did in a project: the log of events, with their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables, throttle
from dragoman.store.events import Event, append_events, read_events
from dragoman.store.refusals import NotAllowed
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.projects import lock_project, stream_of
from dragoman.store.translating.segments import find_segment

__all__ = ["OUR_KINDS", "Logged", "append_log", "changes_after", "ignore_finding", "ignored_findings", "read_log"]

# What the server itself writes; no client can say that something was saved.
OUR_KINDS = frozenset(
    {"saved", "refused", "restored", "replaced", "pretranslated", "split", "merged"}
    | {"comment", "issue", "scored", "ignored"}
)


@dataclass(frozen=True)
class Logged:
    """An event of a project's log."""

    number: int
    kind: str
    segment: int | None
    user: str | None
    at: datetime | None  # by the client's clock, of what it told
    received: datetime
    data: Mapping[str, Any]


def read_log(
    connection: sa.Connection, project: int, *, segment: int | None = None, after: int = 0, limit: int | None = None
) -> list[Logged]:
    """The events of a project in order, perhaps those of one segment."""
    subject = None if segment is None else str(segment)
    entries = read_events(connection, stream_of(project), subject=subject, after=after, limit=limit)
    numbers = {entry.user_id for entry in entries if entry.user_id is not None}
    users = tables.users.c
    query = sa.select(users.id, users.name).where(users.id.in_(numbers))
    names = {row.id: row.name for row in connection.execute(query)}
    return [
        Logged(
            entry.number,
            entry.event.kind,
            int(entry.event.subject) if entry.event.subject.isdecimal() else None,
            None if entry.user_id is None else names.get(entry.user_id),
            entry.event.at,
            entry.received,
            entry.event.data,
        )
        for entry in entries
    ]


def append_log(
    connection: sa.Connection, access: Access, events: Sequence[Event], *, per_minute: int | None = None
) -> int:
    """Keep events of somebody who consented, each once; how many there were. Others' are refused."""
    if not access.logs:
        raise NotAllowed("You have not agreed that events of yours are kept in this project, so they are not.")
    wrong = sorted({event.kind for event in events if event.kind in OUR_KINDS})
    if wrong:
        raise DataError(f"Events of the kind {', '.join(wrong)} are written by the server alone.")
    if per_minute is not None:
        key = f"events {access.user.id}"
        throttle.count(connection, key, limit=per_minute, seconds=60, message="Too many requests; wait a minute.")
    return len(append_events(connection, stream_of(access.project.id), events, user_id=access.user.id))


def ignore_finding(
    connection: sa.Connection, access: Access, segment: int, check: str, message: str, *, reason: str, key: str
) -> None:
    """Say why something that a check found in a segment is right; it needs a reason."""
    if not reason.strip():
        raise DataError("Say why this is to be ignored.")
    access.check(find_segment(connection, access.project.id, segment)["place"])
    lock_project(connection, access.project.id)
    event = Event(key, "ignored", {"check": check, "message": message, "reason": reason}, str(segment))
    append_events(connection, stream_of(access.project.id), [event], user_id=access.user.id)


def ignored_findings(connection: sa.Connection, project: int) -> dict[tuple[int, str, str], str]:
    """The reasons for which findings are ignored: by segment, check and what it said."""
    events, streams = tables.events.c, tables.streams.c
    query = (
        sa.select(events.subject, events.data)
        .join(tables.streams, streams.id == events.stream_id)
        .where(streams.name == stream_of(project), events.kind == "ignored")
        .order_by(events.number)
    )
    rows = connection.execute(query)
    return {(int(row.subject), row.data["check"], row.data["message"]): row.data["reason"] for row in rows}


def changes_after(connection: sa.Connection, project: int, after: int) -> tuple[int, list[dict[str, Any]]]:
    """How long the log is, and what the server itself wrote behind a number: what others want to hear of."""
    events, streams = tables.events.c, tables.streams.c
    length = int(connection.scalar(sa.select(streams.length).where(streams.name == stream_of(project))) or 0)
    if length <= after:
        return length, []
    query = (
        sa.select(events.number, events.kind, events.subject, events.data, tables.users.c.name)
        .join(tables.streams, streams.id == events.stream_id)
        .outerjoin(tables.users, tables.users.c.id == events.user_id)
        .where(streams.name == stream_of(project), events.number > after, events.kind.in_(OUR_KINDS - {"refused"}))
        .order_by(events.number)
    )
    rows = connection.execute(query)
    return length, [
        {"number": row.number, "kind": row.kind, "segment": int(row.subject or 0), "user": row.name, **_shown(row.data)}
        for row in rows
    ]


def _shown(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("target", "state", "revision", "second") if name in data}
