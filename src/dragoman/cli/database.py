"""The database of a server, for commands that work on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.errors import DataError

if TYPE_CHECKING:
    from dragoman.store import Store

__all__ = ["db_option", "open_store"]

db_option = click.option(
    "--db", default="dragoman.db", show_default=True, envvar="DRAGOMAN_DB", metavar="URL",
    help="Database of the server: a SQLite file, or postgresql://…; also $DRAGOMAN_DB.",
)  # fmt: skip


def open_store(db: str, *, make: bool = False) -> Store:
    """The database, brought up to date; one that is not there is made only if `make`."""
    from pathlib import Path

    if not make and "://" not in db and not Path(db).is_file():
        raise DataError(f"There is no database {db}; `dragoman campaign new` or `dragoman serve` makes it.")
    from dragoman.store import Store

    store = Store(db, threads=2)
    store.migrate()
    return store
