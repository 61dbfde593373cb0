"""Doors for programs: a token is enough, and what is wrong is said in words for programs."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from tests.web.client import Client
from tests.web.test_desk import BODIES
from tests.web.test_tokens import bearer, made


@pytest.mark.parametrize("task", ["score", "compare"])
def test_a_token_scores_and_compares_without_a_browser(light_app: FastAPI, task: str) -> None:
    person = Client(light_app, "the-manager")
    token = bearer(made(person, "score"))
    told = Client(light_app).post(f"/v1/{task}", json=BODIES[task], headers=token)
    assert told.status_code == 200, told.text
    assert told.json() == person.post(f"/api/v1/{task}", json=BODIES[task]).json()
    table = Client(light_app).post(f"/v1/{task}", json={**BODIES[task], "form": "tsv"}, headers=token)
    assert table.headers["content-type"].startswith("text/tab-separated-values")


def test_who_comes_without_a_token_hears_how_to_get_one(light_app: FastAPI) -> None:
    refused = Client(light_app).post("/v1/score", json=BODIES["score"])
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert refused.json() == {
        "status": 401,
        "kind": "NotSignedIn",
        "message": "Send a token of the scope score as the header Authorization: Bearer TOKEN; /account/tokens makes "
        "them.",
    }


def test_a_program_with_a_session_hears_of_the_header(light_app: FastAPI) -> None:
    client = Client(light_app, "the-manager")
    client.csrf = None
    refused = client.post("/v1/score", json=BODIES["score"])
    assert refused.status_code == 403
    assert "X-CSRF-Token" in refused.json()["message"]
    assert "page" not in refused.json()["message"]


def test_who_asks_for_json_gets_no_page(light_app: FastAPI) -> None:
    asked = {"Accept": "application/json"}
    for path in ("/nothing/here", "/campaigns", "/score"):
        answer = Client(light_app).get(path, headers=asked)
        assert answer.headers["content-type"] == "application/json", path
        assert answer.json()["status"] == answer.status_code
    browser = {"Accept": "text/html,application/xhtml+xml,application/json;q=0.9"}
    assert "text/html" in Client(light_app).get("/nothing/here", headers=browser).headers["content-type"]
