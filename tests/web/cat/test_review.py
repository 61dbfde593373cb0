"""Review over HTTP: scores as ESA has them, errors in the source, and what is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

from tests.web.cat.conftest import API, make_key, make_project
from tests.web.cat.test_api import rows, save
from tests.web.client import Client

Change = Callable[..., dict[str, Any]]


def test_a_reviewer_scores_a_segment_as_it_stands(app: FastAPI, change: Change) -> None:
    """On both databases: the last word holds, also of what is sent again, until the text is another."""
    project = make_project(app)
    ada, ben, manager = Client(app, "ada"), Client(app, "ben"), Client(app, "the-manager")
    base = f"{API}/projects/{project}"
    first = rows(ada, project)[0]["id"]
    where = f"{base}/segments/{first}/score"
    assert ben.put(where, json={"key": make_key(), "score": 70}).status_code == 422  # there is no text yet
    save(ada, project, change(first, "The dog sleep.", state="translated"))
    assert ada.put(where, json={"key": make_key(), "score": 70}).status_code == 403
    for wrong in (101, -1, "NaN", "much"):
        assert ben.put(where, json={"key": make_key(), "score": wrong}).status_code == 422
    early = {"key": make_key(), "score": 70}
    assert ben.put(where, json=early).status_code == 200
    assert ben.put(where, json={"key": make_key(), "score": 62.5}).status_code == 200
    assert ben.put(where, json=early).status_code == 200  # the answer was lost, it is sent again
    assert ben.put(where, json={**early, "score": 1}).status_code == 409
    assert manager.put(where, json={"key": make_key(), "score": 80}).status_code == 200
    save(ben, project, change(first, "The dog sleep.", revision=1, state="approved"))
    told = ada.get(f"{base}/scores", params={"segment": first}).json()["rows"]
    kept = ("user", "score", "place", "is_current")
    assert [tuple(row[name] for name in kept) for row in told] == [("ben", 62.5, 1, True), ("the-manager", 80, 1, True)]
    meta = ada.get(f"{base}/review").json()["meta"]
    assert (meta["n_scores"], meta["mean_score"], meta["penalty_per_1000_words"]) == (2, 71.25, 0)
    save(ben, project, change(first, "The dog sleeps.", revision=2, state="approved"))
    assert [row["is_current"] for row in ada.get(f"{base}/scores").json()["rows"]] == [False, False]
    assert ada.get(f"{base}/review").json()["meta"]["mean_score"] is None
    assert ben.put(where, json={"key": make_key(), "score": None}).status_code == 200
    assert [row["user"] for row in ada.get(f"{base}/scores").json()["rows"]] == ["the-manager"]
    assert manager.delete(base).status_code == 200


def test_errors_are_marked_in_the_source_and_what_is_left_out(light_app: FastAPI, change: Change) -> None:
    project = make_project(light_app)
    ada, ben = Client(light_app, "ada"), Client(light_app, "ben")
    base = f"{API}/projects/{project}"
    row = rows(ada, project)[0]
    save(ada, project, change(row["id"], "The dog.", state="translated"))
    where = f"{base}/segments/{row['id']}/issues"
    kind = {"severity": "major", "category": "accuracy/omission"}
    form = ben.get(f"{base}/issues").json()["meta"]["form"]
    assert (form["source_spans"], form["omissions"]) == (True, True)
    assert (form["score"]["low"], form["score"]["high"]) == (0, 100)

    def mark(**span: Any) -> int:
        return int(ben.post(where, json={"key": make_key(), **kind, **span}).status_code)

    assert mark(is_omission=True) == 201
    assert mark(is_omission=True, source_start=9, source_end=16) == 201
    assert mark(source_start=0, source_end=3, start=0, end=3) == 201
    assert mark(is_omission=True, start=0, end=3) == 422  # what is left out has no place
    assert mark(source_start=9, source_end=99) == 422
    assert mark() == 422
    told = ada.get(f"{base}/issues").json()["rows"]
    places = ("start", "end", "source_start", "source_end", "is_omission")
    assert [[each.get(name) for name in places] for each in told] == [
        [None, None, None, None, True],
        [None, None, 9, 16, True],
        [0, 3, 0, 3, False],
    ]
    assert row["source"][9:16] == "schläft"
