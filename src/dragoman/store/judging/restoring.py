"""A campaign brought back from its archive: read and checked first, then written in one go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.database import Store
from dragoman.store.judging.archived import POINTERS, ArchivedCampaign, ArchivedRows, read_archive, table_of
from dragoman.store.judging.campaigns import check_campaign_name
from dragoman.store.judging.dealing import waiting_seats
from dragoman.store.people import accounts
from dragoman.store.people.accounts import User
from dragoman.store.people.invented import MARK
from dragoman.store.people.managers import add_maker
from dragoman.store.refusals import Conflict, NotAllowed

__all__ = ["Restored", "restore_archive"]

_LONGEST_NAME = 80
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BATCH = 500  # rows that are written at once


@dataclass(frozen=True)
class Restored(Result):
    """What came back from an archive."""

    kind: ClassVar[str] = "restored"

    campaign: str
    counts: Mapping[str, int]
    people: Mapping[str, str]  # whom the archive names → the account that stands for them here
    accounts: tuple[str, ...]  # of those, made now, without a password

    def tables(self) -> list[Table]:
        """One row per part, then one per person."""
        rows = [(part, n) for part, n in self.counts.items()]
        people = [(old, new, new in self.accounts) for old, new in self.people.items()]
        note = "New accounts have no password." if self.accounts else ""
        return [
            Table.of(f"Restored {self.campaign}", [Column("part"), Column("rows")], rows),
            Table.of("People", [Column("archived"), Column("account"), Column("new")], people, note=note),
        ]

    def meta(self) -> dict[str, Any]:
        """The campaign's name, who is who, and the accounts made."""
        return {"campaign": self.campaign, "people": dict(self.people), "accounts": list(self.accounts)}


def restore_archive(
    store: Store,
    content: bytes,
    *,
    actor: Actor,
    name: str | None = None,
    people: Mapping[str, str] | None = None,
    limit: User | None = None,
) -> Restored:
    """Bring a campaign back from its archive, perhaps by another name; one that was open is paused.

    A name proves nothing: whom the archive calls `ada` need not be who is called so here. Everybody in it gets a new
    account without a password, `ada-archived` if the name is taken, unless `people` says whose account theirs is.
    `limit` is a manager who acts on what is theirs alone: an archive of theirs may say anything of crowd workers.
    Nothing of the campaign is planned or analysed anew: what was said is what is there. Others save their answers
    while the archive is read; they wait only while its rows are written.
    """
    with read_archive(content) as archived:
        wanted = name or archived.campaign["name"]
        if not _NAME.fullmatch(wanted):
            raise DataError(f"{wanted!r} cannot name a campaign; use letters, digits, '.', '-' and '_'.")
        check_campaign_name(wanted)
        try:
            with store.write() as connection:
                return _Restorer(connection, archived, actor, people or {}, limit).run(wanted)
        except (sa.exc.IntegrityError, sa.exc.DataError, sa.exc.InvalidRequestError):
            raise DataError("The archive is damaged: its parts do not fit each other.") from None


class _Restorer:
    """One restoring: old numbers to new ones, tables filled in the order in which they point at each other."""

    def __init__(
        self,
        connection: sa.Connection,
        archived: ArchivedCampaign,
        actor: Actor,
        known: Mapping[str, str],
        limit: User | None,
    ) -> None:
        self.connection = connection
        self.archived = archived
        self.actor = actor
        self.known = known
        self.limit = limit
        self.people: dict[str, str] = {}
        self.made: list[str] = []
        self.users: dict[str | None, int | None] = {}
        self.numbers: dict[str, dict[int, int]] = {}

    def run(self, name: str) -> Restored:
        column = tables.campaigns.c
        if self.connection.scalar(sa.select(column.id).where(column.name == name)) is not None:
            raise Conflict(f"There is a campaign called {name!r} already; restore it by another name.")
        self.users = self._users()
        state = "paused" if self.archived.campaign["state"] == "open" else self.archived.campaign["state"]
        for part, rows in self.archived.parts.items():
            self._insert(part, rows, {"name": name, "state": state} if part == "campaign" else {})
        counts = {part: len(rows) for part, rows in self.archived.parts.items()}
        add_maker(self.connection, name, self.actor)
        audit.record(self.connection, self.actor, "campaign restored", f"campaign {name}", answers=counts["answers"])
        return Restored(name, counts, self.people, tuple(self.made))

    def _users(self) -> dict[str | None, int | None]:
        """The numbers of all people named: those whom the caller knows, and a new account for each of the others."""
        named = list(self.archived.people)
        strange = sorted(set(self.known) - set(named))
        if strange:
            raise DataError(f"Nobody in the archive is called {strange[0]!r}. Known: {', '.join(named)}.")
        doubled = [new for new in self.known.values() if list(self.known.values()).count(new) > 1]
        if doubled:
            raise DataError(f"Two people of the archive cannot both be {doubled[0]}.")
        numbers: dict[str | None, int | None] = {None: None}
        for name in named:
            if name in self.known:
                user = accounts.find_user(self.connection, self.known[name])
                if name in self.archived.judges and user.role != "annotator":
                    raise Conflict(f"{name} is an annotator in the archive, but {user.name} here is {user.role}.")
                if user.is_worker and self.limit is not None:
                    raise NotAllowed(f"{user.name} is a worker of a crowd platform; ask an admin.")
                if name in self.archived.invented:
                    raise Conflict(f"{name} is an invented judge; what they said is nobody's here.")
            else:
                platform = MARK if name in self.archived.invented else {"platform": "archive"}
                user = accounts.add_user(
                    self.connection, self._free_name(name), "annotator", None, actor=self.actor, platform=platform
                )
                self.made.append(user.name)
            self.people[name] = user.name
            numbers[name] = user.id
        return numbers

    def _free_name(self, name: str) -> str:
        """The name, or one that says where it is from if somebody here is called so, or planned, whoever that is."""
        number = 0
        while True:
            tail = ("" if number == 0 else "-archived") + (f"-{number}" if number > 1 else "")
            wanted = name[: _LONGEST_NAME - len(tail)] + tail
            is_planned = self.connection.scalar(waiting_seats(wanted).limit(1)) is not None
            if accounts.is_free(self.connection, wanted) and not is_planned:
                return wanted
            number += 1

    def _insert(self, part: str, rows: ArchivedRows, changes: dict[str, Any]) -> None:
        """Insert the rows of a part, and keep their new numbers by the old ones."""
        table = _plain_table(table_of(part))
        numbers = self.numbers.setdefault(part, {})
        statement = sa.insert(table)
        if "id" in table.c:
            statement = statement.returning(table.c.id, sort_by_parameter_order=True)
        for batch in _batches(rows, 1 if part == "media" else _BATCH):
            values = [self._values(part, row) | changes for row in batch]
            result = self.connection.execute(statement, values)
            if "id" in table.c:
                numbers |= zip((row["id"] for row in batch), result.scalars(), strict=True)

    def _values(self, part: str, row: dict[str, Any]) -> dict[str, Any]:
        """The columns of a row: this database's numbers in place of the archive's and of names."""
        values = {key: value for key, value in row.items() if key not in ("id", "user")}
        for pointer, target in POINTERS.items():
            if pointer in values:
                values[pointer] = self.numbers[target][values[pointer]]
        if "user" in row:
            values["user_id"] = self.users[row["user"]]
        if part != "campaign":
            (values["campaign_id"],) = self.numbers["campaign"].values()
        if part == "media":
            values["content"] = self.archived.media(row["digest"])
        return values


def _plain_table(table: sa.Table) -> sa.Table:
    """The table with the types of the database itself: the rows of an archive are already as it holds them."""
    plain = table.to_metadata(sa.MetaData())
    for column in plain.c:
        if isinstance(column.type, sa.TypeDecorator):
            column.type = column.type.impl_instance
    return plain


def _batches(rows: ArchivedRows, size: int) -> Iterator[list[dict[str, Any]]]:
    waiting = iter(rows)
    while batch := list(islice(waiting, size)):
        yield batch
