"""The log as tables in the style of the CRITT's translation-process database (Carl, Schaeffer & Bangalore 2016).

Times are milliseconds from the first event, places count characters. `COLUMNS` lists what each table has; what the
record does not carry is `---`. People and segments are named as in the log. What a spreadsheet would calculate with has
a quote before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from dragoman.cat.gaze import AREAS, Fixation, fixations
from dragoman.cat.memory.tokens import tokens
from dragoman.cat.replay import frames
from dragoman.cat.work import PAUSE, SegmentWork, fold_work
from dragoman.spreadsheets import spreadsheet_cell
from dragoman.store.translating.history import Logged

__all__ = ["COLUMNS", "Links", "tpr_tables"]

Row = tuple[Any, ...]
Links = Callable[
    [str, str], Sequence[tuple[tuple[int, int], tuple[int, int]]]
]  # of texts: characters that belong together

COLUMNS: dict[str, tuple[str, ...]] = {
    # sessions: what each person did in all
    "ss": ("Id", "User", "Time", "Dur", "SegN", "Mins", "Mdel", "Nkey", "Nmouse", "Nstroke", "FixN", "FixDur"),
    # segments
    "sg": (
        *("Id", "TTseg", "User", "TokS", "LenS", "LenT", "Dur", "Pnum", "Pdur", "Mins", "Mdel", "Nkey", "Nmouse"),
        *("TokT", "FixS", "FixT"),
    ),
    # tokens of sources and of final targets, with how often and how long they were looked at
    "st": ("Id", "TTseg", "SToken", "Cursor", "FixN", "FixDur"),
    "tt": ("Id", "TTseg", "TToken", "Cursor", "FixN", "FixDur"),
    # keystrokes: one character inserted (I) or deleted (D)
    "kd": ("Id", "Time", "Type", "Cursor", "Char", "User", "TTseg"),
    # production units: typing without a pause of a second
    "pu": ("Id", "Time", "Dur", "Pause", "Ins", "Del", "Cursor", "User", "TTseg", "Edit"),
    # fixations; units of reading, fixations one after the other in one text (Win 1: source, 2: target, 0: elsewhere)
    "fd": ("Id", "Time", "Dur", "Win", "Cursor", "X", "Y", "User", "TTseg"),
    "fu": ("Id", "Time", "Dur", "Win", "FixN", "User", "TTseg"),
    # alignment units of source and final target, where the project's engine can align
    "au": ("Id", "TTseg", "SCursor", "TCursor", "SAU", "TAU"),
}


def tpr_tables(
    events: Sequence[Logged], segments: Sequence[Mapping[str, Any]], *, links: Links | None = None
) -> dict[str, str]:
    """All tables by name, as text; `au` only with `links`."""
    told = list(frames(events))
    work, looks = fold_work(events), fixations(told)
    keys = _keys(told)
    rows: dict[str, list[Row]] = {
        "ss": _sessions(events, told, looks),
        "sg": _segments(segments, work, looks),
        "st": _tokens(segments, looks, "source"),
        "tt": _tokens(segments, looks, "target"),
        "kd": keys,
        "pu": _production(keys),
        "fd": [_fixation(each) for each in looks],
        "fu": _reading(looks),
    }
    if links is not None:
        rows["au"] = _alignment(segments, links)
    return {
        name: "".join(_line(row) for row in (COLUMNS[name], *((k, *row) for k, row in enumerate(table, start=1))))
        if name != "sg"  # whose Id is the place
        else "".join(map(_line, (COLUMNS[name], *table)))
        for name, table in rows.items()
    }


def _keys(told: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Time, type, place, character, user, segment of each character inserted or deleted."""
    keys: list[Row] = []
    for frame in told:
        if frame["kind"] != "text" or not isinstance(frame["data"].get("position"), int):
            continue
        for kind, name in (("D", "deleted"), ("I", "inserted")):
            for offset, char in enumerate(str(frame["data"].get(name, ""))):
                place = frame["data"]["position"] + (offset if kind == "I" else 0)
                keys.append((frame["time"], kind, place, _visible(char), frame["user"], frame["segment"]))
    return keys


def _sessions(events: Sequence[Logged], told: Sequence[Mapping[str, Any]], looks: Sequence[Fixation]) -> list[Row]:
    rows: list[Row] = []
    for user in dict.fromkeys(event.user for event in events if event.user is not None):
        own = [event for event in events if event.user == user]
        times = [frame["time"] for frame in told if frame["user"] == user]
        work = fold_work(own).values()
        sums = [sum(getattr(each, name) for each in work) for name in ("inserted", "deleted", "keys", "clicks")]
        strokes = sum(event.kind == "stroke" for event in own)
        seen = [each.duration for each in looks if each.user == user]
        n_segments = len({event.segment for event in own if event.segment is not None})
        rows.append(
            (user, min(times), max(times) - min(times), n_segments, *sums, strokes, len(seen), round(sum(seen)))
        )
    return rows


def _segments(
    segments: Sequence[Mapping[str, Any]], work: Mapping[int, SegmentWork], looks: Sequence[Fixation]
) -> list[Row]:
    rows: list[Row] = []
    for row in segments:
        own = work.get(row["id"])
        if own is None:
            continue
        counts = round(own.milliseconds), own.pauses, round(own.pause_milliseconds), own.inserted, own.deleted
        texts = row["words"], len(row["source"]), len(row["target"] or "")
        seen = [sum(each.segment == row["id"] and each.area == area for each in looks) for area in AREAS]
        n_target = len((row["target"] or "").split())
        rows.append((row["place"], row["id"], own.user, *texts, *counts, own.keys, own.clicks, n_target, *seen))
    return rows


def _tokens(segments: Sequence[Mapping[str, Any]], looks: Sequence[Fixation], area: str) -> list[Row]:
    rows: list[Row] = []
    for row in segments:
        here = [each for each in looks if each.segment == row["id"] and each.area == area]
        for token in tokens(row[area] or ""):
            seen = [each.duration for each in here if each.place is not None and token.begin <= each.place < token.end]
            text = row[area][token.begin : token.end]
            rows.append((row["id"], text, token.begin, len(seen), round(sum(seen))))
    return rows


def _production(keys: Sequence[Row]) -> list[Row]:
    """Runs of one person's keys in one segment; a pause of a second ends them."""
    units: list[list[Row]] = []
    for key in keys:
        last = units[-1][-1] if units else None
        if last is None or key[4:] != last[4:] or key[0] - last[0] >= PAUSE:
            units.append([])
        units[-1].append(key)
    rows: list[Row] = []
    ends: dict[Any, int] = {}
    for unit in units:
        (time, _, place, _, user, segment), end = unit[0], unit[-1][0]
        pause = time - ends[user] if user in ends else None
        ends[user] = end
        edit = "".join(key[3] if key[1] == "I" else f"[{key[3]}]" for key in unit)
        counts = (sum(key[1] == kind for key in unit) for kind in "ID")
        rows.append((time, end - time, pause, *counts, place, user, segment, edit))
    return rows


def _fixation(each: Fixation) -> Row:
    where = _window(each), each.place, round(each.x), round(each.y)
    return (round(each.time), round(each.duration), *where, each.user, each.segment)


def _reading(looks: Sequence[Fixation]) -> list[Row]:
    rows: list[Row] = []
    people = dict.fromkeys(each.user for each in looks)
    for user in people:
        own = [each for each in looks if each.user == user]
        for (win, segment), run in groupby(own, key=lambda each: (_window(each), each.segment)):
            unit = list(run)
            length = unit[-1].time + unit[-1].duration - unit[0].time
            rows.append((round(unit[0].time), round(length), win, len(unit), user, segment))
    return sorted(rows, key=lambda row: row[0])


def _window(each: Fixation) -> int:
    return 0 if each.area is None else 1 + AREAS.index(each.area)


def _alignment(segments: Sequence[Mapping[str, Any]], links: Links) -> list[Row]:
    rows: list[Row] = []
    for row in segments:
        source, target = row["source"], row["target"]
        for (a, b), (c, d) in links(source, target) if target else ():
            rows.append((row["id"], a, c, source[a:b], target[c:d]))
    return rows


def _visible(char: str) -> str:
    return {" ": "_", "\n": "[Return]", "\t": "[Tab]"}.get(char, char)


def _line(row: Sequence[Any]) -> str:
    return "\t".join(map(_cell, row)) + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return "---"
    return spreadsheet_cell(re.sub(r"[\t\r\n]", " ", value)) if isinstance(value, str) else str(value)
