"""Keys of one's own, rules for predictions, words completed in the middle and phrases of memories, in the browser."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.cat.conftest import make_key
from tests.web.cat.desks import FIELD, Office, Person, ready
from tests.web.test_access import shortcomings

Sit = Callable[..., Person]


def test_a_key_of_ones_own_takes_the_place_of_the_schemes(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())

    def keys_of(action: str) -> str:
        return str(ada.page.inner_text(f"#help [data-action={action}] dt")).replace("\n", "")

    ada.press("Alt+h")
    assert keys_of("copySource") == "CtrlI"
    ada.page.click("#help [data-change=copySource]")
    ada.press("x")
    ada.page.wait_for_selector("#help .asked:has-text('alone is for writing')")
    ada.press("Control+w")
    ada.page.wait_for_selector("#help .asked:has-text('The browser keeps')")
    ada.press("Control+s")  # saves a draft
    ada.page.wait_for_selector("#help .asked:has-text('already does: ⁨Save as a draft⁩')")
    assert shortcomings(ada.page) == []
    ada.page.get_by_role("button", name="Use it here instead").click()
    assert (keys_of("copySource"), keys_of("draft")) == ("CtrlS", "none")
    ada.press("Escape")
    ada.page.reload()
    ready(ada.page)
    ada.press("Control+s")
    assert ada.text == "Der Hund schläft."
    assert ada.page.get_attribute("[data-action=copySource]", "title") == "Ctrl+S"
    ada.press("Alt+h")
    ada.page.get_by_role("button", name="Reset all keys").click()
    assert (keys_of("copySource"), keys_of("draft")) == ("CtrlI", "CtrlS")
    ada.press("Escape")
    ben = sit("ben", office.project())  # keys are a person's, not the project's
    ben.press("Alt+h")
    assert ben.page.locator("#help [data-action=copySource] dt").inner_text().replace("\n", "") == "CtrlI"


def test_predictions_follow_rules(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.ghost("The dog sleeps.")
    ada.press("Alt+l")
    ada.page.fill("#rule-target", "dog")
    ada.page.fill("#rule-replacement", "hound")
    ada.page.fill("#rule-source", "Hund")
    assert shortcomings(ada.page) == []
    ada.press("Enter")
    ada.page.wait_for_selector("#rules-list li:has-text('hound')")
    ada.page.fill("#rule-target", "(")
    ada.page.set_checked("#rules-form [name=is_regex]", True)
    ada.page.get_by_role("button", name="Add the rule").click()
    ada.page.wait_for_selector("#rules-fault:has-text('group')")
    ada.page.fill("#rule-target", r"(\w+)s\.")
    ada.page.fill("#rule-replacement", "will $1.")
    ada.page.get_by_role("button", name="Add the rule").click()
    ada.press("Escape")
    ada.ghost("The hound will sleep.")
    ada.page.reload()
    ready(ada.page)
    ada.ghost("The hound will sleep.")  # rules outlive the page
    ada.press("Control+1", "Alt+l")
    assert ada.text == "The dog sleeps."
    ada.page.get_by_role("button", name="Apply to this segment").click()
    assert ada.text == "The hound will sleep."
    ada.press("Alt+l")
    for _ in range(2):
        ada.page.locator("#rules-list button").first.click()
    ada.press("Escape", "Control+a", "Delete")
    ada.ghost("The dog sleeps.")


def test_a_word_in_the_middle_is_completed(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    ada.type("The  sleeps.")
    ada.page.eval_on_selector(FIELD, "area => area.setSelectionRange(4, 4)")
    ada.type("d")
    ada.page.wait_for_selector(".prediction .word:has-text('dog')")
    ada.press("Alt+w")
    assert ada.text == "The dog sleeps."


def test_the_wheel_refuses_if_one_wants_it(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    ada.type("The dog ")
    ada.ghost("sleeps.")
    ada.page.hover(FIELD)
    ada.page.mouse.wheel(0, 100)
    ada.press("Alt+ArrowDown")
    ada.ghost("naps.")  # nothing was refused
    ada.press("Alt+ArrowUp")
    ada.page.click("#open-settings")
    ada.page.set_checked("#settings [name=wheel]", True)
    ada.press("Escape")
    ada.page.hover(FIELD)
    ada.page.mouse.wheel(0, 100)
    ada.ghost("naps.")
    ada.press("Alt+ArrowDown")
    ada.ghost("naps.")  # the other one is refused, so there is no other


def test_phrases_of_memories_are_offered(office: Office, sit: Sit) -> None:
    project = office.project()
    office.upload(project, "more.txt", "".join(f"Der Hund schläft {w}.\n" for w in ("heute", "morgen", "nie")).encode())
    office.send("POST", f"{project}/jobs", {"user": "ada", "first": 4, "last": 8})
    for row, word in zip(office.rows(project)[5:7], ("today", "tomorrow"), strict=True):
        text = f"The dog sleeps {word}."
        change = {"key": make_key(), "segment": row["id"], "revision": 0, "target": text, "state": "translated"}
        assert office.send("POST", f"{project}/changes", {"changes": [change]})["outcomes"][0]["saved"]
    ada = sit("ada", project)
    ada.page.click(".row[data-place='8'] .place")
    ada.at(8)
    ada.press("Control+a", "Delete")
    ada.page.get_by_role("button", name="The dog sleeps", exact=True).click()
    assert ada.text.startswith("The dog sleeps")
