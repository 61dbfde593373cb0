"""The database of a server, for commands that work on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dragoman.errors import DataError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from dragoman.store import Store

__all__ = ["db_option", "open_store", "reading", "writing"]

db_option = click.option(
    "--db",
    default="dragoman.db",
    show_default=True,
    envvar="DRAGOMAN_DB",
    metavar="URL",
    help="Database of the server: a SQLite file, or postgresql://…; also $DRAGOMAN_DB.",
)


def open_store(db: str, *, make: bool = False) -> Store:
    """The database to be written to, brought up to date; one that is not there is made only if `make`.

    It is closed when the command ends.
    """
    if not make:
        _check_there(db)
    from dragoman.store import Store

    store = Store(db, threads=2)
    click.get_current_context().call_on_close(store.close)
    store.migrate()
    return store


@contextmanager
def writing(db: str) -> Iterator[Connection]:
    """A transaction that writes to the database, brought up to date."""
    with open_store(db).write() as connection:
        yield connection


@contextmanager
def reading(db: str) -> Iterator[Connection]:
    """A transaction that reads. Nothing is written: a database of an older shape is named, not brought up to date."""
    _check_there(db)
    from dragoman.store import Store

    store = Store(db, threads=2, read_only=True)
    with closing(store):
        store.check_shape()
        with store.read() as connection:
            yield connection


def _check_there(db: str) -> None:
    if "://" not in db and not Path(db).is_file():
        raise DataError(f"There is no database {db}; `dragoman campaign new` or `dragoman serve` makes it.")
