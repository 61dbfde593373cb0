"""Files that cannot be written with the translations that they have: which segments are at fault, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragoman.cat.files.base import FileFormat, Langs
from dragoman.cat.files.inline import misfit, unfit
from dragoman.cat.segments import Target, Unit
from dragoman.errors import DataError, FormatError
from dragoman.store.translating import segments

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["Fault", "NotWritable", "filled"]

_NAMED = 20  # segments in one message
_MOST = 10  # units that are looked for by trying to write them


@dataclass(frozen=True)
class Fault:
    """A segment whose target cannot be written into its file."""

    segment: int
    place: int
    reason: str  # the end of a sentence


class NotWritable(DataError):
    """A file that cannot be written with its translations; the message names the segments."""

    def __init__(self, file: str, faults: Sequence[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        told = "; ".join(f"segment {each.place}: {each.reason}" for each in self.faults[:_NAMED])
        more = f"; and {len(faults) - _NAMED} more segments" if len(faults) > _NAMED else ""
        super().__init__(f"{file} cannot be written: {told}{more}. Correct these segments, then export the file again.")


def filled(
    connection: Connection,
    project: int,
    file: int,
    form: FileFormat,
    content: bytes,
    units: Mapping[str, Unit],
    targets: Mapping[str, Target],
    *,
    langs: Langs,
    name: str,
) -> bytes:
    """The file with its targets; one that cannot be written raises `NotWritable` with all segments at fault."""

    def write(some: Mapping[str, Target]) -> bytes:
        return form.fill(content, some, langs=langs, name=name)

    try:
        return write(targets)
    except DataError as error:
        reasons = {key: misfit(target.text, units[key].codes) for key, target in targets.items()}
        reasons = {key: reason for key, reason in reasons.items() if reason and targets[key].text != units[key].target}
        rest = {key: target for key, target in targets.items() if key not in reasons}
        reasons |= _found(write, rest)
        faults = _faults(connection, project, file, units, reasons)
        if not faults:
            raise
        raise NotWritable(name, faults) from error


def _found(write: Callable[[Mapping[str, Target]], bytes], targets: Mapping[str, Target]) -> dict[str, str]:
    """Units whose targets a format refuses for other reasons than their codes, by halving; the first few."""
    found: dict[str, str] = {}
    waiting = [[*targets]] if targets else []
    while waiting and len(found) < _MOST:
        keys = waiting.pop()
        try:
            write({key: targets[key] for key in keys})
        except DataError as error:
            if len(keys) == 1:
                reason = error.message if isinstance(error, FormatError) else str(error)
                found[keys[0]] = reason.rstrip(".")
            else:
                half = len(keys) // 2
                waiting += [keys[half:], keys[:half]]
    return found


def _faults(
    connection: Connection, project: int, file: int, units: Mapping[str, Unit], reasons: Mapping[str, str]
) -> list[Fault]:
    """The segments of units that cannot be written: those that are broken in themselves, else all of a unit."""
    _, rows = segments.list_segments(connection, project, file=file, limit=10**9)
    by_unit: dict[str, list[Fault]] = {key: [] for key in reasons}
    broken: dict[str, list[Fault]] = {key: [] for key in reasons}
    for row in rows:
        key = row["unit"]
        if key not in reasons or row["target"] is None:
            continue
        reason = unfit(row["source"], row["target"], units[key].codes)
        by_unit[key].append(Fault(row["id"], row["place"], reasons[key]))
        if reason:
            broken[key].append(Fault(row["id"], row["place"], reason))
    faults = [fault for key in reasons for fault in broken[key] or by_unit[key]]
    return sorted(faults, key=lambda each: each.place)
