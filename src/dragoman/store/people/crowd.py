"""Crowd platforms: what their links carry, and the accounts of their workers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables
from dragoman.store.refusals import NotAllowed
from dragoman.store.signing import digest

__all__ = ["PLATFORMS", "link_parameters", "read_worker", "row_of_worker", "worker_name"]

# crowd platform → the parameters its links carry, the worker's first
PLATFORMS = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId"),
    "toloka": ("user_id", "assignment_id", "pool_id"),
    "other": ("worker",),
}


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


def worker_name(connection: sa.Connection, worker: Mapping[str, str]) -> str:
    """A free name for a worker: it tells the organiser who it is only with the platform's help."""
    plain = f"{worker['platform']}-{digest(worker['worker'])[:12]}"
    taken = set(connection.scalars(sa.select(tables.users.c.key).where(tables.users.c.key.startswith(plain))))
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain}-{number}"
    return name
