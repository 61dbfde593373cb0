"""Invented judges at a running server: every protocol, over HTTP, with as much care as each has."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import DataError
from dragoman.human.manifest import read_manifest
from dragoman.human.protocol import PROTOCOLS
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.results import campaign_judgements, campaign_progress
from dragoman.store.judging.state import campaign_quality
from dragoman.store.people.accounts import find_user, list_users
from dragoman.store.refusals import Conflict
from dragoman.web import Settings, create_app
from dragoman.web.rehearsal import _running, simulate_at
from tests.web.client import Client
from tests.web.house import CAMPAIGN

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", PROTOCOLS.names())
def test_every_protocol_over_http(tmp_path: Path, name: str) -> None:
    manifest = read_manifest(EXAMPLES / name / "manifest.toml")
    store = Store(tmp_path / "empty.db")
    store.migrate()
    with store.write() as connection:
        create_campaign(connection, manifest, actor=COMMAND_LINE)
    n = max(3, manifest.protocol.redundancy + 1)
    if name == "comprehension":
        n = manifest.protocol.redundancy * len(manifest.test_set.systems)
    care = {f"judge-{k}": 0.0 if k == 0 else 1.0 for k in range(n)}
    with _running(store) as port:
        done = simulate_at(store, f"http://127.0.0.1:{port}", manifest.name, care)
        again = simulate_at(store, f"http://127.0.0.1:{port}", manifest.name, care)
    assert sum(again.given.values()) == 0, "nothing is left to answer"
    with store.read() as connection:
        progress = campaign_progress(connection, manifest.name)
        told = campaign_judgements(connection, manifest.name)
        platforms = {row["name"]: row["platform"] for row in list_users(connection).to_dict()["rows"]}
        quality = campaign_quality(connection, manifest.name)
    assert progress.copies[:2] == (0, 0), "everything is judged"
    assert sum(done.given.values()) >= progress.items
    assert set(told["annotator"]) <= set(care)
    assert {platforms[judge] for judge in care} == {"simulated"}
    assert not {judge for judge, own in care.items() if own} & set(quality.careless)
    store.close()


def test_persons_are_never_played(light_store: Store) -> None:
    with _running(light_store) as port:
        address = f"http://127.0.0.1:{port}"
        with pytest.raises(Conflict, match="ada is a person's account"):
            simulate_at(light_store, address, CAMPAIGN, {"new-one": 1.0, "ada": 1.0})
        with light_store.read() as connection, pytest.raises(LookupError):
            find_user(connection, "new-one")  # nothing is left of what failed
        assert Client(create_app(light_store, Settings()), "ada").get("/api/v1/session").status_code == 200
    with pytest.raises(DataError, match=r"No server of Dragoman's answers at http://127\.0\.0\.1:1/api/v1"):
        simulate_at(light_store, "http://127.0.0.1:1", CAMPAIGN, {"new-one": 1.0})
