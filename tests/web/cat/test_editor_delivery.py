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
