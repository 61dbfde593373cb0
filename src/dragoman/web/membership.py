"""Who takes part: adding people, excluding them by a mark, letting them in again, deciding disputed items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.web import audit, dealing, tables
from dragoman.web.accounts import User, find_user
from dragoman.web.audit import Actor
from dragoman.web.campaigns import find_campaign, item_of_row
from dragoman.web.columns import now
from dragoman.web.dealing import join_campaign, lock_campaign, seat_people
from dragoman.web.refusals import Conflict, NotFound

__all__ = ["Adjudications", "add_member", "adjudicate", "exclude", "include", "list_adjudications"]

_A = tables.assignments.c
_M = tables.members.c


def add_member(
    connection: sa.Connection, campaign: str, name: str, *, actor: Actor, max_tasks: int | None = None
) -> User:
    """Let an account take part in a campaign; planned annotators get what was planned for them."""
    found, user = find_campaign(connection, campaign), find_user(connection, name)
    lock_campaign(connection, found.id)
    join_campaign(connection, found.id, user.id, max_tasks=max_tasks)
    seat_people(connection, found.id, user.id)
    audit.record(connection, actor, "member added", f"campaign {campaign}", annotator=name)
    return user


def exclude(
    connection: sa.Connection, campaign: str, name: str, *, actor: Actor, reason: str = "", renew: bool = False
) -> int:
    """Leave somebody out: their answers stay but do not count, and they get no more work.

    With `renew` their tasks are dealt again to others, so that everything keeps its redundancy. Tells how many were.
    """
    found, user = find_campaign(connection, campaign), find_user(connection, name)
    lock_campaign(connection, found.id)
    _mark(connection, found.id, user, excluded=now(), reason=reason)
    renewed = 0
    if renew:
        own = (_A.campaign_id == found.id) & (_A.user_id == user.id) & _A.released.is_(None)
        rows = connection.execute(sa.select(tables.assignments).where(own)).all()
        for row in rows:
            dealing.renew(connection, row)
        renewed = len(rows)
    audit.record(
        connection, actor, "annotator excluded", f"campaign {campaign}", annotator=name, reason=reason, renewed=renewed
    )
    return renewed


def include(connection: sa.Connection, campaign: str, name: str, *, actor: Actor) -> None:
    """Take an exclusion back. Tasks that were dealt again stay with the others."""
    found, user = find_campaign(connection, campaign), find_user(connection, name)
    _mark(connection, found.id, user, excluded=None, reason=None)
    audit.record(connection, actor, "annotator included", f"campaign {campaign}", annotator=name)


def _mark(connection: sa.Connection, campaign_id: int, user: User, **values: Any) -> None:
    done = connection.execute(
        sa.update(tables.members)
        .where(_M.campaign_id == campaign_id, _M.user_id == user.id)
        .values(**values)
    )  # fmt: skip
    if not done.rowcount:
        raise NotFound(f"{user.name} takes no part in this campaign.")


@dataclass(frozen=True)
class Adjudications(Result):
    """Decisions on disputed items, all of them, in the order they were made; the last of an item holds."""

    kind: ClassVar[str] = "adjudications"

    campaign: str
    decisions: tuple[tuple[str, str, str, str, str], ...]  # item, by, answer (JSON), note, made

    def tables(self) -> list[Table]:
        """One row per decision."""
        columns = [Column(name) for name in ("item", "by", "answer", "note", "made")]
        return [Table.of(f"Adjudications of {self.campaign}", columns, self.decisions)]


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
    found = find_campaign(connection, campaign)
    made, items = tables.adjudications.c, tables.items.c
    row = connection.execute(sa.select(tables.items).where(items.campaign_id == found.id, items.name == item)).first()
    if row is None:
        raise NotFound(f"There is no item {item!r} in the campaign {campaign!r}.")
    found.protocol.check(item_of_row(row), answer)
    known = connection.scalar(
        sa.select(made.item_id).where(made.campaign_id == found.id, made.user_id == user.id, made.key == key)
    )
    if known is not None:
        if known != row.id:
            raise Conflict("This key was used for another item.")
        return
    values = {
        "campaign_id": found.id, "item_id": row.id, "user_id": user.id, "key": key, "answer": dict(answer),
        "note": note, "made": now(),
    }  # fmt: skip
    connection.execute(sa.insert(tables.adjudications).values(**values))
    audit.record(connection, actor, "adjudicated", f"campaign {campaign}", item=item)


def list_adjudications(connection: sa.Connection, campaign: str) -> Adjudications:
    """All decisions of a campaign."""
    import json

    found = find_campaign(connection, campaign)
    rows = connection.execute(
        sa.select(tables.adjudications, tables.items.c.name.label("item"), tables.users.c.name.label("by"))
        .join(tables.items, tables.items.c.id == tables.adjudications.c.item_id)
        .join(tables.users, tables.users.c.id == tables.adjudications.c.user_id)
        .where(tables.adjudications.c.campaign_id == found.id)
        .order_by(tables.adjudications.c.id)
    )
    told = [
        (row.item, row.by, json.dumps(row.answer, ensure_ascii=False), row.note, row.made.isoformat(timespec="seconds"))
        for row in rows
    ]
    return Adjudications(campaign, tuple(told))
