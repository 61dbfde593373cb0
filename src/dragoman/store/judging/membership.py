"""Who takes part: adding people, excluding them by a mark, letting them in again."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.judging import dealing
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.dealing import join_campaign, lock_campaign, seat_people
from dragoman.store.people.accounts import User, find_user
from dragoman.store.refusals import NotFound

__all__ = ["add_member", "exclude", "include"]

_A = tables.assignments.c
_M = tables.members.c


def add_member(
    connection: sa.Connection, campaign: str, name: str, *, actor: Actor, max_tasks: int | None = None
) -> User:
    """Let an account take part in a campaign; planned annotators get what was planned for them."""
    found, user = find_campaign(connection, campaign), find_user(connection, name)
    lock_campaign(connection, found.id)
    join_campaign(connection, found.id, user.id, max_tasks=max_tasks)
    seat_people(connection, found.id, user.id)
    audit.record(connection, actor, "member added", f"campaign {campaign}", annotator=name)
    return user


def exclude(
    connection: sa.Connection, campaign: str, name: str, *, actor: Actor, reason: str = "", renew: bool = False
) -> int:
    """Leave somebody out: their answers stay but do not count, and they get no more work.

    With `renew` their tasks are dealt again to others, so that everything keeps its redundancy. Tells how many were.
    """
    found, user = find_campaign(connection, campaign), find_user(connection, name)
    lock_campaign(connection, found.id)
    _mark(connection, found.id, user, excluded=now(), reason=reason)
    renewed = 0
    if renew:
        own = (_A.campaign_id == found.id) & (_A.user_id == user.id) & _A.released.is_(None)
        rows = connection.execute(sa.select(tables.assignments).where(own)).all()
        for row in rows:
            dealing.renew(connection, row)
        renewed = len(rows)
    audit.record(
        connection, actor, "annotator excluded", f"campaign {campaign}", annotator=name, reason=reason, renewed=renewed
    )
    return renewed


def include(connection: sa.Connection, campaign: str, name: str, *, actor: Actor) -> None:
    """Take an exclusion back. Tasks that were dealt again stay with the others."""
    found, user = find_campaign(connection, campaign), find_user(connection, name)
    _mark(connection, found.id, user, excluded=None, reason=None)
    audit.record(connection, actor, "annotator included", f"campaign {campaign}", annotator=name)


def _mark(connection: sa.Connection, campaign_id: int, user: User, **values: Any) -> None:
    done = connection.execute(
        sa.update(tables.members).where(_M.campaign_id == campaign_id, _M.user_id == user.id).values(**values)
    )
    if not done.rowcount:
        raise NotFound(f"{user.name} takes no part in this campaign.")
