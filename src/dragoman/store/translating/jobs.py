"""Jobs: a project's segments cut among people, and what each may do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.people.accounts import User, find_user
from dragoman.store.people.services import check_service
from dragoman.store.refusals import Conflict, NotAllowed, NotFound
from dragoman.store.translating import tables as work
from dragoman.store.translating.projects import Project, find_project, lock_project

__all__ = [
    "JOB_ROLES",
    "Access",
    "Job",
    "JobList",
    "access_of",
    "add_job",
    "consent",
    "list_jobs",
    "memories_at_work",
    "remove_job",
]

JOB_ROLES = ("translator", "reviewer")
_J = work.jobs.c
_S = work.segments.c
_OWN = sa.select(work.jobs).where(_J.project_id == sa.bindparam("project"), _J.user_id == sa.bindparam("user"))
_TRANSLATORS = ("draft", "translated")


@dataclass(frozen=True)
class Job:
    """Segments of one person, by their places, both included."""

    id: int
    role: str
    first: int
    last: int
    consented: datetime | None


@dataclass(frozen=True)
class Access:
    """What somebody may do in a project: `manages` everything, or what the jobs say; nobody else sees it."""

    project: Project
    user: User
    manages: bool
    jobs: tuple[Job, ...] = ()

    @property
    def role(self) -> str:
        """The most that the person is: manager, reviewer, translator or viewer."""
        if self.manages:
            return "manager"
        return next((role for role in ("reviewer", "translator") if role in {job.role for job in self.jobs}), "viewer")

    @property
    def works(self) -> bool:
        """Whether the person manages, translates or reviews: those who look on say nothing and ask no engine."""
        return self.manages or bool(self.jobs)

    @property
    def looker(self) -> User | None:
        """The person, if they only look on and so have of the project's memories those that they may use anyway."""
        return None if self.works else self.user

    @property
    def logs(self) -> bool:
        """Whether the person let events of theirs be kept."""
        return any(job.consented for job in self.jobs)

    def may(self, place: int, *, review: bool = False) -> bool:
        """Whether the person works on the segment at a place; with `review`, whether as a reviewer."""
        own = {job.role for job in self.jobs if job.first <= place <= job.last}
        return self.manages or ("reviewer" in own if review else bool(own))

    def check(self, place: int, state: str | None = None) -> None:
        """Raise if the person may not change the segment at a place, or not give it this state."""
        if not self.may(place):
            ranges = ", ".join(f"{job.first}–{job.last}" for job in self.jobs) or "none"
            raise NotAllowed(f"Segment {place} is none of yours; yours are: {ranges}.")
        if state is not None and state not in _TRANSLATORS and not self.may(place, review=True):
            raise NotAllowed(f"Only reviewers give a segment the state {state!r}; yours are draft and translated.")

    def check_works(self) -> None:
        """Raise if the person only looks on."""
        if not self.works:
            raise NotAllowed("Only those who work in the project may do this; you look on.")

    def check_asks(self) -> None:
        """Raise if the person may not ask the project's engine: by a job, or as a manager who has the service.

        A manager's own job does not count: managers assign jobs to themselves.
        """
        self.check_works()
        if self.manages or not self.jobs:
            check_service(self.user, "translate")

    @property
    def may_ask(self) -> bool:
        """Whether the person may ask the project's engine."""
        try:
            self.check_asks()
        except NotAllowed:
            return False
        return True

    def check_manages(self) -> None:
        """Raise if the person does not manage the project."""
        if not self.manages:
            raise NotAllowed("Only those who manage the project may do this.")


@dataclass(frozen=True)
class JobList(Result):
    """Who works on what, and how far they are."""

    kind: ClassVar[str] = "jobs"

    jobs: tuple[tuple[int, str, str, int, int, int, int, bool], ...]

    def tables(self) -> list[Table]:
        """One row per job."""
        names = ("id", "user", "role", "first", "last", "segments", "done", "consented")
        return [Table.of("Jobs", [Column(name) for name in names], self.jobs)]


def access_of(connection: sa.Connection, project: int, user: User) -> Access:
    """What somebody may do in a project; one that is none of theirs is not there. Limited managers have their own."""
    found = find_project(connection, project)
    rows = connection.execute(_OWN, {"project": project, "user": user.id}).all()
    jobs = tuple(Job(row.id, row.role, row.first, row.last, row.consented) for row in rows)
    manages = user.role == "admin" or (user.role == "manager" and (not user.limited or found.owner_id == user.id))
    if not (manages or jobs or user.role == "viewer"):
        raise NotFound(f"There is no project {project}, or it is none of yours.")
    return Access(found, user, manages, jobs)


def add_job(
    connection: sa.Connection,
    project: int,
    name: str,
    *,
    actor: Actor,
    role: str = "translator",
    first: int = 1,
    last: int | None = None,
) -> int:
    """Give somebody segments to translate or to review, by their places; all of them if not said. The job's number."""
    if role not in JOB_ROLES:
        raise DataError(f"There is no role {role!r} in a project. Known: {', '.join(JOB_ROLES)}.")
    found = lock_project(connection, project)
    user = find_user(connection, name)
    if user.is_worker:
        raise Conflict(
            f"{name} is a worker of a crowd platform, whose link opens its study alone; give the job to an account "
            "with a password."
        )
    most = int(connection.scalar(sa.select(sa.func.max(_S.place)).where(_S.project_id == project)) or 0)
    last = most if last is None else last
    if not 1 <= first <= last <= most:
        raise DataError(f"A job from segment {first} to {last}: the project has segments 1 to {most}.")
    values = {"project_id": project, "user_id": user.id, "role": role, "first": first, "last": last, "created": now()}
    key = connection.execute(sa.insert(work.jobs).values(**values)).inserted_primary_key
    audit.record(connection, actor, "job added", f"project {found.name}", user=name, role=role, first=first, last=last)
    return int((key or (0,))[0])


def remove_job(connection: sa.Connection, project: int, job: int, *, actor: Actor) -> None:
    """Take a job away; what was translated in it stays."""
    found = lock_project(connection, project)
    own = (_J.id == job) & (_J.project_id == project)
    if not connection.execute(sa.delete(work.jobs).where(own)).rowcount:
        raise NotFound(f"The project has no job {job}.")
    audit.record(connection, actor, "job removed", f"project {found.name}", job=job)


def memories_at_work(connection: sa.Connection, user: User) -> set[str]:
    """The names of the memories of the projects that somebody has a job in."""
    chosen = sa.select(work.projects.c.memories).where(
        work.projects.c.id.in_(sa.select(_J.project_id).where(_J.user_id == user.id))
    )
    return {str(each["name"]) for memories in connection.scalars(chosen) for each in memories}


def list_jobs(connection: sa.Connection, project: int) -> JobList:
    """Who works on what, in the order of segments."""
    inside = (_S.project_id == _J.project_id) & _S.place.between(_J.first, _J.last)
    done = sa.func.coalesce(sa.func.sum(sa.case((_S.state.in_(("translated", "approved")), 1), else_=0)), 0)
    query = (
        sa.select(work.jobs, tables.users.c.name, sa.func.count(_S.id), done)
        .join(tables.users, tables.users.c.id == _J.user_id)
        .outerjoin(work.segments, inside)
        .where(_J.project_id == project)
        .group_by(*work.jobs.c, tables.users.c.name)
        .order_by(_J.first, _J.id)
    )
    return JobList(tuple(_row(row) for row in connection.execute(query)))


def _row(row: Any) -> tuple[int, str, str, int, int, int, int, bool]:
    return row.id, row.name, row.role, row.first, row.last, int(row[-2]), int(row[-1]), row.consented is not None


def consent(connection: sa.Connection, project: int, user: User, *, given: bool) -> None:
    """Let events of one's own be kept from now on, or no longer."""
    own = (_J.project_id == project) & (_J.user_id == user.id)
    changed = connection.execute(sa.update(work.jobs).where(own).values(consented=now() if given else None)).rowcount
    if not changed:
        raise NotFound("You have no job in this project, so nothing of yours is kept.")


def spread(n_segments: int, people: Sequence[str]) -> list[tuple[str, int, int]]:
    """The places cut among people, as evenly as can be, in their order."""
    if not people or n_segments < len(people):
        raise DataError(f"{n_segments} segments cannot be cut among {len(people)} people.")
    bounds = [n_segments * place // len(people) for place in range(len(people) + 1)]
    return [(name, bounds[place] + 1, bounds[place + 1]) for place, name in enumerate(people)]
