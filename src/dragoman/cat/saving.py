"""Work on segments: saved, restored from the history, searched and replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dragoman.cat.files.base import FILE_FORMATS
from dragoman.cat.files.inline import unfit
from dragoman.cat.projects import codes_of
from dragoman.cat.segments import plain
from dragoman.data.xml import NOT_XML
from dragoman.errors import DataError
from dragoman.store.refusals import NotFound
from dragoman.store.translating import segments
from dragoman.store.translating.history import Logged, read_log
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.memories import NewUnit, add_units, find_memory
from dragoman.store.translating.saving import CONFIRMED, Change, Outcome, Unfit, save_changes

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["CONFIRMED", "TEXT_KINDS", "Version", "find_and_replace", "history_of", "is_confirmed", "restore", "save"]

TEXT_KINDS = ("saved", "restored", "replaced", "pretranslated", "refused", "split", "merged")  # that make a text
_MOST_REPLACED = 10_000
_MOST_CHARSETS = 1000
_CHARSETS: dict[tuple[str, str], str] = {}  # of files, by format and digest: they are read once


@dataclass(frozen=True)
class Version:
    """A text that a segment had, or that somebody wanted it to have when it was `refused`."""

    number: int  # of the event
    kind: str
    user: str | None
    at: str
    target: str | None
    state: str | None
    revision: int | None


def save(
    connection: Connection, access: Access, changes: Sequence[Change], *, per_minute: int | None = None
) -> list[Outcome]:
    """Save changes; what is confirmed is in the project's memories when the transaction is over.

    What cannot be written into its file, for its codes, is not confirmed; as a draft it is saved as any text.
    """
    outcomes = save_changes(connection, access, changes, unfit=_unfit(connection), per_minute=per_minute)
    confirmed = [each for each in outcomes if is_confirmed(each)]
    written = [each["name"] for each in access.project.memories if each.get("writes")]
    if not (confirmed and written):
        return outcomes
    units = {each.segment: _unit(connection, access.project.id, each) for each in confirmed}  # the last of each
    origin = f"project {access.project.name}"
    for name in written:
        with suppress(NotFound):  # deleted since it was chosen: the translation is saved all the same
            add_units(
                connection, find_memory(connection, name), [*units.values()], origin=origin, user_id=access.user.id
            )
    return outcomes


def _unfit(connection: Connection) -> Unfit:
    """Why a target cannot be confirmed in a segment of the table: for its codes, or for a character."""

    def reason(row: Any, target: str) -> str:
        told = unfit(row.source, target, codes_of(row.codes)) or _forbidden(connection, row, target)
        return told if told or target.isascii() else _lacking(connection, row, target)

    return reason


def _forbidden(connection: Connection, row: Any, target: str) -> str:
    """The first character of a target that no file of its format can have; pasted text has vertical tabs."""
    if NOT_XML.search(target) is None:  # what formats forbid is among these
        return ""
    format_name, _ = segments.file_kind(connection, row.project_file_id)
    return FILE_FORMATS.make(format_name).refused_character(row.source, target)


def _lacking(connection: Connection, row: Any, target: str) -> str:
    """The first character of a target that the encoding of its file has not."""
    kind = segments.file_kind(connection, row.project_file_id)
    if kind not in _CHARSETS:
        name, format_name, content = segments.file_content(connection, row.project_id, row.project_file_id)
        if len(_CHARSETS) >= _MOST_CHARSETS:
            _CHARSETS.clear()
        _CHARSETS[kind] = FILE_FORMATS.make(format_name).charset(content, name=name)
    charset = _CHARSETS[kind]
    try:
        plain(target).encode(charset or "utf-8")
    except UnicodeEncodeError as error:
        char = plain(target)[error.start]
        return f"the file is in {charset}, which has no {char!r} (U+{ord(char):04X})"
    return ""


def is_confirmed(outcome: Outcome) -> bool:
    """Whether a change, saved just now, is a translation to be remembered."""
    return outcome.fresh and outcome.state in CONFIRMED and bool((outcome.target or "").strip())


def _unit(connection: Connection, project: int, outcome: Outcome) -> NewUnit:
    before, source, behind = segments.sources_around(connection, project, outcome.place or 0)
    key = f"project/{project}/{outcome.segment}"
    return NewUnit(source, outcome.target or "", before, behind, key=key)


def history_of(connection: Connection, project: int, segment: int) -> list[Version]:
    """All versions of a segment, oldest first."""
    segments.find_segment(connection, project, segment)
    log = read_log(connection, project, segment=segment)
    return [_version(each) for each in log if each.kind in TEXT_KINDS]


def _version(event: Logged) -> Version:
    data: Mapping[str, Any] = event.data
    target = " ".join(filter(None, data["targets"])) if event.kind == "merged" else data.get("target")
    return Version(
        event.number,
        event.kind,
        event.user,
        event.received.isoformat(),
        target,
        data.get("state"),
        data.get("revision"),
    )


def restore(connection: Connection, access: Access, segment: int, number: int, *, revision: int, key: str) -> Outcome:
    """Give a segment the text of an earlier version, by the number of its event, as a draft."""
    versions = history_of(connection, access.project.id, segment)
    version = next((each for each in versions if each.number == number), None)
    if version is None or version.target is None:
        raise NotFound(f"The history of segment {segment} has no text number {number}.")
    change = Change(key, segment, revision, version.target, "draft", kind="restored")
    return save_changes(connection, access, [change], unfit=_unfit(connection))[0]


def find_and_replace(
    connection: Connection,
    access: Access,
    find: str,
    replacement: str,
    *,
    key: str,
    match_case: bool = False,
    whole_words: bool = False,
    dry_run: bool = False,
) -> list[tuple[dict[str, Any], str, Outcome | None]]:
    """Replace text in all targets that one may change: each segment as it was, its new text, and what became of it.

    States stay; of a `dry_run` there are no outcomes.
    """
    if not find:
        raise DataError("Say what to look for.")
    _, rows = segments.list_segments(connection, access.project.id, target=find, limit=_MOST_REPLACED)
    edge = r"(?!\w)" if whole_words else ""
    before = r"(?<!\w)" if whole_words else ""
    pattern = re.compile(before + re.escape(find) + edge, 0 if match_case else re.IGNORECASE)
    found = []
    for row in rows:
        text = pattern.sub(lambda _: replacement, row["target"])
        state = row["state"] if access.may(row["place"], review=True) or row["state"] in ("draft", "translated") else ""
        if text != row["target"] and state and access.may(row["place"]):
            found.append(
                (row, text, Change(f"{key}.{row['id']}", row["id"], row["revision"], text, state, kind="replaced"))
            )
    outcomes: Sequence[Outcome | None] = [None] * len(found)
    if not dry_run:
        outcomes = save_changes(connection, access, [change for *_, change in found], unfit=_unfit(connection))
    return [(row, text, outcome) for (row, text, _), outcome in zip(found, outcomes, strict=True)]
