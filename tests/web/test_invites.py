"""Invitations: signed, expiring, counted; people with accounts and from crowd platforms."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.errors import DataError
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.columns import now
from dragoman.store.judging.campaigns import set_state
from dragoman.store.people.accounts import add_user
from dragoman.store.people.crowd import worker_name
from dragoman.store.people.invites import Invite, list_invites, make_invite, open_invite
from dragoman.store.people.sessions import COOKIE
from dragoman.store.refusals import NotFound
from dragoman.store.signing import digest, read_signed, sign
from dragoman.web import Settings, create_app
from dragoman.web.serving import open_house
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN, FILES, MANIFEST

OF_A_CAMPAIGN = [
    ("/api/v1", "next"),
    ("/api/v1", "work"),
    ("/api/v1", "items/i"),
    ("/api/v1", "media/m.png"),
    ("", "work.json"),
]


def invite(store: Store, **more: Any) -> Invite:
    with store.write() as connection:
        values = {"campaign": CAMPAIGN, **more}
        return make_invite(connection, secret=store.secret, address="http://localhost", actor=COMMAND_LINE, **values)


def path_of(made: Invite) -> str:
    return made.link.removeprefix("http://localhost").partition("?")[0]


def submit(client: Client, path: str, query: str = "", **fields: str) -> Any:
    shown = client.get(path + query)
    token = re.search(r'name="csrf_token" value="([^"]+)"', shown.text)
    if token is None:
        return shown
    return client.post(path, data={"csrf_token": token.group(1), **fields})


def test_joining_makes_an_account_and_leads_to_work(app: FastAPI, store: Store) -> None:
    path = path_of(invite(store, languages=["en"]))
    client = Client(app)
    weak = submit(client, path, name="eve", password="short")
    assert weak.status_code == 422
    assert "10 to 200 characters" in weak.text
    taken = submit(client, path, name="ada", password=PASSWORD)
    assert taken.status_code == 409
    joined = submit(client, path, name="eve", password=PASSWORD)
    assert (joined.status_code, joined.headers["location"]) == (303, f"/campaigns/{CAMPAIGN}/work")
    assert client.get(f"/campaigns/{CAMPAIGN}/work.json").json()["progress"]["total"] == 20
    assert client.get("/api/v1/session").json()["languages"] == ["en"]
    assert Client(app, "eve").get("/api/v1/session").json()["role"] == "annotator"


def test_joining_by_the_interface(app: FastAPI, store: Store) -> None:
    made = invite(store, max_uses=1)
    client = Client(app)
    answer = client.post(f"/api/v1/join/{made.token}", json={"name": "eve", "password": PASSWORD})
    assert (answer.status_code, answer.json()["name"]) == (200, "eve")
    again = Client(app).post(f"/api/v1/join/{made.token}", json={"name": "finn", "password": PASSWORD})
    assert (again.status_code, again.json()["kind"]) == (409, "Conflict")
    eve = Client(app, "eve")  # a member may open the link again
    assert eve.post(f"/api/v1/join/{made.token}", json={}).status_code == 200


def test_links_that_are_not_good(app: FastAPI, store: Store) -> None:
    made = invite(store)
    client = Client(app)
    body, _, seal = made.token.partition(".")
    for token in (f"{body}x.{seal}", f"{body}.{seal[:-2]}xx", body, "x.y", made.token[:-1]):
        assert client.get(f"/join/{token}").status_code == 404
        assert client.post(f"/api/v1/join/{token}", json={}).status_code == 404
    assert Client(app, "the-manager").delete(f"/api/v1/invites/{made.id}").status_code == 200
    assert "withdrawn" in client.get(path_of(made)).text
    with store.read() as connection:
        old = sign({"invite": made.id}, secret=store.secret, purpose="invite", expires=time.time() - 1)
        with pytest.raises(NotFound, match="expired"):
            open_invite(connection, old, secret=store.secret)
        other = sign({"invite": made.id}, secret=store.secret, purpose="other", expires=time.time() + 60)
        with pytest.raises(NotFound, match="not valid"):
            open_invite(connection, other, secret=store.secret)
    assert read_signed(other, secret=store.secret, purpose="other") == {"invite": made.id}


def test_a_link_of_a_crowd_platform_opens_its_study_alone(app: FastAPI, store: Store) -> None:
    """Links are not signed: a manager who knows a worker's id comes as this worker by a link of their own."""
    manager = Client(app, "the-manager")
    for name in ("second", "third"):
        body = {"manifest": MANIFEST.replace('"birds"', f'"{name}"'), "files": FILES}
        assert manager.post("/api/v1/campaigns", json=body).status_code == 201
    links = {name: invite(store, platform="prolific", campaign=name) for name in (CAMPAIGN, "second", "third")}
    worker, other = Client(app), Client(app)
    for client, name in ((worker, CAMPAIGN), (other, "second")):
        given = {"parameters": {"PROLIFIC_PID": "5f00zq"}}
        came = client.post(f"/api/v1/join/{links[name].token}", json=given)
        client.csrf = came.json()["csrf"]
    assert worker.get("/api/v1/session").json()["name"] == other.get("/api/v1/session").json()["name"]
    names = {client: client.get("/api/v1/work").json()["rows"] for client in (worker, other)}
    assert [[row["name"] for row in rows] for rows in names.values()] == [[CAMPAIGN], ["second"]]
    for client, own, foreign in ((worker, CAMPAIGN, "second"), (other, "second", CAMPAIGN)):
        assert client.get(f"/api/v1/campaigns/{own}/next").status_code == 200
        saved = client.post(f"/api/v1/campaigns/{foreign}/answers", json={"events": []})
        read = [client.get(f"{base}/campaigns/{foreign}/{what}") for base, what in OF_A_CAMPAIGN]
        missing = client.get("/api/v1/campaigns/nowhere/next")
        assert {(each.status_code, each.json()["message"]) for each in (saved, *read, missing)} == {
            (403, "This session is of another study; open the link of this one again.")
        }
        assert foreign not in client.get("/").text + client.get("/account.json").text
        assert 'href="/cat"' not in client.get("/").text
        assert 'name="old"' not in client.get("/account").text
        places = ("/cat", "/tasks", "/account/tokens", "/api/v1/tokens", "/api/v1/cat/projects", "/api/v1/cat/memories")
        assert {client.get(place).status_code for place in places} == {403}
        assert client.post("/api/v1/tokens", json={"name": "x", "scopes": ["cat"]}).status_code == 403

    # What links opened in one browser stays open in it, also by the plain link of an invitation.
    own = worker.get("/api/v1/campaigns/third/next")
    assert own.status_code == 403
    came = worker.post(f"/api/v1/join/{links['second'].token}", json={"parameters": {"PROLIFIC_PID": "5f00zq"}})
    worker.csrf = came.json()["csrf"]
    plain = worker.post(f"/api/v1/join/{invite(store, campaign='third').token}", json={})
    worker.csrf = plain.json()["csrf"]
    assert {row["name"] for row in worker.get("/api/v1/work").json()["rows"]} == {CAMPAIGN, "second", "third"}
    assert worker.get("/api/v1/tokens").status_code == 403

    # Campaigns that somebody writes into the cookie make it nobody's.
    token = other.cookies[COOKIE]
    other.cookies.set(COOKIE, f"{token}-1")
    assert other.get("/api/v1/session").status_code == 401
    other.cookies.set(COOKIE, token.partition(".")[0])
    assert other.get("/api/v1/session").status_code == 401


def test_a_crowd_worker_comes_without_a_password_and_leaves_with_a_code(app: FastAPI, store: Store) -> None:
    made = invite(store, platform="prolific", max_uses=1)
    assert made.link.endswith("?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}")
    manager = Client(app, "the-manager")
    changed = manager.request(
        "PATCH",
        f"/api/v1/campaigns/{CAMPAIGN}",
        json={"code": "C1", "return_url": "https://app.prolific.example/complete?cc={code}"},
    )
    assert changed.status_code == 200
    path, query = path_of(made), "?PROLIFIC_PID=5f00aa&STUDY_ID=s1&SESSION_ID=x"
    client = Client(app)
    assert "lacks the parameter PROLIFIC_PID" in client.get(path).text
    joined = submit(client, path, query, PROLIFIC_PID="5f00aa", STUDY_ID="s1", SESSION_ID="x")
    assert joined.status_code == 303, joined.text
    name = client.get("/api/v1/session").json()["name"]
    assert re.fullmatch(r"prolific-[0-9a-f]{12}", name)
    again = Client(app)  # another browser, the same worker, though the invitation is used up
    assert submit(again, path, query, PROLIFIC_PID="5f00aa").status_code == 303
    assert again.get("/api/v1/session").json()["name"] == name
    assert submit(Client(app), path, "?PROLIFIC_PID=other", PROLIFIC_PID="other").status_code == 409
    token = client.get("/api/v1/session").json()["csrf"]
    items = client.get(f"/api/v1/campaigns/{CAMPAIGN}/work").json()["items"]
    events = [{"key": f"k{n}", "item": item["item"], "answer": {"score": 5}} for n, item in enumerate(items)]
    client.post(f"/api/v1/campaigns/{CAMPAIGN}/answers", json={"events": events}, headers={"X-CSRF-Token": token})
    left = client.get(f"/api/v1/campaigns/{CAMPAIGN}/next").json()
    assert left == {"item": None, "code": "C1", "return_url": "https://app.prolific.example/complete?cc=C1"}
    with store.read() as connection:
        row = connection.execute(sa.select(tables.users).where(tables.users.c.name == name)).one()
    assert row.password is None
    assert row.platform == {
        "platform": "prolific",
        "worker": "5f00aa",
        "PROLIFIC_PID": "5f00aa",
        "STUDY_ID": "s1",
        "SESSION_ID": "x",
    }
    assert Client(app).post("/api/v1/session", json={"name": name, "password": ""}).status_code == 401


def join_as_worker(app: FastAPI, made: Invite, worker: str) -> Any:
    return Client(app).post(f"/api/v1/join/{made.token}", json={"parameters": {"PROLIFIC_PID": worker}})


def test_nobody_can_have_a_name_like_a_crowd_workers(app: FastAPI, store: Store) -> None:
    wanted, plain = "prolific-0123456789ab", invite(store)
    taken = Client(app).post(f"/api/v1/join/{plain.token}", json={"name": wanted, "password": PASSWORD})
    assert (taken.status_code, taken.json()["kind"]) == (422, "DataError")
    admin = Client(app, "the-admin")
    made = admin.post("/api/v1/users", json={"name": wanted, "password": PASSWORD, "role": "annotator"})
    assert made.status_code == 422


def test_the_name_of_a_worker_tells_nothing_of_the_platforms_id(app: FastAPI, store: Store) -> None:
    """Exports have the names: whoever has a list of ids, or one, finds nobody by it."""
    name = join_as_worker(app, invite(store, platform="prolific"), "5f00aa").json()["name"]
    assert digest("5f00aa")[:12] not in name
    assert len({name, *(worker_name("prolific") for _ in range(100))}) == 101


def test_a_worker_is_known_by_platform_and_id_not_by_name(app: FastAPI, store: Store) -> None:
    """Somebody may have the name from before names were kept, or from an archive: the worker is somebody else."""
    wanted = "prolific-0123456789ab"
    with store.write() as connection:
        add_user(connection, wanted, "annotator", None, actor=COMMAND_LINE, platform={"platform": "archive"})
    crowd = invite(store, platform="prolific", max_uses=2)
    name = join_as_worker(app, crowd, "5f00aa").json()["name"]
    assert name != wanted
    assert join_as_worker(app, crowd, "5f00aa").json()["name"] == name
    assert join_as_worker(app, crowd, "5f00ab").json()["name"] not in (name, wanted)
    with store.read() as connection:
        row = connection.execute(sa.select(tables.users).where(tables.users.c.name == name)).one()
    assert (row.crowd, row.worker) == ("prolific", "5f00aa")


def test_nobody_gives_a_crowd_worker_a_password(app: FastAPI, store: Store) -> None:
    """Whoever did could answer as the worker: neither managers, nor admins, nor the command line can."""
    name = join_as_worker(app, invite(store, platform="prolific"), "5f00aa").json()["name"]
    archived = "mturk-0123456789ab"
    with store.write() as connection:
        add_user(connection, archived, "annotator", None, actor=COMMAND_LINE, platform={"platform": "archive"})
    for role in ("the-manager", "the-admin"):
        client = Client(app, role)
        refused = client.put(f"/api/v1/users/{name}/password", json={"password": PASSWORD})
        assert (refused.status_code, refused.json()["kind"]) == (403, "NotAllowed")
        assert f"{name} is a worker of prolific and signs in by the platform's link alone" in refused.json()["message"]
        page = client.post(f"/people/{name}/password", data={"csrf_token": client.csrf or "", "password": PASSWORD})
        assert page.status_code == 403
        assert "is a worker of prolific" in page.text
        assert 'name="password"' not in page.text, "no form that is refused in any case"
        assert client.put(f"/api/v1/users/{archived}/password", json={"password": PASSWORD}).status_code == 422
    program = str(Path(sys.executable).with_name("dragoman"))
    words = ["campaign", "users", "password", name, "--password-stdin", "--db", store.url.render_as_string(False)]
    told = subprocess.run([program, *words], input=PASSWORD + "\n", capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.startswith(f"dragoman: {name} is a worker of prolific")
    with store.read() as connection:
        rows = connection.scalars(sa.select(tables.users.c.password).where(tables.users.c.name.in_([name, archived])))
        assert list(rows) == [None, None]


def test_a_link_for_the_first_admin_is_void_once_there_is_one(database: str) -> None:
    """Four starts, hours apart, four links: the last alone is good, and only until somebody has come by any way."""
    store = Store(database)
    with store.write() as connection:
        connection.execute(sa.update(tables.users).values(role="annotator"))
    settings = Settings(db=database)
    links = []
    for _ in range(4):
        links.append(str(open_house(settings).first_admin))
        with store.write() as connection:
            connection.execute(sa.update(tables.invites).values(created=now() - timedelta(hours=1)))
    app = create_app(store, settings)

    def come(link: str, name: str) -> Any:
        return Client(app).post(f"/api/v1/join/{link.rpartition('/')[2]}", json={"name": name, "password": PASSWORD})

    assert [come(link, f"root{n}").status_code for n, link in enumerate(links)] == [404, 404, 404, 200]
    with store.write() as connection:
        connection.execute(sa.update(tables.users).values(role="annotator"))
    link = str(open_house(settings).first_admin)
    with store.write() as connection:
        add_user(connection, "other", "admin", PASSWORD, actor=COMMAND_LINE)
    late = come(link, "late")
    assert (late.status_code, late.json()["kind"]) == (404, "NotFound")
    assert "for the first admin, and there is one" in late.json()["message"]
    assert open_house(settings).first_admin is None
    with store.read() as connection:
        assert not [each for each in list_invites(connection).invites if each.uses == 0 and not each.revoked]
    store.close()


def test_servers_that_start_at_once_print_one_link(database: str) -> None:
    store = Store(database)
    with store.write() as connection:
        connection.execute(sa.update(tables.users).values(role="annotator"))
    ports = range(8001, 8007)
    with ThreadPoolExecutor(len(ports)) as pool:
        links = list(pool.map(lambda port: open_house(Settings(db=database, port=port)).first_admin, ports))
    assert [str(link).partition("/join/")[0] for link in links] == [f"http://127.0.0.1:{port}" for port in ports]
    (token,) = {str(link).partition("/join/")[2] for link in links}
    with store.read() as connection:
        assert open_invite(connection, token, secret=store.secret).role == "admin"
        assert len(list_invites(connection).invites) == 1
    store.close()


def test_an_admin_can_still_be_invited_by_the_command_line(store: Store, app: FastAPI) -> None:
    made = invite(store, campaign=None, role="admin", max_uses=1)
    joined = Client(app).post(f"/api/v1/join/{made.token}", json={"name": "root", "password": PASSWORD})
    assert joined.json()["role"] == "admin"


def test_a_preview_on_mechanical_turk_makes_nobody(app: FastAPI, store: Store) -> None:
    made = invite(store, platform="mturk")
    answer = Client(app).get(path_of(made) + "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&workerId=A1")
    assert answer.status_code == 403
    assert "This is a preview" in answer.text


def test_a_closed_campaign_lets_nobody_in(app: FastAPI, store: Store) -> None:
    made = invite(store)
    with store.write() as connection:
        set_state(connection, CAMPAIGN, "closed", actor=COMMAND_LINE)
    answer = Client(app).post(f"/api/v1/join/{made.token}", json={"name": "eve", "password": PASSWORD})
    assert (answer.status_code, answer.json()["message"]) == (409, "The campaign is closed; thank you for coming.")
    with store.read() as connection:
        assert connection.scalar(sa.select(tables.users.c.id).where(tables.users.c.name == "eve")) is None


def test_inviting_managers_is_for_admins(app: FastAPI, store: Store) -> None:
    admin = Client(app, "the-admin")
    made = admin.post("/api/v1/invites", json={"role": "manager", "hours": 1}).json()["rows"][0]
    link = made["link"].removeprefix("http://localhost")
    client = Client(app)
    assert submit(client, link, name="max", password=PASSWORD).headers["location"] == "/campaigns"
    assert client.get("/api/v1/session").json()["role"] == "manager"
    here = Client(app, "the-viewer").post(link.replace("/join", "/api/v1/join"), json={})
    assert (here.status_code, here.json()["kind"]) == (409, "Conflict")
    # A manager's invitation is always for annotators, whatever the body says.
    asked = Client(app, "the-manager").post(f"/api/v1/campaigns/{CAMPAIGN}/invites", json={"role": "admin"})
    assert asked.json()["rows"][0]["role"] == "annotator"
    listed = admin.get("/api/v1/invites").json()["rows"]
    assert "link" not in listed[0]
    assert [row["uses"] for row in listed] == [1, 0]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"role": "king"}, "no role 'king'"),
        ({"platform": "hive"}, "no crowd platform 'hive'"),
        ({"campaign": None}, "Annotators are invited to a campaign"),
        ({"platform": "mturk", "role": "viewer"}, "are annotators, not viewer"),
        ({"hours": 0}, "up to 8,784 hours"),
        ({"max_uses": 0}, "max_uses is 0"),
        ({"max_tasks": -1}, "max_tasks is -1"),
    ],
)
def test_wrong_invitations_are_named(store: Store, more: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        invite(store, **more)


def test_links_do_not_outlive_their_expiry_in_the_database(store: Store) -> None:
    made = invite(store, hours=2)
    assert timedelta(minutes=119) < made.expires - now() <= timedelta(hours=2)
