"""Projects of the store as packages, and packages as projects of the store."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.cat.checking import glossary_of
from dragoman.cat.files.base import FileFormat, Langs
from dragoman.cat.files.inline import unfit
from dragoman.cat.memory import read_tmx, write_tmx
from dragoman.cat.packages import Package, PackageFile, PackageJob, PackageMemory, PackageSegment
from dragoman.cat.projects import new_project
from dragoman.cat.reading import ReadLimits, batches, segment_values
from dragoman.cat.saving import CONFIRMED
from dragoman.cat.segments import Segment, Unit, plain
from dragoman.cat.settings import known_settings
from dragoman.cat.term_files import read_glossary, write_glossary
from dragoman.errors import DataError
from dragoman.options import write_spec
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import User
from dragoman.store.refusals import Conflict, NotFound
from dragoman.store.translating import jobs, projects, segments
from dragoman.store.translating.memories import Memory, NewUnit, add_units, create_memory, find_memory
from dragoman.store.translating.projects import Project
from dragoman.text.languages import parse_language

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "Part",
    "PreparedPackage",
    "as_file",
    "check_parts",
    "give_jobs",
    "glossary_rows",
    "keep",
    "pack",
    "package_parts",
    "prepared",
    "unpack",
]

_GLOSSARY = "terms"
_NAMED = 20  # segments in one error
_MOST_FILES = 1000  # of a package that is sent
_MOST_MEMORIES = 50  # as many as a project may name
_MOST_JOBS = 1000
_PACKED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"BZh")  # gzip, xz, zstandard, bzip2
_NO_NAME = re.compile(r"[\\/\x00-\x1f]+|^\.+$")


def pack(connection: Connection, project: Project, *, whole: bool = False, user: User | None = None) -> Package:
    """A project with its files, segments and terms; the `whole` also with its jobs and memories `user` may have."""
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
        if user is not None and not memory.may_change(user):  # which they look up, but may not take along whole
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


@dataclass(frozen=True)
class PreparedPackage:
    """A package whose files, memories and glossaries were read, ready to be kept."""

    package: Package  # without segments, memories and glossaries: they are what follows
    rows: Mapping[str, Sequence[dict[str, Any]]]  # the segments of each file, as the database keeps them
    units: Mapping[str, Sequence[NewUnit]]  # of each memory
    terms: Sequence[dict[str, str]]


Part = tuple[str, str, list[Any]]  # `rows`, `units` or `terms`, of which file or memory, and some of them


def package_parts(package: Package, limits: ReadLimits | None = None) -> Iterator[Part]:
    """What is in the files, memories and glossaries of a package, a batch at a time."""
    langs = str(parse_language(package.source_lang)), str(parse_language(package.target_lang))
    for file in package.files:
        units = {unit.key: unit for unit in file.units()}
        own = [each for each in package.segments if each.file == file.name]
        _check_confirmed(file.form(), units, own, file.name)
        for segments_read in batches(own):
            rows = [_row(units, each, file.name) for each in segments_read]
            for row in rows if limits else ():
                limits.count(file.name, row["source"], row["target"], codes=row["codes"])  # type: ignore[union-attr]
            yield "rows", file.name, rows
    for name, content in package.memories.items():
        with as_file("memory.tmx", content) as path:
            for part in batches(read_tmx(path, *langs, limits=limits)):
                yield "units", name, part
    for content in package.glossaries.values():
        yield "terms", "", glossary_rows(content, "terms.tsv", langs, limits)


def prepared(package: Package, parts: Iterable[Part]) -> PreparedPackage:
    """A package with its parts put together."""
    found: dict[str, dict[str, list[Any]]] = {"rows": {}, "units": {}, "terms": {"": []}}
    for kind, name, part in parts:
        found[kind].setdefault(name, []).extend(part)
    light = replace(package, segments=(), memories=dict.fromkeys(package.memories, b""), glossaries={})
    return PreparedPackage(light, found["rows"], found["units"], found["terms"][""])


def unpack(
    connection: Connection, package: Package, *, actor: Actor, owner: User | None = None, name: str | None = None
) -> Project:
    """A package as a new project, under another name if one is given, with the memories of the package."""
    return keep(connection, prepared(package, package_parts(package)), actor=actor, owner=owner, name=name)


def keep(
    connection: Connection, read: PreparedPackage, *, actor: Actor, owner: User | None = None, name: str | None = None
) -> Project:
    """A package that was read before as a new project.

    Memories get names that are free; the one that is written to has the project's, if it is.
    """
    package = read.package
    called = name or package.name
    made = new_project(
        connection,
        called,
        package.source_lang,
        package.target_lang,
        actor=actor,
        owner=owner,
        memories=[_memory(connection, read, each, called, actor, owner) for each in package.memories],
        settings=known_settings(package.settings),
    )
    for file in package.files:
        rows = read.rows.get(file.name, ())
        segments.add_file(connection, made.id, file.name, write_spec(file.form()), file.content, rows, actor=actor)
    return projects.change_project(connection, made.id, glossary=read.terms, actor=actor) if read.terms else made


def _memory(
    connection: Connection, read: PreparedPackage, name: str, project: str, actor: Actor, owner: User | None
) -> dict[str, Any]:
    """A memory of a package in the store, and how the project uses it."""
    package = read.package
    use = package.uses.get(name, PackageMemory())
    free = _free_name(connection, project if use.writes else name)
    made = create_memory(connection, free, package.source_lang, package.target_lang, actor=actor, owner=owner)
    add_units(connection, made, read.units.get(name, ()), origin=f"package {package.name}"[:200])
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
    """Give the jobs of a package to people of the same names; the names of whom nobody here can get one."""
    missing = []
    for job in package.jobs:
        try:
            jobs.add_job(connection, project.id, job.user, role=job.role, first=job.first, last=job.last, actor=actor)
        except (Conflict, NotFound):
            missing.append(job.user)
    return sorted(set(missing))


def _check_confirmed(form: FileFormat, units: Mapping[str, Unit], own: Sequence[PackageSegment], file: str) -> None:
    """Raise if confirmed targets cannot be written into their file, all of them at once; what it has itself can be."""
    faults = []
    for number, each in enumerate(own, start=1):
        unit = units.get(each.unit)
        if unit is None or each.target is None or each.state not in CONFIRMED or each.target == unit.target:
            continue
        reason = unfit(each.source, each.target, unit.codes) or form.refused_character(each.source, each.target)
        if reason:
            faults.append(f"segment {number} ({plain(each.source)[:40]!r}): {reason}")
    if faults:
        more = f"; and {len(faults) - _NAMED} more" if len(faults) > _NAMED else ""
        raise DataError(
            f"{file} has confirmed segments that cannot be written: {'; '.join(faults[:_NAMED])}{more}. "
            "Correct them, or make them drafts, in the project that the package is of, and export it again."
        )


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
            if folder not in str(error):
                raise
            raise DataError(str(error).replace(f"{folder}/", "")) from None


def glossary_rows(content: bytes, name: str, langs: Langs, limits: ReadLimits | None = None) -> list[dict[str, str]]:
    """The terms of a file (TBX, TSV, CSV) in two languages, as a project keeps them."""
    with as_file(name, content) as path:
        terms = read_glossary(path, *langs).terms
    rows = [{"source": t.source, "target": t.target, "status": t.status, "note": t.note} for t in terms]
    if limits is not None:
        limits.count_terms(name, rows)
    return rows


def check_parts(package: Package) -> None:
    """Raise if keeping a package, for which others wait, is too much work for what its segments are."""
    for what, parts, most in (
        ("files", package.files, _MOST_FILES),
        ("memories", package.memories, _MOST_MEMORIES),
        ("glossaries", package.glossaries, _MOST_MEMORIES),
        ("jobs", package.jobs, _MOST_JOBS),
    ):
        if len(parts) > most:
            raise DataError(
                f"The package has {len(parts):,} {what}; a server takes at most {most:,}. Import it with the command "
                "line: dragoman cat package import"
            )
