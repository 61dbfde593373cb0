"""Plain text, one segment a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.formats.base import Format
from dragoman.files import StrPath, read_lines, write_lines

__all__ = ["LinesFormat"]


@dataclass(frozen=True)
class LinesFormat(Format):
    """Plain text in UTF-8, one segment a line, perhaps compressed (`.gz`, `.xz`, `.zst`). A line ends at LF alone."""

    name: ClassVar[str] = "lines"
    holds: ClassVar[type] = tuple
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)

    def read(self, path: StrPath) -> tuple[str, ...]:
        """The lines of the file."""
        return tuple(read_lines(path))

    def write(self, value: tuple[str, ...], path: StrPath) -> None:
        """One line per item."""
        write_lines(path, value)
