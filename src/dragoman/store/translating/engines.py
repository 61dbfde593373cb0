"""Engines that a server of this database served last: commands check projects against them without that server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from dragoman.store import tables

__all__ = ["ServedEngine", "ServedEngines", "record_engines", "served_engines"]

_NAME = "engines"
_COLUMNS = tables.properties.c


@dataclass(frozen=True)
class ServedEngine:
    """Languages and folder of an engine; empty where it names none."""

    source: str
    target: str
    folder: str


@dataclass(frozen=True)
class ServedEngines:
    """Engines by name, and the folder with the projects' learning copies."""

    engines: Mapping[str, ServedEngine] = field(default_factory=dict)
    learning: str = ""


def record_engines(connection: sa.Connection, served: ServedEngines) -> None:
    """Keep what a server serves, in place of what the last one did."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = insert(tables.properties).values(name=_NAME, value=json.dumps(asdict(served)))
    connection.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": row.excluded.value}))


def served_engines(connection: sa.Connection) -> ServedEngines:
    """Return what the last server served; no engines if there was none."""
    value = connection.scalar(sa.select(_COLUMNS.value).where(_COLUMNS.name == _NAME))
    if value is None:
        return ServedEngines()
    kept = json.loads(value)
    return ServedEngines({name: ServedEngine(**each) for name, each in kept["engines"].items()}, kept["learning"])
