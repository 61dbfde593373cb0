"""The desk's jobs, in processes of their own: no upload can keep the server from its annotators."""

from __future__ import annotations

import threading
from collections.abc import Callable

from dragoman.errors import DataError, UnknownName
from dragoman.web.desk.jobs import Job, Shown, check_job, run_job
from dragoman.web.limited import Limited
from dragoman.web.refusals import Busy, sentence_of

__all__ = ["Desk"]

_WAIT = 10.0  # seconds that a job waits for its turn
_COMMANDS = {"score": "score", "compare": "compare", "ranking": "rank", "meta": "meta"}


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
        """The result of a job. Raises what the room raised, `TooLong`, `TooMuchMemory` or `Busy`; nothing is kept."""
        check_job(job)
        advice = f"Use fewer files, metrics or trials, or the command line: dragoman {_COMMANDS[job.task]}"
        if not self._turns.acquire(timeout=self._wait):
            raise Busy("Others are at the desk; try again in a minute.", retry_after=30)
        try:
            shown: Shown = Limited(self.seconds, self.memory, advice).value(self._run, job)
            return shown
        except UnknownName as error:  # an option's, not an address's
            raise DataError(sentence_of(error)) from None
        finally:
            self._turns.release()
