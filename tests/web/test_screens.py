"""Every screen judged from beginning to end, by keyboard alone; the answers are what the guide of protocols says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.material import AMONG, ARABIC, CAMPAIGNS, ENGLISH, GERMAN

Judge = Callable[..., tuple[Any, Any]]


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Any, selector: str) -> None:
    """Go to an element by the Tab key."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {selector}")


def go_on(page: Any, place: int) -> None:
    """Save, and wait for the next item."""
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "(title) => document.getElementById('item-title').innerText.startsWith(title)", arg=f"Item {place} "
    )


def end(page: Any, campaign: Any) -> list[Any]:
    """Save, and take the answers from the server once the code is shown."""
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#code")
    answers: list[Any] = campaign.answers()
    return answers


def test_ranking(judge: Judge) -> None:
    page, campaign = judge("ranking")
    texts = page.eval_on_selector_all(".around .text", "all => all.map((p) => [p.lang, p.innerText])")
    assert [lang for lang, _ in texts] == ["de", "de"]
    press(page, "1", "3", "3")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Translation \u2068D\u2069 has no rank yet."
    press(page, "5", "4", "c", "2")
    go_on(page, 2)
    press(page, "2", "1", "5")
    assert end(page, campaign) == [
        {"ranks": {"A": 1, "B": 3, "C": 2, "D": 5, "E": 4}},
        {"ranks": {"A": 2, "B": 1, "C": 5}},
    ]


def test_ranking_without_ties_and_with_blanks(judge: Judge) -> None:
    page, campaign = judge("ranking-ar")
    press(page, "1", "1")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Two translations cannot have the same rank."
    press(page, "b", "0")
    assert end(page, campaign) == [{"ranks": {"A": 1, "B": None, "C": None}}]


def test_pairwise(judge: Judge) -> None:
    page, campaign = judge("pairwise")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Choose an answer first."
    press(page, "b")
    go_on(page, 2)
    press(page, "t")
    assert end(page, campaign) == [{"choice": "B"}, {"choice": "tie"}]


def test_scales(judge: Judge) -> None:
    page, campaign = judge("scales")
    press(page, "4")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Choose an answer first."
    press(page, "5")
    go_on(page, 2)
    press(page, "1", "2")
    assert end(page, campaign) == [{"adequacy": 4, "fluency": 5}, {"adequacy": 1, "fluency": 2}]


def test_direct_assessment_of_a_document(judge: Judge) -> None:
    page, campaign = judge("sqm")
    press(page, "7", "3")
    page.keyboard.press("Control+Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-valuetext')") == "not set yet"
    press(page, "End")
    assert page.evaluate("document.activeElement.getAttribute('aria-valuetext')") == "100, Perfect meaning and grammar"
    press(page, "-")
    assert end(page, campaign) == [{"scores": [70, 30], "document": 99}]


def test_error_spans_with_a_score(judge: Judge) -> None:
    page, campaign = judge("esa")
    text = ENGLISH[4]
    press(page, "t", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "2")  # "train to"
    press(page, "End", "ArrowLeft", "Alt+ArrowLeft", "1")  # the last word without its last letter
    press(page, "o", "ArrowRight", "Shift+ArrowRight", "1")  # missing: "Unser Zug"
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Move the slider to give a score."
    press(page, "4", "ArrowRight")
    go_on(page, 2)
    press(page, "g", "9")
    first, second = end(page, campaign)
    start = text.index("Hauptbahnhof")
    assert first == {
        "spans": [
            {"start": 4, "end": 12, "is_omission": False, "severity": "major"},
            {"start": start, "end": start + len("Hauptbahnho"), "is_omission": False, "severity": "minor"},
            {"source_start": 0, "source_end": len("Unser Zug"), "is_omission": True, "severity": "minor"},
        ],
        "score": 41,
    }
    assert second == {"spans": [], "score": 90}


def test_proposed_spans_are_left_changed_removed_and_added(judge: Judge) -> None:
    page, campaign = judge("proposed")
    assert "A model proposed 3 errors" in page.inner_text(".proposals")
    assert page.locator("mark.proposed").count() == 3
    page.click(".errors li:nth-child(2) label:has-text('minor')")  # was major
    page.click(".errors li:nth-child(3) button.danger")
    assert page.locator(".errors .badge.proposed").all_inner_texts() == ["proposed", "proposed, changed"]
    press(page, "t", "End", "2", "g", "5")
    go_on(page, 2)
    press(page, "g", "9")
    first, second = end(page, campaign)
    assert [(span["start"], span["severity"], span.get("proposal")) for span in first["spans"]] == [
        (0, "minor", 0),
        (4, "minor", 1),
        (len(ENGLISH[4]) - 1, "major", None),  # the full stop
    ]
    assert second == {"spans": [], "score": 90}


def test_error_spans_with_categories_linked_and_taken_away(judge: Judge) -> None:
    page, campaign = judge("mqm")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Mark the errors, or say that there is none."
    press(page, "ArrowRight", "s", "ArrowRight", "2")  # "Our" linked with "Unser"
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Error 1 has no kind yet."
    page.keyboard.type("mistr")
    press(page, "Escape", "ArrowRight", "ArrowRight", "1", "Escape", "End", "1", "Delete")
    tab_to(page, ".errors li:nth-child(2) select")
    page.keyboard.type("oth")
    go_on(page, 2)
    press(page, "n")
    first, second = end(page, campaign)
    assert first == {
        "spans": [
            {
                "start": 0,
                "end": 3,
                "source_start": 0,
                "source_end": 5,
                "is_omission": False,
                "severity": "major",
                "category": "accuracy/mistranslation",
            },
            {"start": 4, "end": 9, "is_omission": False, "severity": "minor", "category": "other"},
        ]
    }
    assert second == {"spans": []}


def test_frames(judge: Judge) -> None:
    page, campaign = judge("hmeant")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Mark the actions, or say that there are none."
    press(page, "r", "ArrowRight", "ArrowRight", "ArrowRight", "f")  # bit
    press(page, "ArrowRight", "Shift+ArrowRight", "1")  # The dog: agent
    press(page, "t", "ArrowRight", "ArrowRight", "ArrowRight", "f")
    press(page, "ArrowRight", "Shift+ArrowRight", "1")
    tab_to(page, ".cell.output .frames > li > .controls select")
    page.keyboard.press("ArrowDown")
    tab_to(page, ".cell.output .roles select")
    press(page, "ArrowDown", "ArrowDown")
    go_on(page, 2)
    tab_to(page, "input[type=checkbox]")
    page.keyboard.press("Space")
    first, second = end(page, campaign)
    assert first == {
        "reference": [{"head": 2, "roles": [{"type": "AGENT", "start": 0, "end": 2}]}],
        "output": [
            {
                "head": 2,
                "roles": [{"type": "AGENT", "start": 0, "end": 2, "link": [0, 0, "partial"]}],
                "link": [0, "full"],
            }
        ],
    }
    assert second == {"reference": [], "output": []}


def test_questions_about_a_recording(judge: Judge) -> None:
    page, campaign = judge("listening")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Listen to the recording first."
    press(page, "p")
    page.wait_for_function("() => document.querySelector('[role=status].hint').innerText.includes('once more')")
    tab_to(page, ".field input")
    page.keyboard.type("to Vienna")
    press(page, "Tab", "Space")  # yes
    page.keyboard.press("Control+Enter")
    assert "Some questions are open" in page.inner_text("#problem")
    tab_to(page, ".choice input")
    page.keyboard.press("Space")
    tab_to(page, ".pick input[value='5']")
    press(page, "Space", "ArrowDown")
    assert end(page, campaign) == [{"answers": {"1": "to Vienna", "2": "yes", "3": None}, "quality": 4, "plays": 1}]


def test_questions_about_a_text_that_is_taken_away(judge: Judge) -> None:
    page, campaign = judge("reading")
    assert page.is_visible(".cell.source .text")
    assert not page.is_visible(".field")
    press(page, "p")
    assert not page.is_visible(".cell.source .text")
    page.keyboard.type("Vienna")
    page.reload()  # reading again is not answering
    page.wait_for_selector(".field")
    assert not page.is_visible(".cell.source .text")
    assert page.input_value(".field input") == "Vienna"
    assert end(page, campaign) == [{"answers": {"1": "Vienna"}}]


def test_post_editing(judge: Judge) -> None:
    page, campaign = judge("post-editing")
    press(page, "t", "Backspace")
    page.keyboard.type(" station.")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Say how much work it is."
    press(page, "3")
    go_on(page, 2)
    press(page, "5")
    first, second = end(page, campaign)
    assert first == {"post_edit": ENGLISH[4][:-1] + " station.", "keystrokes": 10, "effort": 3}
    assert second == {"post_edit": ENGLISH[3], "keystrokes": 0, "effort": 5}


def test_translation_of_a_drawn_source(judge: Judge) -> None:
    page, campaign = judge("translation")
    assert GERMAN not in page.inner_text("main")
    assert page.get_attribute(".judged canvas", "aria-label") == GERMAN
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "Write a translation first."
    page.keyboard.insert_text("x" * 201)
    page.keyboard.press("Control+Enter")
    assert page.inner_text("#problem") == "The translation is too long."
    press(page, "Control+A")
    page.keyboard.type("Our train leaves? k")  # keys in a field are letters
    go_on(page, 2)
    press(page, "t")
    page.keyboard.type("two")
    assert end(page, campaign) == [{"text": "Our train leaves? k"}, {"text": "two"}]


def test_voting(judge: Judge) -> None:
    page, campaign = judge("voting")
    press(page, "4")
    go_on(page, 2)
    press(page, "2")
    assert end(page, campaign) == [{"choice": "D"}, {"choice": "B"}]


WORD = """([selector, word]) => {
  const found = document.querySelector(selector);
  const walker = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    const box = range.getBoundingClientRect();
    return { x: box.x, y: box.y + box.height / 2, width: box.width };
  }
}"""


def test_spans_in_right_to_left_text_by_keyboard_mouse_and_finger(judge: Judge) -> None:
    page, campaign = judge("esa-ar", lang="ar")
    marker = ".cell.output .marker"
    assert page.evaluate("getComputedStyle(document.querySelector('.cell.output .marker')).direction") == "rtl"
    assert page.get_attribute(".cell.source .marker", "dir") == "ltr"
    press(page, "t", "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "2")  # to the left is forward: "قطارنا إلى"

    def at(word: str) -> dict[str, float]:
        found: dict[str, float] = page.evaluate(WORD, [marker, word])
        return found

    first, last = at("غدًا"), at("الساعة")
    page.mouse.click(first["x"] + first["width"] / 2, first["y"])
    page.mouse.click(last["x"] + last["width"] / 2, last["y"])  # the second click widens
    page.keyboard.press("1")
    latin = at("Wien Hbf")
    page.mouse.move(latin["x"] + 1, latin["y"])
    page.mouse.down()
    page.mouse.move(latin["x"] + latin["width"] - 1, latin["y"], steps=4)
    page.mouse.up()
    page.keyboard.press("2")
    joined = "".join(page.eval_on_selector_all(f"{marker}", "all => all.map((p) => p.textContent)"))
    assert joined == ARABIC  # marks change nothing in the text
    press(page, "g", "8", "Control+Enter")
    page.wait_for_function("() => document.getElementById('save-state').dataset.state === 'saved'")
    spans = campaign.answers()[0]["spans"]
    assert [ARABIC[span["start"] : span["end"]] for span in spans] == ["قطارنا إلى", "غدًا الساعة", "Wien Hbf"]
    assert [span["severity"] for span in spans] == ["major", "minor", "major"]


def drag(page: Any, selector: str, word: str) -> None:
    """Draw the mouse over the middle of a word, without its first and last letters."""
    place: dict[str, float] = page.evaluate(WORD, [selector, word])
    page.mouse.move(place["x"] + place["width"] * 0.3, place["y"])
    page.mouse.down()
    page.mouse.move(place["x"] + place["width"] * 0.7, place["y"], steps=4)
    page.mouse.up()


def test_what_is_drawn_over_snaps_to_words_and_with_alt_to_letters(judge: Judge) -> None:
    page, campaign = judge("esa")
    drag(page, ".cell.output .marker", "Vienna")
    page.keyboard.press("1")
    page.keyboard.down("Alt")
    drag(page, ".cell.output .marker", "Hauptbahnhof")
    page.keyboard.up("Alt")
    page.keyboard.press("2")
    press(page, "g", "8")
    with page.expect_response("**/answers"):  # the next item is shown before the answer is on its way
        go_on(page, 2)
    whole, part = campaign.answers()[0]["spans"]
    assert ENGLISH[4][whole["start"] : whole["end"]] == "Vienna"
    letters = ENGLISH[4][part["start"] : part["end"]]
    assert letters in "Hauptbahnhof"
    assert 2 < len(letters) < len("Hauptbahnhof") - 2


def test_keys_are_labelled(judge: Judge) -> None:
    """Those on buttons say what they do, and no cap in the sheet is empty: plus is a key, too."""
    page, _ = judge("esa")
    assert page.locator(".tools .pair button").all_inner_texts() == ["[\nOne word less", "]\nOne word more"]
    page, _ = judge("da")
    page.keyboard.press("?")
    caps = page.locator("#help kbd").all_inner_texts()
    assert "+" in caps
    assert "" not in caps


def test_texts_have_their_language_and_direction(judge: Judge) -> None:
    page, _ = judge("ranking-ar", lang="de-DE")
    assert page.evaluate("document.documentElement.dir") == "ltr"
    texts = page.eval_on_selector_all("#screen .text", "all => all.map((p) => [p.lang, getComputedStyle(p).direction])")
    assert texts == [["en", "ltr"], ["en", "ltr"], ["ar", "rtl"], ["ar", "rtl"], ["ar", "rtl"]]
    assert page.inner_text("#pair") == "Englisch → Arabisch"


@pytest.mark.parametrize("name", [name for name in CAMPAIGNS if name.startswith("among-")])
def test_outputs_stand_among_the_same_systems_outputs(judge: Judge, name: str) -> None:
    page, campaign = judge(name)
    lines = [*AMONG["before"], ENGLISH[0], *AMONG["after"]]
    shown = page.locator(".cell.output, .cell.vote .pick").first
    texts = shown.locator(".text, .marker").all_inner_texts()
    # Markers break a text into pieces; an editor's own text may follow.
    assert [" ".join(text.split()) for text in texts[: len(lines)]] == [" ".join(line.split()) for line in lines]
    assert "gone" not in page.title()
    assert not [system for system in ("atlas", "ember") if system in page.content()]
    assert len(campaign.answers()) == 0
