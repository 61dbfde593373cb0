"""Payments: how much each person did, by the ids under which a crowd platform knows them and their sessions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Sentence, Table
from dragoman.report.result import Result
from dragoman.store import tables
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.people.crowd import sessions_by_person

__all__ = ["Payments", "campaign_payments"]

_A = tables.assignments.c
_M = tables.members.c
_S = tables.answers.c
_U = tables.users.c


@dataclass(frozen=True)
class Payments(Result):
    """The work of everybody in a campaign. For managers alone: it says who is who on a crowd platform."""

    kind: ClassVar[str] = "campaign-payments"

    campaign: str
    # annotator, platform, the id there, ids of sessions there, finished tasks, items, of these in tasks given to
    # others, minutes, first, last, excluded, reason
    people: tuple[tuple[Any, ...], ...]

    def tables(self) -> list[Table]:
        """One row per person."""
        columns = [
            Column("annotator"),
            Column("platform"),
            Column("platform_id", "platform's id", is_person=True),
            Column("session_ids", "platform's session ids", is_person=True),
            Column("finished"),
            Column("items"),
            Column("passed_on", "of these passed on"),
            Column("minutes", digits=1),
            Column("begun", "first answer"),
            Column("last"),
            Column("excluded"),
            Column("reason"),
        ]
        note = Sentence(
            "What was done stays to be paid: tutorials, answers of excluded annotators and of tasks that were given to "
            "others are in it."
        )
        return [Table.of(f"Payments of {self.campaign}", columns, self.people, note=note)]

    def meta(self) -> dict[str, Any]:
        """The sums."""
        return {
            "campaign": self.campaign,
            "items": sum(row[5] for row in self.people),
            "minutes": sum(row[7] for row in self.people),
        }


def campaign_payments(connection: sa.Connection, name: str) -> Payments:
    """What everybody in a campaign did, whatever became of it; the platforms' ids of those who came to it."""
    campaign = find_campaign(connection, name)
    done = (
        sa.select(
            _S.user_id,
            sa.func.count(sa.distinct(sa.case((_A.finished.is_not(None), _A.id)))).label("finished"),
            sa.func.sum(sa.case((_S.revision == 1, 1), else_=0)).label("items"),
            sa.func.sum(sa.case(((_S.revision == 1) & _A.released.is_not(None), 1), else_=0)).label("passed_on"),
            sa.func.sum(_S.active_seconds).label("seconds"),
            sa.func.min(_S.received).label("first"),
            sa.func.max(_S.received).label("last"),
        )
        .join(tables.assignments, _A.id == _S.assignment_id)
        .where(_S.campaign_id == campaign.id)
        .group_by(_S.user_id)
        .subquery()
    )
    sessions = sessions_by_person(connection, campaign.id)
    rows = connection.execute(
        sa.select(_U.id, _U.name, _U.platform, _U.worker, _M.excluded, _M.reason, done)
        .join(tables.members, (_M.user_id == _U.id) & (_M.campaign_id == campaign.id))
        .outerjoin(done, done.c.user_id == _U.id)
        .order_by(_U.name)
    )
    return Payments(
        name,
        tuple(
            (
                row.name,
                (row.platform or {}).get("platform"),
                row.worker if row.items or row.id in sessions else None,  # who was entered and never came: others'
                " ".join(sessions.get(row.id, ())) or None,
                int(row.finished or 0),
                int(row.items or 0),
                int(row.passed_on or 0),
                (row.seconds or 0) / 60,
                None if row.first is None else row.first.isoformat(timespec="seconds"),
                None if row.last is None else row.last.isoformat(timespec="seconds"),
                row.excluded is not None,
                row.reason,
            )
            for row in rows
        ),
    )
