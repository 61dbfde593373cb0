"""Answers saved: each once, each wrong one refused by name, and what is confirmed is committed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import tables, throttle
from dragoman.store.columns import Moment, now
from dragoman.store.database import Store
from dragoman.store.judging.campaigns import Campaign, item_of_row
from dragoman.store.judging.held import HELD_SOME, campaign_of, progress_of
from dragoman.store.people.accounts import User

__all__ = ["Answer", "save_answers"]

_A = tables.assignments.c
_I = tables.items.c
_S = tables.answers.c

# The statements of every request, built once: building one takes longer than running it.
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
    campaign = campaign_of(connection, name, user, lock=True)
    earlier = _known_keys(connection, campaign, user, [event.key for event in events])
    asked = {"campaign": campaign.id, "user": user.id, "names": list({event.item for event in events})}
    rows = {row.name: row for row in connection.execute(HELD_SOME, asked)}
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
    done, total = progress_of(connection, campaign, user)
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
