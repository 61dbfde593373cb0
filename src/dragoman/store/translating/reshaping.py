"""Segments split in two, or joined with the next one of their unit."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables
from dragoman.store.events import Event, append_events
from dragoman.store.refusals import Conflict, NotFound
from dragoman.store.translating import tables as work
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.projects import lock_project, stream_of
from dragoman.store.translating.segments import close_places, open_place

__all__ = ["is_known", "merge_segments", "neighbours", "split_segment"]

_S = work.segments.c


def split_segment(
    connection: sa.Connection, access: Access, segment: int, at: int, *, key: str, target_at: int | None = None
) -> int:
    """Cut a segment before a character of its source, and its target likewise; the number of the new second half."""
    row = _locked(connection, access, segment)
    known = _known(connection, access, key)
    if known is not None:
        return int(known["second"])
    first, second = row.source[:at].rstrip(), row.source[at:].lstrip()
    if not 0 < at < len(row.source) or not first or not second:
        raise DataError(f"Cut at a character from 1 to {len(row.source) - 1} with words on both sides, not at {at}.")
    target = row.target or ""
    cut = len(target) if target_at is None else target_at
    if not 0 <= cut <= len(target):
        raise DataError(f"The target has {len(target)} characters; cut it at 0 to {len(target)}, not at {cut}.")
    middle = row.begin + len(row.source) - len(second)
    open_place(connection, access.project.id, row.place)
    rest = {
        **{
            name: getattr(row, name)
            for name in ("project_id", "project_file_id", "unit", "codes", "note", "max_length")
        },
        "place": row.place + 1,
        "begin": middle,
        "end": row.end,
        "source": second,
        "words": _words(second),
        "alternatives": [],  # they are for the whole
        "target": target[cut:].lstrip() or None,
        "state": "draft" if target[cut:].strip() else "new",
        "revision": 1,
        "user_id": access.user.id,
    }
    inserted = connection.execute(sa.insert(work.segments).values(**rest)).inserted_primary_key
    number = int((inserted or (0,))[0])
    kept = {
        "source": first,
        "end": row.begin + len(first),
        "words": _words(first),
        "alternatives": [],
        "target": target[:cut].rstrip() or None,
        "state": "new" if row.state == "new" else "draft",
        "revision": row.revision + 1,
        "user_id": access.user.id,
    }
    connection.execute(sa.update(work.segments).where(_S.id == segment).values(**kept))
    data = {"at": at, "target_at": cut, "second": number, "source": row.source, "target": row.target}
    append_events(
        connection,
        stream_of(access.project.id),
        [Event(key, "split", data, str(segment))],
        user_id=access.user.id,
    )
    return number


def merge_segments(connection: sa.Connection, access: Access, segment: int, source: str, *, key: str) -> None:
    """Join a segment with the next one, whose number ends; `source` is the unit's text from the one to the other's end.

    Comments and issues of the second go to the first; its history stays in the log under its own number.
    """
    row = _locked(connection, access, segment)
    if _known(connection, access, key) is not None:
        return
    other = _next(connection, access, row)
    targets = [text for text in (row.target, other.target) if text]
    values: dict[str, Any] = {
        "source": source,
        "end": other.end,
        "words": _words(source),
        "alternatives": [],
        "target": " ".join(targets) or None,
        "state": "draft" if targets else "new",
        "revision": max(row.revision, other.revision) + 1,
        "user_id": access.user.id,
    }
    for table in (work.comments, work.issues):
        connection.execute(sa.update(table).where(table.c.segment_id == other.id).values(segment_id=segment))
    connection.execute(sa.delete(work.scores).where(work.scores.c.segment_id == other.id))  # of a part of the text
    connection.execute(sa.delete(work.segments).where(_S.id == other.id))
    connection.execute(sa.update(work.segments).where(_S.id == segment).values(**values))
    close_places(connection, access.project.id, other.place, other.place)
    data = {"second": other.id, "targets": [row.target, other.target], "sources": [row.source, other.source]}
    append_events(
        connection,
        stream_of(access.project.id),
        [Event(key, "merged", data, str(segment))],
        user_id=access.user.id,
    )


def neighbours(connection: sa.Connection, access: Access, segment: int) -> tuple[int, Any, Any]:
    """The number of the file, a segment of it, and the next one, which is of the same unit."""
    row = _locked(connection, access, segment)
    return row.project_file_id, row, _next(connection, access, row)


def is_known(connection: sa.Connection, access: Access, key: str) -> bool:
    """Whether a request with this key was done before."""
    return _known(connection, access, key) is not None


def _next(connection: sa.Connection, access: Access, row: Any) -> Any:
    behind = (_S.project_id == access.project.id) & (_S.place == row.place + 1)
    other = connection.execute(sa.select(work.segments).where(behind)).first()
    if other is None or (other.project_file_id, other.unit) != (row.project_file_id, row.unit):
        raise Conflict("The next segment belongs to another unit of the file; only parts of one unit can be joined.")
    access.check(other.place)
    return other


def _locked(connection: sa.Connection, access: Access, segment: int) -> Any:
    lock_project(connection, access.project.id)
    query = sa.select(work.segments).where(_S.id == segment, _S.project_id == access.project.id)
    row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"The project has no segment {segment}.")
    access.check(row.place)
    return row


def _known(connection: sa.Connection, access: Access, key: str) -> dict[str, Any] | None:
    """What an earlier request with this key did."""
    events, streams = tables.events.c, tables.streams.c
    query = (
        sa.select(events.data)
        .join(tables.streams, streams.id == events.stream_id)
        .where(streams.name == stream_of(access.project.id), events.key == key)
    )
    return connection.scalar(query)


def _words(text: str) -> int:
    return max(1, len(text.split()))
