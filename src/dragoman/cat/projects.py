"""Projects: files come in as segments, and go out with their translations; everything else of a file stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dragoman.cat.analysis import count_words
from dragoman.cat.files import check_languages, format_of
from dragoman.cat.files.base import FILE_FORMATS
from dragoman.cat.segmentation import SegmentationRules, SentenceRules, join, segments_of
from dragoman.cat.segmentation import merge as merge_texts
from dragoman.cat.segmentation import split as split_text
from dragoman.cat.segments import Code, Segment, State, Target, Unit, plain
from dragoman.errors import DataError
from dragoman.options import write_spec
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import User
from dragoman.store.translating import projects, reshaping, segments
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.memories import create_memory, find_memory
from dragoman.store.translating.projects import Project

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "check_memories",
    "codes_of",
    "export_file",
    "import_file",
    "merge",
    "new_project",
    "segment_values",
    "split",
    "unit_rows",
]

# The state of a unit is that of the segment that is the least far.
_ORDER: tuple[State, ...] = ("rejected", "new", "draft", "translated", "approved")


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
    """Raise if a memory is not there, is none of the person's, or is of other languages than the project."""
    for each in memories:
        memory = find_memory(connection, each["name"], user)
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
    langs = project.source_lang, project.target_lang
    form = format_of(name, content, langs)
    check_languages(form, content, langs, name=name)
    units = form.units(content, name=name)
    rows = list(unit_rows(units, rules or SentenceRules(project.source_lang)))
    if not rows:
        raise DataError(f"{name} has nothing to translate.")
    return segments.add_file(connection, project.id, name, write_spec(form), content, rows, actor=actor)


def unit_rows(units: Iterable[Unit], rules: SegmentationRules) -> Iterator[dict[str, Any]]:
    """The segments of units as the database keeps them."""
    for unit in units:
        if not unit.translate or not plain(unit.source).strip():
            continue
        # What was translated as a whole stays whole: nobody knows which sentence became which.
        is_whole = unit.target is not None or unit.alternatives
        state: State = "draft" if unit.target and unit.state == "new" else unit.state if unit.target else "new"
        for each in [_whole(unit)] if is_whole else segments_of(unit, rules):
            yield segment_values(unit, each, unit.target or None, state)


def segment_values(unit: Unit, segment: Segment, target: str | None, state: State) -> dict[str, Any]:
    """A segment of a unit as the database keeps it. What a file proposes is for the unit as a whole."""
    is_whole = unit.source.strip() == segment.source
    return {
        "unit": unit.key,
        "begin": segment.begin,
        "end": segment.end,
        "source": segment.source,
        "words": count_words(segment.source),
        "codes": [[code.text, code.kind, code.pair, code.shown] for code in unit.codes],
        "note": unit.note,
        "max_length": unit.max_length,
        "alternatives": [asdict(each) for each in unit.alternatives] if is_whole else [],
        "target": target,
        "state": state,
    }


def _whole(unit: Unit) -> Segment:
    source = unit.source.strip()
    begin = unit.source.index(source)
    return Segment(unit.key, begin, begin + len(source), source)


def export_file(connection: Connection, project: Project, file: int, *, least: State = "draft") -> tuple[str, bytes]:
    """A file with its translations: name and bytes. A unit of which a part is less far than `least` stays as it was."""
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
    return name, form.fill(content, targets, langs=langs, name=name)


def _target(unit: Unit, rows: Sequence[Any], least: State) -> Target | None:
    """What a unit's segments make of it; None if there is nothing to write."""
    state = min((row.state for row in rows), key=_ORDER.index)
    is_far = all(row.target is not None and _ORDER.index(row.state) >= _ORDER.index(least) for row in rows)
    if not is_far and least != "draft":
        return None
    if all(row.target is None for row in rows):
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


def merge(connection: Connection, access: Access, segment: int, *, key: str) -> None:
    """Join a segment with the next one of its unit, with what stands between them."""
    if reshaping.is_known(connection, access, key):
        return
    file, first, second = reshaping.neighbours(connection, access, segment)
    name, format_name, content = segments.file_content(connection, access.project.id, file)
    units = FILE_FORMATS.make(format_name).units(content, name=name)
    unit = next(each for each in units if each.key == first.unit)
    joined = merge_texts(unit, _segment(first), _segment(second))
    reshaping.merge_segments(connection, access, segment, joined.source, key=key)


def _segment(row: Any) -> Segment:
    return Segment(row.unit, row.begin, row.end, row.source)
