"""The workbench over HTTP: from the upload to the download, and who may do what on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from tests.web.cat.conftest import API, LETTER, make_key, make_project
from tests.web.client import Client

Change = Callable[..., dict[str, Any]]


def rows(client: Client, project: int, **wanted: Any) -> list[dict[str, Any]]:
    answer = client.get(f"{API}/projects/{project}/segments", params=wanted)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["segments"]
    return found


def save(client: Client, project: int, *changes: dict[str, Any]) -> list[dict[str, Any]]:
    answer = client.post(f"{API}/projects/{project}/changes", json={"changes": list(changes)})
    assert answer.status_code == 200, answer.text
    outcomes: list[dict[str, Any]] = answer.json()["outcomes"]
    return outcomes


def test_upload_translate_download(app: FastAPI, change: Change) -> None:
    """On both databases: every byte but the translations comes back."""
    project = make_project(app)
    ada, manager = Client(app, "ada"), Client(app, "the-manager")
    segments = rows(ada, project)
    assert [each["source"] for each in segments] == [line.strip() for line in LETTER.splitlines() if line]
    assert [each["place"] for each in segments] == [1, 2, 3, 4, 5]
    texts = ["The dog sleeps.", "It does not rain today.", "We go home."]
    outcomes = save(
        ada,
        project,
        *(change(row["id"], text, state="translated") for row, text in zip(segments, texts, strict=False)),
    )
    assert [each["saved"] for each in outcomes] == [True, True, True]
    shown = ada.get(f"{API}/projects/{project}").json()
    assert (shown["role"], shown["progress"]["translated"]["segments"]) == ("translator", 3)
    assert shown["jobs"][0]["last"] == 3
    (file,) = ada.get(f"{API}/projects/{project}/files").json()["rows"]
    base = f"{API}/projects/{project}/files/{file['id']}"
    assert ada.get(f"{base}/original").content == LETTER.encode()
    done = ada.get(f"{base}/translated")
    expected = LETTER
    for row, text in zip(segments, texts, strict=False):
        expected = expected.replace(row["source"], text)
    assert done.content == expected.encode()
    assert done.headers["content-disposition"] == "attachment; filename*=UTF-8''letter.txt"
    assert ada.get(f"{base}/translated", params={"least": "approved"}).content == LETTER.encode()
    assert manager.delete(base).status_code == 409
    assert ada.get(f"{API}/projects").json()["rows"][0]["done"] == 3


def test_two_at_once(light_app: FastAPI, project: int, change: Change) -> None:
    ada, ben = Client(light_app, "ada"), Client(light_app, "ben")
    first = rows(ada, project)[0]["id"]
    mine = change(first, "The dog sleeps.")
    assert save(ada, project, mine)[0]["saved"]
    (refused,) = save(ben, project, change(first, "A dog sleeps."))
    assert (refused["saved"], refused["target"], refused["revision"], refused["changed_by"]) == (
        False,
        "The dog sleeps.",
        1,
        "ada",
    )
    assert save(ada, project, mine)[0]["revision"] == 1  # sent again
    versions = ben.get(f"{API}/projects/{project}/segments/{first}/history").json()["versions"]
    assert [(each["kind"], each["user"], each["target"]) for each in versions] == [
        ("saved", "ada", "The dog sleeps."),
        ("refused", "ben", "A dog sleeps."),
    ]
    back = {"key": make_key(), "number": versions[1]["number"], "revision": 1}
    (outcome,) = ben.post(f"{API}/projects/{project}/segments/{first}/restore", json=back).json()["outcomes"]
    assert (outcome["saved"], outcome["target"], outcome["state"]) == (True, "A dog sleeps.", "draft")
    none = ben.post(f"{API}/projects/{project}/segments/{first}/restore", json={**back, "number": 999})
    assert none.status_code == 404


def test_who_may_do_what(light_app: FastAPI, project: int, change: Change) -> None:
    ada, stranger = Client(light_app, "ada"), Client(light_app, "the-annotator")
    viewer = Client(light_app, "the-viewer")
    base = f"{API}/projects/{project}"
    assert stranger.get(base).status_code == 404
    assert stranger.get(f"{API}/projects").json()["rows"] == []
    assert viewer.get(base).json()["role"] == "viewer"
    for client in (ada, viewer):
        assert client.post(f"{base}/files", params={"name": "x.txt"}, content=b"x").status_code == 403
        assert client.post(f"{base}/jobs", json={"user": "ada"}).status_code == 403
        assert client.delete(base).status_code == 403
        assert client.request("PATCH", base, json={"name": "mine"}).status_code == 403
        assert client.put(f"{base}/glossary", json={"terms": []}).status_code == 403
    segments = rows(ada, project)
    (refused,) = save(ada, project, change(segments[3]["id"], "Good night!"))
    assert "Segment 4 is none of yours" in refused["message"]
    assert ada.post(f"{API}/projects", json={}).status_code == 403


def test_projects_are_changed_and_deleted(light_app: FastAPI, project: int) -> None:
    manager = Client(light_app, "the-manager")
    base = f"{API}/projects/{project}"
    assert manager.request("PATCH", base, json={"engine": "nobody"}).status_code == 404
    body = {"name": "Briefe", "settings": {"mt_score": 70, "learns": False}}
    assert manager.request("PATCH", base, json=body).status_code == 200
    shown = manager.get(base).json()
    assert (shown["name"], shown["settings"]["mt_score"], shown["settings"]["threshold"]) == ("Briefe", 70, 50)
    terms = [{"source": "Hund", "target": "dog", "status": "preferred", "note": "m."}]
    assert manager.put(f"{base}/glossary", json={"terms": terms}).status_code == 200
    assert manager.get(f"{base}/glossary").json()["terms"] == terms
    first = rows(manager, project)[0]
    told = manager.get(f"{base}/segments/{first['id']}/suggestions").json()
    assert told == {
        "suggestions": [],
        "terms": [{**terms[0], "places": [[4, 8]]}],
        "fragments": [],
        "problem": "",
        "problem_said": "",
    }
    found = manager.post(f"{base}/segments/{first['id']}/checks", json={"target": "The cat sleeps"}).json()["findings"]
    assert ["'Hund' should be 'dog'.", [[4, 8]]] in [[each["message"], each["source"]] for each in found]
    assert {each["check"] for each in found} >= {"end-mark", "terms"}
    assert manager.post(f"{base}/segments/{first['id']}/checks", json={"target": ""}).json() == {"findings": []}
    finding = next(each for each in found if each["check"] == "terms")
    ignoring = {"key": make_key(), "check": "terms", "message": finding["message"], "reason": "It is a cat."}
    path = f"{base}/segments/{first['id']}"
    assert manager.post(f"{path}/ignored", json={**ignoring, "reason": " "}).status_code == 422
    assert manager.post(f"{path}/ignored", json=ignoring).status_code == 201
    again = manager.post(f"{path}/checks", json={"target": "The cat sleeps"}).json()["findings"]
    assert {each["check"] for each in again} == {each["check"] for each in found} - {"terms"}
    volume = manager.get(f"{base}/analysis").json()
    assert (volume["rows"][-1]["kind"], volume["rows"][-1]["segments"]) == ("total", 5)
    assert manager.get(f"{base}/checks").json()["meta"]["segments"] == 5
    assert manager.delete(base).status_code == 200
    assert manager.get(base).status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "status", "reason"),
    [
        ("empty.txt", b"", 422, "nothing to translate"),
        ("letter.txt", b"x", 409, "has a file called"),
        ("x.exe", b"x", 404, "No file format is known"),
        ("x.docm", b"x", 422, "has macros"),
        ("bad.xlf", b"<xliff", 422, "bad.xlf"),
        ("a/b.txt", b"x", 422, "name"),
    ],
)
def test_files_that_are_refused(
    light_app: FastAPI, project: int, name: str, content: bytes, status: int, reason: str
) -> None:
    manager = Client(light_app, "the-manager")
    answer = manager.post(f"{API}/projects/{project}/files", params={"name": name}, content=content)
    assert (answer.status_code, reason in answer.json()["message"]) == (status, True), answer.text
    assert len(manager.get(f"{API}/projects/{project}/files").json()["rows"]) == 1


def test_split_merge_comment_review(light_app: FastAPI, project: int, change: Change) -> None:
    ada, ben = Client(light_app, "ada"), Client(light_app, "ben")
    base = f"{API}/projects/{project}"
    second = rows(ada, project)[1]
    save(ada, project, change(second["id"], "It does not rain today.", state="translated"))
    cut = ada.post(f"{base}/segments/{second['id']}/split", json={"key": make_key(), "at": 10, "target_at": 16})
    assert cut.status_code == 201, cut.text
    assert [row["source"] for row in rows(ada, project)][1:3] == ["Es regnet", "heute nicht."]
    assert ada.post(f"{base}/segments/{second['id']}/split", json={"key": make_key(), "at": 999}).status_code == 422
    assert ada.post(f"{base}/segments/{second['id']}/merge", json={"key": make_key()}).status_code == 200
    joined = rows(ada, project)[1]
    assert (joined["source"], joined["target"]) == (second["source"], "It does not rain today.")
    comment = ada.post(f"{base}/segments/{second['id']}/comments", json={"key": make_key(), "text": "Really?"}).json()
    assert ben.put(f"{base}/comments/{comment['id']}/resolution", json={}).status_code == 200
    assert ada.get(f"{base}/comments", params={"segment": second["id"]}).json()["rows"][0]["resolved"]
    issue = {"key": make_key(), "start": 3, "end": 7, "severity": "minor", "category": "fluency/grammar"}
    assert ada.post(f"{base}/segments/{second['id']}/issues", json=issue).status_code == 403
    wrong = {**issue, "end": 99}
    assert ben.post(f"{base}/segments/{second['id']}/issues", json=wrong).status_code == 422
    assert ben.post(f"{base}/segments/{second['id']}/issues", json={**issue, "category": "x"}).status_code == 422
    made = ben.post(f"{base}/segments/{second['id']}/issues", json=issue)
    assert made.status_code == 201, made.text
    listed = ada.get(f"{base}/issues").json()
    assert (listed["rows"][0]["target"], listed["rows"][0]["start"]) == ("It does not rain today.", 3)
    assert [each["name"] for each in listed["meta"]["form"]["severities"]] == ["neutral", "minor", "major"]
    report = ben.get(f"{base}/review").json()
    assert report["rows"] == [{"category": "fluency/grammar", "severity": "minor", "errors": 1, "penalty": 1.0}]
    assert ben.delete(f"{base}/issues/{made.json()['id']}").status_code == 200
    assert ada.get(f"{base}/issues").json()["rows"] == []


def test_search_and_replace(light_app: FastAPI, project: int, change: Change) -> None:
    ada, ben = Client(light_app, "ada"), Client(light_app, "ben")
    base = f"{API}/projects/{project}"
    segments = rows(ada, project)
    save(ada, project, change(segments[0]["id"], "The dog. The DOG, dogs (a+b)."))
    save(ben, project, change(segments[4]["id"], "dog end", state="approved"))
    body = {"key": make_key(), "find": "dog", "replacement": r"\1 cat", "whole_words": True}
    dry = ada.post(f"{base}/replace", json={**body, "dry_run": True}).json()["replaced"]
    assert [(each["place"], each["after"], each["saved"]) for each in dry] == [
        (1, r"The \1 cat. The \1 cat, dogs (a+b).", False)
    ]
    assert rows(ada, project)[0]["target"] == "The dog. The DOG, dogs (a+b)."
    done = ben.post(f"{base}/replace", json={**body, "match_case": True, "replacement": "cat"}).json()["replaced"]
    assert [(each["after"], each["saved"]) for each in done] == [
        ("The cat. The DOG, dogs (a+b).", True),
        ("cat end", True),
    ]
    assert [row["state"] for row in rows(ada, project) if row["target"]] == ["draft", "approved"]


def test_jobs_are_spread(light_app: FastAPI) -> None:
    manager = Client(light_app, "the-manager")
    project = make_project(light_app, "spread")
    base = f"{API}/projects/{project}"
    for job in manager.get(f"{base}/jobs").json()["rows"]:
        assert manager.delete(f"{base}/jobs/{job['id']}").status_code == 200
    spread = manager.post(f"{base}/jobs/spread", json={"users": ["ada", "ben"]}).json()["rows"]
    assert [(row["user"], row["first"], row["last"]) for row in spread] == [("ada", 1, 2), ("ben", 3, 5)]
    assert manager.post(f"{base}/jobs", json={"user": "nobody"}).status_code == 404


def test_limited_managers_have_their_own_projects(light_store: Any) -> None:
    from dragoman.web import Settings, create_app

    app = create_app(light_store, Settings(own_campaigns=True))
    project = make_project(app)
    assert Client(app, "the-manager").get(f"{API}/projects/{project}").status_code == 200
    with light_store.write() as connection:
        from dragoman.store.audit import COMMAND_LINE
        from dragoman.store.people.accounts import add_user
        from tests.web.client import PASSWORD

        add_user(connection, "other", "manager", PASSWORD, actor=COMMAND_LINE)
    other = Client(app, "other")
    assert other.get(f"{API}/projects/{project}").status_code == 404
    assert other.get(f"{API}/projects").json()["rows"] == []
