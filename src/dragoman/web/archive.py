"""A whole campaign as one zip: to be looked at anywhere, kept, and restored into another database.

It holds the plan, every answer with its revisions, who took part (names and marks, no passwords, no worker ids of
platforms), decisions, media, manifest and test set; and for people the judgements as a table and a report as a page.
These two are computed: if one cannot be, `archive.json` says why, and the archive is whole without it.
Rows are numbered from 1 in every part, so that a campaign that was restored gives the archive that it came from.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman import __version__
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.protocol import PROTOCOLS
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.web import accounts, audit, tables
from dragoman.web.archive_page import archive_page
from dragoman.web.audit import Actor
from dragoman.web.campaigns import STATES, check_campaign_name, find_campaign, item_of_row
from dragoman.web.columns import Moment
from dragoman.web.exports import export_campaign, zipped
from dragoman.web.logs import LOGGER
from dragoman.web.refusals import Conflict

__all__ = ["Restored", "restore_archive", "write_archive"]

_VERSION = 1
_LARGEST = 512 << 20  # bytes of an archive when unpacked
_MOST = 20_000  # entries
_LONGEST_NAME = 80
_SIMULATED = "simulated"  # the platform of invented judges
_POINTERS = {"task_id": "tasks", "item_id": "items", "assignment_id": "assignments"}
_PARTS = ("campaign", "material", "tasks", "items", "assignments", "members", "answers", "adjudications", "media")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def write_archive(connection: sa.Connection, name: str) -> bytes:
    """The campaign as a zip."""
    campaign = find_campaign(connection, name)
    rows = _rows(connection, campaign.id)
    files = {f"data/{part}.jsonl": _lines(own) for part, own in rows.items()}
    for row in connection.execute(sa.select(tables.media).where(tables.media.c.campaign_id == campaign.id)):
        files[f"media/{row.digest}"] = row.content
    material = connection.execute(
        sa.select(tables.materials).where(tables.materials.c.campaign_id == campaign.id)
    ).first()  # fmt: skip
    if material is not None:
        files["manifest.toml"] = material.manifest.encode()
    simulated = any(row["simulated"] for row in rows["members"])
    computed: dict[str, Callable[[], bytes]] = {
        "judgements.csv": lambda: export_campaign(connection, name, "csv").content,
        "index.html": lambda: archive_page(connection, campaign, simulated=simulated).encode(),
    }
    left_out = {}
    for path, compute in computed.items():
        try:
            files[path] = compute()
        except Exception as error:  # a backup does not depend on what is computed from it
            LOGGER.warning("archive of %s without %s", name, path, exc_info=error)
            left_out[path] = f"{type(error).__name__}: {error}"
    about = {"dragoman": __version__, "archive": _VERSION, "campaign": name}
    files["archive.json"] = json.dumps(about | ({"left_out": left_out} if left_out else {}), indent=2).encode()
    return zipped(files)


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows).encode()


def _rows(connection: sa.Connection, campaign_id: int) -> dict[str, list[dict[str, Any]]]:
    """The rows of every table, people by name instead of number."""
    people = connection.execute(sa.select(tables.users.c.id, tables.users.c.name, tables.users.c.platform)).all()
    names = {row.id: row.name for row in people}
    invented = {row.name for row in people if (row.platform or {}).get("platform") == _SIMULATED}
    found: dict[str, list[dict[str, Any]]] = {}
    for part in _PARTS:
        table = _table(part)
        column = table.c.id if part == "campaign" else table.c.campaign_id
        order = list(table.primary_key)
        kept = [each for each in table.c if each.name != "content"]
        rows = connection.execute(sa.select(*kept).where(column == campaign_id).order_by(*order))
        found[part] = [_plain_row(dict(row._mapping), names) for row in rows]
    for member in found["members"]:
        member["simulated"] = member["user"] in invented
    numbers = {
        part: {row["id"]: number for number, row in enumerate(rows, start=1)}
        for part, rows in found.items()
        if part in _POINTERS.values()
    }
    return {part: [_numbered(row, number, numbers) for number, row in enumerate(rows, start=1)]
            for part, rows in found.items()}  # fmt: skip


def _numbered(row: dict[str, Any], number: int, numbers: Mapping[str, Mapping[int, int]]) -> dict[str, Any]:
    """A row with its own number and those of the rows that it points at; the database's own say nothing elsewhere."""
    made = {key: numbers[_POINTERS[key]][value] if key in _POINTERS else value for key, value in row.items()}
    return made | {"id": number} if "id" in made else made


def _table(part: str) -> sa.Table:
    return tables.metadata.tables[{"campaign": "campaigns", "material": "materials"}.get(part, part)]


def _plain_row(row: dict[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    made = {key: value.isoformat() if hasattr(value, "isoformat") else value for key, value in row.items()}
    if "user_id" in made:
        made["user"] = names.get(made.pop("user_id"))
    made.pop("campaign_id", None)
    return made


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
    connection: sa.Connection,
    content: bytes,
    *,
    actor: Actor,
    name: str | None = None,
    people: Mapping[str, str] | None = None,
) -> Restored:
    """Bring a campaign back from its archive, perhaps by another name; one that was open is paused.

    A name proves nothing: whom the archive calls `ada` need not be who is called so here. Everybody in it gets a new
    account without a password, `ada-archived` if the name is taken, unless `people` says whose account theirs is.
    Nothing of the campaign is planned or analysed anew: what was said is what is there.
    """
    read = _Reader(content)
    parts = {part: read.rows(part) for part in _PARTS}
    try:
        return _Restorer(connection, parts, read, actor, people or {}).run(name)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise DataError(f"The archive is damaged: {type(error).__name__} {str(error)[:80]}.") from None
    except (sa.exc.IntegrityError, sa.exc.StatementError):
        raise DataError("The archive is damaged: its parts do not fit each other.") from None


class _Reader:
    """A zip whose entries are looked up by name; nothing of it is ever written to a disk."""

    def __init__(self, content: bytes) -> None:
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, OSError):
            raise DataError("This is no zip archive, or a damaged one.") from None
        entries = self.archive.infolist()
        size = sum(entry.file_size for entry in entries)
        if len(entries) > _MOST or size > _LARGEST:
            raise DataError(
                f"The archive has {len(entries):,} files of {size:,} bytes; {_MOST:,} of {_LARGEST:,} are allowed."
            )
        about = json.loads(self.entry("archive.json"))
        if not isinstance(about, dict) or about.get("archive") != _VERSION:
            raise DataError("This archive was written by another version of Dragoman; restore it with that one.")

    def entry(self, name: str) -> bytes:
        try:
            entry = self.archive.getinfo(name)
            with self.archive.open(entry) as stream:
                # What an entry says of its size is not to be trusted.
                content = stream.read(entry.file_size + 1)
        except KeyError:
            raise DataError(f"The archive has no {name}; is it one of Dragoman's campaigns?") from None
        except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError):
            raise DataError(f"{name} of the archive is damaged.") from None
        if len(content) > entry.file_size:
            raise DataError(f"{name} of the archive is damaged.")
        return content

    def rows(self, part: str) -> list[dict[str, Any]]:
        found = []
        for number, line in enumerate(self.entry(f"data/{part}.jsonl").decode("utf-8", "replace").splitlines(), 1):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                raise DataError(f"data/{part}.jsonl of the archive, line {number}: this is no JSON object.")
            found.append(row)
        return found


class _Restorer:
    """One restoring: old numbers to new ones, tables filled in the order in which they point at each other."""

    def __init__(
        self, connection: sa.Connection, parts: dict[str, list[dict[str, Any]]], read: _Reader, actor: Actor,
        known: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.connection = connection
        self.parts = parts
        self.read = read
        self.actor = actor
        self.known = known
        self.people: dict[str, str] = {}
        self.made: list[str] = []
        self.campaign_id = 0

    def run(self, name: str | None) -> Restored:
        row = dict(self.parts["campaign"][0])
        row["name"] = name or row["name"]
        if not isinstance(row["name"], str) or not _NAME.fullmatch(row["name"]):
            raise DataError(f"{row['name']!r} cannot name a campaign; use letters, digits, '.', '-' and '_'.")
        check_campaign_name(row["name"])
        self._check(row)
        known = tables.campaigns.c
        if self.connection.scalar(sa.select(known.id).where(known.name == row["name"])) is not None:
            raise Conflict(f"There is a campaign called {row['name']!r} already; restore it by another name.")
        users = self._users()
        state = "paused" if row["state"] == "open" else row["state"]
        self.campaign_id = self._insert("campaign", [row | {"state": state}])[row["id"]]
        for each in self.parts["material"]:
            TestSet(**each["test_set"])
        self._insert("material", self.parts["material"])
        tasks = self._insert("tasks", self.parts["tasks"])
        items = self._insert("items", [each | {"task_id": tasks[each["task_id"]]} for each in self.parts["items"]])
        hands = [
            each | {"task_id": tasks[each["task_id"]], "user_id": users[each["user"]]}
            for each in self.parts["assignments"]
        ]
        assignments = self._insert("assignments", hands)
        self._insert("members", [each | {"user_id": users[each["user"]]} for each in self.parts["members"]])
        said = [
            each | {"user_id": users[each["user"]], "item_id": items[each["item_id"]],
                    "assignment_id": assignments[each["assignment_id"]]}
            for each in self.parts["answers"]
        ]  # fmt: skip
        self._insert("answers", said)
        decided = [
            each | {"user_id": users[each["user"]], "item_id": items[each["item_id"]]}
            for each in self.parts["adjudications"]
        ]
        self._insert("adjudications", decided)
        self._insert("media", [each | {"content": self._media(each["digest"])} for each in self.parts["media"]])
        name = str(row["name"])
        audit.record(self.connection, self.actor, "campaign restored", f"campaign {name}", answers=len(said))
        counts = {part: len(rows) for part, rows in self.parts.items()}
        return Restored(name, counts, self.people, tuple(self.made))

    def _check(self, row: dict[str, Any]) -> None:
        """Every answer must be one to its item, as when it was given."""
        if row["state"] not in STATES:
            raise DataError(f"The archive's campaign is {row['state']!r}, which no campaign is.")
        protocol = PROTOCOLS.get(row["protocol"])(**row["options"])
        if row["return_url"] and not str(row["return_url"]).startswith(("https://", "http://")):
            raise DataError("The archive's campaign sends people back to something that is no address.")
        items = {each["id"]: item_of_row(_Row(each)) for each in self.parts["items"]}
        for each in [*self.parts["answers"], *self.parts["adjudications"]]:
            protocol.check(items[each["item_id"]], each["answer"])

    def _users(self) -> dict[str | None, int | None]:
        """The numbers of all people named: those whom the caller knows, and a new account for each of the others."""
        named = [each["user"] for part in self.parts.values() for each in part if each.get("user") is not None]
        strange = sorted(set(self.known) - set(named))
        if strange:
            raise DataError(
                f"Nobody in the archive is called {strange[0]!r}. Known: {', '.join(dict.fromkeys(named))}."
            )
        doubled = [new for new in self.known.values() if list(self.known.values()).count(new) > 1]
        if doubled:
            raise DataError(f"Two people of the archive cannot both be {doubled[0]}.")
        judged = {each["user"] for part in ("members", "assignments", "answers") for each in self.parts[part]}
        invented = {each["user"] for each in self.parts["members"] if each.get("simulated")}
        found: dict[str | None, int | None] = {None: None}
        for name in dict.fromkeys(named):
            if name in self.known:
                user = accounts.find_user(self.connection, self.known[name])
                if name in judged and user.role != "annotator":
                    raise Conflict(f"{name} is an annotator in the archive, but {user.name} here is {user.role}.")
                if name in invented:
                    raise Conflict(f"{name} is an invented judge; what they said is nobody's here.")
            else:
                platform = {"platform": _SIMULATED if name in invented else "archive"}
                user = accounts.add_user(
                    self.connection, self._free_name(name), "annotator", None, actor=self.actor, platform=platform
                )
                self.made.append(user.name)
            self.people[name] = user.name
            found[name] = user.id
        return found

    def _free_name(self, name: str) -> str:
        """The name, or one that says where it is from if somebody here is called so, whoever that is."""
        known = tables.users.c.name
        number = 0
        while True:
            tail = ("" if number == 0 else "-archived") + (f"-{number}" if number > 1 else "")
            wanted = name[: _LONGEST_NAME - len(tail)] + tail
            if self.connection.scalar(sa.select(known).where(sa.func.lower(known) == wanted.lower())) is None:
                return wanted
            number += 1

    def _insert(self, part: str, rows: list[dict[str, Any]]) -> dict[Any, int]:
        """Insert rows one after another; new numbers by old ones."""
        table = _table(part)
        numbers: dict[Any, int] = {}
        for row in rows:
            values = {each.name: _value(each, row) for each in table.c if each.name in row and each.name != "id"}
            if "campaign_id" in table.c:
                values["campaign_id"] = self.campaign_id
            key = self.connection.execute(sa.insert(table).values(**values)).inserted_primary_key
            if "id" in table.c:
                numbers[row["id"]] = int((key or (0,))[0])
        return numbers

    def _media(self, digest: str) -> bytes:
        if not _DIGEST.fullmatch(digest):
            raise DataError(f"The archive is damaged: {digest[:60]!r} is no digest.")
        return self.read.entry(f"media/{digest}")


class _Row:
    """A row of JSON with attributes, as rows of the database have."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.shown = values["shown"]
        self.hidden = values["hidden"]


def _value(column: sa.Column[Any], row: dict[str, Any]) -> Any:
    from datetime import datetime

    value = row[column.name]
    return datetime.fromisoformat(value) if isinstance(column.type, Moment) and value is not None else value
