"""Tables of text read by columns: every different cell is parsed and checked once, every row is an array index.

A million rows of twenty cells have some thousand different cells; the kernel numbers them while it splits the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import fspath
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core
from dragoman.data.formats.csv import split_rows
from dragoman.data.judgements.base import JudgementFile, Judgements, Schema, Value
from dragoman.errors import DataError, FormatError, MendedInput, UnknownName
from dragoman.files import StrPath, plain_name, read_text, read_utf8

__all__ = ["Coded", "TextTable", "checked_utf8", "coded_judgements", "is_tsv"]

Codes = NDArray[np.int32]
Rows = NDArray[np.bool_]


def is_tsv(path: StrPath) -> bool:
    """Whether a table is tab-separated, by its name; all others are comma-separated."""
    return plain_name(path).lower().endswith((".tsv", ".txt"))


@dataclass(frozen=True)
class Coded:
    """A column: the number of each row's value, and the values."""

    codes: Codes
    values: list[Value]

    @classmethod
    def of(cls, codes: Codes, values: Sequence[Value]) -> Coded:
        """Equal values get one number: two cells may spell one value."""
        numbers: dict[Value, int] = {}
        merged = np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int32)
        return cls(merged[codes] if len(numbers) < len(values) else codes, list(numbers))

    @classmethod
    def constant(cls, value: Value, n: int) -> Coded:
        """The same value in all rows."""
        return cls(np.zeros(n, dtype=np.int32), [value])

    def take(self, keep: Rows) -> Coded:
        """Some of the rows."""
        return Coded(self.codes[keep], self.values)

    def in_order(self) -> tuple[Codes, tuple[Value, ...]]:
        """The same with the values that occur, numbered in the order in which they do."""
        n = len(self.values)
        first = np.full(n, len(self.codes), dtype=np.int64)
        np.minimum.at(first, self.codes, np.arange(len(self.codes)))
        order = np.argsort(first, kind="stable")[: int((first < len(self.codes)).sum())]
        if np.array_equal(order, np.arange(n)):
            return self.codes, tuple(self.values)
        renumbered = np.zeros(n, dtype=np.int32)
        renumbered[order] = np.arange(len(order), dtype=np.int32)
        return renumbered[self.codes], tuple(self.values[place] for place in order.tolist())

    def column(self) -> tuple[Value, ...]:
        """The value of each row."""
        if not self.values:
            return ()
        objects = np.empty(len(self.values), dtype=object)
        objects[:] = self.values
        return tuple(objects[self.codes].tolist())


def _single_ends(data: bytes) -> bytes:
    """The file with plain line ends, where its first line ends in CR CR LF, as in WMT's releases of 2015."""
    return data.replace(b"\r\r\n", b"\n") if data.partition(b"\n")[0].endswith(b"\r\r") else data


class TextTable:
    """The cells of a CSV or TSV file by columns, and what was found wrong with its rows so far."""

    def __init__(
        self, path: StrPath, *, tsv: bool | None = None, data: bytes | None = None, header: Sequence[str] | None = None
    ) -> None:
        """Split the file (or `data`, which was read from it); with `header` it has none of its own."""
        self.path = path
        self._problems: list[tuple[Rows, Callable[[int], str]]] = []
        self._mended: list[tuple[Rows, str]] = []
        data = _single_ends(checked_utf8(path) if data is None else data)
        if header is not None:
            separator = "\t" if tsv or (tsv is None and is_tsv(path)) else ","
            data = (separator.join(header) + "\n").encode() + data
        try:
            names, columns, lines, ragged = core.split_columns(data, quoted=not (is_tsv(path) if tsv is None else tsv))
        except DataError:
            list(split_rows(read_text(path), path))  # names the line
            raise
        if not names:
            raise FormatError("the file is empty; a header line was expected.", path=path)
        self.header: tuple[str, ...] = tuple(names)
        self.lines: NDArray[np.int64] = lines if header is None else lines - 1
        self._ragged = [(line - (header is not None), cells) for line, cells in ragged]
        self._columns = dict(zip(names, columns, strict=True))
        if len(self._columns) < len(names):
            twice = sorted(name for name, n in Counter(names).items() if n > 1)
            raise FormatError(f"two columns are called {', '.join(map(repr, twice))}.", path=path, line=1)

    def __len__(self) -> int:
        return len(self.lines)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def cells(self, name: str) -> tuple[Codes, list[str]]:
        """A column as numbers of its different cells, and these."""
        return self._columns[name]

    def cell(self, name: str, row: int) -> str:
        """One cell."""
        codes, values = self._columns[name]
        return values[int(codes[row])]

    def column(self, name: str, parse: Callable[[str], Value]) -> Coded:
        """A column parsed; cells for which `parse` raises make their rows wrong."""
        codes, cells = self._columns[name]
        values: list[Value] = []
        wrong: dict[int, str] = {}
        for number, cell in enumerate(cells):
            try:
                values.append(parse(cell))
            except (DataError, UnknownName) as error:
                values.append(None)
                wrong[number] = str(error)
        if wrong:
            self.flag(np.isin(codes, list(wrong)), lambda row: wrong[int(codes[row])])
        return Coded.of(codes, values)

    def flag(self, rows: Rows, message: Callable[[int], str]) -> None:
        """Mark rows as wrong; `message` says of one of them, why."""
        if rows.any():
            self._problems.append((rows, message))

    def mend(self, rows: Rows, rule: str) -> None:
        """Say that rows were wrong and are read by a rule all the same."""
        if rows.any():
            self._mended.append((rows, rule))

    def repeat(self, rows: NDArray[np.int64]) -> None:
        """Let rows stand for several: from now on row i is what row `rows[i]` was. Cells can no longer be asked for."""
        self.lines = self.lines[rows]
        self._problems = [
            (wrong[rows], lambda row, say=say, rows=rows: say(int(rows[row])))  # type: ignore[misc]
            for wrong, say in self._problems
        ]

    def problems(self) -> dict[int, str]:
        """What is wrong so far, by line: for readers that go on row by row."""
        messages = {line: self._ragged_message(cells) for line, cells in self._ragged}
        for rows, say in self._problems:
            for row in np.flatnonzero(rows).tolist():
                messages.setdefault(int(self.lines[row]), say(row))
        return messages

    def settle(self, on_bad: str) -> tuple[Rows, int]:
        """Which rows are good, and how many lines are not. The first wrong line raises unless they are dropped."""
        bad = np.zeros(len(self), dtype=bool)
        for rows, _ in self._problems:
            bad |= rows
        dropped = int(bad.sum()) + len(self._ragged)
        if dropped and on_bad == "error":
            raise self._error(bad, dropped - 1)
        return ~bad, dropped

    def finish(
        self,
        schema: Schema,
        columns: Mapping[str, Coded],
        *,
        format: str,  # noqa: A002 - the word of the command line
        on_bad: str = "error",
    ) -> Judgements:
        """The judgements of all rows. The first wrong line raises, with how many others are wrong, or all are dropped.

        Fields that `columns` does not have are empty.
        """
        good, dropped = self.settle(on_bad)
        if not good.all():
            columns = {name: coded.take(good) for name, coded in columns.items()}
        n = int(good.sum())
        return coded_judgements(
            schema, columns, JudgementFile(fspath(self.path), format, n, dropped, self._warn_of_mended(good))
        )

    def _warn_of_mended(self, good: Rows) -> int:
        """A warning for each rule that was needed, with the lines; how many of the good rows were mended."""
        mended = np.zeros(len(self), dtype=bool)
        for rows, rule in self._mended:
            lines = self.lines[rows & good].tolist()
            mended |= rows & good
            if lines:
                warn(MendedInput.of_lines(rule, lines, path=self.path), stacklevel=2)
        return int(mended.sum())

    def _ragged_message(self, cells: int) -> str:
        return f"the line has {cells} cells for {len(self.header)} columns."

    def _error(self, bad: Rows, others: int) -> FormatError:
        row = int(np.argmax(bad)) if bad.any() else len(self)
        ragged = min(self._ragged, default=None)
        if ragged is not None and (row == len(self) or ragged[0] < self.lines[row]):
            line = ragged[0]
            message = self._ragged_message(ragged[1])
        else:
            line = int(self.lines[row])
            message = next(say(row) for rows, say in self._problems if rows[row])
        more = f" {others} further line{'s are' if others > 1 else ' is'} wrong." if others else ""
        return FormatError(message + more, path=self.path, line=line)


def coded_judgements(schema: Schema, columns: Mapping[str, Coded], file: JudgementFile) -> Judgements:
    """Judgements out of columns; fields without one are empty."""
    full = {field.name: columns.get(field.name) or Coded.constant(None, file.rows) for field in schema.fields}
    judgements = Judgements(schema, {name: coded.column() for name, coded in full.items()}, (file,))
    judgements._coded.update((name, coded.in_order()) for name, coded in full.items())
    return judgements


def checked_utf8(path: StrPath) -> bytes:
    """The bytes of a file, decompressed and known to be UTF-8."""
    data = read_utf8(path)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        read_text(path)  # names the line
        raise
    return data
