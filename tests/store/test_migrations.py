"""Databases of earlier shapes: what was in them is there afterwards, and can be told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE, list_audit
from dragoman.store.judging.payments import campaign_payments
from dragoman.store.people import accounts, sessions
from dragoman.store.people.passwords import hash_password
from dragoman.store.refusals import Conflict
from dragoman.store.shape import MIGRATIONS
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD, Client

AT = "2026-01-01T00:00:00.000000Z"
_CAMPAIGN = {
    "title": "",
    "instructions": "",
    "protocol": "da",
    "options": "{}",
    "seed": 1,
    "state": "open",
    "lease_minutes": 60,
    "code": "",
    "qualified": False,
    "dynamic": False,
    "about": "{}",
    "created": AT,
    "revision": 0,
}


@pytest.fixture(params=["sqlite", "postgresql"])
def bare(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A database without any shape."""
    if request.param == "sqlite":
        return Store(tmp_path / "old.db")
    cluster = request.getfixturevalue("cluster")
    return Store(cluster.url(cluster.make()))


def bring_to(store: Store, revision: str) -> None:
    """The shape that an earlier Dragoman gave it."""
    with store.write() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def put(store: Store, table: str, **values: Any) -> None:
    """A row, as earlier code wrote it."""
    with store.write() as connection:
        connection.execute(sa.insert(sa.table(table, *map(sa.column, values))).values(**values))


def put_user(store: Store, name: str, *, platform: dict[str, str] | None = None, role: str = "annotator") -> None:
    password = None if platform else hash_password(PASSWORD).value
    said = None if platform is None else json.dumps(platform)
    put(store, "users", name=name, role=role, password=password, platform=said, created=AT)


def test_names_that_are_alike_stay_and_no_third_can_come(bare: Store) -> None:
    bring_to(bare, "0003")
    for name in ("Élodie", "élodie", "ada"):
        put_user(bare, name)
    assert bare.migrate()[0] == "0003"
    for name in ("Élodie", "élodie", "ada"):  # each with the own password, as before
        session = sessions.log_in(bare, name, PASSWORD, address="10.0.0.1", tries=9, hours=1, request="r")
        assert session.user.name == name
    with bare.read() as connection:
        keys = {row.name: row.key for row in connection.execute(sa.select(tables.users))}
        (entry,) = list_audit(connection, subject="user élodie").entries[-1:]
    assert (keys["ada"], keys["Élodie"], keys["élodie"]) == ("ada", "élodie", "élodie#2")
    assert entry[1:5] == ("(migration)", "names alike", "user élodie", "like=Élodie")
    with pytest.raises(Conflict), bare.write() as connection:
        accounts.add_user(connection, "ÉLODIE", "annotator", PASSWORD, actor=COMMAND_LINE)
    bare.close()


def test_workers_are_found_again_and_whoever_took_a_name_is_not_taken_for_one(bare: Store) -> None:
    bring_to(bare, "0003")
    put_user(bare, "root", role="admin")
    put_user(bare, "prolific-4d9f6b2c1a00", platform={"platform": "prolific", "worker": "A1", "STUDY_ID": "s"})
    put_user(bare, "prolific-b3a8e0e1f9ab", platform={"platform": "archive"})
    put_user(bare, "mturk-000000000000")  # with a password: somebody who chose the name
    bare.migrate()
    with bare.read() as connection:
        rows = connection.execute(sa.select(tables.users.c.name, tables.users.c.crowd, tables.users.c.worker)).all()
    assert {tuple(row) for row in rows} == {
        ("root", None, None),
        ("prolific-4d9f6b2c1a00", "prolific", "A1"),
        ("prolific-b3a8e0e1f9ab", None, None),
        ("mturk-000000000000", None, None),
    }
    bare.close()


def test_links_that_earlier_starts_printed_are_void(bare: Store) -> None:
    """Of an earlier version, too; an invitation that somebody made on purpose stays good."""
    bring_to(bare, "0003")
    row = {"role": "admin", "uses": 0, "languages": "[]", "created": AT, "expires": "2099" + AT[4:]}
    put(bare, "invites", max_uses=1, **row)
    put(bare, "invites", max_uses=None, **row)
    for number in (1, 2):
        details = json.dumps({"role": "admin", "invite": number})
        put(bare, "audit", at=AT, who="(command line)", action="invite made", subject="house", details=details)
    put_user(bare, "root", role="admin")
    bare.migrate()
    with bare.read() as connection:
        first = list(connection.scalars(sa.select(tables.invites.c.first).order_by(tables.invites.c.id)))
    assert first == [True, False]
    assert Client(create_app(bare, Settings()), "root").get("/health").status_code == 200
    bare.close()


def test_the_audit_log_says_who_manages_the_campaigns_of_an_old_database(bare: Store) -> None:
    """Managers keep what they made or restored; what others made stays with the admins."""
    bring_to(bare, "0004")
    for name, role in (("mia", "manager"), ("max", "manager"), ("root", "admin"), ("ada", "annotator")):
        put(bare, "users", name=name, key=name, role=role, password=hash_password(PASSWORD).value, created=AT)
    names = ("birds", "fish", "trees", "stones", "birds-2")
    for name in names:
        put(bare, "campaigns", name=name, **_CAMPAIGN)
    log = (
        ("mia", "campaign created", "campaign birds", 1),
        ("mia", "campaign restored", "campaign birds", 2),
        ("max", "campaign opened", "campaign birds", 3),  # acted on it, did not make it
        ("max", "campaign restored", "campaign fish", 4),
        ("root", "campaign created", "campaign trees", 5),
        ("(command line)", "campaign created", "campaign stones", 6),
        ("ada", "campaign created", "campaign stones", 7),  # no manager any more
        ("gone", "campaign created", "campaign birds-2", 8),
        ("mia", "campaign created", "campaign lost", 9),
    )
    for who, action, subject, second in log:
        put(bare, "audit", at=f"{AT[:18]}{second}{AT[19:]}", who=who, action=action, subject=subject, details="{}")
    assert bare.migrate()[0] == "0004"
    with bare.read() as connection:
        query = (
            sa.select(tables.campaigns.c.name, tables.users.c.name, sa.cast(tables.managers.c.since, sa.String))
            .join_from(tables.managers, tables.campaigns, tables.campaigns.c.id == tables.managers.c.campaign_id)
            .join(tables.users, tables.users.c.id == tables.managers.c.user_id)
        )
        found = {tuple(row) for row in connection.execute(query)}
    assert found == {("birds", "mia", f"{AT[:18]}1{AT[19:]}"), ("fish", "max", f"{AT[:18]}4{AT[19:]}")}
    app = create_app(bare, Settings(own_campaigns=True))
    for name, own in (("mia", {"birds"}), ("max", {"fish"}), ("root", set(names))):
        listed = Client(app, name).get("/api/v1/campaigns").json()["rows"]
        assert {row["name"] for row in listed} == own
    bare.close()


def test_sessions_of_earlier_workers_are_of_the_campaign_they_came_to_first(bare: Store) -> None:
    """The account kept what the platform said at the first arrival; of later ones nothing was kept."""
    bring_to(bare, "0013")
    for name in ("birds", "fish"):
        put(bare, "campaigns", name=name, **_CAMPAIGN)
    said = {
        "prolific": {"STUDY_ID": "s", "SESSION_ID": "6633cc11"},
        "mturk": {"assignmentId": "3LJ7"},
        "toloka": {"assignment_id": "two words"},
        "other": {},
    }
    for number, (platform, given) in enumerate(said.items(), 1):
        told = json.dumps({"platform": platform, "worker": "w", **given})
        values = {"name": platform, "key": platform, "role": "annotator", "platform": told, "created": AT}
        put(bare, "users", crowd=platform, worker="w", **values)
        for campaign, day in ((1, "02"), (2, "01")):
            put(bare, "members", campaign_id=campaign, user_id=number, joined=AT.replace("-01T", f"-{day}T"))
    put(bare, "users", name="ada", key="ada", role="annotator", password="x", created=AT)
    assert bare.migrate()[0] == "0013"
    with bare.read() as connection:
        paid = {name: campaign_payments(connection, name).to_dict()["rows"] for name in ("birds", "fish")}
    found = {name: {row["annotator"]: row["session_ids"] for row in rows} for name, rows in paid.items()}
    assert found["birds"] == dict.fromkeys(said)
    assert found["fish"] == {"prolific": "6633cc11", "mturk": "3LJ7", "toloka": None, "other": None}
    bare.close()
