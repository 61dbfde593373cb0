"""Two servers of processes of their own on one PostgreSQL database: started at once, they are as one to people."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from dragoman.cat.projects import import_file, new_project
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.people.sessions import COOKIE, Session, open_session
from dragoman.store.translating.jobs import add_job
from tests.web.client import PASSWORD
from tests.web.databases import Cluster
from tests.web.running import Running

connect = pytest.importorskip("websockets.sync.client").connect


@pytest.fixture(scope="module")
def servers(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Running, Running]]:
    """The database, which was empty when both servers started at once, and the servers."""
    folder = tmp_path_factory.mktemp("servers")
    db = cluster.url(cluster.make())
    made: dict[int, Running] = {}

    def start(number: int) -> None:
        made[number] = Running(db, "--requests-per-minute", "5", log=folder / f"{number}.log")

    threads = [threading.Thread(target=start, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(made) == {0, 1}, [path.read_text() for path in folder.glob("*.log")]
    with made[0] as one, made[1] as other:
        yield db, one, other


@pytest.fixture(scope="module")
def work(servers: tuple[str, Running, Running]) -> tuple[int, list[Session], int]:
    """A project, two translators who are signed in, and its first segment."""
    store = Store(servers[0])
    with store.write() as connection:
        project = new_project(connection, "p", "de", "en", actor=COMMAND_LINE)
        import_file(connection, project, "a.txt", b"Eins.\nZwei.\n", actor=COMMAND_LINE)
        for name in ("ada", "ben"):
            add_user(connection, name, "annotator", None, actor=COMMAND_LINE)
            add_job(connection, project.id, name, actor=COMMAND_LINE, first=1, last=2)
        sessions = [open_session(connection, find_user(connection, name), hours=1) for name in ("ada", "ben")]
    store.close()
    with browser(servers[1], sessions[0]) as client:
        segments = client.get(f"/api/v1/cat/projects/{project.id}/segments").json()["segments"]
    return project.id, sessions, segments[0]["id"]


def browser(server: Running, session: Session) -> httpx.Client:
    headers = {"Cookie": f"{COOKIE}={session.token}", "X-CSRF-Token": session.csrf}
    return httpx.Client(base_url=server.address, headers=headers, timeout=60)


def socket_of(server: Running, session: Session, project: int) -> Any:
    return connect(
        server.address.replace("http", "ws") + f"/cat/projects/{project}/socket",
        origin=server.address,
        additional_headers={"Cookie": f"{COOKIE}={session.token}"},
    )


def heard(socket: Any, name: str) -> dict[str, Any]:
    """The next message of a name."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if message["name"] == name:
            return message


def test_one_brought_the_database_up_to_date_and_both_serve(servers: tuple[str, Running, Running]) -> None:
    _, one, other = servers
    before = {each.opening["before"] is None for each in (one, other)}
    assert before == {True, False}, "one made the tables, the other found them"
    assert one.opening["after"] == other.opening["after"]


def test_both_print_one_link_for_the_first_admin(servers: tuple[str, Running, Running]) -> None:
    """The link of either makes the admin at either, once."""
    links = [each.opening["first_admin"] for each in servers[1:]]
    assert [link.partition("/join/")[0] for link in links] == [each.address for each in servers[1:]]
    tokens = [link.rpartition("/")[2] for link in links]
    assert tokens[0] == tokens[1]
    person = {"name": "root", "password": PASSWORD}
    statuses = [
        httpx.post(f"{each.address}/api/v1/join/{tokens[0]}", json=person, timeout=60).status_code
        for each in reversed(servers[1:])
    ]
    assert statuses == [200, 404]


def test_locks_and_changes_are_heard_at_the_other_server(
    servers: tuple[str, Running, Running], work: tuple[int, list[Session], int]
) -> None:
    _, one, other = servers
    project, (ada, ben), segment = work
    with socket_of(one, ada, project) as hers, socket_of(other, ben, project) as his:
        hers.send(json.dumps({"id": 1, "name": "open", "data": {"segment": segment}}))
        assert heard(hers, "openResult")["data"]["locked"]
        his.send(json.dumps({"id": 2, "name": "open", "data": {"segment": segment}}))
        told = heard(his, "openResult")["data"]
        assert (told["locked"], told["holder"]) == (False, "ada")
        change = {"key": "k1", "segment": segment, "revision": 0, "target": "One.", "state": "translated"}
        with browser(one, ada) as client:
            saved = client.post(f"/api/v1/cat/projects/{project}/changes", json={"changes": [change]})
            assert saved.json()["outcomes"][0]["saved"]
        assert "One." in json.dumps(heard(his, "changed")["data"])
    with browser(other, ada) as client:  # sent again, to the other: saved once
        again = client.post(f"/api/v1/cat/projects/{project}/changes", json={"changes": [change]})
        assert again.json()["outcomes"][0]["revision"] == 1


def test_limits_count_at_both(servers: tuple[str, Running, Running], work: tuple[int, list[Session], int]) -> None:
    _, one, other = servers
    project, (_, ben), _ = work
    statuses = []
    for number in range(12):
        with browser((one, other)[number % 2], ben) as client:
            statuses.append(client.put(f"/api/v1/cat/projects/{project}/consent", json={"given": True}).status_code)
    assert statuses[:5] == [200] * 5 or 429 in statuses
    assert statuses.count(200) <= 10, "five in each of at most two windows of a minute"
    assert 429 in statuses
