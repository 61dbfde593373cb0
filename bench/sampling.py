"""What the processes of servers hold while they work: memory and open files over time, and what the machine bears."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from campaign_server import memory_of

__all__ = ["Sample", "Sampler"]


@dataclass(frozen=True)
class Sample:
    """One look: megabytes of lasting processes and of all, files the lasting ones hold open, load of the machine."""

    second: float
    lasting: float
    all: float
    files: int
    load: float


class Sampler:
    """Looks at groups of processes every so many seconds.

    Lasting processes are those that were there at the first look: processes that read one upload come and go.
    """

    def __init__(self, groups: Sequence[int]) -> None:
        self.groups = list(groups)
        self.lasting = self._processes().keys()
        self.ended = 0  # lasting processes that are no longer there
        self.samples: list[Sample] = []
        self._begun = time.monotonic()

    def _processes(self) -> dict[int, float]:
        return {pid: megabytes for group in self.groups for pid, megabytes in memory_of(group).items()}

    def look(self) -> None:
        """Note what is there now."""
        now = self._processes()
        here = [pid for pid in self.lasting if pid in now]
        self.ended = len(self.lasting) - len(here)
        lasting, files = sum(now[pid] for pid in here), sum(map(_open_files, here))
        second = time.monotonic() - self._begun
        self.samples.append(Sample(second, lasting, sum(now.values()), files, os.getloadavg()[0]))

    @contextmanager
    def running(self, every: float) -> Iterator[None]:
        """Look at the beginning, every so many seconds, and at the end."""
        over = threading.Event()

        def work() -> None:
            while not over.wait(every):
                self.look()

        self.look()
        looking = threading.Thread(target=work)
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()
            self.look()

    def parts(self, n: int) -> list[list[Sample]]:
        """The samples in so many parts of equal time; a part may be empty."""
        length = self.samples[-1].second / n
        places = [min(n - 1, int(each.second / length)) for each in self.samples]
        return [[each for place, each in zip(places, self.samples, strict=True) if place == part] for part in range(n)]


def _open_files(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:  # it has ended meanwhile
        return 0
