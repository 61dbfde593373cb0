"""What an annotator does: see the work, open an item, answer. Nothing here tells of systems or of other people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.human.completion import completion_code
from dragoman.store import tables, throttle
from dragoman.store.columns import Moment, now
from dragoman.store.database import Store
from dragoman.store.judging.campaigns import Campaign, find_campaign, item_of_row
from dragoman.store.judging.dealing import claim_task, lock_campaign, seat_people
from dragoman.store.judging.state import campaign_quality, choose_task
from dragoman.store.people.accounts import User, languages_of
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.text.languages import language_name

__all__ = ["Answer", "get_item", "get_media", "get_work", "my_campaigns", "next_item", "save_answers"]

_A = tables.assignments.c
_I = tables.items.c
_S = tables.answers.c
_T = tables.tasks.c


# The statements of every request, built once: building one takes longer than running it.
_OWN = (_A.campaign_id == sa.bindparam("campaign")) & (_A.user_id == sa.bindparam("user")) & _A.released.is_(None)
_MEMBER = sa.select(tables.members).where(
    tables.members.c.campaign_id == sa.bindparam("campaign"), tables.members.c.user_id == sa.bindparam("user")
)
_MEMBER_LOCKED = _MEMBER.with_for_update()
_HELD = (  # the items in somebody's hands
    sa.select(tables.items, _A.id.label("assignment_id"), _T.name.label("task"))
    .join(tables.assignments, _A.task_id == _I.task_id)
    .join(tables.tasks, _T.id == _I.task_id)
    .where(_OWN)
)
_HELD_ONE = _HELD.where(_I.name == sa.bindparam("item"))
_HELD_SOME = _HELD.where(_I.name.in_(sa.bindparam("names", expanding=True)))
_ITEMS = (
    sa.select(_I.name, _T.name.label("task"), _I.position, _S.revision.label("said"))
    .join(tables.assignments, _A.task_id == _I.task_id)
    .join(tables.tasks, _T.id == _I.task_id)
    .outerjoin(tables.answers, (_S.assignment_id == _A.id) & (_S.item_id == _I.id) & (_S.revision == 1))
    .where(_OWN)
    .order_by(_A.taken, _T.place, _I.position)
)
_PROGRESS = sa.select(
    sa.select(sa.func.count())
    .select_from(tables.answers.join(tables.assignments, _A.id == _S.assignment_id))
    .where(_OWN, _S.revision == 1)
    .scalar_subquery(),
    sa.select(sa.func.count())
    .select_from(tables.items.join(tables.assignments, _A.task_id == _I.task_id))
    .where(_OWN)
    .scalar_subquery(),
)
_TOLD = (
    sa.select(tables.answers)
    .where(_S.assignment_id == sa.bindparam("assignment"), _S.item_id == sa.bindparam("item"))
    .order_by(_S.revision)
)
_N_ITEMS = sa.select(sa.func.count()).where(_I.task_id == sa.bindparam("task"))
_KNOWN = (
    sa.select(_S.key, _I.name, _S.revision)
    .join(tables.items, _I.id == _S.item_id)
    .where(
        _S.campaign_id == sa.bindparam("campaign"),
        _S.user_id == sa.bindparam("user"),
        _S.key.in_(sa.bindparam("keys", expanding=True)),
    )
)
_REVISIONS = (
    sa.select(_S.assignment_id, _S.item_id, sa.func.max(_S.revision))
    .where(
        _S.assignment_id.in_(sa.bindparam("assignments", expanding=True)),
        _S.item_id.in_(sa.bindparam("items", expanding=True)),
    )
    .group_by(_S.assignment_id, _S.item_id)
)
_SIZE = sa.select(sa.func.count()).where(_I.task_id == _A.task_id).scalar_subquery()
_SAID = sa.select(sa.func.count()).where(_S.assignment_id == _A.id, _S.revision == 1).scalar_subquery()
_GO_ON = (
    sa.update(tables.assignments)
    .where(_A.id == sa.bindparam("number"))
    .values(
        leased_until=sa.case((_A.leased_until.is_(None), None), else_=sa.bindparam("until", type_=Moment)),
        finished=sa.func.coalesce(
            _A.finished, sa.case((_SIZE == _SAID, sa.bindparam("moment", type_=Moment)), else_=None)
        ),
    )
)


@dataclass(frozen=True)
class Answer:
    """An answer as the browser sends it."""

    key: str
    item: str
    answer: Mapping[str, Any]
    active_seconds: float | None = None
    started: datetime | None = None
    ended: datetime | None = None


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
        campaign = _mine(connection, name, user)
        row = connection.execute(_HELD_ONE, {"campaign": campaign.id, "user": user.id, "item": item}).first()
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
        campaign = _mine(connection, name, user)
        mine = {"campaign": campaign.id, "user": user.id}
        played = (row.hidden.get("media", {}) for row in connection.execute(_HELD, mine))
        digest = next((files[media] for files in played if media in files), None)
        file = connection.execute(
            sa.select(tables.media).where(tables.media.c.campaign_id == campaign.id, tables.media.c.digest == digest)
        ).first()
    if file is None:
        raise NotFound(f"None of your items in this campaign plays a file called {media!r}.")
    return file.media_type, file.content


def my_campaigns(store: Store, user: User) -> list[dict[str, Any]]:
    """The campaigns in which somebody takes part, with how far they are."""
    with store.read() as connection:
        rows = connection.execute(
            sa.select(tables.campaigns)
            .join(tables.members, tables.members.c.campaign_id == tables.campaigns.c.id)
            .where(tables.members.c.user_id == user.id, tables.members.c.excluded.is_(None))
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
                }
            )
    return campaigns


def save_answers(
    store: Store, name: str, user: User, events: Sequence[Answer], *, per_minute: int | None = None
) -> dict[str, Any]:
    """Save answers, each once: a key that was saved before is answered as it was then.

    A wrong answer is refused by name and does not keep the others from being saved. What is confirmed is committed.
    """
    return store.together(lambda connection: _save(connection, name, user, events, per_minute))


def _save(
    connection: sa.Connection, name: str, user: User, events: Sequence[Answer], per_minute: int | None
) -> dict[str, Any]:
    saved: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    if per_minute is not None:
        throttle.count(
            connection,
            f"changes {user.id}",
            limit=per_minute,
            seconds=60,
            message="Too many requests; wait a minute. Unsent answers are kept in the browser.",
        )
    campaign = _mine(connection, name, user, lock=True)
    earlier = _known_keys(connection, campaign, user, [event.key for event in events])
    asked = {"campaign": campaign.id, "user": user.id, "names": list({event.item for event in events})}
    rows = {row.name: row for row in connection.execute(_HELD_SOME, asked)}
    counts = _revisions(connection, rows.values())
    fresh: list[dict[str, Any]] = []
    for event in events:
        if event.key in earlier:
            saved.append({"key": event.key, **earlier[event.key]})
            continue
        row = rows.get(event.item)
        problem = _problem(campaign, row, event)
        if problem is not None:
            refused.append({"key": event.key, "item": event.item, "message": problem})
            continue
        place = (row.assignment_id, row.id)  # type: ignore[union-attr]
        counts[place] = counts.get(place, 0) + 1
        earlier[event.key] = {"item": event.item, "revision": counts[place]}
        saved.append({"key": event.key, **earlier[event.key]})
        fresh.append(
            {
                "campaign_id": campaign.id,
                "user_id": user.id,
                "item_id": place[1],
                "assignment_id": place[0],
                "revision": counts[place],
                "key": event.key,
                "answer": dict(event.answer),
                "active_seconds": event.active_seconds,
                "started": event.started,
                "ended": event.ended,
                "received": now(),
            }
        )
    if fresh:
        connection.execute(sa.insert(tables.answers), fresh)
        _go_on(connection, campaign, {each["assignment_id"] for each in fresh})
    done, total = _progress(connection, campaign, user)
    return {"saved": saved, "refused": refused, "progress": {"done": done, "total": total}}


def _problem(campaign: Campaign, row: Any, event: Answer) -> str | None:
    """Why an answer cannot be saved; None if it can."""
    if campaign.state != "open":
        return f"The campaign is {campaign.state}; it takes no answers now."
    if row is None:
        return f"The item {event.item!r} is none of yours: its task went back after it had lain too long."
    try:
        json.dumps(event.answer, allow_nan=False)
        campaign.protocol.check(item_of_row(row), event.answer)
    except DataError as error:
        return str(error)
    except ValueError:
        return f"The answer to item {event.item} holds a number that is not finite."
    return None


def _known_keys(
    connection: sa.Connection, campaign: Campaign, user: User, keys: Sequence[str]
) -> dict[str, dict[str, Any]]:
    rows = connection.execute(_KNOWN, {"campaign": campaign.id, "user": user.id, "keys": list(set(keys))})
    return {row.key: {"item": row.name, "revision": row.revision} for row in rows}


def _revisions(connection: sa.Connection, rows: Any) -> dict[tuple[int, int], int]:
    pairs = [(row.assignment_id, row.id) for row in rows]
    asked = {"assignments": list({pair[0] for pair in pairs}), "items": list({pair[1] for pair in pairs})}
    return {(row[0], row[1]): row[2] for row in connection.execute(_REVISIONS, asked)}


def _go_on(connection: sa.Connection, campaign: Campaign, assignments: set[int]) -> None:
    """Prolong the leases of tasks that were worked on, and note which are finished."""
    moment = now()
    until = moment + timedelta(minutes=campaign.lease_minutes)
    for number in sorted(assignments):
        connection.execute(_GO_ON, {"number": number, "moment": moment, "until": until})


def _mine(connection: sa.Connection, name: str, user: User, *, lock: bool = False) -> Campaign:
    """The campaign, if the person takes part in it; `lock` puts the person's own writes in order."""
    campaign = find_campaign(connection, name)
    row = connection.execute(_MEMBER_LOCKED if lock else _MEMBER, {"campaign": campaign.id, "user": user.id}).first()
    if row is None:
        # The same words as for a campaign that is not there: who has not been invited learns nothing of it.
        raise NotFound(f"There is no campaign called {name!r}.")
    if row.excluded is not None:
        raise NotAllowed("You take no part in this campaign any more. Ask its organisers if this surprises you.")
    return campaign


def _items(connection: sa.Connection, campaign: Campaign, user: User) -> list[dict[str, Any]]:
    """Somebody's items in the order of the work."""
    rows = connection.execute(_ITEMS, {"campaign": campaign.id, "user": user.id})
    return [
        {"item": name, "task": task, "position": position, "done": answer is not None}
        for name, task, position, answer in rows
    ]


def _progress(connection: sa.Connection, campaign: Campaign, user: User) -> tuple[int, int]:
    done, total = connection.execute(_PROGRESS, {"campaign": campaign.id, "user": user.id}).one()
    return int(done), int(total)


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
        campaign = _mine(connection, name, user)
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
        return _mine(connection, name, user)
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
            careless = campaign_quality(connection, campaign.name).careless
        code = completion_code(campaign.name, user.name, secret=store.secret, passed=user.name not in careless)
    address = campaign.return_url
    return {"code": code, "return_url": address.replace("{code}", code) if address else None}
