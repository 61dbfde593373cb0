"""What was answered last: of everybody to every item, in the order in which it came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from dragoman.store import tables
from dragoman.store.judging.campaigns import Campaign
from dragoman.store.judging.deciding import decisions_that_count

__all__ = ["LastAnswer", "last_answers", "last_numbers"]

_A = tables.assignments.c
_I = tables.items.c
_M = tables.members.c
_S = tables.answers.c
_T = tables.tasks.c
_U = tables.users.c


@dataclass(frozen=True)
class LastAnswer:
    """The last answer of an annotator to an item of a task."""

    annotator: str
    task: str
    item: str
    answer: dict[str, Any]  # with the working time as `seconds`, where it is known
    excluded: bool  # whether the annotator is


def last_numbers(campaign: Campaign) -> sa.Select[tuple[int]]:
    """The numbers of the answers that no correction followed, also of tasks that were given up."""
    return sa.select(sa.func.max(_S.id)).where(_S.campaign_id == campaign.id).group_by(_S.assignment_id, _S.item_id)


def last_answers(connection: sa.Connection, campaign: Campaign, *, decided: bool) -> list[LastAnswer]:
    """The last answers, without those of tasks that were given up.

    With `decided`, decisions take the place of answers where the campaign lets them.
    """
    decisions = decisions_that_count(connection, campaign) if decided else {}
    rows = connection.execute(
        sa.select(
            _U.name.label("annotator"),
            _T.name.label("task"),
            _I.name.label("item"),
            _S.answer,
            _S.active_seconds,
            _M.excluded,
        )
        .join(tables.assignments, (_A.id == _S.assignment_id) & _A.released.is_(None))
        .join(tables.items, _I.id == _S.item_id)
        .join(tables.tasks, _T.id == _I.task_id)
        .join(tables.users, _U.id == _S.user_id)
        .join(tables.members, (_M.user_id == _S.user_id) & (_M.campaign_id == _S.campaign_id))
        .where(_S.id.in_(last_numbers(campaign)))
        .order_by(_S.id)
    )
    return [
        LastAnswer(
            row.annotator,
            row.task,
            row.item,
            _timed(decisions.get(row.item, row.answer), row.active_seconds),
            row.excluded is not None,
        )
        for row in rows
    ]


def _timed(answer: dict[str, Any], seconds: float | None) -> dict[str, Any]:
    """An answer with its working time, which protocols keep as `seconds`."""
    return answer if seconds is None or "seconds" in answer else {**answer, "seconds": seconds}
