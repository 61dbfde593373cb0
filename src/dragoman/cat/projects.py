"""Projects: files come in as segments, and go out with their translations; everything else of a file stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dragoman.cat.delivery import filled
from dragoman.cat.exporting import ORDER, is_far_enough
from dragoman.cat.files.base import FILE_FORMATS
from dragoman.cat.reading import ReadFile, read_file
from dragoman.cat.segmentation import SegmentationRules, join
from dragoman.cat.segmentation import merge as merge_texts
from dragoman.cat.segmentation import split as split_text
from dragoman.cat.segments import Code, Segment, State, Target, Unit
from dragoman.errors import DataError
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import User
from dragoman.store.refusals import NotAllowed
from dragoman.store.translating import projects, reshaping, segments
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.memories import create_memory, find_memory
from dragoman.store.translating.projects import Project

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "add_file",
    "check_memories",
    "codes_of",
    "export_file",
    "import_file",
    "joined_segments",
    "merge",
    "new_project",
    "split",
]

# The state of a unit is that of the segment that is the least far.


def codes_of(rows: Sequence[Sequence[str]]) -> tuple[Code, ...]:
    """Inline codes as the database keeps them."""
    return tuple(Code(*row) for row in rows)  # type: ignore[arg-type]  # it was a `Code` when it was written


def new_project(
    connection: Connection,
    name: str,
    source_lang: str,
    target_lang: str,
    *,
    actor: Actor,
    owner: User | None = None,
    engine: str | None = None,
    memories: Sequence[Mapping[str, Any]] = (),
    settings: Mapping[str, Any] | None = None,
) -> Project:
    """Make a project. Where no memory is chosen to be written to, it gets one of its own, of its own name."""
    made = projects.create_project(
        connection,
        name,
        source_lang,
        target_lang,
        actor=actor,
        owner=owner,
        engine=engine,
        memories=memories,
        settings=settings,
    )
    check_memories(connection, made, memories, owner)
    if any(each.get("writes") for each in memories):
        return made
    own = create_memory(connection, made.name, made.source_lang, made.target_lang, owner=owner, actor=actor)
    chosen = [{"name": own.name, "penalty": 0, "writes": True}, *memories]
    return projects.change_project(connection, made.id, memories=chosen, actor=actor)


def check_memories(
    connection: Connection, project: Project, memories: Sequence[Mapping[str, Any]], user: User | None
) -> None:
    """Raise if a memory is not there, is none of the person's to use so, or is of other languages than the project."""
    for each in memories:
        memory = find_memory(connection, each["name"], user)
        if each.get("writes") and user is not None and not memory.may_write(user):
            raise NotAllowed(f"The memory {memory.name!r} is others'; a project may look into it, not write.")
        if (memory.source_lang, memory.target_lang) != (project.source_lang, project.target_lang):
            raise DataError(
                f"The memory {memory.name!r} is for {memory.source_lang}-{memory.target_lang}, the project for "
                f"{project.source_lang}-{project.target_lang}."
            )


def import_file(
    connection: Connection,
    project: Project,
    name: str,
    content: bytes,
    *,
    actor: Actor,
    rules: SegmentationRules | None = None,
) -> int:
    """Put a file into a project, cut into segments behind those that are there; its number.

    Translations that the file has already come along: a unit's if it is one segment.
    """
    read = read_file(name, content, (project.source_lang, project.target_lang), rules=rules)
    return add_file(connection, project, read, content, actor=actor)


def add_file(connection: Connection, project: Project, read: ReadFile, content: bytes, *, actor: Actor) -> int:
    """Put a file that was read before into a project; its number."""
    return segments.add_file(connection, project.id, read.name, read.format, content, read.rows, actor=actor)


def export_file(connection: Connection, project: Project, file: int, *, least: State = "draft") -> tuple[str, bytes]:
    """A file with its translations: name and bytes. A unit of which a part is less far than `least` stays as it was.

    A file that cannot be written raises `NotWritable` with all segments that are at fault.
    """
    name, format_name, content = segments.file_content(connection, project.id, file)
    form = FILE_FORMATS.make(format_name)
    units = {unit.key: unit for unit in form.units(content, name=name)}
    rows = segments.segments_of_file(connection, file)
    targets: dict[str, Target] = {}
    for key, parts in groupby(rows, key=lambda row: str(row.unit)):
        target = _target(units[key], list(parts), least)
        if target is not None:
            targets[key] = target
    langs = project.source_lang, project.target_lang
    return name, filled(connection, project.id, file, form, content, units, targets, langs=langs, name=name)


def _target(unit: Unit, rows: Sequence[Any], least: State) -> Target | None:
    """What a unit's segments make of it; None if there is nothing to write."""
    state = min((row.state for row in rows), key=ORDER.index)
    if not is_far_enough([row.state for row in rows], [row.target for row in rows], least):
        return None
    parts = [Segment(unit.key, row.begin, row.end, row.source) for row in rows]
    texts = [row.source if row.target is None else row.target for row in rows]
    text = texts[0] if len(rows) == 1 and unit.target is not None else join(unit, parts, texts)
    return Target(text, "draft" if state == "new" else state)


def split(connection: Connection, access: Access, segment: int, at: int, *, key: str, target_at: int | None) -> int:
    """Cut a segment before a character of its source; the number of the second part."""
    if not reshaping.is_known(connection, access, key):
        row = segments.find_segment(connection, access.project.id, segment)
        split_text(Segment(row["unit"], 0, len(row["source"]), row["source"]), at)  # raises if a part has no text
    return reshaping.split_segment(connection, access, segment, at, key=key, target_at=target_at)


def merge(connection: Connection, access: Access, segment: int, *, key: str, joined: Segment | None = None) -> None:
    """Join a segment with the next one of its unit, with what stands between them.

    Reading a large file takes its time: `joined_segments` does it before the transaction in which others wait.
    """
    if reshaping.is_known(connection, access, key):
        return
    _, first, second = reshaping.neighbours(connection, access, segment)
    if joined is None or (joined.unit, joined.begin, joined.end) != (first.unit, first.begin, second.end):
        joined = joined_segments(connection, access, segment)
    reshaping.merge_segments(connection, access, segment, joined.source, key=key)


def joined_segments(connection: Connection, access: Access, segment: int) -> Segment:
    """A segment and the next one of its unit as one, with what the file has between them."""
    file, first, second = reshaping.neighbours(connection, access, segment)
    name, format_name, content = segments.file_content(connection, access.project.id, file)
    units = FILE_FORMATS.make(format_name).units(content, name=name)
    unit = next(each for each in units if each.key == first.unit)
    return merge_texts(unit, _segment(first), _segment(second))


def _segment(row: Any) -> Segment:
    return Segment(row.unit, row.begin, row.end, row.source)
