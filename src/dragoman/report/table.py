"""A table: what every result can be shown as. Cells hold full values; rounding happens when it is rendered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dragoman.errors import DataError

__all__ = ["MISSING", "PEOPLE", "Cell", "Column", "Table", "Tone", "shown_number", "shown_p"]

Cell = str | int | float | bool | None
Tone = Literal["good", "bad", "beware"]  # what a colour says of a cell

# Columns of these names hold names, ids or pseudonyms of people; others say so by `is_person`.
PEOPLE = frozenset(
    {"annotator", "other", "worker", "listener", "editor", "voter", "judge", "translator", "rater", "reviewer",
     "person", "user", "account", "member"}
)  # fmt: skip

MISSING = "–"  # what people see where there is no value; programs see null or an empty field


@dataclass(frozen=True)
class Column:
    """One column: its name for programs, its heading for people, and how its numbers are shown."""

    name: str
    heading: str = ""  # the name, if empty
    digits: int | None = None  # decimals shown; None shows the shortest exact form
    figures: int = 0  # significant figures that a small number keeps, by further decimals; 0: none
    is_text: bool = False  # natural-language text: shown in its own direction, wrapped
    rank: int = 0  # where room is short, columns of the highest rank are left out first, of equals the rightmost
    alpha: float | None = None  # of p-values: the level at which they count; they are shown as .012 or <.001
    best: Literal["", "high", "low"] = ""  # whether the highest or lowest number stands out where there are colours
    tones: Mapping[str, Tone] = field(default_factory=dict, hash=False)  # of the words that say something by themselves
    is_person: bool = False  # its cells name people; also where `PEOPLE` has the column's name

    @property
    def label(self) -> str:
        """What stands above the column."""
        return self.heading or self.name

    @property
    def names_people(self) -> bool:
        """Whether its cells may be names, ids or pseudonyms of people."""
        return self.is_person or self.name in PEOPLE

    def show(self, value: Cell) -> str:
        """A cell as people read it."""
        if value is None:
            return MISSING
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            if not math.isfinite(value):
                return MISSING if math.isnan(value) else ("∞" if value > 0 else "−∞")
            if self.alpha is not None:
                return shown_p(value)
            return repr(value) if self.digits is None else shown_number(value, self.digits, self.figures)
        return str(value)

    def tone(self, value: Cell) -> Tone | None:
        """What a cell says by itself: a p-value that it is small enough, a word that something is wrong."""
        if self.alpha is not None and isinstance(value, float):
            return "good" if value <= self.alpha else None
        return self.tones.get(self.show(value)) if self.tones else None


_SMALLEST = 1e-9  # what is less is noise of sums, and 0


def shown_number(value: float, digits: int, figures: int = 1, *, sign: str = "") -> str:
    """A number with so many decimals, or with more where fewer than `figures` of its significant ones would show.

    A difference of .004 between scores from 0 to 1 is not to be read as 0.00. `sign="+"` marks what is above zero.
    """
    if figures and math.isfinite(value) and abs(value) >= _SMALLEST:
        digits = max(digits, figures - 1 - math.floor(math.log10(abs(value))))
    return f"{value:{sign}.{digits}f}"


def shown_p(p: float) -> str:
    """A p-value as papers print it, without the zero before the point: `.012`, `<.001`."""
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


@dataclass(frozen=True)
class Table:
    """Named columns and rows of plain values."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""  # one or two sentences below the table: how to read it, what was left out
    is_matrix: bool = False  # columns of one kind: where room is short, they go on below the first ones

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(set(names)) < len(names):
            raise DataError(f"The table {self.title!r} has two columns of one name: {', '.join(names)}.")
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise DataError(f"Row {number} of {self.title!r} has {len(row)} cells for {len(self.columns)} columns.")

    @classmethod
    def of(
        cls,
        title: str,
        columns: Sequence[Column | str],
        rows: Iterable[Sequence[Any]],
        *,
        note: str = "",
        is_matrix: bool = False,
    ) -> Table:
        """A table from anything row-like; a bare name is a plain column, NumPy numbers become Python's."""
        full = tuple(Column(column) if isinstance(column, str) else column for column in columns)
        return cls(title, full, tuple(tuple(_plain(value) for value in row) for row in rows), note, is_matrix)

    def records(self) -> list[dict[str, Cell]]:
        """The rows as flat objects, with values that JSON has (no NaN, no infinity)."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, map(_json_value, row), strict=True)) for row in self.rows]

    @property
    def names_people(self) -> bool:
        """Whether a cell names a person, by whatever name."""
        return self.public() is not self

    def public(self) -> Table | None:
        """The table for everybody: without rows about single people; None if nothing is left of it."""
        naming = {n for n, column in enumerate(self.columns) if column.names_people}
        if not naming:
            return self
        kept = [n for n in range(len(self.columns)) if n not in naming]
        rows = [row for row in self.rows if all(row[n] is None for n in naming)]
        if not rows or not kept:
            return None
        return replace(
            self,
            columns=tuple(self.columns[n] for n in kept),
            rows=tuple(tuple(row[n] for n in kept) for row in rows),
        )

    def column(self, name: str) -> list[Cell]:
        """The values of one column."""
        for index, column in enumerate(self.columns):
            if column.name == name:
                return [row[index] for row in self.rows]
        names = ", ".join(column.name for column in self.columns)
        raise DataError(f"The table {self.title!r} has no column {name!r}. Known: {names}.")


def _plain(value: Any) -> Cell:
    if value is None or isinstance(value, str | bool | int | float):
        # A float subclass such as numpy.float64 passes isinstance but prints its type's name.
        return float(value) if isinstance(value, float) and type(value) is not float else value
    item = getattr(value, "item", None)  # NumPy's scalars
    if callable(item):
        return _plain(item())
    raise DataError(f"A table cell holds text, a number, a truth value or nothing; got {type(value).__name__}.")


def _json_value(value: Cell) -> Cell:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def plain_mapping(values: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping fit for JSON: NumPy numbers made plain, nested mappings and sequences too."""
    return {key: _plain_tree(value) for key, value in values.items()}


def _plain_tree(value: Any) -> Any:
    if isinstance(value, Mapping):
        return plain_mapping(value)
    if isinstance(value, list | tuple):
        return [_plain_tree(item) for item in value]
    return _json_value(_plain(value))
