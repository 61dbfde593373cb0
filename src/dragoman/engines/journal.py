"""What an engine learnt since it was saved, as an append-only file of sentence pairs with their links."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import RLock
from typing import BinaryIO, ClassVar

from dragoman.errors import DataError, FormatError
from dragoman.notation import parse_json
from dragoman.report import Column, Result, Table

__all__ = ["JOURNAL", "Entry", "Journal", "Learnt", "LearntPair", "Rollback", "replayed"]

JOURNAL = "learnt.jsonl"  # the one file of an engine's folder that changes when it learns


@dataclass(frozen=True)
class LearntPair:
    """A tokenised sentence pair with its links in Pharaoh form (source-target, from 0, separated by spaces)."""

    source: str
    target: str
    links: str

    def points(self) -> list[tuple[int, int]]:
        """The links as pairs of places."""
        return [(int(s), int(t)) for s, _, t in (link.partition("-") for link in self.links.split())]


@dataclass(frozen=True)
class Rollback:
    """The last pairs are forgotten, until so many are left, those that the index was made of among them."""

    n_pairs: int


Entry = LearntPair | Rollback


def replayed(pairs: Sequence[LearntPair], entries: Sequence[Entry], *, n_first: int) -> list[LearntPair]:
    """What is learnt when entries follow upon pairs that were learnt beyond the first `n_first`."""
    learnt = list(pairs)
    for entry in entries:
        if isinstance(entry, Rollback):
            del learnt[max(0, entry.n_pairs - n_first) :]
        else:
            learnt.append(entry)
    return learnt


@dataclass(frozen=True)
class Learnt(Result):
    """How much an engine learnt, and how much it knows now."""

    kind: ClassVar[str] = "learnt pairs"

    n_learnt: int
    n_pairs: int

    def tables(self) -> list[Table]:
        """One row."""
        columns = [Column("learnt"), Column("pairs", "pairs in all")]
        return [Table.of("Sentence pairs", columns, [(self.n_learnt, self.n_pairs)])]


class Journal:
    """Pairs appended one a line, each on disk before `append` returns; a rollback is one more line.

    A line that a crash cut short has no end: it was never promised, and the next append takes its place. Processes that
    share a file append one at a time, and each sees what the others wrote when it appends or looks for more.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_to = 0  # bytes that were given out
        self._n_lines = 0
        self._lock = RLock()

    def append(self, entries: Sequence[Entry]) -> list[Entry]:
        """Append entries; gives what others had appended before, and these."""
        with self._lock, self._locked() as stream:
            before = self._new(stream)
            stream.seek(self._read_to)
            stream.truncate()
            for entry in entries:
                stream.write(json.dumps(asdict(entry), ensure_ascii=False).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
            self._read_to = stream.tell()
            self._n_lines += len(entries)
            return [*before, *entries]

    def more(self) -> list[Entry]:
        """The entries that were appended since the last look."""
        with self._lock:
            if not self.path.exists():
                return []
            with self._locked() as stream:
                return self._new(stream)

    @contextmanager
    def _locked(self) -> Iterator[BinaryIO]:
        import fcntl  # which Windows lacks

        try:
            handle = self.path.open("a+b")
        except OSError as error:
            raise DataError(f"Cannot write what was learnt to {self.path}: {error.strerror}.") from None
        with handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # Mode "a" writes at the end whatever is sought; another handle on the locked file does not.
            with self.path.open("r+b") as stream:
                yield stream

    def _new(self, stream: BinaryIO) -> list[Entry]:
        if os.fstat(stream.fileno()).st_size < self._read_to:  # the folder was saved anew, which empties its journal
            self._read_to = self._n_lines = 0
        stream.seek(self._read_to)
        whole, end, _ = stream.read().rpartition(b"\n")
        lines = whole.split(b"\n") if end else []
        pairs = [self._parsed(line, self._n_lines + i) for i, line in enumerate(lines, start=1)]
        self._read_to += len(whole) + len(end)
        self._n_lines += len(lines)
        return pairs

    def _parsed(self, line: bytes, number: int) -> Entry:
        try:
            values = parse_json(line)
            if list(values) == ["n_pairs"] and isinstance(values["n_pairs"], int):
                return Rollback(values["n_pairs"])
            pair = LearntPair(**values)
            n_source, n_target = len(pair.source.split()), len(pair.target.split())
            if not all(0 <= s < n_source and 0 <= t < n_target for s, t in pair.points()):
                raise DataError("a link leads beyond its sentences")
        except (ValueError, TypeError, AttributeError) as error:
            raise FormatError(
                f"this is no learnt sentence pair ({error}). Take the line out, or restore the file.",
                path=self.path,
                line=number,
            ) from None
        return pair
