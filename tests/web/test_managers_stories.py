"""The managers' pages in a real browser: axe finds nothing, no width scrolls sideways, the whole story by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.membership import add_member
from dragoman.store.people.accounts import add_user
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD
from tests.web.conftest import DIALECTS
from tests.web.house import CAMPAIGN, FILES, fill
from tests.web.judges import fill_campaign
from tests.web.served import served, signed_in
from tests.web.test_access import THOROUGH_LANGUAGES, faults, shortcomings, sideways

PAGES = ["", "/people", "/quality", "/ranking", "/answers", "/disputes", "/exports", "/audit"]
PATHS = [
    "/campaigns",
    "/campaigns/new",
    "/people",
    "/people/ada",
    "/account",
    "/audit",
    "/nothing",
    *(f"/campaigns/{CAMPAIGN}{page}" for page in PAGES),
]


@pytest.fixture(scope="module", params=DIALECTS)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "sqlite":
        store = Store(tmp_path_factory.mktemp("managed") / "house.db")
    else:
        cluster = request.getfixturevalue("cluster")
        store = Store(cluster.url(cluster.make()))
    store.migrate()
    fill(store)
    with store.write() as connection:
        add_user(connection, "chloe", "annotator", PASSWORD, actor=COMMAND_LINE)
        for name in ("ada", "ben", "chloe"):
            add_member(connection, CAMPAIGN, name, actor=COMMAND_LINE)
    app = create_app(store, Settings(requests_per_minute=100_000))
    with ThreadPoolExecutor(1) as elsewhere:  # while Playwright runs, its event loop is this thread's
        elsewhere.submit(fill_campaign, app, store, CAMPAIGN, {"ada": 1.0, "ben": 0.0, "chloe": 0.9}).result()
    with served(app) as address:
        yield address
    store.close()


@pytest.fixture(scope="module")
def session(house: str, browser: Any) -> Any:
    return signed_in(browser, house, "the-admin")


# What a page looks like does not depend on the database.
on_sqlite = pytest.mark.parametrize("house", ["sqlite"], indirect=True)


@on_sqlite
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("lang", THOROUGH_LANGUAGES)
def test_a_page_keeps_nobody_out(house: str, session: Any, open_page: Callable[..., Any], path: str, lang: str) -> None:
    page = open_page(f"{house}{path}", storage_state=session, lang=lang)
    assert page.get_attribute("html", "dir") == ("rtl" if lang == "ar" else "ltr")
    assert shortcomings(page) == []


@on_sqlite
@pytest.mark.parametrize("lang", THOROUGH_LANGUAGES)
def test_guests_pages_keep_nobody_out(house: str, session: Any, open_page: Callable[..., Any], lang: str) -> None:
    page = open_page(f"{house}/campaigns/{CAMPAIGN}/people", storage_state=session)
    page.get_by_role("button", name="Make a link").click()
    page.wait_for_selector("#link")
    guest = open_page(page.input_value("#link"), lang=lang)
    assert shortcomings(guest) == []
    page.goto(f"{house}/campaigns/{CAMPAIGN}/disputes")
    address = page.locator(".told a").first.get_attribute("href")
    assert shortcomings(open_page(f"{house}{address}", storage_state=session, lang=lang)) == []
    page.goto(f"{house}/campaigns/{CAMPAIGN}/ranking")
    page.get_by_role("button", name="Publish the ranking").click()
    page.wait_for_selector("#public")
    guest = open_page(page.input_value("#public"), lang=lang)
    assert shortcomings(guest) == []
    page.get_by_role("button", name="Withdraw the page").click()
    page.wait_for_selector("text=The ranking is not public.")


@on_sqlite
@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_phones_head_has_two_lines(house: str, session: Any, open_page: Callable[..., Any], lang: str) -> None:
    """All links are there, where one is is in sight, and the keyboard brings every other into sight."""
    page = open_page(f"{house}/campaigns/{CAMPAIGN}/audit", storage_state=session, lang=lang, width=390)
    # A module runs before the page is loaded, and nothing moves the rows later.
    page.wait_for_load_state("load")
    line = page.locator(".brand").bounding_box()["height"]
    assert page.locator("header.top").bounding_box()["height"] < 3 * line
    assert page.locator("nav.tabs ul").bounding_box()["height"] < 2 * line
    in_sight = """(link) => {
      const own = link.getBoundingClientRect();
      return own.left >= 0 && own.right <= innerWidth;
    }"""
    for row in (".top nav", "nav.tabs"):
        assert page.locator(f"{row} [aria-current]").evaluate(in_sight)
        for place in (0, -1):
            link = page.locator(f"{row} a").nth(place)
            link.focus()
            assert link.evaluate(in_sight), f"{row} {place}"
    assert shortcomings(page) == []


def test_the_whole_story_by_keyboard(house: str, session: Any, open_page: Callable[..., Any], tmp_path: Path) -> None:
    """Make a campaign, see its coverage, open it, invite; leave somebody out and take it back; publish and withdraw."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    page = open_page(f"{house}/campaigns/new", storage_state=session)

    def press(name: str) -> None:
        page.get_by_role("button", name=name).first.focus()
        page.keyboard.press("Enter")

    page.focus("#w-name")
    page.keyboard.type("story")
    page.focus("#w-annotators")
    page.keyboard.type("3")
    page.focus("#w-options")
    page.keyboard.type("section_size = 2\ncontrols = {bad = 0.5}")
    for field, files in (
        ("sources", ["source.de"]),
        ("references", ["reference.en"]),
        ("systems", ["one.en", "two.en"]),
    ):
        page.set_input_files(f"#w-{field}", [tmp_path / name for name in files])
    press("Create")
    page.wait_for_url("**/campaigns/story")
    assert "paused" in page.inner_text("main")
    assert page.locator("#h-coverage").is_visible()
    press("Open the campaign")
    page.get_by_role("button", name="Pause").wait_for()
    page.goto(f"{house}/campaigns/story/people")
    press("Make a link")
    page.wait_for_selector("#link")
    assert "/join/" in page.input_value("#link")
    assert faults(page) == []
    page.goto(f"{house}/campaigns/{CAMPAIGN}/quality")
    assert "careless" in page.inner_text(".cards")
    card = page.locator(".cards > li", has_text="ben")
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    card.locator("input[name=reason]").fill("clicks")
    assert faults(page) == []
    card.locator("button").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Count again")
    page.locator(".cards > li", has_text="ben").locator("button").focus()
    page.keyboard.press("Enter")
    page.locator("text=Count again").wait_for(state="detached")
    page.goto(f"{house}/campaigns/{CAMPAIGN}/ranking")
    press("Publish the ranking")
    page.wait_for_selector("#public")
    link = page.input_value("#public")
    guest = open_page(link, lang="ar")
    assert "kestrel-nine" in guest.inner_text("main")
    assert "ada" not in guest.inner_text("main").split()
    assert faults(guest) == []
    assert sideways(guest) == []
    press("Withdraw the page")
    page.wait_for_selector("text=The ranking is not public.")
    assert guest.goto(link).status == 404


def test_an_item_is_decided(house: str, session: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(f"{house}/campaigns/{CAMPAIGN}/disputes", storage_state=session)
    page.locator(".told a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#h-decisions")
    assert faults(page) == []
    assert sideways(page) == []
    page.locator("button", has_text="Accept").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".badge.good")
    assert page.locator("section[aria-labelledby=h-decisions] .answers > li").count() == 1
