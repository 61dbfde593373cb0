"""Tokens for programs: what a person's scripts may do in their name, until when; withdrawn at any time.

A token is shown once, when it is made; the database keeps its hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import check_row, now
from dragoman.store.database import Store
from dragoman.store.people.accounts import User
from dragoman.store.people.services import SERVICES, check_service
from dragoman.store.people.sessions import Session
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.store.signing import digest, new_token

__all__ = ["SCOPES", "ApiToken", "ApiTokens", "check_token", "find_token", "list_tokens", "make_token", "revoke_token"]

SCOPES = ("translate", "score", "quality", "cat", "submit")
_MOST_DAYS = 366
_MOST_GOOD = 20  # tokens of an account at a time
_MOST_KEPT = 100  # of an account, those that are over or withdrawn among them
_MOST_PER_MINUTE = 10**6
_MARK = "drg_"  # by which scanners for leaked secrets know one
_NOTED = timedelta(minutes=10)  # use is noted no more often than this: reading must not mean writing
_T = tables.tokens.c
_COLUMNS = ("token", "name", "scopes", "created", "expires", "last_used", "revoked", "per_minute")

_FIND = (
    sa.select(tables.users, _T.id.label("token_id"), _T.scopes, _T.expires, _T.used, _T.revoked, _T.per_minute)
    .join(tables.tokens, _T.user_id == tables.users.c.id)
    .where(_T.digest == sa.bindparam("digest"), tables.users.c.disabled.is_(None))
)


@dataclass(frozen=True)
class ApiToken(Result):
    """A token; `secret` is known only to who makes it."""

    kind: ClassVar[str] = "API token"

    id: int
    name: str
    scopes: tuple[str, ...]
    created: datetime
    expires: datetime
    used: datetime | None = None
    revoked: bool = False
    secret: str = ""
    per_minute: int | None = None  # requests; None: as many as the account may make

    def tables(self) -> list[Table]:
        """The token as one row."""
        columns = [Column(name) for name in (*_COLUMNS, "secret")]
        return [Table.of("Token", columns, [(*_row(self), self.secret or None)])]


@dataclass(frozen=True)
class ApiTokens(Result):
    """Tokens without what is secret of them."""

    kind: ClassVar[str] = "API tokens"

    tokens: tuple[ApiToken, ...]

    def tables(self) -> list[Table]:
        """One row per token."""
        return [Table.of("Tokens", [Column(name) for name in _COLUMNS], [_row(each) for each in self.tokens])]


def _row(token: ApiToken) -> tuple[Any, ...]:
    moments = (token.created, token.expires, token.used)
    shown = [None if each is None else each.isoformat(timespec="seconds") for each in moments]
    return (token.id, token.name, " ".join(token.scopes), *shown, token.revoked, token.per_minute)


def make_token(
    connection: sa.Connection,
    user: User,
    *,
    name: str,
    scopes: Sequence[str],
    days: int = 90,
    per_minute: int | None = None,
    actor: Actor,
) -> ApiToken:
    """Make a token with which programs act for a person, within scopes that the person has the right to.

    `per_minute` bounds its requests below what the account may make.
    """
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        raise DataError(f"A token has one scope or more of: {', '.join(SCOPES)}; got {', '.join(scopes) or 'none'}.")
    if not 1 <= days <= _MOST_DAYS:
        raise DataError(f"A token is good for 1 to {_MOST_DAYS} days, not {days}.")
    if per_minute is not None and not 1 <= per_minute <= _MOST_PER_MINUTE:
        raise DataError(f"A token may be used 1 to {_MOST_PER_MINUTE:,} times a minute, not {per_minute}.")
    for scope in scopes:
        if scope in SERVICES:
            check_service(user, scope)
    moment = now()
    _make_room(connection, user)
    secret = _MARK + new_token()
    ordered = sorted(set(scopes), key=SCOPES.index)
    token = ApiToken(
        0, name.strip(), tuple(ordered), moment, moment + timedelta(days=days), secret=secret, per_minute=per_minute
    )
    values: dict[str, Any] = {
        "user_id": user.id,
        "name": token.name,
        "digest": digest(secret),
        "scopes": ordered,
        "created": token.created,
        "expires": token.expires,
        "per_minute": per_minute,
    }
    check_row(tables.tokens, values)
    key = connection.execute(sa.insert(tables.tokens).values(**values)).inserted_primary_key
    number = int((key or (0,))[0])
    audit.record(connection, actor, "token made", f"user {user.name}", token=number, scopes=ordered)
    return replace(token, id=number)


def _make_room(connection: sa.Connection, user: User) -> None:
    """Refuse a token too many; of those that are over or withdrawn the oldest go."""
    mine = _T.user_id == user.id
    is_good = _T.revoked.is_(None) & (_T.expires > now())
    n_good = int(connection.scalar(sa.select(sa.func.count()).where(mine, is_good)) or 0)
    if n_good >= _MOST_GOOD:
        raise Conflict(f"You have {n_good} tokens; withdraw one before you make another.")
    kept = sa.select(_T.id).where(mine, ~is_good).order_by(_T.id.desc()).limit(_MOST_KEPT - _MOST_GOOD)
    connection.execute(sa.delete(tables.tokens).where(mine, ~is_good, _T.id.not_in(kept)))


def check_token(connection: sa.Connection, user: User, number: int) -> None:
    """Raise if a person has no token of this number."""
    if connection.scalar(sa.select(_T.id).where(_T.id == number, _T.user_id == user.id)) is None:
        raise NotFound(f"You have no token {number}.")


def list_tokens(connection: sa.Connection, user: User) -> ApiTokens:
    """A person's tokens, also those that are over."""
    query = sa.select(tables.tokens).where(_T.user_id == user.id).order_by(_T.id)
    return ApiTokens(tuple(_of(row) for row in connection.execute(query)))


def revoke_token(connection: sa.Connection, user: User, number: int, *, actor: Actor) -> None:
    """Withdraw a token of a person's; from now on it opens nothing."""
    check_token(connection, user, number)
    mine = (_T.id == number) & (_T.user_id == user.id)
    connection.execute(sa.update(tables.tokens).where(mine, _T.revoked.is_(None)).values(revoked=now()))
    audit.record(connection, actor, "token withdrawn", f"user {user.name}", token=number)


def find_token(store: Store, secret: str, scope: str) -> Session | None:
    """Whose token it is, as a session for one request; None if it is nobody's, over or withdrawn."""
    with store.peek() as connection:
        row = connection.execute(_FIND, {"digest": digest(secret)}).first()
    moment = now()
    if row is None or row.revoked is not None or row.expires <= moment:
        return None
    if scope not in row.scopes:
        raise NotAllowed(f"This token is for {', '.join(row.scopes)}; make one with the scope {scope}.")
    if row.used is None or moment - row.used > _NOTED:
        with store.write() as connection:
            connection.execute(sa.update(tables.tokens).where(_T.id == row.token_id).values(used=moment))
    return Session(User.of(row), "", key=row.token_id, per_minute=row.per_minute)


def _of(row: Any) -> ApiToken:
    return ApiToken(row.id, row.name, tuple(row.scopes), row.created, row.expires, row.used, row.revoked is not None,
                    per_minute=row.per_minute)  # fmt: skip
