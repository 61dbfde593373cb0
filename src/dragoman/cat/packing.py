"""Projects of the store as packages, and packages as projects of the store."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.cat.checking import glossary_of
from dragoman.cat.memory import read_tmx, write_tmx
from dragoman.cat.packages import Package, PackageFile, PackageJob, PackageMemory, PackageSegment
from dragoman.cat.projects import new_project, segment_values
from dragoman.cat.segments import Segment, Unit
from dragoman.cat.settings import known_settings
from dragoman.cat.term_files import read_glossary, write_glossary
from dragoman.errors import DataError
from dragoman.options import write_spec
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import User
from dragoman.store.refusals import NotFound
from dragoman.store.translating import jobs, projects, segments
from dragoman.store.translating.memories import Memory, add_units, create_memory, find_memory
from dragoman.store.translating.projects import Project

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["as_file", "give_jobs", "glossary_rows", "pack", "unpack"]

_GLOSSARY = "terms"
_PACKED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"BZh")  # gzip, xz, zstandard, bzip2
_NO_NAME = re.compile(r"[\\/\x00-\x1f]+|^\.+$")


def pack(connection: Connection, project: Project, *, whole: bool = False, user: User | None = None) -> Package:
    """A project with its files, segments and terms; the `whole` also with its jobs and the memories `user` may use."""
    files, rows = [], []
    for number, *_ in segments.list_files(connection, project.id).files:
        name, format_name, content = segments.file_content(connection, project.id, number)
        files.append(PackageFile(name, content, format_name))
        rows += [PackageSegment(name, *row) for row in segments.segments_of_file(connection, number)]
    used = list(_memories(connection, project, user)) if whole else []
    given = jobs.list_jobs(connection, project.id).jobs if whole else ()
    return Package(
        project.name,
        project.source_lang,
        project.target_lang,
        tuple(files),
        tuple(rows),
        memories={name: _memory_file(connection, memory) for name, memory, _ in used},
        glossaries={_GLOSSARY: _glossary_file(project)} if project.glossary else {},
        settings=dict(project.settings),
        uses={name: use for name, _, use in used},
        jobs=tuple(PackageJob(*each[1:5]) for each in given),
    )


def _memories(
    connection: Connection, project: Project, user: User | None
) -> Iterator[tuple[str, Memory, PackageMemory]]:
    """The memories of a project under names that files can have, and how it uses them."""
    for each in project.memories:
        try:
            memory = find_memory(connection, each["name"], user)
        except NotFound:  # deleted since, or another's
            continue
        name = _NO_NAME.sub("-", memory.name)
        yield name, memory, PackageMemory(float(each.get("penalty", 0)), bool(each.get("writes")))


def _memory_file(connection: Connection, memory: Memory) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.tmx"
        write_tmx(connection, memory, path)
        return path.read_bytes()


def _glossary_file(project: Project) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "terms.tsv"
        write_glossary(glossary_of(project), path)
        return path.read_bytes()


def unpack(
    connection: Connection, package: Package, *, actor: Actor, owner: User | None = None, name: str | None = None
) -> Project:
    """A package as a new project, under another name if one is given, with the memories of the package.

    Memories get names that are free; the one that is written to has the project's, if it is.
    """
    called = name or package.name
    made = new_project(
        connection,
        called,
        package.source_lang,
        package.target_lang,
        actor=actor,
        owner=owner,
        memories=[_memory(connection, package, each, called, actor, owner) for each in package.memories],
        settings=known_settings(package.settings),
    )
    for file in package.files:
        units = {unit.key: unit for unit in file.units()}
        own = [each for each in package.segments if each.file == file.name]
        rows = [_row(units, each, file.name) for each in own]
        segments.add_file(connection, made.id, file.name, write_spec(file.form()), file.content, rows, actor=actor)
    terms = [term for content in package.glossaries.values() for term in glossary_rows(content, "terms.tsv", made)]
    return projects.change_project(connection, made.id, glossary=terms, actor=actor) if terms else made


def _memory(
    connection: Connection, package: Package, name: str, project: str, actor: Actor, owner: User | None
) -> dict[str, Any]:
    """A memory of a package in the store, and how the project uses it."""
    use = package.uses.get(name, PackageMemory())
    free = _free_name(connection, project if use.writes else name)
    made = create_memory(connection, free, package.source_lang, package.target_lang, actor=actor, owner=owner)
    with as_file("memory.tmx", package.memories[name]) as path:
        units = list(read_tmx(path, made.source_lang, made.target_lang))
    add_units(connection, made, units, origin=f"package {package.name}"[:200])
    return {"name": made.name, "penalty": use.penalty, "writes": use.writes}


def _free_name(connection: Connection, wanted: str) -> str:
    """A name for a memory that no other has: the wanted one, or with a number behind it."""
    wanted = wanted.strip()[:70]
    name = wanted
    for number in count(2):
        try:
            find_memory(connection, name)
        except NotFound:
            break
        name = f"{wanted} {number}"
    return name


def give_jobs(connection: Connection, project: Project, package: Package, *, actor: Actor) -> list[str]:
    """Give the jobs of a package to people of the same names; the names that nobody has here."""
    missing = []
    for job in package.jobs:
        try:
            jobs.add_job(connection, project.id, job.user, role=job.role, first=job.first, last=job.last, actor=actor)
        except NotFound:
            missing.append(job.user)
    return sorted(set(missing))


def _row(units: Mapping[str, Unit], segment: PackageSegment, file: str) -> dict[str, Any]:
    unit = units.get(segment.unit)
    if unit is None or unit.source[segment.begin : segment.end] != segment.source:
        raise DataError(f"The package's segment {segment.source[:40]!r} is none of {file}.")
    place = Segment(segment.unit, segment.begin, segment.end, segment.source)
    return segment_values(unit, place, segment.target, segment.state)


@contextmanager
def as_file(name: str, content: bytes) -> Iterator[Path]:
    """Content that was sent, for readers of files. They unpack by the first bytes, to any size: no packed content."""
    if content.startswith(_PACKED):
        raise DataError(f"{name} is packed; send it unpacked.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(content)
        try:
            yield path
        except DataError as error:  # where the folder lies is nobody's business
            raise DataError(str(error).replace(f"{folder}/", "")) from None


def glossary_rows(content: bytes, name: str, project: Project) -> list[dict[str, str]]:
    """The terms of a file (TBX, TSV, CSV) in the languages of a project, as it keeps them."""
    with as_file(name, content) as path:
        terms = read_glossary(path, project.source_lang, project.target_lang).terms
    return [{"source": t.source, "target": t.target, "status": t.status, "note": t.note} for t in terms]
