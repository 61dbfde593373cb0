"""The shared tasks that a server was started with, by name; each is read anew when somebody asks, for it is edited."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import DataError
from dragoman.report import Sentence
from dragoman.store.people.accounts import User
from dragoman.store.refusals import Conflict, NotFound
from dragoman.task import SharedTask, Submission, SubmissionBox, Team, read_task

__all__ = ["TaskView", "Tasks"]

_ALL = ("admin", "manager")  # who sees every team


@dataclass(frozen=True)
class TaskView:
    """A task as one person may see it."""

    task: SharedTask
    teams: tuple[Team, ...]  # for which they submit
    sees_all: bool

    def submissions(self) -> list[Submission]:
        """What they may see, the newest first."""
        names = {team.name for team in self.teams}
        return [each for each in reversed(SubmissionBox(self.task).all()) if self.sees_all or each.team in names]

    def submission(self, key: str) -> Submission:
        """One of them; others are not there."""
        for each in self.submissions():
            if each.id == key:
                return each
        raise NotFound(Sentence("There is no submission {id}.", id=repr(key[:40])))

    def team(self, name: str) -> Team:
        """A team of theirs by its name; without one, the only one they have."""
        if not name and len(self.teams) == 1:
            return self.teams[0]
        for each in self.teams:
            if each.name == name:
                return each
        raise NotFound(Sentence("You do not submit for a team called {team}.", team=repr(name[:80])))


class Tasks:
    """The folders of tasks."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders: dict[str, Path] = {}
        for folder in folders:
            task = read_task(folder)
            if task.name in self.folders:
                raise DataError(f"Two tasks are called {task.name!r}: {self.folders[task.name]} and {folder}.")
            self.folders[task.name] = Path(folder)

    def __bool__(self) -> bool:
        return bool(self.folders)

    def seen_by(self, user: User) -> list[TaskView]:
        """The tasks that concern somebody."""
        views = (_view(read_task(folder), user) for folder in self.folders.values())
        return [view for view in views if view.sees_all or view.teams]

    def check_new(self, name: str) -> None:
        """Raise if a team waits for an account of this name: whoever has it sees what the team submits."""
        for folder in self.folders.values():
            with suppress(DataError):  # a manifest that cannot be read opens nothing
                if read_task(folder).teams_of(name):
                    raise Conflict(f"The name {name!r} is kept for a member of a team; choose another.")

    def view(self, name: str, user: User) -> TaskView:
        """A task by its name; whoever is in none of its teams is told that there is none."""
        if name in self.folders:
            view = _view(read_task(self.folders[name]), user)
            if view.sees_all or view.teams:
                return view
        raise NotFound(Sentence("There is no task called {task}.", task=repr(name[:80])))


def _view(task: SharedTask, user: User) -> TaskView:
    sees_all = user.role in _ALL
    return TaskView(task, task.teams if sees_all else task.teams_of(user.name), sees_all)
