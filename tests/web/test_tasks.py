"""Submissions over HTTP: who sees what, what hostile files do, what a deadline does in the middle of an upload."""

from __future__ import annotations

import asyncio
import gzip
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from dragoman.errors import DataError, FormatError
from dragoman.samples import copy_samples
from dragoman.store import Store
from dragoman.task import SubmissionBox, read_task
from dragoman.task import checking as checks
from dragoman.web import Settings, create_app
from dragoman.web.catalogue import LANGUAGES, words_in
from tests.web.client import PASSWORD, Client

MEMBERS = {'members = ["nora"]': 'members = ["ada"]', 'members = ["said"]': 'members = ["ben"]'}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_samples(tmp_path / "samples")
    manifest = tmp_path / "samples" / "task" / "task.toml"
    text = manifest.read_text(encoding="utf-8")
    for old, new in MEMBERS.items():
        text = text.replace(old, new)
    manifest.write_text(text, encoding="utf-8")
    return manifest.parent


@pytest.fixture
def app(light_store: Store, folder: Path) -> FastAPI:
    return create_app(light_store, Settings(tasks=(str(folder),), requests_per_minute=10**6))


@pytest.fixture
def output(folder: Path) -> bytes:
    return (folder.parent / "testset" / "systems" / "dune.en").read_bytes()


def submit(
    client: Client, content: bytes, *, file: str = "out.en", twin: str = ".json", **values: str
) -> httpx.Response:
    form = {"team": "", "track": "news", "system": "primary", **values}
    return client.post(f"/tasks/sample-task/submissions{twin}", data=form, files={"file": (file, content)})


def rows(client: Client) -> list[dict[str, Any]]:
    return list(client.get("/tasks/sample-task.json").json()["rows"])


def test_a_team_submits_and_sees_what_is_its_own(app: FastAPI, output: bytes) -> None:
    ada, ben = Client(app, "ada"), Client(app, "ben")
    assert [row["name"] for row in ada.get("/tasks.json").json()["rows"]] == ["sample-task"]
    answer = submit(ada, output)
    assert answer.status_code == 201
    mine = answer.json()["rows"][0]
    assert (mine["team"], mine["by"], mine["state"], mine["lines"]) == ("north", "ada", "accepted", 80)
    assert ada.get(f"/tasks/sample-task/submissions/{mine['id']}").content == output
    # The other team: the same name and content, and no word of the first.
    theirs = submit(ben, output)
    assert theirs.status_code == 201
    for client, own, other in ((ada, "north", "south"), (ben, "south", "north")):
        assert {row["team"] for row in rows(client)} == {own}
        page = client.get("/tasks/sample-task").text
        assert own in page
        assert other not in page
    for key in (mine["id"], "0123456789abcdef"):  # another team's and nobody's look alike
        answer = ben.get(f"/tasks/sample-task/submissions/{key}")
        assert answer.status_code == 404
        assert "north" not in answer.text


def test_an_invitation_gives_nobody_the_name_of_a_member(app: FastAPI, folder: Path, light_store: Store) -> None:
    """Whoever has the account of a member sees what the team submits."""
    manifest = folder / "task.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('["ada"]', '["nora"]'), encoding="utf-8")
    made = Client(app, "the-manager").post("/api/v1/campaigns/birds/invites", json={}).json()["rows"][0]["link"]
    path = f"/join/{made.rpartition('/')[2]}"
    guest, body = Client(app), {"name": "nora", "password": PASSWORD}
    assert guest.post(f"/api/v1{path}", json=body).status_code == 409
    csrf = re.search(r'name="csrf_token" value="([^"]+)"', guest.get(path).text)
    assert csrf is not None
    page = guest.post(path, data={**body, "csrf_token": csrf[1]})
    assert (page.status_code, "kept for a member of a team" in page.text) == (409, True)
    assert guest.post("/api/v1/join/x", json=body).status_code == 404, "without a link nobody learns of members"
    manifest.write_text("not a task", encoding="utf-8")
    assert guest.post(f"/api/v1{path}", json=body).status_code == 200


@pytest.mark.parametrize("role", ["admin", "manager"])
def test_managers_see_all_and_submit_for_any(app: FastAPI, output: bytes, role: str) -> None:
    submit(Client(app, "ada"), output)
    submit(Client(app, "ben"), output)
    client = Client(app, f"the-{role}")
    assert {row["team"] for row in rows(client)} == {"north", "south"}
    for row in rows(client):
        assert client.get(f"/tasks/sample-task/submissions/{row['id']}").content == output
    assert submit(client, output + b"\n", team="south", system="x").json()["rows"][0]["team"] == "south"
    assert submit(client, output).status_code == 404  # no team was named


@pytest.mark.parametrize("who", ["the-annotator", "the-viewer", None])
def test_others_learn_nothing(app: FastAPI, output: bytes, who: str | None) -> None:
    submit(Client(app, "ada"), output)
    key = rows(Client(app, "ada"))[0]["id"]
    client = Client(app, who)
    if who is None:
        assert client.get("/tasks.json").status_code == 401
        assert submit(client, output).status_code in (401, 403)
        return
    assert client.get("/tasks.json").json()["rows"] == []
    assert "No task concerns you" in client.get("/tasks").text
    for path in ("/tasks/sample-task", "/tasks/sample-task.json", f"/tasks/sample-task/submissions/{key}"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "north" not in answer.text
    assert submit(client, output, team="north").status_code == 404
    assert len(rows(Client(app, "ada"))) == 1


def test_nobody_submits_for_another_team(app: FastAPI, output: bytes) -> None:
    answer = submit(Client(app, "ben"), output, team="north")
    assert answer.status_code == 404
    assert answer.json()["message"] == "You do not submit for a team called 'north'."
    assert rows(Client(app, "the-manager")) == []


@pytest.mark.parametrize(
    ("content", "file", "message"),
    [
        (b"", "out.en", "out.en is empty."),
        (gzip.compress(b"\n" * (4 << 20), mtime=0), "bomb.gz", "bomb.gz is longer than 1 MiB when it is unpacked."),
        (gzip.compress(gzip.compress(b"x\n" * 80, mtime=0), mtime=0), "twice.gz", "twice.gz"),
        ("Größe\n".encode("latin-1") * 80, "latin.en", "latin.en:1: "),
        (("x\n" * 80).encode("utf-16"), "wide.en", "wide.en"),
        (b"x\n" * 79, "../../../etc/passwd", "Lines: 79."),
        (b"a\x00b\n" * 80, "nul.en", "control characters"),
        (b"PK\x03\x04" + bytes(200), "archive.zip", "Lines: 1."),
    ],
)  # fmt: skip
def test_hostile_files_are_refused_by_name_and_kept(
    app: FastAPI, folder: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, file: str, message: str
) -> None:
    monkeypatch.setattr(checks, "MOST_BYTES", 1 << 20)
    client = Client(app, "ada")
    answer = submit(client, content, file=file)
    assert answer.status_code == 422
    (row,) = answer.json()["rows"]
    assert row["state"] == "refused"
    assert message in row["remarks"][0]
    assert str(folder) not in answer.text
    assert client.get(f"/tasks/sample-task/submissions/{row['id']}").content == content
    page = submit(client, content, file=file, twin="", system="again")
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert 'value="again"' in page.text  # what was typed stays
    assert str(folder) not in page.text


@pytest.mark.parametrize("system", ["../x", "a/b", "", "x" * 65, "<b>", "a\x00b", "ñ"])
def test_names_that_are_paths_name_no_system(app: FastAPI, folder: Path, output: bytes, system: str) -> None:
    answer = submit(Client(app, "ada"), output, system=system)
    assert answer.status_code == 422
    assert "cannot name a system" in answer.json()["message"]
    assert not (folder / "submissions").exists()


@pytest.mark.parametrize("track", ["poems", "", "../news", "news:quality", "news:../x", "adequacy:metrics"])
def test_tracks_that_are_not_there(app: FastAPI, output: bytes, track: str) -> None:
    assert submit(Client(app, "ada"), output, track=track).status_code in (404, 422)


def test_a_form_without_a_file_says_so(app: FastAPI) -> None:
    client = Client(app, "ada")
    answer = client.post("/tasks/sample-task/submissions.json", data={"track": "news", "system": "x"})
    assert (answer.status_code, answer.json()["message"]) == (422, "Choose a file.")
    answer = client.post("/tasks/sample-task/submissions", json={})
    assert answer.status_code == 422


def test_a_file_that_is_a_page_does_nothing_in_a_browser(app: FastAPI) -> None:
    client = Client(app, "ada")
    row = submit(client, b"<script>alert(1)</script>\n" * 80, file='"><script>.html').json()["rows"][0]
    answer = client.get(f"/tasks/sample-task/submissions/{row['id']}")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "<script>.html" not in client.get("/tasks/sample-task").text


def test_forms_need_their_token(app: FastAPI, output: bytes) -> None:
    client = Client(app, "ada")
    client.csrf = "wrong"
    assert submit(client, output).status_code == 403
    client.csrf = None
    assert submit(client, output, csrf_token="wrong").status_code == 403


def test_a_deadline_that_passes_during_an_upload(app: FastAPI, folder: Path, output: bytes) -> None:
    """The body comes in two parts, the deadline between them: the file is kept whole, and late by name."""
    client = Client(app, "ada")
    manifest = folder / "task.toml"
    request = httpx.Request(
        "POST",
        "http://localhost/tasks/sample-task/submissions.json",
        data={"track": "news", "system": "slow"},
        files={"file": ("slow.en", output)},
    )
    body = request.read()

    async def parts() -> Any:
        yield body[:100]
        deadline = datetime.now(UTC)
        manifest.write_text(manifest.read_text().replace("2050-05-17T12:00:00Z", deadline.isoformat()))
        while datetime.now(UTC) <= deadline:
            await asyncio.sleep(0.001)
        yield body[100:]

    answer = client.post(
        "/tasks/sample-task/submissions.json",
        content=parts(),
        headers={"Content-Type": request.headers["content-type"], "Content-Length": str(len(body))},
    )
    assert answer.status_code == 201
    (row,) = answer.json()["rows"]
    assert row["state"] == "late"
    assert "passed while the file came" in row["remarks"][0]
    assert client.get(f"/tasks/sample-task/submissions/{row['id']}").content == output
    task = read_task(folder)
    assert SubmissionBox(task).counted("news", "translation") == []
    after = submit(client, output.replace(b" the ", b" a "), system="after").json()["rows"][0]
    assert "It came after the deadline" in after["remarks"][0]
    assert "The deadline has passed" in client.get("/tasks/sample-task").text


def test_two_teams_with_one_name_keep_the_server_from_starting(light_store: Store, folder: Path) -> None:
    manifest = folder / "task.toml"
    manifest.write_text(manifest.read_text().replace('name = "south"', 'name = "North"'))
    with pytest.raises(FormatError, match="two teams have one name, 'north' and 'North'"):
        create_app(light_store, Settings(tasks=(str(folder),)))


def test_a_task_that_is_spoilt_while_the_server_runs_is_named(app: FastAPI, folder: Path) -> None:
    (folder / "task.toml").write_text("name = 3\n")
    assert Client(app, "ada").get("/tasks/sample-task.json").status_code == 422


def test_two_tasks_with_one_name_are_refused(light_store: Store, folder: Path) -> None:
    with pytest.raises(DataError, match="Two tasks are called 'sample-task'"):
        create_app(light_store, Settings(tasks=(str(folder), str(folder / "task.toml"))))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_speak_every_language(app: FastAPI, output: bytes, lang: str) -> None:
    client = Client(app, "ada")
    submit(client, output)
    page = submit(client, b"x\n" * 79, twin="", system="short")
    assert page.status_code == 422
    told = client.get(f"/tasks/sample-task?lang={lang}").text
    say = words_in(lang)
    for key in ("tasks.submit", "tasks.own_submissions", "tasks.state_accepted", "tasks.state_refused"):
        assert say(key) in told
    assert (">Lines: 79." in told) == (lang == "en")
    assert say("tasks.title") in client.get(f"/tasks?lang={lang}").text


def test_a_server_without_tasks_does_not_speak_of_them(light_app: FastAPI, app: FastAPI) -> None:
    assert 'href="/tasks"' not in Client(light_app, "ada").get("/").text
    assert 'href="/tasks"' in Client(app, "ada").get("/").text
