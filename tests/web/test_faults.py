"""PostgreSQL restarted, the disk full: what was confirmed is there, once; the rest is said."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from dragoman.web import Settings, Store, create_app, tables
from tests.web.client import Client
from tests.web.databases import Cluster
from tests.web.house import CAMPAIGN

BASE = f"/api/v1/campaigns/{CAMPAIGN}"


def keys_in(store: Store) -> list[str]:
    with store.read() as connection:
        return sorted(connection.scalars(sa.select(tables.answers.c.key)))


def test_postgresql_restarted(cluster: Cluster, postgres_template: str) -> None:
    store = Store(cluster.url(cluster.make(postgres_template)))
    client = Client(create_app(store, Settings()), "ada")
    items = [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]

    def send(key: str) -> Any:
        event = {"key": key, "item": items[0], "answer": {"score": 5}}
        return client.post(f"{BASE}/answers", json={"events": [event]})

    assert send("a").status_code == 200
    cluster.stop("immediate")
    try:
        away = send("b")
        assert (away.status_code, away.json()["kind"]) == (503, "Unavailable")
        assert client.get("/health").status_code == 503
    finally:
        cluster.start()
    assert send("b").json()["saved"][0]["revision"] == 2
    assert send("a").json()["saved"][0]["revision"] == 1
    assert keys_in(store) == ["a", "b"]
    store.close()


def test_the_disk_is_full(light_store: Store) -> None:
    client = Client(create_app(light_store, Settings(requests_per_minute=10**6)), "ada")
    items = [item["item"] for item in client.get(f"{BASE}/work").json()["items"]]
    with light_store.read() as connection:
        size = int(connection.scalar(sa.text("PRAGMA page_count")) or 0)
    limit = [size]

    def cramp(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {limit[0]}")

    sa.event.listen(light_store.engine, "connect", cramp)
    light_store.close()  # connections that are opened from now on find no room
    saved, refused = [], []
    for n in range(400):
        events = [{"key": f"k{n}.{m}", "item": item, "answer": {"score": n % 100}} for m, item in enumerate(items[:40])]
        answer = client.post(f"{BASE}/answers", json={"events": events})
        if answer.status_code == 503:
            refused = events
            break
        saved += [each["key"] for each in answer.json()["saved"]]
    else:
        pytest.fail("the disk was never full")
    assert "Nothing was saved" in answer.json()["message"]
    assert keys_in(light_store) == sorted(saved)
    limit[0] = size + 10_000
    light_store.close()
    again = client.post(f"{BASE}/answers", json={"events": refused}).json()
    saved += [each["key"] for each in again["saved"]]
    assert keys_in(light_store) == sorted(saved)
