"""A folder of results of parts, and who makes them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from dragoman.files import StrPath
from dragoman.parts.order import SEAL, Order
from dragoman.parts.pools import InProcess, Pool

__all__ = ["Workshop"]

T = TypeVar("T")


class Workshop:
    """Hands out parts and finds what they gave."""

    def __init__(self, folder: StrPath, pool: Pool | None = None) -> None:
        self.folder = Path(folder).resolve()
        self.pool = pool or InProcess()
        self.n_done = 0  # orders carried out, not found
        self._seal = ""
        self._lock = Lock()

    def map(self, work: Callable[..., object], arguments: Sequence[Mapping[str, Any]]) -> list[Path]:
        """The folders that `work(folder, **arguments)` fills, in the arguments' order; what is there is not made again.

        `work` is a function of a module, and its arguments are what JSON can say: they name the result.
        """
        with self._lock:
            if not self._seal:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._seal = uuid4().hex
                (self.folder / SEAL).write_text(self._seal, encoding="utf-8")
        orders = [Order(work, each, str(self.folder), self._seal) for each in arguments]
        waiting = list({order.key: order for order in orders if not order.done}.values())
        self.pool.run(waiting)
        self.n_done += len(waiting)
        return [order.result for order in orders]

    def together(self, *tasks: Callable[[], T]) -> list[T]:
        """What several lines of work give that do not wait for each other: where one waits, workers do the other's."""
        if self.pool.n_at_once == 1:
            return [task() for task in tasks]
        with ThreadPoolExecutor(len(tasks)) as threads:
            return [future.result() for future in [threads.submit(task) for task in tasks]]

    def one(self, work: Callable[..., object], **arguments: Any) -> Path:
        """The folder of one order."""
        return self.map(work, [arguments])[0]

    def clear(self) -> None:
        """Take the results away: what they were for is done."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._seal = ""
