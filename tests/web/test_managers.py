"""Managers of their own campaigns alone, on a server that was started so: every route, lists, people, invitations."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.errors import DragomanError
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.archive import write_archive
from dragoman.store.people import managers
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.people.invites import make_invite
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN, FILES, MANIFEST
from tests.web.test_guard import NAMES, ROUTES
from tests.web.test_payments import PID, come

NO_CAMPAIGN = f"There is no campaign called '{CAMPAIGN}'."
BASE = f"/api/v1/campaigns/{CAMPAIGN}"
LIMITED = [(method, path) for method, path, policy in ROUTES if "{name}" in path and policy in ("viewer", "manager")]


@pytest.fixture
def limited(store: Store) -> FastAPI:
    """A server where managers have campaigns of their own; the one of the house is the admin's."""
    return create_app(store, Settings(own_campaigns=True, requests_per_minute=10**6))


def own_campaign(client: Client) -> None:
    made = client.post("/api/v1/campaigns", json={"manifest": MANIFEST.replace('"birds"', '"own"'), "files": FILES})
    assert made.status_code == 201, made.text


@pytest.fixture(scope="module")
def shut(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Client]:
    """Manager, viewer and admin of such a server, for the matrix."""
    from tests.web.house import fill

    store = Store(tmp_path_factory.mktemp("managers") / "house.db")
    store.migrate()
    fill(store)
    app = create_app(store, Settings(own_campaigns=True, requests_per_minute=10**6))
    return {role: Client(app, f"the-{role}") for role in ("manager", "viewer", "admin")}


@pytest.mark.parametrize(("method", "path"), LIMITED, ids=lambda word: str(word))
def test_a_campaign_of_others_is_not_there(shut: dict[str, Client], method: str, path: str) -> None:
    names = {**NAMES, "name": CAMPAIGN}
    where = re.sub(r"\{(\w+)\}", lambda found: names[found.group(1)], path)
    answer = shut["manager"].request(method, where, **({} if method == "GET" else {"json": {}}))
    assert answer.status_code == 404, answer.text
    assert NO_CAMPAIGN in answer.text.replace("&#39;", "'")
    if method == "GET":  # whoever else may look still can
        for role in ("viewer", "admin"):
            assert NO_CAMPAIGN not in shut[role].get(where).text.replace("&#39;", "'")


def test_the_matrix_has_the_routes_of_pages_and_interface() -> None:
    assert len(LIMITED) > 40
    assert ("GET", "/campaigns/{name}/people") in LIMITED
    assert ("PUT", "/api/v1/campaigns/{name}/state") in LIMITED


def test_lists_hold_own_campaigns(limited: FastAPI) -> None:
    manager = Client(limited, "the-manager")
    own_campaign(manager)
    assert [row["name"] for row in manager.get("/api/v1/campaigns").json()["rows"]] == ["own"]
    assert [row["name"] for row in manager.get("/campaigns.json").json()["rows"]] == ["own"]
    assert manager.put("/api/v1/campaigns/own/state", json={"state": "paused"}).status_code == 200
    for name in ("the-admin", "the-viewer"):
        listed = Client(limited, name).get("/api/v1/campaigns").json()["rows"]
        assert [row["name"] for row in listed] == ["own", CAMPAIGN]


def test_who_restores_a_campaign_manages_it(limited: FastAPI, store: Store) -> None:
    with store.read() as connection:
        content = base64.b64encode(write_archive(connection, CAMPAIGN)).decode()
    manager = Client(limited, "the-manager")
    assert manager.post("/api/v1/restore", json={"archive": content, "name": "twin"}).status_code == 201
    assert manager.get("/api/v1/campaigns/twin").status_code == 200


def test_a_campaign_can_be_given_and_taken(limited: FastAPI) -> None:
    admin, manager = Client(limited, "the-admin"), Client(limited, "the-manager")
    assert manager.put(f"{BASE}/managers/the-manager").status_code == 404, "nobody helps themselves"
    assert admin.put(f"{BASE}/managers/the-manager").status_code == 200
    assert manager.get(BASE).status_code == 200
    assert [row["name"] for row in manager.get(f"{BASE}/managers").json()["rows"]] == ["the-manager"]
    assert admin.delete(f"{BASE}/managers/the-manager").status_code == 200
    assert manager.get(BASE).status_code == 404
    wrong = admin.put(f"{BASE}/managers/ada")
    assert (wrong.status_code, wrong.json()["message"]) == (409, "ada is annotator; give them the role manager first.")
    assert admin.delete(f"{BASE}/managers/the-manager").status_code == 404


def test_who_takes_part_in_campaigns_of_others_is_out_of_reach(limited: FastAPI, store: Store) -> None:
    """A new password would let a manager answer as them."""
    manager = Client(limited, "the-manager")
    own_campaign(manager)
    with store.write() as connection:
        add_user(connection, "eve", "annotator", PASSWORD, actor=COMMAND_LINE)
    for name, status in (("ada", 403), ("eve", 200)):
        new = manager.put(f"/api/v1/users/{name}/password", json={"password": "another good password"})
        assert new.status_code == status, new.text
        granted = manager.put(f"/api/v1/users/{name}/languages", json={"languages": ["de"]})
        assert granted.status_code == status
        page = manager.post(f"/people/{name}/password", data={"password": PASSWORD})
        assert page.status_code == (403 if status == 403 else 303)
        page = manager.post(f"/people/{name}/languages", data={"languages": "de"})
        assert page.status_code == (403 if status == 403 else 303)
    seen = manager.get("/api/v1/users/ada").json()["meta"]["campaigns"]
    assert [each["campaign"] for each in seen] == ["own"]
    assert CAMPAIGN not in manager.get("/people/ada").text


def test_who_is_planned_for_campaigns_of_others_is_out_of_reach(limited: FastAPI, store: Store) -> None:
    """Whoever has the account of a planned annotator is let in, so a manager can neither make nor take it over."""
    admin, manager = Client(limited, "the-admin"), Client(limited, "the-manager")
    own_campaign(manager)
    account = {"name": "chloe", "role": "annotator", "password": PASSWORD}
    refused = manager.post("/api/v1/users", json=account)
    assert (refused.status_code, "planned for another campaign" in refused.json()["message"]) == (409, True)
    page = {"csrf_token": manager.csrf or "", "name": "chloe", "password": PASSWORD}
    assert manager.post("/people", data=page).status_code == 409
    archive = base64.b64encode(archive_in_which(store, "ada", "chloe")).decode()
    restored = manager.post("/api/v1/restore", json={"archive": archive, "name": "twin"})
    assert restored.json()["meta"]["people"]["chloe"] == "chloe-archived"
    assert admin.post("/api/v1/users", json=account).status_code == 201
    taken = manager.put("/api/v1/users/chloe/password", json={"password": "another good password"})
    assert (taken.status_code, "is planned for campaigns of other managers" in taken.json()["message"]) == (403, True)
    chloe = Client(limited, "chloe")
    assert chloe.get(f"{BASE}/work").status_code == 200
    assert manager.put("/api/v1/users/chloe/password", json={"password": PASSWORD}).status_code == 403


def archive_in_which(store: Store, person: str, called: str) -> bytes:
    """The archive of the house's campaign, in which somebody has another name."""
    stream = io.BytesIO()
    with store.read() as connection:
        content = write_archive(connection, CAMPAIGN)
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(f'"user": "{person}"'.encode(), f'"user": "{called}"'.encode()))
    return stream.getvalue()


def come_as_chloe(app: FastAPI, client: Client, campaign: str) -> int:
    link = client.post(f"/api/v1/campaigns/{campaign}/invites", json={}).json()["rows"][0]["link"]
    body = {"name": "chloe", "password": PASSWORD}
    return Client(app).post(f"/api/v1/join/{link.rpartition('/')[2]}", json=body).status_code


def test_an_invitation_gives_nobody_the_name_of_whom_others_wait_for(limited: FastAPI) -> None:
    admin, manager = Client(limited, "the-admin"), Client(limited, "the-manager")
    own_campaign(manager)
    assert come_as_chloe(limited, manager, "own") == 409, "the admin's campaign waits for a chloe, too"
    assert admin.put(f"{BASE}/managers/the-manager").status_code == 200
    assert come_as_chloe(limited, manager, "own") == 200, "of one manager's campaigns she is the same"


def test_where_managers_act_on_all_a_planned_name_is_one_persons(light_app: FastAPI) -> None:
    manager = Client(light_app, "the-manager")
    own_campaign(manager)
    strange = MANIFEST.replace('"birds"', '"strange"').replace('"chloe"', '"dora"')
    assert manager.post("/api/v1/campaigns", json={"manifest": strange, "files": FILES}).status_code == 201
    assert come_as_chloe(light_app, Client(light_app, "the-admin"), "strange") == 409
    assert come_as_chloe(light_app, manager, "own") == 200


def test_ids_of_crowd_workers_of_others_cannot_be_had(limited: FastAPI, store: Store) -> None:
    """A manager enters, plans or restores somebody else's worker in a campaign of theirs, and looks whom it pays."""
    admin, manager = Client(limited, "the-admin"), Client(limited, "the-manager")
    _, worker = come(limited, store)
    own_campaign(manager)
    assert manager.post("/api/v1/campaigns/own/members", json={"name": worker}).status_code == 201
    planned = MANIFEST.replace('"birds"', '"planned"').replace('"ada"', f'"{worker}"')
    assert manager.post("/api/v1/campaigns", json={"manifest": planned, "files": FILES}).status_code == 201
    for campaign in ("own", "planned"):
        paid = manager.get(f"/api/v1/campaigns/{campaign}/payments")
        assert worker in [row["annotator"] for row in paid.json()["rows"]]
        assert PID not in paid.text
        assert PID not in manager.get(f"/campaigns/{campaign}/payments.csv").text
    assert PID in admin.get(f"{BASE}/payments").text
    with store.read() as connection:
        archive = base64.b64encode(write_archive(connection, CAMPAIGN)).decode()
    body = {"archive": archive, "name": "twin", "people": {worker: worker}}
    assert manager.post("/api/v1/restore", json=body).status_code == 403
    page = {"name": "twin", "people": f"{worker}={worker}", "csrf_token": manager.csrf or ""}
    sent = manager.post("/campaigns/restore", data=page, files={"archive": ("a.zip", base64.b64decode(archive))})
    assert sent.status_code == 403
    assert admin.post("/api/v1/restore", json=body).status_code == 201


def test_invitations_to_campaigns_of_others_stay(limited: FastAPI, store: Store) -> None:
    manager = Client(limited, "the-manager")
    own_campaign(manager)
    with store.write() as connection:
        numbers = [
            make_invite(connection, secret=store.secret, address="", actor=COMMAND_LINE, **more).id
            for more in ({"campaign": CAMPAIGN}, {"role": "admin"})
        ]
    for number in numbers:
        assert manager.delete(f"/api/v1/invites/{number}").status_code == 404
        assert manager.post(f"/campaigns/own/invites/{number}/withdraw").status_code == 404
    with store.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).where(tables.invites.c.revoked.is_not(None))) == 0
    own = manager.post("/api/v1/campaigns/own/invites", json={}).json()["rows"][0]["invite"]
    assert manager.delete(f"/api/v1/invites/{own}").status_code == 200


def test_by_default_every_manager_acts_on_all(light_app: FastAPI) -> None:
    manager = Client(light_app, "the-manager")
    assert manager.get(BASE).status_code == 200
    assert manager.put(f"{BASE}/state", json={"state": "paused"}).status_code == 200
    assert manager.put("/api/v1/users/ada/languages", json={"languages": ["de"]}).status_code == 200


def test_what_is_refused_of_managers_is_named(light_store: Store) -> None:
    def refused(work: Any, *words: str) -> str:
        with pytest.raises(DragomanError) as caught, light_store.write() as connection:
            work(connection, *words, actor=COMMAND_LINE)
        return str(caught.value)

    assert refused(managers.add_manager, "nothing", "the-manager") == "There is no campaign called 'nothing'."
    assert refused(managers.remove_manager, CAMPAIGN, "the-manager") == f"the-manager does not manage {CAMPAIGN}."
    with light_store.write() as connection:
        for _ in range(2):  # twice is once
            managers.add_manager(connection, CAMPAIGN, "the-manager", actor=COMMAND_LINE)
        managers.check_manages(connection, CAMPAIGN, find_user(connection, "the-manager"))
        assert len(managers.list_managers(connection, CAMPAIGN).managers) == 1
