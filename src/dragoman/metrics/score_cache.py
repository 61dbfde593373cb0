"""Statistics kept on disk by content, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dragoman.cache import ContentFolder, digest_of
from dragoman.files import StrPath, home_folder
from dragoman.lazy import later
from dragoman.metrics.base import Metric, Rows
from dragoman.metrics.references import ScoredText, content_digest
from dragoman.options import options_of
from dragoman.report import Progress
from dragoman.text.lines import TextLines

if TYPE_CHECKING:
    import numpy as np
else:
    np = later("numpy")

__all__ = ["ScoreCache", "gather", "is_short"]

_FORMAT = 1  # of the files
_LONG = 4 << 20  # bytes: a system of so much text is looked for, and so much of all is worked on in batches
_BATCH = 2.0  # seconds of work of a quick metric that an interruption may cost


class ScoreCache(ContentFolder):
    """Statistics, one file for a system and a metric.

    Only work of `least_seconds` a system and more is kept: below that, asking the disk saves nothing.
    """

    def __init__(self, folder: StrPath | None = None, *, least_seconds: float = 0.25, capacity: int = 1 << 30) -> None:
        super().__init__(home_folder() / "scores" if folder is None else folder, capacity=capacity)
        self.least_seconds = least_seconds

    def key(self, metric: Metric, hyps: Sequence[str], text: ScoredText) -> str:
        """What a system's statistics depend on, as one digest."""
        refs, srcs = text.refs, text.srcs
        parts = [
            str(_FORMAT),
            f"{metric.label}|{metric.signature(refs.nrefs)}",  # has the version of Dragoman in it
            metric.spec(),
            *_layer_fingerprints(metric),
            content_digest(hyps),
            *(refs.digest(number) for number in range(len(refs.streams))),
            *([content_digest(srcs)] if srcs is not None and "srcs" in metric.needs else []),
        ]
        return digest_of("\n".join(parts).encode())

    def find(self, key: str) -> Rows | None:
        """The statistics kept under a key, if they are there and whole."""
        entry = self.load(key)
        try:
            return None if entry is None else np.frombuffer(entry[1], dtype="<f8").reshape(entry[0]["shape"]).copy()
        except (ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str, rows: Rows) -> None:
        """Keep statistics, all of them or nothing."""
        self.store(key, np.ascontiguousarray(rows, dtype="<f8").tobytes(), {"shape": list(rows.shape)})


def is_short(
    metric: Metric, systems: Sequence[Sequence[str]], cache: ScoreCache | None, progress: Progress | None
) -> bool:
    """Whether the statistics of all systems are made at once: little work, or nobody to tell and nothing to keep."""
    sizes = list(map(_size, systems))
    is_kept = cache is not None and not (metric.quick and max(sizes) < _LONG)
    return not (is_kept or progress) or (metric.quick and sum(sizes) < _LONG)


def gather(
    metric: Metric,
    text: ScoredText,
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
    systems = text.systems

    def tell(count: int) -> None:
        if progress is not None:
            progress(done + count, total or len(systems), "scoring")

    tell(0)
    if metric.quick and max(map(_size, systems)) < _LONG:
        cache = None  # asking the disk would cost more than it saves
    if is_short(metric, systems, cache, progress):
        rows = metric.batch_rows(text, n_threads)
        tell(len(systems))
        return rows
    keys = [] if cache is None else [cache.key(metric, hyps, text) for hyps in systems]
    gathered: list[Rows | None] = [None] * len(systems) if cache is None else [cache.find(key) for key in keys]
    missing = [number for number, rows in enumerate(gathered) if rows is None]
    tell(len(systems) - len(missing))
    batch = 1  # the first alone, to see how long one takes
    while missing:
        numbers, missing = missing[:batch], missing[batch:]
        start = time.perf_counter()
        batch_rows = metric.batch_rows(replace(text, systems=[systems[number] for number in numbers]), n_threads)
        seconds = (time.perf_counter() - start) / len(numbers)
        if metric.quick:  # several at a time, which digest the references together
            batch = max(1, int(_BATCH / max(seconds, 1e-9)))
        for number, rows in zip(numbers, batch_rows, strict=True):
            gathered[number] = rows
            if cache is not None and seconds >= cache.least_seconds:
                cache.keep(keys[number], rows)
        tell(len(systems) - len(missing))
    return np.stack([rows for rows in gathered if rows is not None])


def _size(lines: Sequence[str]) -> int:
    return len(lines.core.utf8) if isinstance(lines, TextLines) else sum(map(len, lines))


def _layer_fingerprints(metric: Metric) -> list[str]:
    """What the layers that a metric asks for depend on: a model may have been trained anew under the same name."""
    if not any(each.layers for each in options_of(type(metric)).values()):
        return []
    from dragoman.text.layers import layer_annotators

    return [each.fingerprint() or each.signature() for each in layer_annotators(metric).values()]
