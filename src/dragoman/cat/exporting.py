"""What an export wrote: how many segments of which state, and into which files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from dragoman.cat.files.base import FILE_FORMATS
from dragoman.cat.segments import State
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.store.translating import segments

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["ORDER", "Export", "is_far_enough", "new_encoding", "refuse_unconfirmed", "written_states"]

ORDER: tuple[State, ...] = ("rejected", "new", "draft", "translated", "approved")
_WRITTEN = ("approved", "translated", "draft", "rejected")
_UNCONFIRMED = ("draft", "rejected")
_UNTRANSLATED = "untranslated"


def is_far_enough(states: Sequence[State], targets: Sequence[str | None], least: State) -> bool:
    """Whether what became of a unit is written: it has a target, and no part is less far than asked for."""
    if all(target is None for target in targets):
        return False
    return least == "draft" or all(
        target is not None and ORDER.index(state) >= ORDER.index(least)
        for state, target in zip(states, targets, strict=True)
    )


def written_states(connection: Connection, file: int, *, least: State = "draft") -> dict[str, int]:
    """How many segments of a file are written, by state, and how many stay as they were (`untranslated`)."""
    counts: Counter[str] = Counter(dict.fromkeys((*_WRITTEN, _UNTRANSLATED), 0))
    for _, unit in groupby(segments.segments_of_file(connection, file), key=lambda row: str(row.unit)):
        rows = list(unit)
        is_written = is_far_enough([row.state for row in rows], [row.target for row in rows], least)
        counts.update(row.state if is_written and row.target is not None else _UNTRANSLATED for row in rows)
    return dict(counts)


def refuse_unconfirmed(file: str, states: Mapping[str, int]) -> None:
    """Refuse a file of which a segment is not confirmed: a draft, rejected, or without a translation."""
    found = [f"{states[state]} {state}" for state in (*_UNCONFIRMED, _UNTRANSLATED) if states[state]]
    if found:
        raise DataError(f"{file} is not finished: of its segments {', '.join(found)}.")


def new_encoding(connection: Connection, project: int, file: int, after: bytes) -> str:
    """Return what to tell of a file that is written in another encoding than it had; empty if it is not."""
    name, format_name, before = segments.file_content(connection, project, file)
    if before == after:
        return ""
    form = FILE_FORMATS.make(format_name)
    old, new = (form.encoding_of(content, name=name) for content in (before, after))
    return "" if old == new else f"{name} is written in {new}, and declares it: {old} lacks a character of the targets."


@dataclass(frozen=True)
class Export(Result):
    """The files that were written, and what stands in them."""

    kind: ClassVar[str] = "export"

    files: tuple[tuple[str, Mapping[str, int]], ...]  # path, and segments by state

    def tables(self) -> list[Table]:
        """One row per file."""
        states = (*_WRITTEN, _UNTRANSLATED)
        rows = [(path, *(counts[state] for state in states)) for path, counts in self.files]
        return [Table.of("Files written", [Column(name) for name in ("file", *states)], rows)]

    @property
    def doubt(self) -> str:
        """What was delivered though nobody confirmed it; empty if nothing."""
        sums = {state: sum(counts[state] for _, counts in self.files) for state in _UNCONFIRMED}
        found = [f"{n} {state}" for state, n in sums.items() if n]
        if not found:
            return ""
        return (
            f"segments that nobody confirmed were written: {', '.join(found)}. --least translated leaves them "
            "untranslated, --refuse-unconfirmed writes no file that has any."
        )
