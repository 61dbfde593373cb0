"""A folder of results of parts, and who makes them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from dragoman.files import StrPath
from dragoman.parts.accounts import Account
from dragoman.parts.order import SEAL, Order
from dragoman.parts.pools import InProcess, Pool

__all__ = ["Workshop"]

T = TypeVar("T")


class Workshop:
    """Hands out parts and finds what they gave."""

    def __init__(self, folder: StrPath, pool: Pool | None = None) -> None:
        self.folder = Path(folder).resolve()
        self.pool = pool or InProcess()
        self.n_done = self.n_found = 0  # orders carried out, and those that had been before
        self.accounts: list[Account] = []  # what they took
        self.n_bytes = self.most_bytes = 0  # of what they gave: now, and at most
        self._seal = ""
        self._lock = Lock()

    def map(
        self, work: Callable[..., object], arguments: Sequence[Mapping[str, Any]], *, alone: bool = False
    ) -> list[Path]:
        """The folders that `work(folder, **arguments)` fills, in the arguments' order; what is there is not made again.

        `work` is a function of a module, and its arguments are what JSON can say: they name the result.
        `alone`, it has the whole text to do, however many workers there are.
        """
        with self._lock:
            if not self._seal:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._seal = uuid4().hex
                (self.folder / SEAL).write_text(self._seal, encoding="utf-8")
        orders = [Order(work, each, str(self.folder), self._seal, alone) for each in arguments]
        asked = {order.key: order for order in orders if not order.done}
        waiting = list(asked.values())
        accounts = self.pool.run(waiting)
        with self._lock:
            self.n_found += sum(order.key not in asked for order in orders)
            self.accounts += accounts
            self.n_done += len(waiting)
            self.n_bytes += sum(account.n_bytes for account in accounts)
            self.most_bytes = max(self.most_bytes, self.n_bytes)
        return [order.result for order in orders]

    def together(self, *tasks: Callable[[], T]) -> list[T]:
        """What several lines of work give that do not wait for each other: where one waits, workers do the other's."""
        if self.pool.n_at_once == 1:
            return [task() for task in tasks]
        with ThreadPoolExecutor(len(tasks)) as threads:
            futures = [threads.submit(task) for task in tasks]
            try:
                return [future.result() for future in futures]
            except KeyboardInterrupt:
                self.pool.stop()  # or the threads would wait for its workers
                raise

    def one(self, work: Callable[..., object], **arguments: Any) -> Path:
        """The folder of one order."""
        return self.map(work, [arguments], alone=True)[0]

    def discard(self, files: Iterable[Path]) -> None:
        """Take away what orders gave and none that is still to come asks for; they stay done."""
        for file in files:
            with suppress(FileNotFoundError):  # a run before this one took it away
                n_bytes = file.stat().st_size
                file.unlink()
                with self._lock:
                    self.n_bytes -= n_bytes

    def clear(self) -> None:
        """Take the results away: what they were for is done."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._seal = ""
