"""What cannot be confirmed, in the editor."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.cat.desks import Office, Person


def test_in_the_editor_it_becomes_a_draft_and_a_notice_leads_back(office: Office, sit: Callable[..., Person]) -> None:
    project = office.manual()
    ada = sit("ada", project)
    ada.type("اضغط ")
    ada.press("Alt+t")
    ada.press("Control+Enter")
    row = office.saved(project, 1, "اضغط \ue000", "draft")
    assert row["changed_by"] == "ada"
    notice = ada.page.locator("#notice .notice")
    notice.wait_for()
    assert "Segment 1 cannot be confirmed" in notice.inner_text()
    notice.get_by_role("button").click()
    ada.page.wait_for_selector(".row.active[data-place='1'] textarea[lang]")
    assert ada.text == "اضغط \ue000"
    ada.press("Control+End", "Alt+t", "Control+Enter")
    office.saved(project, 1, "اضغط \ue000\ue001", "translated")


def test_one_backspace_on_a_code_makes_a_draft(office: Office, sit: Callable[..., Person]) -> None:
    """Confirmed first with its pair, then broken: the state goes back, and the download is a page with the segment."""
    project = office.manual()
    ada = sit("ada", project)
    ada.type("اضغط ")
    ada.press("Alt+t", "Alt+t", "Control+Enter")
    office.saved(project, 1, "اضغط \ue000\ue001", "translated")
    ada.at(2)
    ada.page.click(".row[data-place='1']")
    ada.page.wait_for_selector(".row.active[data-place='1'] textarea[lang]")
    ada.press("Control+End", "Backspace", "Control+Enter")
    office.saved(project, 1, "اضغط \ue000", "draft")
    ada.page.locator("#notice .notice", has_text="Segment 1 cannot be confirmed").wait_for()
    (file,) = office.get(f"{project}/files")["rows"]
    ada.page.goto(f"{office.address}/api/v1/cat/projects/{project}/files/{file['id']}/translated")
    assert "Segment 1" in ada.page.locator("main").inner_text()
