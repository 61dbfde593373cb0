"""Sessions: an opaque token in a cookie, its hash in the database, and a second token against forged requests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from dragoman.store import audit, tables, throttle
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.database import Store
from dragoman.store.people.accounts import User, check_old_password, set_password
from dragoman.store.people.names import name_key
from dragoman.store.people.passwords import hash_password, password_fits
from dragoman.store.refusals import NotAllowed, NotSignedIn
from dragoman.store.signing import digest, new_token

__all__ = [
    "COOKIE",
    "Session",
    "change_password",
    "check_opened",
    "close_session",
    "find_session",
    "log_in",
    "open_session",
    "opened_by",
    "user_of_session",
]

COOKIE = "dragoman_session"
_WINDOW = 15 * 60  # seconds in which failed logins are counted
_OPENED = "."  # in a token, before the campaigns that it opens; none has it by chance
_RENEW = timedelta(minutes=10)  # an expiry is moved no more often than this: reading must not mean writing


# Asked with every request: built once, for building a statement takes longer than running it.
_SESSION = (
    sa.select(tables.users, tables.sessions.c.csrf, tables.sessions.c.expires)
    .join(tables.sessions, tables.sessions.c.user_id == tables.users.c.id)
    .where(tables.sessions.c.token == sa.bindparam("kept"), tables.users.c.disabled.is_(None))
)


@dataclass(frozen=True)
class Session:
    """Who is signed in; `token` is what the cookie holds, known only when the session is opened."""

    user: User
    csrf: str
    token: str = ""
    key: int | None = None  # the number of the token that a program came with
    per_minute: int | None = None  # requests that this token may be used for
    campaigns: frozenset[int] | None = None  # that links of crowd platforms opened; then it opens nothing else


def open_session(
    connection: sa.Connection, user: User, *, hours: int, campaigns: Collection[int] | None = None
) -> Session:
    """Sign a person in, by the link of a crowd platform to these `campaigns` alone.

    They are in the token, of which the hash is kept: whoever changes them has a token that is nobody's. Sessions that
    are over go on this occasion.
    """
    moment = now()
    token = new_token()
    if campaigns is not None:
        token += _OPENED + "-".join(str(number) for number in sorted(set(campaigns)))
    session = Session(user, new_token(), token, campaigns=_campaigns_of(token))
    connection.execute(sa.delete(tables.sessions).where(tables.sessions.c.expires < moment))
    connection.execute(
        sa.insert(tables.sessions).values(
            token=digest(session.token),
            user_id=user.id,
            csrf=session.csrf,
            created=moment,
            expires=moment + timedelta(hours=hours),
        )
    )
    return session


def find_session(store: Store, token: str | None, *, hours: int) -> Session | None:
    """The session of a cookie, or None; one in use is prolonged now and then."""
    if not token:
        return None
    hashed = digest(token)
    with store.peek() as connection:
        row = connection.execute(_SESSION, {"kept": hashed}).first()
    moment = now()
    if row is None or row.expires <= moment:
        return None
    until = moment + timedelta(hours=hours)
    if until - row.expires > _RENEW:
        with store.write() as connection:
            connection.execute(
                sa.update(tables.sessions).where(tables.sessions.c.token == hashed).values(expires=until)
            )
    return Session(User.of(row), row.csrf, campaigns=_campaigns_of(token))


def _campaigns_of(token: str) -> frozenset[int] | None:
    """The campaigns that a session opens alone, by its token, which the database knows."""
    _, mark, numbers = token.partition(_OPENED)
    return frozenset(int(number) for number in numbers.split("-") if number) if mark else None


def check_opened(connection: sa.Connection, campaign: str, opened: Collection[int]) -> None:
    """Raise if a campaign is none of those that links opened; whether there is such a campaign is not told."""
    number = connection.scalar(sa.select(tables.campaigns.c.id).where(tables.campaigns.c.name == campaign))
    if number not in opened:
        raise NotAllowed("This session is of another study; open the link of this one again.")


def opened_by(session: Session) -> sa.Select[int] | None:
    """The numbers of the campaigns that a session opens alone, as a query; None if it opens all of the person's."""
    if session.campaigns is None:
        return None
    return sa.select(tables.campaigns.c.id).where(tables.campaigns.c.id.in_(session.campaigns))


def user_of_session(connection: sa.Connection, token: str) -> User | None:
    """Who a session's cookie belongs to by now, or None; looking does not prolong it."""
    row = connection.execute(_SESSION, {"kept": digest(token)}).first()
    return None if row is None or row.expires <= now() else User.of(row)


def close_session(connection: sa.Connection, token: str) -> None:
    """Sign out."""
    connection.execute(sa.delete(tables.sessions).where(tables.sessions.c.token == digest(token)))


def change_password(
    store: Store, user: User, old: str, new: str, *, hours: int, request: str, keep_tokens: bool = False
) -> Session:
    """Change one's own password; the old one must be given. All sessions and tokens end, and a new session begins."""
    with store.read() as connection:
        check_old_password(connection, user, old)
    hashed = hash_password(new)
    with store.write() as connection:
        set_password(connection, user.name, hashed, actor=Actor(user.name, request), keep_tokens=keep_tokens)
        return open_session(connection, user, hours=hours)


def log_in(store: Store, name: str, password: str, *, address: str, tries: int, hours: int, request: str) -> Session:
    """Sign in with a password.

    Failed tries are counted for the name from this address, for the address, for the name; a right password begins
    the first count anew, and is worth nothing where the count is full. That is looked at before the password, to
    save the work, and after it: of many tries at once, only those that end before the count is full are heard.
    """
    limits = _limits(name, address, tries)
    with store.read() as connection:
        _limit(throttle.check, connection, limits)
        row = connection.execute(sa.select(tables.users).where(tables.users.c.name == _plain(name))).first()
    fits = password_fits(None if row is None or row.disabled else row.password, password)
    with store.write() as connection:
        throttle.sweep(connection)
        if row is None or not fits:
            _limit(throttle.count, connection, limits)
            # Of an unknown name nothing is kept: people type their password there by mistake.
            audit.record(connection, Actor("(nobody)", request), "login failed", f"user {row.name if row else '?'}")
        else:
            _limit(throttle.check, connection, limits)
            throttle.forget(connection, next(iter(limits)))
            audit.record(connection, Actor(row.name, request), "login", f"user {row.name}")
            return open_session(connection, User.of(row), hours=hours)
    raise NotSignedIn("The name or the password is wrong.")


def _limits(name: str, address: str, most: int) -> dict[str, int]:
    """How many tries may fail, by what they are counted for."""
    key = name_key(_plain(name))
    near = digest(f"{key}\x00{address}")[:32]
    return {f"login {near}": most, f"login-from {address}"[:120]: 5 * most, f"login-of {digest(key)}": 10 * most}


def _limit(by: Callable[..., object], connection: sa.Connection, limits: Mapping[str, int]) -> None:
    for key, most in limits.items():
        by(
            connection,
            key,
            limit=most,
            seconds=_WINDOW,
            message="Too many failed logins. Wait a quarter of an hour, or ask for a new password.",
        )


def _plain(name: str) -> str:
    """A name as the database takes it: no NUL, no lone surrogate."""
    return name.replace("\x00", "").encode("utf-8", "replace").decode()
