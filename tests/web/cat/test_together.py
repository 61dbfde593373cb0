"""Two people at a real server with several workers: what one changes the other hears of, whichever worker each has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.web.cat.conftest import API, make_key
from tests.web.cat.test_kills import prepare
from tests.web.running import Running
from tests.web.test_cuts import signed_in

client_of = pytest.importorskip("websockets.sync.client")
PATIENCE = 60  # seconds


@contextmanager
def socket_of(server: Running, client: httpx.Client, project: int) -> Iterator[Any]:
    cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
    address = server.address.replace("http", "ws", 1) + f"/cat/projects/{project}/socket"
    headers = {"Cookie": cookies}
    with client_of.connect(address, origin=server.address, additional_headers=headers, open_timeout=60) as socket:
        yield socket


def hear(socket: Any, name: str) -> dict[str, Any]:
    while True:
        message = json.loads(socket.recv(timeout=PATIENCE))
        if message["name"] == name:
            return dict(message["data"])


def test_changes_reach_everybody(database: str, tmp_path: Path) -> None:
    project = prepare(database)
    base = f"{API}/projects/{project}"
    with (
        Running(database, "--workers", "2", log=tmp_path / "log.txt") as server,
        signed_in(server.address, "ada") as ada,
        signed_in(server.address, "ben") as ben,
    ):
        row = ada.get(f"{base}/segments").json()["segments"][0]
        with socket_of(server, ada, project) as one, socket_of(server, ben, project) as two:
            for socket in (one, two):  # they have heard where the log ends
                while {each["user"] for each in hear(socket, "presence")["people"]} != {"ada", "ben"}:
                    pass
            change = {"key": make_key(), "segment": row["id"], "revision": 0, "target": "The dog."}
            for client in (ada, ben, ada, ben):  # requests fall to both workers
                assert client.get(base).status_code == 200
            assert ada.post(f"{base}/changes", json={"changes": [change]}).json()["outcomes"][0]["saved"]
            for socket in (one, two):
                heard = hear(socket, "changed")
                assert (heard["user"], heard["target"], heard["revision"]) == ("ada", "The dog.", 1)
        assert server.stop() == 0
