"""Work in processes of its own, with limits of time and memory: nothing that is sent can hold up the server."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from dragoman.cat.reading import TooManyCharacters, TooManySegments
from dragoman.errors import DataError, DragomanError, NotAvailable, UnknownName
from dragoman.web.refusals import Busy, CutOff, TooLong, TooMuchMemory, sentence_of

__all__ = ["Limited", "never"]

_GRACE = 5.0  # seconds of processor time beyond the limit, in case the parent is gone
_LOOK = 0.2  # seconds between two looks at whether anybody still waits
_PRELOAD = ["dragoman.web.desk.jobs", "dragoman.metrics", "dragoman.ranking", "dragoman.cat.packing"]
# Errors that keep their kind. Of all others the text is what matters: a FormatError has its path and line in it.
_KINDS: dict[str, type[DragomanError]] = {
    each.__name__: each for each in (NotAvailable, TooManyCharacters, TooManySegments, UnknownName)
}


def never() -> bool:
    """Nobody leaves."""
    return False


@dataclass(frozen=True)
class Limited:
    """Runs functions in processes of their own. `advice` says what else to do with what takes too long."""

    seconds: float
    memory: int  # bytes
    advice: str

    def value(self, work: Callable[..., Any], *given: Any, gone: Callable[[], bool] = never) -> Any:
        """What `work` returns. Raises what it raises; `TooLong` or `TooMuchMemory`; `CutOff` once `gone` says so."""
        with closing(self._received(work, given, gone)) as received:
            return next(received)

    def parts(self, work: Callable[..., Iterator[Any]], *given: Any, gone: Callable[[], bool] = never) -> list[Any]:
        """What `work` yields, part by part, so that no large one holds the interpreter; raises as `value` does."""
        return list(self._received(work, given, gone))

    def _received(
        self, work: Callable[..., Any], given: tuple[Any, ...], gone: Callable[[], bool]
    ) -> Generator[Any, None, None]:
        # A fork server: it has the modules, and none of this process' threads, locks and connections.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOAD)
        ours, theirs = context.Pipe(duplex=False)
        with tempfile.TemporaryDirectory(prefix="dragoman-desk-") as folder, ours:
            process = context.Process(
                target=_work, args=(theirs, work, given, folder, self.seconds, self.memory), daemon=True
            )
            until = time.monotonic() + self.seconds
            try:
                process.start()
            except (EOFError, OSError):  # the fork server ended: it is started anew when it is next needed
                raise Busy("The server is ending, or begins again; try again in a moment.", retry_after=5) from None
            finally:
                theirs.close()
            try:
                while True:
                    kind, value = self._next(ours, until, gone)
                    if kind == "done":
                        return
                    if kind != "part":
                        raise self._error(kind, value)
                    yield value
            finally:
                process.kill()
                process.join()
                process.close()

    def _next(self, ours: Connection, until: float, gone: Callable[[], bool]) -> tuple[str, Any]:
        while not ours.poll(max(0.0, min(_LOOK, until - time.monotonic()))):
            if gone():
                raise CutOff("The connection ended before the work was done; nothing was done.")
            if time.monotonic() >= until:
                raise TooLong(
                    f"This takes more than {self.seconds:g} seconds, which is all it may take here. {self.advice}."
                )
        try:
            return ours.recv()  # type: ignore[no-any-return]
        except EOFError:
            return "memory", None

    def _error(self, kind: str, value: Any) -> Exception:
        if kind == "fault":
            return RuntimeError(value)
        if kind == "memory":
            most = f"{self.memory >> 20:,} MB of memory"
            return TooMuchMemory(f"This needs more than {most}, which is all it may take here. {self.advice}.")
        return _KINDS.get(kind, DataError)(value)


def _work(
    connection: Connection,
    work: Callable[..., Any],
    given: tuple[Any, ...],
    folder: str,
    seconds: float,
    memory: int,
) -> None:
    """What the process does: limits first, then the work in its folder."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    processor = int(seconds + _GRACE) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
    os.nice(10)
    os.chdir(folder)
    outcome: tuple[str, Any] = "done", None
    try:
        made = work(*given)
        for part in made if isinstance(made, Iterator) else (made,):
            connection.send(("part", part))
    except MemoryError:
        return  # the parent sees the end of the pipe
    except DragomanError as error:
        outcome = (type(error).__name__, sentence_of(error))
    except OverflowError as error:
        outcome = (DataError.__name__, f"A number in the options or files is too large to calculate with: {error}.")
    except Exception:  # what it is, is for the parent's log
        outcome = ("fault", traceback.format_exc())
    connection.send(outcome)
    connection.close()
