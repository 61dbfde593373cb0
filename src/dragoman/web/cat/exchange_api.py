"""What comes in and goes out besides files to translate: memories as TMX, terms, whole projects as packages."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from dragoman.cat.checking import glossary_of
from dragoman.cat.memory import add_tmx, check_origin, export_tmx
from dragoman.cat.packing import give_jobs, keep, pack
from dragoman.cat.term_files import write_glossary
from dragoman.store.translating import memories, projects
from dragoman.store.translating.jobs import memories_at_work
from dragoman.web.bodies import Done, ResultBody, body_of
from dragoman.web.cat.bodies import MemoryName, NumberBody
from dragoman.web.cat.project_bodies import MemoryBody
from dragoman.web.cat.projects_api import FILE, UPLOAD, FileName, attachment
from dragoman.web.guard import AtWorkbench, WorkbenchManager, actor_of
from dragoman.web.imports import Reader
from dragoman.web.objects import MemoryChanger, MemoryUser, ProjectManager, ProjectReader

__all__ = ["ROUTER"]

ROUTER = APIRouter(prefix="/api/v1/cat", tags=["memories, terms, packages"])
UnitNumber = Annotated[int, Query(ge=1, lt=2**31)]


@ROUTER.get("/memories")
def list_memories(request: Request, who: AtWorkbench) -> ResultBody:
    """The translation memories that one may use, or works with."""
    with request.app.state.store.read() as connection:
        at_work = memories_at_work(connection, who.user)
        return body_of(memories.list_memories(connection, who.user, at_work=at_work))


@ROUTER.post("/memories", status_code=201)
def create_memory(request: Request, body: MemoryBody, who: WorkbenchManager) -> Done:
    """Make an empty memory: one's own, or shared with everybody."""
    with request.app.state.store.write() as connection:
        memories.create_memory(connection, owner=who.user, actor=actor_of(request, who), **body.model_dump())
    return Done()


@ROUTER.post("/memories/tmx", openapi_extra=UPLOAD)
async def import_memory(
    request: Request,
    memory: MemoryName,  # noqa: ARG001
    access: MemoryChanger,
    name: FileName,
    known: Literal["refuse", "resume", "again"] = "refuse",
) -> ResultBody:
    """Take a TMX file, which is the body, into a memory; `known` says what to do if it has units of this file."""
    content = await request.body()

    def work(reader: Reader) -> ResultBody:
        store, (found, who) = request.app.state.store, access
        check_origin(store, found, name, known)
        units = reader.memory(name, content, (found.source_lang, found.target_lang))
        actor = actor_of(request, who)
        return body_of(add_tmx(store, found, units, name, actor=actor, user_id=who.user.id, known=known))

    done: ResultBody = await request.app.state.imports.run(request, work)
    return done


@ROUTER.get("/memories/tmx", response_class=Response, responses=FILE)
def export_memory(request: Request, memory: MemoryName, access: MemoryChanger) -> Response:
    """A memory as TMX, the whole of it: for its owner and for managers."""
    store, (found, _) = request.app.state.store, access
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.tmx"
        export_tmx(store, found, path)
        return attachment(f"{memory}.tmx", path.read_bytes(), "application/xml")


@ROUTER.get("/memories/units")
def get_unit(
    request: Request,
    memory: MemoryName,  # noqa: ARG001
    unit: UnitNumber,
    access: MemoryUser,
) -> ResultBody:
    """A unit, and where it comes from: who confirmed it when, in which project or file."""
    with request.app.state.store.read() as connection:
        found = asdict(memories.unit_of(connection, access[0], unit))
    moments = {name: found[name] and found[name].isoformat() for name in ("created", "deleted")}
    return ResultBody(kind="memory unit", rows=[{**found, **moments}], meta={})


@ROUTER.delete("/memories/units")
def delete_unit(
    request: Request,
    memory: MemoryName,  # noqa: ARG001
    unit: UnitNumber,
    access: MemoryUser,
) -> Done:
    """Take a unit out of a memory: one's own, or any of one's own memory."""
    found, who = access
    with request.app.state.store.write() as connection:
        memories.unit_of(connection, found, unit)
        memories.delete_units(connection, found, [unit], actor=actor_of(request, who), user=who.user)
    return Done()


@ROUTER.post("/projects/{project}/glossary/file", openapi_extra=UPLOAD)
async def import_glossary(request: Request, name: FileName, access: ProjectManager) -> NumberBody:
    """Give a project the terms of a file (TBX, TSV, CSV), which is the body, in place of those it has; how many."""
    content = await request.body()

    def work(reader: Reader) -> NumberBody:
        terms = reader.glossary(name, content, (access.project.source_lang, access.project.target_lang))
        with request.app.state.store.write() as connection:
            projects.change_project(connection, access.project.id, glossary=terms, actor=actor_of(request, access))
        return NumberBody(id=len(terms))

    done: NumberBody = await request.app.state.imports.run(request, work)
    return done


@ROUTER.get("/projects/{project}/glossary/file", response_class=Response, responses=FILE)
def export_glossary(
    access: ProjectReader,
    form: Literal["tbx", "tsv", "csv"] = "tbx",
    raw: bool = False,
) -> Response:
    """The terms of a project as a file; with `raw`, cells that spreadsheets take for formulas as they are."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"terms.{form}"
        write_glossary(glossary_of(access.project), path, raw=raw)
        return attachment(f"{access.project.name}.{form}", path.read_bytes())


@ROUTER.get("/projects/{project}/package", response_class=Response, responses=FILE)
def export_package(request: Request, access: ProjectReader) -> Response:
    """A whole project in one file: files, segments, terms; for those who manage it also its memories and jobs."""
    with request.app.state.store.read() as connection:
        content = pack(connection, access.project, whole=access.manages, user=access.user).to_bytes()
    return attachment(f"{access.project.name}.zip", content, "application/zip")


@ROUTER.post("/packages", status_code=201, openapi_extra=UPLOAD)
async def import_package(
    request: Request,
    who: WorkbenchManager,
    name: Annotated[str, Query(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")] = "",
    assign: bool = False,
) -> NumberBody:
    """Make a project of a package, which is the body, under another name if one is given, with its memories.

    With `assign`, people who are called as in the package get their jobs again.
    """
    content = await request.body()

    def work(reader: Reader) -> NumberBody:
        read, actor = reader.package(content), actor_of(request, who)
        with request.app.state.store.write() as connection:
            made = keep(connection, read, name=name or None, actor=actor, owner=who.user)
            if assign:
                give_jobs(connection, made, read.package, actor=actor)
            return NumberBody(id=made.id)

    done: NumberBody = await request.app.state.imports.run(request, work)
    return done
