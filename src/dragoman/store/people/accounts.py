"""Accounts: who may do what, in which languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.people.names import check_name, check_own_name, name_key
from dragoman.store.people.passwords import HashedPassword, hash_password, password_fits
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.text.languages import parse_language

__all__ = [
    "ROLES",
    "Account",
    "People",
    "User",
    "add_user",
    "check_old_password",
    "find_account",
    "find_user",
    "grant_languages",
    "has_admin",
    "is_free",
    "languages_of",
    "list_users",
    "set_disabled",
    "set_password",
    "set_role",
]

# What each role may do is in `guard`; in short: admin everything, manager campaigns and annotators, viewer reads
# progress and results, annotator does the own work.
ROLES = ("admin", "manager", "annotator", "viewer")
_FACTS = ("name", "role", "languages", "platform", "disabled", "created")
_IS_ADMIN = sa.and_(  # one who can sign in
    tables.users.c.role == "admin", tables.users.c.disabled.is_(None), tables.users.c.password.is_not(None)
)


@dataclass(frozen=True)
class User:
    """A person as the server knows them."""

    id: int
    name: str
    role: str
    lang: str | None = None
    limited: bool = False  # a manager who acts only on what they made or were given: the server was started so
    services: tuple[str, ...] | None = None  # that they may ask; None: those of the role (`services`)
    is_worker: bool = False  # from a crowd platform

    @classmethod
    def of(cls, row: Any) -> User:
        """The person of a row of the table."""
        services = None if row.services is None else tuple(row.services)
        return cls(row.id, row.name, row.role, row.lang, services=services, is_worker=row.crowd is not None)


@dataclass(frozen=True)
class People(Result):
    """All accounts."""

    kind: ClassVar[str] = "users"

    people: tuple[
        tuple[str, str, str, str | None, bool, str], ...
    ]  # name, role, languages, platform, disabled, created

    def tables(self) -> list[Table]:
        """One row per account."""
        return [Table.of("Accounts", [Column(name) for name in _FACTS], self.people)]


@dataclass(frozen=True)
class Account(Result):
    """One account, with the campaigns that it takes part in."""

    kind: ClassVar[str] = "account"

    name: str
    role: str
    languages: str
    platform: str | None
    disabled: bool
    created: str
    campaigns: tuple[tuple[str, str, bool], ...]  # campaign, joined, excluded
    services: tuple[str, ...] | None = None  # given to the account; None: it has those of its role

    def tables(self) -> list[Table]:
        """The account, then its campaigns."""
        row = (self.name, self.role, self.languages, self.platform, self.disabled, self.created)
        campaigns = [Column(name) for name in ("campaign", "joined", "excluded")]
        return [
            Table.of("Account", [Column(name) for name in _FACTS], [row]),
            Table.of(f"Campaigns of {self.name}", campaigns, self.campaigns),
        ]

    def meta(self) -> dict[str, Any]:
        """The campaigns, and the services that were given."""
        services = None if self.services is None else list(self.services)
        return {"campaigns": self.tables()[1].records(), "services": services}


def add_user(
    connection: sa.Connection,
    name: str,
    role: str,
    password: str | HashedPassword | None,
    *,
    actor: Actor,
    languages: Sequence[str] = (),
    platform: dict[str, Any] | None = None,
) -> User:
    """Make an account. Without a password nobody can sign in to it but by a crowd platform's link.

    Of `platform` a worker's id is kept for finding the account again.
    """
    (check_name if password is None else check_own_name)(name)
    if role not in ROLES:
        raise DataError(f"There is no role {role!r}. Known: {', '.join(ROLES)}.")
    hashed = None if password is None else hash_password(password).value
    values: dict[str, Any] = {"name": name, "key": name_key(name), "role": role, "password": hashed, "created": now()}
    if platform is not None:
        worker = platform.get("worker")
        values |= {"platform": platform, "worker": worker, "crowd": None if worker is None else platform["platform"]}
    try:
        with connection.begin_nested():
            key = connection.execute(sa.insert(tables.users).values(**values)).inserted_primary_key
    except sa.exc.IntegrityError:
        raise Conflict(f"There is an account called {name!r} already; choose another name.") from None
    user = User(int((key or (0,))[0]), name, role)
    audit.record(connection, actor, "user added", f"user {name}", role=role)
    if languages:
        grant_languages(connection, name, languages, actor=actor)
    return user


def is_free(connection: sa.Connection, name: str) -> bool:
    """Whether no account is called so, however it is written."""
    return connection.scalar(sa.select(tables.users.c.id).where(tables.users.c.key == name_key(name))) is None


def has_admin(connection: sa.Connection) -> bool:
    """Whether somebody can sign in and manage the house."""
    return connection.scalar(sa.select(tables.users.c.id).where(_IS_ADMIN).limit(1)) is not None


def find_user(connection: sa.Connection, name: str) -> User:
    """The account of this name."""
    row = connection.execute(sa.select(tables.users).where(tables.users.c.name == name)).first()
    if row is None:
        raise NotFound(f"There is no account called {name!r}.")
    return User.of(row)


def find_account(connection: sa.Connection, name: str, campaigns: sa.Select[int] | None = None) -> Account:
    """The account of this name, as managers see it; perhaps with these of its campaigns only."""
    row = connection.execute(sa.select(tables.users).where(tables.users.c.name == name)).first()
    if row is None:
        raise NotFound(f"There is no account called {name!r}.")
    member = tables.members.c
    query = (
        sa.select(tables.campaigns.c.name, member.joined, member.excluded)
        .join(tables.campaigns, tables.campaigns.c.id == member.campaign_id)
        .where(member.user_id == row.id)
        .order_by(tables.campaigns.c.id)
    )
    parts = connection.execute(query if campaigns is None else query.where(member.campaign_id.in_(campaigns)))
    return Account(
        row.name,
        row.role,
        ", ".join(languages_of(connection, User.of(row))),
        (row.platform or {}).get("platform"),
        row.disabled is not None,
        row.created.isoformat(timespec="seconds"),
        tuple((each.name, each.joined.isoformat(timespec="seconds"), each.excluded is not None) for each in parts),
        User.of(row).services,
    )


def list_users(connection: sa.Connection) -> People:
    """All accounts, in the order of their names."""
    languages: dict[int, list[str]] = {}
    for row in connection.execute(sa.select(tables.qualifications).order_by(tables.qualifications.c.language)):
        languages.setdefault(row.user_id, []).append(row.language)
    rows = [
        (
            row.name,
            row.role,
            ", ".join(languages.get(row.id, [])),
            (row.platform or {}).get("platform"),
            row.disabled is not None,
            row.created.isoformat(timespec="seconds"),
        )
        for row in connection.execute(sa.select(tables.users).order_by(tables.users.c.name))
    ]
    return People(tuple(rows))


def languages_of(connection: sa.Connection, user: User) -> list[str]:
    """The languages in which a person may judge."""
    query = sa.select(tables.qualifications.c.language).where(tables.qualifications.c.user_id == user.id)
    return [str(language) for language in connection.scalars(query.order_by(tables.qualifications.c.language))]


def grant_languages(connection: sa.Connection, name: str, languages: Sequence[str], *, actor: Actor) -> list[str]:
    """Say in which languages a person may judge: these and no others."""
    user = find_user(connection, name)
    wanted = sorted({parse_language(language) for language in languages})
    connection.execute(sa.delete(tables.qualifications).where(tables.qualifications.c.user_id == user.id))
    for language in wanted:
        connection.execute(sa.insert(tables.qualifications).values(user_id=user.id, language=language, granted=now()))
    audit.record(connection, actor, "languages granted", f"user {name}", languages=" ".join(wanted))
    return wanted


def set_role(connection: sa.Connection, name: str, role: str, *, actor: Actor) -> User:
    """Give an account another role; whoever is signed in with it has it at once."""
    if role not in ROLES:
        raise DataError(f"There is no role {role!r}. Known: {', '.join(ROLES)}.")
    user = find_user(connection, name)
    if user.role == "admin" != role:
        _keep_an_admin(connection, user)
    connection.execute(sa.update(tables.users).where(tables.users.c.id == user.id).values(role=role))
    audit.record(connection, actor, "role changed", f"user {name}", role=role)
    return replace(user, role=role)


def set_password(
    connection: sa.Connection, name: str, password: str | HashedPassword, *, actor: Actor, keep_tokens: bool = False
) -> None:
    """Give an account a new password; all its sessions end, and its tokens unless they are to be kept.

    A crowd worker's account gets none: others could answer as them.
    """
    user = find_user(connection, name)
    query = sa.select(tables.users.c.crowd, tables.users.c.password).where(tables.users.c.id == user.id)
    crowd, old = connection.execute(query).one()
    if crowd is not None:
        raise NotAllowed(
            f"{name} is a worker of {crowd} and signs in by the platform's link alone; with a password others could "
            "answer as them. Make an account of another name."
        )
    if old is None:
        check_own_name(name)  # of an archive: it may have a worker's name
    values = {"password": hash_password(password).value}
    connection.execute(sa.update(tables.users).where(tables.users.c.id == user.id).values(**values))
    connection.execute(sa.delete(tables.sessions).where(tables.sessions.c.user_id == user.id))
    if not keep_tokens:
        good = (tables.tokens.c.user_id == user.id) & tables.tokens.c.revoked.is_(None)
        connection.execute(sa.update(tables.tokens).where(good).values(revoked=now()))
    audit.record(connection, actor, "password changed", f"user {name}")


def check_old_password(connection: sa.Connection, user: User, old: str) -> None:
    """Raise if this is not the password of the account."""
    hashed = connection.scalar(sa.select(tables.users.c.password).where(tables.users.c.id == user.id))
    if not password_fits(hashed, old):
        raise NotAllowed("The old password is wrong.")


def set_disabled(connection: sa.Connection, name: str, disabled: bool, *, actor: Actor) -> None:
    """Close an account, or open it again; what the person said stays."""
    user = find_user(connection, name)
    if disabled and user.role == "admin":
        _keep_an_admin(connection, user)
    values = {"disabled": now() if disabled else None}
    connection.execute(sa.update(tables.users).where(tables.users.c.id == user.id).values(**values))
    if disabled:
        connection.execute(sa.delete(tables.sessions).where(tables.sessions.c.user_id == user.id))
    audit.record(connection, actor, "user disabled" if disabled else "user enabled", f"user {name}")


def _keep_an_admin(connection: sa.Connection, user: User) -> None:
    others = sa.select(sa.func.count()).where(_IS_ADMIN, tables.users.c.id != user.id)
    if not connection.scalar(others):
        raise Conflict(f"{user.name} is the only admin; make another one first.")
