"""Files of judgements as the commands take them: several, of one kind, told by their header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dragoman.errors import DataError

if TYPE_CHECKING:
    from dragoman.data.judgements import Judgements

__all__ = ["read_judgement_files"]


def read_judgement_files(paths: Sequence[str]) -> Judgements:
    """The judgements of all files as one table: relative rankings of WMT, or direct assessments with our columns."""
    from dragoman.data.judgements import Judgements

    tables = [_read(path) for path in paths]
    first = tables[0]
    for path, table in zip(paths, tables, strict=True):
        if table.schema != first.schema:
            raise DataError(
                f"{path} holds {table.schema.kind} judgements with the fields "
                f"{', '.join(field.name for field in table.schema.fields)}, unlike {paths[0]}; "
                "judgements of one kind can be read together."
            )
    if len(tables) == 1:
        return first
    names = list(first.columns)
    return Judgements(first.schema, {name: sum((table.columns[name] for table in tables), ()) for name in names})


def _read(path: str) -> Judgements:
    from dragoman.data.judgement_tables import DIRECT_ASSESSMENT, read_judgements, read_ranking
    from dragoman.files import iter_lines

    header = next(iter(iter_lines(path)), "")
    if "srclang" in header or "system1Id" in header:
        return read_ranking(path)
    return read_judgements(path, DIRECT_ASSESSMENT)
