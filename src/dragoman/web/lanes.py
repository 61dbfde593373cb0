"""Lanes: threads for work that takes long, apart from those of requests, with no more waiting than can be served.

Requests share the threads of `--threads`. What waits for an engine, a scoring job or an import waits in a lane of its
own, so that people who save and whoever watches `/health` never wait behind it.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter, fail_after, to_thread
from starlette.requests import Request

from dragoman.web.refusals import Busy

__all__ = ["Lane", "in_lane", "while_there"]

T = TypeVar("T")


class Lane:
    """A few threads; `most` more requests wait for one of them, `seconds` at most. All others are told to come back."""

    def __init__(self, what: str, threads: int, *, most: int, seconds: float) -> None:
        self.what = what
        self.threads = threads
        self.most = most
        self.seconds = seconds
        self._limiters: WeakKeyDictionary[Any, tuple[CapacityLimiter, CapacityLimiter]] = WeakKeyDictionary()

    def _limits(self) -> tuple[CapacityLimiter, CapacityLimiter]:
        """Who has a turn, and the threads for them; an event loop has its own."""
        loop = asyncio.get_running_loop()
        if loop not in self._limiters:
            self._limiters[loop] = CapacityLimiter(self.threads), CapacityLimiter(self.threads)
        return self._limiters[loop]

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns, done in a thread of the lane."""
        turn = object()
        turns, threads = self._limits()
        if turns.statistics().tasks_waiting >= self.most:
            raise self._busy()
        try:
            with fail_after(self.seconds):
                await turns.acquire_on_behalf_of(turn)
        except TimeoutError:
            raise self._busy() from None
        try:
            return await to_thread.run_sync(work, limiter=threads)
        finally:
            turns.release_on_behalf_of(turn)

    def _busy(self) -> Busy:
        return Busy(f"The server has too many {self.what} to do; try again in a minute.", retry_after=30)


def in_lane(name: str) -> Callable[[Callable[..., T]], Callable[..., Awaitable[T]]]:
    """Let a route do its work in a lane of the app."""

    def moved(route: Callable[..., T]) -> Callable[..., Awaitable[T]]:
        @wraps(route)
        async def waiting(**given: Any) -> T:
            lane: Lane = given["request"].app.state.lanes[name]
            return await lane.run(partial(route, **given))

        # FastAPI reads names in annotations where this wrapper stands, which has not imported them.
        vars(waiting)["__signature__"] = inspect.signature(route, eval_str=True)
        return waiting

    return moved


async def while_there(request: Request, lane: Lane, work: Callable[[Callable[[], bool]], T]) -> T:
    """What `work` returns, done in a lane; it is told whether whoever asked has left, and then it may stop."""
    gone = threading.Event()

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    watching = asyncio.create_task(watch())
    try:
        return await lane.run(partial(work, gone.is_set))
    finally:
        gone.set()
        watching.cancel()
