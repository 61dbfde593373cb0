"""An archive that was read and checked, before anything waits for it: bounded in bytes, rows and memory.

A small zip unpacks to much, and objects of JSON take twenty times their text. So parts are read line by line, each line
is checked as its table and its protocol ask, and what the table will hold is put aside in a temporary file.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import IO, Any

import sqlalchemy as sa

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.protocol import PROTOCOLS
from dragoman.store import tables
from dragoman.store.columns import Json, Moment, check_value
from dragoman.store.judging.campaigns import STATES, item_of_row

__all__ = ["PARTS", "POINTERS", "VERSION", "ArchivedCampaign", "ArchivedRows", "read_archive", "table_of"]

VERSION = 1
# In this order: what a part points at comes before it.
PARTS = ("campaign", "material", "tasks", "items", "assignments", "members", "answers", "adjudications", "media")
POINTERS = {"task_id": "tasks", "item_id": "items", "assignment_id": "assignments"}

_LARGEST = 512 << 20  # bytes of an archive when unpacked
_MOST_FILES = 20_000
_MOST_ROWS = 1_000_000  # of all parts together
_MOST_PEOPLE = 10_000
_LONGEST_LINE = 64 << 20  # bytes; a test set is one line
_MOST_VALUES = 2_000_000  # of a line: some 150 MB while it is read
_MOST_IN_MEMORY = 1 << 20  # bytes of a part; the rest of it lies in a temporary file
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FAULTS = (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError)


class ArchivedRows:
    """The rows of a part as the database will hold them, people by name and pointers by the archive's numbers."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_MOST_IN_MEMORY)  # noqa: SIM115 (it lives as long as the archive)
        self._places: dict[int, int] = {}
        self._n = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Put a row aside."""
        if "id" in row:
            if row["id"] in self._places:
                raise DataError(f"there is a row {row['id']} already.")
            self._places[row["id"]] = self._file.tell()
        self._file.write(json.dumps(row).encode() + b"\n")
        self._n += 1

    def __len__(self) -> int:
        return self._n

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self._file.seek(0)
        for line in self._file:
            yield json.loads(line)

    def row(self, number: int) -> dict[str, Any]:
        """The row of this number; none may be added afterwards."""
        self._file.seek(self._places[number])
        row: dict[str, Any] = json.loads(self._file.readline())
        return row

    def close(self) -> None:
        """Throw the rows away."""
        self._file.close()


class ArchivedCampaign:
    """A campaign as its archive tells it; made by `read_archive`."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.parts = {part: ArchivedRows() for part in PARTS}
        self.people: dict[str, None] = {}  # whom it names, in order
        self.judges: set[str] = set()  # of them, who took part as annotators
        self.invented: set[str] = set()  # of them, simulated
        self.campaign: dict[str, Any] = {}  # the campaign's own row as it was written

    def media(self, digest: str) -> bytes:
        """The content of a file that items play or show."""
        if not _DIGEST.fullmatch(digest):
            raise DataError(f"The archive is damaged: {digest[:60]!r} is no digest.")
        with _opened(self._archive, f"media/{digest}") as stream:
            return stream.read()

    def close(self) -> None:
        """Throw away what was put aside."""
        for rows in self.parts.values():
            rows.close()


@contextmanager
def read_archive(content: bytes) -> Iterator[ArchivedCampaign]:
    """Read and check a whole archive; it is there while the block runs."""
    archived = ArchivedCampaign(_zip(content))
    try:
        _Checker(archived).run()
        yield archived
    finally:
        archived.close()


def table_of(part: str) -> sa.Table:
    """The table that a part is of."""
    return tables.metadata.tables[{"campaign": "campaigns", "material": "materials"}.get(part, part)]


def _zip(content: bytes) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise DataError("This is no zip archive, or a damaged one.") from None
    entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    if len(entries) > _MOST_FILES or size > _LARGEST:
        raise DataError(
            f"The archive has {len(entries):,} files of {size:,} bytes; {_MOST_FILES:,} of {_LARGEST:,} are allowed."
        )
    with _opened(archive, "archive.json") as stream:
        text = stream.read(_MOST_IN_MEMORY)
    try:
        about = json.loads(text)
    except (ValueError, RecursionError):
        raise DataError("archive.json of the archive is no JSON.") from None
    if not isinstance(about, dict) or about.get("archive") != VERSION:
        raise DataError("This archive was written by another version of Dragoman; restore it with that one.")
    return archive


@contextmanager
def _opened(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    """An entry of the zip, which gives no more bytes than it says to have; nothing of it is written to a disk."""
    try:
        entry = archive.getinfo(name)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DataError(f"{name} of the archive is packed in a way that Dragoman does not write.")
        with archive.open(entry) as stream:
            yield stream
    except KeyError:
        raise DataError(f"The archive has no {name}; is it one of Dragoman's campaigns?") from None
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError):
        raise DataError(f"{name} of the archive is damaged.") from None


class _Checker:
    """One reading: fills the parts, and refuses what a campaign cannot be."""

    def __init__(self, archived: ArchivedCampaign) -> None:
        self.archived = archived
        self.n_rows = 0
        self.protocol: Any = None

    def run(self) -> None:
        for part in PARTS:
            table = table_of(part)
            for number, row in self._lines(part):
                try:
                    self._take(part, row, _database_row(table, row))
                except DataError as error:
                    raise DataError(f"data/{part}.jsonl of the archive, line {number}: {error}") from None
                except _FAULTS as error:
                    reason = f"{type(error).__name__} {str(error)[:80]}"
                    raise DataError(f"The archive is damaged: data/{part}.jsonl, line {number}: {reason}.") from None
            if part == "campaign" and self.protocol is None:
                raise DataError("The archive is damaged: data/campaign.jsonl names no campaign.")

    def _lines(self, part: str) -> Iterator[tuple[int, dict[str, Any]]]:
        path = f"data/{part}.jsonl"
        with _opened(self.archived._archive, path) as stream:
            number = 0
            while line := stream.readline(_LONGEST_LINE + 1):
                number += 1
                self.n_rows += 1
                if self.n_rows > _MOST_ROWS:
                    raise DataError(f"The archive has more than {_MOST_ROWS:,} rows, which is the most that is taken.")
                yield number, _object(line, f"{path} of the archive, line {number}")

    def _take(self, part: str, row: dict[str, Any], values: dict[str, Any]) -> None:
        archived = self.archived
        for pointer, target in POINTERS.items():
            if pointer in values and values[pointer] not in archived.parts[target]:
                raise DataError(f"{pointer} is {values[pointer]}, but there is no such row in data/{target}.jsonl.")
        name = values.get("user")
        if name is not None:
            archived.people.setdefault(name)
            if len(archived.people) > _MOST_PEOPLE:
                raise DataError(f"more than {_MOST_PEOPLE:,} people are named, which is the most that is taken.")
            if part in ("members", "assignments", "answers"):
                archived.judges.add(name)
            if part == "members" and row.get("simulated"):
                archived.invented.add(name)
        self._check(part, row)
        archived.parts[part].add(values)

    def _check(self, part: str, row: dict[str, Any]) -> None:
        """What no column says of a row; above all that an answer is one to its item, as when it was given."""
        archived = self.archived
        if part == "campaign":
            if archived.campaign:
                raise DataError("an archive holds one campaign.")
            archived.campaign = row
            self.protocol = _protocol(row)
        elif part == "material":
            TestSet(**row["test_set"])
        elif part == "items":
            item_of_row(SimpleNamespace(shown=row["shown"], hidden=row["hidden"]))
        elif part in ("answers", "adjudications"):
            item = archived.parts["items"].row(row["item_id"])
            shown, hidden = json.loads(item["shown"]), json.loads(item["hidden"])
            self.protocol.check(item_of_row(SimpleNamespace(shown=shown, hidden=hidden)), row["answer"])
        elif part == "media" and hashlib.sha256(archived.media(row["digest"])).hexdigest() != row["digest"]:
            raise DataError(f"media/{row['digest']} is not the file that it was.")


def _object(line: bytes, where: str) -> dict[str, Any]:
    if len(line) > _LONGEST_LINE or sum(map(line.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        raise DataError(f"{where}: it is longer than {_LONGEST_LINE:,} bytes or {_MOST_VALUES:,} values.")
    try:
        row = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise DataError(f"{where}: this is no JSON object.")
    return row


def _protocol(row: dict[str, Any]) -> Any:
    if row["state"] not in STATES:
        raise DataError(f"the campaign is {row['state']!r}, which no campaign is.")
    if row["return_url"] and not str(row["return_url"]).startswith(("https://", "http://")):
        raise DataError("the campaign sends people back to something that is no address.")
    return PROTOCOLS.get(row["protocol"])(**row["options"])


def _database_row(table: sa.Table, row: dict[str, Any]) -> dict[str, Any]:
    """The row as the table will hold it; what an earlier Dragoman did not write yet is left to the table."""
    values = {}
    for column in table.c:
        if column.name in ("campaign_id", "content"):
            continue
        name = "user" if column.name == "user_id" else column.name
        if name in row or column.server_default is None:
            values[name] = _value(column, name, row.get(name))
    return values


def _value(column: sa.Column[Any], name: str, value: Any) -> Any:
    """A value as the database takes it."""
    if value is None:
        if not column.nullable:
            raise DataError(f"{name} is missing.")
        return None
    kind = sa.String(80) if name == "user" else column.type
    if isinstance(kind, Json):
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    if isinstance(kind, Moment):
        return kind.process_bind_param(_moment(value, name), None)  # type: ignore[arg-type]
    check_value(kind, name, value)
    return value


def _moment(value: Any, name: str) -> datetime:
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name} is {str(value)[:40]!r}, which is no moment.") from None
