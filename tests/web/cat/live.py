"""Sockets of an app without a server: a loop in a thread of its own, and a synchronous end to speak and hear with."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
from types import TracebackType
from typing import Any

from fastapi import FastAPI

__all__ = ["Closed", "Live", "Socket"]

_LAST_LOOKS = 5.0  # seconds
PATIENCE = 120  # seconds until something that must come counts as not coming


class Closed(Exception):
    """The server ended the socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Live:
    """A loop in which sockets of an app run."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def connect(self, path: str, headers: dict[str, str]) -> Socket:
        return Socket(self, path, {"Host": "localhost", **headers})

    def __enter__(self) -> Live:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(_end_tasks(), self.loop).result(PATIENCE)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()
        # A thread that looks at the database goes on without the loop; closed meanwhile, its connection is nobody's.
        pool, until = self.app.state.store.engine.pool, time.monotonic() + _LAST_LOOKS
        while pool.checkedout() and time.monotonic() < until:
            time.sleep(0.01)


async def _end_tasks() -> None:
    """End what runs in the loop, so that nothing begins another look at the database."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Socket:
    """One end of a socket; what the server refuses raises `Closed`."""

    def __init__(self, live: Live, path: str, headers: dict[str, str]) -> None:
        self._live = live
        self._out: queue.Queue[dict[str, Any]] = queue.Queue()
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._number = 0
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
            "subprotocols": [],
        }
        self._put({"type": "websocket.connect"})

        async def send(message: dict[str, Any]) -> None:
            self._out.put(message)

        self.task = asyncio.run_coroutine_threadsafe(live.app(scope, self._in.get, send), live.loop)  # type: ignore[arg-type]

    def _put(self, message: dict[str, Any]) -> None:
        self._live.loop.call_soon_threadsafe(self._in.put_nowait, message)

    def _take(self) -> dict[str, Any]:
        message = self._out.get(timeout=PATIENCE)
        if message["type"] == "websocket.close":
            raise Closed(message["code"])
        return message

    def __enter__(self) -> Socket:
        assert self._take()["type"] == "websocket.accept"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._put({"type": "websocket.disconnect", "code": 1001})
        self.task.result(timeout=PATIENCE)

    def send(self, text: str) -> None:
        self._put({"type": "websocket.receive", "text": text})

    def ask(self, name: str, **data: Any) -> dict[str, Any]:
        """The answer to a call; what is heard meanwhile is left."""
        self._number += 1
        self.send(json.dumps({"id": self._number, "name": name, "data": data}))
        while True:
            message = self.hear(f"{name}Result")
            if message["id"] == self._number:
                return message

    def hear(self, name: str) -> dict[str, Any]:
        """The next message of this name."""
        while True:
            message = json.loads(self._take()["text"])
            if message["name"] == name:
                return dict(message)

    def until_here(self, expected: dict[str, int | None]) -> None:
        """Wait until these people are where they are expected."""
        while {each["user"]: each["segment"] for each in self.hear("presence")["data"]["people"]} != expected:
            pass

    def until_closed_hearing(self) -> list[str | int]:
        """The names of what is heard until the server ends the socket, and its code."""
        names: list[str | int] = []
        try:
            while True:
                names.append(json.loads(self._take()["text"])["name"])
        except Closed as closed:
            return [*names, closed.code]

    def until_closed(self) -> int:
        """The code with which the server ends the socket."""
        try:
            while True:
                self._take()
        except Closed as closed:
            return closed.code
