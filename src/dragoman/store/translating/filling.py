"""Segments filled by the program: with what a memory, an engine, a file or a repeated segment has for them.

Nothing of a person's is ever taken away: filled is what is empty and, if asked for, what the program itself wrote and
nobody has changed since. A segment that somebody else has open is left alone. What is filled is a draft, names nobody
as who changed it, and says in `origin` where it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from dragoman.store.columns import check_value, now
from dragoman.store.events import Event, append_events
from dragoman.store.translating import tables as work
from dragoman.store.translating.projects import lock_project, stream_of

__all__ = ["Fill", "Filled", "fill_segments", "is_by_program", "like_segments", "open_segments"]

_S = work.segments.c
_EMPTY = _S.target.is_(None) & (_S.state == "new")
_BY_PROGRAM = _S.user_id.is_(None) & (_S.state == "draft") & _S.origin.is_not(None)


@dataclass(frozen=True)
class Fill:
    """What a segment shall have, unless somebody works on it."""

    segment: int
    target: str
    origin: Mapping[str, Any]  # kind, name, score, text


@dataclass(frozen=True)
class Filled:
    """A segment that was filled, as it stands now."""

    segment: int
    place: int
    words: int  # of its source
    revision: int
    target: str
    state: str
    origin: Mapping[str, Any]


def is_by_program(row: Any) -> bool:
    """Whether the program wrote what a segment has, and nobody has changed anything since."""
    return row.user_id is None and row.state == "draft" and row.origin is not None


def fill_segments(
    connection: sa.Connection, project: int, fills: Sequence[Fill], *, user_id: int | None, drafts: bool = False
) -> list[Filled]:
    """Fill segments that are empty, and with `drafts` those that the program filled before; which ones."""
    for fill in fills:
        check_value(_S.target.type, "target", fill.target)
    lock_project(connection, project)
    chosen = {fill.segment: fill for fill in fills}
    rows = connection.execute(
        sa.select(_S.id, _S.place, _S.words, _S.target, _S.revision)
        .where(_S.project_id == project, _S.id.in_(chosen), _free(user_id), _wanted(drafts))
        .order_by(_S.place)
    )
    filled = [
        Filled(
            row.id, row.place, row.words, row.revision + 1, chosen[row.id].target, "draft", dict(chosen[row.id].origin)
        )
        for row in rows.all()
        if row.target != chosen[row.id].target
    ]
    if filled:
        _write(connection, project, filled, user_id)
    return filled


def _write(connection: sa.Connection, project: int, filled: Sequence[Filled], user_id: int | None) -> None:
    values = ("target", "state", "origin", "revision")
    update = sa.update(work.segments).where(_S.id == sa.bindparam("segment"))
    written = {name: sa.bindparam(f"new_{name}", type_=_S[name].type) for name in values}
    rows = [{"segment": each.segment, **{f"new_{name}": getattr(each, name) for name in values}} for each in filled]
    connection.execute(update.values(**written), rows)
    events = [
        Event(
            f"filled.{each.segment}.{each.revision}",
            "pretranslated",
            {name: getattr(each, name) for name in values},
            str(each.segment),
        )
        for each in filled
    ]
    append_events(connection, stream_of(project), events, user_id=user_id)


def open_segments(
    connection: sa.Connection, project: int, *, after: int = 0, limit: int = 100, drafts: bool = False
) -> list[Any]:
    """Segments behind a place that can be filled, in order: rows of the table, with the name of the `file`."""
    query = (
        sa.select(work.segments, work.project_files.c.name.label("file"))
        .join(work.project_files, work.project_files.c.id == _S.project_file_id)
        .where(_S.project_id == project, _S.place > after, _wanted(drafts))
        .order_by(_S.place)
        .limit(limit)
    )
    return list(connection.execute(query).all())


def like_segments(connection: sa.Connection, project: int, source: str, *, drafts: bool = False) -> list[Any]:
    """Segments with a source that can be filled, in order: rows of the table."""
    query = sa.select(work.segments).where(_S.project_id == project, _S.source == source, _wanted(drafts))
    return list(connection.execute(query.order_by(_S.place)).all())


def _wanted(drafts: bool) -> sa.ColumnElement[bool]:
    return _EMPTY | _BY_PROGRAM if drafts else _EMPTY


def _free(user_id: int | None) -> sa.ColumnElement[bool]:
    """Nobody else has it open."""
    free = _S.locked_until.is_(None) | (_S.locked_until <= now())
    return free if user_id is None else free | (_S.locked_by == user_id)
