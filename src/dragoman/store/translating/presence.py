"""Who has a project open, in whichever process of the server, and which segment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta

import sqlalchemy as sa

from dragoman.store import tables
from dragoman.store.columns import now
from dragoman.store.translating import tables as work
from dragoman.store.translating.projects import find_project
from dragoman.store.translating.segments import held_segments

__all__ = ["PRESENCE_SECONDS", "announce", "people_in"]

PRESENCE_SECONDS = 60  # that a connection counts without a sign of life
_R = work.presences.c


def announce(connection: sa.Connection, project: int, here: Mapping[str, int], gone: Collection[str] = ()) -> None:
    """Say that connections are there, by their keys and people's numbers, and that others are gone.

    Connections of a process that was killed go on this occasion, when their time is over.
    """
    if here:
        find_project(connection, project)  # one that was deleted has nobody in it
    moment = now()
    connection.execute(sa.delete(work.presences).where(_R.key.in_([*here, *gone]) | (_R.until < moment)))
    until = moment + timedelta(seconds=PRESENCE_SECONDS)
    rows = [{"key": key, "project_id": project, "user_id": user, "until": until} for key, user in here.items()]
    if rows:
        connection.execute(sa.insert(work.presences), rows)


def people_in(connection: sa.Connection, project: int) -> list[tuple[str, int | None]]:
    """Who is in a project, by name, and the segment that each has open."""
    query = (
        sa.select(tables.users.c.name)
        .join(work.presences, _R.user_id == tables.users.c.id)
        .where(_R.project_id == project, _R.until > now())
        .distinct()
    )
    people: dict[str, int | None] = dict.fromkeys(connection.scalars(query))
    people |= {user: segment for segment, user in held_segments(connection, project)}
    return sorted(people.items())
