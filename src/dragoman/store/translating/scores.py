"""Scores of segments, as ESA asks for them when errors are marked: one of each reviewer, from 0 to 100."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables
from dragoman.store.columns import now
from dragoman.store.events import Event, append_events
from dragoman.store.refusals import NotAllowed
from dragoman.store.translating import tables as work
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.projects import lock_project, stream_of
from dragoman.store.translating.reshaping import is_known
from dragoman.store.translating.segments import find_segment

__all__ = ["list_scores", "set_score"]

_C = work.scores.c


def set_score(connection: sa.Connection, access: Access, segment: int, score: float | None, *, key: str) -> None:
    """Say how good a segment is as it stands, in the place of what one said before; None takes it back."""
    if score is not None and not 0 <= score <= 100:
        raise DataError(f"The score is {score:g}; it has 0 to 100 points.")
    lock_project(connection, access.project.id)
    found = find_segment(connection, access.project.id, segment)
    if not access.may(found["place"], review=True):
        raise NotAllowed("Only reviewers of the segment and managers score it.")
    if score is not None and not (found["target"] or "").strip():
        raise DataError("The segment has no translation, so there is nothing to score.")
    event = Event(key, "scored", {"score": score}, str(segment))
    was_known = is_known(connection, access, key)
    append_events(connection, stream_of(access.project.id), [event], user_id=access.user.id)
    if was_known:  # sent again; what was said since then holds
        return
    connection.execute(sa.delete(work.scores).where(_C.segment_id == segment, _C.user_id == access.user.id))
    if score is not None:
        row = {"project_id": access.project.id, "segment_id": segment, "user_id": access.user.id, "made": now()}
        connection.execute(sa.insert(work.scores).values(**row, score=score, target=found["target"]))


def list_scores(connection: sa.Connection, project: int, segment: int | None = None) -> list[dict[str, Any]]:
    """The scores of a project or of one segment in its order, and whether each is of the text as it is now."""
    segments = work.segments.c
    query = (
        sa.select(work.scores, tables.users.c.name.label("user"), segments.place, segments.target.label("now"))
        .join(tables.users, tables.users.c.id == _C.user_id)
        .join(work.segments, segments.id == _C.segment_id)
        .where(_C.project_id == project)
        .order_by(segments.place, _C.id)
    )
    rows = connection.execute(query if segment is None else query.where(_C.segment_id == segment))
    return [
        {
            "segment": row.segment_id,
            "place": row.place,
            "user": row.user,
            "score": row.score,
            "is_current": row.target == row.now,
            "made": row.made.isoformat(),
        }
        for row in rows
    ]
