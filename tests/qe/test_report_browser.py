"""The report of a quality estimator in a real browser, opened from disk: no requests, no overflow on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.qe import QEData, report_model, train_model
from dragoman.qe.recipes import QERecipe, ReportRecipe
from tests.browsers import running_browser
from tests.cli.test_qe import OUTPUTS, SOURCES
from tests.qe.test_train import DATA, RIDGE


@pytest.mark.outside
def test_the_page_opens_from_disk_and_fits_a_phone(tmp_path: Path) -> None:
    outputs = ["<b>bold</b>", *OUTPUTS[1:]]
    gold = [1.0, *(0.01 * n for n in range(1, 40))]
    found = report_model(
        {"ridge": train_model(DATA, QERecipe(learner=RIDGE))},
        QEData.of(SOURCES, outputs, scores=gold),
        ReportRecipe(trials=5),
    )
    (tmp_path / "report.html").write_text(found.html(), encoding="utf-8")
    asked: list[str] = []
    with running_browser() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.on("request", lambda request: asked.append(request.url))
        page.goto((tmp_path / "report.html").as_uri())
        headings = page.locator("h2").all_inner_texts()
        assert headings == ["Measures", "Calibration", "Error by length", "Decisions", "Worst cases"]
        assert page.locator("svg[role=img]").count() == 2
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert page.locator("td", has_text="<b>bold</b>").count() == 1  # text, not markup
    assert asked == [(tmp_path / "report.html").as_uri()]
