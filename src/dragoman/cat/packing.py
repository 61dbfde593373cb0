"""Projects of the store as packages, and packages as projects of the store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.cat.checking import glossary_of
from dragoman.cat.packages import Package, PackageFile, PackageSegment
from dragoman.cat.projects import new_project, segment_values
from dragoman.cat.segments import Segment, Unit
from dragoman.cat.term_files import read_glossary, write_glossary
from dragoman.errors import DataError
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import User
from dragoman.store.translating import projects, segments
from dragoman.store.translating.projects import Project

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["as_file", "glossary_rows", "pack", "unpack"]

_GLOSSARY = "terms"
_PACKED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"BZh")  # gzip, xz, zstandard, bzip2


def pack(connection: Connection, project: Project) -> Package:
    """A project with its files, segments and terms. Memories are handed on as TMX by themselves."""
    files, rows = [], []
    for number, *_ in segments.list_files(connection, project.id).files:
        name, format_name, content = segments.file_content(connection, project.id, number)
        files.append(PackageFile(name, content, format_name))
        rows += [PackageSegment(name, *row) for row in segments.segments_of_file(connection, number)]
    return Package(
        project.name,
        project.source_lang,
        project.target_lang,
        tuple(files),
        tuple(rows),
        glossaries={_GLOSSARY: _glossary_file(project)} if project.glossary else {},
        settings=dict(project.settings),
    )


def _glossary_file(project: Project) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "terms.tsv"
        write_glossary(glossary_of(project), path)
        return path.read_bytes()


def unpack(
    connection: Connection, package: Package, *, actor: Actor, owner: User | None = None, name: str | None = None
) -> Project:
    """A package as a new project, under another name if one is given; it gets a memory of its own."""
    made = new_project(
        connection,
        name or package.name,
        package.source_lang,
        package.target_lang,
        actor=actor,
        owner=owner,
        settings=package.settings,
    )
    for file in package.files:
        units = {unit.key: unit for unit in file.units()}
        own = [each for each in package.segments if each.file == file.name]
        rows = [_row(units, each, file.name) for each in own]
        segments.add_file(connection, made.id, file.name, file.form().name, file.content, rows, actor=actor)
    terms = [term for content in package.glossaries.values() for term in glossary_rows(content, "terms.tsv", made)]
    return projects.change_project(connection, made.id, glossary=terms, actor=actor) if terms else made


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
