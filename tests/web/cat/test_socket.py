"""The socket of a project: who may open it, what others hear, locks, and prediction."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from fastapi.routing import APIWebSocketRoute

from dragoman.store import Store
from dragoman.store.people.sessions import COOKIE
from dragoman.web import create_app
from dragoman.web.app import routes_of
from dragoman.web.guard import policy_of
from tests.web.cat.conftest import API, make_project
from tests.web.cat.engines import load_word_engine
from tests.web.cat.live import Live
from tests.web.cat.test_api import rows, save
from tests.web.client import PASSWORD, Client
from tests.web.conftest import PATIENT
from tests.web.running import Running

ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture
def app(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    monkeypatch.setattr("dragoman.web.models.engines.load_engine", load_word_engine)
    return create_app(light_store, replace(PATIENT, engines=("words=nowhere",)))


@pytest.fixture
def project(app: FastAPI) -> int:
    return make_project(app, engine="words")


@pytest.fixture
def live(app: FastAPI) -> Iterator[Live]:
    with Live(app) as running:
        yield running


def headers_of(app: FastAPI, name: str) -> dict[str, str]:
    client = Client(app, name)
    return {**ORIGIN, "Cookie": "; ".join(f"{key}={value}" for key, value in client.cookies.items())}


def test_every_socket_states_its_policy(app: FastAPI) -> None:
    sockets = [route for route in routes_of(app) if isinstance(route, APIWebSocketRoute)]
    assert [route.path for route in sockets] == ["/cat/projects/{project}/socket"]
    assert {repr(policy_of(route)) for route in sockets} == {"Allow(live)"}


@pytest.mark.parametrize(
    ("who", "headers", "code"),
    [
        (None, {}, 4401),
        ("ada", {"Origin": "https://evil.example"}, 4403),
        ("ada", {"Origin": "null"}, 4403),
        ("ada", {"Host": "evil.example", "Origin": "http://evil.example"}, 4403),
        ("the-annotator", {}, 4404),
    ],
)
def test_others_stay_outside(
    app: FastAPI, live: Live, project: int, who: str | None, headers: dict[str, str], code: int
) -> None:
    own = {**ORIGIN, **(headers_of(app, who) if who else {}), **headers}
    path = f"/cat/projects/{project}/socket"
    with live.connect(path, own) as socket:  # accepted, or the browser would hear of no code
        assert socket.until_closed() == code


def test_two_people_see_each_other(
    app: FastAPI, live: Live, project: int, change: Callable[..., dict[str, Any]]
) -> None:
    path = f"/cat/projects/{project}/socket"
    ada, ben = headers_of(app, "ada"), headers_of(app, "ben")
    first = rows(Client(app, "ada"), project)[0]["id"]
    with live.connect(path, headers=ada) as one:
        one.until_here({"ada": None})
        with live.connect(path, headers=ben) as two:
            one.until_here({"ada": None, "ben": None})
            assert two.ask("open", segment=first)["data"]["locked"]
            one.until_here({"ada": None, "ben": first})
            told = one.ask("open", segment=first)["data"]
            assert (told["locked"], told["holder"]) == (False, "ben")
            save(Client(app, "ben"), project, change(first, "The dog.", state="translated"))
            heard = one.hear("changed")["data"]
            assert (heard["segment"], heard["target"], heard["state"], heard["user"], heard["revision"]) == (
                first,
                "The dog.",
                "translated",
                "ben",
                1,
            )
            two.ask("close")
            one.until_here({"ada": None, "ben": None})
            assert two.ask("open", segment=first)["data"]["locked"]
        one.until_here({"ada": None})  # his lock went with him
        assert one.ask("open", segment=first)["data"]["locked"]
        assert "Segment 4 is none of yours" in one.ask("open", segment=first + 3)["errors"][0]


def test_prediction(app: FastAPI, live: Live, project: int) -> None:
    path = f"/cat/projects/{project}/socket"
    with live.connect(path, headers=headers_of(app, "ada")) as socket:
        assert "No session was started" in socket.ask("setPrefix", target="", caretPos=0)["errors"][0]
        source = "Der Hund schläft."
        begun = socket.ask("startSession", source=source)
        assert (begun["errors"], begun["data"]["sourceSegmentation"][0]) == ([], [0, 3])
        assert begun["elapsedTime"] > 0
        answer = socket.ask("setPrefix", target="The d", caretPos=5, numResults=2)["data"]["nbest"]
        assert [each["target"] for each in answer] == ["The dog sleeps.", "The dog naps."]
        assert answer[0]["prediction"] == "og sleeps."
        spans = [answer[0]["target"][begin:end] for begin, end in answer[0]["targetSegmentation"]]
        assert spans[-2:] == ["sleeps", "."]
        assert len(answer[0]["confidences"]) == len(answer[0]["priorities"]) == len(spans)
        words = "The dog sleeps."
        assert socket.ask("rejectSuffix", target=words, caretPos=8)["data"]["nbest"][0]["target"] == "The dog naps."
        hole = socket.ask("fillHole", target="The … sleeps.", begin=4, end=5)["data"]["nbest"][0]
        assert (hole["target"], hole["prediction"]) == ("The dog sleeps.", "dog")
        assert socket.ask("completeWord", target="The d", begin=4, caretPos=5)["data"]["words"] == ["dog"]
        links = socket.ask("getAlignments", source=source, target=words)["data"]["alignments"]
        assert links == [[0, 0], [1, 1], [2, 2]]
        assert "no way to this translation" in socket.ask("getAlignments", source=source, target="x")["errors"][0]
        sure = socket.ask("getConfidences", source=source, target="The dog slept.", validatedTokens=[True])["data"]
        assert sure["confidences"] == pytest.approx([1, 1, 1 / (1 + 2.718281828459045), 1])
        rule = {"targetRule": "dog", "targetReplacement": "hound", "sourceRule": "Hund"}
        number = socket.ask("setReplacementRule", **rule)["data"]["ruleId"]
        assert socket.ask("getReplacementRules")["data"]["rules"][0]["targetReplacement"] == "hound"
        assert socket.ask("setPrefix", target="The ", caretPos=4)["data"]["nbest"][0]["target"] == "The hound sleeps."
        assert socket.ask("applyReplacementRules", source=source, target="A dog")["data"]["target"] == "A hound"
        assert socket.ask("delReplacementRule", ruleId=number)["errors"] == []
        assert "no rule" in socket.ask("delReplacementRule", ruleId=number)["errors"][0]
        assert "no regular expressions" in socket.ask("setReplacementRule", **rule, isRegExp=True)["errors"][0]
        assert socket.ask("getTokens", target="A b.")["data"]["targetSegmentation"] == [[0, 1], [2, 3], [3, 4]]
        assert socket.ask("ping", ms=5)["data"] == {"ms": 5}
        assert socket.ask("validate", source="a", target="b")["data"]["learnt"] == 0  # no folder to keep it in
        assert "no call 'dance'" in socket.ask("dance")["errors"][0]
        assert socket.ask("endSession")["errors"] == []


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("startSession", {}, "source is 'None'; expected a text"),
        ("setPrefix", {"target": "ab", "caretPos": 3}, "caretPos is '3'; expected a place in the target, 0 to 2"),
        ("setPrefix", {"target": "ab", "caretPos": True}, "caretPos is 'True'"),
        ("setPrefix", {"target": "ab", "caretPos": 1, "numResults": 99}, "numResults is '99'; expected 1 to 10"),
        ("fillHole", {"target": "ab", "begin": 2, "end": 1}, "ends at 1, before it begins at 2"),
        ("completeWord", {"target": "ab", "begin": 2, "caretPos": 1}, "begins at 2, behind the caret at 1"),
        ("setReplacementRule", {"targetRule": "", "targetReplacement": ""}, "needs what it searches for"),
        ("getConfidences", {"source": "a", "target": "b", "validatedTokens": 1}, "expected a list"),
        ("open", {"segment": "x"}, "expected the number of a segment"),
        ("open", {"segment": 999}, "has no segment 999"),
        ("validate", {"source": "", "target": "b"}, "texts with words"),
    ],
)
def test_wrong_calls_are_named(
    app: FastAPI, live: Live, project: int, name: str, data: dict[str, Any], reason: str
) -> None:
    with live.connect(f"/cat/projects/{project}/socket", headers=headers_of(app, "ada")) as socket:
        answer = socket.ask(name, **data)
        assert reason in answer["errors"][0]
        assert socket.ask("ping")["errors"] == []


NO_MESSAGES = [
    *("{", "[]", '{"id": 1}', '{"name": "ping", "data": 1}', "[" * 100_000, "x" * 300_000),
    *('{"name": "ping", "data": {"ms": NaN}}', '{"name": "ping", "data": {"ms": 1e400}}'),
]


@pytest.mark.parametrize("text", NO_MESSAGES)
def test_what_is_no_message_ends_the_socket(app: FastAPI, live: Live, project: int, text: str) -> None:
    with live.connect(f"/cat/projects/{project}/socket", headers=headers_of(app, "ada")) as socket:
        socket.send(text)
        assert socket.until_closed() == 1008


def test_machine_translation_is_suggested_at_its_score(app: FastAPI, project: int) -> None:
    ada = Client(app, "ada")
    first = rows(ada, project)[0]["id"]
    (told,) = ada.get(f"{API}/projects/{project}/segments/{first}/suggestions").json()["suggestions"]
    assert (told["kind"], told["name"], told["text"], told["score"]) == ("MT", "words", "The dog sleeps.", 85)


def test_a_socket_outlives_no_right(
    app: FastAPI, live: Live, project: int, change: Callable[..., dict[str, Any]]
) -> None:
    """Job taken away, signed out, password changed, account closed: nothing is heard, no lock is given."""
    path = f"/cat/projects/{project}/socket"
    manager, admin = Client(app, "the-manager"), Client(app, "the-admin")
    first = rows(manager, project)[0]["id"]
    jobs = {row["user"]: row["id"] for row in manager.get(f"{API}/projects/{project}/jobs").json()["rows"]}

    def given_back() -> None:
        assert manager.post(f"{API}/projects/{project}/jobs", json={"user": "ada"}).status_code == 201

    ends: dict[str, tuple[Callable[[Client], Any], int]] = {
        "job": (lambda _: manager.delete(f"{API}/projects/{project}/jobs/{jobs['ada']}"), 4404),
        "session": (lambda ada: ada.delete("/api/v1/session"), 4401),
        "reset": (lambda _: manager.put("/api/v1/users/ada/password", json={"password": PASSWORD}), 4401),
        "closed": (lambda _: admin.put("/api/v1/users/ada/disabled"), 4401),
    }
    for name, (end, code) in ends.items():
        ada = Client(app, "ada")
        headers = {**ORIGIN, "Cookie": "; ".join(f"{key}={value}" for key, value in ada.cookies.items())}
        with live.connect(path, headers) as told, live.connect(path, headers) as asked:
            assert told.ask("open", segment=first)["data"]["locked"]
            assert asked.ask("ping")["errors"] == []
            assert end(ada).status_code == 200, name
            refused = asked.ask("open", segment=first)
            assert refused["data"] == {}
            assert refused["errors"], name
            save(Client(app, "ben"), project, change(first, name, revision_of(manager, project, first)))
            assert asked.until_closed() == code, name
            names = told.until_closed_hearing()
            assert names[-1] == code, name
            assert "changed" not in names, name
        if name == "job":
            given_back()
    admin.delete("/api/v1/users/ada/disabled")


def revision_of(client: Client, project: int, segment: int) -> int:
    return int(client.get(f"{API}/projects/{project}/segments/{segment}").json()["revision"])


def test_a_socket_outlives_no_role(app: FastAPI, live: Live, project: int) -> None:
    """Viewers look on in all projects; annotators do not."""
    with live.connect(f"/cat/projects/{project}/socket", headers_of(app, "the-viewer")) as socket:
        assert socket.hear("presence")
        changed = Client(app, "the-admin").put("/api/v1/users/the-viewer/role", json={"role": "annotator"})
        assert changed.status_code == 200
        assert socket.until_closed() == 4404


def test_a_deleted_project_closes_its_sockets(app: FastAPI, live: Live, project: int) -> None:
    with live.connect(f"/cat/projects/{project}/socket", headers_of(app, "ada")) as socket:
        assert Client(app, "the-manager").delete(f"{API}/projects/{project}").status_code == 200
        assert socket.until_closed_hearing()[-2:] == ["deleted", 4404]


def test_a_socket_outlives_no_engine_of_the_project(app: FastAPI, live: Live, project: int) -> None:
    """An engine that was taken from the project answers no more at sockets that were open before."""
    manager = Client(app, "the-manager")
    with live.connect(f"/cat/projects/{project}/socket", headers_of(app, "ada")) as socket:
        assert socket.ask("startSession", source="Der Hund schläft.")["errors"] == []
        assert socket.ask("setPrefix", target="The", caretPos=3)["data"]["nbest"]
        assert manager.request("PATCH", f"{API}/projects/{project}", json={"engine": None}).status_code == 200
        assert socket.ask("setPrefix", target="The", caretPos=3)["errors"] == [
            "No session was started; call startSession with the source first."
        ]
        for call in ("startSession", "getConfidences", "getAlignments"):
            (error,) = socket.ask(call, source="Der Hund schläft.", target="The dog.")["errors"]
            assert error.startswith("The project has no engine"), call
        assert manager.request("PATCH", f"{API}/projects/{project}", json={"engine": "words"}).status_code == 200
        assert socket.ask("startSession", source="Der Hund schläft.")["errors"] == []


def test_who_looks_on_hears_and_asks_nothing(app: FastAPI, live: Live, project: int) -> None:
    first = rows(Client(app, "the-viewer"), project)[0]["id"]
    with live.connect(f"/cat/projects/{project}/socket", headers_of(app, "the-viewer")) as socket:
        assert socket.hear("presence")
        assert "you look on" in socket.ask("startSession", source="Der Hund schläft.")["errors"][0].lower()
        assert "none of yours" in socket.ask("open", segment=first)["errors"][0]
        assert socket.ask("ping", ms=1)["data"] == {"ms": 1}


def test_searches_at_a_socket_are_limited_by_role_whichever_worker_is_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three searches a minute at two workers, and suggestions among them: what memories have comes all the same."""
    monkeypatch.setattr("dragoman.web.models.engines.load_engine", load_word_engine)
    monkeypatch.setattr("dragoman.store.throttle.time.time", lambda: 6000.0)
    settings = replace(PATIENT, engines=("words=nowhere",), service_limits=("annotator=3", "manager=5"))
    apps = [create_app(store, settings) for _ in range(2)]
    project = make_project(apps[0], engine="words")
    path = f"/cat/projects/{project}/socket"
    for app in apps:
        with Live(app) as live, live.connect(path, headers_of(app, "ada")) as socket:
            assert socket.ask("startSession", source="Der Hund schläft.")["errors"] == []
    ada = Client(apps[0], "ada")
    asked = f"{API}/projects/{project}/segments/{rows(ada, project)[0]['id']}/suggestions"
    told = ada.get(asked).json()
    assert ([each["kind"] for each in told["suggestions"]], told["problem"]) == (["MT"], "")
    refused = ada.get(asked, params={"lang": "de"})
    assert (refused.status_code, refused.json()["suggestions"]) == (200, [])
    assert refused.json()["problem"] == "You have reached your limit of requests for engines; wait a minute."
    assert refused.json()["problem_said"].endswith("ausgeschöpft; bitte eine Minute warten.")
    with Live(apps[1]) as live, live.connect(path, headers_of(apps[1], "ada")) as socket:
        assert "Too many requests" in socket.ask("startSession", source="Der Hund schläft.")["errors"][0]
        assert socket.ask("open", segment=rows(ada, project)[0]["id"])["errors"] == []


def test_a_database_that_is_away_is_nobodys_fault(
    app: FastAPI, live: Live, project: int, light_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, headers = f"/cat/projects/{project}/socket", headers_of(app, "ada")

    def away(*_: object) -> Any:
        raise sa.exc.OperationalError("SELECT 1", {}, Exception("the server closed the connection"))

    with live.connect(path, headers) as socket:
        assert socket.ask("ping")["errors"] == []
        with monkeypatch.context() as patch:
            patch.setattr(light_store, "read", away)
            told = socket.ask("open", segment=1)["errors"]
            assert told == ["The database cannot be reached or is full. Nothing was done; try again in a moment."]
            with live.connect(path, headers) as late:
                assert late.until_closed() == 1013, "the page tries again by itself"
            patch.setattr(light_store, "peek", away)
            with live.connect(path, headers) as late:
                assert late.until_closed() == 1013
        assert socket.ask("ping")["errors"] == [], "the socket stays"


def test_codes_of_closing_arrive(sqlite_template: Path, tmp_path: Path) -> None:
    """Over a real wire: what is closed before it was accepted is a failed request to a browser, without a code."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    shutil.copy(sqlite_template, tmp_path / "house.db")
    with Running(str(tmp_path / "house.db"), log=tmp_path / "log") as server:
        address = server.address.replace("http", "ws") + "/cat/projects"
        login = httpx.post(f"{server.address}/api/v1/session", json={"name": "ada", "password": PASSWORD})
        cookie = {"Cookie": f"{COOKIE}={login.cookies[COOKIE]}"}
        for project, origin, headers, code in (
            (1, server.address, {}, 4401),
            (1, "http://evil.example", cookie, 4403),
            (1, server.address, cookie, 4404),
            ("x", server.address, cookie, 4404),
            (2**31, server.address, cookie, 4404),
        ):
            with connect(f"{address}/{project}/socket", origin=origin, additional_headers=headers) as socket:
                with pytest.raises(ConnectionClosed) as closed:
                    socket.recv(timeout=60)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == code
        body = {"name": "p", "source_lang": "de", "target_lang": "en"}
        manager = httpx.post(f"{server.address}/api/v1/session", json={"name": "the-manager", "password": PASSWORD})
        made = httpx.post(
            f"{server.address}/api/v1/cat/projects",
            json=body,
            headers={"X-CSRF-Token": manager.json()["csrf"]},
            cookies={COOKIE: manager.cookies[COOKIE]},
        )
        path = f"{address}/{made.json()['id']}/socket"
        headers = {"Cookie": f"{COOKIE}={manager.cookies[COOKIE]}"}
        for message in (b"bytes", '{"name": "ping", "data": {"ms": NaN}}'):
            with connect(path, origin=server.address, additional_headers=headers) as socket:
                socket.send(message)
                with pytest.raises(ConnectionClosed) as closed:
                    list(socket)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1008
        with connect(path, origin=server.address, additional_headers=headers) as socket:
            socket.send('{"name": "ping", "id": "\\ud800", "data": {"ms": "\\udc00"}}')
            while (told := json.loads(socket.recv(timeout=60)))["name"] != "pingResult":
                pass
            assert (told["id"], told["data"]) == ("\ud800", {"ms": "\udc00"}), "half a character ends nothing"
