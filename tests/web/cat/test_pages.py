"""The pages of projects: made by a form, seen in every language, and kept from nobody (axe, four widths)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.web import create_app
from tests.web.cat.conftest import API, LETTER, make_key, make_project
from tests.web.client import PASSWORD, Client
from tests.web.conftest import PATIENT
from tests.web.house import fill
from tests.web.served import served
from tests.web.test_access import THOROUGH_LANGUAGES, shortcomings

PAGES = ["/cat", "/cat/new", *(f"/cat/projects/1{page}" for page in ("", "/edit", "/analysis", "/log"))]


def send(client: Client, path: str, **more: Any) -> Any:
    return client.post(path, headers={"X-CSRF-Token": client.csrf or ""}, **more)


def test_a_manager_makes_a_project_by_forms(light_app: FastAPI) -> None:
    manager = Client(light_app, "the-manager")
    form = {"name": "Brief", "source_lang": "de", "target_lang": "en", "engine": ""}
    files = [("files", ("brief.txt", LETTER.encode())), ("files", ("more.md", b"# Titel\n\nText.\n"))]
    made = send(manager, "/cat/projects", data=form, files=files)
    assert made.status_code == 303, made.text
    base = made.headers["location"]
    page = manager.get(base)
    assert page.status_code == 200
    assert "brief.txt" in page.text
    assert "more.md" in page.text
    job = {"users": "ada, ben", "role": "translator", "first": "1", "last": "5"}
    assert send(manager, f"{base}/jobs", data=job).status_code == 303
    rows = manager.get(f"{API}{base.removeprefix('/cat')}/jobs").json()["rows"]
    assert [(row["user"], row["first"], row["last"]) for row in rows] == [("ada", 1, 2), ("ben", 3, 5)]
    wrong = send(manager, f"{base}/jobs", data={**job, "last": "99"})
    assert (wrong.status_code, "the project has segments 1 to" in wrong.text) == (422, True)
    assert send(manager, f"{base}/jobs/{rows[1]['id']}/remove").status_code == 303
    ada = Client(light_app, "ada")
    assert "Brief" in ada.get("/cat").text
    assert send(ada, f"{base}/consent", data={"given": "yes"}).status_code == 303
    assert "Withdraw my consent" in ada.get(base).text
    assert send(ada, f"{base}/files", files=files).status_code == 403
    again = send(manager, f"{base}/files", files=files[:1])
    assert (again.status_code, "has a file called" in again.text) == (409, True)
    numbers = [row["id"] for row in manager.get(f"{API}{base.removeprefix('/cat')}/files").json()["rows"]]
    assert send(manager, f"{base}/files/{numbers[1]}/remove").status_code == 303
    assert send(manager, f"{base}/delete", data={"name": "Brie"}).status_code == 422
    assert send(manager, f"{base}/delete", data={"name": "Brief"}).headers["location"] == "/cat"
    assert manager.get(base).status_code == 404


@pytest.mark.parametrize(
    ("form", "files", "reason"),
    [
        ({"name": ""}, [], "give it letters or digits"),
        ({"source_lang": "klingon!"}, [], "klingon!"),
        ({"engine": "none"}, [], "no engine called"),
        ({}, [("files", ("a.exe", b"x"))], "No file format is known for a.exe"),
        ({"memory": "nobody"}, [], "There is no memory"),
    ],
)
def test_what_is_wrong_with_a_form_is_said_and_nothing_is_made(
    light_app: FastAPI, form: dict[str, str], files: list[Any], reason: str
) -> None:
    manager = Client(light_app, "the-manager")
    good = {"name": "Brief & mehr", "source_lang": "de", "target_lang": "en"}
    answer = send(manager, "/cat/projects", data=good | form, files=files or [("files", ("", b""))])
    assert answer.status_code in (404, 422), answer.text
    assert reason in answer.text.replace("&#39;", "'")
    assert ("Brief &amp; mehr" in answer.text) is ("name" not in form)  # what was typed is there
    assert manager.get(f"{API}/projects").json()["rows"] == []


def test_pages_have_their_twins(light_app: FastAPI, project: int) -> None:
    manager = Client(light_app, "the-manager")
    for path in (f"/cat/projects/{project}", f"/cat/projects/{project}/edit"):
        assert manager.get(f"{path}.json").json()["name"] == "Letters"
    assert manager.get("/cat.json").json()["rows"][0]["segments"] == 5
    assert manager.get(f"/cat/projects/{project}/log.json").json()["kind"] == "edit log"
    page = manager.get(f"/cat/projects/{project}/edit").text
    assert re.search(r'<script type="application/json" id="project">\{.*"source_dir": "ltr"', page)


def _work(app: FastAPI) -> None:
    """A project, a translated segment, and a record of how it came about."""
    project = make_project(app)
    ada = Client(app, "ada")
    ada.put(f"{API}/projects/{project}/consent", json={"given": True})
    row = ada.get(f"{API}/projects/{project}/segments").json()["segments"][0]
    at = "2026-05-04T10:00:0{}Z"
    origin = {"kind": "MT", "name": "e", "score": 85, "text": "The dog sleep."}
    events = [
        ("segmentOpened", at.format(0), {"text": ""}),
        ("keyDown", at.format(4), {"key": "a"}),
        ("segmentClosed", at.format(6), {}),
    ]
    told = ada.post(
        f"{API}/projects/{project}/events",
        json={
            "events": [
                {"key": make_key(), "kind": kind, "segment": row["id"], "at": moment, "data": data}
                for kind, moment, data in events
            ]
        },
    )
    assert told.json() == {"kept": 3, "consented": True}
    change = {"key": make_key(), "segment": row["id"], "revision": 0, "target": "The dog sleeps.", "origin": origin}
    ada.post(f"{API}/projects/{project}/changes", json={"changes": [{**change, "state": "translated"}]})


def test_the_record_of_work_over_http(light_app: FastAPI) -> None:
    _work(light_app)
    ada, ben, manager = (Client(light_app, name) for name in ("ada", "ben", "the-manager"))
    base = f"{API}/projects/1"
    log = ada.get(f"{base}/edit-log").json()
    (row,) = log["rows"]
    assert (row["seconds"], row["effort"], row["origin"], row["valid"]) == (6.0, 25, "MT", True)
    assert log["meta"]["seconds_per_word"] == 2.0
    assert ben.get(f"{base}/edit-log").json()["rows"] == []  # his own
    csv = manager.get(f"{base}/edit-log.csv")
    assert csv.text.splitlines()[1].startswith(
        "1;1;e;3;85;6000;25;Der Hund schläft.;The dog sleep.;The dog sleeps.;ada"
    )
    frames = manager.get(f"{base}/replay").json()["frames"]
    assert [frame["kind"] for frame in frames] == ["segmentOpened", "keyDown", "segmentClosed", "saved"]
    assert frames[-1]["text"] == "The dog sleeps."
    assert manager.get(f"{base}/replay", params={"after": 3, "segment": 1}).json()["frames"] == frames[3:]
    assert '"user": "ada"' in manager.get(f"{base}/log.jsonl").text
    assert "ada" not in manager.get(f"{base}/log.jsonl", params={"anonymous": True}).text
    assert manager.get(f"{base}/log.zip").content.startswith(b"PK")
    assert Client(light_app, "the-viewer").get(f"{base}/log.jsonl").status_code == 403
    event = {"key": make_key(), "kind": "keyDown", "at": "2026-05-04T10:00:00Z"}
    assert ben.post(f"{base}/events", json={"events": [event]}).json() == {"kept": 0, "consented": False}
    forged = ada.post(f"{base}/events", json={"events": [{**event, "kind": "saved"}]})
    assert (forged.status_code, "written by the server alone" in forged.json()["message"]) == (422, True)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store = Store(tmp_path_factory.mktemp("pages") / "house.db")
    store.migrate()
    fill(store)
    app = create_app(store, PATIENT)
    with ThreadPoolExecutor(1) as elsewhere:  # while Playwright runs, its event loop is this thread's
        elsewhere.submit(_work, app).result()
    with served(app) as address:
        yield address
    store.close()


@pytest.fixture(scope="module")
def session(house: str, browser: Any) -> Any:
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{house}/login")
    page.fill("#name", "the-manager")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{house}/campaigns")
    kept = context.storage_state()
    context.close()
    return kept


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", THOROUGH_LANGUAGES)
def test_a_page_keeps_nobody_out(house: str, session: Any, open_page: Callable[..., Any], path: str, lang: str) -> None:
    page = open_page(f"{house}{path}", storage_state=session, lang=lang)
    assert page.get_attribute("html", "dir") == ("rtl" if lang == "ar" else "ltr")
    assert shortcomings(page) == []


def test_a_project_is_made_in_the_browser(
    house: str, session: Any, open_page: Callable[..., Any], tmp_path: Path
) -> None:
    letter = tmp_path / "brief.txt"
    letter.write_bytes(LETTER.encode())
    page = open_page(f"{house}/cat", storage_state=session)
    page.get_by_role("link", name="New project").click()
    page.get_by_label("Name").fill("Zweiter Brief")
    page.get_by_label("Source language").fill("de")
    page.get_by_label("Target language").fill("en")
    page.get_by_label("Files").set_input_files(letter)
    page.get_by_role("button", name="Create").click()
    page.wait_for_selector("h1:has-text('Zweiter Brief')")
    assert page.get_by_text("0 of 5 segments translated").count()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Original").click()
    assert Path(waiting.value.path()).read_bytes() == LETTER.encode()
    assert waiting.value.suggested_filename == "brief.txt"
