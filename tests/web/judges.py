"""Invented judges who speak the interface: they fill campaigns of tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dragoman.human.draws import Draws
from dragoman.store import Store
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.state import plan_of
from tests.web.client import Client

__all__ = ["answer_all", "fill_campaign"]


def fill_campaign(app: Any, store: Store, name: str, care: Mapping[str, float], *, tasks: int = 100) -> None:
    """Let people answer all that they get, up to a number of tasks each."""
    for person, own in care.items():
        answer_all(Client(app, person), store, name, person, own, tasks=tasks)


def answer_all(client: Client, store: Store, name: str, person: str, own: float, *, tasks: int = 100) -> None:
    """Let one person, who signed in, answer what they get, up to a number of tasks."""
    with store.read() as connection:
        campaign = find_campaign(connection, name)
        items = {item.id: item for task in plan_of(connection, campaign).values() for item in task.items}
    for _ in range(tasks):
        work = client.get(f"/api/v1/campaigns/{name}/work").json()
        waiting = [each["item"] for each in work["items"] if not each["done"]]
        if not waiting:
            break
        events = []
        for item in waiting[:500]:
            said = campaign.protocol.simulate(items[item], Draws(1, f"{person} {item}"), own)
            seconds = said.pop("seconds", 10.0)
            events.append({"key": f"k-{item}", "item": item, "answer": said, "active_seconds": seconds})
        answer = client.post(f"/api/v1/campaigns/{name}/answers", json={"events": events})
        assert answer.status_code == 200, answer.text
        assert answer.json()["refused"] == []
