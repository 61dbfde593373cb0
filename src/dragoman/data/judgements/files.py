"""What the file formats of judgements share: told by their first lines, wrong rows refused or dropped and counted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import ClassVar, TextIO

from dragoman.data.formats.base import Format
from dragoman.data.formats.csv import quoted, split_rows
from dragoman.data.judgements.base import Judgements, Value
from dragoman.errors import DataError, DragomanError, FormatError
from dragoman.files import StrPath, open_binary, open_writer
from dragoman.options import check_options, option
from dragoman.text.languages import LANGUAGE_NAMES, parse_language

__all__ = ["JudgementFormat", "first_row", "language_of", "optional", "read_head", "text_of", "write_csv", "write_tsv"]

_HEAD = 1 << 16  # bytes that are looked at to tell a format
_NAMED = {name.casefold(): tag for tag, name in LANGUAGE_NAMES.items()}


@dataclass(frozen=True)
class JudgementFormat(Format):
    """A file of judgements. With `on_bad="drop"` wrong rows are left out and counted in the result's `files`."""

    holds: ClassVar[type] = Judgements
    kind: ClassVar[str]  # the kind of judgement it holds; "" for any

    on_bad: str = option("error", choices=("error", "drop"), text="what to do with a wrong row")

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """Whether the file begins as this format does; one that is empty or not there is told by its suffix."""
        head = read_head(path)
        return cls.is_shown_by(head, path) if head else cls.is_named_by(path)

    @classmethod
    @abstractmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """Whether a file that begins with `head` is of this format."""

    def write(self, value: Judgements, path: StrPath) -> None:
        """Write judgements of the kind that the format holds; others are refused."""
        if self.kind and value.kind != self.kind:
            raise DataError(f"The format {self.name} holds {self.kind} judgements, not {value.kind}.")
        self.write_rows(value, path)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """Write judgements of the right kind."""
        super().write(value, path)


def read_head(path: StrPath) -> str | None:
    """The first 64 kB of a file as text, or None if there is no file to look at (standard input cannot be peeked)."""
    if fspath(path) == "-" or not Path(path).is_file():
        return None
    try:
        with open_binary(path) as stream:
            return stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    except (DragomanError, OSError):
        return ""  # damaged: the reader will say how


def first_row(head: str, path: StrPath, *, tsv: bool | None = None) -> list[str]:
    """The cells of the first row: comma-separated values, or split at tabs if it is (or else seems to be) a TSV."""
    line = head.partition("\n")[0].rstrip("\r")
    if tsv or (tsv is None and "\t" in line):
        return line.split("\t")
    try:
        return next((row for _, row in split_rows(head, path)), [])
    except FormatError:
        return []


def language_of(text: str) -> str:
    """The tag of a language given by its tag, in three letters or, as in WMT's files, by its English name."""
    return _NAMED.get(text.casefold()) or parse_language(text)


def optional(parse: Callable[[str], Value], missing: Collection[str] = ("",)) -> Callable[[str], Value]:
    """The same parser, with None for the words that mean nothing."""
    return lambda cell: None if cell in missing else parse(cell)


def write_csv(path: StrPath, rows: Iterable[Sequence[str]]) -> None:
    """Write rows as comma-separated values, quoted where they must be."""
    with open_writer(path) as stream:
        for number, row in enumerate(rows):
            _write_line(stream, quoted(row), is_first=number == 0)


def write_tsv(path: StrPath, rows: Iterable[Sequence[str]]) -> None:
    """Write rows with tabs between the cells; a cell that a line cannot hold is refused."""
    with open_writer(path) as stream:
        for number, row in enumerate(rows):
            for cell in row:
                if any(char in cell for char in "\t\n\r"):
                    raise DataError(
                        f"Row {number} has a tab or line break inside, which {fspath(path)} cannot hold: {cell[:60]!r}."
                    )
            _write_line(stream, "\t".join(row), is_first=number == 0)


def _write_line(stream: TextIO, line: str, *, is_first: bool) -> None:
    # Readers drop one byte-order mark at the start of a file; the second is the text's own.
    stream.write(f"\ufeff{line}\n" if is_first and line.startswith("\ufeff") else f"{line}\n")


def text_of(value: Value) -> str:
    """A value as a cell of a text table: nothing for None, `true` and `false`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
