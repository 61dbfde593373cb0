"""Pages that lead on: where nothing is yet, what annotators see of the house, one verdict on a ranking."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.human.direct_assessment.protocol import DirectAssessment
from dragoman.store import Store
from dragoman.store.judging.ranking import live_ranking
from tests.web.client import Client
from tests.web.house import CAMPAIGN, SYSTEMS
from tests.web.judges import fill_campaign

BASE = f"/campaigns/{CAMPAIGN}"


def next_step(page: str) -> str | None:
    """Where the card of an empty place leads."""
    card = re.search(r'class="card empty">.*?</div>', page, re.DOTALL)
    assert card is not None
    link = re.search(r'href="([^"]+)"', card[0])
    return None if link is None else link[1]


def test_where_nothing_is_yet_the_page_leads_to_what_comes_first(light_app: FastAPI) -> None:
    manager, viewer = Client(light_app, "the-manager"), Client(light_app, "the-viewer")
    assert next_step(manager.get(f"{BASE}/answers").text) == f"{BASE}/people"
    assert next_step(viewer.get(f"{BASE}/answers").text) == BASE
    assert next_step(manager.get(f"{BASE}/disputes").text) == f"{BASE}/answers"
    assert next_step(manager.get("/").text) == "/campaigns"
    assert next_step(Client(light_app, "the-annotator").get("/").text) == "/cat"
    manager.post(f"{BASE}/state", data={"state": "paused"})
    page = manager.get(f"{BASE}/answers").text
    assert "the campaign is not open" in page
    assert next_step(page) == BASE


def test_a_filter_that_nothing_fits_is_no_campaign_without_answers(light_app: FastAPI, light_store: Store) -> None:
    fill_campaign(light_app, light_store, CAMPAIGN, {"ada": 1.0}, tasks=1)
    page = Client(light_app, "the-manager").get(f"{BASE}/answers", params={"segment": 999}).text
    assert "No answer fits the filter." in page
    assert next_step(page) == f"{BASE}/answers"


def test_annotators_see_their_work_alone(light_app: FastAPI) -> None:
    def links(name: str) -> list[str]:
        page = Client(light_app, name).get("/").text.partition("<nav")[2].partition("</nav>")[0]
        return re.findall(r'href="([^"]+)"', page)

    assert links("ada") == ["/", "/cat"]
    assert {"/campaigns", "/score", "/quality"} < set(links("the-viewer"))


def test_a_ranking_has_one_verdict(light_app: FastAPI, light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two systems far apart are told apart by few judgements: then no more are advised."""

    def said(_: Any, item: Any, draws: Any, care: float) -> dict[str, Any]:
        score = 2 if item.type == "BAD" else 90 if item.system == SYSTEMS[0] else 30
        return {"score": score + item.segment % 7, "seconds": 9.0}

    monkeypatch.setattr(DirectAssessment, "simulate", said)
    fill_campaign(light_app, light_store, CAMPAIGN, {"ada": 1.0, "ben": 1.0})
    with light_store.read() as connection:
        ranking = live_ranking(connection, CAMPAIGN)
    assert ranking.enough
    assert ranking.analysis is not None
    page = Client(light_app, "the-manager").get(f"{BASE}/ranking").text
    assert "Enough data." in page
    assert "fewer than" not in page
