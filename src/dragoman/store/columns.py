"""Column types that hold the same bytes in SQLite and in PostgreSQL."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

__all__ = ["Json", "Moment", "now"]

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
