"""The store of judgements: a file to which events are appended, and from which nothing is ever taken.

One JSON object a line: first the schema, then events with a sequence number, an id that the client made, a time and the
row. An append is on disk before it returns. Two processes may append to one log: a lock on the file puts them in order.
A client that does not know whether its event arrived sends it again; the id tells that it is the same.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from dragoman.data.judgements.base import JudgementFile, Judgements, Row, Schema, Value
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_text
from dragoman.notation import parse_json

__all__ = ["Event", "JudgementLog", "Receipt", "Recovery", "log_lines", "read_log"]

_FORMAT = 1
_BATCH = 250  # events read together: few enough to stay in the processor's cache


@dataclass(frozen=True)
class Event:
    """A row as it was appended; `seq` counts from 1 without a gap, `time` is in UTC (ISO 8601)."""

    seq: int
    id: str
    time: str
    row: Mapping[str, Value]


@dataclass(frozen=True)
class Receipt:
    """What became of an event: its number, and whether it was new or had arrived before."""

    id: str
    seq: int
    is_new: bool


@dataclass(frozen=True)
class Recovery:
    """The rest of an append that a crash cut short: it was never confirmed, and lies now in the file `saved_to`."""

    after_seq: int
    n_bytes: int
    saved_to: str


class JudgementLog:
    """A log of one kind of judgement.

    It is made where it is not there yet; one that is there must have the same schema. `recoveries` says what was found
    torn and put aside while this object was in use.
    """

    def __init__(self, path: StrPath, schema: Schema) -> None:
        self.path = Path(path)
        self.schema = schema
        self.recoveries: list[Recovery] = []
        self._events: list[Event] = []
        self._by_id: dict[str, Event] = {}
        self._size = 0  # bytes read so far
        self._lines = 0
        self._mutex = threading.Lock()
        if self.path.is_dir():
            raise DataError(f"{self.path} is a directory; name a file for the log.")
        if not self.path.parent.is_dir():
            raise DataError(f"Cannot write {self.path}: there is no folder {self.path.parent}. Make it first.")
        with self._mutex, self._locked() as file:
            self._catch_up(file)
            if self._lines == 0:
                head = {"log": "judgements", "format": _FORMAT, "schema": schema.to_dict()}
                self._write(file, [head])
                _sync_folder(self.path.parent)

    def append(self, rows: Sequence[Row], *, ids: Sequence[str] | None = None) -> list[Receipt]:
        """Append rows, on disk when this returns. An id that is there already with the same row is not appended again.

        Nothing is appended if a row is wrong, or if an id is there with another row.
        """
        names = [uuid.uuid4().hex for _ in rows] if ids is None else list(ids)
        if len(names) != len(rows):
            raise DataError(f"Every row has an id, got {len(rows)} rows and {len(names)} ids.")
        columns = self.schema.columns_of(rows)
        if columns is None:
            checked = [self.schema.check(row) for row in rows]
        else:
            checked = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        with self._mutex, self._locked() as file:
            self._catch_up(file)
            time = datetime.now(UTC).isoformat(timespec="milliseconds")
            fresh: dict[str, Event] = {}
            receipts = []
            for name, row in zip(names, checked, strict=True):
                earlier = self._by_id.get(name) or fresh.get(name)
                if earlier is not None and dict(earlier.row) != row:
                    raise DataError(
                        f"The event {name!r} is in {self.path} already, as number {earlier.seq}, with another "
                        "judgement. A correction is a new event with an id of its own."
                    )
                if earlier is None:
                    event = Event(len(self._events) + len(fresh) + 1, name, time, MappingProxyType(row))
                    fresh[name] = event
                    receipts.append(Receipt(name, event.seq, is_new=True))
                else:
                    receipts.append(Receipt(name, earlier.seq, is_new=False))
            if fresh:
                self._write(file, [_plain(event) for event in fresh.values()])
                for event in fresh.values():
                    self._keep(event)
        return receipts

    def events(self) -> tuple[Event, ...]:
        """All events so far, in order; also those that other processes appended."""
        with self._mutex, self._locked() as file:
            self._catch_up(file)
            return tuple(self._events)

    def judgements(self) -> Judgements:
        """All rows as a table."""
        return Judgements.of(self.schema, (event.row for event in self.events()))

    def latest(self) -> Judgements:
        """The last word of each annotator on each item."""
        return self.judgements().latest()

    @contextmanager
    def _locked(self) -> Iterator[FileIO]:
        # Opened anew each time: the lock then holds between threads too, and ends with the file.
        with self.path.open("a+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file

    def _catch_up(self, file: FileIO) -> None:
        """Read what was appended since; what lacks its line end is the rest of a crash, for we hold the lock."""
        if os.fstat(file.fileno()).st_size < self._size:
            raise FormatError("the log has become shorter; something else has written to it.", path=self.path)
        file.seek(self._size)
        *lines, rest = _read_all(file).split(b"\n")
        for line in lines:
            self._lines += 1
            self._read_line(line)
            self._size += len(line) + 1
        if rest:
            self._put_aside(file, rest)

    def _read_line(self, line: bytes) -> None:
        try:
            values = parse_json(line)
            if self._lines == 1:
                self._check_head(values)
                return
            event = Event(
                values["seq"], values["id"], values["time"], MappingProxyType(self.schema.check(values["row"]))
            )
        except FormatError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(f"this is no event of a log ({error}).", path=self.path, line=self._lines) from None
        if event.seq != len(self._events) + 1:
            expected = len(self._events) + 1
            raise FormatError(f"event {expected} is missing; found {event.seq}.", path=self.path, line=self._lines)
        self._keep(event)

    def _check_head(self, values: Any) -> None:
        schema = _head_schema(values, self.path)
        if schema != self.schema:
            what = f"of kind {schema.kind!r}, not {self.schema.kind!r}"
            if schema.kind == self.schema.kind:
                what = f"of kind {schema.kind!r} with other fields: {', '.join(each.name for each in schema.fields)}"
            raise FormatError(f"the log is {what}.", path=self.path, line=1)

    def _keep(self, event: Event) -> None:
        self._events.append(event)
        self._by_id[event.id] = event

    def _put_aside(self, file: FileIO, rest: bytes) -> None:
        aside = self.path.with_name(self.path.name + ".torn")
        with aside.open("ab") as stream:
            stream.write(rest + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        file.truncate(self._size)
        os.fsync(file.fileno())
        self.recoveries.append(Recovery(len(self._events), len(rest), str(aside)))

    def _write(self, file: FileIO, objects: list[dict[str, Any]]) -> None:
        block = b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in objects)
        try:
            left = memoryview(block)
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):  # a full disk; if this fails too, the next one to open the log puts it aside
                file.truncate(self._size)
            raise
        self._size += len(block)
        self._lines += len(objects)


def read_log(path: StrPath, *, on_bad: str = "error") -> Judgements:
    """All judgements of a log of any kind, read only: nothing is locked, a torn last line is not yet there."""
    text = read_text(path)
    lines = text.split("\n")[:-1]
    if not lines:
        raise FormatError("the file is empty; the head of a log was expected.", path=path)
    schema = _head_schema(_object(lines[0], path, 1), path)
    columns: dict[str, list[Value]] = {each.name: [] for each in schema.fields}
    dropped = 0
    for start in range(1, len(lines), _BATCH):
        batch = lines[start : start + _BATCH]
        rows = _batch_rows(batch)
        if rows is None:
            rows = []
            for number, line in enumerate(batch, start=start + 1):
                try:
                    rows.append(_event_row(line, path, number))
                except FormatError:
                    if on_bad == "error":
                        raise
                    dropped += 1
        found = schema.columns_of(rows)
        if found is None:
            rows, n_wrong = _good_rows(schema, rows, path, start + 1, on_bad)
            dropped += n_wrong
            found = schema.columns_of(rows) or {}
        for name, values in found.items():
            columns[name] += values
    made = {name: tuple(values) for name, values in columns.items()}
    n = len(next(iter(made.values()), ()))
    return Judgements(schema, made, (JudgementFile(os.fspath(path), "judgement-log", n, dropped),))


def _batch_rows(lines: list[str]) -> list[Row] | None:
    """The rows of some events, parsed in one go; None if anything is wrong with one of them."""
    try:
        rows = [event["row"] for event in parse_json(f"[{','.join(lines)}]")]
    except (ValueError, KeyError, TypeError):
        return None
    return rows if len(rows) == len(lines) and set(map(type, rows)) <= {dict} else None


def _event_row(line: str, path: StrPath, number: int) -> Row:
    event = _object(line, path, number)
    if not isinstance(event, dict) or not isinstance(event.get("row"), dict):
        raise FormatError("this is no event of a log ('row').", path=path, line=number)
    return cast(Row, event["row"])


def _good_rows(schema: Schema, rows: list[Row], path: StrPath, first: int, on_bad: str) -> tuple[list[Row], int]:
    """The rows that keep the schema, and how many do not; the first of these raises unless they are dropped."""
    good: list[Row] = []
    for number, row in enumerate(rows, start=first):
        try:
            good.append(schema.check(row))
        except DataError as error:
            if on_bad == "error":
                raise FormatError(str(error), path=path, line=number) from None
    return good, len(rows) - len(good)


def log_lines(judgements: Judgements) -> Iterator[str]:
    """The lines of a log that holds these judgements, in order; ids are made of their numbers, times are unknown."""
    head = {"log": "judgements", "format": _FORMAT, "schema": judgements.schema.to_dict()}
    yield json.dumps(head, ensure_ascii=False) + "\n"
    for number, row in enumerate(judgements.rows(), start=1):
        event = Event(number, f"row-{number}", "", row)
        yield json.dumps(_plain(event), ensure_ascii=False) + "\n"


def _object(line: str, path: StrPath, number: int) -> Any:
    try:
        return parse_json(line)
    except DataError as error:
        raise FormatError(f"this is no event of a log ({error}).", path=path, line=number) from None


def _head_schema(values: Any, path: StrPath) -> Schema:
    """The schema that the head of a log declares."""
    if not isinstance(values, dict) or values.get("log") != "judgements":
        raise FormatError("this is no log of judgements.", path=path, line=1)
    if values.get("format") != _FORMAT:
        raise FormatError(
            f"the log has format {values.get('format')!r}; this version reads format {_FORMAT}.", path=path, line=1
        )
    try:
        return Schema.from_dict(values["schema"])
    except (KeyError, TypeError) as error:
        raise FormatError(f"the head of the log declares no schema ({error}).", path=path, line=1) from None


def _plain(event: Event) -> dict[str, Any]:
    row = {name: value for name, value in event.row.items() if value is not None}
    return {"seq": event.seq, "id": event.id, "time": event.time, "row": row}


def _read_all(file: FileIO) -> bytes:
    parts = []
    while part := file.read(1 << 20):
        parts.append(part)
    return b"".join(parts)


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a crash."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
