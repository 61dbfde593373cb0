"""Crowd platforms: what their links carry, the accounts of their workers, and their sessions there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from secrets import token_hex
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables
from dragoman.store.columns import now
from dragoman.store.refusals import NotAllowed

__all__ = [
    "PLATFORMS",
    "link_parameters",
    "note_session",
    "read_worker",
    "row_of_worker",
    "sessions_by_person",
    "worker_name",
]

# crowd platform → the parameters its links carry, the worker's first
PLATFORMS = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId"),
    "toloka": ("user_id", "assignment_id", "pool_id"),
    "other": ("worker", "session"),
}
# crowd platform → the parameter that names a worker's session, submission or assignment there: what is paid
_SESSIONS = {"prolific": "SESSION_ID", "mturk": "assignmentId", "toloka": "assignment_id", "other": "session"}
_SESSION = re.compile(r"(?!\{\{%|\$\{)[!-~]{1,100}", re.ASCII)  # no placeholder that the platform did not fill in


def link_parameters(platform: str) -> str:
    """What a platform fills in: Prolific replaces {{%PROLIFIC_PID%}}, others ${workerId}."""
    form = "{{%%%s%%}}" if platform == "prolific" else "${%s}"
    return "?" + "&".join(f"{name}={form % name}" for name in PLATFORMS[platform])


def read_worker(platform: str, parameters: Mapping[str, str]) -> dict[str, str]:
    """What the platform said of its worker."""
    names = PLATFORMS[platform]
    if parameters.get("assignmentId") == "ASSIGNMENT_ID_NOT_AVAILABLE":
        raise NotAllowed("This is a preview. Accept the task on the platform first, then open it again.")
    worker = parameters.get(names[0], "")
    if not re.fullmatch(r"[\w.@+-]{1,60}", worker, re.ASCII):
        raise DataError(f"The link lacks the parameter {names[0]} of the platform; open it from the platform's page.")
    values = {name: parameters[name][:100] for name in names if name in parameters}
    return {"platform": platform, "worker": worker, **values}


def row_of_worker(connection: sa.Connection, worker: Mapping[str, str]) -> Any:
    """The account of a worker, or None: by platform and id, never by name, which somebody else may have."""
    users = tables.users.c
    query = sa.select(tables.users).where(users.crowd == worker["platform"], users.worker == worker["worker"])
    return connection.execute(query).first()


def worker_name(platform: str) -> str:
    """A name for a worker, drawn by chance: exports have it, and whoever knows an id cannot tell whose it is."""
    return f"{platform}-{token_hex(6)}"


def note_session(connection: sa.Connection, campaign_id: int, user_id: int, worker: Mapping[str, str]) -> None:
    """Keep the platform's id of the session in which a worker came, once. Call it holding the campaign's lock."""
    session = worker.get(_SESSIONS[worker["platform"]], "")
    if not _SESSION.fullmatch(session):
        return
    key = {"campaign_id": campaign_id, "user_id": user_id, "session": session}
    known = sa.select(tables.arrivals.c.at).filter_by(**key)
    if connection.scalar(known) is None:
        connection.execute(sa.insert(tables.arrivals).values(**key, at=now()))


def sessions_by_person(connection: sa.Connection, campaign_id: int) -> dict[int, list[str]]:
    """The platforms' ids of the sessions in which each worker came to a campaign, in their order."""
    came = tables.arrivals.c
    query = sa.select(came.user_id, came.session).where(came.campaign_id == campaign_id).order_by(came.at, came.session)
    found: dict[int, list[str]] = {}
    for user_id, session in connection.execute(query):
        found.setdefault(user_id, []).append(session)
    return found
