"""Who gets which task. All dealing of a campaign goes through one lock, its row, so that no copy is dealt twice.

A task is dealt in `redundancy` copies. An account with the name of a planned annotator gets that annotator's copies for
good. Everybody else gets the next free copy and leases it: every answer prolongs the lease, and a copy whose lease is
over goes to the next who asks when nothing else is free. What the first holder said stays, but does not count.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from dragoman.web import tables
from dragoman.web.columns import now

__all__ = ["claim_task", "join_campaign", "lock_campaign", "seat_people"]

_A = tables.assignments.c


def lock_campaign(connection: sa.Connection, campaign_id: int) -> None:
    """Hold the campaign's row until the transaction ends; whoever deals meanwhile waits."""
    row = tables.campaigns.c
    connection.execute(sa.update(tables.campaigns).where(row.id == campaign_id).values(revision=row.revision + 1))


def seat_people(connection: sa.Connection, campaign_id: int, user_id: int | None = None) -> None:
    """Give planned annotators who have an account the tasks planned for them, as far as those are free."""
    seats = (
        sa.select(tables.users.c.id, _A.seat)
        .join(tables.assignments, _A.seat == tables.users.c.name)
        .where(_A.campaign_id == campaign_id, tables.users.c.disabled.is_(None))
        .distinct()
    )
    if user_id is not None:
        seats = seats.where(tables.users.c.id == user_id)
    for user, seat in connection.execute(seats).all():
        join_campaign(connection, campaign_id, user)
        had = sa.select(_A.task_id).where(_A.user_id == user)
        connection.execute(
            sa.update(tables.assignments)
            .where(_A.campaign_id == campaign_id, _A.seat == seat, _A.user_id.is_(None), _A.released.is_(None))
            .where(_A.task_id.not_in(had))
            .values(user_id=user, taken=now())
        )


def join_campaign(connection: sa.Connection, campaign_id: int, user_id: int, *, max_tasks: int | None = None) -> None:
    """Make somebody a member, if they are not."""
    member = tables.members.c
    known = sa.select(member.user_id).where(member.campaign_id == campaign_id, member.user_id == user_id)
    if connection.scalar(known) is None:
        values = {"campaign_id": campaign_id, "user_id": user_id, "joined": now(), "max_tasks": max_tasks}
        connection.execute(sa.insert(tables.members).values(**values))


def claim_task(connection: sa.Connection, campaign_id: int, user: Any, *, lease_minutes: int) -> bool:
    """Give somebody the next task; False if there is none for them. Call it holding the campaign's lock."""
    member = tables.members.c
    row = connection.execute(
        sa.select(member.max_tasks, member.excluded).where(member.campaign_id == campaign_id, member.user_id == user.id)
    ).first()
    held = sa.select(sa.func.count()).where(_A.campaign_id == campaign_id, _A.user_id == user.id, _A.released.is_(None))
    if row is None or row.excluded is not None:
        return False
    if row.max_tasks is not None and int(connection.scalar(held) or 0) >= row.max_tasks:
        return False
    moment = now()
    lease = {"user_id": user.id, "taken": moment, "leased_until": moment + timedelta(minutes=lease_minutes)}
    # Nobody gets a task twice, not even one that they gave up.
    had = sa.select(_A.task_id).where(_A.campaign_id == campaign_id, _A.user_id == user.id)
    open_for = (
        sa.select(tables.assignments)
        .join(tables.tasks, tables.tasks.c.id == _A.task_id)
        .where(_A.campaign_id == campaign_id, _A.released.is_(None), _A.task_id.not_in(had))
        .limit(1)
    )
    # First copies before second ones: if people stop coming, everything was judged once.
    order = (sa.case((_A.seat == user.name, 0), else_=1), _A.copy, tables.tasks.c.place)
    free = connection.execute(open_for.where(_A.user_id.is_(None)).order_by(*order)).first()
    if free is not None:
        connection.execute(sa.update(tables.assignments).where(_A.id == free.id).values(**lease))
        return True
    late = connection.execute(
        open_for.where(_A.finished.is_(None), _A.leased_until < moment).order_by(_A.leased_until)
    ).first()
    if late is None:
        return False
    connection.execute(sa.update(tables.assignments).where(_A.id == late.id).values(released=moment))
    values = {"campaign_id": campaign_id, "task_id": late.task_id, "copy": late.copy, "seat": late.seat}
    connection.execute(sa.insert(tables.assignments).values(**values, **lease))
    return True
