"""Real systems, and a browser to open pages in, for the tests of metrics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.files import read_lines
from tests.browsers import running_browser


@pytest.fixture(scope="session")
def newstest2013(data_folder: Path):
    """`newstest2013("fr-en")` gives the references' lines and every system's lines."""

    def load(pair: str) -> tuple[list[str], dict[str, list[str]]]:
        folder = data_folder / "newstest2013"
        ref = read_lines(folder / "references" / f"newstest2013.{pair[-2:]}.gz")
        prefix = f"newstest2013.{pair}."
        files = sorted((folder / pair).glob("*.gz"))
        return ref, {path.name.removeprefix(prefix).removesuffix(".gz"): read_lines(path) for path in files}

    return load


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real one; without it the tests of pages are skipped."""
    with running_browser() as started:
        yield started


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """An empty desktop page; errors of its script fail the test."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(60_000)  # ms: a busy machine is slow
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on(
        "request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or errors.append(request.url)
    )
    yield opened
    opened.close()
    assert errors == []
