"""One account per name whatever its capitals, workers by platform and id, links for the first admin alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from dragoman.store.people.names import name_key

revision = "0004"
down_revision = "0003"

_USERS = sa.table("users", *map(sa.column, ("id", "name", "platform", "key", "crowd", "worker")))
_INVITES = sa.table("invites", *map(sa.column, ("id", "role", "max_uses", "first")))
_AUDIT = sa.table("audit", *map(sa.column, ("at", "who", "action", "subject", "details")))


def upgrade() -> None:
    """Add the columns and fill them from what is there."""
    op.add_column("users", sa.Column("key", sa.String(length=260), nullable=False, server_default=""))
    op.add_column("users", sa.Column("crowd", sa.String(length=20)))
    op.add_column("users", sa.Column("worker", sa.String(length=60)))
    op.add_column("invites", sa.Column("first", sa.Boolean(), nullable=False, server_default=sa.false()))
    connection = op.get_bind()
    _fill_keys(connection)
    _fill_workers(connection)
    _mark_first_links(connection)
    op.create_index("uq_users_key", "users", ["key"], unique=True)
    op.create_index("uq_users_crowd_worker", "users", ["crowd", "worker"], unique=True)


def _fill_keys(connection: sa.Connection) -> None:
    """The key of every name. Of accounts with one key (`Élodie`, `élodie`) the oldest has it.

    All of them keep their names and passwords: both may be people with answers. The key of a later one carries its
    number after `#`, which no name has; the audit log says whose names are alike.
    """
    owners: dict[str, str] = {}
    for row in connection.execute(sa.select(_USERS.c.id, _USERS.c.name).order_by(_USERS.c.id)).all():
        key = name_key(row.name)
        owner = owners.setdefault(key, row.name)
        if owner != row.name:
            key = f"{key}#{row.id}"
            _note(connection, row.name, owner)
        connection.execute(sa.update(_USERS).where(_USERS.c.id == row.id).values(key=key))


def _note(connection: sa.Connection, name: str, owner: str) -> None:
    moment = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    values = {"at": moment, "who": "(migration)", "action": "names alike", "subject": f"user {name}"}
    connection.execute(sa.insert(_AUDIT).values(**values, details=json.dumps({"like": owner})))


def _fill_workers(connection: sa.Connection) -> None:
    """Platform and id of every worker, as they were said when the account was made."""
    seen = set()
    query = sa.select(_USERS.c.id, _USERS.c.platform).where(_USERS.c.platform.is_not(None)).order_by(_USERS.c.id)
    for row in connection.execute(query).all():
        said = json.loads(row.platform) or {}
        worker = (said.get("platform"), said.get("worker"))
        if worker[1] is not None and worker not in seen:
            seen.add(worker)
            values = {"crowd": worker[0], "worker": worker[1]}
            connection.execute(sa.update(_USERS).where(_USERS.c.id == row.id).values(**values))


def _mark_first_links(connection: sa.Connection) -> None:
    """Links that starts of the server printed: for one admin each, and made by no account."""
    made = sa.select(_AUDIT.c.details).where(_AUDIT.c.who == "(command line)", _AUDIT.c.action == "invite made")
    said = [json.loads(details) for details in connection.scalars(made)]
    numbers = [each["invite"] for each in said if each["role"] == "admin"]
    first = _INVITES.c.id.in_(numbers) & (_INVITES.c.role == "admin") & (_INVITES.c.max_uses == 1)
    connection.execute(sa.update(_INVITES).where(first).values(first=sa.true()))
