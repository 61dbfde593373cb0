"""Projects over HTTP: made, changed, deleted; their files in and out; who works on what."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response

from dragoman.cat import exporting
from dragoman.cat import projects as rooms
from dragoman.cat.delivery import NotWritable
from dragoman.store.people.accounts import User
from dragoman.store.people.services import check_service
from dragoman.store.translating import jobs, projects, segments
from dragoman.store.translating.jobs import Access
from dragoman.text.languages import text_direction
from dragoman.web.bodies import Done, ResultBody, body_of
from dragoman.web.cat.bodies import FileNumber, NumberBody
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
from dragoman.web.guard import AtWorkbench, WorkbenchManager, actor_of
from dragoman.web.imports import Reader
from dragoman.web.lanes import in_lane
from dragoman.web.objects import ProjectManager, ProjectReader, ProjectWorker
from dragoman.web.rendering import show

__all__ = ["FILE", "ROUTER", "UPLOAD", "FileName", "attachment", "check_engine", "described"]

ROUTER = APIRouter(prefix="/api/v1/cat", tags=["translation projects"])
FileName = Annotated[str, Query(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f/\\]+$")]
UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"*/*": {}}, "description": "the file"}}


def attachment(name: str, content: bytes, media_type: str = "application/octet-stream") -> Response:
    """A file to be saved under its name."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(content, media_type=media_type, headers=headers)


@ROUTER.get("/projects")
def list_projects(request: Request, who: AtWorkbench) -> ResultBody:
    """The projects that one manages or works in, newest first."""
    with request.app.state.store.read() as connection:
        return body_of(projects.list_projects(connection, who.user))


@ROUTER.post("/projects", status_code=201)
def create_project(request: Request, body: ProjectBody, who: WorkbenchManager) -> NumberBody:
    """Make a project; its files come next."""
    if body.engine is not None:
        check_engine(request, body.engine, who.user, (body.source_lang, body.target_lang))
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
def get_project(request: Request, access: ProjectReader) -> ProjectShown:
    """A project: its languages, files, progress, and what one may do in it."""
    return described(request, access)


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
        **request.app.state.cat.engines.state(found),
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
def change_project(request: Request, body: ProjectChangeBody, access: ProjectManager) -> Done:
    """Give a project another name, engine, memories or settings."""
    values = body.model_dump(exclude_unset=True)
    if values.get("engine") is not None:
        found = access.project
        check_engine(request, values["engine"], access.user, (found.source_lang, found.target_lang))
    for name in ("name", "memories", "settings"):
        if name in values and values[name] is None:
            del values[name]
    with request.app.state.store.write() as connection:
        rooms.check_memories(connection, access.project, values.get("memories", []), access.user)
        projects.change_project(connection, access.project.id, actor=actor_of(request, access), **values)
    return Done()


@ROUTER.delete("/projects/{project}")
def delete_project(request: Request, access: ProjectManager) -> Done:
    """Delete a project with everything in it."""
    with request.app.state.store.write() as connection:
        projects.delete_project(connection, access.project.id, actor=actor_of(request, access))
    request.app.state.cat.engines.forget(access.project.id)
    return Done()


@ROUTER.post("/projects/{project}/engine/renew")
@in_lane("engines")
def renew_engine(request: Request, access: ProjectManager) -> LearntBody:
    """Give the project the server's engine of now, which learns again what was confirmed; how many pairs it knows."""
    return LearntBody(n_learnt=request.app.state.cat.renew_engine(access.project))


@ROUTER.post("/projects/{project}/rollback")
@in_lane("engines")
def roll_back(request: Request, body: RollbackBody, access: ProjectManager) -> LearntBody:
    """Let the project's engine forget the last pairs that it has learnt; how many it still knows."""
    return LearntBody(n_learnt=request.app.state.cat.roll_back(access.project, body.pairs))


@ROUTER.get("/projects/{project}/glossary")
def get_glossary(access: ProjectReader) -> GlossaryBody:
    """The terms of a project."""
    return GlossaryBody(terms=list(access.project.glossary))  # type: ignore[arg-type]


@ROUTER.put("/projects/{project}/glossary")
def set_glossary(request: Request, body: GlossaryBody, access: ProjectManager) -> Done:
    """Give a project these terms, in place of those it has."""
    terms = [each.model_dump() for each in body.terms]
    with request.app.state.store.write() as connection:
        projects.change_project(connection, access.project.id, glossary=terms, actor=actor_of(request, access))
    return Done()


@ROUTER.get("/projects/{project}/files")
def list_files(request: Request, access: ProjectReader) -> ResultBody:
    """The files of a project."""
    with request.app.state.store.read() as connection:
        return body_of(segments.list_files(connection, access.project.id))


@ROUTER.post("/projects/{project}/files", status_code=201, openapi_extra=UPLOAD)
async def add_file(request: Request, name: FileName, access: ProjectManager) -> NumberBody:
    """Put a file into a project: its bytes are the body, its name says what it is (`?name=letter.xlf`)."""
    content = await request.body()

    def work(reader: Reader) -> NumberBody:
        read = reader.file(name, content, (access.project.source_lang, access.project.target_lang))
        with request.app.state.store.write() as connection:
            number = rooms.add_file(connection, access.project, read, content, actor=actor_of(request, access))
        return NumberBody(id=number)

    found: NumberBody = await request.app.state.imports.run(request, work)
    return found


@ROUTER.delete("/projects/{project}/files/{file}")
def remove_file(request: Request, file: FileNumber, access: ProjectManager) -> Done:
    """Remove a file that nobody has translated anything of."""
    with request.app.state.store.write() as connection:
        segments.remove_file(connection, access.project.id, file, actor=actor_of(request, access))
    return Done()


@ROUTER.get("/projects/{project}/files/{file}/original", response_class=Response, responses=FILE)
def original(request: Request, file: FileNumber, access: ProjectReader) -> Response:
    """A file as it was uploaded."""
    with request.app.state.store.read() as connection:
        name, _, content = segments.file_content(connection, access.project.id, file)
    return attachment(name, content)


@ROUTER.get("/projects/{project}/files/{file}/translated", response_class=Response, responses=FILE)
@in_lane("imports")
def translated(
    request: Request,
    file: FileNumber,
    access: ProjectReader,
    least: Literal["draft", "translated", "approved"] = "draft",
    refuse_unconfirmed: bool = False,
) -> Response:
    """A file with its translations; everything else in it is as it was. Units less far than `least` stay untouched.

    The header `Dragoman-Segments` says how many segments of which state are in it.
    One that cannot be written is refused with all segments that are at fault; who looks with a browser gets a page.
    """
    try:
        with request.app.state.store.read() as connection:
            states = exporting.written_states(connection, file, least=least)
            if refuse_unconfirmed:
                exporting.refuse_unconfirmed(segments.file_content(connection, access.project.id, file)[0], states)
            name, content = rooms.export_file(connection, access.project, file, least=least)
    except NotWritable as error:
        if "text/html" not in request.headers.get("accept", ""):
            raise
        told: dict[str, Any] = {"status": 422, "kind": type(error).__name__, "message": str(error)}
        told |= {"project": access.project.id, "file": error.file, "faults": [asdict(each) for each in error.faults]}
        return show(request, "cat/not_written.html", told, status=422)
    answer = attachment(name, content)
    answer.headers["Dragoman-Segments"] = ", ".join(f"{state}={n}" for state, n in states.items())
    return answer


@ROUTER.get("/projects/{project}/progress")
def progress(request: Request, access: ProjectReader) -> ResultBody:
    """Segments and words of each state."""
    with request.app.state.store.read() as connection:
        return body_of(segments.progress_of(connection, access.project.id))


@ROUTER.get("/projects/{project}/jobs")
def list_jobs(request: Request, access: ProjectReader) -> ResultBody:
    """Who works on what, and how far they are."""
    with request.app.state.store.read() as connection:
        return body_of(jobs.list_jobs(connection, access.project.id))


@ROUTER.post("/projects/{project}/jobs", status_code=201)
def add_job(request: Request, body: JobBody, access: ProjectManager) -> NumberBody:
    """Give somebody segments to translate or review."""
    with request.app.state.store.write() as connection:
        number = jobs.add_job(
            connection,
            access.project.id,
            body.user,
            role=body.role,
            first=body.first,
            last=body.last,
            actor=actor_of(request, access),
        )
    return NumberBody(id=number)


@ROUTER.post("/projects/{project}/jobs/spread", status_code=201)
def spread_jobs(request: Request, body: SpreadBody, access: ProjectManager) -> ResultBody:
    """Cut all segments among people, as evenly as can be."""
    with request.app.state.store.write() as connection:
        n_segments = sum(n for _, n, _ in segments.progress_of(connection, access.project.id).states)
        for name, first, last in jobs.spread(n_segments, body.users):
            actor = actor_of(request, access)
            jobs.add_job(connection, access.project.id, name, role=body.role, first=first, last=last, actor=actor)
        return body_of(jobs.list_jobs(connection, access.project.id))


@ROUTER.delete("/projects/{project}/jobs/{number}")
def remove_job(request: Request, number: FileNumber, access: ProjectManager) -> Done:
    """Take a job away."""
    with request.app.state.store.write() as connection:
        jobs.remove_job(connection, access.project.id, number, actor=actor_of(request, access))
    return Done()


@ROUTER.put("/projects/{project}/consent")
def give_consent(request: Request, body: ConsentBody, access: ProjectWorker) -> Done:
    """Let keys and other events of one's own be kept in this project, or no longer."""
    with request.app.state.store.write() as connection:
        jobs.consent(connection, access.project.id, access.user, given=body.given)
    return Done()


def check_engine(request: Request, name: str, user: User, langs: tuple[str, str]) -> None:
    """Raise if the server has no such engine, or somebody may not ask it: a project's people ask it in their name."""
    check_service(user, "translate")
    request.app.state.engines.check_fits(name, *langs)
