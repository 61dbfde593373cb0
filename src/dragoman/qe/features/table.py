"""A table of features: a row a sentence, a named column a feature."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["FeatureTable", "read_features"]


@dataclass(frozen=True, eq=False)
class FeatureTable(Result):
    """Features of sentences. Columns are known by their names, which are the features' specifications."""

    kind: ClassVar[str] = "qe features"

    names: tuple[str, ...]
    values: Floats  # (sentences, features)
    how: Mapping[str, Any] = field(default_factory=dict)  # tokenisers, where they were read from, marks of sentences

    @classmethod
    def of(cls, names: Sequence[str], values: ArrayLike, **how: Any) -> FeatureTable:
        """A checked table: as many columns as names, no name twice, finite numbers."""
        array = np.array(values, dtype=np.float64)  # a copy: the table does not change
        if array.ndim != 2 or array.shape[1] != len(names) or not names:
            raise DataError(f"{len(names)} features need (sentences, {len(names)}) values, got {array.shape}.")
        double = [name for place, name in enumerate(names) if name in names[:place]]
        if double:
            raise DataError(f"The feature {double[0]!r} is there twice.")
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            row, column = (int(place) for place in wrong[0])
            raise DataError(f"The feature {names[column]!r} of sentence {row + 1} is {array[row, column]}, no number.")
        array.setflags(write=False)
        return cls(tuple(names), array, how)

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.values)

    @property
    def read_before(self) -> tuple[int, ...]:
        """The sentences, from 1, whose post-edits the resources have read: what features say of them is skewed."""
        return tuple(self.how.get("read_before", ()))

    @property
    def empty(self) -> tuple[int, ...]:
        """The sentences, from 1, that have a source and no translation."""
        return tuple(self.how.get("empty", ()))

    def take(self, rows: Sequence[int]) -> FeatureTable:
        """Some of the sentences, places from 0; marks go with them."""
        place = {row + 1: number for number, row in enumerate(rows, start=1)}
        marks = {
            name: [place[number] for number in self.how[name] if number in place]
            for name in ("read_before", "empty")
            if name in self.how
        }
        return FeatureTable.of(self.names, self.values[list(rows)], **{**self.how, **marks})

    def column(self, name: str) -> Floats:
        """The values of one feature."""
        if name not in self.names:
            raise DataError(f"There is no feature {name!r}. Known: {', '.join(self.names)}.")
        return self.values[:, self.names.index(name)]

    def tables(self) -> list[Table]:
        """A row a sentence."""
        return [Table.of("Features", [Column(name) for name in self.names], self.values.tolist())]

    def meta(self) -> dict[str, Any]:
        """Counts and how the features were made."""
        return {"n_sentences": len(self), "n_features": len(self.names), **self.how}


def read_features(path: StrPath, *, names: Sequence[str] | None = None) -> FeatureTable:
    """A table of numbers between tabs. Without `names` its first line is the header.

    A tab behind the last number, as the released files of WMT 2012 have it, is no further column.
    """
    lines = read_lines(path)
    first = 1 if names is None else 0
    header = tuple(names) if names is not None else tuple(lines[0].rstrip("\t").split("\t")) if lines else ()
    if names is None and (not lines or all(_number(cell) is not None for cell in header)):
        raise FormatError(
            "expected a first line with the names of the features, found "
            f"{'numbers' if lines else 'an empty file'}. Say what the columns are, such as baseline17.",
            path=path,
            line=1,
        )
    rows = []
    for number, line in enumerate(lines[first:], start=first + 1):
        row = [_number(cell) for cell in line.rstrip("\t").split("\t")]
        if len(row) != len(header):
            raise FormatError(f"expected {len(header)} features, found {len(row)}.", path=path, line=number)
        if None in row:
            name = header[row.index(None)]
            raise FormatError(f"the feature {name!r} is no number.", path=path, line=number)
        rows.append(row)
    try:
        return FeatureTable.of(header, np.array(rows, dtype=np.float64).reshape(len(rows), len(header)), file=str(path))
    except DataError as error:
        raise FormatError(str(error), path=path) from None


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
