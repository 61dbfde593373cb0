"""Answers and differences of every protocol in words, and decisions on the annotators' own screens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from dragoman.human.protocol import PROTOCOLS
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.browsing import disputed_items, item_history
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.membership import add_member
from dragoman.store.people.accounts import add_user
from dragoman.web import create_app
from dragoman.web.catalogue import LANGUAGES, words_in
from tests.human.protocol_examples import example
from tests.web.conftest import PATIENT
from tests.web.house import CHEAP, fill
from tests.web.judges import fill_campaign
from tests.web.served import served, signed_in
from tests.web.test_access import shortcomings
from tests.web.test_screens import press

every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS.names())
Show = Callable[..., Any]


class House:
    """A campaign of each protocol, judged by two people; `address` is where it is shown."""

    def __init__(self, store: Store, address: str, session: Any) -> None:
        self.store, self.address, self.session = store, address, session

    def path(self, protocol: str, page: str) -> str:
        return f"{self.address}/campaigns/{example(protocol).name}/{page}"

    def disputes(self, protocol: str) -> Any:
        with self.store.read() as connection:
            return disputed_items(connection, example(protocol).name)

    def history(self, protocol: str, item: str) -> Any:
        with self.store.read() as connection:
            return item_history(connection, example(protocol).name, item)


def judges(protocol: str) -> tuple[str, ...]:
    """Two people for each item; comprehension shows nobody the same text twice."""
    return ("ada", "ben", "chloe", "dora") if protocol == "comprehension" else ("ada", "ben")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[House]:
    store = Store(tmp_path_factory.mktemp("told") / "house.db")
    store.migrate()
    fill(store)
    care = {"ada": 1.0, "ben": 0.2, "chloe": 0.9, "dora": 0.5}
    with store.write() as connection:
        for name in ("chloe", "dora"):
            add_user(connection, name, "annotator", CHEAP, actor=COMMAND_LINE)
        for protocol in PROTOCOLS.names():
            manifest = example(protocol)
            shared = replace(manifest, annotators=judges(protocol), protocol=replace(manifest.protocol, redundancy=2))
            create_campaign(connection, shared, actor=COMMAND_LINE)
            for name in judges(protocol):
                add_member(connection, manifest.name, name, actor=COMMAND_LINE)
    app = create_app(store, PATIENT)
    with ThreadPoolExecutor(1) as elsewhere:  # while Playwright runs, its event loop is this thread's
        for protocol in PROTOCOLS.names():
            own = {name: care[name] for name in judges(protocol)}
            elsewhere.submit(fill_campaign, app, store, example(protocol).name, own, tasks=2).result()
    with served(app) as address:
        yield House(store, address, signed_in(browser, address, "the-admin"))
    store.close()


@pytest.fixture
def show(house: House, open_page: Show) -> Show:
    """Open a page of a protocol's campaign, and wait until its answers are told."""

    def shown(protocol: str, page: str, **more: Any) -> Any:
        opened = open_page(house.path(protocol, page), storage_state=house.session, **more)
        opened.wait_for_selector("html[data-told]")
        return opened

    return shown


def texts(value: Any) -> list[str]:
    """The texts in what is shown of an item, however deep; not the names of places and questions."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return (
            [" ".join(value)] if all(isinstance(each, str) for each in value) else [t for v in value for t in texts(v)]
        )
    if isinstance(value, dict):
        named = ("place", "question", "type", "hint")
        return [text for key, each in value.items() if key not in named for text in texts(each)]
    return []


@every_protocol
@pytest.mark.parametrize("page", ["answers", "disputes"])
def test_answers_are_told_in_words_beside_what_was_shown(show: Show, house: House, protocol: str, page: str) -> None:
    opened = show(protocol, page)
    first = opened.locator(".told > li").first
    told = " ".join(first.inner_text().split())
    for text in texts(json.loads(first.get_attribute("data-shown"))):
        assert " ".join(text.split()) in told
    for answer in first.locator(".said").all():
        said = answer.inner_text()
        assert said.strip()
        assert "{" not in said
        assert "[object" not in said
    if page == "disputes":
        assert first.locator(".said").count() == 2
        assert house.disputes(protocol).total > 0


@every_protocol
def test_an_item_is_decided_on_the_screen_of_the_annotators(show: Show, house: House, protocol: str) -> None:
    item = house.disputes(protocol).items[0][0]
    page = show(protocol, f"answers/{item}")
    page.wait_for_selector("#decide .screen")
    assert page.locator("textarea[name=answer]").count() == 0
    page.locator(".answers [data-start]").last.click()
    page.fill("#note", "as ben said")
    page.locator("#send").click()
    page.wait_for_selector(".badge.good")
    history = house.history(protocol, item)
    (decision,) = history.decisions
    assert decision[0] == "the-admin"
    assert decision[2] == "as ben said"
    assert same_answer(json.loads(decision[1])) == same_answer(json.loads(history.answers[-1][2]))
    assert page.locator("section[aria-labelledby=h-decisions] .said").inner_text().strip()


def same_answer(answer: Any) -> Any:
    """An answer without the order of its spans, and without how often a text was read or a key pressed."""
    if isinstance(answer, dict):
        counted = ("plays", "keystrokes")
        return {key: same_answer(answer[key]) for key in sorted(answer) if answer[key] and key not in counted}
    if isinstance(answer, list):
        return sorted((same_answer(each) for each in answer), key=json.dumps)
    return answer


def test_nothing_is_decided_before_it_is_whole(show: Show, house: House) -> None:
    item = house.disputes("esa").items[1][0]
    page = show("esa", f"answers/{item}")
    page.wait_for_selector("#decide .screen")
    page.locator("#send").click()
    assert page.inner_text("#problem") == "Move the slider to give a score."
    page.focus("#item-title")
    press(page, "t", "ArrowRight", "2", "g", "4", "Control+Enter")
    page.wait_for_selector(".badge.good")
    answer = json.loads(house.history("esa", item).decisions[0][1])
    assert answer["score"] == 40
    assert [(span["start"], span["severity"]) for span in answer["spans"]] == [(0, "major")]


def test_keys_mean_nothing_outside_the_decision(show: Show, house: House) -> None:
    page = show("da", f"answers/{house.disputes('da').items[-1][0]}")
    page.wait_for_selector("#decide .screen")
    page.keyboard.press("7")
    assert "untouched" in page.locator("#decide .slider").get_attribute("class").split()
    page.focus("#item-title")
    page.keyboard.press("7")
    assert page.locator("#decide input[type=range]").input_value() == "70"


@every_protocol
def test_the_page_of_an_item_keeps_nobody_out(show: Show, house: House, protocol: str) -> None:
    page = show(protocol, f"answers/{house.disputes(protocol).items[0][0]}")
    page.wait_for_selector("#decide .screen")
    assert shortcomings(page) == []


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_answers_speak_the_readers_language(show: Show, lang: str) -> None:
    page = show("mqm", "answers?limit=5", lang=lang)
    told = page.inner_text(".told")
    assert words_in(lang)("spans.severity_major") in told
    assert "Major" not in told
    assert shortcomings(page) == []
