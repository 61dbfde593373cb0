"""The pages of accounts: roles, passwords, languages, closing, invitations to the house, and the log of all that."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fastapi import FastAPI

from dragoman.cli.campaign import campaign
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN

NEW = "another long password"


def sign_in(app: FastAPI, name: str, password: str) -> int:
    return Client(app).post("/api/v1/session", json={"name": name, "password": password}).status_code


def test_an_admin_cares_for_an_account_and_the_log_tells(app: FastAPI) -> None:
    admin = Client(app, "the-admin")
    ada = Client(app, "ada")
    assert admin.post("/people/ada/password", data={"password": NEW}).status_code == 303
    assert ada.get("/api/v1/session").status_code == 401  # all sessions end
    assert (sign_in(app, "ada", PASSWORD), sign_in(app, "ada", NEW)) == (401, 200)
    assert admin.post("/people/ada/languages", data={"languages": "en, de"}).status_code == 303
    assert admin.post("/people/ada/role", data={"role": "viewer"}).status_code == 303
    page = admin.get("/people/ada")
    assert 'value="de, en"' in page.text
    assert '<option value="viewer" selected>' in page.text
    assert f'href="/campaigns/{CAMPAIGN}"' in page.text
    assert admin.post("/people/ada/close").status_code == 303
    assert sign_in(app, "ada", NEW) == 401
    assert "Open the account again" in admin.get("/people/ada").text
    assert admin.post("/people/ada/open").status_code == 303
    assert sign_in(app, "ada", NEW) == 200
    told = admin.get("/api/v1/users/ada").json()
    assert (told["kind"], told["rows"][0]["role"], told["rows"][0]["disabled"]) == ("account", "viewer", False)
    assert [row["campaign"] for row in told["meta"]["campaigns"]] == [CAMPAIGN]
    assert admin.get("/people/ada.json").json() == told
    log = [row for row in admin.get("/api/v1/users/ada/audit").json()["rows"] if row["who"] == "the-admin"]
    assert [row["action"] for row in log] == [
        "user enabled",
        "user disabled",
        "role changed",
        "languages granted",
        "password changed",
    ]
    assert "role changed" in admin.get("/people/ada").text
    assert NEW not in admin.get("/people/ada").text + admin.get("/audit").text


def test_a_manager_cares_for_annotators_alone(app: FastAPI) -> None:
    manager = Client(app, "the-manager")
    assert manager.post("/people/ada/password", data={"password": NEW}).status_code == 303
    assert manager.post("/people/ada/languages", data={"languages": "en"}).status_code == 303
    for path, data in (("role", {"role": "admin"}), ("close", {}), ("open", {})):
        assert manager.post(f"/people/ada/{path}", data=data).status_code == 403
    page = manager.get("/people/the-viewer").text
    assert "Only an admin can change this account." in page
    assert 'name="password"' not in page
    refused = manager.post("/people/the-viewer/password", data={"password": NEW})
    assert (refused.status_code, "Only an admin can do this" in refused.text) == (403, True)
    assert sign_in(app, "the-viewer", PASSWORD) == 200
    made = manager.post("/people", data={"name": "boss", "password": NEW, "role": "admin"})
    assert (made.status_code, "Only an admin can do this" in made.text) == (403, True)
    assert "invite-role" not in manager.get("/people").text


@pytest.mark.parametrize(
    ("path", "data", "message"),
    [
        ("/people/the-admin/role", {"role": "viewer"}, "the-admin is the only admin; make another one first."),
        ("/people/the-admin/close", {}, "the-admin is the only admin; make another one first."),
        ("/people/ada/role", {"role": "king"}, "There is no role 'king'."),
        ("/people/ada/password", {"password": "short"}, "10"),
        ("/people/ada/languages", {"languages": "en, x-"}, "x-"),
        ("/people", {"name": "x.json", "password": NEW}, "'x.json' cannot name an account"),
        ("/people/invites", {"role": "annotator"}, "Annotators are invited to a campaign"),
    ],
)
def test_what_is_wrong_stands_on_the_page(app: FastAPI, path: str, data: dict[str, str], message: str) -> None:
    admin = Client(app, "the-admin")
    answer = admin.post(path, data=data)
    own = admin.post(path, data=data, headers={"Referer": "http://localhost/people?x=1"})
    assert 'href="/people?lang=de"' in own.text
    assert answer.status_code in (404, 409, 422)
    alert = re.search(r'role="alert"[^>]*>([^<]*)', answer.text.replace("&#39;", "'"))
    assert alert is not None
    assert message in alert[1]
    assert 'href="/?lang=de"' in answer.text  # no link to an address that only takes forms
    assert sign_in(app, "ada", PASSWORD) == 200


def test_an_account_that_is_not_there(app: FastAPI) -> None:
    admin = Client(app, "the-admin")
    assert admin.get("/people/nobody").status_code == 404
    assert admin.get("/api/v1/users/nobody/audit").status_code == 404
    assert admin.post("/people/nobody/close").status_code == 404


def test_an_admin_makes_managers_and_invites_them(app: FastAPI) -> None:
    admin = Client(app, "the-admin")
    assert admin.post("/people", data={"name": "mo", "password": NEW, "role": "manager"}).status_code == 303
    assert {row["name"]: row["role"] for row in admin.get("/people.json").json()["rows"]}["mo"] == "manager"
    made = admin.post("/people/invites", data={"role": "viewer", "hours": "5"})
    link = re.search(r'value="http://localhost(/join/[\w.-]+)"', made.text)
    assert link is not None
    guest = Client(app)
    token = re.search(r'name="csrf_token" value="(\w+)"', guest.get(link[1]).text)
    assert token is not None
    joined = guest.post(link[1], data={"csrf_token": token[1], "name": "vera", "password": NEW})
    assert joined.status_code == 303
    assert guest.get("/campaigns").status_code == 200
    assert link[1] not in admin.get("/people").text
    assert admin.post("/people/invites/1/withdraw").status_code == 303
    assert guest.get(link[1]).status_code == 404


def test_an_account_and_its_log_on_the_command_line(tmp_path: Path) -> None:
    def run(*words: str, given: str | None = None) -> Result:
        return CliRunner().invoke(campaign, [*words, "--db", str(tmp_path / "house.db")], input=given)

    assert run("users", "add", "ada", "--password-stdin", given=f"{NEW}\n").exit_code == 0
    assert run("users", "languages", "ada", "de").exit_code == 0
    told = json.loads(run("users", "show", "ada", "--json").stdout)
    assert (told["kind"], told["rows"][0]["languages"], told["meta"]["campaigns"]) == ("account", "de", [])
    log = json.loads(run("audit", "--user", "ada", "--json").stdout)["rows"]
    assert [row["action"] for row in log] == ["languages granted", "user added"]
    assert "There is no account called 'nobody'" in str(run("audit", "--user", "nobody").exception)
    both = run("audit", "birds", "--user", "ada")
    assert (both.exit_code, "Name a campaign or --user, not both." in both.output) == (2, True)


def test_everybody_changes_the_own_password(app: FastAPI) -> None:
    ada, other = Client(app, "ada"), Client(app, "ada")
    assert 'href="/account"' in ada.get("/").text
    wrong = ada.post("/account", data={"old": "not it at all", "new": NEW})
    assert (wrong.status_code, "The old password is wrong." in wrong.text) == (403, True)
    done = ada.post("/account", data={"old": PASSWORD, "new": NEW})
    assert (done.status_code, "The password is changed" in done.text) == (200, True)
    assert ada.get("/account").status_code == 200  # the new session is in the cookie
    assert other.get("/account.json").status_code == 401
    assert sign_in(app, "ada", NEW) == 200
