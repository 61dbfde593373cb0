"""The database: migrations, transactions, what is refused."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from dragoman.errors import DataError
from dragoman.store import Store, tables
from dragoman.store.columns import Json, Moment, now
from dragoman.store.translating import tables as translating


def test_migrations_make_the_tables_of_the_code(store: Store) -> None:
    assert translating.projects.metadata is tables.metadata
    with store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
    before, after = store.migrate()
    assert before == after


def test_a_new_file_gets_its_shape_and_a_secret(tmp_path: Path) -> None:
    store = Store(tmp_path / "new.db")
    before, after = store.migrate()
    assert (before, len(store.secret)) == (None, 64)
    assert store.migrate() == (after, after)
    store.close()


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "new.db")
    before = os.umask(0)
    try:
        store.migrate()
        with store.write() as connection:
            modes = {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
            connection.exec_driver_sql("SELECT 1")
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("new.db", "new.db-shm", "new.db-wal"), "0o600")
    assert not store.is_open_to_others
    (tmp_path / "new.db").chmod(0o640)
    assert store.is_open_to_others
    store.migrate()
    assert store.is_open_to_others, "what somebody has shared stays shared"
    store.close()


def test_a_newer_database_is_refused(store: Store) -> None:
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DataError, match=r"written by a newer Dragoman \(its shape is 9999; .* up to \d{4}\)"):
        store.migrate()


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_database_that_was_cut_short_is_named(tmp_path: Path, share: float) -> None:
    path = tmp_path / "whole.db"
    whole = Store(path)
    whole.migrate()
    whole.close()
    content = path.read_bytes()
    (tmp_path / "cut.db").write_bytes(content[: int(share * len(content))])
    cut = Store(tmp_path / "cut.db")
    with pytest.raises(DataError, match=r"cut\.db is damaged or cut short\. Put the last backup in its place\."):
        cut.migrate()
    cut.close()


def test_what_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at as one" * 20)
    with pytest.raises(DataError, match="is there, but it is no SQLite database"):
        Store(tmp_path / "text.db").migrate()
    with pytest.raises(DataError, match="is no folder, so the database"):
        Store(tmp_path / "nowhere" / "x.db").migrate()
    with pytest.raises(DataError, match="SQLite or PostgreSQL, not in mysql"):
        Store("mysql://localhost/x")
    with pytest.raises(DataError, match="is no address of a database"):
        Store("://")
    with pytest.raises(DataError, match="in memory"):
        Store("sqlite://")
    with pytest.raises(DataError, match=r"cannot be opened"):
        Store("postgresql://nobody@127.0.0.1:1/x").migrate()


def test_passwords_of_databases_are_not_shown() -> None:
    store = Store("postgresql://me:hush@localhost/x")
    assert "hush" not in repr(store) + store.name
    assert store.url.drivername == "postgresql+psycopg"


def test_columns_keep_every_text_and_moment(store: Store) -> None:
    table = sa.Table(
        "odd",
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("value", Json),
        sa.Column("at", Moment),
    )
    value = {"text": "NUL \x00, surrogate \ud800, \u202eright to left", "n": [1, 2.5, None, True]}
    moment = now()
    with store.write() as connection:
        table.create(connection)
        connection.execute(sa.insert(table).values(id=1, value=value, at=moment))
        connection.execute(sa.insert(table).values(id=2))
    with store.read() as connection:
        rows = connection.execute(sa.select(table).order_by(table.c.id)).all()
    assert [tuple(row) for row in rows] == [(1, value, moment), (2, None, None)]


def test_a_transaction_that_raises_leaves_nothing(store: Store) -> None:
    row = sa.insert(tables.properties).values(name="x", value="y")
    with pytest.raises(sa.exc.IntegrityError), store.write() as connection:
        _ = [connection.execute(row), connection.execute(row)]
    with store.read() as connection:
        assert connection.scalar(sa.select(tables.properties.c.value).where(tables.properties.c.name == "x")) is None


def test_writers_take_turns(store: Store) -> None:
    """Read, think, write back: without the lock, counts would be lost."""
    with store.write() as connection:
        connection.execute(sa.insert(tables.properties).values(name="n", value="0"))
    mine = tables.properties.c.name == "n"

    def add() -> None:
        for _ in range(10):
            with store.write() as connection:
                query = sa.select(tables.properties.c.value).where(mine).with_for_update()
                value = int(connection.scalar(query) or 0)
                connection.execute(sa.update(tables.properties).where(mine).values(value=str(value + 1)))

    threads = [threading.Thread(target=add) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as connection:
        assert connection.scalar(sa.select(tables.properties.c.value).where(mine)) == "60"


def test_a_reading_store_reads_and_refuses_to_write(store: Store) -> None:
    reader = Store(store.url.render_as_string(hide_password=False), read_only=True)
    reader.check_shape()
    with reader.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(tables.users))
    with pytest.raises(sa.exc.DBAPIError, match=r"readonly|read-only"), reader.write() as connection:
        connection.execute(sa.delete(tables.sessions))
    reader.close()
