"""The judging page around its screens: saving, going back, losing the connection, coming back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.web.material import NASTY

Judge = Callable[..., tuple[Any, Any]]


def score(page: Any, digit: str) -> None:
    """Answer an item of direct assessment by keyboard, and go on."""
    before = page.inner_text("#item-title")
    page.keyboard.press(digit)
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        """(before) => document.getElementById('item-title').innerText !== before
        || !document.getElementById('finish').hidden""",
        arg=before,
    )


def state(page: Any, expected: str) -> None:
    page.wait_for_function("(text) => document.getElementById('save-state').innerText === text", arg=expected)


def fetched(page: Any, n: int) -> None:
    """Wait until the page has so many items, those that it fetches ahead among them."""
    page.wait_for_function(
        "(n) => performance.getEntriesByType('resource').filter((e) => e.name.includes('/items/')).length === n", arg=n
    )


def test_a_whole_task_by_keyboard_ends_with_the_code(judge: Judge) -> None:
    page, campaign = judge("da")
    assert page.inner_text("#item-title") == "Item 1 of 3"
    assert page.inner_text("#pair") == "German → English"
    for digit in "789":
        score(page, digit)
    page.wait_for_selector("#code")
    assert page.inner_text("#code") == "C0DE-1234"
    assert campaign.answers() == [{"score": 70}, {"score": 80}, {"score": 90}]
    assert page.evaluate("document.activeElement.tagName") == "H2"  # where a screen reader goes on reading
    events = [past[0] for past in campaign.history.values()]
    assert all(0 <= event["active_seconds"] < 60 for event in events)
    assert all(event["started"] <= event["ended"] for event in events)
    assert page.get_attribute("#progress", "value") == "3"


def test_nothing_is_saved_before_it_is_whole(judge: Judge) -> None:
    page, campaign = judge("da")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Move the slider to give a score."
    assert page.evaluate("document.activeElement.type") == "range"
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#problem") == ""
    page.keyboard.press("Control+Enter")
    state(page, "Saved")
    assert campaign.answers() == [{"score": 51}]


def test_back_and_redo_keep_the_history(judge: Judge) -> None:
    page, campaign = judge("da")
    score(page, "3")
    page.keyboard.press("k")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 1 of 3'")
    assert page.inner_text("#next") == "Next"  # nothing to save yet
    assert page.input_value("input[type=range]") == "30"
    page.keyboard.press("6")
    assert page.inner_text("#next") == "Save the change"
    page.click("#next")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 2 of 3'")
    state(page, "Saved")
    assert [event["answer"] for event in campaign.history["i0"]] == [{"score": 30}, {"score": 60}]
    page.reload()
    page.wait_for_selector("#screen .screen")
    page.keyboard.press("k")
    page.click("#history summary")
    assert "1 earlier answer" in page.inner_text("#history")
    page.click("#history button")
    assert page.input_value("input[type=range]") == "30"
    page.click("#next")
    state(page, "Saved")
    assert [event["answer"]["score"] for event in campaign.history["i0"]] == [30, 60, 30]


def test_looking_again_saves_nothing(judge: Judge) -> None:
    page, campaign = judge("da")
    score(page, "3")
    state(page, "Saved")
    page.keyboard.press("k")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 1 of 3'")
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 2 of 3'")
    assert len(campaign.history["i0"]) == 1


def test_the_browsers_own_back_button_works(judge: Judge) -> None:
    page, _ = judge("da")
    score(page, "3")
    page.go_back()
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 1 of 3'")


def test_work_goes_on_without_a_connection_and_is_sent_when_it_is_back(judge: Judge) -> None:
    page, campaign = judge("da")
    fetched(page, 3)
    page.context.set_offline(True)
    score(page, "4")
    state(page, "1 answer waiting for the connection")
    score(page, "5")
    state(page, "2 answers waiting for the connection")
    assert campaign.history == {}
    assert page.inner_text("#progress-text") == "2 of 3 done"
    page.context.set_offline(False)
    state(page, "Saved")
    assert campaign.answers() == [{"score": 40}, {"score": 50}]
    score(page, "6")
    page.wait_for_selector("#code")


def test_the_end_waits_for_the_connection(judge: Judge) -> None:
    page, campaign = judge("da")
    fetched(page, 3)
    page.context.set_offline(True)
    for digit in "123":
        page.keyboard.press(digit)
        page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.getElementById('item-title').innerText.startsWith('No connection')")
    page.context.set_offline(False)
    page.wait_for_selector("#code")
    assert [answer["score"] for answer in campaign.answers()] == [10, 20, 30]


def test_unsent_answers_survive_a_closed_tab(judge: Judge) -> None:
    page, campaign = judge("da")
    fetched(page, 3)
    context, address = page.context, page.url
    campaign.fault = 503
    score(page, "4")
    score(page, "5")
    state(page, "2 answers waiting for the connection")
    page.keyboard.press("7")  # begun, not saved
    page.close()
    assert campaign.history == {}
    campaign.fault = 0
    again = context.new_page()
    again.goto(address.partition("#")[0])
    state(again, "Saved")
    assert campaign.answers() == [{"score": 40}, {"score": 50}]
    again.wait_for_selector("#item-title:has-text('Item 3 of 3')")
    assert again.input_value("input[type=range]") == "70"  # the draft is back


def test_an_answer_sent_twice_is_one(judge: Judge) -> None:
    """While the first tab's request is on its way, a second tab finds the answer in the storage and sends it, too."""
    page, campaign = judge("da")
    page.evaluate("() => { AbortSignal.timeout = () => new AbortController().signal; }")  # it may take its time
    under_way: list[Any] = []
    page.route("**/answers", lambda route: under_way.append(route))
    score(page, "4")
    other = page.context.new_page()
    other.goto(page.url)
    state(other, "Saved")
    assert len(campaign.history["i0"]) == 1
    under_way[0].continue_()
    state(page, "Saved")
    assert campaign.posts == 2
    assert len(campaign.history["i0"]) == 1


def test_an_item_on_its_way_is_not_asked_for_again(judge: Judge) -> None:
    """Else the page had two objects of one item, and whoever went back could find the one without the answer."""
    page, _ = judge("da")
    under_way: list[Any] = []
    page.route("**/items/i1", lambda route: under_way.append(route))
    page.reload()
    page.wait_for_selector("#screen .screen")
    page.keyboard.press("3")
    page.keyboard.press("Control+Enter")
    state(page, "Saved")
    assert len(under_way) == 1
    under_way[0].continue_()
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 2 of 3'")
    score(page, "4")
    page.keyboard.press("k")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 2 of 3'")
    assert page.input_value("input[type=range]") == "40"


def test_an_item_that_nobody_waits_for_any_more_may_fail(judge: Judge) -> None:
    page, _ = judge("da")
    under_way: list[Any] = []
    page.route("**/items/i2", lambda route: under_way.append(route))
    page.reload()
    page.wait_for_selector("#screen .screen")
    score(page, "3")
    page.keyboard.press("4")
    page.keyboard.press("Control+Enter")
    state(page, "Saved")
    page.keyboard.press("k")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 1 of 3'")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/items/i2")):
        under_way[0].abort()  # an error that nobody catches would fail the test
    page.unroute("**/items/i2")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 3 of 3'")


def test_whoever_is_logged_out_loses_nothing(judge: Judge) -> None:
    page, campaign = judge("da")
    campaign.fault = 401
    score(page, "4")
    page.wait_for_selector("#notice a")
    assert "kept on this device" in page.inner_text("#notice")
    assert page.get_attribute("#notice a", "href").startswith("/login?next=%2Fcampaigns%2Fda")
    campaign.fault = 0
    page.reload()
    state(page, "Saved")
    assert campaign.answers() == [{"score": 40}]


def test_a_refused_answer_is_named_and_can_be_mended(judge: Judge) -> None:
    page, campaign = judge("da")
    campaign.refuse = "The score must be odd."
    score(page, "4")
    page.wait_for_selector("#notice button")
    assert "The score must be odd." in page.inner_text("#notice")
    campaign.refuse = ""
    page.click("#notice button")
    page.wait_for_function("() => document.getElementById('item-title').innerText === 'Item 1 of 3'")
    assert page.input_value("input[type=range]") == "40"
    page.click("#next")
    state(page, "Saved")
    assert campaign.answers() == [{"score": 40}]


def test_the_keys_are_on_a_sheet_and_single_ones_can_be_switched_off(judge: Judge) -> None:
    page, _ = judge("da")
    page.keyboard.press("?")
    assert page.evaluate("document.getElementById('help').open")
    sheet = page.inner_text("#help")
    for text in ("Set the slider", "Save and go to the next item", "Previous item"):
        assert text in sheet
    page.click("#help input[type=checkbox]")
    page.keyboard.press("Escape")
    page.keyboard.press("7")
    assert page.evaluate("document.querySelector('.slider').className") == "slider untouched"
    page.reload()
    page.wait_for_selector("#screen .screen")
    page.keyboard.press("7")
    assert page.evaluate("document.querySelector('.slider').className") == "slider untouched"
    page.keyboard.press("?")
    assert page.evaluate("document.getElementById('help').open")


def test_time_without_anybody_does_not_count(judge: Judge) -> None:
    page, campaign = judge("da")
    page.clock.install()
    page.clock.pause_at(time.time() + 3600)  # from now on only the test makes time pass
    page.reload()
    page.wait_for_selector("#screen .screen")
    page.clock.run_for(10_000)
    page.mouse.move(50, 50)
    page.clock.run_for(600_000)  # ten minutes for coffee
    page.keyboard.press("5")
    page.keyboard.press("Control+Enter")
    page.clock.run_for(2_000)
    state(page, "Saved")
    assert campaign.history["i0"][0]["active_seconds"] == 40


def test_what_is_shown_stays_text(judge: Judge) -> None:
    page, campaign = judge("da")
    campaign.title = NASTY
    page.goto(page.url.partition("#")[0] + "#i2")
    page.reload()
    page.wait_for_selector(".cell.output")
    assert NASTY in page.inner_text(".cell.output")
    assert NASTY in page.inner_text("h1")
    assert page.locator("main img, main b, main script").count() == 0
    assert page.title() != "gone"


def test_nothing_but_our_own_server_is_asked(judge: Judge) -> None:
    page, _ = judge("ranking")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_load_state("networkidle")
    assert len(asked) > 10
    assert all(url.startswith("http://127.0.0.1:") for url in asked)
