"""Who is paid for what: ids of crowd platforms for managers alone, and nothing that was done is lost."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.membership import exclude, include
from dragoman.store.judging.payments import campaign_payments
from dragoman.store.judging.results import campaign_progress
from dragoman.store.people.invites import make_invite
from tests.web.client import Client
from tests.web.house import CAMPAIGN
from tests.web.judges import answer_all

PID = "5f00aa77zq"
SESSION = "6633cc11ses"


def come(app: FastAPI, store: Store, worker: str = PID, *sessions: str) -> tuple[Client, str]:
    """A crowd worker comes, by several submissions if they have some, and judges what they get."""
    with store.write() as connection:
        made = make_invite(
            connection, secret=store.secret, address="http://x", actor=COMMAND_LINE, campaign=CAMPAIGN,
            platform="prolific", max_tasks=1,
        )  # fmt: skip
    client = Client(app)
    for number in sessions or (SESSION,):
        given = {"PROLIFIC_PID": worker, "STUDY_ID": "s1", "SESSION_ID": number}
        assert client.post(f"/api/v1/join/{made.token}", json={"parameters": given}).status_code == 200
        session = client.get("/api/v1/session").json()
        client.csrf = session["csrf"]
    answer_all(client, store, CAMPAIGN, session["name"], 1.0, tasks=1)
    return client, session["name"]


def row_of(store: Store, name: str, *, paid: bool) -> dict[str, Any]:
    with store.read() as connection:
        made = campaign_payments(connection, CAMPAIGN) if paid else campaign_progress(connection, CAMPAIGN)
    return next(row for row in made.to_dict()["rows"] if row["annotator"] == name)


def test_what_was_done_stays_to_be_paid(app: FastAPI, store: Store) -> None:
    _, name = come(app, store)
    before, paid = row_of(store, name, paid=False), row_of(store, name, paid=True)
    assert (before["judged"], before["finished"], before["tasks"]) == (20, 1, 1)
    assert before["minutes"] > 0
    assert (paid["platform"], paid["platform_id"], paid["session_ids"]) == ("prolific", PID, SESSION)
    assert (paid["items"], paid["passed_on"]) == (20, 0)
    with store.read() as connection:
        total = campaign_progress(connection, CAMPAIGN).to_dict()["meta"]
    with store.write() as connection:
        assert exclude(connection, CAMPAIGN, name, reason="clicks", renew=True, actor=COMMAND_LINE) == 1
    after = row_of(store, name, paid=False)
    assert after == before | {"excluded": True, "reason": "clicks"}
    assert row_of(store, name, paid=True) == paid | {"excluded": True, "reason": "clicks", "passed_on": 20}
    with store.read() as connection:
        left = campaign_progress(connection, CAMPAIGN).to_dict()["meta"]
    assert left["judged"] == total["judged"] - 20, "in the campaign it waits to be done again"
    assert left["items"] == total["items"]
    with store.write() as connection:
        include(connection, CAMPAIGN, name, actor=COMMAND_LINE)
    assert row_of(store, name, paid=False) == before


def test_ids_are_for_managers_alone(light_app: FastAPI, light_store: Store) -> None:
    worker, name = come(light_app, light_store)
    come(light_app, light_store, "@SUM", "@S1", "{{%SESSION_ID%}}", "@S1", "6633cc12")
    places = [f"/campaigns/{CAMPAIGN}/payments{suffix}" for suffix in ("", ".json", ".csv")]
    places.append(f"/api/v1/campaigns/{CAMPAIGN}/payments")
    for role in ("the-admin", "the-manager"):
        for place in places:
            answer = Client(light_app, role).get(place)
            assert answer.status_code == 200, place
            assert PID in answer.text, place
            assert SESSION in answer.text, place
    for client in (Client(light_app, "the-viewer"), Client(light_app, "ada"), worker, Client(light_app)):
        for place in (*places, f"/campaigns/{CAMPAIGN}", f"/api/v1/campaigns/{CAMPAIGN}"):
            assert PID not in client.get(place).text, place
            assert SESSION not in client.get(place).text, place
        assert all(client.get(place).status_code != 200 for place in places)
    page = Client(light_app, "the-manager").get(f"/campaigns/{CAMPAIGN}").text
    assert f'href="/campaigns/{CAMPAIGN}/payments"' in page
    assert (
        f'href="/campaigns/{CAMPAIGN}/payments"'
        not in Client(light_app, "the-viewer").get(f"/campaigns/{CAMPAIGN}").text
    )
    sheet = Client(light_app, "the-manager").get(places[2])
    assert sheet.headers["content-type"].startswith("text/csv")
    rows = {row["annotator"]: row for row in csv.DictReader(io.StringIO(sheet.text))}
    assert (rows[name]["platform_id"], rows[name]["session_ids"], rows[name]["items"]) == (PID, SESSION, "20")
    (other,) = (row for row in rows.values() if "SUM" in row["platform_id"])
    assert (other["platform_id"], other["session_ids"]) == ("'@SUM", "'@S1 6633cc12"), "each once, no formula"


def test_the_command_says_the_same(light_app: FastAPI, light_store: Store, tmp_path: Path) -> None:
    _, name = come(light_app, light_store)
    script = "from dragoman.cli.main import main; main()"
    command = [sys.executable, "-c", script, "campaign", "payments", CAMPAIGN, "--db", str(tmp_path / "house.db")]
    told = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=True, text=True).stdout)
    asked = Client(light_app, "the-manager").get(f"/api/v1/campaigns/{CAMPAIGN}/payments").json()
    assert told == asked
    assert told["kind"] == "campaign-payments"
    ids = {row["annotator"]: (row["platform_id"], row["session_ids"]) for row in told["rows"]}
    assert ids[name] == (PID, SESSION)


@pytest.mark.parametrize(
    ("platform", "given", "session"),
    [
        ("prolific", {"PROLIFIC_PID": "p1", "STUDY_ID": "s", "SESSION_ID": "6633cc11"}, "6633cc11"),
        ("mturk", {"workerId": "A1", "assignmentId": "3LJ7UR74RH", "hitId": "h"}, "3LJ7UR74RH"),
        ("toloka", {"user_id": "u1", "assignment_id": "0001a2b3c4--5f", "pool_id": "7"}, "0001a2b3c4--5f"),
        ("other", {"worker": "w1", "session": "S-1"}, "S-1"),
        ("other", {"worker": "w2", "session": "${session}"}, None),
        ("prolific", {"PROLIFIC_PID": "p2"}, None),
        ("prolific", {"PROLIFIC_PID": "p3", "SESSION_ID": "a b"}, None),
    ],
)
def test_every_platform_names_what_it_pays(
    light_app: FastAPI, light_store: Store, platform: str, given: dict[str, str], session: str | None
) -> None:
    with light_store.write() as connection:
        made = make_invite(
            connection, secret=light_store.secret, address="http://x", actor=COMMAND_LINE, campaign=CAMPAIGN,
            platform=platform,
        )  # fmt: skip
    answer = Client(light_app).post(f"/api/v1/join/{made.token}", json={"parameters": given})
    assert answer.status_code == 200
    assert all(f"{name}=" in made.link for name in given)
    assert row_of(light_store, answer.json()["name"], paid=True)["session_ids"] == session
