"""`dragoman cat analyse`: how much work documents are, given what was translated before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dragoman.cli.cat_opening import opened
from dragoman.cli.database import db_option, open_store
from dragoman.cli.output import LanguagePair, emit, output_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dragoman.cat.analysis import LookUp, VolumeAnalysis
    from dragoman.cat.segments import Segment
    from dragoman.store.translating.projects import Project

__all__ = ["analyse"]


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--pair", metavar="SRC-TGT", type=LanguagePair(), default="en-de", show_default=True, help="Languages, as en-de."
)
@click.option(
    "--memory", "memories", multiple=True, metavar="TMX|NAME", help="A TMX file, or a memory of the database."
)
@click.option(
    "--project", metavar="NAME", help="A project of the database: its memories, and its files if none is named."
)
@click.option("--weights", type=click.Path(exists=True), metavar="TOML", help='Weights, as `"75-84" = 50`.')
@click.option("--mt", is_flag=True, help="There is an engine: what nothing else helps with is post-edited.")
@db_option
@output_options
def analyse(
    files: tuple[str, ...],
    pair: str,
    memories: tuple[str, ...],
    project: str | None,
    weights: str | None,
    mt: bool,
    db: str,
    form: str,
    output: str,
) -> None:
    """Count the words of documents by the help that memories give.

    \b
      dragoman cat analyse manual.xlf notes.txt --pair en-de --memory old.tmx
      dragoman cat analyse manual.xlf --pair en-de --memory manuals --db work.db
      dragoman cat analyse --project letters --db work.db

    A segment is of the kind that is charged least.
    """
    from dragoman.cat.analysis import WEIGHTS, read_weights
    from dragoman.text.languages import parse_pair

    if not files and project is None:
        raise click.UsageError("Name files, or a project of the database with --project.")
    found = None if project is None else _project(db, project)
    langs = parse_pair(pair) if found is None else (found.source_lang, found.target_lang)
    own = read_weights(weights) if weights else WEIGHTS
    emit(_analysed(files, langs, memories, found, own, mt, db), form, output)


def _analysed(
    files: Sequence[str],
    langs: tuple[str, str],
    memories: Sequence[str],
    project: Project | None,
    weights: Mapping[str, float],
    mt: bool,
    db: str,
) -> VolumeAnalysis:
    from dragoman.cat.analysis import analyse as run

    documents: dict[str, Sequence[Segment | str]] = {file: _segments(file, langs[0]) for file in files}
    if not files and project is not None:
        documents = _documents(db, project)
    has_engine = mt or (project is not None and project.engine is not None)
    return run(documents, _look_up(memories, langs, project, db), weights=weights, has_engine=has_engine)


def _project(db: str, name: str) -> Project:
    with open_store(db).read() as connection:
        return opened(connection, name)


def _documents(db: str, project: Project) -> dict[str, Sequence[Segment | str]]:
    """The sources of a project by file."""
    from dragoman.store.translating.segments import list_segments

    documents: dict[str, list[Segment | str]] = {}
    with open_store(db).read() as connection:
        for row in list_segments(connection, project.id, limit=10**9)[1]:
            documents.setdefault(row["file"], []).append(row["source"])
    return {**documents}


def _segments(file: str, lang: str) -> Sequence[Segment]:
    """The segments of a file that are to be translated."""
    from dragoman.cat.files import format_of
    from dragoman.cat.segmentation import SentenceRules, segments_of
    from dragoman.files import read_bytes

    content = read_bytes(file)
    units = format_of(file, content).units(content, name=file)
    rules = SentenceRules(lang)
    return [segment for unit in units if unit.translate for segment in segments_of(unit, rules)]


def _look_up(names: Sequence[str], langs: tuple[str, str], project: Project | None, db: str) -> LookUp | None:
    """What finds the best match of each segment in TMX files and in memories of the database; None of no memories."""
    files = [name for name in names if Path(name).exists()]
    stored = [name for name in names if name not in files]
    found = [_index(files, langs)] if files else []
    if stored or project is not None:
        found.append(_shelf(stored, langs, project, db))
    if not found:
        return None
    return lambda queries: [
        sorted((match for matches in each for match in matches), key=lambda match: -match.score)
        for each in zip(*(look_up(queries) for look_up in found), strict=True)
    ]


def _index(files: Sequence[str], langs: tuple[str, str]) -> LookUp:
    from dragoman.cat.memory import MemoryIndex, MemoryUnit, read_tmx

    units = (unit for path in files for unit in read_tmx(path, *langs))
    index = MemoryIndex(
        MemoryUnit(number, unit.source, unit.target, unit.previous, unit.next) for number, unit in enumerate(units)
    )
    return lambda queries: index.matches_of(list(queries), most=1)


def _shelf(names: Sequence[str], langs: tuple[str, str], project: Project | None, db: str) -> LookUp:
    from dragoman.cat.checking import memories_of
    from dragoman.cat.memory import MemoryShelf, Penalised
    from dragoman.errors import DataError
    from dragoman.store.translating.memories import find_memory

    store = open_store(db)
    with store.read() as connection:
        asked = [Penalised(find_memory(connection, name)) for name in names]
        asked += [] if project is None else memories_of(connection, project)
    for each in asked:
        if (each.memory.source_lang, each.memory.target_lang) != langs:
            raise DataError(
                f"The memory {each.memory.name!r} is for {each.memory.source_lang}-{each.memory.target_lang}, the work "
                f"for {'-'.join(langs)}."
            )
    shelf = MemoryShelf(store)
    return lambda queries: shelf.matches_of(asked, list(queries), most=1)
