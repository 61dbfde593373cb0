"""What was said, derived from plan and answers whenever it is asked for: judgements, progress, analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.data.judgements import Judgements
from dragoman.human.analysing import Analysis
from dragoman.human.protocol import LESSON, Assignment, Task
from dragoman.report import Column, Sentence, Table
from dragoman.report.result import Result
from dragoman.store import tables
from dragoman.store.judging.answers import last_answers
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.state import plan_of

__all__ = [
    "JudgementRows",
    "Progress",
    "analyse_campaign",
    "campaign_judgements",
    "campaign_progress",
    "judgement_rows",
]

_A = tables.assignments.c
_I = tables.items.c
_M = tables.members.c
_S = tables.answers.c
_T = tables.tasks.c
_U = tables.users.c


@dataclass(frozen=True)
class Progress(Result):
    """How far everybody is, and what waits for somebody."""

    kind: ClassVar[str] = "campaign-progress"

    campaign: str
    state: str
    # annotator, tasks, finished, items, judged, corrections, minutes, excluded, reason, last
    annotators: tuple[tuple[Any, ...], ...]
    copies: tuple[int, int, int]  # tasks to be done, each copy counted: free, in somebody's hands, finished
    items: int  # to be judged, each copy counted
    judged: int  # of these; what was done in tasks that others got is in nobody's place

    def tables(self) -> list[Table]:
        """One row per annotator, then the tasks."""
        columns = [
            Column("annotator"),
            Column("tasks"),
            Column("finished"),
            Column("items"),
            Column("judged"),
            Column("percent", digits=1),
            Column("corrections"),
            Column("minutes", digits=1),
            Column("excluded"),
            Column("reason"),
            Column("last"),
        ]
        rows = [(*row[:5], 100 * row[4] / row[3] if row[3] else None, *row[5:]) for row in self.annotators]
        free, held, finished = self.copies
        tasks = Table.of("Tasks", ["free", "held", "finished", "items"], [(free, held, finished, self.items)])
        note = Sentence("The campaign is {state}.", state=self.state)
        return [Table.of(f"Progress of {self.campaign}", columns, rows, note=note), tasks]

    def meta(self) -> dict[str, Any]:
        """The campaign as a whole."""
        free, held, finished = self.copies
        return {
            "campaign": self.campaign,
            "state": self.state,
            "items": self.items,
            "judged": self.judged,
            "tasks": {"free": free, "held": held, "finished": finished},
        }


def campaign_progress(connection: sa.Connection, name: str) -> Progress:
    """How far a campaign is. What somebody did in tasks that were given to others stays theirs."""
    campaign = find_campaign(connection, name)
    # Everybody does the lesson, and it counts for nothing.
    lesson = sa.select(_T.id).where(_T.campaign_id == campaign.id, _T.name == LESSON)
    own = (_A.campaign_id == campaign.id) & _A.task_id.not_in(lesson)
    held = own & _A.released.is_(None)
    passed_on = _A.released.is_not(None)
    sizes = sa.select(_I.task_id, sa.func.count().label("n")).where(_I.campaign_id == campaign.id)
    size = sizes.group_by(_I.task_id).subquery()
    work = {
        row.user_id: row
        for row in connection.execute(
            sa.select(
                _A.user_id,
                sa.func.count().label("tasks"),
                sa.func.count(_A.finished).label("finished"),
                sa.func.sum(size.c.n).label("items"),
            )
            .join(size, size.c.task_id == _A.task_id)
            .where(held)
            .group_by(_A.user_id)
        )
    }
    answers = {
        row.user_id: row
        for row in connection.execute(
            sa.select(
                _S.user_id,
                sa.func.count().label("answers"),
                sa.func.sum(_S.active_seconds).label("seconds"),
                sa.func.sum(sa.case((_S.revision == 1, 1), else_=0)).label("judged"),
                sa.func.sum(sa.case((passed_on & (_S.revision == 1), 1), else_=0)).label("items_on"),
                sa.func.count(sa.distinct(sa.case((passed_on, _A.id)))).label("tasks_on"),
                sa.func.count(sa.distinct(sa.case((passed_on & _A.finished.is_not(None), _A.id)))).label("finished_on"),
                sa.func.max(_S.received).label("last"),
            )
            .join(tables.assignments, _A.id == _S.assignment_id)
            .where(own)
            .group_by(_S.user_id)
        )
    }
    people = connection.execute(
        sa.select(tables.members, _U.name)
        .join(tables.users, _U.id == _M.user_id)
        .where(_M.campaign_id == campaign.id)
        .order_by(_U.name)
    ).all()
    rows = []
    for person in people:
        mine, answer = work.get(person.user_id), answers.get(person.user_id)
        rows.append(
            (
                person.name,
                (mine.tasks if mine else 0) + (answer.tasks_on if answer else 0),
                (mine.finished if mine else 0) + (answer.finished_on if answer else 0),
                int((mine.items if mine else 0) + (answer.items_on if answer else 0)),
                int(answer.judged) if answer else 0,
                int(answer.answers - answer.judged) if answer else 0,
                (answer.seconds or 0) / 60 if answer else 0.0,
                person.excluded is not None,
                person.reason,
                answer.last.isoformat(timespec="seconds") if answer else None,
            )
        )
    free = work[None].tasks if None in work else 0
    finished = sum(row.finished for row in work.values())
    total = sum(row.tasks for row in work.values())
    items = int(sum(row.items for row in work.values()))
    judged = int(sum(row.judged - row.items_on for row in answers.values()))
    return Progress(name, campaign.state, tuple(rows), (free, total - free - finished, finished), items, judged)


def campaign_judgements(
    connection: sa.Connection, name: str, *, excluded: bool = False, as_said: bool = False
) -> Judgements:
    """The judgements of a campaign: of the last answer to each item, in the order in which those came.

    Answers of excluded annotators count only if asked for; those of tasks that were given up never do. Where decisions
    count, they take the place of the answers to their items, unless what people said is asked for (`as_said`).
    """
    campaign = find_campaign(connection, name)
    plan = plan_of(connection, campaign)
    items = {(task.name, item.id): item for task in plan.values() for item in task.items}
    rows: list[dict[str, Any]] = []
    for last in last_answers(connection, campaign, decided=not as_said):
        if excluded or not last.excluded:
            item = items[last.task, last.item]
            assignment = Assignment(last.annotator, Task(last.task, (item,)))
            rows += campaign.protocol.record(assignment, item, last.answer)
    return Judgements.of(campaign.protocol.schema, rows)


@dataclass(frozen=True)
class JudgementRows(Result):
    """Judgements as rows, with when and by whom they were made."""

    kind: ClassVar[str] = "judgements"

    campaign: str
    judged: str  # kind of judgement
    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total: int

    def tables(self) -> list[Table]:
        """One row per judgement."""
        return [Table.of(f"Judgements of {self.campaign}", [Column(name) for name in self.names], self.rows)]

    def meta(self) -> dict[str, Any]:
        """Of what kind, and how many there are in all."""
        return {"campaign": self.campaign, "judged": self.judged, "total": self.total}


def judgement_rows(
    connection: sa.Connection, name: str, *, excluded: bool = False, offset: int = 0, limit: int | None = None
) -> JudgementRows:
    """Judgements to look through, a part of them if `limit` is given."""
    judgements = campaign_judgements(connection, name, excluded=excluded)
    rows = [tuple(row.values()) for row in judgements.rows()]
    part = rows[offset : None if limit is None else offset + limit]
    return JudgementRows(name, judgements.kind, tuple(judgements.columns), tuple(part), len(rows))


def analyse_campaign(connection: sa.Connection, name: str, *, seed: int = 1) -> Analysis:
    """What the protocol makes of the judgements so far."""
    campaign = find_campaign(connection, name)
    return campaign.protocol.analyse(campaign_judgements(connection, name), seed=seed)
