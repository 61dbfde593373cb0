"""The annotators' interface: work, items, answers; dealing and leases."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.human.manifest import read_manifest
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.columns import now
from dragoman.store.judging.campaigns import create_campaign, set_state, update_campaign
from dragoman.store.judging.membership import add_member, exclude, include
from dragoman.store.judging.results import analyse_campaign, campaign_judgements, campaign_progress
from dragoman.store.people.accounts import add_user
from tests.human.protocol_examples import EXAMPLES
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN
from tests.web.judges import fill_campaign

BASE = f"/api/v1/campaigns/{CAMPAIGN}"


def event(item: str, score: object = 50, **more: Any) -> dict[str, Any]:
    return {"key": uuid.uuid4().hex, "item": item, "answer": {"score": score}, **more}


def save(client: Client, *events: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"{BASE}/answers", json={"events": list(events)})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def items_of(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"{BASE}/work").json()["items"]
    return found


def newcomer(store: Store, name: str, *, max_tasks: int | None = None) -> None:
    with store.write() as connection:
        add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)
        add_member(connection, CAMPAIGN, name, actor=COMMAND_LINE, max_tasks=max_tasks)


def test_a_planned_annotator_has_the_planned_tasks(app: FastAPI) -> None:
    work = Client(app, "ada").get(f"{BASE}/work").json()
    assert {key: work[key] for key in ("campaign", "protocol", "screen", "state", "languages", "code")} == {
        "campaign": CAMPAIGN,
        "protocol": "da",
        "screen": "da",
        "state": "open",
        "languages": {"source": "de", "target": "en"},
        "code": None,
    }
    assert work["progress"] == {"done": 0, "total": len(work["items"])}
    assert [item["position"] for item in work["items"][:20]] == list(range(1, 21))
    assert work["ask"]["high"] == 100


def test_an_answer_is_saved_once_and_corrections_are_revisions(app: FastAPI) -> None:
    client = Client(app, "ada")
    item = items_of(client)[0]["item"]
    first = event(item, 30, active_seconds=12.5, started="2026-11-15T10:00:00Z", ended="2026-11-15T10:00:12+02:00")
    told = save(client, first)
    assert told["saved"] == [{"key": first["key"], "item": item, "revision": 1}]
    assert told["refused"] == []
    assert save(client, first)["saved"] == told["saved"]
    assert save(client, {**first, "answer": {"score": 99}})["saved"] == told["saved"]  # the key's first answer holds
    second = event(item, 60)
    assert save(client, second)["saved"][0]["revision"] == 2
    shown = client.get(f"{BASE}/items/{item}").json()
    assert (shown["answer"], shown["revision"]) == ({"score": 60}, 2)
    assert [(each["answer"]["score"], each["active_seconds"]) for each in shown["history"]] == [(30, 12.5), (60, None)]
    assert save(client)["progress"]["done"] == 1


def test_a_wrong_answer_is_refused_by_name_and_the_others_saved(app: FastAPI) -> None:
    client = Client(app, "ada")
    one, two, three = (item["item"] for item in items_of(client)[:3])
    wrong, strange, right = event(one, 101), event("f00", 5), event(two, 5)
    odd = {**event(three), "answer": {"score": {"deep": [1]}}}
    told = save(client, wrong, strange, right, odd)
    assert [each["key"] for each in told["saved"]] == [right["key"]]
    assert {each["key"] for each in told["refused"]} == {wrong["key"], strange["key"], odd["key"]}
    assert "expected a number from 0 to 100" in told["refused"][0]["message"]
    assert "'f00' is none of yours" in told["refused"][1]["message"]
    text = json.dumps({"events": [event(one, float("nan"))]})
    answer = client.post(f"{BASE}/answers", content=text, headers={"Content-Type": "application/json"})
    assert "not finite" in answer.json()["refused"][0]["message"]


def test_two_events_of_one_batch(app: FastAPI) -> None:
    client = Client(app, "ada")
    item = items_of(client)[0]["item"]
    first, second = event(item, 1), event(item, 2)
    told = save(client, first, second, first)
    assert [each["revision"] for each in told["saved"]] == [1, 2, 1]


def test_next_walks_through_the_work_and_ends_with_a_code(app: FastAPI, store: Store) -> None:
    newcomer(store, "eve", max_tasks=1)
    client = Client(app, "eve")
    seen = []
    while (shown := client.get(f"{BASE}/next").json())["item"] is not None:
        assert set(shown["shown"]) == {"text", "reference"}
        assert (shown["answer"], shown["revision"], shown["history"]) == (None, 0, [])
        seen.append(shown["item"])
        save(client, event(shown["item"]))
    assert len(seen) == len(set(seen)) == 20
    assert len(shown["code"]) == 14
    assert shown["return_url"] is None
    with store.write() as connection:
        update_campaign(
            connection,
            CAMPAIGN,
            {"code": "C0DE", "return_url": "https://platform.example/done?cc={code}"},
            actor=COMMAND_LINE,
        )
    work = client.get(f"{BASE}/work").json()
    assert (work["code"], work["return_url"]) == ("C0DE", "https://platform.example/done?cc=C0DE")


def test_my_work_shows_the_task_in_hand(light_app: FastAPI) -> None:
    """`10 of 10 done` became `10 of 20 done` when the next task was taken."""
    client = Client(light_app, "ada")
    seen = []
    for _ in range(100):
        answer = client.get(f"{BASE}/work").json()
        waiting = [each for each in answer["items"] if not each["done"]]
        if not waiting:
            break
        (row,) = client.get("/home.json").json()["rows"]
        task = row["task"] or {"task": 1, "done": row["done"], "total": row["total"]}
        seen.append(tuple(task.values()))
        said = f"Task {task['task']}: {task['done']} of" if row["task"] else f"{task['done']} of {task['total']} done"
        assert said in client.get("/").text
        save(client, event(waiting[0]["item"]))
    numbers = list(dict.fromkeys(number for number, _, _ in seen))
    assert len(numbers) > 1
    assert numbers == list(range(1, len(numbers) + 1))
    for number in numbers:
        own = [(done, total) for task, done, total in seen if task == number]
        assert own == [(done, own[0][1]) for done in range(own[0][1])], "the total of a task stays"


def test_free_tasks_go_to_whoever_comes_first_copies_first(app: FastAPI, store: Store) -> None:
    """Chloe has no account: her tasks are free. Nobody gets a task that they have had."""
    newcomer(store, "eve")
    newcomer(store, "finn")
    with store.read() as connection:
        free = campaign_progress(connection, CAMPAIGN).copies[0]
    eve, finn = Client(app, "eve"), Client(app, "finn")
    tasks = {name: {item["task"] for item in items_of(client)} for name, client in (("eve", eve), ("finn", finn))}
    assert [len(own) for own in tasks.values()] == [1, 1]
    with store.read() as connection:
        assert campaign_progress(connection, CAMPAIGN).copies[0] == free - 2
    assert items_of(eve) == items_of(eve)  # asking again takes no further task
    for item in items_of(eve):
        save(eve, event(item["item"]))
    assert len({item["task"] for item in items_of(eve)}) == 2


def _expire(store: Store) -> None:
    with store.write() as connection:
        connection.execute(
            sa.update(tables.assignments)
            .where(tables.assignments.c.leased_until.is_not(None))
            .values(leased_until=now() - timedelta(minutes=1))
        )


def test_an_abandoned_task_returns_and_does_not_count_twice(app: FastAPI, store: Store) -> None:
    newcomer(store, "eve")
    eve = Client(app, "eve")
    item = items_of(eve)[0]
    save(eve, event(item["item"], 11))
    others = []
    for name in ("finn", "gus", "hal", "ida", "jo", "kim"):
        newcomer(store, name)
        client = Client(app, name)
        if items_of(client):
            others.append(client)
    with store.read() as connection:
        assert campaign_progress(connection, CAMPAIGN).copies[0] == 0
    newcomer(store, "late")
    late = Client(app, "late")
    assert items_of(late) == []
    _expire(store)
    save(others[0], event(items_of(others[0])[0]["item"], 5))  # who goes on working keeps the task
    _expire_only_eve(store)
    assert {each["task"] for each in items_of(late)} == {item["task"]}
    told = save(eve, event(item["item"], 12))
    assert "went back after it had lain too long" in told["refused"][0]["message"]
    assert eve.get(f"{BASE}/items/{item['item']}").status_code == 404
    save(late, event(item["item"], 13))
    with store.read() as connection:
        told_of = campaign_judgements(connection, CAMPAIGN).where(item=item["item"])
        held = connection.execute(
            sa.select(tables.assignments.c.task_id, tables.assignments.c.copy).where(
                tables.assignments.c.released.is_(None)
            )
        ).all()
    assert list(told_of["score"]) == [13]
    assert len(held) == len(set(held)) == 8


def _expire_only_eve(store: Store) -> None:
    a, u = tables.assignments.c, tables.users.c
    with store.write() as connection:
        eve = connection.scalar(sa.select(u.id).where(u.name == "eve"))
        for mine, shift in ((a.user_id == eve, -1), (a.user_id != eve, 60)):
            connection.execute(
                sa.update(tables.assignments)
                .where(mine, a.leased_until.is_not(None))
                .values(leased_until=now() + timedelta(minutes=shift))
            )


def test_paused_and_closed_campaigns_take_no_answers(app: FastAPI, store: Store) -> None:
    client = Client(app, "ada")
    item = items_of(client)[0]["item"]
    for state in ("paused", "closed"):
        with store.write() as connection:
            set_state(connection, CAMPAIGN, state, actor=COMMAND_LINE)
        assert client.get(f"{BASE}/work").json()["state"] == state
        assert f"The campaign is {state}" in save(client, event(item))["refused"][0]["message"]
    with store.write() as connection:
        set_state(connection, CAMPAIGN, "open", actor=COMMAND_LINE)
    assert save(client, event(item))["saved"]


def test_exclusion_is_a_mark(app: FastAPI, store: Store) -> None:
    client = Client(app, "ada")
    item = items_of(client)[0]["item"]
    save(client, event(item, 70))
    with store.write() as connection:
        assert exclude(connection, CAMPAIGN, "ada", actor=COMMAND_LINE, reason="clicks") == 0
    assert client.get(f"{BASE}/work").status_code == 403
    assert client.post(f"{BASE}/answers", json={"events": [event(item)]}).status_code == 403
    with store.read() as connection:
        assert len(campaign_judgements(connection, CAMPAIGN)) == 0
        assert len(campaign_judgements(connection, CAMPAIGN, excluded=True)) == 1
        row = campaign_progress(connection, CAMPAIGN).to_dict()["rows"][0]
        assert (row["annotator"], row["excluded"], row["reason"], row["judged"]) == ("ada", True, "clicks", 1)
    with store.write() as connection:
        include(connection, CAMPAIGN, "ada", actor=COMMAND_LINE)
    assert client.get(f"{BASE}/items/{item}").json()["answer"] == {"score": 70}
    with store.write() as connection:
        n_tasks = len({each["task"] for each in items_of(client)})
        assert exclude(connection, CAMPAIGN, "ada", actor=COMMAND_LINE, renew=True) == n_tasks
    with store.read() as connection:
        assert campaign_progress(connection, CAMPAIGN).copies[0] >= n_tasks


def test_qualified_people_only(app: FastAPI, store: Store) -> None:
    newcomer(store, "eve")
    with store.write() as connection:
        update_campaign(connection, CAMPAIGN, {"qualified": True}, actor=COMMAND_LINE)
    client, manager = Client(app, "eve"), Client(app, "the-manager")
    refused = client.get(f"{BASE}/work")
    assert refused.status_code == 403
    assert "qualified in English" in refused.json()["message"]
    assert manager.put("/api/v1/users/eve/languages", json={"languages": ["EN", "ger"]}).status_code == 200
    assert items_of(client)
    assert client.get("/api/v1/session").json()["languages"] == ["de", "en"]


def test_whoever_is_not_invited_learns_nothing(app: FastAPI) -> None:
    client = Client(app, "the-annotator")
    for path in ("work", "next", "items/abc"):
        strange = client.get(f"{BASE}/{path}")
        nothing = client.get(f"/api/v1/campaigns/nothing/{path}")
        assert (strange.status_code, nothing.status_code) == (404, 404)
        assert strange.json()["message"].replace(CAMPAIGN, "nothing") == nothing.json()["message"]


def test_a_late_account_with_a_planned_name_takes_its_seat(app: FastAPI, store: Store) -> None:
    with store.write() as connection:
        add_user(connection, "chloe", "annotator", PASSWORD, actor=COMMAND_LINE)
    client = Client(app, "chloe")
    with store.read() as connection:
        a = tables.assignments.c
        planned = connection.scalar(sa.select(sa.func.count()).where(a.seat == "chloe"))
    assert len({item["task"] for item in items_of(client)}) == planned
    with store.read() as connection:
        assert campaign_progress(connection, CAMPAIGN).copies[0] == 0


def test_judgements_tell_what_the_annotator_was_not_told(app: FastAPI, store: Store) -> None:
    client = Client(app, "ada")
    items = [item["item"] for item in items_of(client)]
    save(client, *(event(item, 40, active_seconds=3.5) for item in items))
    save(client, event(items[0], 90))
    with store.read() as connection:
        told = campaign_judgements(connection, CAMPAIGN)
    assert len(told) == len(items)
    assert set(told["annotator"]) == {"ada"}
    assert set(told["system"]) <= {"kestrel-nine", "wagtail-two", "reference"} | set(told["system"])
    assert {"TGT", "BAD"} <= set(told["type"])
    assert list(told.where(item=items[0])["score"]) == [90]
    assert list(told.where(item=items[1])["seconds"]) == [3.5]


@pytest.mark.parametrize(
    "body",
    [
        {"events": [{"key": "a b", "item": "x", "answer": {}}]},
        {"events": [{"key": "a", "item": "x", "answer": []}]},
        {"events": [{"key": "a", "item": "x\x00", "answer": {}}]},
        {"events": [{"key": "a", "item": "x", "answer": {}, "active_seconds": -1}]},
        {"events": [{"key": "a", "item": "x", "answer": {}, "started": "yesterday"}]},
        {"events": [{"key": "a", "item": "x", "answer": {}, "system": "mine"}]},
        {"events": [{"key": str(n), "item": "x", "answer": {}} for n in range(501)]},
        {},
    ],
)
def test_malformed_requests_are_named(light_app: FastAPI, body: dict[str, Any]) -> None:
    answer = Client(light_app, "ada").post(f"{BASE}/answers", json=body)
    assert answer.status_code == 422
    assert answer.json()["kind"] == "DataError"
    assert answer.json()["message"].startswith("body.")


def test_nobody_hears_a_passage_twice(light_store: Store, light_app: FastAPI) -> None:
    """Sessions of a comprehension test share passages, not items: who has had one gets no other, released or not."""
    manifest = read_manifest(EXAMPLES / "comprehension" / "manifest.toml")
    with light_store.write() as connection:
        create_campaign(connection, manifest, actor=COMMAND_LINE)
        add_user(connection, "zoe", "annotator", PASSWORD, actor=COMMAND_LINE)
        add_member(connection, manifest.name, "zoe", actor=COMMAND_LINE)
    fill_campaign(light_app, light_store, manifest.name, {"zoe": 1.0})
    with light_store.read() as connection:
        assert [row[1] for row in campaign_progress(connection, manifest.name).annotators] == [1]
        assert analyse_campaign(connection, manifest.name).tables()
    with light_store.write() as connection:
        exclude(connection, manifest.name, "zoe", actor=COMMAND_LINE, renew=True)
        include(connection, manifest.name, "zoe", actor=COMMAND_LINE)
    assert Client(light_app, "zoe").get(f"/api/v1/campaigns/{manifest.name}/work").json()["items"] == []
