"""Who gets which task. All dealing of a campaign goes through one lock, its row, so that no copy is dealt twice.

A task is dealt in `redundancy` copies. An account with the name of a planned annotator gets that annotator's copies for
good. Everybody else gets the next free copy and leases it: every answer prolongs the lease, and a copy whose lease is
over goes to the next who asks when nothing else is free. What the first holder said stays, but does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from dragoman.human.protocol import LESSON
from dragoman.store import tables
from dragoman.store.columns import now

__all__ = ["claim_task", "join_campaign", "lock_campaign", "renew", "seat_people", "waiting_seats"]

_A = tables.assignments.c
_FEW = 50


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
    campaign = tables.campaigns.c
    dynamic = connection.scalar(sa.select(campaign.dynamic).where(campaign.id == campaign_id))
    for user, seat in connection.execute(seats).all():
        join_campaign(connection, campaign_id, user)
        if dynamic:
            continue
        had = sa.select(_A.task_id).where(_A.user_id == user)
        connection.execute(
            sa.update(tables.assignments)
            .where(_A.campaign_id == campaign_id, _A.seat == seat, _A.user_id.is_(None), _A.released.is_(None))
            .where(_A.task_id.not_in(had))
            .values(user_id=user, taken=now())
        )


def waiting_seats(name: str) -> sa.Select[int]:
    """The numbers of campaigns in which tasks wait for an account of this name, whoever has it, as a query."""
    return sa.select(_A.campaign_id).where(_A.seat == name, _A.user_id.is_(None), _A.released.is_(None))


def join_campaign(connection: sa.Connection, campaign_id: int, user_id: int, *, max_tasks: int | None = None) -> None:
    """Make somebody a member, if they are not."""
    member = tables.members.c
    membership = sa.select(member.user_id).where(member.campaign_id == campaign_id, member.user_id == user_id)
    if connection.scalar(membership) is None:
        values = {"campaign_id": campaign_id, "user_id": user_id, "joined": now(), "max_tasks": max_tasks}
        connection.execute(sa.insert(tables.members).values(**values))


def claim_task(
    connection: sa.Connection,
    campaign_id: int,
    user: Any,
    *,
    lease_minutes: int,
    choose: Callable[[], str | None] | None = None,
    most: int | None = None,
) -> bool:
    """Give somebody the next task; False if there is none for them. Call it holding the campaign's lock.

    The lesson comes first. `choose` names the next task of a dynamic campaign, None if there is none. `most` is how
    many tasks the protocol lets anybody do, those counted that were given up: what was met is known.
    """
    if not _may_have_more(connection, campaign_id, user, most):
        return False
    moment = now()
    lease = {"user_id": user.id, "taken": moment, "leased_until": moment + timedelta(minutes=lease_minutes)}
    if _take_lesson(connection, campaign_id, user, {**lease, "leased_until": None}):
        return True
    wanted = tables.tasks.c.name != LESSON
    if choose is not None:
        _release_late(connection, campaign_id, moment)
        chosen = choose()
        if chosen is None:
            return False
        wanted = tables.tasks.c.name == chosen
    had = sa.select(_A.task_id).where(_A.campaign_id == campaign_id, _A.user_id == user.id)
    had_ids = list(connection.scalars(had))
    open_for = (
        sa.select(tables.assignments)
        .join(tables.tasks, tables.tasks.c.id == _A.task_id)
        .where(_A.campaign_id == campaign_id, _A.released.is_(None), wanted)
    )
    # First copies before second ones: if people stop coming, everything was judged once.
    order = (sa.case((_A.seat == user.name, 0), else_=1), _A.copy, tables.tasks.c.place)
    free = _first_fresh(connection, open_for.where(_A.user_id.is_(None)).order_by(*order), had_ids)
    if free is not None:
        connection.execute(sa.update(tables.assignments).where(_A.id == free.id).values(**lease))
        return True
    over = open_for.where(_A.finished.is_(None), _A.leased_until < moment).order_by(_A.leased_until, _A.id)
    late = _first_fresh(connection, over, had_ids)
    if late is None:
        return False
    renew(connection, late, **lease)
    return True


def _first_fresh(connection: sa.Connection, query: sa.Select[Any], had: list[int]) -> Any:
    """The first copy whose task has nothing in common with the tasks that somebody had, given up or not.

    Tasks may share items: whoever has judged one of them does not get it in another task again. Copies are looked at
    a few at a time, for almost always the first will do, and a campaign may have a hundred thousand.
    """
    item = tables.items.c
    seen = sa.select(item.name).where(item.task_id.in_(had))
    offset = 0
    while True:
        rows = connection.execute(query.limit(_FEW).offset(offset)).all()
        tasks = {row.task_id for row in rows}
        alike = set(had) | set(
            connection.scalars(sa.select(item.task_id).where(item.task_id.in_(tasks), item.name.in_(seen)).distinct())
        )
        fresh = next((row for row in rows if row.task_id not in alike), None)
        if fresh is not None or len(rows) < _FEW:
            return fresh
        offset += _FEW


def _may_have_more(connection: sa.Connection, campaign_id: int, user: Any, most: int | None) -> bool:
    member = tables.members.c
    row = connection.execute(
        sa.select(member.max_tasks, member.excluded).where(member.campaign_id == campaign_id, member.user_id == user.id)
    ).first()
    if row is None or row.excluded is not None:
        return False
    had = (
        sa.select(sa.func.count())
        .join(tables.tasks, tables.tasks.c.id == _A.task_id)
        .where(_A.campaign_id == campaign_id, _A.user_id == user.id, tables.tasks.c.name != LESSON)
    )
    if most is not None and int(connection.scalar(had) or 0) >= most:
        return False
    held = had.where(_A.released.is_(None))
    return row.max_tasks is None or int(connection.scalar(held) or 0) < row.max_tasks


def renew(connection: sa.Connection, row: Any, **holder: Any) -> None:
    """Take a copy of a task from who has it; it waits again, or is the new holder's at once."""
    connection.execute(sa.update(tables.assignments).where(_A.id == row.id).values(released=now()))
    values = {"campaign_id": row.campaign_id, "task_id": row.task_id, "copy": row.copy, "seat": row.seat}
    connection.execute(sa.insert(tables.assignments).values(**values, **holder))


def _release_late(connection: sa.Connection, campaign_id: int, moment: datetime) -> None:
    late = sa.select(tables.assignments).where(
        _A.campaign_id == campaign_id, _A.released.is_(None), _A.finished.is_(None), _A.leased_until < moment
    )
    for row in connection.execute(late).all():
        renew(connection, row)


def _take_lesson(connection: sa.Connection, campaign_id: int, user: Any, holder: dict[str, Any]) -> bool:
    """Give somebody the lesson, if there is one and they have not had it: everybody has a copy of their own."""
    task = tables.tasks.c
    lesson = connection.scalar(sa.select(task.id).where(task.campaign_id == campaign_id, task.name == LESSON))
    if lesson is None:
        return False
    rows = connection.execute(sa.select(tables.assignments).where(_A.task_id == lesson)).all()
    if any(row.user_id == user.id for row in rows):
        return False
    copy = 1 + max((row.copy for row in rows), default=0)
    values = {"campaign_id": campaign_id, "task_id": lesson, "copy": copy, "seat": user.name}
    connection.execute(sa.insert(tables.assignments).values(**values, **holder))
    return True
