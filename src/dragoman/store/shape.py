"""The shape of a database, changed by migrations alone: brought up to date, or looked at."""

from __future__ import annotations

import secrets
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from dragoman.errors import DataError
from dragoman.store import tables

__all__ = ["MIGRATIONS", "check_shape", "migrate"]

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x647261676F  # any number that is ours alone


def migrate(connection: sa.Connection, name: str) -> tuple[str | None, str]:
    """Bring the database to this program's shape, with a secret of its own; the revisions before and after."""
    script = ScriptDirectory(str(MIGRATIONS))
    head = str(script.get_current_head())
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    before = _revision(connection, script, name)
    if before != head:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    secret = connection.scalar(sa.select(tables.properties.c.value).where(tables.properties.c.name == "secret"))
    if secret is None:
        connection.execute(sa.insert(tables.properties).values(name="secret", value=secrets.token_hex(32)))
    return before, head


def check_shape(connection: sa.Connection, name: str) -> None:
    """Refuse a database of another shape than this program's, with the command that brings it up to date."""
    script = ScriptDirectory(str(MIGRATIONS))
    head = script.get_current_head()
    revision = _revision(connection, script, name)
    if revision is None:
        raise DataError(
            f"The database {name} holds no campaigns; `dragoman campaign new` or `dragoman serve` makes it."
        )
    if revision != head:
        raise DataError(
            f"The database {name} was written by an older Dragoman (its shape is {revision}, this program's "
            f"{head}), and reading changes nothing. `dragoman campaign migrate` brings it up to date; keep a copy."
        )


def _revision(connection: sa.Connection, script: ScriptDirectory, name: str) -> str | None:
    """The shape that the database has, None where it has none; one that this program does not know is refused."""
    revision = MigrationContext.configure(connection).get_current_revision()
    try:
        script.get_revision(revision or "head")
    except CommandError:
        raise DataError(
            f"The database {name} was written by a newer Dragoman (its shape is {revision}; this program knows "
            f"shapes up to {script.get_current_head()}). Install that version, or name another database with --db."
        ) from None
    return revision
