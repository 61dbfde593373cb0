"""Segments split and joined in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.web.cat.desks import FIELD, Office, Person
from tests.web.test_access import shortcomings

Sit = Callable[..., Person]

# As another window of the same person would: this page hears of it by its socket alone.
CUT = """([project, segment, at]) => fetch(`/api/v1/cat/projects/${project}/segments/${segment}/split`, {
  method: "POST", body: JSON.stringify({ key: String(Math.random()), at, target_at: null }),
  headers: { "Content-Type": "application/json",
    "X-CSRF-Token": document.querySelector("[name=csrf-token]").content } })
  .then((answer) => { if (!answer.ok) throw new Error(answer.status); })"""


def test_a_segment_is_split_by_keys_and_joined_again(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.page.click(".row[data-place='2'] .place")
    ada.at(2)
    ada.type("It rains not today.")
    ada.page.eval_on_selector(FIELD, "area => area.setSelectionRange(8, 8)")
    ada.press("Alt+s")
    ada.page.wait_for_selector(".cutting:focus")
    ada.press("Home", "ArrowRight")
    assert ada.page.get_attribute(".cutting", "aria-valuetext") == "heute nicht."
    assert shortcomings(ada.page) == []
    ada.press("Enter")
    ada.page.wait_for_selector(".row[data-place='3'] .text:has-text('heute nicht.')")
    ada.at(2)
    assert [(row["source"], row["target"]) for row in office.rows(project)[1:3]] == [
        ("Es regnet", "It rains"),
        ("heute nicht.", "not today."),
    ]
    assert ada.text == "It rains"
    assert "0 of 6" in ada.page.inner_text("#progress-text")
    ada.press("Alt+j")
    ada.page.wait_for_function("() => document.querySelectorAll('.segments .row').length === 5")
    ada.at(2)
    row = office.rows(project)[1]
    assert (row["source"], row["target"]) == ("Es regnet heute nicht.", "It rains not today.")
    assert ada.text == "It rains not today."


def test_what_cannot_be_joined_is_said(office: Office, sit: Sit) -> None:
    project = office.project()
    ada, ben = sit("ada", project), sit("ben", project)
    assert ada.page.get_by_role("button", name="Join with the next").count() == 0  # another unit of the file
    ada.press("Alt+j")
    ada.page.wait_for_selector("#notice:has-text('only parts of one unit')")
    ada.press("Alt+s")
    ada.press("Escape")
    assert ada.page.locator(".cutter").count() == 0
    ada.press("Alt+s")
    ada.page.locator(".chunk", has_text="schläft").click()
    ada.page.get_by_role("button", name="Split here").click()
    ben.page.wait_for_selector(".row[data-place='2'] .text:has-text('schläft.')")  # others see it at once
    assert len(office.rows(project)) == 6


def test_a_list_that_comes_late_does_not_replace_a_newer_one(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    late: list[Any] = []

    def hold_first(route: Any) -> None:
        if late:
            route.continue_()
        else:
            late.append(route)

    ada.page.route(re.compile(r"/segments\?.*limit="), hold_first)
    for _ in range(2):
        segment = max(office.rows(project)[1:], key=lambda row: row["source"].count(" "))
        ada.page.evaluate(CUT, [project, segment["id"], segment["source"].index(" ") + 1])
        while not late:  # the first list is asked for, and held
            ada.page.wait_for_timeout(20)
    ada.page.wait_for_function("() => document.querySelectorAll('.segments .row').length === 7")
    ada.at(1)
    (route,) = late
    with ada.page.expect_response(re.compile(r"/segments\?.*limit=")):
        route.continue_()
    ada.page.wait_for_timeout(100)
    assert ada.page.locator(".segments .row").count() == 7
    ada.at(1)
    ada.type("Still open.")
    office.saved(project, 1, "Still open.")
