"""What is reported of a project, from what the store has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dragoman.cat.log import EditLog, edit_log
from dragoman.cat.memory import MemoryIndex, MemoryUnit
from dragoman.cat.review import Review, review_of
from dragoman.report import Result, Table
from dragoman.store.translating import jobs, remarks, segments
from dragoman.store.translating.history import read_log
from dragoman.store.translating.jobs import JobList
from dragoman.store.translating.projects import Project
from dragoman.store.translating.scores import list_scores
from dragoman.store.translating.segments import FileList, Progress

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["ProjectReport", "edit_log_of", "report_of", "similarity"]

_ALL = 10**9


def edit_log_of(connection: Connection, project: int) -> EditLog:
    """The edit log of a project."""
    events = read_log(connection, project)
    _, rows = segments.list_segments(connection, project, limit=_ALL)
    work = [(row[0], row[1], row[2], row[3], row[4]) for row in jobs.list_jobs(connection, project).jobs]
    return edit_log(events, rows, jobs=work, similarity=similarity)


def similarity(one: str, other: str) -> float:
    """How much two texts are one, from 0 to 1, as memories count it."""
    matches = MemoryIndex([MemoryUnit(1, one, one)]).matches(other, most=1, threshold=0)
    return min(1.0, matches[0].score / 100) if matches else 0.0


@dataclass(frozen=True)
class ProjectReport(Result):
    """How far a project is, who works on it, what reviewers found, what the work cost."""

    kind: ClassVar[str] = "project"

    project: Project
    progress: Progress
    files: FileList
    jobs: JobList
    review: Review
    log: EditLog

    def tables(self) -> list[Table]:
        """Progress first; what is empty is left out."""
        more = [*self.files.tables(), *self.jobs.tables(), *self.review.tables()]
        return [*self.progress.tables(), *(table for table in more if table.rows)]

    def meta(self) -> dict[str, Any]:
        """The project, its files and jobs, and the averages of the edit log."""
        return {
            "id": self.project.id,
            "name": self.project.name,
            "source_lang": self.project.source_lang,
            "target_lang": self.project.target_lang,
            "engine": self.project.engine,
            "memories": [each["name"] for each in self.project.memories],
            "files": self.files.tables()[0].records(),
            "jobs": self.jobs.tables()[0].records(),
            "review": self.review.meta(),
            "work": self.log.totals(),
        }


def report_of(connection: Connection, project: Project) -> ProjectReport:
    """All that is reported of a project."""
    progress = segments.progress_of(connection, project.id)
    issues = remarks.list_issues(connection, project.id)
    return ProjectReport(
        project,
        progress,
        segments.list_files(connection, project.id),
        jobs.list_jobs(connection, project.id),
        review_of(issues, sum(words for _, _, words in progress.states), list_scores(connection, project.id)),
        edit_log_of(connection, project.id),
    )
