"""Invitations: signed links that expire, for people with a password of their own or from a crowd platform."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.database import Store
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.dealing import join_campaign, lock_campaign, seat_people, waiting_seats
from dragoman.store.people.accounts import ROLES, User, add_user, find_user, grant_languages, has_admin
from dragoman.store.people.crowd import (
    PLATFORMS,
    link_parameters,
    note_session,
    read_worker,
    row_of_worker,
    worker_name,
)
from dragoman.store.people.managers import check_unplanned, managed_by, managed_like
from dragoman.store.people.passwords import HashedPassword, hash_password
from dragoman.store.people.sessions import Session, open_session
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.store.signing import read_signed, sign
from dragoman.text.languages import parse_language

__all__ = [
    "Invite",
    "InviteList",
    "accept",
    "first_link",
    "hash_for",
    "list_invites",
    "make_invite",
    "open_invite",
    "revoke",
    "sign_in",
    "withdraw_first_links",
    "worker_of",
]

_PURPOSE = "invite"
_TOKEN = re.compile(r"[\w.-]{1,400}", re.ASCII)
_TOGETHER = timedelta(minutes=1)  # servers that start within it share the link for the first admin
_IS_OPEN_FIRST = tables.invites.c.first & tables.invites.c.revoked.is_(None) & (tables.invites.c.uses == 0)


@dataclass(frozen=True)
class Invite(Result):
    """An invitation; `link` is known only to who makes it."""

    kind: ClassVar[str] = "invite"

    id: int
    campaign: str | None
    role: str
    platform: str | None
    max_uses: int | None
    uses: int
    max_tasks: int | None
    languages: tuple[str, ...]
    expires: datetime
    revoked: bool = False
    token: str = ""
    link: str = ""

    def tables(self) -> list[Table]:
        """The invitation as one row."""
        columns = [Column(name) for name in (*_COLUMNS, "link")]
        return [Table.of("Invitation", columns, [(*_row(self), self.link or None)])]


@dataclass(frozen=True)
class InviteList(Result):
    """Invitations without their links: those were shown when they were made."""

    kind: ClassVar[str] = "invites"

    invites: tuple[Invite, ...]

    def tables(self) -> list[Table]:
        """One row per invitation."""
        return [Table.of("Invitations", [Column(name) for name in _COLUMNS], [_row(each) for each in self.invites])]


_COLUMNS = (
    "invite",
    "campaign",
    "role",
    "platform",
    "uses",
    "max_uses",
    "max_tasks",
    "languages",
    "expires",
    "revoked",
)


def _row(invite: Invite) -> tuple[Any, ...]:
    return (
        invite.id,
        invite.campaign,
        invite.role,
        invite.platform,
        invite.uses,
        invite.max_uses,
        invite.max_tasks,
        " ".join(invite.languages),
        invite.expires.isoformat(timespec="seconds"),
        invite.revoked,
    )


def make_invite(
    connection: sa.Connection,
    *,
    secret: bytes,
    address: str,
    actor: Actor,
    campaign: str | None = None,
    role: str = "annotator",
    platform: str | None = None,
    hours: float = 14 * 24,
    max_uses: int | None = None,
    max_tasks: int | None = None,
    languages: Sequence[str] = (),
    first: bool = False,
) -> Invite:
    """Make a link by which people join: a campaign as annotators, or the house in another role.

    Comers from a crowd platform have no password; their link carries the platform's parameters, and they do one task
    unless more are allowed. A link for the `first` admin is void as soon as there is an admin.
    """
    if role not in ROLES:
        raise DataError(f"There is no role {role!r}. Known: {', '.join(ROLES)}.")
    if platform is not None and platform not in PLATFORMS:
        raise DataError(f"There is no crowd platform {platform!r}. Known: {', '.join(PLATFORMS)}.")
    if role == "annotator" and campaign is None:
        raise DataError("Annotators are invited to a campaign; name one.")
    if platform is not None and role != "annotator":
        raise DataError(f"People from a crowd platform are annotators, not {role}.")
    if not 0 < hours <= 24 * 366:
        raise DataError(f"An invitation is good for up to 8,784 hours, not {hours:g}.")
    for name, value in (("max_uses", max_uses), ("max_tasks", max_tasks)):
        if value is not None and value < 1:
            raise DataError(f"{name} is {value}; expected 1 or more.")
    if platform is not None and max_tasks is None:
        max_tasks = 1
    tags = sorted({parse_language(language) for language in languages})
    expires = now() + timedelta(hours=hours)
    values = {
        "campaign_id": None if campaign is None else find_campaign(connection, campaign).id,
        "role": role,
        "platform": platform,
        "max_uses": max_uses,
        "uses": 0,
        "max_tasks": max_tasks,
        "languages": tags,
        "created": now(),
        "expires": expires,
        "first": first,
    }
    key = connection.execute(sa.insert(tables.invites).values(**values)).inserted_primary_key
    number = int((key or (0,))[0])
    token = _token(number, expires, secret)
    link = f"{address}/join/{token}" + (link_parameters(platform) if platform else "")
    audit.record(
        connection, actor, "invite made", f"campaign {campaign}" if campaign else "house", role=role, invite=number
    )
    return Invite(number, campaign, role, platform, max_uses, 0, max_tasks, tuple(tags), expires, False, token, link)


def _token(number: int, expires: datetime, secret: bytes) -> str:
    return sign({"invite": number}, secret=secret, purpose=_PURPOSE, expires=expires.timestamp())


def open_invite(connection: sa.Connection, token: str, *, secret: bytes, lock: bool = False) -> Invite:
    """The invitation of a link that is still good."""
    if not _TOKEN.fullmatch(token):
        raise NotFound("This link is not valid. Copy the whole of it, or ask for a new one.")
    number = read_signed(token, secret=secret, purpose=_PURPOSE)["invite"]
    query = _query().where(tables.invites.c.id == number)
    row = connection.execute(query.with_for_update(of=tables.invites) if lock else query).first()
    if row is None or row.revoked is not None:
        raise NotFound("This invitation was withdrawn; ask for a new one.")
    if row.first and _has_admin(connection, lock=lock):
        raise NotFound("This link was for the first admin, and there is one; ask them for an invitation.")
    return _of(row)


def _has_admin(connection: sa.Connection, *, lock: bool) -> bool:
    if lock:  # two links at the same moment make one admin: whoever is second looks when the first has finished
        _take_turn(connection)
    return has_admin(connection)


def _take_turn(connection: sa.Connection) -> None:
    """Wait until nobody else deals with the first admin; SQLite has one writer anyway."""
    connection.execute(sa.select(tables.properties).where(tables.properties.c.name == "secret").with_for_update())


def first_link(connection: sa.Connection, *, secret: bytes, address: str, hours: float, actor: Actor) -> str:
    """Return the one link that makes the first admin; those of earlier starts are withdrawn.

    Servers that start at about the same time on one database share the link.
    """
    _take_turn(connection)
    row = tables.invites.c
    fresh = sa.select(row.id, row.expires).where(_IS_OPEN_FIRST, row.created > now() - _TOGETHER)
    shared = connection.execute(fresh.order_by(row.id.desc()).limit(1)).first()
    withdraw_first_links(connection, actor=actor, but=None if shared is None else shared.id)
    if shared is not None:
        return f"{address}/join/{_token(shared.id, shared.expires, secret)}"
    made = make_invite(
        connection, secret=secret, address=address, role="admin", hours=hours, max_uses=1, actor=actor, first=True
    )
    return made.link


def list_invites(connection: sa.Connection, campaign: str | None = None) -> InviteList:
    """The invitations, of one campaign or all."""
    query = _query().order_by(tables.invites.c.id)
    if campaign is not None:
        query = query.where(tables.invites.c.campaign_id == find_campaign(connection, campaign).id)
    return InviteList(tuple(_of(row) for row in connection.execute(query)))


def revoke(
    connection: sa.Connection, number: int, *, actor: Actor, campaign: str | None = None, user: User | None = None
) -> None:
    """Withdraw an invitation, perhaps only one to this campaign, or one that `user` may; who came by it stays.

    Invitations that are to no campaign make managers, viewers and admins: they are the admins'.
    """
    row = tables.invites.c
    wanted = row.id == number
    if campaign is not None:
        wanted &= row.campaign_id == find_campaign(connection, campaign).id
    if user is not None and user.role != "admin":
        wanted &= row.campaign_id.in_(managed_by(user)) if user.limited else row.campaign_id.is_not(None)
    done = connection.execute(sa.update(tables.invites).where(wanted).values(revoked=now()))
    if not done.rowcount:
        raise NotFound(f"There is no invitation {number}.")
    audit.record(connection, actor, "invite withdrawn", f"invite {number}")


def withdraw_first_links(connection: sa.Connection, *, actor: Actor, but: int | None = None) -> None:
    """Withdraw every link for the first admin that is still good, all `but` one."""
    for number in connection.scalars(sa.select(tables.invites.c.id).where(_IS_OPEN_FIRST)).all():
        if number != but:
            revoke(connection, number, actor=actor)


def worker_of(invite: Invite, parameters: Mapping[str, str]) -> dict[str, str] | None:
    """What the platform said of its worker: None if the invitation is of no platform."""
    return None if invite.platform is None else read_worker(invite.platform, parameters)


def hash_for(store: Store, token: str, user: User | None, password: str) -> HashedPassword | None:
    """The password of somebody new who comes by a link that is good, hashed before `accept` makes others wait."""
    with store.read() as connection:
        invite = open_invite(connection, token, secret=store.secret)
    return hash_password(password) if user is None and invite.platform is None else None


def accept(
    connection: sa.Connection,
    token: str,
    *,
    secret: bytes,
    request: str | None,
    user: User | None = None,
    name: str = "",
    password: HashedPassword | None = None,
    parameters: Mapping[str, str] | None = None,
    bounded: bool = False,
) -> tuple[User, str | None]:
    """Come by an invitation, as somebody signed in, from a crowd platform, or with a new account.

    `bounded` says that managers have campaigns of their own, so that a name of theirs says nothing of who others mean.
    Gives the person and the campaign's name. A worker who comes again is the same person and uses nothing up.
    """
    invite = open_invite(connection, token, secret=secret, lock=True)
    platform = worker_of(invite, parameters or {})
    if platform is not None:
        row = row_of_worker(connection, platform)
        if row is not None and row.disabled is not None:
            raise NotAllowed("This account is closed. Ask the organisers if this surprises you.")
        user = None if row is None else User.of(row)
        name = worker_name(platform["platform"]) if user is None else user.name
    elif user is not None and invite.role != "annotator" and user.role != invite.role:
        raise Conflict(f"You are signed in as {user.name}; sign out to use an invitation as {invite.role}.")
    is_new = user is None or invite.campaign is None or not _is_member(connection, invite, user)
    if is_new and invite.max_uses is not None and invite.uses >= invite.max_uses:
        raise Conflict("This invitation was used as often as it may be; ask for a new one.")
    if user is None:
        actor = Actor(name, request)
        if invite.campaign is not None and platform is None:
            _check_name(connection, name, find_campaign(connection, invite.campaign).id, bounded=bounded)
        user = add_user(connection, name, invite.role, password, actor=actor, platform=platform)
        if invite.languages:
            grant_languages(connection, name, invite.languages, actor=actor)
    if invite.campaign is not None:
        campaign = find_campaign(connection, invite.campaign)
        if campaign.state == "closed":
            raise Conflict("The campaign is closed; thank you for coming.")
        lock_campaign(connection, campaign.id)
        join_campaign(connection, campaign.id, user.id, max_tasks=invite.max_tasks)
        if platform is None:
            seat_people(connection, campaign.id, user.id)
        else:
            note_session(connection, campaign.id, user.id, platform)
    if is_new:
        used = tables.invites.c
        connection.execute(sa.update(tables.invites).where(used.id == invite.id).values(uses=used.uses + 1))
        audit.record(connection, Actor(user.name, request), "joined", f"invite {invite.id}")
    return user, invite.campaign


def _check_name(connection: sa.Connection, name: str, campaign: int, *, bounded: bool) -> None:
    """Refuse the name of somebody for whom another campaign waits; this one may wait for the same person."""
    planned = waiting_seats(name).where(tables.assignments.c.campaign_id == campaign).limit(1)
    if bounded or connection.scalar(planned) is None:
        check_unplanned(connection, name, managed_like(campaign))


def sign_in(
    connection: sa.Connection, user: User, campaign: str | None, *, hours: int, before: Session | None
) -> Session:
    """Open a session for whoever came by an invitation; `before` is the one in which they came.

    Platforms do not sign their links: with one for a study of their own, anybody who knows the id of a worker comes as
    this worker. So such a session opens the campaigns of the links that were opened in it, and nothing else.
    """
    if not find_user(connection, user.name).is_worker:
        return open_session(connection, user, hours=hours)
    is_same = before is not None and before.user.id == user.id
    opened = set(before.campaigns or ()) if before is not None and is_same else set()
    if campaign is not None:
        opened.add(find_campaign(connection, campaign).id)
    return open_session(connection, user, hours=hours, campaigns=opened)


def _is_member(connection: sa.Connection, invite: Invite, user: User) -> bool:
    member = tables.members.c
    query = (
        sa.select(member.user_id)
        .join(tables.campaigns, tables.campaigns.c.id == member.campaign_id)
        .where(tables.campaigns.c.name == invite.campaign, member.user_id == user.id)
    )
    return connection.scalar(query) is not None


def _query() -> sa.Select[Any]:
    return sa.select(tables.invites, tables.campaigns.c.name.label("campaign")).outerjoin(
        tables.campaigns, tables.campaigns.c.id == tables.invites.c.campaign_id
    )


def _of(row: Any) -> Invite:
    return Invite(
        row.id,
        row.campaign,
        row.role,
        row.platform,
        row.max_uses,
        row.uses,
        row.max_tasks,
        tuple(row.languages),
        row.expires,
        row.revoked is not None,
    )
