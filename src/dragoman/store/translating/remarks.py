"""What people say about segments: comments, and errors that reviewers mark, as MQM has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables
from dragoman.store.columns import check_value, now
from dragoman.store.events import Event, append_events
from dragoman.store.refusals import NotAllowed, NotFound
from dragoman.store.translating import tables as work
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.projects import lock_project, stream_of
from dragoman.store.translating.segments import find_segment

__all__ = ["add_comment", "add_issue", "list_comments", "list_issues", "resolve_comment", "withdraw_issue"]

_C = work.comments.c
_I = work.issues.c


def add_comment(connection: sa.Connection, access: Access, segment: int, text: str, *, key: str) -> int:
    """Say something about a segment; the comment's number. Whoever works in the project may."""
    access.check_works()
    if not text.strip():
        raise DataError("The comment is empty; say something.")
    check_value(_C.text.type, "text", text)
    find_segment(connection, access.project.id, segment)
    return _insert(connection, work.comments, access, Event(key, "comment", {"text": text}, str(segment)), text=text)


def resolve_comment(connection: sa.Connection, access: Access, comment: int, *, resolved: bool = True) -> None:
    """Mark a comment as dealt with, or as open again."""
    access.check_works()
    own = (_C.id == comment) & (_C.project_id == access.project.id)
    update = sa.update(work.comments).where(own).values(resolved=now() if resolved else None)
    if not connection.execute(update).rowcount:
        raise NotFound(f"The project has no comment {comment}.")


def list_comments(connection: sa.Connection, project: int, segment: int | None = None) -> list[dict[str, Any]]:
    """The comments of a project or of one segment, in the order in which they were made."""
    return [
        {
            "id": row.id,
            "segment": row.segment_id,
            "user": row.user,
            "text": row.text,
            "made": row.made.isoformat(),
            "resolved": row.resolved is not None,
        }
        for row in _listed(connection, work.comments, project, segment)
    ]


def add_issue(
    connection: sa.Connection, access: Access, segment: int, span: Mapping[str, Any], *, key: str, note: str = ""
) -> int:
    """Mark an error in a segment as it stands; the issue's number. The span was checked by whoever calls."""
    check_value(_I.note.type, "note", note)
    found = find_segment(connection, access.project.id, segment)
    if not access.may(found["place"], review=True):
        raise NotAllowed("Only reviewers of the segment and managers mark errors.")
    event = Event(key, "issue", {"span": dict(span), "note": note}, str(segment))
    values = {"revision": found["revision"], "target": found["target"] or "", "span": dict(span), "note": note}
    return _insert(connection, work.issues, access, event, **values)


def withdraw_issue(connection: sa.Connection, access: Access, issue: int) -> None:
    """Take back an error that one has marked; managers, anybody's."""
    own = (_I.id == issue) & (_I.project_id == access.project.id) & _I.withdrawn.is_(None)
    if not access.manages:
        own &= _I.user_id == access.user.id
    if not connection.execute(sa.update(work.issues).where(own).values(withdrawn=now())).rowcount:
        raise NotFound(f"The project has no issue {issue} of yours.")


def list_issues(connection: sa.Connection, project: int, segment: int | None = None) -> list[dict[str, Any]]:
    """The errors marked in a project or a segment that were not withdrawn, with the text that they were marked in."""
    return [
        {
            "id": row.id,
            "segment": row.segment_id,
            "user": row.user,
            "revision": row.revision,
            "target": row.target,
            **row.span,
            "note": row.note,
            "made": row.made.isoformat(),
        }
        for row in _listed(connection, work.issues, project, segment)
        if row.withdrawn is None
    ]


def _listed(connection: sa.Connection, table: sa.Table, project: int, segment: int | None) -> sa.CursorResult[Any]:
    query = (
        sa.select(table, tables.users.c.name.label("user"))
        .join(tables.users, tables.users.c.id == table.c.user_id)
        .where(table.c.project_id == project)
        .order_by(table.c.id)
    )
    return connection.execute(query if segment is None else query.where(table.c.segment_id == segment))


def _insert(connection: sa.Connection, table: sa.Table, access: Access, event: Event, **values: Any) -> int:
    """Append the event and its row; the row's number. What was sent before has one."""
    lock_project(connection, access.project.id)
    own = (table.c.project_id == access.project.id) & (table.c.key == event.key)
    number = connection.scalar(sa.select(table.c.id).where(own))
    append_events(connection, stream_of(access.project.id), [event], user_id=access.user.id)
    if number is None:
        row = {"project_id": access.project.id, "segment_id": int(event.subject), "user_id": access.user.id}
        key = connection.execute(sa.insert(table).values(**row, key=event.key, made=now(), **values))
        number = (key.inserted_primary_key or (0,))[0]
    return int(number)
