"""Translation memories: who may use which, their units, and what has changed since somebody last looked.

Units are appended and never changed; deletion is a mark, and the audit log says whose. Whoever changes a memory holds
its row, so that a reader who knows the last id and the revision misses nothing (`changes_of`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import check_row, now
from dragoman.store.people.accounts import User
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.text.languages import parse_language

__all__ = [
    "Changes",
    "Memory",
    "MemoryList",
    "NewUnit",
    "StoredUnit",
    "add_units",
    "changes_of",
    "count_origin",
    "create_memory",
    "delete_units",
    "find_memory",
    "list_memories",
    "revision_of",
    "share_memory",
    "unit_of",
    "units_of",
]

_M = tables.memories.c
_U = tables.memory_units.c
_REVISION = sa.select(_M.revision).where(_M.id == sa.bindparam("memory"))
_INSERT = sa.insert(tables.memory_units).returning(_U.id)
_KEYS = 500  # asked for in one query
_PAGE = 20_000  # units read at once
_READERS = ("admin", "manager", "viewer")


@dataclass(frozen=True)
class Memory:
    """A memory as the store knows it."""

    id: int
    name: str
    source_lang: str
    target_lang: str
    shared: bool
    owner_id: int | None  # None: the house's
    created: datetime

    @classmethod
    def of(cls, row: Any) -> Memory:
        """The memory of a row of the table."""
        return cls(row.id, row.name, row.source_lang, row.target_lang, row.shared, row.user_id, row.created)

    def may_use(self, user: User) -> bool:
        """Whether somebody may look things up in it, and name it in a project: a shared one whoever sees projects."""
        return (self.shared and user.role in _READERS) or self.may_change(user)

    def may_write(self, user: User) -> bool:
        """Whether what is confirmed in somebody's project may go there: the house's, or one that they may change."""
        return self.may_change(user) or (self.owner_id is None and self.may_use(user))

    def may_change(self, user: User) -> bool:
        """Whether somebody may have the whole of it, import into it, share it, delete units of others."""
        is_manager = user.role == "admin" or (user.role == "manager" and not user.limited)
        return user.id == self.owner_id or is_manager


@dataclass(frozen=True)
class NewUnit:
    """A unit to be added. One with a `key` takes the place of the unit that was added with the same key."""

    source: str
    target: str
    previous: str | None = None  # the source before it; empty: it is the first; None: not known
    next: str | None = None
    key: str | None = None
    created: datetime | None = None  # where it comes from elsewhere


@dataclass(frozen=True)
class StoredUnit:
    """A unit with where it comes from."""

    id: int
    source: str
    target: str
    previous: str | None
    next: str | None
    user: str | None
    origin: str
    created: datetime
    deleted: datetime | None


@dataclass(frozen=True)
class Changes:
    """What came into a memory and what went out of it since a revision."""

    revision: int
    added: Sequence[Any]  # rows of id, source, target, previous, next; in the order of ids
    deleted: Sequence[int]
    whole: bool  # nothing is left to be read of this revision


@dataclass(frozen=True)
class MemoryList(Result):
    """Memories by name, and how many units each has."""

    kind: ClassVar[str] = "memories"

    memories: tuple[tuple[Memory, str | None, int], ...]  # with the owner's name and the number of units

    def tables(self) -> list[Table]:
        """One row per memory."""
        columns = [Column(name) for name in ("name", "source", "target", "units", "shared", "owner")]
        rows = [
            (memory.name, memory.source_lang, memory.target_lang, n, memory.shared, owner)
            for memory, owner, n in self.memories
        ]
        return [Table.of("Memories", columns, rows)]


def create_memory(
    connection: sa.Connection,
    name: str,
    source_lang: str,
    target_lang: str,
    *,
    owner: User | None = None,
    shared: bool = False,
    actor: Actor,
) -> Memory:
    """A new, empty memory. One without an owner is the house's, and shared."""
    if not name.strip() or name != name.strip():
        raise DataError(f"{name!r} cannot name a memory; take up to 80 characters without spaces around them.")
    values = {
        "name": name,
        "source_lang": str(parse_language(source_lang)),
        "target_lang": str(parse_language(target_lang)),
        "shared": shared or owner is None,
        "user_id": owner.id if owner else None,
        "revision": 0,
    }
    check_row(tables.memories, values)
    if connection.scalar(sa.select(_M.id).where(_M.name == name)) is not None:
        raise Conflict(f"There is a memory {name!r} already; choose another name.")
    connection.execute(sa.insert(tables.memories).values(created=now(), **values))
    audit.record(connection, actor, "memory created", f"memory {name}", languages=f"{source_lang} {target_lang}")
    return find_memory(connection, name)


def find_memory(
    connection: sa.Connection, name: str, user: User | None = None, *, at_work: Collection[str] = ()
) -> Memory:
    """The memory of this name, one that `user` may use, or of those that they work with."""
    row = connection.execute(sa.select(tables.memories).where(_M.name == name)).first()
    memory = None if row is None else Memory.of(row)
    if memory is None or (user is not None and not memory.may_use(user) and name not in at_work):
        raise NotFound(f"There is no memory {name!r}; `dragoman cat memory list` lists those there are.")
    return memory


def list_memories(connection: sa.Connection, user: User | None = None, *, at_work: Collection[str] = ()) -> MemoryList:
    """The memories that somebody may use or works with, or all."""
    count = sa.select(sa.func.count()).where(_U.memory_id == _M.id, _U.deletion.is_(None)).scalar_subquery()
    query = sa.select(tables.memories, tables.users.c.name.label("owner"), count.label("n_units")).order_by(_M.name)
    rows = connection.execute(query.join(tables.users, tables.users.c.id == _M.user_id, isouter=True))
    found = [(Memory.of(row), row.owner, row.n_units) for row in rows]
    return MemoryList(tuple(each for each in found if user is None or each[0].may_use(user) or each[0].name in at_work))


def share_memory(connection: sa.Connection, memory: Memory, shared: bool, *, actor: Actor) -> None:
    """Open a memory to everybody, or close it again."""
    if memory.owner_id is None and not shared:
        raise Conflict(f"The memory {memory.name!r} has no owner: closed, nobody could use it.")
    connection.execute(sa.update(tables.memories).where(_M.id == memory.id).values(shared=shared))
    audit.record(connection, actor, "memory shared" if shared else "memory closed", f"memory {memory.name}")


def add_units(
    connection: sa.Connection, memory: Memory, units: Sequence[NewUnit], *, origin: str, user_id: int | None = None
) -> list[int]:
    """Append units; their ids. What has a key takes the place of the unit with that key."""
    values = {"origin": origin}
    for unit in units:
        check_row(tables.memory_units, {**values, "source": unit.source, "target": unit.target, "key": unit.key})
        check_row(tables.memory_units, {"previous": unit.previous, "next": unit.next})
    revision = _changed(connection, memory)
    keys = [unit.key for unit in units if unit.key is not None]
    if len(set(keys)) != len(keys):
        raise DataError("Two units to be added have the same key; one would take the other's place at once.")
    for start in range(0, len(keys), _KEYS):
        _mark(connection, memory, revision, _U.key.in_(keys[start : start + _KEYS]))
    at = now()
    rows = [
        {
            "memory_id": memory.id,
            "source": unit.source,
            "target": unit.target,
            "previous": unit.previous,
            "next": unit.next,
            "user_id": user_id,
            "origin": origin,
            "key": unit.key,
            "created": unit.created or at,
        }
        for unit in units
    ]
    if not rows:
        return []
    if len(rows) == 1:  # a segment that is confirmed: one round trip less
        return [int(connection.execute(_INSERT, rows[0]).scalar_one())]
    connection.execute(sa.insert(tables.memory_units), rows)
    # Nobody else can have added since the memory's row is held, so the last ids are those of these rows.
    last = sa.select(_U.id).where(_U.memory_id == memory.id).order_by(_U.id.desc()).limit(len(rows))
    return list(connection.scalars(last))[::-1]


def delete_units(
    connection: sa.Connection, memory: Memory, ids: Sequence[int], *, actor: Actor, user: User | None = None
) -> int:
    """Mark units as deleted; how many there were. Somebody who may not change the memory can delete the own units."""
    if len(ids) > _KEYS:
        parts = [ids[start : start + _KEYS] for start in range(0, len(ids), _KEYS)]
        return sum(delete_units(connection, memory, part, actor=actor, user=user) for part in parts)
    wanted = _U.id.in_(ids)
    if user is not None and not memory.may_change(user):
        others = _U.user_id.is_distinct_from(user.id)
        if connection.scalar(sa.select(sa.func.count()).where(_U.memory_id == memory.id, wanted, others)):
            raise NotAllowed(f"Some of these units of {memory.name!r} are others'; its owner can delete them.")
    n_deleted = _mark(connection, memory, _changed(connection, memory), wanted)
    if n_deleted:
        audit.record(connection, actor, "memory units deleted", f"memory {memory.name}", units=list(ids))
    return n_deleted


def unit_of(connection: sa.Connection, memory: Memory, unit_id: int) -> StoredUnit:
    """A unit with its provenance, deleted or not."""
    row = connection.execute(_provenance().where(_U.memory_id == memory.id, _U.id == unit_id)).first()
    if row is None:
        raise NotFound(f"The memory {memory.name!r} has no unit {unit_id}.")
    return StoredUnit(*row)


def units_of(connection: sa.Connection, memory: Memory) -> Iterable[StoredUnit]:
    """The units of a memory in the order of their ids, without deleted ones, read page by page."""
    last = 0
    while True:
        query = _provenance().where(_U.memory_id == memory.id, _U.id > last, _U.deletion.is_(None))
        rows = connection.execute(query.order_by(_U.id).limit(_PAGE)).all()
        yield from (StoredUnit(*row) for row in rows)
        if len(rows) < _PAGE:
            return
        last = rows[-1].id


def count_origin(connection: sa.Connection, memory: Memory, origin: str) -> int:
    """How many units of an origin were added, deleted ones among them."""
    return int(connection.scalar(sa.select(sa.func.count()).where(_U.memory_id == memory.id, _U.origin == origin)) or 0)


def revision_of(connection: sa.Connection, memory: Memory) -> int:
    """How often the memory was changed."""
    return int(connection.execute(_REVISION, {"memory": memory.id}).scalar_one())


def changes_of(connection: sa.Connection, memory: Memory, *, after_id: int, after_revision: int) -> Changes:
    """What changed behind an id and a revision, in one state of the database: a page of units at most."""
    revision = revision_of(connection, memory)
    columns = (_U.id, _U.source, _U.target, _U.previous, _U.next)
    query = sa.select(*columns).where(_U.memory_id == memory.id, _U.id > after_id)
    fresh = query.where(_U.deletion.is_(None)).order_by(_U.id).limit(_PAGE)
    added = connection.execute(fresh).all()
    gone = sa.select(_U.id).where(_U.memory_id == memory.id, _U.deletion > after_revision, _U.id <= after_id)
    return Changes(revision, added, list(connection.scalars(gone)), len(added) < _PAGE)


def _provenance() -> sa.Select[Any]:
    texts = (_U.source, _U.target, _U.previous, _U.next)
    columns = (_U.id, *texts, tables.users.c.name, _U.origin, _U.created, _U.deleted)
    return sa.select(*columns).join_from(tables.memory_units, tables.users, isouter=True)


def _changed(connection: sa.Connection, memory: Memory) -> int:
    """The memory's row, held to the end of the transaction, with a new revision."""
    update = sa.update(tables.memories).where(_M.id == memory.id).values(revision=_M.revision + 1)
    return int(connection.execute(update.returning(_M.revision)).scalar_one())


def _mark(connection: sa.Connection, memory: Memory, revision: int, wanted: sa.ColumnElement[bool]) -> int:
    """Mark the units that are wanted and not yet deleted; how many."""
    update = sa.update(tables.memory_units).where(_U.memory_id == memory.id, wanted, _U.deletion.is_(None))
    return connection.execute(update.values(deleted=now(), deletion=revision)).rowcount
