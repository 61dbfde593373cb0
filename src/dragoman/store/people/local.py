"""The one person of a server that only its own machine reaches (`serve --local`).

An admin without a password: nobody can sign in to the account where the database is served to others.
"""

from __future__ import annotations

import sqlalchemy as sa

from dragoman.store import tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.database import Store
from dragoman.store.people.accounts import User, add_user, is_free
from dragoman.store.people.sessions import Session
from dragoman.store.refusals import Conflict
from dragoman.store.signing import digest

__all__ = ["LOCAL_NAME", "find_local", "local_user", "make_local"]

LOCAL_NAME = "local"
_FIND = sa.select(tables.users).where(
    tables.users.c.name == LOCAL_NAME,
    tables.users.c.role == "admin",
    tables.users.c.password.is_(None),
    tables.users.c.disabled.is_(None),
)


def make_local(connection: sa.Connection) -> None:
    """Make the account if it is not there yet."""
    if connection.execute(_FIND).first() is not None:
        return
    if not is_free(connection, LOCAL_NAME):
        raise Conflict(
            f"The account {LOCAL_NAME!r} of this database is somebody's. Serve it without --local, or name another "
            "database with --db."
        )
    add_user(connection, LOCAL_NAME, "admin", None, actor=COMMAND_LINE)


def find_local(store: Store) -> Session | None:
    """The session of whoever is at this machine; its token against forged requests is the database's own."""
    with store.peek() as connection:
        user = local_user(connection)
    return None if user is None else Session(user, digest(f"{store.secret.decode()}\x00local"))


def local_user(connection: sa.Connection) -> User | None:
    """The account of whoever is at this machine."""
    row = connection.execute(_FIND).first()
    return None if row is None else User.of(row)
