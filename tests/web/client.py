"""A client of the app without a server: synchronous, with the cookies and the token of a session."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

__all__ = ["PASSWORD", "Client", "run_async"]

PASSWORD = "correct horse battery"
T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine; in another thread while a browser is open, whose event loop is this thread's."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class Client:
    """Speaks to an app. `user` signs in first; requests that change something carry the session's token."""

    def __init__(self, app: FastAPI, user: str | None = None, *, address: str = "127.0.0.1") -> None:
        self.app = app
        self.cookies = httpx.Cookies()
        self.csrf: str | None = None
        self.address = address
        if user is not None:
            answer = self.post("/api/v1/session", json={"name": user, "password": PASSWORD})
            assert answer.status_code == 200, answer.text
            self.csrf = answer.json()["csrf"]

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = dict(more.pop("headers", {}))
        if self.csrf is not None and method != "GET":
            headers.setdefault("X-CSRF-Token", self.csrf)

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(self.address, 1))
            async with httpx.AsyncClient(
                transport=transport, base_url="http://localhost", cookies=self.cookies
            ) as client:
                answer = await client.request(method, path, headers=headers, **more)
                self.cookies = client.cookies
                return answer

        return run_async(ask())

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)

    def put(self, path: str, **more: Any) -> httpx.Response:
        return self.request("PUT", path, **more)

    def delete(self, path: str, **more: Any) -> httpx.Response:
        return self.request("DELETE", path, **more)
