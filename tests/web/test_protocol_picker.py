"""The picker of protocols: words and a picture of each, and a preview on the screen that annotators get."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.human.protocol import PROTOCOLS
from dragoman.store import Store
from dragoman.web import create_app
from dragoman.web.campaigns.previews import preview, protocol_rows
from dragoman.web.catalogue import LANGUAGES, words_in
from tests.web.client import Client
from tests.web.conftest import PATIENT
from tests.web.house import FILES, fill
from tests.web.served import served, signed_in
from tests.web.test_access import shortcomings

every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS.names())


@every_protocol
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_protocol_is_described(protocol: str, lang: str) -> None:
    words = words_in(lang)
    assert words(f"protocols.{protocol}")
    assert len(words(f"protocols.{protocol}_text")) > 20


def test_the_form_offers_every_protocol_with_a_picture_of_its_own(light_app: FastAPI) -> None:
    page = Client(light_app, "the-manager").get("/campaigns/new").text
    assert re.findall(r'name="protocol" id="w-([a-z-]+)"', page) == list(PROTOCOLS.names())
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    screens = [row["screen"] for row in protocol_rows()]
    assert len(pictures) == len(screens)
    assert len(set(pictures)) == len(set(screens))
    assert page.count(" checked") == 1


def test_a_preview_shows_no_control_and_names_no_system(light_app: FastAPI) -> None:
    for protocol in PROTOCOLS.names():
        shown = str(preview(protocol)["shown"])
        assert not re.search("cobalt|atlas|ember", shown)
    guest = Client(light_app)
    assert guest.get("/protocols/da").status_code in (303, 401)
    assert Client(light_app, "the-annotator").get("/protocols/da").status_code == 403
    assert Client(light_app, "the-viewer").get("/protocols/tarot").status_code == 404


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[tuple[str, Any]]:
    store = Store(tmp_path_factory.mktemp("picker") / "house.db")
    store.migrate()
    fill(store)
    with served(create_app(store, PATIENT)) as address:
        yield address, signed_in(browser, address, "the-manager")
    store.close()


@every_protocol
def test_a_protocol_can_be_tried(house: tuple[str, Any], open_page: Callable[..., Any], protocol: str) -> None:
    address, session = house
    page = open_page(f"{address}/protocols/{protocol}", storage_state=session)
    page.wait_for_selector("#screen .screen > *")
    assert page.inner_text("h1") == words_in("en")(f"protocols.{protocol}")
    page.focus("#item-title")
    page.keyboard.press("?")
    page.wait_for_selector("#help[open] dd")
    page.keyboard.press("Escape")
    assert shortcomings(page) == []


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_protocol_is_picked_by_keyboard(
    house: tuple[str, Any], open_page: Callable[..., Any], tmp_path: Path, lang: str
) -> None:
    address, session = house
    for name in ("source.de", "one.en"):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    page = open_page(f"{address}/campaigns/new", storage_state=session, lang=lang)
    assert shortcomings(page) == []
    page.fill("#w-name", f"picked-{lang}")
    page.fill("#w-annotators", "2")
    page.focus("#w-da")
    page.keyboard.press("ArrowDown")
    assert page.is_checked("#w-esa")
    page.set_input_files("#w-sources", tmp_path / "source.de")
    page.set_input_files("#w-systems", tmp_path / "one.en")
    page.locator("button.primary").first.click()
    page.wait_for_url(f"**/campaigns/picked-{lang}")
    assert page.locator("main .badge", has_text="esa").count() == 1
