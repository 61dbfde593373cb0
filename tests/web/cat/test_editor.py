"""Stories of the editor in a browser: post-editing, prediction, codes from right to left, offline, two people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from dragoman.cat import saving
from dragoman.store.translating import tables
from dragoman.web.refusals import Busy
from tests.web.cat.desks import FIELD, Office, Person
from tests.web.test_access import shortcomings

pytest.importorskip("websockets")
Sit = Callable[..., Person]


def test_a_suggestion_is_taken_edited_and_confirmed(office: Office, sit: Sit) -> None:
    project = office.project()
    office.send("PUT", f"{project}/glossary", {"terms": [{"source": "Hund", "target": "hound"}]})
    ada = sit("ada", project)
    assert "85 %" in ada.page.inner_text(".suggestion")
    assert "about 30 % to change" in ada.page.inner_text(".suggestion .effort")
    assert ada.page.inner_text(".pane .source .is-term") == "Hund"
    ada.press("Control+1")
    assert ada.text == "The dog sleeps."
    ada.press(*["Backspace"] * 7)
    ada.type("naps.")
    ada.press("Control+Enter")
    ada.at(2)
    row = office.saved(project, 1, "The dog naps.", "translated")
    assert row["origin"] == {"kind": "MT", "name": "words", "score": 85, "text": "The dog sleeps."}
    assert ada.page.inner_text(".row[data-place='1'] .state") == "Translated"
    assert ada.page.url.endswith(f"#{office.rows(project)[1]['id']}")
    assert "1 of 5 segments translated" in ada.page.inner_text("#progress-text")
    ada.type("A draft")
    ada.press("Control+ArrowUp")
    ada.at(1)
    office.saved(project, 2, "A draft", "draft")
    ada.page.select_option("#filter-state", "draft")
    ada.page.wait_for_function("() => document.querySelectorAll('.segments .row').length === 1")
    ada.page.click(".row .place")
    assert ada.text == "A draft"
    ada.page.select_option("#filter-state", "")
    ada.page.wait_for_function("() => document.querySelectorAll('.segments .row').length === 5")
    ada.page.click(".row[data-place='5']")
    ada.at(5)
    assert ada.page.get_attribute(FIELD, "readonly") is not None  # hers are the first three


def test_prediction_follows_the_keys(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    ada.ghost("The dog sleeps.")
    assert ada.text == ""
    ada.type("The d")
    ada.ghost("og sleeps.")
    ada.press("Tab")
    assert ada.text == "The dog "
    ada.ghost("sleeps.")
    ada.press("Alt+ArrowDown")
    ada.ghost("naps.")
    ada.press("Alt+ArrowUp")
    ada.ghost("sleeps.")
    ada.press("Escape")
    ada.ghost("")
    ada.type("s")
    ada.ghost("leeps.")
    ada.press("ArrowRight")
    assert ada.text == "The dog sleeps."
    ada.press("Home", "Control+a", "Delete")
    ada.ghost("The dog sleeps.")
    ada.press("End")
    assert ada.text == "The dog sleeps."
    ada.press("Control+z")
    assert ada.text == ""  # what was taken can be undone
    ada.press("Alt+p")
    ada.type("The")
    ada.ghost("")
    assert ada.text == "The"


def test_typing_waits_for_no_socket(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.page.route_web_socket("**/socket", lambda socket: None)  # heard by nobody
    ada.page.reload()
    ada.page.wait_for_selector(FIELD)
    ada.type("Typed into the void.")
    assert ada.text == "Typed into the void."
    ada.press("Control+Enter")
    office.saved(project, 1, "Typed into the void.", "translated")


def test_codes_are_chips_and_the_field_reads_from_the_right(office: Office, sit: Sit) -> None:
    project = office.manual()
    ada = sit("ada", project)
    assert ada.page.get_attribute(FIELD, "dir") == "rtl"
    assert ada.page.get_attribute(".pane .source", "dir") == "ltr"
    ada.type("اضغط ")
    ada.press("Alt+t")
    ada.type("ابدأ")
    ada.press("Alt+t", "Alt+t")
    assert ada.text == "اضغط \ue000ابدأ\ue001"
    assert [chip.get_attribute("data-label") for chip in ada.page.query_selector_all(".layer .chip")] == ["g1", "/g1"]
    widths = ada.page.evaluate(
        "() => [...document.querySelectorAll('.layer .chip')].map((chip) => chip.getBoundingClientRect().width)"
    )
    assert min(widths) > 20  # pixels: our own font, not some box of the browser's
    ada.press("Control+Enter")
    office.saved(project, 1, "اضغط \ue000ابدأ\ue001", "translated")


def test_nothing_is_lost_without_a_connection(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.page.context.set_offline(True)
    ada.type("Written on the train.")
    ada.press("Control+Enter")
    ada.page.wait_for_selector("#save-state[data-state=waiting]")
    ada.at(2)
    ada.type("Also here")
    assert office.rows(project)[0]["target"] is None
    ada.page.context.set_offline(False)
    office.saved(project, 1, "Written on the train.", "translated")
    office.saved(project, 2, "Also here", "draft")


def test_a_closed_tab_keeps_what_was_typed(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.page.context.set_offline(True)
    ada.type("Closed too early")
    context = ada.page.context
    ada.page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(f"{office.address}/cat/projects/{project}/edit")
    page.wait_for_selector(FIELD)
    assert page.input_value(FIELD) == "Closed too early"
    office.saved(project, 1, "Closed too early", "draft")


def test_what_was_written_offline_is_shown_when_the_page_is_opened_again(
    office: Office, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once: not only when it has been sent and the page is loaded once more."""

    def away(*_: Any, **__: Any) -> None:
        raise Busy("Nothing is saved now.")

    project = office.project()
    ada = sit("ada", project)
    ada.page.context.set_offline(True)
    ada.type("Written on the train.")
    ada.press("Control+Enter")
    ada.page.wait_for_selector("#save-state[data-state=waiting]")
    context = ada.page.context
    with monkeypatch.context() as refusing:  # what a page sends at its end, too
        refusing.setattr(saving, "save", away)
        ada.page.close()
        context.set_offline(False)
        page = context.new_page()
        page.goto(f"{office.address}/cat/projects/{project}/edit#{office.rows(project)[2]['id']}")
        page.wait_for_selector(FIELD)
        row = page.wait_for_selector(".row[data-place='1'][data-state='translated']:has-text('Written on the train.')")
        assert row is not None
        assert office.rows(project)[0]["target"] is None
    page.evaluate("dispatchEvent(new Event('online'))")  # at once, not after the page's pause
    office.saved(project, 1, "Written on the train.", "translated")
    assert page.query_selector(".row[data-place='1']:has-text('Written on the train.')")


def test_a_server_that_comes_back_gets_all(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    office.stop()
    ada.type("The house was dark.")
    ada.press("Control+Enter")
    ada.page.wait_for_selector("#save-state[data-state=waiting]")
    office.start()
    office.saved(project, 1, "The house was dark.", "translated")


def test_two_people_see_each_other_and_lose_nothing(office: Office, sit: Sit) -> None:
    project = office.project()
    ada, ben = sit("ada", project), sit("ben", project)
    ben.page.wait_for_selector("#people .badge:has-text('ada')")
    ben.page.click(".row[data-place='4'] .place")
    ben.at(4)
    ben.type("Good night!")
    ben.press("Control+Enter")
    ada.page.wait_for_selector(".row[data-place='4']:has-text('Good night!')")
    ada.page.wait_for_selector(".row[data-place='5'] .badge:has-text('ben')")
    ada.press("Escape")
    ada.page.context.set_offline(True)
    ada.type("Ada's text")
    ben.page.click(".row[data-place='1'] .place")
    ben.at(1)
    ben.type("Ben's text")
    ben.press("Control+Enter")
    office.saved(project, 1, "Ben's text", "translated")
    ada.press("Control+s")
    ada.page.context.set_offline(False)
    ada.page.wait_for_selector(".message:has-text('Ben\\'s text'):has-text('Ada\\'s text')")
    assert ada.text == "Ada's text"
    ada.page.get_by_role("button", name="Keep mine").click()
    office.saved(project, 1, "Ada's text", "draft")


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_the_editor_keeps_nobody_out(office: Office, sit: Sit, lang: str) -> None:
    ada = sit("ada", office.project(), lang=lang)
    with ada.page.expect_response("**/checks"):
        ada.press("Control+1")
    assert shortcomings(ada.page) == []
    for dialog in ("#keys", "#open-settings", "#open-replace"):
        ada.page.click(dialog)
        assert shortcomings(ada.page) == []
        ada.press("Escape")
        ada.page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("de", "Keine maschinelle Übersetzung. Dieser Server hat keine Übersetzungsmaschine namens retired."),
        ("ar", "لا توجد ترجمة آلية. ليس في هذا الخادم محرك باسم retired."),
    ],
)
def test_why_there_is_no_machine_translation(office: Office, sit: Sit, lang: str, said: str) -> None:
    """The server was started again without the project's engine; memories are of use all the same."""
    project = office.project()
    first = office.rows(project)[0]["id"]
    change = {"key": f"k{lang}", "segment": first, "revision": 0, "target": "A dog sleeps.", "state": "translated"}
    office.send("POST", f"{project}/changes", {"changes": [change]}, "ada")
    with office.store.write() as connection:
        own = tables.projects.c.id == project
        connection.execute(sa.update(tables.projects).where(own).values(engine="retired"))
    ada = sit("ada", project, lang=lang)
    ada.at(2)
    assert ada.page.locator(".suggestions li").count() == 2, "that there is none, and why"
    ada.page.click(".row[data-place='1'] .place")
    ada.at(1)
    told = ada.page.inner_text(".suggestions .missing").replace("\u2068", "").replace("\u2069", "")
    assert told == said
    assert "A dog sleeps." in ada.page.inner_text(".suggestion")
    assert shortcomings(ada.page) == []
