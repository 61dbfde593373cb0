"""What is reported of a project, from what the store has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.cat.log import EditLog, edit_log
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
    """How much two texts are one: word edits by the longer of the two, from 0 to 1, as memories count it."""
    import numpy as np

    from dragoman._core import edit

    sides = [text.casefold().split() for text in (one, other)]
    if not any(sides):
        return 1.0
    ids: dict[str, int] = {}
    arrays = [np.array([ids.setdefault(word, len(ids)) for word in side], np.int32) for side in sides]
    offsets = [np.array([0, len(side)], np.int64) for side in sides]
    distance = int(edit.levenshtein(arrays[0], offsets[0], arrays[1], offsets[1])[0])
    return max(0.0, 1 - distance / max(map(len, sides)))
