"""Pages of annotators and of who asks them: styled as planned, no "null", the right scale first."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.human import simulate_judges
from dragoman.human.error_spans import SpanAnalysis
from dragoman.human.manifest import read_manifest
from dragoman.human.planning import plan_test_set
from dragoman.human.protocol import PROTOCOLS
from tests.web.client import Client
from tests.web.windows import Window

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("protocol", PROTOCOLS.names())
def test_a_preview_has_the_style_of_the_work(light_app: FastAPI, protocol: str) -> None:
    manager, ada = Client(light_app, "the-manager"), Client(light_app, "ada")
    sheets = [set(re.findall(r'href="(/static/[a-z/]+\.css)', page.text)) for page in (
        ada.get("/campaigns/birds/work"), manager.get(f"/protocols/{protocol}"))]  # fmt: skip
    assert "/static/slider.css" in sheets[0]
    assert sheets[0] <= sheets[1]


def test_no_ending_says_null(judge: Callable[..., Any]) -> None:
    """Where there is no completion code, there is no word for it."""
    page, _ = judge("da")
    text = page.evaluate("""async () => {
        const { drawEnding } = await import('/static/judge/ending.js');
        drawEnding({ code: null, return_url: null }, null);
        return document.getElementById('finish').innerText;
    }""")
    assert "null" not in text
    assert text.strip()


def test_a_page_that_reads_null_fails_any_test(stub: Any, browser: Any) -> None:
    """What people read on the pages of all tests in a browser is looked through when the test ends."""
    window = Window(browser, {})
    window.page.goto(f"{stub.address}/campaigns/da~null/work")
    window.page.wait_for_selector("#screen .screen")
    assert window.missing() == []
    window.page.evaluate("document.querySelector('main').append(null, ' points')")
    (said,) = window.missing()
    assert "null points" in said
    window.context.close()


def esa() -> SpanAnalysis:
    manifest = read_manifest(EXAMPLES / "esa" / "manifest.toml")
    planned = plan_test_set(manifest.test_set, manifest.protocol, ("ada", "ben"), seed=1)
    analysis = manifest.protocol.analyse(simulate_judges(manifest.protocol, planned.assignments))
    assert isinstance(analysis, SpanAnalysis)
    return analysis


def test_a_ranking_of_esa_leads_with_its_score() -> None:
    analysis = esa()
    scales = [row["scale"] for row in analysis.tables()[0].records()]
    assert scales == sorted(scales, key=("score", "mqm").index)
    assert set(scales) == {"score", "mqm"}
    figures = analysis.figures()
    assert [str(figure.title) for figure in figures] == ["Systems by mean: score", "Systems by mean: mqm"]
    assert all(len(set(figure.table.column("scale"))) == 1 for figure in figures), "no axis for both"
