"""The database: one engine, reading and writing transactions, migrations."""

from __future__ import annotations

import math
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import sqlalchemy as sa

from dragoman.errors import DataError, NotAvailable
from dragoman.store import tables

__all__ = ["Store"]

T = TypeVar("T")

_BUSY_SECONDS = 30
_IDLE_SECONDS = 5.0  # after which a connection to PostgreSQL is tried before it is used
_MOST_PIECES = 64  # that share a transaction


class _Piece(Generic[T]):
    """Work that waits for a transaction, and what came of it."""

    def __init__(self, work: Callable[[sa.Connection], T]) -> None:
        self.work = work
        self.done = False
        self.result: T | None = None
        self.error: BaseException | None = None

    def run(self, connection: sa.Connection) -> None:
        """Do it in a savepoint. Where the database itself fails (a full disk), the transaction of all is over."""
        try:
            with connection.begin_nested():
                self.result = self.work(connection)
        except sa.exc.OperationalError:
            raise
        except Exception as error:
            self.error = error


class Store:
    """A database of campaigns: a path is a SQLite file, anything else a SQLAlchemy URL.

    SQLite runs in WAL mode with full synchronisation: what was committed survives a crash of the program and of the
    machine. Writers take turns from the start of their transaction (BEGIN IMMEDIATE), so none fails half-way.
    With `read_only` the database itself refuses to write, and its file stays as it is.
    """

    def __init__(self, db: str | Path, *, threads: int = 16, read_only: bool = False) -> None:
        text = str(db)
        try:
            self.url = sa.make_url(text) if "://" in text else sa.URL.create("sqlite", database=text)
        except sa.exc.ArgumentError:
            raise DataError(f"{text!r} is no address of a database; name a file or a URL like postgresql://…") from None
        if self.url.drivername in ("postgres", "postgresql"):
            self.url = self.url.set(drivername="postgresql+psycopg")
        self.dialect = self.url.get_backend_name()
        if self.dialect not in ("sqlite", "postgresql"):
            raise DataError(f"Campaigns are kept in SQLite or PostgreSQL, not in {self.dialect}.")
        if self.dialect == "sqlite" and self.url.database in (None, "", ":memory:"):
            raise DataError("A database in memory cannot be shared by connections; name a file.")
        self.read_only = read_only
        self.engine = self._engine(threads)
        self._loose = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        # Threads of one process queue here instead of polling SQLite's lock, which is neither quick nor fair.
        self._turn: Any = threading.Lock() if self.dialect == "sqlite" else nullcontext()
        self._pieces: deque[_Piece[Any]] = deque()
        self._secret: str | None = None

    def _engine(self, threads: int) -> sa.Engine:
        if self.dialect == "sqlite":
            address = _unchanged(self.url) if self.read_only else self.url
            engine = sa.create_engine(
                address, pool_size=threads, max_overflow=4, connect_args={"timeout": _BUSY_SECONDS}
            )
            sa.event.listen(engine, "connect", partial(_set_up_sqlite, read_only=self.read_only))
            sa.event.listen(engine, "begin", _begin_sqlite)
            sa.event.listen(engine, "handle_error", self._name_damage)
            return engine
        try:
            engine = sa.create_engine(self.url, pool_size=threads, max_overflow=4, connect_args={"connect_timeout": 10})
        except ModuleNotFoundError as error:
            raise NotAvailable.package("PostgreSQL", package=error.name or "psycopg", extra="postgres") from None
        sa.event.listen(engine, "checkin", _note_use)
        sa.event.listen(engine, "checkout", partial(_ask_idle, engine.dialect))
        return engine.execution_options(postgresql_readonly=True) if self.read_only else engine

    def __repr__(self) -> str:
        return f"Store({self.url.render_as_string(hide_password=True)!r})"

    @property
    def name(self) -> str:
        """The database as it may be shown: without its password."""
        return str(self.url.database) if self.dialect == "sqlite" else self.url.render_as_string(hide_password=True)

    @property
    def is_open_to_others(self) -> bool:
        """Whether other users of this machine may read the file of the database."""
        file = Path(str(self.url.database))
        return self.dialect == "sqlite" and file.exists() and bool(file.stat().st_mode & 0o077)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that only reads; it sees one state of the database."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def peek(self) -> Iterator[sa.Connection]:
        """A connection for one statement that reads: on PostgreSQL without the ways to begin and end a transaction."""
        if self.dialect == "sqlite":
            with self.read() as connection:
                yield connection
            return
        with self._loose.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction that writes: all of it is saved when the block ends, or nothing if it raises."""
        with self._turn, self.engine.connect() as connection:
            connection = connection.execution_options(dragoman_writes=True)
            with connection.begin():
                yield connection

    def together(self, work: Callable[[sa.Connection], T]) -> T:
        """What `work` makes of a writing transaction. On SQLite, callers that wait for their turn share one.

        SQLite has one writer at a time, and a commit waits for the disk; sharing it keeps many people who save at
        once from waiting for as many commits. Each piece of work stands or falls for itself (a savepoint), and nobody
        gets an answer before the commit; if that fails, it fails for all.
        """
        if self.dialect != "sqlite":
            with self.write() as connection:
                return work(connection)
        mine: _Piece[T] = _Piece(work)
        self._pieces.append(mine)
        with self._turn:
            while not mine.done:  # nobody took it along
                self._do_pieces()
        if mine.error is not None:
            raise mine.error
        return mine.result  # type: ignore[return-value]

    def _do_pieces(self) -> None:
        pieces = [self._pieces.popleft() for _ in range(min(len(self._pieces), _MOST_PIECES))]
        try:
            with self.engine.connect() as connection:
                connection = connection.execution_options(dragoman_writes=True)
                with connection.begin():
                    for piece in pieces:
                        piece.run(connection)
        except BaseException as error:
            for piece in pieces:
                piece.error = piece.error or error
        finally:
            for piece in pieces:
                piece.done = True

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    def migrate(self) -> tuple[str | None, str]:
        """Bring the database to this program's shape; the revisions before and after. A newer one is refused."""
        from dragoman.store.shape import migrate

        if self.dialect == "sqlite":
            folder = Path(str(self.url.database)).absolute().parent
            if not folder.is_dir():
                raise DataError(f"{folder} is no folder, so the database {self.url.database} cannot be made there.")
            _make_private(Path(str(self.url.database)).absolute())
        with self._errors_named(), self.write() as connection:
            return migrate(connection, self.name)

    def check_shape(self) -> None:
        """Refuse a database that `migrate` has not brought to this program's shape. Nothing is written."""
        from dragoman.store.shape import check_shape

        with self._errors_named(), self.read() as connection:
            check_shape(connection, self.name)

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        """What is wrong with a database that cannot be opened, and the cure."""
        try:
            yield
        except sa.exc.OperationalError as error:
            message = str(error.orig).strip()
            if "readonly" in message or self._is_read_only():
                raise DataError(
                    f"The database {self.name} is read-only; make the file and its folder writable for this user."
                ) from None
            if "locked" in message:
                raise DataError(
                    f"The database {self.name} is in use by another program, which has been writing for "
                    f"{_BUSY_SECONDS} seconds; stop it, or wait until it has finished."
                ) from None
            raise DataError(f"The database {self.name} cannot be opened: {message}") from None
        except sa.exc.DatabaseError as error:
            if "not a database" not in str(error.orig):
                raise
            raise DataError(f"{self.name} is there, but it is no SQLite database. Name another file.") from None

    def _name_damage(self, context: sa.engine.ExceptionContext) -> None:
        """Say what is wrong with a file that was cut short or written over, whatever was asked of it."""
        if getattr(context.original_exception, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
            raise DataError(f"The database {self.name} is damaged or cut short. Put the last backup in its place.")

    def _is_read_only(self) -> bool:
        """Whether the file, or the folder in which SQLite keeps its log, cannot be written."""
        if self.dialect != "sqlite":
            return False
        file = Path(str(self.url.database)).absolute()
        return not os.access(file.parent, os.W_OK) or (file.exists() and not os.access(file, os.W_OK))

    @property
    def secret(self) -> bytes:
        """What signs the links and tokens of this installation."""
        if self._secret is None:
            with self.read() as connection:
                query = sa.select(tables.properties.c.value).where(tables.properties.c.name == "secret")
                self._secret = str(connection.scalar(query))
        return self._secret.encode()


def _make_private(file: Path) -> None:
    """Make the file, if it is not there, for its owner alone; SQLite gives its logs the same rights."""
    with suppress(OSError):  # there already, or it cannot be made: opening it says so
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _unchanged(url: sa.URL) -> sa.URL:
    """The address by which SQLite reads a file and changes neither it nor, where there is none, its log.

    Where there is a log, it may be a server's that was killed, and closing would write it into the file. Where the
    folder cannot be written, no log can be made, and nobody else writes either.
    """
    file = Path(str(url.database)).absolute()
    if Path(f"{file}-wal").exists():
        query = {"mode": "ro"}
    else:
        query = {"mode": "rw"} if os.access(file.parent, os.W_OK) else {"immutable": "1"}
    return url.set(database=f"file:{quote(str(file))}", query={**query, "uri": "true"})


def _set_up_sqlite(connection: Any, _record: Any, *, read_only: bool) -> None:
    connection.isolation_level = None  # transactions begin where `_begin_sqlite` says, not where the driver guesses
    cursor = connection.cursor()
    pragmas = ["query_only = ON"] if read_only else ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]
    for pragma in (*pragmas, f"busy_timeout = {_BUSY_SECONDS}000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _note_use(_connection: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _ask_idle(dialect: sa.Dialect, connection: Any, record: Any, _proxy: Any) -> None:
    """Try a connection that lay idle before it is used again: PostgreSQL may have been restarted meanwhile."""
    if connection is None or time.monotonic() - record.info.get("used", math.inf) < _IDLE_SECONDS:
        return
    try:
        dialect.do_ping(connection)
    except Exception:
        raise sa.exc.DisconnectionError from None


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("dragoman_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
