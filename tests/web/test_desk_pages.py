"""The desk in a real browser: files are brought by keyboard, axe finds nothing, no width needs sideways scrolling."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from dragoman.store import Store
from dragoman.web import create_app
from dragoman.web.catalogue import LANGUAGES
from tests.web.client import PASSWORD
from tests.web.conftest import PATIENT
from tests.web.test_access import faults, shortcomings
from tests.web.test_desk import BODIES


@pytest.fixture
def address(light_store: Store) -> Iterator[str]:
    import uvicorn

    app = create_app(light_store, PATIENT)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield "http://{}:{}".format(*server.servers[0].sockets[0].getsockname())
    server.should_exit = True
    thread.join(timeout=30)


@pytest.fixture
def signed_in(address: str, open_page: Callable[..., Any]) -> Callable[..., Any]:
    answer = httpx.post(f"{address}/api/v1/session", json={"name": "the-viewer", "password": PASSWORD}, timeout=60)
    cookie = {"name": "dragoman_session", "value": answer.cookies["dragoman_session"], "url": address}

    def opened(path: str, **more: Any) -> Any:
        page = open_page(f"{address}/health", **more)
        page.set_default_timeout(300_000)  # ms: each answer is the work of a new process
        page.context.add_cookies([cookie])
        page.goto(f"{address}{path}")
        return page

    return opened


def test_the_forms_keep_nobody_out(signed_in: Callable[..., Any]) -> None:
    page = signed_in("/score")
    for path, lang in itertools.product((*BODIES, "translate", "quality"), LANGUAGES):
        page.goto(f"{page.url.rpartition('/')[0]}/{path}?lang={lang}")
        assert page.get_attribute("html", "lang") == lang
        assert shortcomings(page) == [], (path, lang)


@pytest.mark.parametrize("task", BODIES)
def test_bring_see_and_download(signed_in: Callable[..., Any], tmp_path: Path, task: str) -> None:
    lang = {"score": "ar", "compare": "de", "ranking": "es", "meta": "en"}[task]
    page = signed_in(f"/{task}", lang=lang)
    for slot, files in BODIES[task].items():
        if not isinstance(files, list):
            page.fill(f"#o-{slot}", str(files))
            continue
        for each in files:
            (tmp_path / each["name"]).write_text(each["text"], encoding="utf-8")
        page.set_input_files(f"#f-{slot}", [str(tmp_path / each["name"]) for each in files])
    page.focus("#desk button.primary")
    page.keyboard.press("Enter")
    page.wait_for_selector("#result table")
    assert shortcomings(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    for form, suffix in (("tsv", "tsv"), ("latex", "tex"), ("html", "html")):
        with page.expect_download() as download:
            page.click(f"button[value={form}]")
        assert download.value.suggested_filename == f"{task}.{suffix}"
        assert Path(download.value.path()).read_text(encoding="utf-8").strip()


def test_an_error_stands_above_a_form_that_kept_everything(signed_in: Callable[..., Any], tmp_path: Path) -> None:
    page = signed_in("/score")
    page.click("section[aria-labelledby=s-systems] summary")
    page.fill("#systems-1-name", "mine")
    page.fill("#systems-1", "one\ntwo\n")
    (tmp_path / "r.en").write_text("one\n", encoding="utf-8")
    page.set_input_files("#f-refs", str(tmp_path / "r.en"))
    page.click("#desk button.primary")
    page.wait_for_selector("#why")
    assert "refs/r.en=1, systems/mine=2" in page.inner_text("#why")
    assert page.input_value("#systems-1-name") == "mine"
    assert page.input_value("#systems-1") == "one\ntwo\n"
    assert page.input_value("#refs-1") == "one\n"
    assert faults(page) == []
    page.fill("#refs-1", "one\ntwo\n")
    page.click("#desk button.primary")
    page.wait_for_selector("#result table")
    assert "100.0" in page.inner_text("#result")
