"""What comes in and goes out besides files to translate: memories as TMX, terms, whole projects as packages."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from dragoman.cat.checking import glossary_of
from dragoman.cat.memory import export_tmx, import_tmx
from dragoman.cat.packages import Package
from dragoman.cat.packing import as_file, give_jobs, glossary_rows, pack, unpack
from dragoman.cat.term_files import write_glossary
from dragoman.store.refusals import NotAllowed
from dragoman.store.translating import memories, projects
from dragoman.web.bodies import Done, ResultBody, body_of
from dragoman.web.cat.bodies import NumberBody, ProjectNumber
from dragoman.web.cat.project_bodies import MemoryBody
from dragoman.web.cat.projects_api import FILE, UPLOAD, FileName, access_to, attachment
from dragoman.web.guard import Manager, SignedIn, actor_of

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1/cat", tags=["memories, terms, packages"])
MemoryName = Annotated[str, Query(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
UnitNumber = Annotated[int, Query(ge=1, lt=2**31)]


@ROUTER.get("/memories")
def list_memories(request: Request, who: SignedIn) -> ResultBody:
    """The translation memories that one may use."""
    with request.app.state.store.read() as connection:
        return body_of(memories.list_memories(connection, who.user))


@ROUTER.post("/memories", status_code=201)
def create_memory(request: Request, body: MemoryBody, who: Manager) -> Done:
    """Make an empty memory: one's own, or shared with everybody."""
    with request.app.state.store.write() as connection:
        memories.create_memory(connection, owner=who.user, actor=actor_of(request, who), **body.model_dump())
    return Done()


@ROUTER.post("/memories/tmx", openapi_extra=UPLOAD)
async def import_memory(
    request: Request,
    memory: MemoryName,
    name: FileName,
    who: SignedIn,
    known: Literal["refuse", "resume", "again"] = "refuse",
) -> ResultBody:
    """Take a TMX file, which is the body, into a memory; `known` says what to do if it has units of this file."""
    content = await request.body()

    def work() -> ResultBody:
        store = request.app.state.store
        with store.read() as connection:
            found = memories.find_memory(connection, memory, who.user)
        if not found.may_change(who.user):
            raise NotAllowed(f"The memory {memory} is others'; its owner can import into it.")
        with as_file(name, content) as path:
            actor = actor_of(request, who)
            return body_of(import_tmx(store, found, path, actor=actor, user_id=who.user.id, known=known))

    return await run_in_threadpool(work)


@ROUTER.get("/memories/tmx", response_class=Response, responses=FILE)
def export_memory(request: Request, memory: MemoryName, who: SignedIn) -> Response:
    """A memory as TMX."""
    store = request.app.state.store
    with store.read() as connection:
        found = memories.find_memory(connection, memory, who.user)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.tmx"
        export_tmx(store, found, path)
        return attachment(f"{memory}.tmx", path.read_bytes(), "application/xml")


@ROUTER.get("/memories/units")
def get_unit(request: Request, memory: MemoryName, unit: UnitNumber, who: SignedIn) -> ResultBody:
    """A unit, and where it comes from: who confirmed it when, in which project or file."""
    with request.app.state.store.read() as connection:
        found = asdict(memories.unit_of(connection, memories.find_memory(connection, memory, who.user), unit))
    moments = {name: found[name] and found[name].isoformat() for name in ("created", "deleted")}
    return ResultBody(kind="memory unit", rows=[{**found, **moments}], meta={})


@ROUTER.delete("/memories/units")
def delete_unit(request: Request, memory: MemoryName, unit: UnitNumber, who: SignedIn) -> Done:
    """Take a unit out of a memory: one's own, or any of one's own memory."""
    with request.app.state.store.write() as connection:
        found = memories.find_memory(connection, memory, who.user)
        memories.unit_of(connection, found, unit)
        memories.delete_units(connection, found, [unit], actor=actor_of(request, who), user=who.user)
    return Done()


@ROUTER.post("/projects/{project}/glossary/file", openapi_extra=UPLOAD)
async def import_glossary(request: Request, project: ProjectNumber, name: FileName, who: SignedIn) -> NumberBody:
    """Give a project the terms of a file (TBX, TSV, CSV), which is the body, in place of those it has; how many."""
    content = await request.body()

    def work() -> NumberBody:
        access = access_to(request, project, who)
        access.check_manages()
        terms = glossary_rows(content, name, access.project)
        with request.app.state.store.write() as connection:
            projects.change_project(connection, project, glossary=terms, actor=actor_of(request, who))
        return NumberBody(id=len(terms))

    return await run_in_threadpool(work)


@ROUTER.get("/projects/{project}/glossary/file", response_class=Response, responses=FILE)
def export_glossary(
    request: Request, project: ProjectNumber, who: SignedIn, form: Literal["tbx", "tsv", "csv"] = "tbx"
) -> Response:
    """The terms of a project as a file."""
    access = access_to(request, project, who)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"terms.{form}"
        write_glossary(glossary_of(access.project), path)
        return attachment(f"{access.project.name}.{form}", path.read_bytes())


@ROUTER.get("/projects/{project}/package", response_class=Response, responses=FILE)
def export_package(request: Request, project: ProjectNumber, who: SignedIn) -> Response:
    """A whole project in one file: files, segments, terms; for those who manage it also its memories and jobs."""
    access = access_to(request, project, who)
    with request.app.state.store.read() as connection:
        content = pack(connection, access.project, whole=access.manages, user=who.user).to_bytes()
    return attachment(f"{access.project.name}.zip", content, "application/zip")


@ROUTER.post("/packages", status_code=201, openapi_extra=UPLOAD)
async def import_package(
    request: Request,
    who: Manager,
    name: Annotated[str, Query(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")] = "",
    assign: bool = False,
) -> NumberBody:
    """Make a project of a package, which is the body, under another name if one is given, with its memories.

    With `assign`, people who are called as in the package get their jobs again.
    """
    content = await request.body()

    def work() -> NumberBody:
        package, actor = Package.from_bytes(content), actor_of(request, who)
        with request.app.state.store.write() as connection:
            made = unpack(connection, package, name=name or None, actor=actor, owner=who.user)
            if assign:
                give_jobs(connection, made, package, actor=actor)
            return NumberBody(id=made.id)

    return await run_in_threadpool(work)
