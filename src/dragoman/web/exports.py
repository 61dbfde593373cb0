"""Judgements of a campaign as files. `FORMS` is the table that further forms are added to."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from dragoman.data import FORMATS
from dragoman.data.judgements import Judgements
from dragoman.errors import UnknownName
from dragoman.files import write_lines
from dragoman.web.results import campaign_judgements

__all__ = ["FORMS", "Form", "Sheet", "export_campaign"]


@dataclass(frozen=True)
class Form:
    """A form of export: its file's suffix, its media type, and how judgements are written in it."""

    suffix: str
    media_type: str
    write: Callable[[Judgements, Path], None]


@dataclass(frozen=True)
class Sheet:
    """An export as a file to hand out."""

    name: str
    media_type: str
    content: bytes


def _table(judgements: Judgements, path: Path) -> None:
    FORMATS.make("judgement-table").write(judgements, path)


def _lines(judgements: Judgements, path: Path) -> None:
    lines = [json.dumps(row, ensure_ascii=False) for row in judgements.rows()]
    write_lines(path, lines)


FORMS: dict[str, Form] = {
    "csv": Form(".csv", "text/csv; charset=utf-8", _table),
    "tsv": Form(".tsv", "text/tab-separated-values; charset=utf-8", _table),
    "jsonl": Form(".jsonl", "application/jsonl", _lines),
}


def export_campaign(connection: sa.Connection, name: str, form: str, *, excluded: bool = False) -> Sheet:
    """The judgements of a campaign in one of `FORMS`."""
    if form not in FORMS:
        raise UnknownName(f"There is no export called {form!r}. Known: {', '.join(FORMS)}.")
    told = campaign_judgements(connection, name, excluded=excluded)
    chosen = FORMS[form]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}{chosen.suffix}"
        chosen.write(told, path)
        return Sheet(path.name, chosen.media_type, path.read_bytes())
