"""Column types that hold the same bytes in SQLite and in PostgreSQL."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from dragoman.errors import DataError

__all__ = ["Json", "Moment", "check_row", "check_value", "now"]

# No database takes half of a surrogate pair, and PostgreSQL no NUL.
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_FORM = "%Y-%m-%dT%H:%M:%S.%fZ"


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


class Moment(sa.TypeDecorator[datetime]):
    """A moment in UTC as ISO 8601 text of fixed width, which sorts as time does."""

    impl = sa.String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """Text, to the microsecond."""
        return None if value is None else value.astimezone(UTC).strftime(_FORM).zfill(27)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """The moment again."""
        return None if value is None else datetime.fromisoformat(value)


class Json(sa.TypeDecorator[Any]):
    """Any JSON value as ASCII text: NUL and lone surrogates, which PostgreSQL's text refuses, stay escapes."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """JSON without NaN."""
        return None if value is None else json.dumps(value, allow_nan=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:  # noqa: ARG002
        """The value again."""
        return None if value is None else json.loads(value)


def check_row(table: sa.Table, values: Mapping[str, Any]) -> None:
    """Refuse values that PostgreSQL has no place for, also where SQLite would take them."""
    for name, value in values.items():
        if value is not None and not isinstance(table.c[name].type, Json | Moment):
            check_value(table.c[name].type, name, value)


def check_value(kind: Any, name: str, value: Any) -> None:
    """Refuse a value that a column of this kind has no place for."""
    if isinstance(kind, sa.Boolean):
        fits = isinstance(value, bool)
    elif isinstance(kind, sa.Integer):
        bits = 63 if isinstance(kind, sa.BigInteger) else 31
        fits = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << bits
    elif isinstance(kind, sa.Float):
        fits = isinstance(value, int | float) and math.isfinite(value)
    else:
        fits = isinstance(value, str) and not _NO_TEXT.search(value)
        if fits and kind.length is not None and len(value) > kind.length:
            raise DataError(f"{name} is {value[:40]!r} …, {len(value):,} characters; take at most {kind.length}.")
    if not fits:
        raise DataError(f"{name} is {str(value)[:40]!r}, which the database has no place for.")
