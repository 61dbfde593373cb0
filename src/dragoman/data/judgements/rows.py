"""Judgements gathered row by row, for files that are no plain tables."""

from __future__ import annotations

from os import fspath

from dragoman.data.judgements.base import JudgementFile, Judgements, Row, Schema, Value
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath

__all__ = ["RowCollector"]


class RowCollector:
    """Takes rows with the lines they stand on, and what is wrong with others."""

    def __init__(self, path: StrPath, *, format: str, on_bad: str) -> None:  # noqa: A002 - the word of the command line
        self.path = path
        self.format = format
        self.on_bad = on_bad
        self._rows: list[tuple[int | None, Row]] = []
        self._problems: list[tuple[int | None, str]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, line: int | None, row: Row) -> None:
        """A row, checked when all are there."""
        self._rows.append((line, row))

    def wrong(self, line: int | None, message: str) -> None:
        """A row that cannot be made."""
        self._problems.append((line, message))

    def finish(self, schema: Schema) -> Judgements:
        """The judgements. The first wrong line raises, with how many others are wrong, or all are dropped."""
        columns = schema.columns_of([row for _, row in self._rows])
        if columns is None:
            checked: list[dict[str, Value]] = []
            for line, row in self._rows:
                try:
                    checked.append(schema.check(row))
                except DataError as error:
                    self._problems.append((line, str(error)))
            columns = {each.name: tuple(row[each.name] for row in checked) for each in schema.fields}
        if self._problems and self.on_bad == "error":
            line, message = min(self._problems, key=lambda problem: problem[0] or 0)
            n = len(self._problems) - 1
            more = f" {n} further line{'s are' if n > 1 else ' is'} wrong." if n else ""
            raise FormatError(message + more, path=self.path, line=line)
        n_rows = len(next(iter(columns.values()), ()))
        file = JudgementFile(fspath(self.path), self.format, n_rows, len(self._problems))
        return Judgements(schema, columns, (file,))
