"""What a worker is told, and how it does it."""

from __future__ import annotations

import errno
import json
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import dragoman
from dragoman.errors import DataError
from dragoman.files import atomic_folder
from dragoman.parts.accounts import Account, timed

__all__ = ["SEAL", "Order", "carry_out"]

SEAL = "shared.txt"  # stands in the folder of results; a worker that does not find it looks into another folder
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass(frozen=True)
class Order:
    """One part of a step: `work(folder, **arguments)` writes into a folder, which then takes its name in `results`."""

    work: Callable[..., object]
    arguments: Mapping[str, Any]  # what JSON can say
    results: str
    seal: str
    alone: bool = False  # nobody can share it: it has the whole text to do
    version: str = dragoman.__version__

    @property
    def name(self) -> str:
        """The function's, for people and for the names of tasks."""
        return self.work.__name__.strip("_").replace("_", "-")

    @property
    def key(self) -> str:
        """The name and a hash of all that decides the outcome."""
        content = json.dumps(
            [self.version, self.work.__module__, self.work.__qualname__, dict(self.arguments)],
            sort_keys=True,
            ensure_ascii=False,
        )
        return f"{self.name}-{sha256(content.encode()).hexdigest()[:20]}"

    @property
    def result(self) -> Path:
        """The folder that it gives."""
        return Path(self.results) / self.key

    @property
    def done(self) -> bool:
        """True if the result is there."""
        return self.result.is_dir()


def carry_out(order: Order) -> Account | None:
    """Do the work of an order and say what it took, unless it is done; called where the worker is."""
    if order.version != dragoman.__version__:
        raise DataError(
            f"The worker on {platform.node()} has dragoman {dragoman.__version__}, who asks it {order.version}. "
            "Install the same version on all machines, then run the same command again."
        )
    seal = Path(order.results) / SEAL
    if not seal.is_file() or seal.read_text(encoding="utf-8") != order.seal:
        raise DataError(
            f"The worker on {platform.node()} does not see the work directory {order.results}. Put it (--work) on a "
            "disk that all workers share, under one name, then run the same command again."
        )
    if order.done:
        return None
    try:
        with timed() as watch, atomic_folder(order.result) as folder:
            order.work(folder, **order.arguments)
    except OSError as error:
        raise _named(error, order) from None
    n_bytes = sum(path.stat().st_size for path in order.result.rglob("*") if path.is_file())
    return Account(order.name, watch.seconds, watch.wall, n_bytes, watch.memory, order.alone)


def _named(error: OSError, order: Order) -> DataError:
    """What went wrong with a disk, in one line."""
    if error.errno in _FULL:
        return DataError(
            f"The disk of {order.results} is full ({order.name}, {platform.node()}). Make room, then run the same "
            "command again: what is done is kept."
        )
    where = error.filename if error.filename is not None else order.results
    reason = os.strerror(error.errno) if error.errno else str(error)
    return DataError(
        f"{where}: {reason} ({order.name}, {platform.node()}). Run the same command again when it is mended."
    )
