"""How a task stands: what it asks, who submitted what, and what is still missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.judgements import read_judgements
from dragoman.report import Column, Result, Table
from dragoman.task.collecting import submission_table
from dragoman.task.manifest import QualityTrack, SharedTask, Team, Track, missing_files
from dragoman.task.submissions import Submission, SubmissionBox

__all__ = ["TaskStatus", "TrackStatus", "task_status"]


@dataclass(frozen=True)
class TrackStatus:
    """One track: what lies in it."""

    name: str
    asks: str
    laid_in: int  # by the organiser
    submitted: int  # that count
    metrics: int
    judgements: int
    missing: str  # files that are named and not there


@dataclass(frozen=True)
class TaskStatus(Result):
    """Tracks, teams and submissions."""

    kind: ClassVar[str] = "task status"

    task: str
    title: str
    deadline: datetime | None
    is_over: bool
    tracks: tuple[TrackStatus, ...]
    teams: tuple[Team, ...]
    submissions: tuple[Submission, ...]
    twins: tuple[tuple[str, ...], ...]  # ids of submissions of several teams with one content

    def tables(self) -> list[Table]:
        """The tracks, the teams, the submissions, and which of them are alike."""
        tables = [self._tracks(), self._teams()]
        if self.submissions:
            tables.append(submission_table(self.submissions))
        if self.twins:
            rows = [(" ".join(ids),) for ids in self.twins]
            tables.append(Table.of("Files of several teams with one content", ["submissions"], rows))
        return tables

    def meta(self) -> dict[str, Any]:
        """The task and its deadline."""
        return {
            "task": self.task,
            "deadline": None if self.deadline is None else self.deadline.isoformat(),
            "is_over": self.is_over,
        }

    def _tracks(self) -> Table:
        columns = [
            Column("track"),
            Column("asks"),
            Column("laid_in", "laid in"),
            Column("submitted"),
            Column("metrics"),
            Column("judgements"),
            Column("missing"),
        ]
        note = (
            "" if self.deadline is None else f"Deadline: {self.deadline:%Y-%m-%d %H:%M %Z}" + ", over." * self.is_over
        )
        rows = [(t.name, t.asks, t.laid_in, t.submitted, t.metrics, t.judgements, t.missing) for t in self.tracks]
        return Table.of(self.title, columns, rows, note=note)

    def _teams(self) -> Table:
        states = Counter((each.team, each.state) for each in self.submissions)
        columns = [Column("team"), Column("institution"), Column("accepted"), Column("late"), Column("refused")]
        rows = [
            (team.name, team.institution, *(states[team.name, state] for state in ("accepted", "late", "refused")))
            for team in self.teams
        ]
        return Table.of("Teams", columns, rows)


def task_status(task: SharedTask, *, now: datetime | None = None) -> TaskStatus:
    """How a task stands, as its organiser sees it."""
    box = SubmissionBox(task)
    submissions = tuple(box.all())
    return TaskStatus(
        task=task.name,
        title=task.title,
        deadline=task.deadline,
        is_over=task.deadline is not None and (now or datetime.now(UTC)) > task.deadline,
        tracks=tuple(_track(task, box, track) for track in task.tracks),
        teams=task.teams,
        submissions=submissions,
        twins=_twins(submissions),
    )


def _track(task: SharedTask, box: SubmissionBox, track: Track) -> TrackStatus:
    missing = ", ".join(missing_files(task, [track]))
    if isinstance(track, QualityTrack):
        submitted = len(box.counted(track.name, "quality"))
        return TrackStatus(track.name, f"quality: {track.subtask}", len(track.estimates), submitted, 0, 0, missing)
    there = [path for path in track.judgements if Path(path).is_file()]
    return TrackStatus(
        track.name,
        f"translation: {track.pair}",
        len(track.systems),
        len(box.counted(track.name, "translation")),
        len(track.scores) + len(box.counted(track.name, "metrics")),
        len(read_judgements(there)) if there else 0,
        missing,
    )


def _twins(submissions: tuple[Submission, ...]) -> tuple[tuple[str, ...], ...]:
    """Contents that came from more than one team; teams are not told."""
    by_content: dict[tuple[str, str], list[Submission]] = {}
    for each in submissions:
        if each.fingerprint:
            by_content.setdefault((each.track, each.fingerprint), []).append(each)
    return tuple(
        tuple(each.id for each in alike) for alike in by_content.values() if len({each.team for each in alike}) > 1
    )
