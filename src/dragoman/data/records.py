"""A table of any content: named columns and rows of plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from dragoman.errors import DataError, UnknownName

__all__ = ["Records", "Value"]

Value = str | int | float | bool | None

_TYPES = {str, int, float, bool, type(None)}


@dataclass(frozen=True)
class Records:
    """What stands in a TSV, CSV, JSONL or Parquet file, rows in file order. Missing is `None`, not an empty string."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "rows", tuple(map(tuple, self.rows)))
        check_columns(self.columns)
        if set(map(len, self.rows)) - {len(self.columns)}:
            number, row = next((n, r) for n, r in enumerate(self.rows, start=1) if len(r) != len(self.columns))
            raise DataError(f"Row {number} has {len(row)} cells for {len(self.columns)} columns.")
        if self.rows and not self.columns:
            raise DataError(f"A table of {len(self.rows)} rows must have a column.")
        for name, cells in zip(self.columns, zip(*self.rows, strict=True), strict=bool(self.rows)):
            if set(map(type, cells)) <= _TYPES:
                continue
            number, value = next((n, cell) for n, cell in enumerate(cells, start=1) if type(cell) not in _TYPES)
            raise DataError(
                f"Row {number} has a {type(value).__name__} in column {name!r}; "
                "a cell holds text, a number, true or false, or nothing."
            )

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> tuple[Value, ...]:
        """The values of one column, from the first row to the last."""
        if name not in self.columns:
            raise UnknownName(f"The table has no column {name!r}. Known: {', '.join(self.columns)}.")
        return tuple(map(itemgetter(list(self.columns).index(name)), self.rows))

    def to_dicts(self) -> list[dict[str, Value]]:
        """The rows as flat objects."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def check_columns(names: Sequence[str]) -> None:
    """Raise unless every column has a name of its own that can stand in a header line."""
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str) or not name or name != name.strip() or name[0] == "\ufeff":
            raise DataError(f"Column {number} is called {name!r}; a name is not empty and has no space around it.")
        if any(ord(char) < 0x20 or 0xD800 <= ord(char) < 0xE000 for char in name):
            raise DataError(f"Column {number} has a control character in its name: {name!r}.")
    doubled = sorted(name for name, n in Counter(names).items() if n > 1)
    if doubled:
        raise DataError(f"Two columns are called {', '.join(map(repr, doubled))}.")
