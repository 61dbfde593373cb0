"""Jobs in processes of their own, with limits of time and memory: no upload can keep the server from its annotators."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dragoman.errors import DataError, DragomanError, NotAvailable
from dragoman.web.desk.jobs import Job, Shown, check_job, run_job
from dragoman.web.refusals import Busy, TooLong, sentence_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["Desk"]

_WAIT = 10.0  # seconds that a job waits for its turn
_GRACE = 5.0  # seconds of processor time beyond the limit, in case the parent is gone


class Desk:
    """Does jobs, a few at a time; each has so many seconds and bytes. `run` is the work itself, for tests."""

    def __init__(
        self,
        *,
        seconds: float = 60.0,
        memory: int = 4 << 30,
        jobs: int = 2,
        wait: float = _WAIT,
        run: Callable[[Job], Shown] = run_job,
    ) -> None:
        self.seconds = seconds
        self.memory = memory
        self._wait = wait
        self._run = run
        self._turns = threading.BoundedSemaphore(jobs)

    def do(self, job: Job) -> Shown:
        """The result of a job. Raises what the room raised, `TooLong` or `Busy`; nothing is kept."""
        check_job(job)
        if not self._turns.acquire(timeout=self._wait):
            raise Busy("Others are at the desk; try again in a minute.", retry_after=30)
        try:
            return self._do(job)
        finally:
            self._turns.release()

    def _do(self, job: Job) -> Shown:
        # A fork server: it has the modules, and none of this process' threads, locks and connections.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["dragoman.web.desk.jobs", "dragoman.metrics", "dragoman.ranking"])
        ours, theirs = context.Pipe(duplex=False)
        with tempfile.TemporaryDirectory(prefix="dragoman-desk-") as folder, ours:
            process = context.Process(
                target=_work, args=(theirs, self._run, job, folder, self.seconds, self.memory), daemon=True
            )
            process.start()
            theirs.close()
            try:
                if not ours.poll(self.seconds):
                    raise TooLong(
                        f"This takes more than {self.seconds:g} seconds, which is all it may take here. Use fewer "
                        f"files, metrics or trials, or the command line: dragoman {_COMMANDS[job.task]}."
                    )
                kind, value = ours.recv()
            except EOFError:
                raise DataError(
                    f"This needs more than {self.memory >> 20:,} MB of memory or too much time; use the command line."
                ) from None
            finally:
                process.kill()
                process.join()
                process.close()
        return _answer(kind, value)


_COMMANDS = {"score": "score", "compare": "compare", "ranking": "rank", "meta": "meta"}


def _answer(kind: str, value: Any) -> Shown:
    if kind == "shown":
        return value  # type: ignore[no-any-return]
    if kind == "fault":
        raise RuntimeError(value)
    if kind == NotAvailable.__name__:
        raise NotAvailable(value)
    # A FormatError wants its path and line apart, but its text has them; a name that is not known is an option's.
    raise DataError(value)


def _work(
    connection: Connection, run: Callable[[Job], Shown], job: Job, folder: str, seconds: float, memory: int
) -> None:
    """What the process does: limits first, then the job in its folder."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    processor = int(seconds + _GRACE) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
    os.nice(10)
    os.chdir(folder)
    outcome: tuple[str, Any]
    try:
        outcome = ("shown", run(job))
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
