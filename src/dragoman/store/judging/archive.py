"""A whole campaign as one zip: to be looked at anywhere, kept, and restored into another database.

It holds the plan, every answer with its revisions, who took part (names and marks, no passwords, no worker ids of
platforms), decisions, media, manifest and test set; and for people the judgements as a table and a report as a page.
These two are computed: if one cannot be, `archive.json` says why, and the archive is whole without it.
Rows are numbered from 1 in every part, so that a campaign that was restored gives the archive that it came from.
"""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from dragoman import __version__
from dragoman.data.judgements.own import JudgementTable
from dragoman.store import tables
from dragoman.store.judging.archive_page import archive_page
from dragoman.store.judging.archived import PARTS, POINTERS, VERSION, table_of
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.results import campaign_judgements
from dragoman.store.judging.zips import zipped
from dragoman.store.people.invented import is_invented

__all__ = ["write_archive"]

_LOGGER = logging.getLogger(__name__)


def write_archive(connection: sa.Connection, name: str) -> bytes:
    """The campaign as a zip."""
    campaign = find_campaign(connection, name)
    rows = _rows(connection, campaign.id)
    files = {f"data/{part}.jsonl": _lines(own) for part, own in rows.items()}
    for row in connection.execute(sa.select(tables.media).where(tables.media.c.campaign_id == campaign.id)):
        files[f"media/{row.digest}"] = row.content
    material = connection.execute(
        sa.select(tables.materials).where(tables.materials.c.campaign_id == campaign.id)
    ).first()
    if material is not None:
        files["manifest.toml"] = material.manifest.encode()
    simulated = any(row["simulated"] for row in rows["members"])
    computed: dict[str, Callable[[], bytes]] = {
        "judgements.csv": lambda: _table(connection, name),
        "index.html": lambda: archive_page(connection, campaign, simulated=simulated).encode(),
    }
    left_out = {}
    for path, compute in computed.items():
        try:
            files[path] = compute()
        except Exception as error:  # a backup does not depend on what is computed from it
            _LOGGER.warning("archive of %s without %s", name, path, exc_info=error)
            left_out[path] = f"{type(error).__name__}: {error}"
    about = {"dragoman": __version__, "archive": VERSION, "campaign": name}
    files["archive.json"] = json.dumps(about | ({"left_out": left_out} if left_out else {}), indent=2).encode()
    return zipped(files)


def _table(connection: sa.Connection, name: str) -> bytes:
    """The judgements, as `campaign export` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgements.csv"
        JudgementTable().write(campaign_judgements(connection, name), path)
        return path.read_bytes()


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows).encode()


def _rows(connection: sa.Connection, campaign_id: int) -> dict[str, list[dict[str, Any]]]:
    """The rows of every table, people by name instead of number."""
    people = connection.execute(sa.select(tables.users.c.id, tables.users.c.name, tables.users.c.platform)).all()
    names = {row.id: row.name for row in people}
    invented = {row.name for row in people if is_invented(row.platform)}
    parts: dict[str, list[dict[str, Any]]] = {}
    for part in PARTS:
        table = table_of(part)
        column = table.c.id if part == "campaign" else table.c.campaign_id
        order = list(table.primary_key)
        columns = [each for each in table.c if each.name != "content"]
        rows = connection.execute(sa.select(*columns).where(column == campaign_id).order_by(*order))
        parts[part] = [_plain_row(dict(row._mapping), names) for row in rows]
    for member in parts["members"]:
        member["simulated"] = member["user"] in invented
    numbers = {
        part: {row["id"]: number for number, row in enumerate(rows, start=1)}
        for part, rows in parts.items()
        if part in POINTERS.values()
    }
    return {
        part: [_numbered(row, number, numbers) for number, row in enumerate(rows, start=1)]
        for part, rows in parts.items()
    }


def _numbered(row: dict[str, Any], number: int, numbers: Mapping[str, Mapping[int, int]]) -> dict[str, Any]:
    """A row with its own number and those of the rows that it points at; the database's own say nothing elsewhere."""
    values = {key: numbers[POINTERS[key]][value] if key in POINTERS else value for key, value in row.items()}
    return values | {"id": number} if "id" in values else values


def _plain_row(row: dict[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    values = {key: value.isoformat() if hasattr(value, "isoformat") else value for key, value in row.items()}
    if "user_id" in values:
        values["user"] = names.get(values.pop("user_id"))
    values.pop("campaign_id", None)
    return values
