"""Managers of single campaigns: where a server was started so (`--own-campaigns`), they act on nothing of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.judging.dealing import waiting_seats
from dragoman.store.people.accounts import User, find_user
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.store.translating import tables as work

__all__ = [
    "ManagerList",
    "add_maker",
    "add_manager",
    "check_manages",
    "check_people",
    "check_unplanned",
    "list_managers",
    "managed_by",
    "managed_like",
    "remove_manager",
]

_C = tables.campaigns.c
_M = tables.managers.c
_SEAT = tables.assignments.c.campaign_id


@dataclass(frozen=True)
class ManagerList(Result):
    """Who manages a campaign, besides admins."""

    kind: ClassVar[str] = "managers"

    campaign: str
    managers: tuple[tuple[str, str], ...]  # name, since

    def tables(self) -> list[Table]:
        """One row per manager."""
        return [Table.of(f"Managers of {self.campaign}", [Column("name"), Column("since")], self.managers)]


def managed_by(user: User) -> sa.Select[int]:
    """The numbers of the campaigns that somebody manages, as a query."""
    return sa.select(_M.campaign_id).where(_M.user_id == user.id)


def managed_like(campaign: int) -> sa.Select[int]:
    """The numbers of the campaigns that share a manager with one; with one that nobody manages, of all such."""
    same = sa.select(_M.user_id).where(_M.campaign_id == campaign)
    nobodys = ~sa.exists().where(_M.campaign_id == campaign) & _C.id.not_in(sa.select(_M.campaign_id))
    return sa.select(_C.id).where(nobodys | _C.id.in_(sa.select(_M.campaign_id).where(_M.user_id.in_(same))))


def check_unplanned(connection: sa.Connection, name: str, own: sa.Select[int]) -> None:
    """Raise if a campaign that is none of `own` waits for an annotator called `name`: a new account would be let in."""
    if connection.scalar(waiting_seats(name).where(_SEAT.not_in(own)).limit(1)) is not None:
        raise Conflict(f"The name {name!r} is kept for somebody who is planned for another campaign; choose another.")


def check_manages(connection: sa.Connection, campaign: str, user: User) -> None:
    """Raise if somebody does not manage the campaign: in the words for one that is not there."""
    if connection.scalar(sa.select(_C.id).where(_C.name == campaign, _C.id.in_(managed_by(user)))) is None:
        raise NotFound(f"There is no campaign called {campaign!r}.")


def check_people(connection: sa.Connection, name: str, user: User) -> None:
    """Raise if the account `name` is no annotator's, or has to do with what `user` does not manage.

    Whoever can give somebody a new password can answer and translate as they, and read what they may read.
    """
    found, member, job = find_user(connection, name), tables.members.c, work.jobs.c
    if found.id == user.id:
        return
    if found.role != "annotator":  # what was done to admins, viewers and other managers is none of theirs to read
        raise NotAllowed(f"{name} is {found.role}; ask an admin.")
    number = found.id
    own = sa.select(work.projects.c.id).where(work.projects.c.user_id == user.id)
    ties = {
        "takes part in campaigns of other managers": sa.select(member.user_id).where(
            member.user_id == number, member.campaign_id.not_in(managed_by(user))
        ),
        "is planned for campaigns of other managers": waiting_seats(name).where(_SEAT.not_in(managed_by(user))),
        "has jobs in translation projects of others": sa.select(job.id).where(
            job.user_id == number, job.project_id.not_in(own)
        ),
        "has translation projects": sa.select(work.projects.c.id).where(work.projects.c.user_id == number),
        "has memories": sa.select(tables.memories.c.id).where(tables.memories.c.user_id == number),
    }
    for tie, query in ties.items():
        if connection.scalar(query.limit(1)) is not None:
            raise NotAllowed(f"{name} {tie}; ask an admin.")


def add_maker(connection: sa.Connection, campaign: str, actor: Actor) -> None:
    """Let a manager who made a campaign manage it; admins do so anyway."""
    users = tables.users.c
    maker = connection.scalar(sa.select(users.id).where(users.name == actor.name, users.role == "manager"))
    if maker is not None:
        values = {"campaign_id": _number(connection, campaign), "user_id": maker, "since": now()}
        connection.execute(sa.insert(tables.managers).values(**values))


def add_manager(connection: sa.Connection, campaign: str, name: str, *, actor: Actor) -> None:
    """Let somebody with the role of a manager manage a campaign; who does so already goes on."""
    number, user = _number(connection, campaign), find_user(connection, name)
    if user.role != "manager":
        raise Conflict(f"{name} is {user.role}; give them the role manager first.")
    if number in connection.scalars(managed_by(user)).all():
        return
    connection.execute(sa.insert(tables.managers).values(campaign_id=number, user_id=user.id, since=now()))
    audit.record(connection, actor, "manager added", f"campaign {campaign}", manager=name)


def remove_manager(connection: sa.Connection, campaign: str, name: str, *, actor: Actor) -> None:
    """Let somebody manage a campaign no longer."""
    number, user = _number(connection, campaign), find_user(connection, name)
    own = (_M.campaign_id == number) & (_M.user_id == user.id)
    if not connection.execute(sa.delete(tables.managers).where(own)).rowcount:
        raise NotFound(f"{name} does not manage {campaign}.")
    audit.record(connection, actor, "manager removed", f"campaign {campaign}", manager=name)


def list_managers(connection: sa.Connection, campaign: str) -> ManagerList:
    """Who manages a campaign, in the order in which they came."""
    rows = connection.execute(
        sa.select(tables.users.c.name, _M.since)
        .join(tables.users, tables.users.c.id == _M.user_id)
        .where(_M.campaign_id == _number(connection, campaign))
        .order_by(_M.since, tables.users.c.name)
    )
    return ManagerList(campaign, tuple((row.name, row.since.isoformat(timespec="seconds")) for row in rows))


def _number(connection: sa.Connection, campaign: str) -> int:
    number = connection.scalar(sa.select(_C.id).where(_C.name == campaign))
    if number is None:
        raise NotFound(f"There is no campaign called {campaign!r}.")
    return int(number)
