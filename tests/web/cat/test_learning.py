"""What is confirmed is known from then on: to the project's memories, and to its engine, if that learns."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.engines import Learns, Role
from dragoman.store import Store
from dragoman.store.translating.projects import find_project
from dragoman.web import create_app
from dragoman.web.serving import _checked_engines
from dragoman.web.settings import Settings
from tests.web.cat.conftest import API, make_project
from tests.web.cat.engines import WordEngine, load_word_engine
from tests.web.cat.test_api import rows, save
from tests.web.client import Client
from tests.web.conftest import PATIENT

Change = Callable[..., dict[str, Any]]


@pytest.fixture
def app(light_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """A server whose engine is a folder with a file, a manifest and a journal of what it learnt before."""
    monkeypatch.setattr("dragoman.web.models.engines.load_engine", load_word_engine)
    (tmp_path / "engine" / "index").mkdir(parents=True)
    (tmp_path / "engine" / "manifest.json").write_text("{}")
    (tmp_path / "engine" / "index" / "learnt.jsonl").write_text("before\n")
    settings = replace(PATIENT, engines=(f"words={tmp_path / 'engine'}",), learning=str(tmp_path / "learning"))
    return create_app(light_store, settings)


def suggestions(client: Client, project: int, segment: int) -> list[dict[str, Any]]:
    answer = client.get(f"{API}/projects/{project}/segments/{segment}/suggestions")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["suggestions"]
    return found


def test_a_project_gets_a_memory_and_fills_it(app: FastAPI, change: Change) -> None:
    project = make_project(app, "one")
    manager, ada = Client(app, "the-manager"), Client(app, "ada")
    assert manager.get(f"{API}/projects/{project}").json()["memories"] == [
        {"name": "one", "penalty": 0, "writes": True}
    ]
    first = rows(ada, project)[0]["id"]
    save(ada, project, change(first, "A draft."))
    assert suggestions(ada, project, first) == []
    save(ada, project, change(first, "The dog is asleep.", revision=1, state="translated"))
    (same,) = suggestions(ada, project, first)
    assert (same["kind"], same["name"], same["text"], same["score"]) == ("TM", "one", "The dog is asleep.", 101)
    save(ada, project, change(first, "The hound is asleep.", revision=2, state="translated"))
    assert [each["text"] for each in suggestions(ada, project, first)] == ["The hound is asleep."]
    choice = [{"name": "one", "penalty": 2}]
    other = make_project(app, "two", memories=choice)
    assert [each["score"] for each in suggestions(ada, other, rows(ada, other)[0]["id"])] == [99]
    (hit,) = ada.get(f"{API}/projects/{other}/concordance", params={"text": "hound", "side": "target"}).json()["rows"]
    assert (hit["target"], hit["spans"], hit["memory"]) == ("The hound is asleep.", [[4, 9]], "one")
    assert {row["name"]: row["units"] for row in manager.get(f"{API}/memories").json()["rows"]} == {"one": 1, "two": 0}


def test_memories_must_fit(app: FastAPI) -> None:
    make_project(app, "one")
    manager = Client(app, "the-manager")
    body = {"name": "fr", "source_lang": "fr", "target_lang": "en", "memories": [{"name": "one"}]}
    answer = manager.post(f"{API}/projects", json=body)
    assert (answer.status_code, "is for de-en, the project for fr-en" in answer.json()["message"]) == (422, True)
    assert manager.post(f"{API}/projects", json={**body, "memories": [{"name": "none"}]}).status_code == 404
    assert [row["name"] for row in manager.get(f"{API}/projects").json()["rows"]] == ["one"]


def test_the_engine_of_a_project_learns_and_forgets(app: FastAPI, tmp_path: Path, change: Change) -> None:
    project, other = make_project(app, "one", engine="words"), make_project(app, "two", engine="words")
    ada, manager = Client(app, "ada"), Client(app, "the-manager")
    segments = rows(ada, project)
    (before,) = suggestions(ada, project, segments[1]["id"])
    assert before["text"] == "It rains heute nicht."
    save(ada, project, change(segments[1]["id"], "It does not rain.", state="translated"))
    told = suggestions(ada, project, segments[1]["id"])
    assert {(each["kind"], each["text"]) for each in told} == {("TM", "It does not rain.")}  # both say the same
    again = make_project(app, "three", engine="words")
    assert [each["text"] for each in suggestions(ada, again, rows(ada, again)[1]["id"])] == [before["text"]]
    assert [each["text"] for each in suggestions(ada, other, rows(ada, other)[1]["id"])] == [before["text"]]
    assert manager.get(f"{API}/projects/{project}").json()["n_learnt"] == 1
    journals = sorted(tmp_path.glob("learning/*/index/learnt.jsonl"))
    assert [path.parts[-3] for path in journals] == [f"{n}.words" for n in (project, other, again)]
    assert journals[0].stat().st_ino != (tmp_path / "engine" / "index" / "learnt.jsonl").stat().st_ino
    kept = [tmp_path / "learning", *(tmp_path / "learning").iterdir()]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in kept} == {0o700}, "journals have texts of projects"
    base = f"{API}/projects/{project}"
    assert ada.post(f"{base}/rollback", json={"pairs": 1}).status_code == 403
    assert manager.post(f"{base}/rollback", json={"pairs": 2}).status_code == 422
    assert manager.post(f"{base}/rollback", json={"pairs": 1}).json() == {"n_learnt": 0}
    assert {each["text"] for each in suggestions(ada, project, segments[1]["id"])} == {
        "It does not rain.",  # of the memory
        before["text"],
    }


def test_two_who_are_first_at_once_share_an_engine(app: FastAPI) -> None:
    number = make_project(app, "one", engine="words")
    with app.state.store.read() as connection:
        project = find_project(connection, number)
    together = threading.Barrier(2, timeout=60)

    class Settings(dict[str, Any]):
        def get(self, name: str, default: Any = None) -> Any:
            together.wait()  # both have seen that there is no engine yet
            return super().get(name, default)

    engines = app.state.cat.engines

    def lock() -> tuple[object, object]:
        name = engines._own(replace(project, settings=Settings()))
        found = engines._locks[name]
        together.wait()
        return found, engines._locks[name]

    with ThreadPoolExecutor(2) as pool:
        locks = [each for found in pool.map(lambda _: lock(), range(2)) for each in found]
    assert len(set(map(id, locks))) == 1


def test_engines_of_projects_that_nobody_asks_for_go(app: FastAPI, change: Change) -> None:
    numbers = [make_project(app, name, engine="words") for name in ("one", "two", "three")]
    ada, engines = Client(app, "ada"), app.state.cat.engines
    engines._most = 2
    for number in (*numbers, numbers[1]):
        assert suggestions(ada, number, rows(ada, number)[1]["id"])
    assert [*engines._loaded] == [f"{number}.words" for number in (numbers[2], numbers[1])]
    with app.state.store.read() as connection:
        first, last = (find_project(connection, numbers[place]) for place in (0, 2))
    with engines.of(last), engines.of(first):  # one that is in use stays, however long ago it was asked for
        pass
    assert f"{numbers[2]}.words" in engines._loaded
    save(ada, numbers[0], change(rows(ada, numbers[0])[1]["id"], "It does not rain.", state="translated"))


def test_what_was_learnt_goes_with_its_project(app: FastAPI, tmp_path: Path, change: Change) -> None:
    project, other = make_project(app, "one", engine="words"), make_project(app, "two", engine="words")
    ada, manager = Client(app, "ada"), Client(app, "the-manager")
    for number in (project, other):
        row = rows(ada, number)[1]
        save(ada, number, change(row["id"], "It does not rain.", state="translated"))
    assert manager.delete(f"{API}/projects/{other}").status_code == 200
    assert [path.name for path in (tmp_path / "learning").iterdir()] == [f"{project}.words"]
    again = make_project(app, "two", engine="words", memories=[{"name": "one", "writes": True}])
    assert again > other  # nobody takes its number, and with it its place in memories and logs
    assert manager.get(f"{API}/projects/{again}").json()["n_learnt"] == 0


def test_a_fault_of_learning_loses_no_translation(app: FastAPI, tmp_path: Path, change: Change) -> None:
    project = make_project(app, "one", engine="words")
    ada = Client(app, "ada")
    first = rows(ada, project)[0]["id"]
    (tmp_path / "learning").write_text("no folder")
    (outcome,) = save(ada, project, change(first, "The dog.", state="translated"))
    assert outcome["saved"]
    assert rows(ada, project)[0]["state"] == "translated"


def test_the_estimate_of_effort_follows_what_is_confirmed(app: FastAPI, change: Change) -> None:
    project, other = make_project(app, "one", engine="words"), make_project(app, "two", engine="words")
    ada = Client(app, "ada")

    def efforts() -> list[float]:
        found = [suggestions(ada, number, rows(ada, number)[1]["id"]) for number in (project, other)]
        return [each["effort"] for some in found for each in some if each["kind"] == "MT"]

    assert efforts() == [0.3, 0.3]
    first = rows(ada, project)[0]
    origin = {"kind": "MT", "name": "words", "score": 85, "text": "The dog sleeps."}
    save(ada, project, {**change(first["id"], "A hound naps there!", state="translated"), "origin": origin})
    (learnt, same) = efforts()
    assert (learnt > 0.35, same) == (True, 0.3)
    ben, as_it_is = Client(app, "ben"), change(first["id"], "A hound naps there!", revision=1, state="approved")
    save(ben, project, {**as_it_is, "origin": origin})
    assert efforts() == [learnt, same]  # approved is confirmed, too
    save(ben, project, {**change(first["id"], "A hound naps there!", revision=2), "origin": origin})
    assert efforts() == [0.3, 0.3]  # a draft again: nothing was learnt from it


def test_a_project_takes_the_servers_new_engine_and_what_was_confirmed(
    app: FastAPI, tmp_path: Path, change: Change
) -> None:
    project = make_project(app, "one", engine="words")
    ada, manager, page = Client(app, "ada"), Client(app, "the-manager"), f"/cat/projects/{project}"
    segment = rows(ada, project)[1]["id"]
    save(ada, project, change(segment, "It does not rain.", state="translated"))
    shown = manager.get(f"{API}/projects/{project}").json()
    assert (shown["engine_learns"], shown["engine_remark"], shown["engine_is_old"]) == (True, None, False)
    assert "newer engine" not in manager.get(page).text
    before = app.state.cat.engines._loaded[f"{project}.words"]

    new = tmp_path / "engine" / "new.json"
    new.write_text('{"trained": "again"}')
    new.rename(tmp_path / "engine" / "manifest.json")
    assert manager.get(f"{API}/projects/{project}").json()["engine_is_old"] is True
    assert "newer engine of this name" in manager.get(page).text
    assert "engine/renew" not in ada.get(page).text  # she does not manage it
    assert ada.post(f"{API}/projects/{project}/engine/renew").status_code == 403
    assert manager.post(f"{API}/projects/{project}/engine/renew").json() == {"n_learnt": 1}
    assert manager.get(f"{API}/projects/{project}").json()["engine_is_old"] is False
    renewed = tmp_path / f"learning/{project}.words"
    assert (renewed / "manifest.json").read_text() == '{"trained": "again"}'
    assert stat.S_IMODE(renewed.stat().st_mode) == 0o700
    assert suggestions(ada, project, segment)
    assert app.state.cat.engines._loaded[f"{project}.words"] is not before
    assert [path.name for path in (tmp_path / "learning").iterdir()] == [f"{project}.words"]

    new.write_text('{"trained": "thrice"}')
    new.rename(tmp_path / "engine" / "manifest.json")
    assert manager.post(f"{page}/engine/renew").status_code == 303
    assert manager.get(f"{API}/projects/{project}").json()["engine_is_old"] is False

    with (tmp_path / "engine" / "index" / "learnt.jsonl").open("a") as journal:
        journal.write("since\n")  # by `smt learn`
    assert manager.get(f"{API}/projects/{project}").json()["engine_is_old"] is True
    assert manager.post(f"{API}/projects/{project}/engine/renew").status_code == 200
    assert manager.get(f"{API}/projects/{project}").json()["engine_is_old"] is False


def test_an_engine_that_cannot_learn_says_so(
    light_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Table(WordEngine):
        def lacks(self, role: type[Role]) -> str | None:
            return "This engine cannot learn: its phrases are in a table." if role is Learns else None

    monkeypatch.setattr("dragoman.web.models.engines.load_engine", lambda _: Table())
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine/manifest.json").write_text("{}")
    engines = (f"words={tmp_path / 'engine'}",)
    app = create_app(light_store, replace(PATIENT, engines=engines, learning=str(tmp_path / "learning")))
    project = make_project(app, "one", engine="words")
    shown = Client(app, "the-manager").get(f"{API}/projects/{project}").json()
    assert (shown["engine_learns"], shown["engine_is_old"]) == (False, False)
    assert shown["engine_remark"] == "This engine cannot learn: its phrases are in a table."
    assert shown["engine_remark"] in Client(app, "the-manager").get(f"/cat/projects/{project}").text
    assert app.state.engines.examined()["words"][1] == shown["engine_remark"]
    renewed = Client(app, "the-manager").post(f"{API}/projects/{project}/engine/renew")
    assert (renewed.status_code, "nothing to renew" in renewed.json()["message"]) == (422, True)
    settings = Settings(engines=engines, learning=str(tmp_path / "learning"))
    assert _checked_engines(settings)[0] == (("words", "This engine cannot learn: its phrases are in a table."),)
    assert _checked_engines(replace(settings, learning=""))[0] == ()
    quiet = create_app(light_store, replace(PATIENT, engines=engines))
    shown = Client(quiet, "the-manager").get(f"{API}/projects/{project}").json()
    assert shown["engine_remark"] is None  # nobody asked for learning


def test_engines_of_other_languages_are_refused_by_name(
    light_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = {"de-en": ("de", "en"), "de-fr": ("de-DE", "fr"), "any": ("", "")}

    def load(folder: str) -> Role:
        engine = WordEngine()
        engine.languages = pairs[folder]
        return engine

    monkeypatch.setattr("dragoman.web.models.engines.load_engine", load)
    app = create_app(light_store, replace(PATIENT, engines=tuple(f"{name}={name}" for name in pairs)))
    manager = Client(app, "the-manager")
    for name in ("de-en", "any"):
        make_project(app, f"with {name}", engine=name)
    body = {"name": "one", "source_lang": "de-AT", "target_lang": "en", "engine": "de-fr"}
    refused = manager.post(f"{API}/projects", json=body)
    assert refused.status_code == 422
    assert refused.json()["message"] == (
        "The engine 'de-fr' translates de-DE-fr, the project is de-AT-en. Engines of this server that fit: de-en, any."
    )
    project = make_project(app, "two")
    changed = manager.request("PATCH", f"{API}/projects/{project}", json={"engine": "de-fr"})
    assert (changed.status_code, "that fit: de-en, any" in changed.json()["message"]) == (422, True)
    assert manager.request("PATCH", f"{API}/projects/{project}", json={"engine": "de-en"}).status_code == 200
    assert manager.request("PATCH", f"{API}/projects/{project}", json={"engine": "none"}).status_code == 404
    page = manager.get("/cat/new").text
    assert "de-en (de → en)" in page
    assert "any (any languages)" in page
