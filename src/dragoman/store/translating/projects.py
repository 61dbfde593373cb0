"""Projects: what is to be translated from which language into which, with which engine and memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import check_row, now
from dragoman.store.people.accounts import User
from dragoman.store.refusals import Conflict, NotFound
from dragoman.store.translating import tables as work
from dragoman.text.languages import parse_language

__all__ = [
    "Project",
    "ProjectList",
    "change_project",
    "count_learnt",
    "create_project",
    "delete_project",
    "find_project",
    "list_projects",
    "lock_project",
    "named_project",
    "projects_with_engines",
    "stream_of",
]

_P = work.projects.c
_S = work.segments.c
_J = work.jobs.c
_BY_ID = sa.select(work.projects).where(_P.id == sa.bindparam("project"))
_LOCKED = _BY_ID.with_for_update()
_DONE = ("translated", "approved")


@dataclass(frozen=True)
class Project:
    """A project as it stands."""

    id: int
    name: str
    source_lang: str
    target_lang: str
    engine: str | None
    memories: tuple[Mapping[str, Any], ...]
    glossary: tuple[Mapping[str, str], ...]
    settings: Mapping[str, Any]
    owner_id: int | None
    created: datetime
    n_learnt: int

    @classmethod
    def of(cls, row: Any) -> Project:
        """The project of a row of the table."""
        return cls(
            row.id,
            row.name,
            row.source_lang,
            row.target_lang,
            row.engine,
            tuple(row.memories),
            tuple(row.glossary),
            row.settings,
            row.user_id,
            row.created,
            row.n_learnt,
        )


@dataclass(frozen=True)
class ProjectList(Result):
    """Projects, newest first, and how far each is."""

    kind: ClassVar[str] = "projects"

    projects: tuple[tuple[int, str, str, str, int, int, int, str], ...]

    def tables(self) -> list[Table]:
        """One row per project."""
        names = ("id", "name", "source_lang", "target_lang", "segments", "words", "done", "created")
        return [Table.of("Projects", [Column(name) for name in names], self.projects)]


def stream_of(project: int) -> str:
    """The log of what people did in a project (`store.events`)."""
    return f"project/{project}"


def create_project(
    connection: sa.Connection,
    name: str,
    source_lang: str,
    target_lang: str,
    *,
    actor: Actor,
    owner: User | None = None,
    engine: str | None = None,
    memories: Sequence[Mapping[str, Any]] = (),
    glossary: Sequence[Mapping[str, str]] = (),
    settings: Mapping[str, Any] | None = None,
) -> Project:
    """Make a project without files."""
    if not name.strip() or not name.isprintable():
        raise DataError(f"The project's name is {name!r}; give it letters or digits, no line breaks.")
    values = {
        "name": name.strip(),
        "source_lang": parse_language(source_lang),
        "target_lang": parse_language(target_lang),
        "engine": engine,
        "memories": [dict(each) for each in memories],
        "glossary": [dict(each) for each in glossary],
        "settings": dict(settings or {}),
        "user_id": None if owner is None else owner.id,
        "created": now(),
        "n_learnt": 0,
    }
    check_row(work.projects, values)
    try:
        with connection.begin_nested():
            key = connection.execute(sa.insert(work.projects).values(**values)).inserted_primary_key
    except sa.exc.IntegrityError:
        raise Conflict(f"There is a project called {name.strip()!r} already; choose another name.") from None
    audit.record(connection, actor, "project created", f"project {name.strip()}")
    return find_project(connection, int((key or (0,))[0]))


def find_project(connection: sa.Connection, project: int) -> Project:
    """The project of a number."""
    row = connection.execute(_BY_ID, {"project": project}).first()
    if row is None:
        raise NotFound(f"There is no project {project}, or it is none of yours.")
    return Project.of(row)


def named_project(connection: sa.Connection, name: str) -> Project:
    """The project of a name, or of a number that no project has for a name."""
    row = connection.execute(sa.select(work.projects).where(_P.name == name)).first()
    if row is None and name.isdecimal() and len(name) < 10:
        row = connection.execute(_BY_ID, {"project": int(name)}).first()
    if row is None:
        names = connection.scalars(sa.select(_P.name).order_by(_P.id.desc()).limit(10)).all()
        raise NotFound(f"There is no project called {name!r}. Known: {', '.join(names) or 'none'}.")
    return Project.of(row)


def projects_with_engines(connection: sa.Connection) -> list[Project]:
    """Return the projects that have an engine, in their order."""
    rows = connection.execute(sa.select(work.projects).where(_P.engine.is_not(None)).order_by(_P.id))
    return [Project.of(row) for row in rows]


def lock_project(connection: sa.Connection, project: int) -> Project:
    """The project, its row held to the end of the transaction: whoever changes anything in it takes turns here."""
    row = connection.execute(_LOCKED, {"project": project}).first()
    if row is None:
        raise NotFound(f"There is no project {project}, or it is none of yours.")
    return Project.of(row)


def change_project(connection: sa.Connection, project: int, *, actor: Actor, **values: Any) -> Project:
    """Give a project another name, engine, memories, glossary or settings; languages stay."""
    known = {"name", "engine", "memories", "glossary", "settings"}
    if not values.keys() <= known:
        raise DataError(f"Of a project {', '.join(sorted(values.keys() - known))} cannot be changed.")
    before = lock_project(connection, project)
    check_row(work.projects, values)
    if values:
        try:
            with connection.begin_nested():
                connection.execute(sa.update(work.projects).where(_P.id == project).values(**values))
        except sa.exc.IntegrityError:
            raise Conflict(f"There is a project called {values['name']!r} already; choose another name.") from None
        audit.record(connection, actor, "project changed", f"project {before.name}", changed=sorted(values))
    return find_project(connection, project)


def count_learnt(connection: sa.Connection, project: int, by: int) -> int:
    """Count pairs that the project's engine has learnt, or forgotten if `by` is negative; how many there are now."""
    update = sa.update(work.projects).where(_P.id == project).values(n_learnt=_P.n_learnt + by)
    return int(connection.execute(update.returning(_P.n_learnt)).scalar_one())


def delete_project(connection: sa.Connection, project: int, *, actor: Actor) -> None:
    """Delete a project with its files, segments, and the log of what people did in it."""
    before = lock_project(connection, project)
    streams = sa.select(tables.streams.c.id).where(tables.streams.c.name == stream_of(project))
    connection.execute(sa.delete(tables.events).where(tables.events.c.stream_id.in_(streams)))
    connection.execute(sa.delete(tables.streams).where(tables.streams.c.name == stream_of(project)))
    remarks = (work.comments, work.issues, work.scores)
    for table in (work.presences, *remarks, work.jobs, work.segments, work.project_files):
        connection.execute(sa.delete(table).where(table.c.project_id == project))
    connection.execute(sa.delete(work.projects).where(_P.id == project))
    audit.record(connection, actor, "project deleted", f"project {before.name}")


def list_projects(connection: sa.Connection, user: User | None = None) -> ProjectList:
    """Projects that somebody may see, newest first; all of them if nobody is named.

    Managers see all, those who are limited their own; others the ones that they have a job in.
    """
    count = sa.func.count(_S.id)
    done = sa.func.coalesce(sa.func.sum(sa.case((_S.state.in_(_DONE), 1), else_=0)), 0)
    query = (
        sa.select(work.projects, count.label("n"), sa.func.coalesce(sa.func.sum(_S.words), 0).label("w"), done)
        .outerjoin(work.segments, _S.project_id == _P.id)
        .group_by(*work.projects.c)
        .order_by(_P.id.desc())
    )
    if user is not None and (user.role == "annotator" or user.limited):
        own = sa.select(_J.project_id).where(_J.user_id == user.id)
        query = query.where(_P.id.in_(own) | (_P.user_id == user.id))
    rows = connection.execute(query).all()
    return ProjectList(
        tuple(
            (
                row.id,
                row.name,
                row.source_lang,
                row.target_lang,
                int(row.n),
                int(row.w),
                int(row[-1]),
                row.created.isoformat(timespec="seconds"),
            )
            for row in rows
        )
    )
