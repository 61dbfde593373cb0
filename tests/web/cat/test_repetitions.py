"""Segments like a confirmed one are filled, and nobody's work is lost by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.store.translating.filling import Fill, fill_segments
from dragoman.store.translating.segments import take_lock
from tests.web.cat.conftest import API
from tests.web.cat.test_api import rows, save
from tests.web.client import Client

Change = Callable[..., dict[str, Any]]
PAGE = """<p>Press <b>Start</b>.</p><p>Press <i>Start</i>.</p><p>Press <b>Start</b>.</p><p>Press <b>Start</b>.</p>
<p>Press <b>Start</b>.</p>"""


def page(app: FastAPI, mode: str) -> int:
    """A page of five segments, all but the second alike; ada has the first two."""
    manager = Client(app, "the-manager")
    body = {"name": "Page", "source_lang": "en", "target_lang": "de", "settings": {"repetitions": mode}}
    number = int(manager.post(f"{API}/projects", json=body).json()["id"])
    sent = manager.post(f"{API}/projects/{number}/files", params={"name": "page.html"}, content=PAGE.encode())
    assert sent.status_code == 201, sent.text
    job = {"user": "ada", "first": 1, "last": 2}
    assert manager.post(f"{API}/projects/{number}/jobs", json=job).status_code == 201
    return number


def confirm(client: Client, project: int, body: dict[str, Any]) -> list[dict[str, Any]]:
    answer = client.post(f"{API}/projects/{project}/changes", json={"changes": [{**body, "state": "translated"}]})
    assert answer.json()["outcomes"][0]["saved"], answer.text
    filled: list[dict[str, Any]] = answer.json()["filled"]
    return filled


TARGET = "Drücken Sie \ue000Start\ue001."


def test_like_segments_are_filled_as_drafts_but_for_what_people_did(app: FastAPI, change: Change) -> None:
    """On both databases: others' codes, others' texts and what somebody has open stay as they are."""
    project = page(app, "empty")
    ada, manager = Client(app, "ada"), Client(app, "the-manager")
    first, _, third, fourth, fifth = [row["id"] for row in rows(ada, project)]
    save(manager, project, change(third, "Mine."))
    store: Store = app.state.store
    with store.write() as connection:
        take_lock(connection, project, fourth, _user(store, "the-manager"))
    filled = confirm(ada, project, change(first, TARGET))
    origin = {"kind": "repetition", "name": "1", "score": 100, "text": TARGET}
    assert filled == [
        {"segment": fifth, "place": 5, "words": 2, "revision": 1, "target": TARGET, "state": "draft", "origin": origin}
    ]
    told = rows(ada, project)
    assert [row["target"] for row in told] == [TARGET, None, "Mine.", None, TARGET]
    assert (told[4]["state"], told[4]["origin"], told[4]["changed_by"]) == ("draft", origin, None)
    history = ada.get(f"{API}/projects/{project}/segments/{fifth}/history").json()["versions"]
    assert [(each["kind"], each["user"], each["target"]) for each in history] == [("pretranslated", "ada", TARGET)]
    assert confirm(ada, project, change(first, "Start!", 1)) == []  # the fifth is not empty any more


def _user(store: Store, name: str) -> Any:
    from dragoman.store.people.accounts import find_user

    with store.read() as connection:
        return find_user(connection, name)


def test_drafts_of_the_program_follow_and_those_of_people_do_not(light_app: FastAPI, change: Change) -> None:
    project = page(light_app, "draft")
    ada, manager = Client(light_app, "ada"), Client(light_app, "the-manager")
    first, _, third, fourth, fifth = [row["id"] for row in rows(ada, project)]
    assert [each["segment"] for each in confirm(ada, project, change(first, TARGET))] == [third, fourth, fifth]
    save(manager, project, change(fourth, TARGET + " ", revision=1))
    again = confirm(ada, project, change(first, "Start!", 1))
    assert [(each["segment"], each["revision"]) for each in again] == [(third, 2), (fifth, 2)]
    assert [row["target"] for row in rows(ada, project)] == ["Start!", None, "Start!", TARGET + " ", "Start!"]


def test_what_somebody_writes_without_having_seen_a_fill_is_no_conflict(light_app: FastAPI, change: Change) -> None:
    project = page(light_app, "empty")
    ada, manager = Client(light_app, "ada"), Client(light_app, "the-manager")
    first, *_, fifth = [row["id"] for row in rows(ada, project)]
    confirm(ada, project, change(first, TARGET))
    (outcome,) = save(manager, project, change(fifth, "Unseen.", revision=0))
    assert (outcome["saved"], outcome["revision"]) == (True, 2)
    last = rows(ada, project)[4]
    assert (last["target"], last["origin"], last["changed_by"]) == ("Unseen.", None, "the-manager")
    (late,) = save(manager, project, change(fifth, "Late.", revision=0))
    assert not late["saved"]


@pytest.mark.parametrize("mode", ["off", "empty"])
def test_nothing_is_filled_if_not_asked_for_or_not_confirmed(light_app: FastAPI, change: Change, mode: str) -> None:
    project = page(light_app, mode)
    ada = Client(light_app, "ada")
    first = rows(ada, project)[0]["id"]
    save(ada, project, change(first, TARGET))
    if mode == "off":
        assert confirm(ada, project, change(first, TARGET, 1)) == []
    assert [row["target"] for row in rows(ada, project)] == [TARGET, None, None, None, None]


def test_a_fill_of_what_the_file_came_with_is_refused(light_app: FastAPI) -> None:
    """A draft in the file is somebody's work, though nobody here wrote it."""
    manager = Client(light_app, "the-manager")
    project = int(
        manager.post(f"{API}/projects", json={"name": "P", "source_lang": "en", "target_lang": "de"}).json()["id"]
    )
    po = b'#, fuzzy\nmsgid "a dog"\nmsgstr "ein Hund"\n'
    manager.post(f"{API}/projects/{project}/files", params={"name": "a.po"}, content=po)
    (row,) = rows(manager, project)
    assert (row["state"], row["target"]) == ("draft", "ein Hund")
    with light_app.state.store.write() as connection:
        fill = Fill(row["id"], "Hund", {"kind": "MT"})
        assert fill_segments(connection, project, [fill], user_id=None, drafts=True) == []


def test_a_project_is_filled_before_anybody_opens_it(light_app: FastAPI, change: Change) -> None:
    """From its memory, step by step; who may, and whose texts stay."""
    project = page(light_app, "off")
    ada, manager = Client(light_app, "ada"), Client(light_app, "the-manager")
    first, second, *_ = [row["id"] for row in rows(ada, project)]
    save(ada, project, change(first, TARGET, state="translated"), change(second, "Mine."))
    where = f"{API}/projects/{project}/pretranslation"
    assert ada.post(where, json={}).status_code == 403
    assert manager.post(where, json={"least": 102}).status_code == 422
    answer = manager.post(where, json={"least": 100})
    assert answer.json()["after"] is None
    assert [(each["place"], each["origin"]["kind"]) for each in answer.json()["filled"]] == [
        (place, "TM") for place in (3, 4, 5)
    ]
    assert [row["target"] for row in rows(ada, project)] == [TARGET, "Mine.", TARGET, TARGET, TARGET]
    assert manager.post(where, json={"after": 3}).json() == {"filled": [], "after": None}
