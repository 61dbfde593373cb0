"""Saving: nobody's text is lost. A segment counts its changes; whoever changes it says which count they saw.

A change that was made of an older text is refused with the newer one, and is itself kept in the history; but what the
program filled in meanwhile gives way to what a person writes. A client makes the key of a change: what it sends again,
not knowing whether it arrived, is saved once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables, throttle
from dragoman.store.columns import check_value
from dragoman.store.events import Event, append_events
from dragoman.store.refusals import Conflict, NotFound, Refusal
from dragoman.store.translating import tables as work
from dragoman.store.translating.filling import is_by_program
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.projects import lock_project, stream_of
from dragoman.store.translating.segments import STATES

__all__ = ["CONFIRMED", "Change", "Outcome", "Unfit", "save_changes"]

CONFIRMED = ("translated", "approved")
Unfit = Callable[[Any, str], str]  # why a target cannot be confirmed in a row of the table; empty if it can

_S = work.segments.c
_E = tables.events.c
_SEGMENT = (
    sa.select(work.segments, tables.users.c.name.label("changed_by"))
    .outerjoin(tables.users, tables.users.c.id == _S.user_id)
    .where(_S.id == sa.bindparam("segment"), _S.project_id == sa.bindparam("project"))
)
_KNOWN = (
    sa.select(tables.events)
    .join(tables.streams, tables.streams.c.id == _E.stream_id)
    .where(tables.streams.c.name == sa.bindparam("stream"), _E.key == sa.bindparam("key"))
)
_WRITE = (
    sa.update(work.segments)
    .where(_S.id == sa.bindparam("segment"))
    .values(
        target=sa.bindparam("new_target"),
        state=sa.bindparam("new_state"),
        origin=sa.bindparam("new_origin", type_=_S.origin.type),
        revision=sa.bindparam("new_revision"),
        user_id=sa.bindparam("user"),
    )
)


@dataclass(frozen=True)
class Change:
    """What somebody wants a segment to be, having seen its `revision`."""

    key: str
    segment: int
    revision: int
    target: str
    state: str = "draft"
    origin: Mapping[str, Any] | None = None  # the suggestion that it was made from
    kind: str = "saved"  # or what else led to it: restored, replaced, pretranslated
    at: datetime | None = None  # by the client's clock


@dataclass(frozen=True)
class Outcome:
    """What became of a change, and how the segment stands now."""

    key: str
    segment: int
    saved: bool
    place: int | None
    revision: int | None
    target: str | None
    state: str | None
    changed_by: str | None = None
    message: str = ""
    fresh: bool = False  # saved now, not when it was sent before


def save_changes(
    connection: sa.Connection,
    access: Access,
    changes: Sequence[Change],
    *,
    unfit: Unfit | None = None,
    per_minute: int | None = None,
) -> list[Outcome]:
    """Save changes in their order, each for itself: what is wrong with one does not hold up the others.

    A text that is `unfit` may be a draft; where it is to be confirmed it is refused, and kept in the history.
    """
    if per_minute is not None:
        key = f"changes {access.user.id}"
        throttle.count(connection, key, limit=per_minute, seconds=60, message="Too many requests; wait a minute.")
    lock_project(connection, access.project.id)
    return [_outcome(connection, access, change, unfit) for change in changes]


def _outcome(connection: sa.Connection, access: Access, change: Change, unfit: Unfit | None) -> Outcome:
    try:
        return _save(connection, access, change, unfit)
    except (DataError, Refusal) as error:
        return Outcome(change.key, change.segment, False, None, None, None, None, message=str(error))


def _save(connection: sa.Connection, access: Access, change: Change, unfit: Unfit | None) -> Outcome:
    _check(change)
    stream = stream_of(access.project.id)
    row = connection.execute(_SEGMENT, {"segment": change.segment, "project": access.project.id}).first()
    if row is None:
        raise NotFound(f"The project has no segment {change.segment}; perhaps it was joined with the one before it.")
    known = connection.execute(_KNOWN, {"stream": stream, "key": change.key}).first()
    if known is not None:
        return _again(known, row, change)
    access.check(row.place, change.state)
    reason = unfit(row, change.target) if unfit is not None and change.state in CONFIRMED else ""
    if reason:
        data = {"target": change.target, "state": change.state, "seen": change.revision, "revision": row.revision}
        _append(connection, access, change, "refused", {**data, "unfit": reason})
        return _unconfirmed(row, change, reason)
    is_same = row.target == change.target and row.state == change.state
    is_unseen = row.revision != change.revision
    if is_unseen and not is_same and not is_by_program(row):
        data = {"target": change.target, "state": change.state, "seen": change.revision, "revision": row.revision}
        _append(connection, access, change, "refused", data)
        return _refused(row, change)
    revision = row.revision if is_same and is_unseen else row.revision + 1
    data = {
        "target": change.target,
        "state": change.state,
        "origin": None if change.origin is None else dict(change.origin),
        "revision": revision,
    }
    _append(connection, access, change, change.kind, data)
    values = {"segment": row.id, "new_target": change.target, "new_state": change.state, "new_revision": revision}
    kept = None if is_unseen and not is_same else row.origin
    origin = kept if change.origin is None else dict(change.origin)
    connection.execute(_WRITE, {**values, "new_origin": origin, "user": access.user.id})
    who = access.user.name
    return Outcome(change.key, row.id, True, row.place, revision, change.target, change.state, who, fresh=True)


def _check(change: Change) -> None:
    check_value(tables.events.c.key.type, "key", change.key)
    check_value(_S.target.type, "target", change.target)
    if change.state not in STATES or change.state == "new":
        raise DataError(f"The state is {change.state!r}; expected {', '.join(STATES[1:])}.")


def _append(connection: sa.Connection, access: Access, change: Change, kind: str, data: Mapping[str, Any]) -> None:
    event = Event(change.key, kind, data, str(change.segment), change.at)
    append_events(connection, stream_of(access.project.id), [event], user_id=access.user.id, are_new=True)


def _again(known: Any, row: Any, change: Change) -> Outcome:
    """The answer to a change that came before: what it was then."""
    is_same = (
        known.subject == str(change.segment)
        and known.kind in ("refused", change.kind)
        and (known.data.get("target"), known.data.get("state")) == (change.target, change.state)
    )
    if not is_same:
        raise Conflict(f"The key {change.key!r} is that of another change; make one for each.")
    if known.kind == "refused":
        reason = known.data.get("unfit")
        return _unconfirmed(row, change, reason) if reason else _refused(row, change)
    return Outcome(change.key, row.id, True, row.place, known.data["revision"], change.target, change.state)


def _refused(row: Any, change: Change) -> Outcome:
    message = f"{row.changed_by or 'Somebody'} has changed this segment meanwhile; your text is kept in its history."
    return Outcome(
        change.key, row.id, False, row.place, row.revision, row.target, row.state, row.changed_by, message=message
    )


def _unconfirmed(row: Any, change: Change, reason: str) -> Outcome:
    """Of a text that cannot be written into its file: the segment is as it was."""
    message = f"Segment {row.place} cannot be confirmed: {reason}. Correct it, or save it as a draft."
    return Outcome(change.key, row.id, False, None, None, None, None, message=message)
