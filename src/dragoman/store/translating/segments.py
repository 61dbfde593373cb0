"""Segments: what is to be translated, in its order; which are open, and by whom."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import check_row, now
from dragoman.store.people.accounts import User
from dragoman.store.refusals import Conflict, NotFound
from dragoman.store.translating import tables as work
from dragoman.store.translating.projects import lock_project

__all__ = [
    "LOCK_SECONDS",
    "STATES",
    "FileList",
    "Progress",
    "add_file",
    "check_segment",
    "close_places",
    "confirmed_segments",
    "file_content",
    "file_kind",
    "find_segment",
    "free_lock",
    "held_segments",
    "list_files",
    "list_segments",
    "neighbours_of",
    "open_place",
    "progress_of",
    "remove_file",
    "segment_row",
    "segments_of_file",
    "sources_around",
    "take_lock",
]

STATES = ("new", "draft", "translated", "approved", "rejected")
LOCK_SECONDS = 60  # that a segment stays somebody's without a sign of life
_F = work.project_files.c
_S = work.segments.c
_HOLDER = tables.users.alias("holder")
_CHANGER = tables.users.alias("changer")
_ROWS = (
    sa.select(work.segments, _F.name.label("file"), _HOLDER.c.name.label("holder"), _CHANGER.c.name.label("changed_by"))
    .join(work.project_files, _F.id == _S.project_file_id)
    .outerjoin(_HOLDER, _HOLDER.c.id == _S.locked_by)
    .outerjoin(_CHANGER, _CHANGER.c.id == _S.user_id)
    .where(_S.project_id == sa.bindparam("project"))
)
_ONE = _ROWS.where(_S.id == sa.bindparam("segment"))


@dataclass(frozen=True)
class FileList(Result):
    """The files of a project, and how far each is."""

    kind: ClassVar[str] = "files"

    files: tuple[tuple[int, str, str, int, int, int, int, str], ...]

    def tables(self) -> list[Table]:
        """One row per file."""
        names = ("id", "name", "format", "bytes", "segments", "words", "done", "digest")
        return [Table.of("Files", [Column(name) for name in names], self.files)]


@dataclass(frozen=True)
class Progress(Result):
    """Segments and words of each state."""

    kind: ClassVar[str] = "progress"

    states: tuple[tuple[str, int, int], ...]

    def tables(self) -> list[Table]:
        """One row per state."""
        columns = [Column("state"), Column("segments"), Column("words")]
        return [Table.of("Progress", columns, self.states)]


def check_segment(segment: Mapping[str, Any]) -> None:
    """Refuse a segment that the database has no place for."""
    check_row(work.segments, segment)


def add_file(
    connection: sa.Connection,
    project: int,
    name: str,
    format_name: str,
    content: bytes,
    segments: Iterable[Mapping[str, Any]],
    *,
    actor: Actor,
) -> int:
    """Keep a file as it is, its segments behind those that are there; the file's number.

    `check_segment` has seen each of them before: in this transaction others wait.
    """
    found = lock_project(connection, project)
    place = int(connection.scalar(sa.select(sa.func.max(_F.place)).where(_F.project_id == project)) or 0) + 1
    values = {"project_id": project, "place": place, "name": name, "format": format_name}
    check_row(work.project_files, values)
    values |= {"digest": hashlib.sha256(content).hexdigest(), "content": content}
    try:
        with connection.begin_nested():
            key = connection.execute(sa.insert(work.project_files).values(**values)).inserted_primary_key
    except sa.exc.IntegrityError:
        raise Conflict(f"The project has a file called {name!r} already; rename it or remove the other.") from None
    file = int((key or (0,))[0])
    last = int(connection.scalar(sa.select(sa.func.max(_S.place)).where(_S.project_id == project)) or 0)
    rows = [
        {"project_id": project, "project_file_id": file, "place": last + number, "revision": 0, **segment}
        for number, segment in enumerate(segments, start=1)
    ]
    if rows:
        connection.execute(sa.insert(work.segments), rows)
    audit.record(connection, actor, "file added", f"project {found.name}", file=name, segments=len(rows))
    return file


def remove_file(connection: sa.Connection, project: int, file: int, *, actor: Actor) -> None:
    """Remove a file that nobody has translated anything of."""
    found = lock_project(connection, project)
    own = _S.project_file_id == file
    name = connection.scalar(sa.select(_F.name).where(_F.id == file, _F.project_id == project))
    if name is None:
        raise NotFound(f"The project has no file {file}.")
    if connection.scalar(sa.select(_S.id).where(own, _S.revision > 0).limit(1)) is not None:
        raise Conflict(f"Segments of {name} were translated; delete the project if they are not wanted.")
    first, last = connection.execute(sa.select(sa.func.min(_S.place), sa.func.max(_S.place)).where(own)).one()
    for table in (work.comments, work.issues, work.scores):
        connection.execute(sa.delete(table).where(table.c.segment_id.in_(sa.select(_S.id).where(own))))
    connection.execute(sa.delete(work.segments).where(own))
    connection.execute(sa.delete(work.project_files).where(_F.id == file))
    if first is not None:
        close_places(connection, project, first, last)
    audit.record(connection, actor, "file removed", f"project {found.name}", file=name)


def open_place(connection: sa.Connection, project: int, after: int) -> None:
    """Make room for a segment behind a place; it belongs to the jobs of that place."""
    jobs = work.jobs.c
    behind = (_S.project_id == project) & (_S.place > after)
    connection.execute(sa.update(work.segments).where(behind).values(place=_S.place + 1))
    first = sa.case((jobs.first > after, jobs.first + 1), else_=jobs.first)
    last = sa.case((jobs.last >= after, jobs.last + 1), else_=jobs.last)
    connection.execute(sa.update(work.jobs).where(jobs.project_id == project).values(first=first, last=last))


def close_places(connection: sa.Connection, project: int, begin: int, end: int) -> None:
    """Let what is behind segments that are gone, from one place to another, move up; jobs of nothing go."""
    jobs, n = work.jobs.c, end - begin + 1
    behind = (_S.project_id == project) & (_S.place > end)
    connection.execute(sa.update(work.segments).where(behind).values(place=_S.place - n))
    first = sa.case((jobs.first > end, jobs.first - n), (jobs.first >= begin, begin), else_=jobs.first)
    last = sa.case((jobs.last > end, jobs.last - n), (jobs.last >= begin, begin - 1), else_=jobs.last)
    connection.execute(sa.update(work.jobs).where(jobs.project_id == project).values(first=first, last=last))
    connection.execute(sa.delete(work.jobs).where(jobs.project_id == project, jobs.last < jobs.first))


def list_files(connection: sa.Connection, project: int) -> FileList:
    """The files in their order."""
    done = sa.func.coalesce(sa.func.sum(sa.case((_S.state.in_(("translated", "approved")), 1), else_=0)), 0)
    query = (
        sa.select(
            _F.id,
            _F.name,
            _F.format,
            sa.func.length(_F.content),
            sa.func.count(_S.id),
            sa.func.coalesce(sa.func.sum(_S.words), 0),
            done,
            _F.digest,
        )
        .outerjoin(work.segments, _S.project_file_id == _F.id)
        .where(_F.project_id == project)
        .group_by(_F.id)
        .order_by(_F.place)
    )
    rows = connection.execute(query).all()
    return FileList(tuple((*row[:3], int(row[3]), int(row[4]), int(row[5]), int(row[6]), row[7]) for row in rows))


def file_content(connection: sa.Connection, project: int, file: int) -> tuple[str, str, bytes]:
    """A file as it was uploaded: name, format, bytes."""
    row = connection.execute(sa.select(work.project_files).where(_F.id == file, _F.project_id == project)).first()
    if row is None:
        raise NotFound(f"The project has no file {file}.")
    return row.name, row.format, row.content


def file_kind(connection: sa.Connection, file: int) -> tuple[str, str]:
    """The format of a file, and the digest of its content."""
    row = connection.execute(sa.select(_F.format, _F.digest).where(_F.id == file)).one()
    return row.format, row.digest


def segments_of_file(connection: sa.Connection, file: int) -> Sequence[Any]:
    """The segments of a file in order: unit, begin, end, source, target, state."""
    columns = _S.unit, _S.begin, _S.end, _S.source, _S.target, _S.state
    return connection.execute(sa.select(*columns).where(_S.project_file_id == file).order_by(_S.place)).all()


def find_segment(connection: sa.Connection, project: int, segment: int) -> dict[str, Any]:
    """A segment with all that is known of it."""
    row = connection.execute(_ONE, {"project": project, "segment": segment}).first()
    if row is None:
        raise NotFound(f"The project has no segment {segment}.")
    return segment_row(row)


def confirmed_segments(connection: sa.Connection, project: int) -> list[dict[str, Any]]:
    """What people have confirmed in a project, in the order of its texts; what files brought is not among it."""
    chosen = _ROWS.where(_S.state.in_(("translated", "approved")), _S.user_id.is_not(None)).order_by(_S.place)
    return [segment_row(row) for row in connection.execute(chosen, {"project": project})]


def neighbours_of(connection: sa.Connection, project: int, place: int) -> tuple[str, str]:
    """The sources before and behind a place of the same file; empty at its ends."""
    before, _, behind = sources_around(connection, project, place)
    return before, behind


def sources_around(connection: sa.Connection, project: int, place: int) -> tuple[str, str, str]:
    """The sources before, at and behind a place; empty where the file has none."""
    near = _S.place.in_((place - 1, place, place + 1))
    query = sa.select(_S.place, _S.project_file_id, _S.source).where(_S.project_id == project, near)
    rows = {row.place: row for row in connection.execute(query)}
    found = [rows.get(place - 1), rows.get(place + 1)]
    files = [row is not None and row.project_file_id == rows[place].project_file_id for row in found]
    before, behind = (row.source if row and same else "" for row, same in zip(found, files, strict=True))
    return before, rows[place].source, behind


def segment_row(row: Any) -> dict[str, Any]:
    """A segment as programs see it."""
    is_held = row.locked_until is not None and row.locked_until > now()
    return {
        "id": row.id,
        "place": row.place,
        "file": row.file,
        "unit": row.unit,
        "source": row.source,
        "codes": row.codes,
        "words": row.words,
        "note": row.note,
        "max_length": row.max_length,
        "alternatives": row.alternatives,
        "target": row.target,
        "state": row.state,
        "origin": row.origin,
        "revision": row.revision,
        "changed_by": row.changed_by,
        "locked_by": row.holder if is_held else None,
    }


def list_segments(
    connection: sa.Connection,
    project: int,
    *,
    offset: int = 0,
    limit: int = 100,
    state: str | None = None,
    file: int | None = None,
    source: str = "",
    target: str = "",
    first: int | None = None,
    last: int | None = None,
) -> tuple[int, list[dict[str, Any]]]:
    """How many segments there are of a kind, and some of them in order. Text is looked for without regard to case."""
    if state is not None and state not in STATES:
        raise DataError(f"There is no state {state!r}. Known: {', '.join(STATES)}.")
    wanted = [
        None if state is None else _S.state == state,
        None if file is None else _S.project_file_id == file,
        _S.source.icontains(source, autoescape=True) if source else None,
        _S.target.icontains(target, autoescape=True) if target else None,
        None if first is None else _S.place >= first,
        None if last is None else _S.place <= last,
    ]
    conditions = [each for each in wanted if each is not None]
    count = sa.select(sa.func.count(_S.id)).where(_S.project_id == project, *conditions)
    rows = _ROWS.where(*conditions).order_by(_S.place).offset(offset).limit(limit)
    found = [segment_row(row) for row in connection.execute(rows, {"project": project})]
    return int(connection.scalar(count) or 0), found


def progress_of(connection: sa.Connection, project: int) -> Progress:
    """How many segments and words are in each state."""
    rows = connection.execute(
        sa.select(_S.state, sa.func.count(), sa.func.sum(_S.words)).where(_S.project_id == project).group_by(_S.state)
    )
    counts = {state: (int(n), int(words)) for state, n, words in rows}
    return Progress(tuple((state, *counts.get(state, (0, 0))) for state in STATES))


def take_lock(connection: sa.Connection, project: int, segment: int, user: User) -> tuple[bool, str]:
    """Open a segment for oneself for a while, or keep it open: whether one has it now, and whose it is.

    A lock is a courtesy: what is saved is guarded by revisions, whoever holds the lock.
    """
    moment = now()
    free = _S.locked_until.is_(None) | (_S.locked_until <= moment) | (_S.locked_by == user.id)
    own = (_S.id == segment) & (_S.project_id == project)
    until = moment + timedelta(seconds=LOCK_SECONDS)
    values = {"locked_by": user.id, "locked_until": until}
    taken = connection.execute(sa.update(work.segments).where(own, free).values(**values)).rowcount
    holder = find_segment(connection, project, segment)["locked_by"]
    return bool(taken), str(holder)


def free_lock(connection: sa.Connection, project: int, segment: int, user: User) -> None:
    """Close a segment that one had open."""
    own = (_S.id == segment) & (_S.project_id == project) & (_S.locked_by == user.id)
    connection.execute(sa.update(work.segments).where(own).values(locked_by=None, locked_until=None))


def held_segments(connection: sa.Connection, project: int) -> list[tuple[int, str]]:
    """The segments that people have open, and who."""
    query = (
        sa.select(_S.id, _HOLDER.c.name)
        .join(_HOLDER, _HOLDER.c.id == _S.locked_by)
        .where(_S.project_id == project, _S.locked_until > now())
        .order_by(_S.place)
    )
    return [(row.id, row.name) for row in connection.execute(query)]
