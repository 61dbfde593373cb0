"""What a decision does: nothing until the campaign lets it count, then it stands for the answers to its item."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.store.judging.answers import last_answers
from dragoman.store.judging.ranking import campaign_agreement, live_ranking
from dragoman.store.judging.results import analyse_campaign, campaign_judgements
from dragoman.store.judging.state import campaign_state
from tests.web.client import Client
from tests.web.house import CAMPAIGN
from tests.web.judges import fill_campaign

BASE = f"/api/v1/campaigns/{CAMPAIGN}"


def scores(client: Client, item: str) -> list[float]:
    text = client.get(f"{BASE}/export/csv").text
    return [float(row["score"]) for row in csv.DictReader(io.StringIO(text)) if row["item"] == item]


def disputed(client: Client, kind: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = client.get(f"{BASE}/disputes").json()["rows"]
    return next(row for row in rows if row["type"] == kind)


def test_a_decision_counts_when_the_campaign_says_so(app: FastAPI, store: Store) -> None:
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0, "ben": 0.0})
    manager = Client(app, "the-manager")
    item = disputed(manager, "TGT")["item"]
    before, said = scores(manager, item), manager.get(f"{BASE}/agreement").json()
    ranked = manager.get(f"{BASE}/ranking").json()
    assert len(set(before)) == 2
    for n, score in enumerate((50, 3)):  # the last one holds
        body = {"key": f"d{n}", "item": item, "answer": {"score": score}}
        assert manager.post(f"{BASE}/adjudications", json=body).status_code == 201
    assert scores(manager, item) == before
    assert manager.get(f"{BASE}/ranking").json() == ranked
    pages = f"/campaigns/{CAMPAIGN}"
    assert "Decisions do not count" in manager.get(f"{pages}/disputes").text
    assert "Decisions do not count" in manager.get(f"{pages}/answers/{item}").text
    assert manager.get(f"{BASE}/adjudications").json()["meta"]["counts"] is False
    assert manager.post(f"{pages}/decisions", data={"count": "yes"}).status_code == 303
    assert scores(manager, item) == [3.0, 3.0]
    now = manager.get(f"{BASE}/ranking").json()
    assert now["meta"]["decided"] == 1
    assert [row["raw"] for row in now["rows"]] != [row["raw"] for row in ranked["rows"]]
    assert "Decisions count" in manager.get(f"{pages}/disputes").text
    for page in ("ranking", "exports"):
        assert "On 1 item a decision of the organisers stands for the answers." in manager.get(f"{pages}/{page}").text
    # What people said is not touched, nor what is measured by it.
    assert manager.get(f"{BASE}/agreement").json() == said
    shown = {row["answer"] for row in manager.get(f"{BASE}/answers/{item}").json()["rows"]}
    assert '{"score": 3}' not in shown
    with store.read() as connection:
        assert {
            answer["score"]
            for (_, name), answer in campaign_state(connection, CAMPAIGN).answers.items()
            if name == item
        } == set(before)
        told = campaign_judgements(connection, CAMPAIGN, as_said=True)
        assert [row["score"] for row in told.rows() if row["item"] == item] == before
        assert live_ranking(connection, CAMPAIGN).n_decided == 1
    manager.post(f"{pages}/decisions", data={"count": ""})
    assert scores(manager, item) == before
    assert manager.get(f"{BASE}/ranking").json()["rows"] == ranked["rows"]
    log = [row["action"] for row in manager.get(f"{BASE}/audit").json()["rows"]]
    assert log.count("decisions count") == log.count("decisions do not count") == 1


def test_a_decision_never_makes_a_careless_annotator_careful(app: FastAPI, store: Store) -> None:
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0, "ben": 0.0})
    manager = Client(app, "the-manager")
    item = disputed(manager, "BAD")["item"]
    before, quality = scores(manager, item), manager.get(f"{BASE}/quality").json()
    assert "never counts" in manager.get(f"/campaigns/{CAMPAIGN}/answers/{item}").text
    body = {"key": "d", "item": item, "answer": {"score": 0}}
    assert manager.post(f"{BASE}/adjudications", json=body).status_code == 201
    assert manager.request("PATCH", BASE, json={"decisions": True}).status_code == 200
    assert scores(manager, item) == before
    assert manager.get(f"{BASE}/quality").json() == quality


def test_viewers_see_what_decisions_do_and_cannot_change_it(app: FastAPI) -> None:
    viewer = Client(app, "the-viewer")
    page = viewer.get(f"/campaigns/{CAMPAIGN}/disputes").text
    assert "Decisions do not count" in page
    assert f"/campaigns/{CAMPAIGN}/decisions" not in page
    assert viewer.post(f"/campaigns/{CAMPAIGN}/decisions", data={"count": "yes"}).status_code == 403


def test_a_ranking_reads_the_answers_once(
    light_app: FastAPI, light_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_campaign(light_app, light_store, CAMPAIGN, {"ada": 1.0, "ben": 0.0})
    reads = []

    def counted(*words: Any, **more: Any) -> Any:
        reads.append(more)
        return last_answers(*words, **more)

    monkeypatch.setattr("dragoman.store.judging.results.last_answers", counted)
    with light_store.read() as connection:
        ranking = live_ranking(connection, CAMPAIGN)
        assert len(reads) == 1
        assert ranking.agreement == campaign_agreement(connection, CAMPAIGN)
        assert ranking.analysis is not None
        assert ranking.analysis.to_dict() == analyse_campaign(connection, CAMPAIGN).to_dict()
