"""Those who work in a project at the same time hear of each other: what was saved, and who has which segment open.

Workers share nothing but the database. Everything that is told comes from there: the log of the project says what was
changed, the locks of segments who is where. A change in this process is told at once, those of others every second.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool

from dragoman.store.database import Store
from dragoman.store.translating.history import changes_after
from dragoman.store.translating.segments import held_segments
from dragoman.web.logs import LOGGER

__all__ = ["Hub", "Listener"]

_PERIOD = 1.0  # seconds after which a change of another process is heard of
_MOST_WAITING = 1000  # messages to somebody who does not read; then the connection is closed


class Listener:
    """Somebody in a project: messages wait here to be sent."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue(_MOST_WAITING)
        self.is_lost = False

    def put(self, message: dict[str, Any]) -> None:
        """A message to be sent; who does not read any more is lost."""
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.is_lost = True


class _Room:
    """The listeners of a project, and up to where they have heard."""

    def __init__(self, project: int) -> None:
        self.project = project
        self.listeners: set[Listener] = set()
        self.heard: int | None = None
        self.people: list[dict[str, Any]] = []
        self.news = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def tell(self, name: str, data: Any) -> None:
        """Say something to everybody."""
        for listener in self.listeners:
            listener.put({"name": name, "data": data})


class Hub:
    """The projects in which somebody listens, in this process."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._rooms: dict[int, _Room] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def enter(self, project: int, listener: Listener) -> None:
        """Let somebody listen to a project from now on."""
        self._loop = asyncio.get_running_loop()
        room = self._rooms.setdefault(project, _Room(project))
        room.listeners.add(listener)
        listener.put({"name": "presence", "data": {"people": room.people}})
        if room.task is None:
            room.task = self._loop.create_task(self._follow(room))
        room.news.set()

    def leave(self, project: int, listener: Listener) -> None:
        """Let somebody listen no longer."""
        room = self._rooms.get(project)
        if room is None:
            return
        room.listeners.discard(listener)
        if room.listeners:
            room.news.set()
            return
        del self._rooms[project]
        if room.task is not None:
            room.task.cancel()

    def tell(self, project: int) -> None:
        """Something was changed: from any thread."""
        room, loop = self._rooms.get(project), self._loop
        if room is not None and loop is not None:
            with suppress(RuntimeError):  # the loop has ended: the server stops
                loop.call_soon_threadsafe(room.news.set)

    async def _follow(self, room: _Room) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(room.news.wait(), _PERIOD)
            room.news.clear()
            try:
                heard, changes, held = await run_in_threadpool(self._look, room.project, room.heard)
            except Exception as error:  # the database is away for a moment; what was missed is told later
                LOGGER.warning("hub: %s", error)
                await asyncio.sleep(_PERIOD)
                continue
            room.heard = heard
            for change in changes:
                room.tell("changed", change)
            here = {each.user: None for each in room.listeners} | {user: segment for segment, user in held}
            people = [{"user": user, "segment": segment} for user, segment in sorted(here.items())]
            if people != room.people:
                room.people = people
                room.tell("presence", {"people": people})

    def _look(self, project: int, heard: int | None) -> tuple[int, list[dict[str, Any]], list[tuple[int, str]]]:
        with self.store.read() as connection:
            # Whoever comes in has the segments as they are; what counts is what comes behind.
            length, changes = changes_after(connection, project, 2**31 if heard is None else heard)
            return length, changes, held_segments(connection, project)
