"""Chromium for tests of pages: the headless build where it is installed, which opens a window six times as cheaply."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["PROGRAMS", "running_browser"]

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first found is started


@contextmanager
def running_browser() -> Iterator[Any]:
    """Start a browser for the length of a block; skip the test where none is installed."""
    playwright = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    arguments = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=arguments, timeout=120_000)
        yield browser
        browser.close()
