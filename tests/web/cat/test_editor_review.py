"""Checks, errors marked in review, look-up in memories, alignment and key schemes, in the browser."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.cat.desks import FIELD, Office, Person
from tests.web.test_access import shortcomings
from tests.web.test_screens import drag

Sit = Callable[..., Person]

# Messages of sockets, as they are sent.
LISTEN = """() => {
  window.sent = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) { window.sent.push(String(data)); return send.call(this, data); };
}"""


def test_a_finding_is_shown_and_ignored_with_a_reason(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.type("The the dog sleeps.")
    ada.page.wait_for_selector(".pane .badge:has-text('Warning')")
    finding = ada.page.locator("li:has(.badge.warn)", has_text="the").first
    ada.press("Alt+n")
    start, end = ada.page.eval_on_selector(FIELD, "area => [area.selectionStart, area.selectionEnd]")
    assert ada.text[start:end].lower() == "the the"
    n_findings = ada.page.locator("li:has(.badge.warn)").count()
    finding.get_by_role("button", name="Ignore").first.click()
    finding.get_by_label("Why it is right").fill("Said twice on purpose.")
    ada.press("Enter")
    ada.page.wait_for_function("n => document.querySelectorAll('li .badge.warn').length === n - 1", arg=n_findings)
    ada.page.reload()
    ada.page.wait_for_selector(FIELD)
    assert ada.text == "The the dog sleeps."


def test_a_reviewer_marks_an_error_and_takes_it_back(office: Office, sit: Sit) -> None:
    project = office.project()
    row = office.rows(project)[0]
    change = {"key": "one", "segment": row["id"], "revision": 0, "target": "The dog sleep.", "state": "translated"}
    office.send("POST", f"{project}/changes", {"changes": [change]}, "ada")
    ben = sit("ben", project)
    ben.page.click(".row[data-place='1'] .place")
    ben.at(1)
    ben.page.click(".pane summary:has-text('Errors')")
    ben.page.focus(".marker[lang=en]")
    ben.press("ArrowRight", "ArrowRight", "ArrowRight")
    ben.page.select_option(".marking select", "fluency/grammar")
    ben.page.get_by_role("button", name="Major").click()
    ben.page.wait_for_selector(".errors li:has-text('Grammar') q:has-text('sleep')")
    assert shortcomings(ben.page) == []
    (issue,) = office.get(f"{project}/issues")["rows"]
    assert (issue["start"], issue["end"], issue["severity"], issue["category"]) == (8, 13, "major", "fluency/grammar")
    ben.page.get_by_role("button", name="Take back").click()
    ben.page.wait_for_selector(".errors li", state="detached")
    assert office.get(f"{project}/issues")["rows"] == []


def test_a_reviewer_draws_over_whole_words_and_with_alt_over_letters(office: Office, sit: Sit) -> None:
    project = office.project()
    row = office.rows(project)[0]
    change = {"key": "one", "segment": row["id"], "revision": 0, "target": "The doggerel naps.", "state": "translated"}
    office.send("POST", f"{project}/changes", {"changes": [change]}, "ada")
    ben = sit("ben", project)
    ben.page.click(".row[data-place='1'] .place")
    ben.at(1)
    ben.page.click(".pane summary:has-text('Errors')")
    ben.page.wait_for_selector(".marker[lang=en]")
    drag(ben.page, ".marker[lang=en]", "doggerel")
    assert ben.page.inner_text(".marker[lang=en] .selected") == "doggerel"
    ben.press("Escape")
    ben.page.keyboard.down("Alt")
    drag(ben.page, ".marker[lang=en]", "doggerel")
    ben.page.keyboard.up("Alt")
    assert 1 < len(ben.page.inner_text(".marker[lang=en] .selected")) < 7


def test_a_reviewer_marks_the_source_and_what_is_left_out(office: Office, sit: Sit) -> None:
    project = office.project()
    row = office.rows(project)[0]
    change = {"key": "two", "segment": row["id"], "revision": 0, "target": "The cat.", "state": "translated"}
    office.send("POST", f"{project}/changes", {"changes": [change]}, "ada")
    ben = sit("ben", project)
    ben.page.click(".row[data-place='1'] .place")
    ben.at(1)
    ben.page.click(".pane summary:has-text('Errors')")
    for lang in ("de", "en"):
        ben.page.focus(f".marker[lang={lang}]")
        ben.press("ArrowRight", "ArrowRight")
    ben.page.select_option(".marking select", "accuracy/mistranslation")
    ben.page.get_by_label("A note on the error").fill("no cat")
    ben.page.get_by_role("button", name="Major").click()
    ben.page.wait_for_selector(".errors li:has-text('no cat') q:has-text('Hund')")
    ben.page.get_by_role("button", name="Something is missing").click()
    ben.press("End", "ArrowLeft")
    ben.page.get_by_role("button", name="Minor").click()
    ben.page.wait_for_selector(".errors li:has-text('Omission') q:has-text('schläft')")
    assert shortcomings(ben.page) == []
    first, second = office.get(f"{project}/issues")["rows"]
    assert [first[name] for name in ("start", "end", "source_start", "source_end")] == [4, 7, 4, 8]
    assert (second["is_omission"], second["source_start"], second["source_end"]) == (True, 9, 16)
    assert second["category"] == "accuracy/omission"
    ben.page.get_by_role("spinbutton", name="How good is the translation on the whole?").fill("40")
    ben.press("Tab")
    ben.page.wait_for_selector(".points:has-text('Saved')")
    assert ben.page.input_value(".scoring input[type=range]") == "40"
    (score,) = office.get(f"{project}/scores")["rows"]
    assert (score["user"], score["score"], score["is_current"]) == ("ben", 40, True)
    ben.page.click(".pane summary:has-text('Earlier versions')")
    ben.page.wait_for_selector(".versions li:has-text('2 errors'):has-text('ben 40')")
    ada = sit("ada", project)
    ada.page.click(".row[data-place='1'] .place")
    ada.page.click(".pane summary:has-text('Errors')")
    ada.page.wait_for_selector(".scores li:has-text('ben: 40')")
    assert ada.page.locator(".scoring input").count() == 0  # she reviews nothing


def test_words_are_looked_up_in_memories(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.type("The dog sleeps.")
    ada.press("Control+Enter")
    office.saved(project, 1, "The dog sleeps.", "translated")
    ada.at(2)
    ada.type("dog")
    ada.press("Control+a", "Alt+k")
    ada.page.wait_for_selector(".hit .is-partner:has-text('dog')")
    assert "Der Hund schläft." in ada.page.inner_text(".hit")


def test_the_word_at_the_caret_shows_what_it_translates(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    ada.press("Control+1", "Alt+m")
    ada.press("Home", "ArrowRight")
    ada.page.wait_for_selector(".pane .source .is-partner:has-text('Der')")
    ada.press(*["ArrowRight"] * 5)
    ada.page.wait_for_selector(".pane .source .is-partner:has-text('Hund')")


def test_alignment_and_colours_know_codes(office: Office, sit: Sit) -> None:
    project = office.project()
    office.upload(project, "page.html", b"<p>Der <b>Hund</b> schl&auml;ft.</p>")
    boss = sit("the-manager", project)
    boss.page.click(".row[data-place='6'] .place")
    boss.at(6)
    boss.press("Control+1", "Alt+m")
    assert boss.text == "The \ue000dog\ue001 sleeps."
    boss.page.eval_on_selector(FIELD, "area => { area.setSelectionRange(6, 6); area.focus(); }")
    boss.press("ArrowRight")
    boss.page.wait_for_selector(".pane .source .is-partner:has-text('Hund')")
    boss.press(*["ArrowRight"] * 4)
    boss.page.wait_for_selector(".pane .source .is-partner:has-text('schläft')")


def test_a_machine_doubts_its_own_words_alone(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    ada.page.click("#open-settings")
    ada.page.locator("#set-doubtful").fill("0.95")
    ada.page.evaluate(LISTEN)
    ada.press("Escape", "Control+1")
    ada.page.wait_for_selector(".layer .is-doubtful:has-text('sleeps')")  # its second translation has another word
    assert any("getConfidences" in each for each in ada.page.evaluate("sent"))
    ada.press(*["Backspace"] * 7)
    ada.type("naps.")
    ada.page.wait_for_selector(".layer .is-doubtful", state="detached")
    ada.press("Control+Enter")
    ada.at(2)
    ada.page.evaluate("sent.length = 0")
    with ada.page.expect_response("**/checks"):
        ada.type("Rain falls not.")
    assert not any("getConfidences" in each for each in ada.page.evaluate("sent"))  # it would go with the checks
    assert ada.page.locator(".layer .is-doubtful, .layer .is-wrong, .is-poor").count() == 0


def test_keys_are_those_of_the_chosen_tool(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.press("Alt+h")
    assert "Ctrl" in ada.page.inner_text("#help")
    ada.press("Escape")
    ada.page.click("#open-settings")
    ada.page.select_option("#set-scheme", "casmacat")
    ada.press("Escape")
    ada.type("A draft")
    ada.press("Enter")
    office.saved(project, 1, "A draft", "draft")
    ada.press("Control+a", "Delete")
    ada.ghost("The dog sleeps.")
    ada.press("Escape")  # prediction is off, for good
    ada.type("The")
    ada.ghost("")
    assert ada.page.evaluate("() => JSON.parse(localStorage['dragoman/ada/editor']).predict") is False


def test_a_prediction_is_refused_and_a_hole_filled(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    ada.type("The dog ")
    ada.ghost("sleeps.")
    ada.press("Alt+r")
    ada.ghost("naps.")
    ada.press("Control+1")
    assert ada.text == "The dog sleeps."
    ada.page.eval_on_selector(FIELD, "area => area.setSelectionRange(4, 7)")
    ada.press("x")
    assert ada.text == "The x sleeps."
    ada.page.eval_on_selector(FIELD, "area => area.setSelectionRange(4, 5)")
    ada.press("Control+Space")
    ada.page.wait_for_function("selector => document.querySelector(selector).value === 'The dog sleeps.'", arg=FIELD)


def test_a_long_project_is_a_window_that_grows(office: Office, sit: Sit) -> None:
    project = office.project()
    lines = "".join(f"Satz {n}.\n" for n in range(1, 401)).encode()
    office.upload(project, "long.txt", lines)
    rows = office.get(f"{project}/segments", params={"limit": 1000})["segments"]
    ben = sit("ben", project)
    assert ben.page.locator(".row").count() == 100
    ben.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    ben.page.wait_for_function("() => document.querySelectorAll('.row').length === 200")
    ben.page.goto(f"{office.address}/cat/projects/{project}/edit#{rows[299]['id']}")
    ben.page.reload()
    ben.page.wait_for_selector(".row.active[data-place='300']")
    ben.page.evaluate("() => scrollTo(0, 0)")
    ben.page.wait_for_function("() => Number(document.querySelector('.row').dataset.place) < 250")
    places = ben.page.eval_on_selector_all(".row", "rows => rows.map((row) => Number(row.dataset.place))")
    assert places == list(range(places[0], places[0] + len(places)))
