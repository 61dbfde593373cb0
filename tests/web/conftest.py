"""One browser and one stub for all tests of the pages."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, shared; every test opens a context of its own."""
    playwright = pytest.importorskip("playwright.sync_api")
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    arguments = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=BROWSER, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def stub() -> Iterator[Any]:
    pytest.importorskip("fastapi")
    pytest.importorskip("uvicorn")
    from tests.web.stub import Stub

    running = Stub()
    running.start()
    yield running
    running.stop()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open pages in contexts of their own; what a script throws, or a policy forbids, fails the test."""
    contexts, faults = [], []

    def listen(page: Any) -> None:
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: "Content Security Policy" in line.text and faults.append(line.text))

    def opened(address: str, *, width: int = 1280, height: int = 900, lang: str = "en-GB", **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, locale=lang, **more)
        context.set_default_timeout(10_000)
        context.on("page", listen)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def judge(stub: Any, open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Open a campaign of the stub; gives the page and what the stub knows of it."""

    def opened(name: str, **more: Any) -> tuple[Any, Any]:
        own = f"{name}~{next(_NUMBERS)}"
        page = open_page(f"{stub.address}/campaigns/{own}/work", **more)
        page.wait_for_selector("#screen .screen")
        return page, stub.of(own)

    return opened


_NUMBERS = count(1)
