"""Programs that submit with a token: by role, within the scope, and nothing of other teams."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.web.client import Client
from tests.web.test_tasks import app, folder, output, rows  # noqa: F401 - fixtures
from tests.web.test_tokens import bearer, made

TASK = "/tasks/sample-task"


def send(app: FastAPI, headers: dict[str, str], content: bytes, **values: str) -> tuple[int, str]:  # noqa: F811
    form = {"track": "news", "system": "primary", **values}
    answer = Client(app).post(f"{TASK}/submissions.json", data=form, files={"file": ("o.en", content)}, headers=headers)
    return answer.status_code, answer.text


def test_a_script_submits_for_its_team_and_sees_that_alone(app: FastAPI, output: bytes) -> None:  # noqa: F811
    north, south = (bearer(made(Client(app, name), "submit")) for name in ("ada", "ben"))
    assert send(app, north, output)[0] == 201
    assert send(app, south, output)[0] == 201  # nobody is told that there is another with the same
    program = Client(app)
    for headers, own, other in ((north, "north", "south"), (south, "south", "north")):
        page = program.get(f"{TASK}.json", headers=headers)
        assert {row["team"] for row in page.json()["rows"]} == {own}
        assert other not in page.text
        (row,) = page.json()["rows"]
        got = program.get(f"{TASK}/submissions/{row['id']}", headers=headers)
        assert got.content == output
        stranger = south if headers is north else north
        assert program.get(f"{TASK}/submissions/{row['id']}", headers=stranger).status_code == 404
    status, text = send(app, south, output, team="north", system="x")
    assert (status, "You do not submit for a team called 'north'." in text) == (404, True)
    assert [row["name"] for row in program.get("/tasks.json", headers=north).json()["rows"]] == ["sample-task"]


@pytest.mark.parametrize("role", ["admin", "manager"])
def test_a_token_of_an_organiser_submits_for_any_team(app: FastAPI, output: bytes, role: str) -> None:  # noqa: F811
    headers = bearer(made(Client(app, f"the-{role}"), "submit"))
    assert send(app, headers, output, team="south")[0] == 201
    assert {row["team"] for row in rows(Client(app, "ben"))} == {"south"}


@pytest.mark.parametrize("who", ["the-annotator", "the-viewer"])
def test_a_token_of_somebody_in_no_team_opens_nothing(app: FastAPI, output: bytes, who: str) -> None:  # noqa: F811
    headers = bearer(made(Client(app, who), "submit"))
    status, text = send(app, headers, output, team="north")
    assert status == 404
    assert "There is no task called 'sample-task'." in text
    assert Client(app).get("/tasks.json", headers=headers).json()["rows"] == []
    assert rows(Client(app, "the-manager")) == []


def test_a_token_of_another_scope_or_a_withdrawn_one_is_refused(app: FastAPI, output: bytes) -> None:  # noqa: F811
    ada = Client(app, "ada")
    status, text = send(app, bearer(made(ada, "cat")), output)
    assert (status, "make one with the scope submit" in text) == (403, True)
    row = made(ada, "submit")
    ada.delete(f"/api/v1/tokens/{row['token']}")
    assert send(app, bearer(row), output)[0] == 401
    assert send(app, {"Authorization": "Bearer drg_wrong"}, output)[0] == 401
    assert send(app, {}, output)[0] in (401, 403)
    assert rows(Client(app, "the-manager")) == []


def test_a_token_opens_no_page_and_no_other_form(app: FastAPI, folder: Path, output: bytes) -> None:  # noqa: F811
    headers = bearer(made(Client(app, "ada"), "submit"))
    program = Client(app)
    assert program.get(TASK, headers=headers).status_code in (303, 401)
    form = {"track": "news", "system": "primary"}
    answer = program.post(f"{TASK}/submissions", data=form, files={"file": ("o.en", output)}, headers=headers)
    assert answer.status_code in (303, 401, 403)
    assert program.get("/api/v1/session", headers=headers).status_code == 401
    assert not (folder / "submissions").exists()
