"""Memories from TMX files and to them: read as a stream, batch by batch, each batch a transaction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from dragoman.cat.files.inline import CodeTable, InlineText, unfit
from dragoman.cat.files.tmx import DIALECT
from dragoman.cat.files.xml_inline import read_inline
from dragoman.cat.reading import ReadLimits
from dragoman.cat.segments import code_place, plain
from dragoman.data.formats.tmx import TmxFormat, variants_in
from dragoman.data.memory import TranslationUnit, Variant
from dragoman.data.xml import NOT_XML, content
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import Store
from dragoman.store.audit import Actor, record
from dragoman.store.refusals import Conflict
from dragoman.store.translating.memories import Memory, NewUnit, StoredUnit, add_units, count_origin, units_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["Known", "TmxImport", "add_tmx", "check_origin", "export_tmx", "import_tmx", "read_tmx", "write_tmx"]

Known = Literal["refuse", "resume", "again"]  # what to do with a file of which a memory has units

_BATCH = 5000  # units of a transaction
_PREVIOUS, _NEXT = "x-context-pre", "x-context-post"
_CODE = re.compile("([\ue000-\uf8ff])")
_DATE = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True)
class TmxImport(Result):
    """What came into a memory."""

    kind: ClassVar[str] = "memory-import"

    file: str
    memory: str
    added: int
    skipped: int  # units that were there from an interrupted import

    def tables(self) -> list[Table]:
        """One row."""
        row = (self.file, self.memory, self.added, self.skipped)
        return [Table.of("Import", [Column(name) for name in ("file", "memory", "added", "skipped")], [row])]


def read_tmx(
    path: StrPath, source_lang: str, target_lang: str, *, limits: ReadLimits | None = None
) -> Iterator[NewUnit]:
    """The units of a file in two languages, one at a time; those that lack one of them are passed over."""
    for unit in TmxFormat(markup="keep").read_units(path):
        for source in variants_in(unit, source_lang)[:1]:
            for target in variants_in(unit, target_lang):
                read = _read(unit, source, target)
                if limits is not None:
                    limits.count(Path(path).name, read.source, read.target)
                yield read


def import_tmx(
    store: Store,
    memory: Memory,
    path: StrPath,
    *,
    actor: Actor,
    user_id: int | None = None,
    known: Known = "refuse",
    progress: Callable[[int], None] | None = None,
) -> TmxImport:
    """Add the units of a file to a memory, in transactions of 5,000. What ends it early leaves whole transactions.

    `known` says what to do with a file of which the memory has units: go on behind them, or take all of it again.
    """
    units = read_tmx(path, memory.source_lang, memory.target_lang)
    return add_tmx(store, memory, units, path, actor=actor, user_id=user_id, known=known, progress=progress)


def add_tmx(
    store: Store,
    memory: Memory,
    units: Iterable[NewUnit],
    path: StrPath,
    *,
    actor: Actor,
    user_id: int | None = None,
    known: Known = "refuse",
    progress: Callable[[int], None] | None = None,
) -> TmxImport:
    """The same with the units that were read from a file of this name."""
    origin = Path(path).name[-200:]
    n_before = check_origin(store, memory, origin, known)
    skipped = n_before if known == "resume" else 0
    waiting = islice(units, skipped, None)
    added = 0
    with _progress_told(lambda: added + n_before, memory, origin):
        while batch := list(islice(waiting, _BATCH)):
            with store.write() as connection:
                add_units(connection, memory, batch, origin=origin, user_id=user_id)
            added += len(batch)
            if progress is not None:
                progress(added)
    if not added and not skipped:
        raise DataError(
            f"{path} has no unit in {memory.source_lang} and {memory.target_lang}, the languages of {memory.name!r}."
        )
    with store.write() as connection:
        record(connection, actor, "memory imported", f"memory {memory.name}", file=origin, units=added)
    return TmxImport(origin, memory.name, added, skipped)


def check_origin(store: Store, memory: Memory, origin: str, known: Known) -> int:
    """How many units of a file a memory has already; raise if it has any and nothing says what to do then."""
    with store.read() as connection:
        n_before = count_origin(connection, memory, origin)
    if n_before and known == "refuse":
        raise Conflict(
            f"The memory {memory.name!r} has {n_before:,} units of {origin} already: go on behind them with --resume, "
            "or take all units once more with --again."
        )
    return n_before


@contextmanager
def _progress_told(n_units: Callable[[], int], memory: Memory, origin: str) -> Iterator[None]:
    """Say with whatever ends an import how far it came."""
    try:
        yield
    except BaseException as error:
        error.add_note(
            f"{n_units():,} units of {origin} are in the memory {memory.name!r}; --resume goes on behind them."
        )
        raise


def export_tmx(store: Store, memory: Memory, path: StrPath) -> int:
    """Write a memory as TMX; how many units it has."""
    with store.read() as connection:
        return write_tmx(connection, memory, path)


def write_tmx(connection: Connection, memory: Memory, path: StrPath) -> int:
    """The same within a transaction."""
    n_units = 0

    def written() -> Iterator[TranslationUnit]:
        nonlocal n_units
        for unit in units_of(connection, memory):
            n_units += 1
            yield _written(unit, memory)

    TmxFormat(source_lang=memory.source_lang, markup="keep").write_units(written(), path)
    return n_units


def _read(unit: TranslationUnit, source: Variant, target: Variant) -> NewUnit:
    table = CodeTable()
    text = _text(source.text, table)
    translation = _text(target.text, table)
    if unfit(text, translation, table.codes):  # the codes of a source are put into a text without any
        translation = plain(translation)
    date = target.attributes.get("changedate") or target.attributes.get("creationdate")
    date = date or unit.attributes.get("changedate") or unit.attributes.get("creationdate")
    return NewUnit(text, translation, unit.prop(_PREVIOUS), unit.prop(_NEXT), created=_moment(date))


def _text(markup: str, table: CodeTable) -> str:
    text = InlineText(table)
    read_inline(markup, 0, len(markup), DIALECT, text)
    return str(text)


def _moment(date: str | None) -> datetime | None:
    """A date as TMX writes it, `20240131T120000Z`; none if it is something else."""
    try:
        return None if date is None else datetime.strptime(date, _DATE).replace(tzinfo=UTC)
    except ValueError:
        return None


def _written(unit: StoredUnit, memory: Memory) -> TranslationUnit:
    variants = [
        Variant(lang, _markup(_writable(text)))
        for lang, text in ((memory.source_lang, unit.source), (memory.target_lang, unit.target))
    ]
    attributes = {"tuid": str(unit.id), "creationdate": unit.created.strftime(_DATE)}
    if unit.user is not None:
        attributes["creationid"] = unit.user
    neighbours = ((_PREVIOUS, unit.previous), (_NEXT, unit.next))
    props: Iterable[tuple[str, str]] = [(name, _writable(text)) for name, text in neighbours if text is not None]
    return TranslationUnit(tuple(variants), attributes, (*props, ("x-origin", unit.origin)))


def _writable(text: str) -> str:
    """A text without the characters that no XML has: one such unit keeps no memory from being written."""
    return NOT_XML.sub("", text)


def _markup(text: str) -> str:
    """A text as content of TMX, its codes as placeholders that source and target share by number."""
    pieces = [(piece, code_place(piece) if len(piece) == 1 else None) for piece in _CODE.split(text)]
    return "".join(content(piece) if place is None else f'<ph x="{place + 1}"/>' for piece, place in pieces)
