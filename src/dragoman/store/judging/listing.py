"""The list of campaigns: state, people, and how far each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import tables
from dragoman.store.people.accounts import User
from dragoman.store.people.managers import managed_by

__all__ = ["CampaignList", "list_campaigns"]


@dataclass(frozen=True)
class CampaignList(Result):
    """Campaigns with their state and how far they are."""

    kind: ClassVar[str] = "campaigns"

    # name, title, protocol, source, target, state, people, tasks, finished, items, judged, created
    campaigns: tuple[tuple[Any, ...], ...]

    def tables(self) -> list[Table]:
        """One row per campaign; tasks and items count each copy."""
        names = (
            "name",
            "title",
            "protocol",
            "source",
            "target",
            "state",
            "people",
            "tasks",
            "finished",
            "items",
            "judged",
            "created",
        )
        return [Table.of("Campaigns", [Column(name) for name in names], self.campaigns)]


def list_campaigns(connection: sa.Connection, manager: User | None = None) -> CampaignList:
    """All campaigns, or those of a manager, newest first."""
    held = tables.assignments.c.released.is_(None)
    n_tasks = _counts(connection, tables.assignments, held)
    n_done = _counts(connection, tables.assignments, held & tables.assignments.c.finished.is_not(None))
    n_people = _counts(connection, tables.members, tables.members.c.excluded.is_(None))
    sizes = sa.select(tables.items.c.task_id, sa.func.count().label("n")).group_by(tables.items.c.task_id).subquery()
    n_items = _pairs(
        connection,
        sa.select(tables.assignments.c.campaign_id, sa.func.sum(sizes.c.n))
        .join(sizes, sizes.c.task_id == tables.assignments.c.task_id)
        .where(held)
        .group_by(tables.assignments.c.campaign_id),
    )
    answered = (
        sa.select(tables.answers.c.campaign_id, tables.answers.c.assignment_id, tables.answers.c.item_id)
        .join(tables.assignments, tables.assignments.c.id == tables.answers.c.assignment_id)
        .where(held, tables.answers.c.revision == 1)
        .subquery()
    )
    n_judged = _pairs(connection, sa.select(answered.c.campaign_id, sa.func.count()).group_by(answered.c.campaign_id))
    shown = sa.select(tables.campaigns).order_by(tables.campaigns.c.id.desc())
    if manager is not None:
        shown = shown.where(tables.campaigns.c.id.in_(managed_by(manager)))
    rows = [
        (
            row.name,
            row.title,
            row.protocol,
            row.source_lang,
            row.target_lang,
            row.state,
            n_people.get(row.id, 0),
            n_tasks.get(row.id, 0),
            n_done.get(row.id, 0),
            n_items.get(row.id, 0),
            n_judged.get(row.id, 0),
            row.created.isoformat(timespec="seconds"),
        )
        for row in connection.execute(shown)
    ]
    return CampaignList(tuple(rows))


def _counts(connection: sa.Connection, table: sa.Table, condition: sa.ColumnElement[bool]) -> dict[int, int]:
    query = sa.select(table.c.campaign_id, sa.func.count()).where(condition).group_by(table.c.campaign_id)
    return _pairs(connection, query)


def _pairs(connection: sa.Connection, query: sa.Select[Any]) -> dict[int, int]:
    return {row[0]: int(row[1]) for row in connection.execute(query)}
