"""Whether the server lives, told at once: the database is tried in a thread of its own."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from concurrent.futures import Future

import sqlalchemy as sa

from dragoman.store.probe import Probe

__all__ = ["Pulse"]

_PATIENCE = 0.5  # seconds that an answer waits for the probe
_TRUST = 30.0  # seconds for which a good probe counts while the next one takes its time


class Pulse:
    """Asks the probe in a thread of its own, one at a time, whoever wants to know."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._mutex = threading.Lock()
        self._asked: Future[None] | None = None
        self._good = -math.inf  # when the database was last seen to work, by the clock that never jumps

    def begin(self) -> None:
        """Ask for the first time, so that the first who wants to know need not wait."""
        self._ask()

    async def check(self) -> None:
        """Raise what keeps the database from saving. One that worked lately and is only slow now counts as good."""
        asked = asyncio.wrap_future(self._ask())
        done, _ = await asyncio.wait([asked], timeout=_PATIENCE)
        if done:
            return asked.result()
        asked.add_done_callback(lambda late: late.cancelled() or late.exception())  # whoever asks next learns of it
        if time.monotonic() - self._good > _TRUST:
            raise sa.exc.TimeoutError("the database has not taken a write for a while")
        return None

    def _ask(self) -> Future[None]:
        with self._mutex:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                threading.Thread(target=self._run, args=(self._asked,), daemon=True, name="pulse").start()
            return self._asked

    def _run(self, asked: Future[None]) -> None:
        try:
            self._probe.check()
        except BaseException as error:
            asked.set_exception(error)
        else:
            self._good = time.monotonic()
            asked.set_result(None)
