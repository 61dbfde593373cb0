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
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from anyio import to_thread
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from dragoman.cat.session import CALLS, PredictionSession
from dragoman.errors import DataError, DragomanError
from dragoman.notation import parse_json
from dragoman.store.database import Store
from dragoman.store.refusals import NotSignedIn, Refusal
from dragoman.store.translating import segments
from dragoman.store.translating.jobs import Access, access_of
from dragoman.web.answering import AWAY, NO_PROJECT
from dragoman.web.cat.bodies import ProjectNumber
from dragoman.web.cat.hub import CLOSE, Listener
from dragoman.web.cat.workbench import Workbench
from dragoman.web.guard import LATER, NOBODY, Live, count_search, still_here
from dragoman.web.logs import LOGGER

__all__ = ["ROUTER"]

ROUTER = APIRouter()
_LONGEST = 1 << 18  # characters of a message
_MOST_WAITING = 100  # messages of somebody who does not wait for answers
_SKIPPED = "setPrefix"
_TOO_MUCH = 1008  # what is no message, or too many of them
_SEARCHES = ("startSession", "getAlignments", "getConfidences")  # calls that ask the engine anew
_AWAY = "The database cannot be reached or is full. Nothing was done; try again in a moment."


@ROUTER.websocket("/cat/projects/{project}/socket")
async def socket(websocket: WebSocket, project: ProjectNumber, who: Live) -> None:  # noqa: ARG001
    """Work together in a project, with predictions."""

    def admit(connection: sa.Connection) -> Access:
        """What whoever is at the socket may do by now; raises if they may be there no longer."""
        return access_of(connection, project, still_here(connection, websocket))

    try:
        access = await to_thread.run_sync(_now, websocket.app.state.store, admit)
    except NotSignedIn:
        await websocket.close(NOBODY)
    except Refusal:
        await websocket.close(NO_PROJECT)
    except AWAY as error:
        LOGGER.error("database: %s", getattr(error, "orig", error))
        await websocket.close(LATER)
    else:
        await _Connection(websocket, access, admit).run()


def _now(store: Store, admit: Callable[[sa.Connection], Access]) -> Access:
    with store.read() as connection:
        return admit(connection)


class _Refused(Refusal):
    """Whoever calls may be at the socket no longer."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Connection:
    """One socket: what came in, what goes out, the prediction of its open segment."""

    def __init__(self, websocket: WebSocket, access: Access, admit: Callable[[sa.Connection], Access]) -> None:
        self.websocket = websocket
        self.access = access
        self.admit = admit
        self.cat: Workbench = websocket.app.state.cat
        self.limits: dict[str, int] = websocket.app.state.settings.limits_by_role
        self.listener = Listener(access.user, admit)
        self.waiting: deque[dict[str, Any]] = deque()
        self.news = asyncio.Event()
        self.limiter = self.cat.predicting
        self.prediction = PredictionSession(lambda: self.cat.engine_of(self.access.project))
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
                with suppress(*AWAY):  # then the lock ends by itself
                    await to_thread.run_sync(self._close_segment)
                self.cat.hub.tell(project)

    async def _read(self) -> None:
        while True:
            try:
                text = await self.websocket.receive_text()
            except WebSocketDisconnect:
                return
            except KeyError:  # bytes, of which we know none
                text = ""
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
                answer = await self._answer(message)
                if answer is None:  # nothing more is answered: the socket is about to be closed
                    await asyncio.Event().wait()
                else:
                    self.listener.put(answer)

    async def _answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        begun = time.perf_counter()
        name, data, errors = message["name"], {}, []
        try:
            if name == _SKIPPED and any(each["name"] == _SKIPPED for each in self.waiting):
                data = {"stale": True}
            else:
                data = await to_thread.run_sync(self._call, name, message["data"], limiter=self.limiter)
        except _Refused as error:
            errors = [str(error)]
            self.listener.put(_answered(message, data, errors, begun))
            self.listener.end(error.code)
            return None
        except DragomanError as error:
            errors = [str(error)]
        except AWAY as error:
            LOGGER.error("database: %s", getattr(error, "orig", error))
            errors = [_AWAY]
        except Exception as error:
            LOGGER.error("socket fault", exc_info=error)
            errors = ["This is our fault; it was written into the server's log."]
        return _answered(message, data, errors, begun)

    async def _send(self) -> None:
        while not self.listener.is_lost:
            message = await self.listener.messages.get()
            if CLOSE in message:
                await self._close(message[CLOSE])
                return
            try:
                await self.websocket.send_text(_written(message))
            except (WebSocketDisconnect, RuntimeError):
                return
        await self._close(_TOO_MUCH)

    async def _close(self, code: int) -> None:
        with suppress(RuntimeError):  # the other side has closed already
            await self.websocket.close(code)

    def _call(self, name: str, data: dict[str, Any]) -> dict[str, Any]:
        self._look_again()
        if name in CALLS and name != "ping" and not self.access.works:
            raise DataError("You look on in this project; its engine is asked by those who work in it.")
        if name in CALLS and name != "ping":
            self.access.check_asks()
        if name in _SEARCHES:
            count_search(self.cat.store, self.access.user, self.limits[self.access.user.role])
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

    def _look_again(self) -> None:
        """What the person may do by now: every call is looked at as if the socket had just been opened."""
        engine = self.access.project.engine
        try:
            self.access = _now(self.cat.store, self.admit)
        except NotSignedIn as error:
            raise _Refused(NOBODY, str(error)) from None
        except Refusal as error:
            raise _Refused(NO_PROJECT, str(error)) from None
        if self.access.project.engine != engine:  # taken from the project, or another given: no more of the old one
            self.prediction.end({})

    def _open_segment(self, data: dict[str, Any]) -> dict[str, Any]:
        """`open(segment)`: take its lock, if it is free; the one before is closed. Ask again in time to keep it."""
        segment = data.get("segment")
        if not isinstance(segment, int) or isinstance(segment, bool) or not 0 < segment < 2**31:
            raise DataError(f"segment is {str(segment)[:40]!r}; expected the number of a segment.")
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
        if not self.access.works:
            raise DataError("Only those who translate in the project teach its engine.")
        pair = [data.get(name) for name in ("source", "target")]
        if not all(isinstance(each, str) and each.strip() for each in pair):
            raise DataError("validate needs a source and a target, texts with words.")
        return {"learnt": self.cat.learn(self.access.project, [(str(pair[0]), str(pair[1]))])}


def _answered(message: dict[str, Any], data: Any, errors: list[str], begun: float) -> dict[str, Any]:
    elapsed = 1000 * (time.perf_counter() - begun)
    name = f"{message['name']}Result"
    return {"id": message["id"], "name": name, "data": data, "errors": errors, "elapsedTime": elapsed}


def _written(message: dict[str, Any]) -> str:
    """A message as JSON; half a character, which a browser may send, goes back as it came, spelt out."""
    text = json.dumps(message, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(message)
    return text


def _message(text: str) -> dict[str, Any] | None:
    """A message that can be answered; None of what is none."""
    if len(text) > _LONGEST:
        return None
    try:
        message = parse_json(text)
        json.dumps(message, allow_nan=False)  # neither NaN nor 1e400, which no answer could have
    except (DataError, ValueError):
        return None
    if not isinstance(message, dict) or not isinstance(message.get("name"), str):
        return None
    number, data = message.get("id"), message.get("data", {})
    if not isinstance(number, int | str | None) or not isinstance(data, dict):
        return None
    return {"id": number, "name": message["name"], "data": data}
