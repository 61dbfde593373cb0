"""The page of the interface: every operation stands on it, from our own files, with a line that works."""

from __future__ import annotations

import re
import shlex

from fastapi import FastAPI

from dragoman.web.description import operations
from tests.web.client import Client


def test_every_operation_is_on_the_page(light_app: FastAPI) -> None:
    page = Client(light_app).get("/docs")
    assert page.status_code == 200
    for path, methods in light_app.openapi()["paths"].items():
        for method in methods:
            assert f'<span class="badge">{method.upper()}</span> <code>{path}</code>' in page.text
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page.text)  # nothing of another site's


def test_an_operation_tells_fields_and_the_scope_of_tokens(light_app: FastAPI) -> None:
    read = operations(light_app.openapi(), light_app.state.scopes)
    (score,) = [each for each in read if (each.method, each.path) == ("POST", "/v1/score")]
    assert score.scope == "score"
    fields = {each.name: each for each in score.body}
    assert fields["systems"].required
    assert fields["systems"].kind == "list of TextBody"
    assert (fields["level"].kind, fields["level"].default) == ("corpus, document, segment", '"corpus"')
    words = shlex.split(score.curl)
    assert words[:3] == ["curl", "-H", "Authorization: Bearer TOKEN"]
    (sessions,) = [each for each in read if (each.method, each.path) == ("DELETE", "/api/v1/session")]
    assert sessions.scope is None
    assert "X-CSRF-Token" in sessions.curl


def test_the_example_of_the_page_is_a_right_body(light_app: FastAPI) -> None:
    client = Client(light_app, "the-viewer")
    (score,) = [
        each
        for each in operations(light_app.openapi(), light_app.state.scopes)
        if (each.method, each.path) == ("POST", "/v1/score")
    ]
    words = shlex.split(score.curl)
    body = words[words.index("-d") + 1]
    answer = client.post("/v1/score", content=body.encode(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 200, answer.text
