"""What people said about translations: a table with a declared schema, to which rows are added and never changed.

A correction is a new row; `latest` gives the last word of each annotator on each item. What was not judged is `None`,
never 0 or −1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import methodcaller
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dragoman.data.judgements.rules import RULES
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, UnknownName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Field", "JudgementFile", "Judgements", "Row", "Schema", "Value"]

Value = str | int | float | bool | None
Row = Mapping[str, Value]

_LARGEST = 2**63 - 1  # what arrays and databases hold
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
        for limit in (self.low, self.high):
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float)):
                raise DataError(f"The field {self.name!r} has the limit {limit!r}; expected a number.")

    def check(self, value: object) -> Value:
        """The value if it fits, a whole number made a float where numbers are asked for; else `DataError`."""
        if value is None:
            if self.required:
                raise DataError(f"{self.name} is missing.")
            return None
        if type(value) is int and not -_LARGEST <= value <= _LARGEST:
            raise DataError(f"{self.name} is beyond 64 bits; expected {self._expected()}.")
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
            raise DataError(f"{self.name} is {text[:40]!r}; expected {self._expected()}.") from None
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
            names = ", ".join(self._by_name)
            raise UnknownName(f"Judgements of kind {self.kind!r} have no field {name!r}. Known: {names}.")
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
        if not problems and self.kind in RULES:
            problems = [text for _, text in RULES[self.kind]({name: (value,) for name, value in checked.items()})]
        if problems:
            raise DataError(f"A {self.kind} judgement is wrong: {'; '.join(problems)}.")
        return checked

    def columns_of(self, rows: Sequence[Row]) -> dict[str, tuple[Value, ...]] | None:
        """The columns of these rows, every different value checked once; None if a row is wrong."""
        if not set().union(*rows) <= self._by_name.keys():
            return None
        columns: dict[str, tuple[Value, ...]] = {}
        for each in self.fields:
            column = tuple(map(methodcaller("get", each.name), rows))
            types = set(map(type, column)) - {type(None)}
            if types - {_TYPES[each.type]} - ({int} if each.type == "number" else set()):
                return None
            if (
                each.type != "number"
                and each.low is None
                and each.high is None
                and not (each.required and None in column)
            ):
                columns[each.name] = column  # the type is all there is to check
                continue
            try:
                checked = {value: each.check(value) for value in set(column)}
            except DataError:
                return None
            is_mended = each.type == "number" and int in types  # whole numbers become floats
            columns[each.name] = tuple(map(checked.__getitem__, column)) if is_mended else column
        if self.kind in RULES and next(RULES[self.kind](columns), None) is not None:
            return None
        return columns

    def to_dict(self) -> dict[str, Any]:
        """The schema as plain values, for the head of a log."""
        fields = [{key: value for key, value in vars(each).items() if value is not None} for each in self.fields]
        return {"kind": self.kind, "fields": fields, "key": list(self.key)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Schema:
        """The schema that `to_dict` wrote."""
        return cls(values["kind"], tuple(Field(**each) for each in values["fields"]), tuple(values["key"]))


@dataclass(frozen=True)
class JudgementFile:
    """Where judgements were read from: the file, its format, its rows, how many were left out and how many mended."""

    path: str
    format: str
    rows: int
    dropped: int = 0
    mended: int = 0  # read by a rule, with a warning

    def to_dict(self) -> dict[str, str | int]:
        """The file as plain values; `mended` only where something was."""
        return {name: value for name, value in vars(self).items() if name != "mended" or value}


@dataclass(frozen=True)
class Judgements:
    """A table of judgements, column by column, in the order they were made; `files` says where they come from."""

    schema: Schema
    columns: Mapping[str, tuple[Value, ...]] = field(repr=False)
    files: tuple[JudgementFile, ...] = field(default=(), compare=False)
    _coded: dict[str, tuple[NDArray[np.int32], tuple[Value, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if list(self.columns) != [each.name for each in self.schema.fields]:
            raise DataError(f"The columns of {self.schema.kind} judgements are not {', '.join(self.columns)}.")
        check_parallel(self.columns)
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))

    @classmethod
    def of(cls, schema: Schema, rows: Iterable[Row] = ()) -> Judgements:
        """The table of these rows, each checked; the first wrong one raises with its number."""
        listed = list(rows)
        columns = schema.columns_of(listed)
        if columns is not None:
            return cls(schema, columns)
        for number, row in enumerate(listed, start=1):
            try:
                schema.check(row)
            except DataError as error:
                raise DataError(f"Row {number}: {error}") from None
        raise AssertionError("A row that is wrong by columns is wrong by itself.")

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> tuple[Value, ...]:
        return self.columns[self.schema.field(name).name]

    @property
    def kind(self) -> str:
        """What sort of judgement these are: `relative-ranking`, `direct-assessment` …"""
        return self.schema.kind

    @property
    def n_dropped(self) -> int:
        """How many rows of the files were left out because they were wrong."""
        return sum(file.dropped for file in self.files)

    def rows(self) -> Iterator[dict[str, Value]]:
        """The rows as flat objects."""
        names = list(self.columns)
        return (dict(zip(names, row, strict=True)) for row in zip(*self.columns.values(), strict=True))

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column of numbers as an array; what is missing is NaN there, because an array has no None."""
        import numpy as np

        if self.schema.field(name).type not in ("whole", "number"):
            raise DataError(f"The field {name!r} holds {self.schema.field(name).type}, not numbers.")
        codes, values = self.coded(name)
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)[codes]

    def coded(self, name: str) -> tuple[NDArray[np.int32], tuple[Value, ...]]:
        """A column as the numbers of its values, int32 (rows,), and the different values in order of appearance."""
        import numpy as np

        if name not in self._coded:
            column = self[name]
            values = dict.fromkeys(column)
            numbers = {value: number for number, value in enumerate(values)}
            codes = np.fromiter(map(numbers.__getitem__, column), dtype=np.int32, count=len(column))
            self._coded[name] = (codes, tuple(values))
        return self._coded[name]

    def append(self, rows: Iterable[Row]) -> Judgements:
        """A new table with further rows at the end."""
        more = Judgements.of(self.schema, rows)
        columns = {name: (*old, *more.columns[name]) for name, old in self.columns.items()}
        return Judgements(self.schema, columns, self.files)

    def where(self, **values: Value) -> Judgements:
        """The rows whose fields have these values."""
        wanted = [(self[name], value) for name, value in values.items()]
        return self.take([n for n in range(len(self)) if all(column[n] == value for column, value in wanted)])

    def latest(self) -> Judgements:
        """The last row of each key, in the order in which those were made."""
        keys = zip(*(self[name] for name in self.schema.key), strict=True)
        last = {key: number for number, key in enumerate(keys)}
        return self if len(last) == len(self) else self.take(sorted(last.values()))

    def take(self, places: Sequence[int]) -> Judgements:
        """The rows with these numbers, from 0."""
        columns = {name: tuple(values[n] for n in places) for name, values in self.columns.items()}
        return Judgements(self.schema, columns, self.files)
