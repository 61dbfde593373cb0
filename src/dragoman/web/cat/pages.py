"""The pages of translation projects: the list, a new one, a project, its edit log, and the shell of the editor."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from dragoman.cat import projects as rooms
from dragoman.cat.checking import volume_of
from dragoman.errors import DragomanError
from dragoman.store.people.services import services_of
from dragoman.store.people.sessions import Session
from dragoman.store.translating import jobs, memories, projects, segments
from dragoman.store.translating.jobs import Access
from dragoman.text.languages import parse_language
from dragoman.web.cat.bodies import FileNumber
from dragoman.web.cat.log_api import log_for
from dragoman.web.cat.projects_api import check_engine, described
from dragoman.web.guard import Manager, Oneself, actor_of
from dragoman.web.imports import Reader
from dragoman.web.lanes import in_lane
from dragoman.web.objects import ProjectManagerPage, ProjectPage, ProjectWorkerPage
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)
Names = Annotated[str, Form(max_length=10_000, pattern=r"^[^\x00-\x1f\x7f]*$")]
Place = Annotated[int, Form(ge=1, lt=2**31)]
_KEPT = ("name", "source_lang", "target_lang", "engine")


def _back(project: int) -> Response:
    return RedirectResponse(f"/cat/projects/{project}", status_code=303)


@ROUTER.get("/cat")
@ROUTER.get("/cat.json")
def project_list(request: Request, who: Oneself) -> Response:
    """The projects that one manages or works in."""
    with request.app.state.store.read() as connection:
        listed = projects.list_projects(connection, who.user)
    return show(request, "cat/list.html", listed)


@ROUTER.get("/cat/new")
@ROUTER.get("/cat/new.json")
def new_form(request: Request, who: Manager) -> Response:
    """The form by which a project is made."""
    return _new(request, who, {}, "")


def _new(request: Request, who: Session, values: dict[str, str], message: str, status: int = 200) -> Response:
    with request.app.state.store.read() as connection:
        known = memories.list_memories(connection, who.user).to_dict()["rows"]
    meta = {
        "engines": request.app.state.engines.offered() if "translate" in services_of(who.user) else [],
        "memories": known,
        "message": message,
        "values": values,
    }
    return show(request, "cat/new.html", {"kind": "new project", "rows": [], "meta": meta}, status=status)


@ROUTER.post("/cat/projects")
async def create(request: Request, who: Manager) -> Response:
    """Make a project with its files: all of them, or nothing is made."""
    async with request.form() as form:
        files = await _files(form)
        made: Response = await request.app.state.imports.run(
            request, lambda reader: _create(request, who, form, files, reader)
        )
        return made


async def _files(form: FormData) -> list[tuple[str, bytes]]:
    uploads = [each for each in form.getlist("files") if isinstance(each, UploadFile) and each.filename]
    return [(str(each.filename).replace("\\", "/").rsplit("/", 1)[-1], await each.read()) for each in uploads]


def _create(request: Request, who: Session, form: FormData, files: list[tuple[str, bytes]], reader: Reader) -> Response:
    values = {name: str(form.get(name) or "")[:200].strip() for name in _KEPT}
    chosen = [{"name": str(each)[:80], "penalty": 0, "writes": False} for each in form.getlist("memory")]
    actor = actor_of(request, who)
    try:
        if values["engine"]:
            check_engine(request, values["engine"], who.user, (values["source_lang"], values["target_lang"]))
        langs = str(parse_language(values["source_lang"])), str(parse_language(values["target_lang"]))
        read = [(reader.file(name, content, langs), content) for name, content in files]
        with request.app.state.store.write() as connection:
            made = rooms.new_project(
                connection,
                values["name"],
                values["source_lang"],
                values["target_lang"],
                actor=actor,
                owner=who.user,
                engine=values["engine"] or None,
                memories=chosen,
            )
            for file, content in read:
                rooms.add_file(connection, made, file, content, actor=actor)
    except DragomanError as error:
        return _new(request, who, values, str(error), status_of(error))
    return _back(made.id)


@ROUTER.get("/cat/projects/{project}")
@ROUTER.get("/cat/projects/{project}.json")
def project_page(request: Request, access: ProjectPage) -> Response:
    """A project: progress, files, jobs, memories."""
    return _project(request, access)


def _project(request: Request, access: Access, message: str = "", status: int = 200) -> Response:
    with request.app.state.store.read() as connection:
        listed = jobs.list_jobs(connection, access.project.id).to_dict()["rows"]
    shown = described(request, access).model_dump()
    more: dict[str, Any] = {"jobs": listed, "can_manage": access.manages, "message": message}
    return show(request, "cat/project.html", shown, status=status, **more)


@ROUTER.post("/cat/projects/{project}/engine/renew")
@in_lane("engines")
def renew_engine(request: Request, access: ProjectManagerPage) -> Response:
    """Give the project the server's engine of now; it learns again what was confirmed."""
    try:
        request.app.state.cat.renew_engine(access.project)
    except DragomanError as error:
        return _project(request, access, str(error), status_of(error))
    return _back(access.project.id)


@ROUTER.post("/cat/projects/{project}/files")
async def upload(request: Request, access: ProjectManagerPage) -> Response:
    """Put files into a project: all of them, or none."""
    async with request.form() as form:
        files = await _files(form)
        done: Response = await request.app.state.imports.run(
            request, lambda reader: _upload(request, access, files, reader)
        )
        return done


def _upload(request: Request, access: Access, files: list[tuple[str, bytes]], reader: Reader) -> Response:
    langs = access.project.source_lang, access.project.target_lang
    try:
        read = [(reader.file(name, content, langs), content) for name, content in files]
        with request.app.state.store.write() as connection:
            for file, content in read:
                rooms.add_file(connection, access.project, file, content, actor=actor_of(request, access))
    except DragomanError as error:
        return _project(request, access, str(error), status_of(error))
    return _back(access.project.id)


@ROUTER.post("/cat/projects/{project}/files/{file}/remove")
def remove_file(request: Request, file: FileNumber, access: ProjectManagerPage) -> Response:
    """Remove a file that nobody has translated anything of."""
    try:
        with request.app.state.store.write() as connection:
            segments.remove_file(connection, access.project.id, file, actor=actor_of(request, access))
    except DragomanError as error:
        return _project(request, access, str(error), status_of(error))
    return _back(access.project.id)


@ROUTER.post("/cat/projects/{project}/jobs")
def assign(
    request: Request,
    access: ProjectManagerPage,
    users: Names,
    role: Names,
    first: Place,
    last: Place,
) -> Response:
    """Give segments to people; several share them."""
    people = [name.strip() for name in users.split(",") if name.strip()]
    try:
        with request.app.state.store.write() as connection:
            for name, begin, end in jobs.spread(last - first + 1, people):
                places = {"first": first + begin - 1, "last": first + end - 1}
                jobs.add_job(connection, access.project.id, name, role=role, actor=actor_of(request, access), **places)
    except DragomanError as error:
        return _project(request, access, str(error), status_of(error))
    return _back(access.project.id)


@ROUTER.post("/cat/projects/{project}/jobs/{number}/remove")
def remove_job(request: Request, number: FileNumber, access: ProjectManagerPage) -> Response:
    """Take a job away."""
    with request.app.state.store.write() as connection:
        jobs.remove_job(connection, access.project.id, number, actor=actor_of(request, access))
    return _back(access.project.id)


@ROUTER.post("/cat/projects/{project}/consent")
def consent(request: Request, access: ProjectWorkerPage, given: Names = "") -> Response:
    """Let events of one's own be kept, or no longer."""
    with request.app.state.store.write() as connection:
        jobs.consent(connection, access.project.id, access.user, given=bool(given))
    return _back(access.project.id)


@ROUTER.post("/cat/projects/{project}/delete")
def delete(request: Request, access: ProjectManagerPage, name: Names) -> Response:
    """Delete a project, by whoever types its name."""
    if name.strip() != access.project.name:
        return _project(request, access, f"The project is called {access.project.name!r}; nothing was deleted.", 422)
    with request.app.state.store.write() as connection:
        projects.delete_project(connection, access.project.id, actor=actor_of(request, access))
    request.app.state.cat.engines.forget(access.project.id)
    return RedirectResponse("/cat", status_code=303)


@ROUTER.get("/cat/projects/{project}/edit")
@ROUTER.get("/cat/projects/{project}/edit.json")
def editor_page(request: Request, access: ProjectPage) -> Response:
    """The page on which segments are translated; its script asks the interface for everything else."""
    return show(request, "cat/editor.html", described(request, access).model_dump())


@ROUTER.get("/cat/projects/{project}/replay")
def replay_page(request: Request, access: ProjectPage) -> Response:
    """The record of the work, seen again."""
    return show(request, "cat/replay.html", described(request, access).model_dump())


@ROUTER.get("/cat/projects/{project}/analysis")
@ROUTER.get("/cat/projects/{project}/analysis.json")
@in_lane("imports")
def analysis_page(request: Request, access: ProjectPage) -> Response:
    """How much work the files are, given the project's memories."""
    with request.app.state.store.read() as connection:
        volume = volume_of(connection, access.project, request.app.state.cat.memories)
    return show(request, "cat/analysis.html", volume, project=access.project)


@ROUTER.get("/cat/projects/{project}/log")
@ROUTER.get("/cat/projects/{project}/log.json")
def log_page(request: Request, access: ProjectPage) -> Response:
    """What each segment cost, slowest first."""
    return show(request, "cat/log.html", log_for(request, access), project=access.project)
