"""Pen strokes over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dragoman.errors import UnknownName
from dragoman.store import Store
from dragoman.web import create_app
from tests.web.cat.conftest import API
from tests.web.client import Client
from tests.web.conftest import PATIENT

TICK = [[[0, 5, 0], [3, 10, 80], [10, 0, 190]]]


def read(client: Client, **body: Any) -> list[dict[str, Any]]:
    answer = client.post(f"{API}/pen/readings", json=body)
    assert answer.status_code == 200, answer.text
    readings: list[dict[str, Any]] = answer.json()["readings"]
    return readings


def test_gestures_and_templates(light_store: Store) -> None:
    ada = Client(create_app(light_store, PATIENT), "ada")
    assert ada.get(f"{API}/pen").json() == {"recogniser": "points", "gestures": ["accept", "delete", "move"]}
    (tick,) = read(ada, strokes=TICK)
    assert (tick["kind"], tick["value"], tick["score"] > 0.9) == ("gesture", "accept", True)
    own = {"value": "und", "strokes": [[[0, 0], [0, 10], [6, 10]]]}
    (word,) = read(ada, strokes=[[[50, 50], [50, 90], [75, 90]]], templates=[own], context="du ")
    assert (word["kind"], word["value"]) == ("text", "und")
    assert read(ada, strokes=own["strokes"]) == []
    assert len(read(ada, strokes=TICK, templates=[{**own, "strokes": TICK}], n=1)) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"strokes": []},
        {"strokes": [[]]},
        {"strokes": [[[1]]]},
        {"strokes": [[[1, "x"]]]},
        {"strokes": [[[1, 1]] * 2001]},
        {"strokes": TICK, "n": 0},
        {"strokes": TICK, "templates": [{"value": "", "strokes": TICK}]},
        {"strokes": TICK, "templates": [{"value": "x", "strokes": TICK}] * 201},
        {"strokes": TICK, "recogniser": "other"},
    ],
)
def test_what_is_no_drawing_is_refused(light_store: Store, body: dict[str, Any]) -> None:
    ada = Client(create_app(light_store, PATIENT), "ada")
    assert ada.post(f"{API}/pen/readings", json=body).status_code == 422


def test_an_unknown_recogniser_is_told_before_the_server_starts(light_store: Store) -> None:
    with pytest.raises(UnknownName, match="No handwriting recogniser is called 'point'"):
        create_app(light_store, replace(PATIENT, recogniser="point"))
