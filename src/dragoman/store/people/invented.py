"""Invented judges, who fill a campaign to rehearse it: their accounts are marked, and never a person's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from dragoman.store import tables
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import add_user, set_password
from dragoman.store.people.passwords import HashedPassword
from dragoman.store.refusals import Conflict

__all__ = ["MARK", "admit_invented", "is_invented"]

MARK = {"platform": "simulated"}


def is_invented(platform: Mapping[str, Any] | None) -> bool:
    """Whether an account of this platform is an invented judge's."""
    return (platform or {}).get("platform") == MARK["platform"]


def admit_invented(connection: sa.Connection, passwords: Mapping[str, HashedPassword], *, actor: Actor) -> None:
    """Make or keep the accounts of invented judges, with these passwords."""
    users = tables.users.c
    rows = connection.execute(sa.select(users.name, users.platform).where(users.name.in_(list(passwords))))
    platforms = {row.name: row.platform for row in rows}
    for name, password in passwords.items():
        if name not in platforms:
            add_user(connection, name, "annotator", password, actor=actor, platform=MARK)
        elif is_invented(platforms[name]):
            set_password(connection, name, password, actor=actor)
        else:
            raise Conflict(f"{name} is a person's account; invented judges have accounts of their own.")
