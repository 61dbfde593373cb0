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
from dragoman.store.people.sessions import Session
from dragoman.store.refusals import NotAllowed, NotFound
from dragoman.store.signing import digest, new_token

__all__ = ["SCOPES", "ApiToken", "ApiTokens", "find_token", "list_tokens", "make_token", "revoke_token"]

SCOPES = ("translate", "score", "quality", "cat", "submit")
_MOST_DAYS = 366
_MARK = "drg_"  # by which scanners for leaked secrets know one
_NOTED = timedelta(minutes=10)  # use is noted no more often than this: reading must not mean writing
_T = tables.tokens.c
_COLUMNS = ("token", "name", "scopes", "created", "expires", "last_used", "revoked")

_FIND = (
    sa.select(tables.users, _T.id.label("token_id"), _T.scopes, _T.expires, _T.used, _T.revoked)
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
    return (token.id, token.name, " ".join(token.scopes), *shown, token.revoked)


def make_token(
    connection: sa.Connection, user: User, *, name: str, scopes: Sequence[str], days: int = 90, actor: Actor
) -> ApiToken:
    """Make a token with which programs act for a person, within scopes."""
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        raise DataError(f"A token has one scope or more of: {', '.join(SCOPES)}; got {', '.join(scopes) or 'none'}.")
    if not 1 <= days <= _MOST_DAYS:
        raise DataError(f"A token is good for 1 to {_MOST_DAYS} days, not {days}.")
    moment = now()
    secret = _MARK + new_token()
    ordered = sorted(set(scopes), key=SCOPES.index)
    token = ApiToken(0, name.strip(), tuple(ordered), moment, moment + timedelta(days=days), secret=secret)
    values: dict[str, Any] = {
        "user_id": user.id,
        "name": token.name,
        "digest": digest(secret),
        "scopes": ordered,
        "created": token.created,
        "expires": token.expires,
    }
    check_row(tables.tokens, values)
    key = connection.execute(sa.insert(tables.tokens).values(**values)).inserted_primary_key
    number = int((key or (0,))[0])
    audit.record(connection, actor, "token made", f"user {user.name}", token=number, scopes=ordered)
    return replace(token, id=number)


def list_tokens(connection: sa.Connection, user: User) -> ApiTokens:
    """A person's tokens, also those that are over."""
    query = sa.select(tables.tokens).where(_T.user_id == user.id).order_by(_T.id)
    return ApiTokens(tuple(_of(row) for row in connection.execute(query)))


def revoke_token(connection: sa.Connection, user: User, number: int, *, actor: Actor) -> None:
    """Withdraw a token of a person's; from now on it opens nothing."""
    mine = (_T.id == number) & (_T.user_id == user.id)
    if connection.execute(sa.select(_T.id).where(mine)).first() is None:
        raise NotFound(f"You have no token {number}.")
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
    return Session(User.of(row), "")


def _of(row: Any) -> ApiToken:
    return ApiToken(row.id, row.name, tuple(row.scopes), row.created, row.expires, row.used, row.revoked is not None)
