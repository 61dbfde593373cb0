"""The socket of a project: who else is there, locks, changes as they come, and prediction at every key.

A message is JSON: `{"id", "name", "data"}`; its answer `{"id", "name": "…Result", "data", "errors", "elapsedTime"}`,
with milliseconds. What nobody asked for has no id: `presence` and `changed`. Messages of one socket are answered in
their order, in threads of their own, so that nothing waits for a search but the one who asked. A `setPrefix` behind
which another one waits already is not worked out: `{"stale": true}`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from dragoman.cat.session import CALLS, PredictionSession
from dragoman.errors import DataError, DragomanError
from dragoman.store.people.sessions import Session
from dragoman.store.refusals import Refusal
from dragoman.store.translating import segments
from dragoman.store.translating.jobs import Access, access_of
from dragoman.web.cat.bodies import ProjectNumber
from dragoman.web.cat.hub import Listener
from dragoman.web.cat.workbench import Workbench
from dragoman.web.guard import Live
from dragoman.web.logs import LOGGER

__all__ = ["ROUTER"]

ROUTER = APIRouter()
_LONGEST = 1 << 18  # characters of a message
_MOST_WAITING = 100  # messages of somebody who does not wait for answers
_SKIPPED = "setPrefix"
_REFUSED, _TOO_MUCH = 4404, 1008  # codes of closing


@ROUTER.websocket("/cat/projects/{project}/socket")
async def socket(websocket: WebSocket, project: ProjectNumber, who: Live) -> None:
    """Work together in a project, with predictions."""
    try:
        access = await to_thread.run_sync(_access, websocket, project, who)
    except Refusal:
        await websocket.close(_REFUSED)
        return
    await websocket.accept()
    await _Connection(websocket, access, who).run()


def _access(websocket: WebSocket, project: int, who: Session) -> Access:
    state = websocket.app.state
    limited = state.settings.own_campaigns and who.user.role == "manager"
    with state.store.read() as connection:
        return access_of(connection, project, who.user, limited=limited)


class _Connection:
    """One socket: what came in, what goes out, the prediction of its open segment."""

    def __init__(self, websocket: WebSocket, access: Access, who: Session) -> None:
        self.websocket = websocket
        self.access = access
        self.who = who
        self.cat: Workbench = websocket.app.state.cat
        self.listener = Listener(access.user)
        self.waiting: deque[dict[str, Any]] = deque()
        self.news = asyncio.Event()
        self.limiter = self.cat.predicting
        self.prediction = PredictionSession(lambda: self.cat.engine_of(access.project))
        self.segment: int | None = None

    async def run(self) -> None:
        """Serve until one of the sides ends it."""
        project = self.access.project.id
        self.cat.hub.enter(project, self.listener)
        tasks = [asyncio.create_task(part()) for part in (self._read, self._work, self._send)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.cat.hub.leave(project, self.listener)
            if self.segment is not None:
                await to_thread.run_sync(self._close_segment)
                self.cat.hub.tell(project)

    async def _read(self) -> None:
        while True:
            try:
                text = await self.websocket.receive_text()
            except (WebSocketDisconnect, KeyError):  # bytes, of which we know none
                return
            message = _message(text)
            if message is None or len(self.waiting) >= _MOST_WAITING:
                await self.websocket.close(_TOO_MUCH)
                return
            self.waiting.append(message)
            self.news.set()

    async def _work(self) -> None:
        while True:
            await self.news.wait()
            self.news.clear()
            while self.waiting:
                message = self.waiting.popleft()
                self.listener.put(await self._answer(message))

    async def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        begun = time.perf_counter()
        name, data, errors = message["name"], {}, []
        try:
            if name == _SKIPPED and any(each["name"] == _SKIPPED for each in self.waiting):
                data = {"stale": True}
            else:
                data = await to_thread.run_sync(self._call, name, message["data"], limiter=self.limiter)
        except DragomanError as error:
            errors = [str(error)]
        except Exception as error:
            LOGGER.error("socket fault", exc_info=error)
            errors = ["This is our fault; it was written into the server's log."]
        elapsed = 1000 * (time.perf_counter() - begun)
        return {"id": message["id"], "name": f"{name}Result", "data": data, "errors": errors, "elapsedTime": elapsed}

    async def _send(self) -> None:
        while not self.listener.is_lost:
            message = await self.listener.messages.get()
            try:
                await self.websocket.send_text(json.dumps(message, ensure_ascii=False))
            except (WebSocketDisconnect, RuntimeError):
                return

    def _call(self, name: str, data: dict[str, Any]) -> dict[str, Any]:
        if name == "open":
            return self._open_segment(data)
        if name == "close":
            self._close_segment()
            self.cat.hub.tell(self.access.project.id)
            return {}
        if name == "validate":
            return self._validate(data)
        if name not in CALLS:
            known = ", ".join(("open", "close", "validate", *CALLS))
            raise DataError(f"There is no call {name[:40]!r}. Known: {known}.")
        return self.prediction.call(name, data)

    def _open_segment(self, data: dict[str, Any]) -> dict[str, Any]:
        """`open(segment)`: take its lock, if it is free; the one before is closed. Ask again in time to keep it."""
        segment = data.get("segment")
        if not isinstance(segment, int) or isinstance(segment, bool) or not 0 < segment < 2**31:
            raise DataError(f"segment is {str(segment)[:40]!r}; expected the number of a segment.")
        self.access = _access(self.websocket, self.access.project.id, self.who)
        with self.cat.store.write() as connection:
            if self.segment not in (None, segment):
                segments.free_lock(connection, self.access.project.id, self.segment or 0, self.access.user)
                self.segment = None
            row = segments.find_segment(connection, self.access.project.id, segment)
            self.access.check(row["place"])
            is_mine, holder = segments.take_lock(connection, self.access.project.id, segment, self.access.user)
        self.segment = segment if is_mine else None
        self.cat.hub.tell(self.access.project.id)
        return {"segment": segment, "locked": is_mine, "holder": holder, "seconds": segments.LOCK_SECONDS}

    def _close_segment(self) -> None:
        if self.segment is not None:
            with self.cat.store.write() as connection:
                segments.free_lock(connection, self.access.project.id, self.segment, self.access.user)
            self.segment = None

    def _validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """`validate(source, target)`: let the project's engine learn a pair at once."""
        if not self.access.jobs and not self.access.manages:
            raise DataError("Only those who translate in the project teach its engine.")
        pair = [data.get(name) for name in ("source", "target")]
        if not all(isinstance(each, str) and each.strip() for each in pair):
            raise DataError("validate needs a source and a target, texts with words.")
        return {"learnt": self.cat.learn(self.access.project, [(str(pair[0]), str(pair[1]))])}


def _message(text: str) -> dict[str, Any] | None:
    """A message that can be answered; None of what is none."""
    if len(text) > _LONGEST:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or not isinstance(message.get("name"), str):
        return None
    number, data = message.get("id"), message.get("data", {})
    if not isinstance(number, int | str | None) or not isinstance(data, dict):
        return None
    return {"id": number, "name": message["name"], "data": data}
