"""What people did, to be seen again and given away: the states of segments over time, and the log as files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from dragoman.cat.work import Draft, fold_work
from dragoman.store.translating.history import Logged

__all__ = ["anonymised", "frames", "jsonl", "tpr_tables"]

_PERSONAL = frozenset({"comment"})  # what people say to each other is left out of an anonymous log


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
        kept.append(replace(event, user=name))
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


def tpr_tables(events: Sequence[Logged], segments: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Tables in the style of the translation-process database of the CRITT: keystrokes (`kd`) and segments (`sg`).

    Times are milliseconds from the first event; a keystroke is one character inserted or deleted at a place.
    """
    keys: list[tuple[Any, ...]] = [("Id", "Time", "Type", "Cursor", "Char", "User", "TTseg")]
    for frame in frames(events):
        if frame["kind"] != "text" or not isinstance(frame["data"].get("position"), int):
            continue
        for kind, name in (("D", "deleted"), ("I", "inserted")):
            for offset, char in enumerate(str(frame["data"].get(name, ""))):
                place = frame["data"]["position"] + (offset if kind == "I" else 0)
                keys.append((len(keys), frame["time"], kind, place, _visible(char), frame["user"], frame["segment"]))
    work = fold_work(events)
    rows: list[tuple[Any, ...]] = [
        ("Id", "TTseg", "User", "TokS", "LenS", "LenT", "Dur", "Pnum", "Pdur", "Mins", "Mdel", "Nkey", "Nmouse")
    ]
    for row in segments:
        own = work.get(row["id"])
        if own is None:
            continue
        counts = round(own.milliseconds), own.pauses, round(own.pause_milliseconds), own.inserted, own.deleted
        texts = row["words"], len(row["source"]), len(row["target"] or "")
        rows.append((row["place"], row["id"], own.user, *texts, *counts, own.keys, own.clicks))
    return {name: "".join(_line(row) for row in table) for name, table in (("kd", keys), ("sg", rows))}


def _visible(char: str) -> str:
    return {" ": "_", "\n": "[Return]", "\t": "[Tab]"}.get(char, char)


def _line(row: Sequence[Any]) -> str:
    return "\t".join("---" if cell is None else str(cell) for cell in row) + "\n"
