"""Decisions on disputed items, and what they do.

A decision stands beside the answers, which are never changed. If the campaign says so (`decisions`), it takes the place
of every annotator's answer to its item wherever systems are looked at: judgements, exports, standing, ranking. What
looks at people (agreement, quality, the browser of answers) always sees what they said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.judging.campaigns import Campaign, find_campaign, item_of_row
from dragoman.store.people.accounts import User
from dragoman.store.refusals import Conflict, NotFound

__all__ = ["Adjudications", "adjudicate", "decisions_that_count", "last_decision", "list_adjudications"]

_D = tables.adjudications.c
_I = tables.items.c


@dataclass(frozen=True)
class Adjudications(Result):
    """Decisions on disputed items, all of them, in the order they were made; the last of an item holds."""

    kind: ClassVar[str] = "adjudications"

    campaign: str
    decisions: tuple[tuple[str, str, str, str, str], ...]  # item, by, answer (JSON), note, made
    counts: bool = False  # whether they take the place of answers

    def tables(self) -> list[Table]:
        """One row per decision."""
        columns = [Column(name) for name in ("item", "by", "answer", "note", "made")]
        note = (
            "The last decision of an item takes the place of the answers to it, in rankings and exports."
            if self.counts
            else "Decisions do not count: rankings and exports have the answers (`campaign set NAME --decisions`)."
        )
        return [Table.of(f"Adjudications of {self.campaign}", columns, self.decisions, note=note)]

    def meta(self) -> dict[str, Any]:
        """Whether they count."""
        return {"campaign": self.campaign, "counts": self.counts}


def adjudicate(
    connection: sa.Connection,
    campaign: str,
    item: str,
    answer: Mapping[str, Any],
    *,
    user: User,
    key: str,
    note: str = "",
    actor: Actor,
) -> None:
    """Decide an item: an answer that stands above the annotators'. Appended, never replaced; idempotent by key."""
    planned = find_campaign(connection, campaign)
    row = connection.execute(sa.select(tables.items).where(_I.campaign_id == planned.id, _I.name == item)).first()
    if row is None:
        raise NotFound(f"There is no item {item!r} in the campaign {campaign!r}.")
    planned.protocol.check(item_of_row(row), answer)
    number = connection.scalar(
        sa.select(_D.item_id).where(_D.campaign_id == planned.id, _D.user_id == user.id, _D.key == key)
    )
    if number is not None:
        if number != row.id:
            raise Conflict("This key was used for another item.")
        return
    values = {
        "campaign_id": planned.id,
        "item_id": row.id,
        "user_id": user.id,
        "key": key,
        "answer": dict(answer),
        "note": note,
        "made": now(),
    }
    connection.execute(sa.insert(tables.adjudications).values(**values))
    audit.record(connection, actor, "adjudicated", f"campaign {campaign}", item=item)


def list_adjudications(connection: sa.Connection, campaign: str) -> Adjudications:
    """All decisions of a campaign."""
    campaign_row = find_campaign(connection, campaign)
    rows = connection.execute(
        sa.select(tables.adjudications, _I.name.label("item"), tables.users.c.name.label("by"))
        .join(tables.items, _I.id == _D.item_id)
        .join(tables.users, tables.users.c.id == _D.user_id)
        .where(_D.campaign_id == campaign_row.id)
        .order_by(_D.id)
    )
    decisions = [
        (row.item, row.by, json.dumps(row.answer, ensure_ascii=False), row.note, row.made.isoformat(timespec="seconds"))
        for row in rows
    ]
    return Adjudications(campaign, tuple(decisions), campaign_row.decisions)


def decisions_that_count(connection: sa.Connection, campaign: Campaign) -> dict[str, dict[str, Any]]:
    """The last decision on each item by its name, if the campaign lets them count.

    Items that watch the judges (degraded copies, repeats, gold) are never decided for them: a decision there would make
    a careless annotator look careful.
    """
    if not campaign.decisions:
        return {}
    rows = connection.execute(
        sa.select(_I.name, _I.hidden, _D.answer)
        .join(tables.items, _I.id == _D.item_id)
        .where(_D.campaign_id == campaign.id)
        .order_by(_D.id)
    )
    return {row.name: dict(row.answer) for row in rows if row.hidden["type"] == "TGT"}


def last_decision(connection: sa.Connection, campaign: Campaign) -> int | None:
    """The number of the last decision that may count: what was made before it is not known any more."""
    if not campaign.decisions:
        return None
    return connection.scalar(sa.select(sa.func.max(_D.id)).where(_D.campaign_id == campaign.id)) or 0
