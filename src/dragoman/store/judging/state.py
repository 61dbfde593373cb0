"""A campaign as the pure functions of `human` take it: plan, hands, answers; and what they make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa

from dragoman.human.counting import not_counted_answers
from dragoman.human.dynamic import Standing, next_task, standing
from dragoman.human.planning import CampaignPlan
from dragoman.human.protocol import Assignment, Item, Task
from dragoman.human.quality import QualityReport, quality_of_annotators
from dragoman.report import Sentence
from dragoman.store import tables
from dragoman.store.judging.answers import last_answers
from dragoman.store.judging.campaigns import Campaign, find_campaign, item_of_row
from dragoman.store.judging.remembering import remembered

__all__ = [
    "EXCLUDED",
    "State",
    "campaign_coverage",
    "campaign_quality",
    "campaign_standing",
    "campaign_state",
    "choose_task",
    "left_out",
    "live_quality",
    "plan_of",
]

EXCLUDED = Sentence("excluded by the organisers")  # the reason of a mark, not of the analysis

_A = tables.assignments.c
_I = tables.items.c
_M = tables.members.c
_T = tables.tasks.c
_U = tables.users.c

_PLANS: WeakKeyDictionary[sa.Engine, dict[int, dict[str, Task]]] = WeakKeyDictionary()


@dataclass(frozen=True)
class State:
    """Who has what, and the last answers."""

    campaign: Campaign
    assignments: tuple[Assignment, ...]
    answers: dict[tuple[str, str], dict[str, Any]]  # by annotator and item, in the order made
    excluded: frozenset[str]
    waiting: tuple[Task, ...]  # copies that nobody has yet


def plan_of(connection: sa.Connection, campaign: Campaign) -> dict[str, Task]:
    """The tasks of a campaign by name. A plan never changes, so it is read once."""
    plans = _PLANS.setdefault(connection.engine, {})
    if campaign.id not in plans:
        items: dict[str, list[Item]] = {}
        rows = connection.execute(
            sa.select(_T.name.label("task"), _I.shown, _I.hidden)
            .join(tables.items, _I.task_id == _T.id)
            .where(_T.campaign_id == campaign.id)
            .order_by(_T.place, _I.position)
        )
        for row in rows:
            items.setdefault(row.task, []).append(item_of_row(row))
        plans[campaign.id] = {name: Task(name, tuple(own)) for name, own in items.items()}
    return plans[campaign.id]


def campaign_state(connection: sa.Connection, name: str, *, decided: bool = False) -> State:
    """Who has which task, and what was answered last; tasks that were given up do not count.

    With `decided`, decisions take the place of answers where the campaign lets them.
    """
    campaign = find_campaign(connection, name)
    tasks = plan_of(connection, campaign)
    hands = connection.execute(
        sa.select(_U.name, _T.name.label("task"))
        .select_from(tables.assignments)
        .join(tables.tasks, _T.id == _A.task_id)
        .outerjoin(tables.users, _U.id == _A.user_id)
        .where(_A.campaign_id == campaign.id, _A.released.is_(None))
        .order_by(_A.id)
    ).all()
    out = connection.scalars(
        sa.select(_U.name)
        .join(tables.members, _M.user_id == _U.id)
        .where(_M.campaign_id == campaign.id, _M.excluded.is_not(None))
    )
    return State(
        campaign,
        tuple(Assignment(row.name, tasks[row.task]) for row in hands if row.name is not None),
        {(each.annotator, each.item): each.answer for each in last_answers(connection, campaign, decided=decided)},
        frozenset(out),
        tuple(tasks[row.task] for row in hands if row.name is None),
    )


def campaign_coverage(connection: sa.Connection, name: str) -> CampaignPlan:
    """The plan as it was made: how often everything is to be judged, and by how many."""
    campaign = find_campaign(connection, name)
    tasks = plan_of(connection, campaign)
    rows = connection.execute(
        sa.select(_T.name.label("task"), _A.copy, _A.seat)
        .join(tables.tasks, _T.id == _A.task_id)
        .where(_A.campaign_id == campaign.id)
        .order_by(_A.id)
    )
    seats: dict[tuple[str, int], str] = {}
    for row in rows:
        seats.setdefault((row.task, row.copy), row.seat)  # what was dealt again is no second task
    dealt = tuple(Assignment(seat, tasks[task]) for (task, _), seat in seats.items())
    # Who was planned and got no task has no seat; the plan's own description names them.
    about = connection.scalar(sa.select(tables.campaigns.c.about).where(tables.campaigns.c.id == campaign.id)) or {}
    people = tuple(dict.fromkeys([*seats.values(), *map(str, about.get("idle") or ())]))
    planned = CampaignPlan(name, campaign.protocol, people, dealt, 0, campaign.seed)
    return replace(planned, n_outputs=len(planned.coverage()))


def campaign_quality(connection: sa.Connection, name: str, *, alpha: float = 0.05) -> QualityReport:
    """Who judges with care, by the answers so far, and whose answers the ranking uses."""
    state = campaign_state(connection, name)
    out = left_out(connection, name)
    return quality_of_annotators(state.campaign.protocol, state.assignments, state.answers, alpha=alpha, left_out=out)


def live_quality(connection: sa.Connection, name: str) -> QualityReport:
    """The same, remembered until something is said or marked."""
    campaign = find_campaign(connection, name)
    return remembered(connection, campaign, "quality", lambda: campaign_quality(connection, name))


def left_out(connection: sa.Connection, name: str) -> dict[str, str]:
    """Whose answers the ranking does not use, and why: who is excluded, and whom the analysis leaves aside."""
    state = campaign_state(connection, name, decided=True)
    answers = {key: answer for key, answer in state.answers.items() if key[0] not in state.excluded}
    excluded: dict[str, str] = dict.fromkeys(sorted(state.excluded), EXCLUDED)
    return excluded | not_counted_answers(state.campaign.protocol, state.assignments, answers)


def campaign_standing(connection: sa.Connection, name: str, *, alpha: float = 0.05, target: float = 0.8) -> Standing:
    """How sure the order of the systems is, whether that is enough, and whether to go on."""
    state = campaign_state(connection, name, decided=True)
    # The whole plan is the budget, also what nobody has yet; no account's name has a NUL.
    open_ = [Assignment(f"\x00{number}", task) for number, task in enumerate(state.waiting)]
    return standing(
        state.campaign.protocol,
        [*state.assignments, *open_],
        state.answers,
        alpha=alpha,
        target=target,
        excluded=state.excluded,
    )


def choose_task(connection: sa.Connection, name: str, annotator: str) -> str | None:
    """The next task of an annotator in a dynamic campaign, or None. Call it holding the campaign's lock."""
    state = campaign_state(connection, name)
    tasks = plan_of(connection, state.campaign)
    taken: dict[str, list[str]] = {}
    for each in state.assignments:
        taken.setdefault(each.task.name, []).append(each.annotator)
    # What somebody gave up is not theirs again.
    had = connection.execute(
        sa.select(_T.name)
        .join(tables.assignments, _A.task_id == _T.id)
        .join(tables.users, _U.id == _A.user_id)
        .where(_A.campaign_id == state.campaign.id, _U.name == annotator, _A.released.is_not(None))
    )
    gone = {row.name for row in had}
    choice = next_task(
        state.campaign.protocol,
        [task for task in tasks.values() if task.name not in gone],
        {task: who for task, who in taken.items() if task not in gone},
        state.answers,
        annotator,
        seed=state.campaign.seed,
        excluded=state.excluded,
    )
    return None if choice.task is None else choice.task.name
