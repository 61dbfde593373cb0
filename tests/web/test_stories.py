"""The real server in a real browser: sign in, and judge an item of every example campaign by keyboard."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.human.manifest import read_manifest
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.membership import add_member
from dragoman.store.people.accounts import add_user
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD
from tests.web.served import served
from tests.web.stub import beep

EXAMPLES = Path(__file__).parents[2] / "examples"
OTHERS = ("pyproject.toml", "task.toml")
MANIFESTS = sorted(
    path for path in EXAMPLES.glob("*/*.toml") if path.name not in OTHERS and path.parent.name != "recipes"
)
HEARD = "heard"  # the comprehension example with sound
SYSTEMS = re.compile(r"\b(atlas|borealis|cobalt|dune|ember)\b")

# What is pressed on each screen, again and again, until the answer is whole; "type:" writes.
KEYS = {
    "da": ["7"],
    "ranking": ["2"],
    "pairwise": ["a"],
    "scales": ["4"],
    "vote": ["1"],
    "spans": ["t", "ArrowRight", "1", "type:oth", "Escape", "g", "7"],
    "frames": ["r", "ArrowRight", "f"],
    "questions": ["p", "Control+Enter", "type:answer", "Space", "ArrowDown"],
    "post-edit": ["t", "type: More.", "Escape", "4"],
    "blind-edit": ["t", "type: More.", "Escape"],
    "review": ["1"],
    "translate": ["t", "type:Eine Übersetzung."],
}


def heard(folder: Path) -> Path:
    """The example of comprehension with a recording for every text."""
    shutil.copytree(EXAMPLES / "comprehension", folder)
    (folder / "speech").mkdir()
    for system in ("interpreter", "system"):
        for segment in range(1, 1 + len((folder / f"{system}.en").read_text(encoding="utf-8").splitlines())):
            (folder / "speech" / f"{system}-{segment}.wav").write_bytes(beep())
    path = folder / "manifest.toml"
    text = path.read_text(encoding="utf-8").replace('name = "sample-comprehension"', f'name = "{HEARD}"')
    path.write_text(
        text.replace("redundancy", 'audio = "speech/{system}-{segment}.wav"\nredundancy', 1), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with every example and one annotator."""
    folder = tmp_path_factory.mktemp("house")
    store = Store(folder / "house.db")
    store.migrate()
    with store.write() as connection:
        add_user(connection, "ada", "annotator", PASSWORD, actor=COMMAND_LINE)
        for path in [*MANIFESTS, heard(folder / HEARD)]:
            manifest = read_manifest(path)
            create_campaign(connection, manifest, actor=COMMAND_LINE)
            add_member(connection, manifest.name, "ada", actor=COMMAND_LINE)
    app = create_app(store, Settings(requests_per_minute=100_000))
    with served(app) as address:
        yield address
    store.close()


@pytest.fixture(scope="module")
def session(house: str, browser: Any) -> Any:
    """The cookies of somebody who signed in by the form."""
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{house}/login")
    page.focus("#name")
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".cards")
    assert page.locator(".cards > li").count() == len(MANIFESTS) + 1
    kept = context.storage_state()
    context.close()
    return kept


def names() -> list[str]:
    found = [re.search(r'^name = "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE) for path in MANIFESTS]
    return [*(match[1] for match in found if match), HEARD]


@pytest.mark.parametrize("name", names())
def test_an_item_of_every_example(house: str, session: Any, open_page: Callable[..., Any], name: str) -> None:
    page = open_page("about:blank", storage_state=session)
    answers: list[Any] = []
    page.on("response", lambda answer: "/api/" in answer.url and "media" not in answer.url and answers.append(answer))
    page.goto(f"{house}/campaigns/{name}/work")
    page.wait_for_selector("#screen .screen")
    work = page.evaluate("(path) => fetch(path).then((answer) => answer.json())", f"/api/v1/campaigns/{name}/work")
    for _ in range(60):
        for key in KEYS[work["screen"]]:
            if page.get_attribute("#next", "data-complete") == "true":
                break
            if key.startswith("type:"):
                page.keyboard.type(key.removeprefix("type:"))
            else:
                page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.getElementById('save-state').dataset.state === 'saved'")
    assert page.inner_text("#notice") == ""
    work = page.evaluate("(path) => fetch(path).then((answer) => answer.json())", f"/api/v1/campaigns/{name}/work")
    assert work["progress"]["done"] == 1
    told = [answer.text() for answer in answers]
    assert len(told) >= 3
    assert SYSTEMS.findall(" ".join(told)) == []


def test_the_page_of_patterns_and_its_twin(house: str, session: Any, open_page: Callable[..., Any]) -> None:
    from tests.web.test_access import faults, sideways

    page = open_page(f"{house}/patterns?lang=ar", storage_state=session, color_scheme="dark")
    assert page.locator("svg.chart").count() == 6
    assert faults(page) == []
    assert sideways(page) == []
    twin = page.evaluate("() => fetch('/patterns.json').then((answer) => answer.json())")
    assert twin["kind"] == "patterns"
    assert twin["rows"][1]["lang"] == "ar"
