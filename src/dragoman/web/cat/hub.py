"""Those who work in a project at the same time hear of each other: what was saved, and who has which segment open.

Workers share nothing but the database. Everything that is told comes from there: the log of the project says what was
changed, the locks of segments who is where. A change in this process is told at once, those of others every second.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from starlette.concurrency import run_in_threadpool

from dragoman.store.database import Store
from dragoman.store.people.accounts import User
from dragoman.store.refusals import NotFound, NotSignedIn, Refusal
from dragoman.store.translating.history import changes_after
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.presence import PRESENCE_SECONDS, announce, people_in
from dragoman.store.translating.projects import find_project
from dragoman.web.answering import NO_PROJECT
from dragoman.web.guard import NOBODY
from dragoman.web.logs import LOGGER

__all__ = ["CLOSE", "Hub", "Listener"]

CLOSE = "close"  # the field of a message that is none, but says with which code to end

_PERIOD = 1.0  # seconds after which a change of another process is heard of
_MOST_WAITING = 1000  # messages to somebody who does not read; then the connection is closed


class Listener:
    """Somebody in a project: messages wait here to be sent. `admit` raises if they may be there no longer."""

    def __init__(self, user: User, admit: Callable[[sa.Connection], Access]) -> None:
        self.user = user
        self.admit = admit
        self.key = uuid.uuid4().hex
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue(_MOST_WAITING)
        self.is_lost = False

    def put(self, message: dict[str, Any]) -> None:
        """A message to be sent; who does not read any more is lost."""
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.is_lost = True

    def end(self, code: int) -> None:
        """Close the socket with a code, behind what waits already."""
        self.put({CLOSE: code})

    def refused(self, connection: sa.Connection) -> int | None:
        """The code with which the socket must be closed by now, if it must."""
        try:
            self.admit(connection)
        except NotSignedIn:
            return NOBODY
        except Refusal:
            return NO_PROJECT
        return None


class _Room:
    """The listeners of a project, and up to where they have heard."""

    def __init__(self, project: int) -> None:
        self.project = project
        self.listeners: set[Listener] = set()
        self.announced: dict[str, int] = {}  # of listeners, as the database has them
        self.announced_at = 0.0
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
        room.news.set()  # the one who follows sees that nobody is left

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
            present = list(room.listeners)
            here = {each.key: each.user.id for each in present}
            try:
                refused, heard, changes, people = await run_in_threadpool(self._look, room, here, present)
            except NotFound:
                room.tell("deleted", {})
                for listener in room.listeners:
                    listener.end(NO_PROJECT)
                self._rooms.pop(room.project, None)
                return
            except Exception as error:  # the database is away for a moment; what was missed is told later
                LOGGER.warning("hub: %s", error)
                await asyncio.sleep(_PERIOD)
                continue
            if not room.listeners and not here:
                self._rooms.pop(room.project, None)
                return
            for listener, code in refused.items():  # before anything is told
                room.listeners.discard(listener)
                listener.end(code)
            if refused:
                room.news.set()
            room.heard = heard
            for change in changes:
                room.tell("changed", change)
            shown = [{"user": user, "segment": segment} for user, segment in people]
            if shown != room.people:
                room.people = shown
                room.tell("presence", {"people": shown})

    def _look(
        self, room: _Room, here: dict[str, int], present: Sequence[Listener]
    ) -> tuple[dict[Listener, int], int, list[dict[str, Any]], list[tuple[str, int | None]]]:
        """Who may listen no longer, and what is new: of one state of the database, so that nobody hears too much."""
        if here != room.announced or time.monotonic() - room.announced_at > PRESENCE_SECONDS / 3:
            gone = room.announced.keys() - here.keys()
            with self.store.write() as connection:
                announce(connection, room.project, here, gone)
            room.announced, room.announced_at = here, time.monotonic()
        with self.store.read() as connection:
            if present:
                find_project(connection, room.project)
            refused = {each: code for each in present if (code := each.refused(connection)) is not None}
            # Whoever comes in has the segments as they are; what counts is what comes behind.
            length, changes = changes_after(connection, room.project, 2**31 if room.heard is None else room.heard)
            return refused, length, changes, people_in(connection, room.project)
