"""A bar on standard error while long work goes on."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from dragoman.report import Progress

__all__ = ["shown_progress"]

_PATIENCE = 0.5  # seconds before a bar appears: what is quicker needs none


@contextmanager
def shown_progress() -> Iterator[Progress | None]:
    """What to give to a function that takes `progress`: a bar on a terminal, None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    shown = _Shown()
    try:
        yield shown.report
    finally:
        shown.close()


class _Shown:
    """A bar that is made when the work proves to be long, with one line for each thing that is being done."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}

    def report(self, done: int, total: int, what: str) -> None:
        """Show how far the work is."""
        if self._bar is None:
            if time.monotonic() - self._start < _PATIENCE:
                return
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(file=sys.stderr), transient=True)
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total)
        self._bar.update(self._tasks[what], completed=done, total=total)

    def close(self) -> None:
        """Take the bar away; an error or Ctrl-C does so too."""
        if self._bar is not None:
            self._bar.stop()
