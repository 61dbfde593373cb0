"""Statistics kept on disk by content, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_path, home_folder
from dragoman.lazy import later
from dragoman.metrics.base import Metric, Rows
from dragoman.metrics.references import References, content_digest
from dragoman.report import Progress
from dragoman.text.lines import TextLines

if TYPE_CHECKING:
    import hashlib
    import json

    import numpy as np
else:
    hashlib, json, np = map(later, ("hashlib", "json", "numpy"))

__all__ = ["ScoreCache", "gather", "is_short"]

_FORMAT = 1  # of the files
_LONG = 4 << 20  # bytes: a system of so much text is looked for, and so much of all is worked on in batches
_BATCH = 2.0  # seconds of work of a quick metric that an interruption may cost


class ScoreCache:
    """A folder of statistics, one file for a system and a metric, named after the content that they were made from.

    Only work of `least_seconds` a system and more is kept: below that, asking the disk saves nothing. A file that is
    damaged is made again; the oldest go when there are more than `capacity` bytes. A folder that cannot be written is
    left alone: a score is not lost because it could not be kept.
    """

    def __init__(self, folder: StrPath | None = None, *, least_seconds: float = 0.25, capacity: int = 1 << 30) -> None:
        self.folder = home_folder() / "scores" if folder is None else Path(folder)
        self.least_seconds = least_seconds
        self.capacity = capacity
        self._held: int | None = None  # bytes in the folder, counted when the first thing is kept

    def key(self, metric: Metric, hyps: Sequence[str], refs: References, srcs: Sequence[str] | None) -> str:
        """What the statistics depend on, as one digest."""
        parts = [
            str(_FORMAT),
            f"{metric.label}|{metric.signature(refs.nrefs)}",  # has the version of Dragoman in it
            metric.spec(),
            content_digest(hyps),
            *(refs.digest(number) for number in range(len(refs.streams))),
            *([content_digest(srcs)] if srcs is not None and "srcs" in metric.needs else []),
        ]
        return hashlib.blake2b("\n".join(parts).encode(), digest_size=20).hexdigest()

    def find(self, key: str) -> Rows | None:
        """The statistics kept under a key, if they are there and whole."""
        from dragoman.notation import parse_json

        path = self._path(key)
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            about = parse_json(head)
            if about["key"] != key or about["digest"] != _digest(body):
                return None
            rows = np.frombuffer(body, dtype="<f8").reshape(about["shape"]).astype(np.float64)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        with suppress(OSError):
            path.touch()  # used last
        return rows

    def keep(self, key: str, rows: Rows) -> None:
        """Keep statistics, all of them or nothing."""
        body = np.ascontiguousarray(rows, dtype="<f8").tobytes()
        head = json.dumps({"key": key, "shape": list(rows.shape), "digest": _digest(body)})
        with suppress(OSError, DataError):
            self._path(key).parent.mkdir(parents=True, exist_ok=True)
            with atomic_path(self._path(key)) as temporary:
                temporary.write_bytes(head.encode() + b"\n" + body)
            self._held = self._held + len(body) if self._held is not None else sum(map(_length, self._files()))
            if self._held > self.capacity:
                self._make_room()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]

    def _files(self) -> list[Path]:
        return list(self.folder.glob("??/*"))

    def _make_room(self) -> None:
        files = sorted(self._files(), key=lambda path: path.stat().st_mtime)
        self._held = sum(map(_length, files))
        for path in files:
            if self._held <= self.capacity:
                return
            self._held -= _length(path)
            path.unlink()


def _length(path: Path) -> int:
    return path.stat().st_size


def _digest(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=20).hexdigest()


def is_short(
    metric: Metric, systems: Sequence[Sequence[str]], cache: ScoreCache | None, progress: Progress | None
) -> bool:
    """Whether the statistics of all systems are made at once: little work, or nobody to tell and nothing to keep."""
    sizes = list(map(_size, systems))
    kept = cache is not None and not (metric.quick and max(sizes) < _LONG)
    return not (kept or progress) or (metric.quick and sum(sizes) < _LONG)


def gather(
    metric: Metric,
    systems: Sequence[Sequence[str]],
    refs: References,
    srcs: Sequence[str] | None,
    *,
    cache: ScoreCache | None = None,
    progress: Progress | None = None,
    done: int = 0,
    total: int | None = None,
    n_threads: int = 1,
) -> Rows:
    """The statistics of several systems: array (systems, segments, statistics), in batches where the work is long.

    `done` of `total` steps were made before, one for each system.
    """

    def tell(count: int) -> None:
        if progress is not None:
            progress(done + count, total or len(systems), "scoring")

    tell(0)
    if metric.quick and max(map(_size, systems)) < _LONG:
        cache = None  # asking the disk would cost more than it saves
    if is_short(metric, systems, cache, progress):
        rows = metric.stats_many(systems, refs, srcs, n_threads=n_threads)
        tell(len(systems))
        return rows
    keys = [] if cache is None else [cache.key(metric, hyps, refs, srcs) for hyps in systems]
    found: list[Rows | None] = [None] * len(systems) if cache is None else [cache.find(key) for key in keys]
    missing = [number for number, rows in enumerate(found) if rows is None]
    tell(len(systems) - len(missing))
    batch = 1  # the first alone, to see how long one takes
    while missing:
        numbers, missing = missing[:batch], missing[batch:]
        start = time.perf_counter()
        made = metric.stats_many([systems[number] for number in numbers], refs, srcs, n_threads=n_threads)
        seconds = (time.perf_counter() - start) / len(numbers)
        if metric.quick:  # several at a time, which digest the references together
            batch = max(1, int(_BATCH / max(seconds, 1e-9)))
        for number, rows in zip(numbers, made, strict=True):
            found[number] = rows
            if cache is not None and seconds >= cache.least_seconds:
                cache.keep(keys[number], rows)
        tell(len(systems) - len(missing))
    return np.stack([rows for rows in found if rows is not None])


def _size(lines: Sequence[str]) -> int:
    return len(lines.core.utf8) if isinstance(lines, TextLines) else sum(map(len, lines))
