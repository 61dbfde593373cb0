"""Windows of a browser that tests use one after the other.

A fresh context takes a process of its own, which reads all scripts anew: three quarters of the time of a short test. So
a window whose test left nothing behind that cannot be taken back is emptied (cookies, storage, media) and kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

__all__ = ["Window", "Windows"]

# What stays for as long as the window does.
LASTING = {
    "page": (
        "add_init_script",
        "close",
        "expose_binding",
        "expose_function",
        "on",
        "once",
        "route",
        "route_web_socket",
    ),
    "context": (
        "add_init_script",
        "close",
        "expose_binding",
        "expose_function",
        "grant_permissions",
        "on",
        "route",
        "route_web_socket",
    ),
}
PATIENCE = 60_000  # ms: a busy machine is slow
# What a script writes where a value is missing, and nobody is to read.
MISSING = re.compile(r"\b(?:null|undefined|NaN)\b|\[object ")
READ = """() => [document.body, ...document.querySelectorAll("[aria-label], [aria-valuetext], [placeholder], [title]")]
    .flatMap((e) => [e === document.body ? e.innerText : "", e.ariaLabel, e.ariaValueText, e.placeholder, e.title])
    .filter(Boolean).join("\\n")"""


class Window:
    """A context with one page; `faults` is what its scripts threw or a policy forbade."""

    def __init__(self, browser: Any, options: dict[str, Any]) -> None:
        self.faults: list[str] = []
        self.spoilt = False
        self.origins: set[str] = set()
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self.context.on("page", self._listen)
        self.page = self.context.new_page()
        for thing, names in ((self.page, LASTING["page"]), (self.context, LASTING["context"])):
            for name in names:
                setattr(thing, name, self._spoils(getattr(thing, name)))

    def _listen(self, page: Any) -> None:
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: "Content Security Policy" in line.text and self.faults.append(line.text))

    def missing(self) -> list[str]:
        """The places of open pages where a person reads `null`."""
        texts = [page.evaluate(READ) for page in self.context.pages if page.url.startswith("http")]
        found = [(text, match) for text in texts for match in [MISSING.search(text)] if match]
        return [f"reads {text[max(0, match.start() - 80) : match.end() + 40]!r}" for text, match in found]

    def _spoils(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **more: Any) -> Any:
            self.spoilt = True
            return method(*arguments, **more)

        return noted

    def empty(self) -> bool:
        """Take back what a test did; whether that was possible."""
        if self.spoilt or self.page.is_closed():
            return False
        for page in self.context.pages:
            self.origins.add("{0.scheme}://{0.netloc}".format(urlsplit(page.url)))
            if page != self.page:
                page.close()
        if self.page.evaluate("() => '__pwClock' in globalThis"):
            return False
        self.page.evaluate("() => { try { sessionStorage.clear() } catch { /* of a page without an origin */ } }")
        self.page.goto("about:blank")
        session = self.context.new_cdp_session(self.page)
        for origin in self.origins:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
        self.context.clear_cookies()
        self.context.set_offline(False)
        self.page.emulate_media(media="null", color_scheme="light", reduced_motion="no-preference")
        return True


class Windows:
    """Those of a browser that are free, by their language."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.free: dict[str, list[Window]] = {}

    @contextmanager
    def for_a_test(self) -> Iterator[Callable[..., Any]]:
        """A function that opens an address in a window of its own, and gives its page."""
        used: list[tuple[str | None, Window]] = []

        def opened(address: str, *, width: int = 1280, height: int = 900, lang: str = "en-GB", **more: Any) -> Any:
            size = {"width": width, "height": height}
            state = more.get("storage_state")
            plain = set(more) <= {"storage_state"} and not (state and state["origins"])
            if plain and self.free.get(lang):
                window = self.free[lang].pop()
                window.page.set_viewport_size(size)
                window.context.add_cookies(state["cookies"] if state else [])
            else:
                window = Window(self.browser, {"viewport": size, "locale": lang, **more})
            used.append((lang if plain else None, window))
            window.origins.add("{0.scheme}://{0.netloc}".format(urlsplit(address)))
            window.page.goto(address)
            return window.page

        yield opened
        faults = [fault for _, window in used for fault in [*window.faults, *window.missing()]]
        for lang, window in used:
            if lang is not None and window.empty():
                window.faults.clear()
                self.free.setdefault(lang, []).append(window)
            else:
                window.context.close()
        assert faults == [], faults
