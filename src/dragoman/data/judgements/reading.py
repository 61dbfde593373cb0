"""Any file of judgements opened, whatever its kind and format; several files become one table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.data.formats.base import FORMATS
from dragoman.data.judgements.base import Judgements, Schema
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath

if TYPE_CHECKING:
    from dragoman.data.judgements.files import JudgementFormat

__all__ = ["concatenated", "is_judgement_file", "judgement_formats", "read_judgements"]


def read_judgements(
    paths: StrPath | Sequence[StrPath],
    schema: Schema | None = None,
    *,
    kind: str | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
    missing: Collection[str] = ("",),
    on_bad: str = "error",
) -> Judgements:
    """The judgements of a file, or of several files of one kind, one after the other.

    Without a schema the format is told by the first lines of the file (or given by name) and says the kind; `kind` asks
    for one. With a schema the file is a CSV, TSV, Parquet file or JSON lines whose columns or keys are its fields, and
    cells in `missing` become None.
    Wrong rows raise with file and line, or are dropped and counted (`on_bad="drop"`).
    """
    files = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not files:
        raise DataError("There is no file of judgements to read; name at least one.")
    tables = [_read(path, schema, kind, format, missing, on_bad) for path in files]
    return tables[0] if len(tables) == 1 else concatenated(tables)


def _read(
    path: StrPath,
    schema: Schema | None,
    kind: str | None,
    format: str | None,  # noqa: A002
    missing: Collection[str],
    on_bad: str,
) -> Judgements:
    if schema is not None:
        from dragoman.data.judgements.own import read_table
        from dragoman.data.judgements.records import read_records

        records = read_records(path, schema, missing=missing, on_bad=on_bad)
        return read_table(path, schema, missing=missing, on_bad=on_bad) if records is None else records
    if format is None:
        names = [name for name in judgement_formats() if FORMATS.get(name).recognises(path)]
        # A table of ESA holds scores and spans; asked for one kind, the format that gives it is taken.
        fitting = [name for name in names if kind in (None, _format(name).kind, "") or not _format(name).kind]
        if not fitting:
            raise _unknown(path, names, kind)
        format = fitting[0]  # noqa: A001
    name, _, options = format.partition(":")
    _format(name)
    if "on_bad=" not in options:
        format = f"{name}:{options + ',' if options else ''}on_bad={on_bad}"  # noqa: A001
    value: Judgements = FORMATS.make(format).read(path)
    if kind is not None and value.kind != kind:
        raise FormatError(f"these are {value.kind} judgements, not {kind}.", path=path)
    return value


def is_judgement_file(path: StrPath) -> bool:
    """Whether a file (or folder) shows that it holds judgements."""
    return Path(path).exists() and any(FORMATS.get(name).recognises(path) for name in judgement_formats())


def judgement_formats() -> list[str]:
    """The names of the formats that hold judgements, own tables last."""
    names = [name for name in FORMATS.names() if FORMATS.get(name).holds is Judgements]
    return sorted(names, key=lambda name: (name == "judgement-table", name))


def _format(name: str) -> type[JudgementFormat]:
    entry = FORMATS.get(name)
    if entry.holds is not Judgements:
        raise DataError(f"The format {name} holds no judgements. Known: {', '.join(judgement_formats())}.")
    return entry  # type: ignore[return-value]


def _unknown(path: StrPath, names: list[str], kind: str | None) -> DataError:
    from dragoman.files import read_text

    if not names:
        read_text(path)  # a missing, damaged or mis-encoded file says so itself
        formats = ", ".join(judgement_formats())
        return FormatError(f"this is no file of judgements that is known here. Name one of: {formats}.", path=path)
    return FormatError(f"these are {_format(names[0]).kind} judgements ({names[0]}), not {kind}.", path=path)


def concatenated(tables: Sequence[Judgements]) -> Judgements:
    """Judgements of one kind, one table after the other.

    Where two tables use one key, items get the number of their table in front: `2:17`. Rankings become as wide as the
    widest.
    """
    kinds = list(dict.fromkeys(table.kind for table in tables))
    if len(kinds) > 1:
        names = ", ".join(f"{fspath(table.files[0].path) if table.files else '?'} ({table.kind})" for table in tables)
        raise DataError(f"Judgements of different kinds do not go together: {names}.")
    schema = max((table.schema for table in tables), key=lambda schema: len(schema.fields))
    if any(not {f.name for f in table.schema.fields} <= {f.name for f in schema.fields} for table in tables):
        raise DataError(f"These {kinds[0]} judgements have different fields and do not go together.")
    columns = {
        field.name: tuple(value for table in tables for value in table.columns.get(field.name, (None,) * len(table)))
        for field in schema.fields
    }
    if "item" in schema.key and _keys_meet(tables):
        columns["item"] = tuple(f"{n}:{item}" for n, table in enumerate(tables, start=1) for item in table["item"])
    return Judgements(schema, columns, tuple(file for table in tables for file in table.files))


def _keys_meet(tables: Sequence[Judgements]) -> bool:
    keys = [set(zip(*(table[name] for name in table.schema.key), strict=True)) for table in tables]
    return sum(map(len, keys)) > len(set().union(*keys))
