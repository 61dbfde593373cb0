"""What was done on each segment, folded from the events of a project: time, keys, texts, suggestions.

The events are CASMACAT's (Alabau et al., EACL 2014). Time counts while a segment is open, from `segmentOpened` to
`segmentClosed`, by the clock of the translator's own machine; whoever does nothing for five minutes is not editing.
`segmentOpened` says which `text` the segment had. A `text` event has `position`, `deleted` and `inserted`, and says in
`by` what it came from: `key`, `paste`, or, where a machine wrote it, `suggestion` or `prediction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dragoman.store.translating.history import Logged

__all__ = ["MAX_IDLE", "PAUSE", "Draft", "SegmentWork", "fold_work"]

MAX_IDLE = 300_000.0  # milliseconds after which a pause is no editing
PAUSE = 1_000.0  # milliseconds without an event that make a pause
_MODIFIERS = frozenset({"Alt", "AltGraph", "CapsLock", "Control", "Fn", "Meta", "NumLock", "Shift"})
_BY_MACHINE = frozenset({"suggestion", "prediction"})
_WHOLE = frozenset({"saved", "restored", "replaced", "pretranslated"})


@dataclass
class Draft:
    """A text as it grows: its characters, and which of them somebody typed."""

    text: str = ""
    typed: list[bool] = field(default_factory=list)
    misfits: int = 0  # edits of another text than this: the record is not whole

    def follow(self, event: Logged) -> None:
        """Become what the segment is after an event."""
        if event.kind == "text":
            self.misfits += not self._edit(event.data)
        elif event.kind in _WHOLE:
            self._become(str(event.data["target"]))
        elif event.kind == "segmentOpened" and isinstance(event.data.get("text"), str):
            self._become(event.data["text"])

    def _edit(self, data: Mapping[str, Any]) -> bool:
        """Apply a `text` event; whether what it deletes was there. One that does not fit changes nothing."""
        position, deleted, inserted = data.get("position"), data.get("deleted", ""), data.get("inserted", "")
        if not isinstance(position, int) or not isinstance(deleted, str) or not isinstance(inserted, str):
            return False
        end = position + len(deleted)
        if position < 0 or self.text[position:end] != deleted or position > len(self.text):
            return False
        self.text = self.text[:position] + inserted + self.text[end:]
        self.typed[position:end] = [data.get("by") not in _BY_MACHINE] * len(inserted)
        return True

    def _become(self, text: str) -> None:
        """Another text as a whole; nobody typed what is new in it."""
        if text != self.text:
            self.text, self.typed = text, [False] * len(text)

    def is_record_of(self, text: str) -> bool:
        """Whether the events tell without a gap how this text came about."""
        return self.text == text and not self.misfits

    @property
    def typed_words(self) -> int:
        """Words in which somebody typed a character."""
        count, inside, is_typed = 0, False, False
        for char, by_hand in zip(self.text + " ", [*self.typed, False], strict=True):
            if char.isspace():
                count += inside and is_typed
                inside = is_typed = False
            else:
                inside, is_typed = True, is_typed or by_hand
        return count


@dataclass
class SegmentWork:
    """What was done on one segment."""

    milliseconds: float = 0.0
    pauses: int = 0
    pause_milliseconds: float = 0.0
    keys: int = 0
    clicks: int = 0
    inserted: int = 0  # characters, by hand
    deleted: int = 0
    user: str | None = None  # who saved it last
    draft: Draft = field(default_factory=Draft)
    suggestions: list[Mapping[str, Any]] = field(default_factory=list)  # of the last look-up, best first
    suggestion: Mapping[str, Any] | None = None  # the one that was edited


def fold_work(events: Iterable[Logged]) -> dict[int, SegmentWork]:
    """The work on each segment, from the events of a project in their order."""
    work: dict[int, SegmentWork] = {}
    opened: dict[str, tuple[int, datetime]] = {}
    for event in events:
        if event.at is not None and event.user is not None:
            _count_time(work, opened, event.user, event.at, event)
        if event.segment is not None:
            _take(work.setdefault(event.segment, SegmentWork()), event)
    return work


def _count_time(
    work: dict[int, SegmentWork], opened: dict[str, tuple[int, datetime]], user: str, at: datetime, event: Logged
) -> None:
    """Time since the last event belongs to the segment that the person had open."""
    if user in opened:
        segment, last = opened[user]
        gap = 1000 * (at - last).total_seconds()
        own = work.setdefault(segment, SegmentWork())
        if 0 <= gap <= MAX_IDLE:
            own.milliseconds += gap
            if gap >= PAUSE:
                own.pauses += 1
                own.pause_milliseconds += gap
        opened[user] = segment, at
    if event.kind == "segmentOpened" and event.segment is not None:
        opened[user] = event.segment, at
    elif event.kind in ("segmentClosed", "stopSession"):
        opened.pop(user, None)


def _take(own: SegmentWork, event: Logged) -> None:
    """What an event says about its segment."""
    data = event.data
    own.draft.follow(event)
    if event.kind == "keyDown":
        own.keys += data.get("key") not in _MODIFIERS
    elif event.kind == "mouseDown":
        own.clicks += 1
    elif event.kind == "text":
        if data.get("by") not in _BY_MACHINE:
            own.inserted += len(str(data.get("inserted", "")))
            own.deleted += len(str(data.get("deleted", "")))
    elif event.kind == "suggestionsLoaded":
        own.suggestions = [each for each in data.get("suggestions", []) if isinstance(each, dict)]
    elif event.kind == "suggestionChosen":
        own.suggestion = data
    elif event.kind in _WHOLE:
        own.user = event.user
        own.suggestion = data.get("origin") or own.suggestion
