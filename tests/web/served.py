"""An app behind a port, and sessions in a browser: for tests that see whole pages."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from tests.web.client import PASSWORD

__all__ = ["served", "signed_in"]


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The address at which the app answers while the block runs."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def signed_in(browser: Any, address: str, name: str) -> Any:
    """What a browser keeps of a person who has logged in; for `storage_state`."""
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{address}/login")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/login" not in url)
    kept = context.storage_state()
    context.close()
    return kept
