"""Answers to look through: filtered and by pages, each with its revisions; items on which people differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.human.protocol import Item, Protocol
from dragoman.report import Column, Sentence, Table
from dragoman.report.result import Result
from dragoman.store import tables
from dragoman.store.judging.answers import last_numbers
from dragoman.store.judging.campaigns import Campaign, find_campaign, item_of_row
from dragoman.store.judging.state import campaign_state, left_out
from dragoman.store.refusals import NotFound

__all__ = [
    "AnswerRows",
    "Disputes",
    "ItemHistory",
    "Shown",
    "browse_answers",
    "disputed_items",
    "item_history",
    "item_media",
]

_A = tables.assignments.c
_I = tables.items.c
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
class Shown:
    """What people saw of an item, and which system stood where."""

    content: Mapping[str, Any]
    places: Mapping[str, str]

    @classmethod
    def of(cls, item: Item) -> Shown:
        """As JSON has it."""
        return cls(dict(item.shown), dict(item.places))


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
    shown: Mapping[str, Shown]  # by item

    def tables(self) -> list[Table]:
        """One row per answer; `counts` is false where the annotator's do not or the task was given up."""
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
    places: Mapping[str, str]


def _facts(connection: sa.Connection, campaign: Campaign) -> dict[int, _Facts]:
    rows = connection.execute(sa.select(_I.id, _I.name, _I.hidden).where(_I.campaign_id == campaign.id))
    facts = {}
    for row in rows:
        hidden = row.hidden
        systems = tuple(sorted(hidden["places"].values())) or ((hidden["system"],) if hidden["system"] else ())
        facts[row.id] = _Facts(row.name, hidden["type"], systems, hidden["segment"], hidden["places"])
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
    facts, out = _facts(connection, campaign), left_out(connection, name)
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
            _I.shown,
            _A.released,
        )
        .join(tables.assignments, _A.id == _S.assignment_id)
        .join(tables.items, _I.id == _S.item_id)
        .join(tables.tasks, _T.id == _I.task_id)
        .join(tables.users, _U.id == _S.user_id)
        .where(_S.id.in_(page))
        .order_by(_S.id.desc())
    )
    rows = []
    shown: dict[str, Shown] = {}
    for row in connection.execute(details):
        own = facts[row.item_id]
        shown[own.name] = Shown(row.shown, own.places)
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
                row.released is None and row.annotator not in out,
            )
        )
    choices = {
        "annotator": tuple(sorted({row.annotator for row in every})),
        "system": tuple(sorted({each for own in facts.values() for each in own.systems})),
        "kind": tuple(sorted({own.type for own in facts.values()})),
    }
    filters = {"annotator": annotator, "system": system, "kind": kind, "segment": "" if segment is None else segment}
    chosen = {key: str(value) for key, value in filters.items() if value != ""}
    return AnswerRows(name, tuple(rows), len(fitting), offset, limit, chosen, choices, shown)


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

    @property
    def seen(self) -> Shown:
        """What people saw of it."""
        return Shown(self.shown, self.about["places"])

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
    shown_item, out = item_of_row(row), left_out(connection, name)
    answers = connection.execute(
        sa.select(_U.name, _S.revision, _S.answer, _S.active_seconds, _S.received, _A.released)
        .join(tables.items, _I.id == _S.item_id)
        .join(tables.users, _U.id == _S.user_id)
        .join(tables.assignments, _A.id == _S.assignment_id)
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
                each.released is None and each.name not in out,
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
    shown: Mapping[str, Shown]  # by item
    answers: Mapping[str, Mapping[str, Any]]  # by item, then by annotator
    not_counted: frozenset[str] = frozenset()  # annotators whose answers the ranking does not use

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
        """How many items several people judged, and whose answers do not count."""
        return {"campaign": self.campaign, "total": self.total, "not_counted": sorted(self.not_counted)}


def disputed_items(connection: sa.Connection, name: str, *, limit: int = 100) -> Disputes:
    """Where annotators who are not excluded differ most; last, answers that differ and have no marks."""
    state = campaign_state(connection, name)
    items = {item.id: item for each in state.assignments for item in each.task.items}
    answers: dict[str, dict[str, Any]] = {}
    for (annotator, item), answer in state.answers.items():
        if annotator not in state.excluded and item in items:
            answers.setdefault(item, {})[annotator] = answer
    decided = tables.adjudications.c
    settled = set(
        connection.scalars(
            sa.select(_I.name)
            .join(tables.adjudications, decided.item_id == _I.id)
            .where(decided.campaign_id == state.campaign.id)
        )
    )
    rows: list[tuple[Any, ...]] = []
    for item, said in answers.items():
        own = items[item]
        spread = _spread(state.campaign.protocol, own, said.values())
        if spread is not None or len({_json(answer) for answer in said.values()}) > 1:
            systems = " ".join(sorted(own.places.values())) or own.system
            rows.append((item, own.type, systems, own.segment, len(said), spread, item in settled))
    rows.sort(key=lambda row: (row[5] is None, -(row[5] or 0), row[0]))
    listed = [row[0] for row in rows[:limit]]
    return Disputes(
        name,
        tuple(rows[:limit]),
        len(rows),
        {item: Shown.of(items[item]) for item in listed},
        {item: dict(sorted(answers[item].items())) for item in listed},
        frozenset(left_out(connection, name)),
    )


def _spread(protocol: Protocol, item: Item, answers: Iterable[Mapping[str, Any]]) -> float | None:
    """How far the highest mark is from the lowest, mean over the places with several marks; None without any."""
    marks: dict[str, list[float]] = {}
    for answer in answers:
        for place, mark in protocol.marks(item, answer).items():
            marks.setdefault(place, []).append(mark)
    shared = [max(scores) - min(scores) for scores in marks.values() if len(scores) > 1]
    return fmean(shared) if shared else None


def item_media(connection: sa.Connection, name: str, media: str) -> tuple[str, bytes]:
    """A file that some item of a campaign plays or shows: its type and content."""
    campaign = find_campaign(connection, name)
    hidden = connection.scalars(sa.select(_I.hidden).where(_I.campaign_id == campaign.id))
    digest = next((each["media"][media] for each in hidden if media in each.get("media", {})), None)
    own = tables.media.c
    file = connection.execute(
        sa.select(tables.media).where(own.campaign_id == campaign.id, own.digest == digest)
    ).first()
    if file is None:
        raise NotFound(f"No item of this campaign plays a file called {media!r}.")
    return file.media_type, file.content
