"""Where people looked: samples of an eye tracker become fixations, and these find the words they lie on.

A `gaze` event has `x` and `y`, pixels of the browser's window, or `samples`, `[ms, x, y]` each, with milliseconds from
the event's own time. A `layout` event says where the texts of the open segment stand: `source` and `target`, each
`[left, top, width, height]`; and, if a page knows it, where words do: `words`, with lists `source` and `target` of
`[begin, end, left, top, width, height]`. A `fixation` event has `x`, `y` and `duration` ready made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

__all__ = ["AREAS", "Fixation", "fixations"]

AREAS = ("source", "target")
_SPREAD = 50.0  # pixels: width and height together of what is one fixation (I-DT, Salvucci & Goldberg 2000)
_SHORTEST = 100.0  # milliseconds
_GAP = 200.0  # milliseconds without a sample that end a fixation: a blink

Sample = tuple[float, float, float]  # milliseconds from the first event, x, y


@dataclass(frozen=True)
class Fixation:
    """A look that stays: when, for how long (milliseconds), where, and at which character of which text."""

    time: float
    duration: float
    x: float
    y: float
    user: str | None = None
    segment: int | None = None
    area: str | None = None  # source or target; None: neither, or nobody said where they stand
    place: int | None = None


def samples_of(data: Mapping[str, Any]) -> list[Sample]:
    """The samples of a `gaze` event that can be used, in the order of time."""
    rows = data.get("samples", [[0, data.get("x"), data.get("y")]])
    usable = [
        (float(row[0]), float(row[1]), float(row[2]))
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, list) and len(row) >= 3 and all(_is_number(each) for each in row[:3])
    ]
    return sorted(usable)


@dataclass
class _Eyes:
    """What is known of one person while the log is read."""

    waiting: list[Sample] = field(default_factory=list)
    segment: int | None = None
    layout: Mapping[str, Any] = field(default_factory=dict)


def fixations(frames: Iterable[Mapping[str, Any]]) -> list[Fixation]:
    """All fixations of a log, by time: those that were told, and those that samples amount to."""
    eyes: dict[str | None, _Eyes] = {}
    found: list[Fixation] = []
    for frame in frames:
        person, data = eyes.setdefault(frame["user"], _Eyes()), frame["data"]
        if frame["kind"] in ("segmentOpened", "layout"):
            found += _settled(person, frame["user"])
            person.segment = frame["segment"]
            person.layout = data if frame["kind"] == "layout" else {}
        elif frame["kind"] == "gaze":
            person.waiting += [(frame["time"] + ms, x, y) for ms, x, y in samples_of(data)]
        elif frame["kind"] == "fixation" and all(_is_number(data.get(name)) for name in ("x", "y", "duration")):
            told = Fixation(frame["time"], data["duration"], data["x"], data["y"], frame["user"], person.segment)
            found.append(_placed(told, person.layout))
    for user, person in eyes.items():
        found += _settled(person, user)
    return sorted(found, key=lambda each: each.time)


def _settled(person: _Eyes, user: str | None) -> list[Fixation]:
    samples, person.waiting = person.waiting, []
    return [
        _placed(replace(each, user=user, segment=person.segment), person.layout) for each in _dispersed(sorted(samples))
    ]


def _dispersed(samples: Sequence[Sample]) -> Iterator[Fixation]:
    """Runs of samples within a small box that last long enough."""
    first = 0
    while first < len(samples):
        last = first
        while last + 1 < len(samples) and _is_one(samples[first : last + 2]):
            last += 1
        run = samples[first : last + 1]
        if run[-1][0] - run[0][0] >= _SHORTEST:
            x, y = (sum(sample[axis] for sample in run) / len(run) for axis in (1, 2))
            yield Fixation(run[0][0], run[-1][0] - run[0][0], x, y)
            first = last
        first += 1


def _is_one(run: Sequence[Sample]) -> bool:
    spread = sum(max(each[axis] for each in run) - min(each[axis] for each in run) for axis in (1, 2))
    return spread <= _SPREAD and run[-1][0] - run[-2][0] <= _GAP


def _placed(fixation: Fixation, layout: Mapping[str, Any]) -> Fixation:
    """The fixation with the text, and if that is known, the word that it lies on."""
    words = layout.get("words")
    for area in AREAS:
        boxes = words.get(area) if isinstance(words, dict) else None
        for begin, _, *box in (each for each in boxes or () if isinstance(each, list) and len(each) == 6):
            if _is_number(begin) and _is_in(fixation, box):
                return replace(fixation, area=area, place=int(begin))
    return replace(fixation, area=next((area for area in AREAS if _is_in(fixation, layout.get(area))), None))


def _is_in(fixation: Fixation, box: Any) -> bool:
    if not (isinstance(box, list) and len(box) == 4 and all(_is_number(each) for each in box)):
        return False
    left, top, width, height = box
    return bool(left <= fixation.x < left + width and top <= fixation.y < top + height)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
