"""Answers to look through: filtered and by pages, each with its revisions; items on which people differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Sentence, Table
from dragoman.report.result import Result
from dragoman.store import tables
from dragoman.store.judging.answers import last_numbers
from dragoman.store.judging.campaigns import Campaign, find_campaign, item_of_row
from dragoman.store.judging.state import campaign_state
from dragoman.store.refusals import NotFound

__all__ = ["AnswerRows", "Disputes", "ItemHistory", "browse_answers", "disputed_items", "item_history"]

_A = tables.assignments.c
_I = tables.items.c
_M = tables.members.c
_S = tables.answers.c
_T = tables.tasks.c
_U = tables.users.c
_LARGEST_PAGE = 500
_COLUMNS = (
    "item",
    "task",
    "position",
    "type",
    "system",
    "segment",
    "annotator",
    "answer",
    "revision",
    "seconds",
    "received",
    "counts",
)


@dataclass(frozen=True)
class AnswerRows(Result):
    """A page of answers: the last of each annotator to each item, the newest first."""

    kind: ClassVar[str] = "answers"

    campaign: str
    answers: tuple[tuple[Any, ...], ...]
    total: int
    offset: int
    limit: int
    filters: Mapping[str, str]
    choices: Mapping[str, tuple[str, ...]]  # what can be filtered by

    def tables(self) -> list[Table]:
        """One row per answer; `counts` is false where the annotator is excluded or the task was given up."""
        columns = [Column(name, digits=1 if name == "seconds" else None) for name in _COLUMNS]
        return [Table.of(f"Answers of {self.campaign}", columns, self.answers)]

    def meta(self) -> dict[str, Any]:
        """Which part of how many."""
        return {
            "campaign": self.campaign,
            "total": self.total,
            "offset": self.offset,
            "limit": self.limit,
            "filters": dict(self.filters),
        }


@dataclass(frozen=True)
class _Facts:
    """What the organiser knows of an item."""

    name: str
    type: str
    systems: tuple[str, ...]
    segment: int


def _facts(connection: sa.Connection, campaign: Campaign) -> dict[int, _Facts]:
    rows = connection.execute(sa.select(_I.id, _I.name, _I.hidden).where(_I.campaign_id == campaign.id))
    facts = {}
    for row in rows:
        hidden = row.hidden
        systems = tuple(sorted(hidden["places"].values())) or ((hidden["system"],) if hidden["system"] else ())
        facts[row.id] = _Facts(row.name, hidden["type"], systems, hidden["segment"])
    return facts


def browse_answers(
    connection: sa.Connection,
    name: str,
    *,
    annotator: str = "",
    system: str = "",
    kind: str = "",
    segment: int | None = None,
    offset: int = 0,
    limit: int = 50,
) -> AnswerRows:
    """The answers that fit the filters, the newest first."""
    campaign = find_campaign(connection, name)
    facts = _facts(connection, campaign)
    limit = min(limit, _LARGEST_PAGE)
    query = (
        sa.select(_S.id, _S.item_id, _U.name.label("annotator"))
        .join(tables.users, _U.id == _S.user_id)
        .where(_S.id.in_(last_numbers(campaign)))
        .order_by(_S.id.desc())
    )
    every = connection.execute(query).all()
    fitting = [
        row.id
        for row in every
        if (not annotator or row.annotator == annotator)
        and (not system or system in facts[row.item_id].systems)
        and (not kind or facts[row.item_id].type == kind)
        and (segment is None or facts[row.item_id].segment == segment)
    ]
    page = fitting[offset : offset + limit]
    details = (
        sa.select(
            _S.id,
            _S.item_id,
            _S.answer,
            _S.revision,
            _S.active_seconds,
            _S.received,
            _U.name.label("annotator"),
            _T.name.label("task"),
            _I.position,
            _A.released,
            _M.excluded,
        )
        .join(tables.assignments, _A.id == _S.assignment_id)
        .join(tables.items, _I.id == _S.item_id)
        .join(tables.tasks, _T.id == _I.task_id)
        .join(tables.users, _U.id == _S.user_id)
        .join(tables.members, (_M.user_id == _S.user_id) & (_M.campaign_id == _S.campaign_id))
        .where(_S.id.in_(page))
        .order_by(_S.id.desc())
    )
    rows = []
    for row in connection.execute(details):
        own = facts[row.item_id]
        rows.append(
            (
                own.name,
                row.task,
                row.position,
                own.type,
                " ".join(own.systems),
                own.segment,
                row.annotator,
                _json(row.answer),
                row.revision,
                row.active_seconds,
                row.received.isoformat(timespec="seconds"),
                row.released is None and row.excluded is None,
            )
        )
    choices = {
        "annotator": tuple(sorted({row.annotator for row in every})),
        "system": tuple(sorted({each for own in facts.values() for each in own.systems})),
        "kind": tuple(sorted({own.type for own in facts.values()})),
    }
    filters = {"annotator": annotator, "system": system, "kind": kind, "segment": "" if segment is None else segment}
    chosen = {key: str(value) for key, value in filters.items() if value != ""}
    return AnswerRows(name, tuple(rows), len(fitting), offset, limit, chosen, choices)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class ItemHistory(Result):
    """One item with all that was said about it, every revision, and the decisions on it."""

    kind: ClassVar[str] = "item-history"

    campaign: str
    item: str
    about: Mapping[str, Any]  # type, systems, segment, document
    shown: Mapping[str, Any]
    languages: tuple[str | None, str | None]
    answers: tuple[tuple[Any, ...], ...]  # annotator, revision, answer, seconds, received, counts
    decisions: tuple[tuple[str, str, str, str], ...]  # by, answer, note, made

    def tables(self) -> list[Table]:
        """The answers, then the decisions; the last decision holds."""
        names = ("annotator", "revision", "answer", "seconds", "received", "counts")
        columns = [Column(name, digits=1 if name == "seconds" else None) for name in names]
        decided = [Column(name) for name in ("by", "answer", "note", "made")]
        return [
            Table.of(f"Answers to {self.item}", columns, self.answers),
            Table.of(f"Decisions on {self.item}", decided, self.decisions),
        ]

    def meta(self) -> dict[str, Any]:
        """The item as the organiser knows it, and what people saw of it."""
        decisions = [dict(zip(("by", "answer", "note", "made"), row, strict=True)) for row in self.decisions]
        return {"campaign": self.campaign, "item": self.item, **self.about, "shown": self.shown, "decisions": decisions}


def item_history(connection: sa.Connection, name: str, item: str) -> ItemHistory:
    """Everything about an item of a campaign."""
    campaign = find_campaign(connection, name)
    row = connection.execute(
        sa.select(tables.items).where(_I.campaign_id == campaign.id, _I.name == item).order_by(_I.id)
    ).first()
    if row is None:
        raise NotFound(f"There is no item {item!r} in the campaign {name!r}.")
    shown_item = item_of_row(row)
    answers = connection.execute(
        sa.select(_U.name, _S.revision, _S.answer, _S.active_seconds, _S.received, _A.released, _M.excluded)
        .join(tables.items, _I.id == _S.item_id)
        .join(tables.users, _U.id == _S.user_id)
        .join(tables.assignments, _A.id == _S.assignment_id)
        .join(tables.members, (_M.user_id == _S.user_id) & (_M.campaign_id == _S.campaign_id))
        .where(_I.campaign_id == campaign.id, _I.name == item)
        .order_by(_U.name, _S.id)
    )
    decided = tables.adjudications.c
    decisions = connection.execute(
        sa.select(_U.name, decided.answer, decided.note, decided.made)
        .join(tables.users, _U.id == decided.user_id)
        .join(tables.items, _I.id == decided.item_id)
        .where(decided.campaign_id == campaign.id, _I.name == item)
        .order_by(decided.id)
    )
    about = {
        "type": shown_item.type,
        "systems": sorted(shown_item.places.values()) or [shown_item.system],
        "segment": shown_item.segment,
        "doc": shown_item.doc,
        "places": dict(shown_item.places),
    }
    return ItemHistory(
        name,
        item,
        about,
        row.shown,
        (campaign.source_lang, campaign.target_lang),
        tuple(
            (
                each.name,
                each.revision,
                _json(each.answer),
                each.active_seconds,
                each.received.isoformat(timespec="seconds"),
                each.released is None and each.excluded is None,
            )
            for each in answers
        ),
        tuple(
            (each.name, _json(each.answer), each.note, each.made.isoformat(timespec="seconds")) for each in decisions
        ),
    )


@dataclass(frozen=True)
class Disputes(Result):
    """Items that several people judged, those first on which they differ most."""

    kind: ClassVar[str] = "disputes"

    campaign: str
    items: tuple[tuple[Any, ...], ...]  # item, type, system, segment, people, spread, decided
    total: int

    def tables(self) -> list[Table]:
        """One row per item."""
        columns = [
            Column("item"),
            Column("type"),
            Column("system"),
            Column("segment"),
            Column("people"),
            Column("spread", digits=2),
            Column("decided"),
        ]
        note = Sentence(
            "spread: how far the highest mark is from the lowest, in the units of the protocol, mean over places."
        )
        return [Table.of(f"Differences in {self.campaign}", columns, self.items, note=note)]

    def meta(self) -> dict[str, Any]:
        """How many items several people judged."""
        return {"campaign": self.campaign, "total": self.total}


def disputed_items(connection: sa.Connection, name: str, *, limit: int = 100) -> Disputes:
    """Where annotators who count differ most, as far as the protocol turns answers into marks."""
    state = campaign_state(connection, name)
    items = {item.id: item for each in state.assignments for item in each.task.items}
    marks: dict[str, dict[str, list[float]]] = {}
    people: dict[str, set[str]] = {}
    for (annotator, item), answer in state.answers.items():
        if annotator in state.excluded or item not in items:
            continue
        people.setdefault(item, set()).add(annotator)
        for place, mark in state.campaign.protocol.marks(items[item], answer).items():
            marks.setdefault(item, {}).setdefault(place, []).append(mark)
    decided = tables.adjudications.c
    settled = set(
        connection.scalars(
            sa.select(_I.name)
            .join(tables.adjudications, decided.item_id == _I.id)
            .where(decided.campaign_id == state.campaign.id)
        )
    )
    rows = []
    for name_, places in marks.items():
        shared = [scores for scores in places.values() if len(scores) > 1]
        if shared:
            own = items[name_]
            spread = fmean(max(scores) - min(scores) for scores in shared)
            systems = " ".join(sorted(own.places.values())) or own.system
            rows.append((name_, own.type, systems, own.segment, len(people[name_]), spread, name_ in settled))
    rows.sort(key=lambda row: (-row[5], row[0]))
    return Disputes(name, tuple(rows[:limit]), len(rows))
