"""A project rehearsed: an invented translator mends machine translations into texts that are there already.

The events are those that the editor sends, at the pace of somebody who types without haste; nobody worked that long.
The account is marked as simulated, as are those of rehearsed campaigns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from dragoman.cat.projects import codes_of
from dragoman.cat.saving import save
from dragoman.cat.translating import translate_with_codes
from dragoman.engines import Translates
from dragoman.errors import DataError
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.events import Event
from dragoman.store.people.accounts import add_user
from dragoman.store.people.invented import MARK
from dragoman.store.translating.history import append_log
from dragoman.store.translating.jobs import Access, access_of, add_job, consent
from dragoman.store.translating.projects import Project
from dragoman.store.translating.saving import Change
from dragoman.store.translating.segments import list_segments

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["rehearse_project"]

_KEY = 180.0  # milliseconds a key
_CARET = 900.0  # until the caret stands elsewhere
_READING = 350.0  # a word of the source
_SCORE = 85  # of machine translation beside the matches of memories


def rehearse_project(
    connection: Connection,
    project: Project,
    translator: str,
    engine: Translates,
    texts: Mapping[str, str],
    *,
    begun: datetime,
) -> int:
    """Let an invented translator confirm every segment whose source has a text in `texts`; how many there were."""
    user = add_user(connection, translator, "annotator", None, actor=COMMAND_LINE, platform=MARK)
    add_job(connection, project.id, translator, actor=COMMAND_LINE)
    consent(connection, project.id, user, given=True)
    access = access_of(connection, project.id, user)
    rows = [row for row in list_segments(connection, project.id, limit=10**9)[1] if row["source"] in texts]
    suggestions = translate_with_codes(engine, [(row["source"], codes_of(row["codes"])) for row in rows])
    recorder = _Recorder(begun)
    for row, suggestion in zip(rows, suggestions, strict=True):
        _work(connection, access, recorder, row, suggestion, texts[row["source"]])
    return len(rows)


def _work(
    connection: Connection, access: Access, recorder: _Recorder, row: Mapping[str, Any], suggestion: str, text: str
) -> None:
    origin = {"kind": "MT", "name": access.project.engine, "score": _SCORE, "text": suggestion}
    recorder.open(row, origin)
    recorder.mend(suggestion, text)
    recorder.add("segmentClosed")
    append_log(connection, access, recorder.take())
    key = f"rehearsed-{row['id']}"
    change = Change(key, row["id"], row["revision"], text, "translated", origin, at=recorder.now)
    (outcome,) = save(connection, access, [change])
    if not outcome.saved:
        raise DataError(outcome.message)


@dataclass
class _Recorder:
    """Events as a browser sends them, with its clock."""

    now: datetime
    segment: int = 0
    events: list[Event] = field(default_factory=list)
    n_events: int = 0

    def add(self, kind: str, after: float = 0.0, /, **data: Any) -> None:
        self.now += timedelta(milliseconds=after)
        self.n_events += 1
        self.events.append(Event(f"event-{self.n_events}", kind, data, str(self.segment), self.now))

    def take(self) -> list[Event]:
        events, self.events = self.events, []
        return events

    def open(self, row: Mapping[str, Any], origin: Mapping[str, Any]) -> None:
        """A segment is opened and read; its suggestion is taken."""
        self.segment = row["id"]
        self.add("segmentOpened", text="")
        self.add("suggestionsLoaded", suggestions=[dict(origin)])
        self.add("suggestionChosen", _READING * row["words"], **origin)
        self.add("text", position=0, deleted="", inserted=origin["text"], by="suggestion")

    def mend(self, before: str, after: str) -> None:
        """Word by word from the left, each wrong stretch selected by the mouse and typed over."""
        old, new = (re.findall(r"\s+|\S+", text) for text in (before, after))
        position = 0
        for name, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            wrong, right = "".join(old[a:b]), "".join(new[c:d])
            if name != "equal":
                self.add("mouseDown", _CARET)
                self._type(position, wrong, right)
            position += len(right)

    def _type(self, position: int, wrong: str, right: str) -> None:
        if not right:
            self.add("keyDown", _KEY, key="Delete")
            self.add("text", position=position, deleted=wrong, inserted="", by="key")
        for place, char in enumerate(right):
            self.add("keyDown", _KEY, key=char)
            deleted = wrong if place == 0 else ""
            self.add("text", position=position + place, deleted=deleted, inserted=char, by="key")
