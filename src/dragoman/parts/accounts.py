"""What parts took: processor time, bytes, memory; by part, and summed up by kind."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Account", "KindOfPart", "Stopwatch", "peak_memory", "sum_up", "timed"]

_MB = 1e6


@dataclass(frozen=True)
class Account:
    """One part: what it was, and what it took where it was worked on."""

    name: str
    seconds: float  # of processor time
    wall: float
    n_bytes: int  # of what it gave
    memory: float  # most of the process while it worked, in MB; where the system cannot say, most so far
    alone: bool = False  # no others of its kind: it grows with the text, and nobody can share it


@dataclass(frozen=True)
class KindOfPart:
    """All parts of a kind."""

    name: str
    n_parts: int
    seconds: float
    longest: float  # seconds of one
    n_bytes: int
    memory: float  # of one
    alone: bool


@dataclass
class Stopwatch:
    """Processor and other time since it was made; `memory` is set when it is stopped."""

    start: tuple[float, float] = field(default_factory=lambda: (time.process_time(), time.monotonic()))
    seconds: float = 0.0
    wall: float = 0.0
    memory: float = 0.0

    def stop(self) -> None:
        """Take the times."""
        self.seconds, self.wall = time.process_time() - self.start[0], time.monotonic() - self.start[1]
        self.memory = peak_memory()


@contextmanager
def timed() -> Iterator[Stopwatch]:
    """Time what is done inside; the process's highest memory counts anew from here on, where the system can do that."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    watch = Stopwatch()
    yield watch
    watch.stop()


def peak_memory() -> float:
    """The most memory that this process has had, in MB, since it was last counted anew."""
    with suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / _MB
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / _MB


def sum_up(accounts: Iterable[Account]) -> list[KindOfPart]:
    """The kinds of parts, in the order in which they are first met."""
    by_name: dict[str, list[Account]] = {}
    for account in accounts:
        by_name.setdefault(account.name, []).append(account)
    return [
        KindOfPart(
            name,
            len(each),
            sum(account.seconds for account in each),
            max(account.seconds for account in each),
            sum(account.n_bytes for account in each),
            max(account.memory for account in each),
            all(account.alone for account in each),
        )
        for name, each in by_name.items()
    ]
