"""Acceptance of CASMACAT in the browser: the record rebuilds the text, and thresholds govern the prediction; review."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.cat.desks import Office, Person
from tests.web.test_access import shortcomings

pytest.importorskip("websockets")
Sit = Callable[..., Person]


def test_the_record_rebuilds_the_text_that_was_saved(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.agree()
    ada.ghost("The dog sleeps.")
    ada.type("Th")
    ada.press("Tab")
    ada.type("cat 😀 mo")
    ada.press("Backspace", "Backspace", "Control+ArrowLeft", "Delete", "Delete")
    ada.press("Control+Enter")
    ada.at(2)
    ada.press("Control+1")
    ada.press("Backspace")
    ada.type("!")
    ada.press("Control+Shift+Enter")
    ada.at(3)
    rows = [office.saved(project, place, office.rows(project)[place - 1]["target"], "translated") for place in (1, 2)]
    for row in rows:
        frames = office.get(f"{project}/replay", "ada", params={"segment": row["id"]})["frames"]
        before = [frame for frame in frames if frame["kind"] == "text"]
        assert before
        assert before[-1]["text"] == row["target"]  # folded from keys alone, before anything was saved
        assert frames[-1]["text"] == row["target"]
    kinds = {frame["kind"] for frame in office.get(f"{project}/replay", "ada")["frames"]}
    assert {"segmentOpened", "segmentClosed", "keyDown", "text", "suggestionsLoaded", "suffixChange"} <= kinds
    by = {frame["data"]["by"] for frame in office.get(f"{project}/replay", "ada")["frames"] if frame["kind"] == "text"}
    assert by == {"key", "prediction", "suggestion"}
    log = {row["place"]: row for row in office.get(f"{project}/edit-log", "ada")["rows"]}
    assert log[2]["origin"] == "MT"
    ada.page.goto(f"{office.address}/cat/projects/{project}/replay")
    ada.page.wait_for_selector("#replay:not([hidden])")
    assert shortcomings(ada.page) == []
    last = ada.page.get_attribute("#slider", "max")
    frames = office.get(f"{project}/replay", "ada")["frames"]
    texts = {frame["segment"]: frame["text"] for frame in frames if frame["segment"] is not None}
    ada.page.locator("#slider").fill(str(last))
    assert ada.page.inner_text("#text") in texts.values()
    place = next(i for i, frame in enumerate(frames) if frame["kind"] == "text")
    inside = sum(frame["segment"] is not None for frame in frames[:place])
    ada.page.locator("#slider").fill(str(inside))
    assert ada.page.inner_text("#text") == frames[place]["text"] == "T"
    ada.page.select_option("#speed", "20")
    ada.page.click("#play")
    ada.page.wait_for_selector("#text:has-text('The cat')")


def test_nothing_is_recorded_without_consent(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.page.click("#consent button[value=no]")
    ada.type("Unseen.")
    ada.press("Control+Enter")
    office.saved(project, 1, "Unseen.", "translated")
    assert {frame["kind"] for frame in office.get(f"{project}/replay", "ada")["frames"]} == {"saved"}
    ada.page.reload()
    ada.page.wait_for_selector(".pane")
    assert not ada.page.is_visible("#consent")  # asked once


def test_length_and_colours_of_the_prediction_go_by_the_thresholds(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    ada.page.click(".row[data-place='3'] .place")
    ada.at(3)

    def grades() -> list[tuple[str, str]]:
        return [
            (part.text_content().strip(), part.get_attribute("class").removeprefix("is-"))
            for part in ada.page.query_selector_all(".ghost > span")
            if part.text_content().strip()
        ]

    def change(name: str, value: str) -> None:
        ada.page.click("#open-settings")
        if value in ("on", "off"):
            ada.page.set_checked(f"#settings [name={name}]", value == "on")
        else:
            ada.page.locator(f"#set-{name}").fill(value)
        ada.press("Escape")

    ada.ghost("We gehen nach")  # up to the first word taken for wrong
    assert grades() == [("We", "sure"), ("gehen", "sure"), ("nach", "doubtful")]
    change("wrong", "0.5")
    ada.ghost("We gehen")
    change("doubtful", "0.7")
    assert grades() == [("We", "sure"), ("gehen", "doubtful")]
    change("wrong", "0.05")
    ada.ghost("We gehen nach Hause.")
    change("wrong", "0.2")
    change("limit", "off")
    ada.ghost("We gehen nach Hause.")
    assert grades()[-2:] == [("Hause", "wrong"), (".", "sure")]
    colours = ada.page.evaluate(
        """() => ['wrong', 'doubtful', 'sure'].map((kind) => document.querySelector(`.ghost .is-${kind}`))
        .map((part) => getComputedStyle(part).color)"""
    )
    assert len(set(colours)) == 3
    change("colour", "off")
    assert grades() == [("We gehen nach Hause.", "sure")]


def _translated(office: Office, project: int) -> None:
    row = office.rows(project)[0]
    change = {"key": "first", "segment": row["id"], "revision": 0, "target": "The dog sleep.", "state": "translated"}
    office.send("POST", f"{project}/changes", {"changes": [change]}, "ada")


def test_a_reviewer_on_a_phone(office: Office, sit: Sit) -> None:
    project = office.project()
    _translated(office, project)
    ben = sit("ben", project, width=390, height=800, has_touch=True)
    ben.page.click(".row[data-place='1'] .place")
    ben.at(1)
    ben.page.click(".pane summary:has-text('Comments')")
    ben.page.fill(".comment-form textarea", "One dog: it sleeps.")
    ben.page.click(".comment-form button")
    ben.page.wait_for_selector(".comments li:has-text('One dog')")
    assert shortcomings(ben.page) == []
    ben.page.set_viewport_size({"width": 390, "height": 800})
    ben.page.get_by_role("button", name="Reject").click()
    office.saved(project, 1, "The dog sleep.", "rejected")
    ada = sit("ada", project)  # she begins with what was rejected
    ada.at(1)
    ada.page.wait_for_selector(".comments li:has-text('One dog')")
    assert ada.page.get_by_role("button", name="Approve").count() == 0
    ada.press("Backspace")
    ada.type("s.")
    ada.press("Control+Enter")
    office.saved(project, 1, "The dog sleeps.", "translated")
    ben.page.click(".row[data-place='1'] .place")
    ben.at(1)
    ben.page.click(".pane summary:has-text('Earlier versions')")
    ben.page.wait_for_selector(".versions li:nth-child(3)")
    ben.page.get_by_role("button", name="Approve").click()
    office.saved(project, 1, "The dog sleeps.", "approved")
    ben.page.click(".row[data-place='1'] .place")
    ben.page.click(".pane summary:has-text('Earlier versions')")
    ben.page.locator(".versions li:has-text('The dog sleep.') button").last.click()
    office.saved(project, 1, "The dog sleep.", "draft")
    ben.shows("The dog sleep.")


def test_words_are_replaced_in_all_segments(office: Office, sit: Sit) -> None:
    project = office.project()
    _translated(office, project)
    ben = sit("ben", project)
    ben.press("Control+Shift+F")
    ben.page.fill("#replace-find", "dog")
    ben.page.fill("#replace-by", "hound")
    ben.page.get_by_role("button", name="Show what would change").click()
    ben.page.wait_for_selector("#replace-found ins:has-text('hound')")
    assert office.rows(project)[0]["target"] == "The dog sleep."
    ben.page.click("#replace-run")
    office.saved(project, 1, "The hound sleep.")
    ben.page.wait_for_selector(".row[data-place='1']:has-text('hound')")
