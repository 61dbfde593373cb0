"""A server with an engine and people at their desks: what the stories of the editor share."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import uvicorn

from dragoman.engines import Completion
from dragoman.store import Store
from dragoman.web import create_app
from tests.web.cat.conftest import API, make_project
from tests.web.cat.engines import WordEngine
from tests.web.client import PASSWORD, Client
from tests.web.conftest import PATIENT
from tests.web.house import fill

__all__ = ["FIELD", "MANUAL", "DoubtfulEngine", "Office", "Person", "ready"]

_NUMBERS = count(1)
FIELD = ".pane textarea[lang]"
MANUAL = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en" target-language="ar" datatype="html"><body>
<trans-unit id="1"><source>Press <g id="1">Start</g> now.</source></trans-unit>
<trans-unit id="2"><source>Then wait.</source></trans-unit></body></file></xliff>"""

SURE = {"We": 0.9, "gehen": 0.6, "nach": 0.4, "Hause": 0.1, ".": 0.9}


class _Sure:
    def __init__(self, completer: Any) -> None:
        self.completer = completer
        self.source = completer.source

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        said: list[Completion] = self.completer.complete(prefix, suffix, n=n, confidence=confidence)
        return [
            Completion(
                each.text, each.tokens, each.score, each.edits, tuple(SURE.get(w, 0.9) for w in each.tokens or ())
            )
            for each in said
        ]


class DoubtfulEngine(WordEngine):
    """Is not sure of all its words."""

    def completer(self, source: str) -> Any:
        return _Sure(super().completer(source))


class Office:
    """A running server and clients of it that work in a thread of their own: Playwright's loop is this thread's."""

    def __init__(self, folder: Path, repairers: tuple[str, ...] = ()) -> None:
        self.store = Store(folder / "house.db")
        self.store.migrate()
        fill(self.store)
        (folder / "engine").mkdir()
        (folder / "engine" / "manifest.json").write_text("{}")
        engines = (f"words={folder / 'engine'}",)
        settings = replace(PATIENT, engines=engines, repairers=repairers, learning=str(folder / "learning"))
        self.app = create_app(self.store, settings)
        self.port = 0
        self._elsewhere = ThreadPoolExecutor(1)
        self.start()

    def start(self) -> None:
        options: dict[str, Any] = {"log_level": "critical", "timeout_graceful_shutdown": 1}  # sockets stay open else
        config = uvicorn.Config(self.app, host="127.0.0.1", port=self.port, **options)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._server.serve()), daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()

    def close(self) -> None:
        self.stop()
        self.store.close()
        self._elsewhere.shutdown()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def do(self, work: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        return self._elsewhere.submit(work, *arguments, **more).result()

    def project(self, **more: Any) -> int:
        """A letter that ada translates (1–3) and ben reviews, with an engine."""
        return int(self.do(make_project, self.app, **{"name": f"Letters {next(_NUMBERS)}", "engine": "words", **more}))

    def manual(self) -> int:
        """A manual with codes, from English into Arabic, for ada."""

        def made() -> int:
            manager = Client(self.app, "the-manager")
            body = {"name": f"Manual {next(_NUMBERS)}", "source_lang": "en", "target_lang": "ar"}
            number = manager.post(f"{API}/projects", json=body).json()["id"]
            sent = manager.post(f"{API}/projects/{number}/files", params={"name": "a.xlf"}, content=MANUAL.encode())
            assert sent.status_code == 201, sent.text
            assert manager.post(f"{API}/projects/{number}/jobs", json={"user": "ada"}).status_code == 201
            return int(number)

        return int(self.do(made))

    def captions(self, text: str) -> int:
        """A text from English into Czech, for ada."""

        def made() -> int:
            manager = Client(self.app, "the-manager")
            body = {"name": f"Captions {next(_NUMBERS)}", "source_lang": "en", "target_lang": "cs"}
            number = manager.post(f"{API}/projects", json=body).json()["id"]
            sent = manager.post(f"{API}/projects/{number}/files", params={"name": "a.txt"}, content=text.encode())
            assert sent.status_code == 201, sent.text
            assert manager.post(f"{API}/projects/{number}/jobs", json={"user": "ada"}).status_code == 201
            return int(number)

        return int(self.do(made))

    def get(self, path: str, user: str = "the-manager", **more: Any) -> Any:
        return self.do(lambda: Client(self.app, user).get(f"{API}/projects/{path}", **more).json())

    def send(self, method: str, path: str, body: Any, user: str = "the-manager") -> Any:
        return self.do(lambda: Client(self.app, user).request(method, f"{API}/projects/{path}", json=body).json())

    def upload(self, project: int, name: str, content: bytes) -> None:
        manager = self.do(Client, self.app, "the-manager")
        path = f"{API}/projects/{project}/files"
        assert self.do(manager.post, path, params={"name": name}, content=content).status_code == 201

    def rows(self, project: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get(f"{project}/segments")["segments"]
        return found

    def saved(self, project: int, place: int, target: str, state: str | None = None) -> dict[str, Any]:
        """Wait until a segment has a text, and perhaps a state, on the server."""
        for _ in range(600):
            row = self.rows(project)[place - 1]
            if row["target"] == target and state in (None, row["state"]):
                return row
            time.sleep(0.1)
        raise AssertionError(f"segment {place} is {row['state']} {row['target']!r}, not {state} {target!r}")


class Person:
    """Somebody at the editor."""

    def __init__(self, office: Office, open_page: Callable[..., Any], name: str, project: int, **more: Any) -> None:
        self.page = open_page(f"{office.address}/login", **more)
        self.page.fill("#name", name)
        self.page.fill("#password", PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(lambda url: "/login" not in url)
        self.page.goto(f"{office.address}/cat/projects/{project}/edit")
        ready(self.page)

    @property
    def text(self) -> str:
        return str(self.page.input_value(FIELD))

    def type(self, text: str) -> None:
        self.page.focus(FIELD)
        self.page.keyboard.type(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def shows(self, text: str) -> None:
        """Wait until the field holds a text."""
        self.page.wait_for_function(
            "([field, text]) => document.querySelector(field).value === text", arg=[FIELD, text]
        )

    def ghost(self, text: str) -> None:
        """Wait until the prediction reads so."""
        self.page.wait_for_function("text => (document.querySelector('.ghost')?.textContent ?? '') === text", arg=text)

    def at(self, place: int) -> None:
        """Wait until a segment is open and its suggestions are there."""
        self.page.wait_for_selector(f".row.active[data-place='{place}'] .suggestions li")

    def agree(self) -> None:
        self.page.click("#consent button[value=yes]")
        self.page.wait_for_selector("#consent", state="hidden")


def ready(page: Any) -> None:
    """Wait until a segment is open and its suggestions are there."""
    page.wait_for_selector(".pane .suggestions li")
