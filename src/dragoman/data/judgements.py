"""What people said about translations: a table with a declared schema, to which rows are added and never changed.

A correction is a new row; `latest` gives the last word of each annotator on each item. What was not judged is `None`,
never 0 or −1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, UnknownName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Field", "Judgements", "Row", "Schema"]

Value = str | int | float | bool | None
Row = Mapping[str, Value]

_TYPES: dict[str, type] = {"text": str, "whole": int, "number": float, "truth": bool}
_NOUNS = {"text": "text", "whole": "a whole number", "number": "a number", "truth": "true or false"}


@dataclass(frozen=True)
class Field:
    """A column of judgements: what it holds, whether every row must have it, and the range of its numbers."""

    name: str
    type: str = "text"  # text, whole, number or truth
    required: bool = True
    low: float | None = None
    high: float | None = None
    meaning: str = ""

    def __post_init__(self) -> None:
        if self.type not in _TYPES:
            raise DataError(f"The field {self.name!r} holds {', '.join(_TYPES)}; got type={self.type!r}.")

    def check(self, value: object) -> Value:
        """The value if it fits, a whole number made a float where numbers are asked for; else `DataError`."""
        if value is None:
            if self.required:
                raise DataError(f"{self.name} is missing.")
            return None
        if self.type == "number" and type(value) is int:
            value = float(value)
        if type(value) is not _TYPES[self.type] or (isinstance(value, float) and not math.isfinite(value)):
            raise DataError(f"{self.name} is {value!r}; expected {self._expected()}.")
        if isinstance(value, int | float) and not self._in_range(value):
            raise DataError(f"{self.name} is {value!r}; expected {self._expected()}.")
        return value  # type: ignore[return-value]  # of one of the four types

    def parse(self, text: str) -> Value:
        """The value that a cell of a text table spells."""
        try:
            if self.type == "whole":
                return self.check(int(text))
            if self.type == "number":
                return self.check(float(text))
        except ValueError:
            raise DataError(f"{self.name} is {text!r}; expected {self._expected()}.") from None
        if self.type == "truth":
            if text not in ("true", "false"):
                raise DataError(f"{self.name} is {text!r}; expected {self._expected()}.")
            return text == "true"
        return self.check(text)

    def _in_range(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def _expected(self) -> str:
        if self.low is not None and self.high is not None:
            return f"{_NOUNS[self.type]} from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{_NOUNS[self.type]} from {self.low:g} on"
        return _NOUNS[self.type] + ("" if self.high is None else f" up to {self.high:g}")


@dataclass(frozen=True)
class Schema:
    """The columns of one kind of judgement. `key` names those that say who judged what; a later row replaces it."""

    kind: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ("annotator", "item")

    def __post_init__(self) -> None:
        names = [each.name for each in self.fields]
        if len(set(names)) < len(names):
            raise DataError(f"The schema {self.kind!r} has two fields of one name: {', '.join(names)}.")
        for name in self.key:
            if name not in names or not self.field(name).required:
                raise DataError(f"The schema {self.kind!r} needs the required field {name!r}: it is part of the key.")

    def field(self, name: str) -> Field:
        """The field of this name."""
        if name not in self._by_name:
            known = ", ".join(self._by_name)
            raise UnknownName(f"Judgements of kind {self.kind!r} have no field {name!r}. Known: {known}.")
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Field]:
        return {each.name: each for each in self.fields}

    def check(self, row: Row) -> dict[str, Value]:
        """The row with all fields in order, absent ones as None; all that is wrong with it is in one `DataError`."""
        problems = [f"there is no field {name!r}" for name in row if name not in self._by_name]
        checked: dict[str, Value] = {}
        for each in self.fields:
            try:
                checked[each.name] = each.check(row.get(each.name))
            except DataError as error:
                problems.append(str(error).rstrip("."))
        if problems:
            raise DataError(f"A {self.kind} judgement is wrong: {'; '.join(problems)}.")
        return checked

    def to_dict(self) -> dict[str, Any]:
        """The schema as plain values, for the head of a log."""
        fields = [{key: value for key, value in vars(each).items() if value is not None} for each in self.fields]
        return {"kind": self.kind, "fields": fields, "key": list(self.key)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Schema:
        """The schema that `to_dict` wrote."""
        return cls(values["kind"], tuple(Field(**each) for each in values["fields"]), tuple(values["key"]))


@dataclass(frozen=True)
class Judgements:
    """A table of judgements, column by column, in the order they were made."""

    schema: Schema
    columns: Mapping[str, tuple[Value, ...]] = field(repr=False)

    def __post_init__(self) -> None:
        if list(self.columns) != [each.name for each in self.schema.fields]:
            raise DataError(f"The columns of {self.schema.kind} judgements are not {', '.join(self.columns)}.")
        check_parallel(self.columns)
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))

    @classmethod
    def of(cls, schema: Schema, rows: Iterable[Row] = ()) -> Judgements:
        """The table of these rows, each checked; the first wrong one raises with its number."""
        checked = []
        for number, row in enumerate(rows, start=1):
            try:
                checked.append(schema.check(row))
            except DataError as error:
                raise DataError(f"Row {number}: {error}") from None
        return cls(schema, {each.name: tuple(row[each.name] for row in checked) for each in schema.fields})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> tuple[Value, ...]:
        return self.columns[self.schema.field(name).name]

    def rows(self) -> Iterator[dict[str, Value]]:
        """The rows as flat objects."""
        names = list(self.columns)
        return (dict(zip(names, row, strict=True)) for row in zip(*self.columns.values(), strict=True))

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column of numbers as an array; what is missing is NaN there, because an array has no None."""
        import numpy as np

        if self.schema.field(name).type not in ("whole", "number"):
            raise DataError(f"The field {name!r} holds {self.schema.field(name).type}, not numbers.")
        return np.array([math.nan if value is None else value for value in self[name]], dtype=np.float64)

    def append(self, rows: Iterable[Row]) -> Judgements:
        """A new table with further rows at the end."""
        more = Judgements.of(self.schema, rows)
        return Judgements(self.schema, {name: (*old, *more.columns[name]) for name, old in self.columns.items()})

    def where(self, **values: Value) -> Judgements:
        """The rows whose fields have these values."""
        wanted = [(self[name], value) for name, value in values.items()]
        return self._take([n for n in range(len(self)) if all(column[n] == value for column, value in wanted)])

    def latest(self) -> Judgements:
        """The last row of each key, in the order in which those were made."""
        keys = zip(*(self[name] for name in self.schema.key), strict=True)
        last = {key: number for number, key in enumerate(keys)}
        return self._take(sorted(last.values()))

    def _take(self, places: list[int]) -> Judgements:
        return Judgements(
            self.schema, {name: tuple(values[n] for n in places) for name, values in self.columns.items()}
        )
