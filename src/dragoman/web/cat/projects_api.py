"""Projects over HTTP: made, changed, deleted; their files in and out; who works on what."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from dragoman.cat import projects as rooms
from dragoman.store.refusals import NotFound
from dragoman.store.translating import jobs, projects, segments
from dragoman.store.translating.jobs import Access
from dragoman.text.languages import text_direction
from dragoman.web.bodies import Done, ResultBody, body_of
from dragoman.web.cat.bodies import FileNumber, NumberBody, ProjectNumber
from dragoman.web.cat.project_bodies import (
    ConsentBody,
    GlossaryBody,
    JobBody,
    LearntBody,
    ProjectBody,
    ProjectChangeBody,
    ProjectShown,
    RollbackBody,
    SpreadBody,
)
from dragoman.web.guard import Manager, SignedIn, actor_of, limit_of

__all__ = ["FILE", "ROUTER", "UPLOAD", "FileName", "access_to", "attachment", "described"]

ROUTER = APIRouter(prefix="/api/v1/cat", tags=["translation projects"])
FileName = Annotated[str, Query(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f/\\]+$")]
UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"*/*": {}}, "description": "the file"}}


def access_to(request: Request, project: int, who: SignedIn) -> Access:
    """What somebody may do in a project; one that is none of theirs is not there."""
    with request.app.state.store.read() as connection:
        return jobs.access_of(connection, project, who.user, limited=limit_of(request, who) is not None)


def attachment(name: str, content: bytes, media_type: str = "application/octet-stream") -> Response:
    """A file to be saved under its name."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(content, media_type=media_type, headers=headers)


@ROUTER.get("/projects")
def list_projects(request: Request, who: SignedIn) -> ResultBody:
    """The projects that one manages or works in, newest first."""
    with request.app.state.store.read() as connection:
        limited = limit_of(request, who) is not None
        return body_of(projects.list_projects(connection, who.user, limited=limited))


@ROUTER.post("/projects", status_code=201)
def create_project(request: Request, body: ProjectBody, who: Manager) -> NumberBody:
    """Make a project; its files come next."""
    if body.engine is not None:
        _check_engine(request, body.engine)
    with request.app.state.store.write() as connection:
        made = rooms.new_project(
            connection,
            body.name,
            body.source_lang,
            body.target_lang,
            actor=actor_of(request, who),
            owner=who.user,
            engine=body.engine,
            memories=[each.model_dump() for each in body.memories],
            settings=body.settings.model_dump(),
        )
    return NumberBody(id=made.id)


@ROUTER.get("/projects/{project}")
def get_project(request: Request, project: ProjectNumber, who: SignedIn) -> ProjectShown:
    """A project: its languages, files, progress, and what one may do in it."""
    return described(request, access_to(request, project, who))


def described(request: Request, access: Access) -> ProjectShown:
    """A project as it is sent."""
    found = access.project
    with request.app.state.store.read() as connection:
        progress = segments.progress_of(connection, found.id).states
        files = segments.list_files(connection, found.id).to_dict()["rows"]
    return ProjectShown(
        id=found.id,
        name=found.name,
        source_lang=found.source_lang,
        target_lang=found.target_lang,
        source_dir=text_direction(found.source_lang),
        target_dir=text_direction(found.target_lang),
        engine=found.engine,
        memories=list(found.memories),  # type: ignore[arg-type]  # pydantic reads them
        settings=dict(found.settings),  # type: ignore[arg-type]
        role=access.role,
        jobs=[{"id": job.id, "role": job.role, "first": job.first, "last": job.last} for job in access.jobs],
        consented=access.logs,
        n_learnt=found.n_learnt,
        progress={state: {"segments": n, "words": words} for state, n, words in progress},
        files=files,
    )


@ROUTER.patch("/projects/{project}")
def change_project(request: Request, project: ProjectNumber, body: ProjectChangeBody, who: SignedIn) -> Done:
    """Give a project another name, engine, memories or settings."""
    access = access_to(request, project, who)
    access.check_manages()
    values = body.model_dump(exclude_unset=True)
    if values.get("engine") is not None:
        _check_engine(request, values["engine"])
    for name in ("name", "memories", "settings"):
        if name in values and values[name] is None:
            del values[name]
    with request.app.state.store.write() as connection:
        rooms.check_memories(connection, access.project, values.get("memories", []), who.user)
        projects.change_project(connection, project, actor=actor_of(request, who), **values)
    return Done()


@ROUTER.delete("/projects/{project}")
def delete_project(request: Request, project: ProjectNumber, who: SignedIn) -> Done:
    """Delete a project with everything in it."""
    access_to(request, project, who).check_manages()
    with request.app.state.store.write() as connection:
        projects.delete_project(connection, project, actor=actor_of(request, who))
    request.app.state.cat.engines.forget(project)
    return Done()


@ROUTER.post("/projects/{project}/rollback")
def roll_back(request: Request, project: ProjectNumber, body: RollbackBody, who: SignedIn) -> LearntBody:
    """Let the project's engine forget the last pairs that it has learnt; how many it still knows."""
    access = access_to(request, project, who)
    access.check_manages()
    return LearntBody(n_learnt=request.app.state.cat.roll_back(access.project, body.pairs))


@ROUTER.get("/projects/{project}/glossary")
def get_glossary(request: Request, project: ProjectNumber, who: SignedIn) -> GlossaryBody:
    """The terms of a project."""
    return GlossaryBody(terms=list(access_to(request, project, who).project.glossary))  # type: ignore[arg-type]


@ROUTER.put("/projects/{project}/glossary")
def set_glossary(request: Request, project: ProjectNumber, body: GlossaryBody, who: SignedIn) -> Done:
    """Give a project these terms, in place of those it has."""
    access_to(request, project, who).check_manages()
    terms = [each.model_dump() for each in body.terms]
    with request.app.state.store.write() as connection:
        projects.change_project(connection, project, glossary=terms, actor=actor_of(request, who))
    return Done()


@ROUTER.get("/projects/{project}/files")
def list_files(request: Request, project: ProjectNumber, who: SignedIn) -> ResultBody:
    """The files of a project."""
    access_to(request, project, who)
    with request.app.state.store.read() as connection:
        return body_of(segments.list_files(connection, project))


@ROUTER.post("/projects/{project}/files", status_code=201, openapi_extra=UPLOAD)
async def add_file(request: Request, project: ProjectNumber, name: FileName, who: SignedIn) -> NumberBody:
    """Put a file into a project: its bytes are the body, its name says what it is (`?name=letter.xlf`)."""
    content = await request.body()

    def work() -> NumberBody:
        access = access_to(request, project, who)
        access.check_manages()
        with request.app.state.store.write() as connection:
            number = rooms.import_file(connection, access.project, name, content, actor=actor_of(request, who))
        return NumberBody(id=number)

    return await run_in_threadpool(work)


@ROUTER.delete("/projects/{project}/files/{file}")
def remove_file(request: Request, project: ProjectNumber, file: FileNumber, who: SignedIn) -> Done:
    """Remove a file that nobody has translated anything of."""
    access_to(request, project, who).check_manages()
    with request.app.state.store.write() as connection:
        segments.remove_file(connection, project, file, actor=actor_of(request, who))
    return Done()


@ROUTER.get("/projects/{project}/files/{file}/original", response_class=Response, responses=FILE)
def original(request: Request, project: ProjectNumber, file: FileNumber, who: SignedIn) -> Response:
    """A file as it was uploaded."""
    access_to(request, project, who)
    with request.app.state.store.read() as connection:
        name, _, content = segments.file_content(connection, project, file)
    return attachment(name, content)


@ROUTER.get("/projects/{project}/files/{file}/translated", response_class=Response, responses=FILE)
def translated(
    request: Request,
    project: ProjectNumber,
    file: FileNumber,
    who: SignedIn,
    least: Literal["draft", "translated", "approved"] = "draft",
) -> Response:
    """A file with its translations; everything else in it is as it was. Units less far than `least` stay untouched."""
    access = access_to(request, project, who)
    with request.app.state.store.read() as connection:
        name, content = rooms.export_file(connection, access.project, file, least=least)
    return attachment(name, content)


@ROUTER.get("/projects/{project}/progress")
def progress(request: Request, project: ProjectNumber, who: SignedIn) -> ResultBody:
    """Segments and words of each state."""
    access_to(request, project, who)
    with request.app.state.store.read() as connection:
        return body_of(segments.progress_of(connection, project))


@ROUTER.get("/projects/{project}/jobs")
def list_jobs(request: Request, project: ProjectNumber, who: SignedIn) -> ResultBody:
    """Who works on what, and how far they are."""
    access_to(request, project, who)
    with request.app.state.store.read() as connection:
        return body_of(jobs.list_jobs(connection, project))


@ROUTER.post("/projects/{project}/jobs", status_code=201)
def add_job(request: Request, project: ProjectNumber, body: JobBody, who: SignedIn) -> NumberBody:
    """Give somebody segments to translate or review."""
    access_to(request, project, who).check_manages()
    with request.app.state.store.write() as connection:
        number = jobs.add_job(
            connection,
            project,
            body.user,
            role=body.role,
            first=body.first,
            last=body.last,
            actor=actor_of(request, who),
        )
    return NumberBody(id=number)


@ROUTER.post("/projects/{project}/jobs/spread", status_code=201)
def spread_jobs(request: Request, project: ProjectNumber, body: SpreadBody, who: SignedIn) -> ResultBody:
    """Cut all segments among people, as evenly as can be."""
    access_to(request, project, who).check_manages()
    with request.app.state.store.write() as connection:
        n_segments = sum(n for _, n, _ in segments.progress_of(connection, project).states)
        for name, first, last in jobs.spread(n_segments, body.users):
            actor = actor_of(request, who)
            jobs.add_job(connection, project, name, role=body.role, first=first, last=last, actor=actor)
        return body_of(jobs.list_jobs(connection, project))


@ROUTER.delete("/projects/{project}/jobs/{number}")
def remove_job(request: Request, project: ProjectNumber, number: FileNumber, who: SignedIn) -> Done:
    """Take a job away."""
    access_to(request, project, who).check_manages()
    with request.app.state.store.write() as connection:
        jobs.remove_job(connection, project, number, actor=actor_of(request, who))
    return Done()


@ROUTER.put("/projects/{project}/consent")
def give_consent(request: Request, project: ProjectNumber, body: ConsentBody, who: SignedIn) -> Done:
    """Let keys and other events of one's own be kept in this project, or no longer."""
    access_to(request, project, who)
    with request.app.state.store.write() as connection:
        jobs.consent(connection, project, who.user, given=body.given)
    return Done()


def _check_engine(request: Request, name: str) -> None:
    if name not in request.app.state.engines.folders:
        known = ", ".join(request.app.state.engines.folders) or "none"
        raise NotFound(f"There is no engine called {name!r}. Known: {known}.")
