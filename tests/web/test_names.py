"""Names in archives: whoever has a name in one is nobody here, whatever its capitals."""

from __future__ import annotations

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.archive import write_archive
from dragoman.store.judging.membership import add_member
from dragoman.store.judging.restoring import restore_archive
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.people.invites import make_invite
from dragoman.web import create_app
from tests.web.client import PASSWORD, Client
from tests.web.conftest import PATIENT
from tests.web.house import CAMPAIGN


def test_an_archive_comes_back_where_a_name_has_other_capitals(store: Store) -> None:
    with store.write() as connection:
        add_user(connection, "Élodie", "annotator", PASSWORD, actor=COMMAND_LINE)
        add_member(connection, CAMPAIGN, "Élodie", actor=COMMAND_LINE)
        content = write_archive(connection, CAMPAIGN)
    done = restore_archive(store, content, actor=COMMAND_LINE, name="twin")
    assert done.people["Élodie"] == "Élodie-archived"


def test_a_worker_never_lands_in_an_account_from_an_archive(light_store: Store) -> None:
    """A crowd worker keeps the name in an archive, so that it restores to itself; the account is nobody's."""
    name = "prolific-0123456789ab"
    with light_store.write() as connection:
        invite = make_invite(
            connection,
            secret=light_store.secret,
            address="",
            actor=COMMAND_LINE,
            campaign=CAMPAIGN,
            platform="prolific",
        )
        add_user(connection, name, "annotator", None, actor=COMMAND_LINE, platform={"platform": "archive"})
        add_member(connection, CAMPAIGN, name, actor=COMMAND_LINE)
        content = write_archive(connection, CAMPAIGN)
    restored = restore_archive(light_store, content, actor=COMMAND_LINE, name="twin").people[name]
    client = Client(create_app(light_store, PATIENT))
    joined = client.post(f"/api/v1/join/{invite.token}", json={"parameters": {"PROLIFIC_PID": "5f00aa"}}).json()
    assert joined["name"] not in (name, restored)
    with light_store.read() as connection:
        assert find_user(connection, joined["name"]).id > find_user(connection, restored).id
