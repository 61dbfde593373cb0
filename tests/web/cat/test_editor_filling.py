"""Segments filled by the program, seen, and taken back; and the gaze in a replay: in the browser."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.cat.conftest import make_key
from tests.web.cat.desks import Office, Person
from tests.web.test_access import shortcomings

Sit = Callable[..., Person]


def test_a_manager_fills_a_project_and_takes_it_back(office: Office, sit: Sit) -> None:
    project = office.project()
    manager = sit("the-manager", project)
    manager.type("Mine.")
    manager.press("Control+s")
    office.saved(project, 1, "Mine.", "draft")
    manager.page.get_by_role("button", name="Fill empty segments").click()
    manager.page.wait_for_selector("#filled:has-text('4 segments were filled')")
    assert [row["target"] for row in office.rows(project)][:3] == [
        "Mine.",
        "It rains heute nicht.",
        "We gehen nach Hause.",
    ]
    assert "It rains heute nicht." in manager.page.inner_text(".row[data-place='2']")
    assert shortcomings(manager.page) == []
    row = office.rows(project)[2]
    change = {"key": make_key(), "segment": row["id"], "revision": row["revision"], "target": "We go."}
    office.send("POST", f"{project}/changes", {"changes": [change]}, "ada")
    manager.page.get_by_role("button", name="Undo", exact=True).click()
    manager.page.wait_for_selector("#filled:has-text('3 segments are empty again')")
    assert [row["target"] for row in office.rows(project)] == ["Mine.", "", "We go.", "", ""]
    assert sit("ada", project).page.get_by_role("button", name="Fill empty segments").count() == 0


def test_repeated_segments_are_filled_and_it_is_said(office: Office, sit: Sit) -> None:
    project = office.project()
    office.upload(project, "more.txt", b"Ende\nEnde\n")
    manager = sit("the-manager", project)
    manager.page.click("#open-settings")
    manager.page.select_option("#set-repetitions", "empty")
    manager.press("Escape")
    manager.page.click(".row[data-place='5'] .place")
    manager.at(5)
    manager.type("The end")
    manager.press("Control+Enter")
    manager.page.wait_for_selector("#filled:has-text('2 segments were filled')")
    assert [row["target"] for row in office.rows(project)[4:]] == ["The end", "The end", "The end"]
    manager.page.wait_for_selector(".row[data-place='7']:has-text('The end')")
    manager.page.reload()
    manager.page.click("#open-settings")
    assert manager.page.input_value("#set-repetitions") == "empty"


def test_a_replay_shows_where_somebody_looked(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.agree()
    ada.page.evaluate("() => dispatchEvent(new Event('resize'))")  # the window as it is from now on
    ada.type("The dog")
    ada.press("Control+Enter")
    ada.at(2)
    office.saved(project, 1, "The dog", "translated")
    frames = office.get(f"{project}/replay", "ada")["frames"]
    segment = office.rows(project)[0]["id"]
    (*_, layout) = [frame["data"] for frame in frames if frame["kind"] == "layout" and frame["segment"] == segment]
    left, top, width, height = layout["target"]
    last = ada.page.evaluate("() => new Date().toISOString()")
    looks = [[0, left + width / 2, top + height / 2], [20, left + 5, top + 5], [40, 0, 0]]  # the last one elsewhere
    event = {"key": make_key(), "kind": "gaze", "segment": segment, "at": last, "data": {"samples": looks}}
    assert office.send("POST", f"{project}/events", {"events": [event]}, "ada")["kept"] == 1
    ada.page.goto(f"{office.address}/cat/projects/{project}/replay#{segment}")
    ada.page.wait_for_selector("#replay:not([hidden])")
    ada.page.set_checked("#warmth", True)
    assert ada.page.locator("#trail circle").count() == 2
    target, dot = (ada.page.locator(each).bounding_box() for each in ("#text", "#trail circle >> nth=0"))
    assert abs(dot["x"] + dot["width"] / 2 - target["x"] - target["width"] / 2) < 2  # pixels
    assert shortcomings(ada.page) == []
    ada.page.set_checked("#show-gaze", False)
    assert ada.page.locator("#trail circle").count() == 0
