"""Files from a folder or a disk put into the box of a task, as the organiser does it who gets them by mail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.files import StrPath, plain_name
from dragoman.report import Column, Result, Table
from dragoman.task.manifest import SharedTask
from dragoman.task.submissions import Submission, SubmissionBox

__all__ = ["Collection", "collect_submissions", "submission_table"]

_TEXT_SUFFIX = re.compile(r"\.[A-Za-z]{2,5}$")  # .txt, .en, .tsv: nothing of the system


@dataclass(frozen=True)
class Collection(Result):
    """What was taken in, and what is wrong with it."""

    kind: ClassVar[str] = "task collection"

    task: str
    submissions: tuple[Submission, ...]

    def tables(self) -> list[Table]:
        """A row for each file."""
        return [submission_table(self.submissions)]

    def meta(self) -> dict[str, Any]:
        """Which task, and how many files were refused."""
        return {"task": self.task, "refused": sum(not each.is_accepted for each in self.submissions)}


def submission_table(submissions: Sequence[Submission], title: str = "Submissions") -> Table:
    """What came, in its order."""
    columns = [
        Column("id"),
        Column("team"),
        Column("track"),
        Column("kind"),
        Column("system"),
        Column("file"),
        Column("received"),
        Column("lines"),
        Column("state", tones={"accepted": "good", "late": "beware", "refused": "bad"}),
        Column("remarks", is_text=True),
    ]
    rows = [
        (
            each.id,
            each.team,
            each.track,
            each.kind,
            each.system,
            each.file,
            each.received.strftime("%Y-%m-%d %H:%M:%S %Z"),
            each.n_lines,
            each.state,
            " ".join((*each.problems, *each.notes)),
        )
        for each in submissions
    ]
    return Table.of(title, columns, rows)


def collect_submissions(
    task: SharedTask,
    files: Sequence[StrPath],
    *,
    team: str,
    track: str,
    kind: str | None = None,
    received: datetime | None = None,
    by: str = "organiser",
) -> Collection:
    """Take files of one team in: PATH or SYSTEM=PATH, where the file names the system if nobody does.

    `received` is when they came, if not now. A file with something wrong is kept and marked as refused.
    """
    box = SubmissionBox(task)
    whose, where = task.team(team), task.track(track)
    places = [_system_and_path(file) for file in files]
    for _, path in places:
        if not path.is_file():
            raise DataError(f"There is no file {path}.")
    taken = [
        box.receive(
            path, team=whose.name, track=where.name, system=system, file=path.name, by=by, kind=kind,
            begun=received, now=received,
        )
        for system, path in places
    ]  # fmt: skip
    return Collection(task.name, tuple(taken))


def _system_and_path(argument: StrPath) -> tuple[str, Path]:
    text = str(argument)
    name, equals, path = text.partition("=")
    if equals and "/" not in name:
        return name, Path(path)
    return re.sub(r"[^A-Za-z0-9_-]+", "-", _TEXT_SUFFIX.sub("", plain_name(text))).strip("-_"), Path(text)
