"""What an annotator sees: the work, its items, the end of it. Nothing here tells of systems or of other people."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import sqlalchemy as sa

from dragoman.human.completion import completion_code
from dragoman.store import tables
from dragoman.store.database import Store
from dragoman.store.judging.campaigns import Campaign, find_campaign
from dragoman.store.judging.dealing import claim_task, lock_campaign, seat_people
from dragoman.store.judging.held import HELD, HELD_ONE, OWN, campaign_of
from dragoman.store.judging.state import choose_task, live_quality
from dragoman.store.people.accounts import User, languages_of
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.text.languages import language_name

__all__ = ["get_item", "get_media", "get_work", "my_campaigns", "next_item"]

_A = tables.assignments.c
_I = tables.items.c
_S = tables.answers.c
_T = tables.tasks.c


_ITEMS = (
    sa.select(_I.name, _T.name.label("task"), _I.position, _S.revision.label("said"))
    .join(tables.assignments, _A.task_id == _I.task_id)
    .join(tables.tasks, _T.id == _I.task_id)
    .outerjoin(tables.answers, (_S.assignment_id == _A.id) & (_S.item_id == _I.id) & (_S.revision == 1))
    .where(OWN)
    .order_by(_A.taken, _T.place, _I.position)
)
_TOLD = (
    sa.select(tables.answers)
    .where(_S.assignment_id == sa.bindparam("assignment"), _S.item_id == sa.bindparam("item"))
    .order_by(_S.revision)
)
_N_ITEMS = sa.select(sa.func.count()).where(_I.task_id == sa.bindparam("task"))


def get_work(store: Store, name: str, user: User) -> dict[str, Any]:
    """What somebody has to do in a campaign; whoever has nothing open gets the next task."""
    campaign, items = _claimed(store, name, user)
    progress = {"done": sum(item["done"] for item in items), "total": len(items)}
    return {
        "campaign": campaign.name,
        "title": campaign.title,
        "state": campaign.state,
        "protocol": campaign.protocol.name,
        "screen": campaign.protocol.screen,
        "ask": campaign.protocol.ask(),
        "instructions": campaign.instructions,
        "languages": {"source": campaign.source_lang, "target": campaign.target_lang},
        "progress": progress,
        "items": items,
        **_farewell(store, campaign, user, items),
    }


def next_item(store: Store, name: str, user: User) -> dict[str, Any]:
    """The first item that has no answer yet, or none and the completion code."""
    campaign, items = _claimed(store, name, user)
    for item in items:
        if not item["done"]:
            return get_item(store, name, item["item"], user)
    return {"item": None, **_farewell(store, campaign, user, items)}


def get_item(store: Store, name: str, item: str, user: User) -> dict[str, Any]:
    """An item of one's own, with one's own answers to it."""
    with store.read() as connection:
        campaign = campaign_of(connection, name, user)
        row = connection.execute(HELD_ONE, {"campaign": campaign.id, "user": user.id, "item": item}).first()
        if row is None:
            raise NotFound(f"The item {item!r} is none of yours in this campaign.")
        n_items = connection.scalar(_N_ITEMS, {"task": row.task_id})
        answers = connection.execute(_TOLD, {"assignment": row.assignment_id, "item": row.id}).all()
    history = [
        {
            "revision": each.revision,
            "answer": each.answer,
            "active_seconds": each.active_seconds,
            "received": each.received.isoformat(),
        }
        for each in answers
    ]
    return {
        "item": row.name,
        "task": row.task,
        "position": row.position,
        "n_items": n_items,
        "shown": row.shown,
        "answer": answers[-1].answer if answers else None,
        "revision": len(answers),
        "history": history,
    }


def get_media(store: Store, name: str, media: str, user: User) -> tuple[str, bytes]:
    """A file that an item of one's own plays or shows: its type and content."""
    with store.read() as connection:
        campaign = campaign_of(connection, name, user)
        mine = {"campaign": campaign.id, "user": user.id}
        played = (row.hidden.get("media", {}) for row in connection.execute(HELD, mine))
        digest = next((files[media] for files in played if media in files), None)
        file = connection.execute(
            sa.select(tables.media).where(tables.media.c.campaign_id == campaign.id, tables.media.c.digest == digest)
        ).first()
    if file is None:
        raise NotFound(f"None of your items in this campaign plays a file called {media!r}.")
    return file.media_type, file.content


def my_campaigns(store: Store, user: User, opened: Collection[int] | None = None) -> list[dict[str, Any]]:
    """The campaigns in which somebody takes part, with how far they are; of them those that were `opened`, if said."""
    with store.read() as connection:
        rows = connection.execute(
            sa.select(tables.campaigns)
            .join(tables.members, tables.members.c.campaign_id == tables.campaigns.c.id)
            .where(tables.members.c.user_id == user.id, tables.members.c.excluded.is_(None))
            .where(sa.true() if opened is None else tables.campaigns.c.id.in_(opened))
            .order_by(tables.campaigns.c.id.desc())
        ).all()
        campaigns = []
        for row in rows:
            campaign = Campaign.of(row)
            items = _items(connection, campaign, user)
            campaigns.append(
                {
                    "name": campaign.name,
                    "title": campaign.title,
                    "protocol": campaign.protocol.name,
                    "state": campaign.state,
                    "source": campaign.source_lang,
                    "target": campaign.target_lang,
                    "done": sum(item["done"] for item in items),
                    "total": len(items),
                    "task": _in_hand(items),
                }
            )
    return campaigns


def _in_hand(items: list[dict[str, Any]]) -> dict[str, int] | None:
    """Number, done and total of the task in hand, of several: a total of all would grow whenever one is taken."""
    tasks = list(dict.fromkeys(item["task"] for item in items))
    if len(tasks) < 2:
        return None
    task = next((item["task"] for item in items if not item["done"]), tasks[-1])
    own = [item["done"] for item in items if item["task"] == task]
    return {"task": tasks.index(task) + 1, "done": sum(own), "total": len(own)}


def _items(connection: sa.Connection, campaign: Campaign, user: User) -> list[dict[str, Any]]:
    """Somebody's items in the order of the work."""
    rows = connection.execute(_ITEMS, {"campaign": campaign.id, "user": user.id})
    return [
        {"item": name, "task": task, "position": position, "done": answer is not None}
        for name, task, position, answer in rows
    ]


def _claimed(store: Store, name: str, user: User) -> tuple[Campaign, list[dict[str, Any]]]:
    """The campaign and the person's items; a task is claimed if nothing is open."""
    with store.read() as connection:
        campaign = _joined(connection, name, user)
        items = [] if campaign is None else _items(connection, campaign, user)
    if campaign is not None and (campaign.state != "open" or any(not item["done"] for item in items)):
        return campaign, items
    with store.write() as connection:
        if campaign is None:
            _take_seat(connection, name, user)
        campaign = campaign_of(connection, name, user)
        lock_campaign(connection, campaign.id)
        items = _items(connection, campaign, user)
        # Another window of the same person may have claimed in between.
        if not any(not item["done"] for item in items) and campaign.state == "open":
            _check_languages(connection, campaign, user)
            choose = partial(choose_task, connection, name, user.name) if campaign.dynamic else None
            claim_task(
                connection,
                campaign.id,
                user,
                lease_minutes=campaign.lease_minutes,
                choose=choose,
                most=campaign.protocol.most_tasks,
            )
            items = _items(connection, campaign, user)
    return campaign, items


def _check_languages(connection: sa.Connection, campaign: Campaign, user: User) -> None:
    target = campaign.target_lang
    if not campaign.qualified or target is None:
        return
    own = languages_of(connection, user)
    if not any(target == language or target.startswith(f"{language}-") for language in own):
        raise NotAllowed(
            f"This campaign is for people qualified in {language_name(target)}. Ask the organisers to enter yours."
        )


def _joined(connection: sa.Connection, name: str, user: User) -> Campaign | None:
    """The campaign, or None for somebody whose seat in it waits."""
    try:
        return campaign_of(connection, name, user)
    except NotFound:
        if user.role != "annotator":
            raise
        seat = (
            sa.select(_A.id)
            .join(tables.campaigns, tables.campaigns.c.id == _A.campaign_id)
            .where(tables.campaigns.c.name == name, _A.seat == user.name, _A.user_id.is_(None))
        )
        if connection.scalar(seat.limit(1)) is None:
            raise
        return None


def _take_seat(connection: sa.Connection, name: str, user: User) -> None:
    campaign = find_campaign(connection, name)
    if campaign.state == "closed":
        raise Conflict("The campaign is closed.")
    lock_campaign(connection, campaign.id)
    seat_people(connection, campaign.id, user.id)


def _farewell(store: Store, campaign: Campaign, user: User, items: list[dict[str, Any]]) -> dict[str, Any]:
    """The completion code, and where to take it, once all is done."""
    if not items or not all(item["done"] for item in items):
        return {"code": None, "return_url": None}
    code = campaign.code
    if not code:
        # Not the same for all, so that one person cannot pass it on to another; who was careless gets another one.
        with store.read() as connection:
            careless = live_quality(connection, campaign.name).careless
        code = completion_code(campaign.name, user.name, secret=store.secret, passed=user.name not in careless)
    address = campaign.return_url
    return {"code": code, "return_url": address.replace("{code}", code) if address else None}
