"""What people did, to be seen again and given away: the states of segments over time, and the log as files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from dragoman.cat.work import Draft
from dragoman.store.translating.history import Logged

__all__ = ["anonymised", "frames", "jsonl"]

# What people say to each other is left out of an anonymous log: such events, and such fields of any.
_PERSONAL = frozenset({"comment"})
_SAID = frozenset({"note", "reason"})


def frames(events: Iterable[Logged]) -> Iterator[dict[str, Any]]:
    """Each event with its time in milliseconds from the first, and the text that its segment has after it."""
    drafts: dict[int, Draft] = {}
    start: datetime | None = None
    for event in events:
        moment = event.at or event.received
        start = start or moment
        frame: dict[str, Any] = {
            "number": event.number,
            "time": round(1000 * (moment - start).total_seconds()),
            "kind": event.kind,
            "segment": event.segment,
            "user": event.user,
            "data": dict(event.data),
        }
        if event.segment is not None:
            draft = drafts.setdefault(event.segment, Draft())
            draft.follow(event)
            frame["text"] = draft.text
        yield frame


def anonymised(events: Sequence[Logged]) -> list[Logged]:
    """The events with people as T1, T2, … in the order in which they appear, without what they said to each other."""
    names: dict[str, str] = {}
    kept = []
    for event in events:
        if event.kind in _PERSONAL:
            continue
        name = None if event.user is None else names.setdefault(event.user, f"T{len(names) + 1}")
        data = {field: value for field, value in event.data.items() if field not in _SAID}
        kept.append(replace(event, user=name, data=data))
    return kept


def jsonl(events: Iterable[Logged]) -> Iterator[str]:
    """An event a line."""
    for event in events:
        record = {
            "number": event.number,
            "kind": event.kind,
            "segment": event.segment,
            "user": event.user,
            "at": None if event.at is None else event.at.isoformat(),
            "received": event.received.isoformat(),
            "data": dict(event.data),
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"
