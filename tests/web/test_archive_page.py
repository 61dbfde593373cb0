"""The page of an archive in a browser: from the disk, without a server and without the network."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.archive import write_archive
from dragoman.store.judging.membership import add_member
from dragoman.store.people.accounts import add_user
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD
from tests.web.house import CAMPAIGN, SYSTEMS, fill
from tests.web.judges import fill_campaign


@pytest.fixture(scope="module")
def page_of_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that two people and an invented judge filled, as its archive shows it."""
    folder = tmp_path_factory.mktemp("archive")
    store = Store(folder / "house.db")
    store.migrate()
    fill(store)
    with store.write() as connection:
        add_user(connection, "robot", "annotator", PASSWORD, actor=COMMAND_LINE, platform={"platform": "simulated"})
        add_member(connection, CAMPAIGN, "robot", actor=COMMAND_LINE)
    app = create_app(store, Settings(requests_per_minute=100_000))
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0, "ben": 0.0, "robot": 1.0}, tasks=2)
    with store.read() as connection, zipfile.ZipFile(io.BytesIO(write_archive(connection, CAMPAIGN))) as archive:
        archive.extractall(folder / "archive")
    store.close()
    return folder / "archive" / "index.html"


@pytest.mark.parametrize("width", [1280, 390])
def test_an_archive_is_looked_at_without_a_server(
    page_of_archive: Path, open_page: Callable[..., Any], width: int
) -> None:
    """Nothing else is asked for, nothing is cut off at the side, and what is invented says so."""
    asked: list[str] = []
    page = open_page("about:blank", offline=True, width=width)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_of_archive.as_uri())
    assert asked == [page_of_archive.as_uri()]
    text = page.inner_text("body")
    assert all(word in text for word in (*SYSTEMS, "ada", "Progress", "this is a simulation"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
