"""What is reported of a project, from what the store has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.cat.log import EditLog, edit_log
from dragoman.cat.memory import MemoryIndex, MemoryUnit
from dragoman.store.translating import jobs, segments
from dragoman.store.translating.history import read_log

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["edit_log_of", "similarity"]

_ALL = 10**9


def edit_log_of(connection: Connection, project: int) -> EditLog:
    """The edit log of a project."""
    events = read_log(connection, project)
    _, rows = segments.list_segments(connection, project, limit=_ALL)
    work = [(row[0], row[1], row[2], row[3], row[4]) for row in jobs.list_jobs(connection, project).jobs]
    return edit_log(events, rows, jobs=work, similarity=similarity)


def similarity(one: str, other: str) -> float:
    """How much two texts are one, from 0 to 1, as memories count it."""
    matches = MemoryIndex([MemoryUnit(1, one, one)]).matches(other, most=1, threshold=0)
    return min(1.0, matches[0].score / 100) if matches else 0.0
