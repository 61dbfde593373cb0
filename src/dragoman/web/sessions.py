"""Sessions: an opaque token in a cookie, its hash in the database, and a second token against forged requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from dragoman.web import audit, tables, throttle
from dragoman.web.accounts import User
from dragoman.web.audit import Actor
from dragoman.web.columns import now
from dragoman.web.passwords import password_fits
from dragoman.web.refusals import NotSignedIn
from dragoman.web.settings import Settings
from dragoman.web.signing import digest, new_token
from dragoman.web.store import Store

__all__ = ["COOKIE", "Session", "close_session", "find_session", "log_in", "open_session"]

COOKIE = "dragoman_session"
_WINDOW = 15 * 60  # seconds in which failed logins are counted
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


def open_session(connection: sa.Connection, user: User, *, hours: int) -> Session:
    """Sign a person in. Sessions that are over go on this occasion."""
    moment = now()
    session = Session(user, new_token(), new_token())
    connection.execute(sa.delete(tables.sessions).where(tables.sessions.c.expires < moment))
    connection.execute(
        sa.insert(tables.sessions).values(
            token=digest(session.token), user_id=user.id, csrf=session.csrf, created=moment,
            expires=moment + timedelta(hours=hours),
        )
    )  # fmt: skip
    return session


def find_session(store: Store, token: str | None, *, hours: int) -> Session | None:
    """The session of a cookie, or None; one in use is prolonged now and then."""
    if not token:
        return None
    kept = digest(token)
    with store.peek() as connection:
        row = connection.execute(_SESSION, {"kept": kept}).first()
    moment = now()
    if row is None or row.expires <= moment:
        return None
    until = moment + timedelta(hours=hours)
    if until - row.expires > _RENEW:
        with store.write() as connection:
            connection.execute(sa.update(tables.sessions).where(tables.sessions.c.token == kept).values(expires=until))
    return Session(User.of(row), row.csrf)


def close_session(connection: sa.Connection, token: str) -> None:
    """Sign out."""
    connection.execute(sa.delete(tables.sessions).where(tables.sessions.c.token == digest(token)))


def log_in(store: Store, name: str, password: str, *, address: str, settings: Settings, request: str) -> Session:
    """Sign in with a password.

    A try is counted before the password is looked at, so that many tries at once do not slip through; a right
    password begins the first count anew. Tries are counted for the name from this address, for the address, for the
    name.
    """
    tries = settings.login_tries
    near = digest(f"{name.lower()}\x00{address}")[:32]
    keys = {
        f"login {near}": tries,
        f"login-from {address}"[:120]: 5 * tries,
        f"login-of {digest(name.lower())}": 10 * tries,
    }
    with store.write() as connection:
        throttle.sweep(connection)
        for key, limit in keys.items():
            throttle.count(
                connection, key, limit=limit, seconds=_WINDOW,
                message="Too many failed logins. Wait a quarter of an hour, or ask for a new password.",
            )  # fmt: skip
    with store.read() as connection:
        row = connection.execute(sa.select(tables.users).where(tables.users.c.name == _plain(name))).first()
    fits = password_fits(None if row is None or row.disabled else row.password, password)
    with store.write() as connection:
        if row is None or not fits:
            # Of an unknown name nothing is kept: people type their password there by mistake.
            audit.record(connection, Actor("(nobody)", request), "login failed", f"user {row.name if row else '?'}")
        else:
            throttle.forget(connection, next(iter(keys)))
            audit.record(connection, Actor(row.name, request), "login", f"user {row.name}")
            return open_session(connection, User.of(row), hours=settings.session_hours)
    raise NotSignedIn("The name or the password is wrong.")


def _plain(name: str) -> str:
    """A name as the database takes it: no NUL, no lone surrogate."""
    return name.replace("\x00", "").encode("utf-8", "replace").decode()
