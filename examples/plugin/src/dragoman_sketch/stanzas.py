"""Bitexts to read with the eye: source, target, an empty line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.bitext import Bitext
from dragoman.data.formats.base import Format
from dragoman.errors import FormatError
from dragoman.files import StrPath, read_lines, write_lines

__all__ = ["BitextStanzas"]


@dataclass(frozen=True)
class BitextStanzas(Format):
    """A line of source, a line of target, an empty line, and so on; no line break can be inside a text."""

    name: ClassVar[str] = "bitext-stanzas"
    holds: ClassVar[type] = Bitext
    suffixes: ClassVar[tuple[str, ...]] = (".stanzas",)

    def read(self, path: StrPath) -> Bitext:
        """The bitext; a stanza of another length raises with file and line."""
        lines = read_lines(path)
        for number in range(2, len(lines), 3):
            if lines[number]:
                raise FormatError(
                    f"expected the empty line between two pairs, got {lines[number][:20]!r}.",
                    path=path,
                    line=number + 1,
                )
        if len(lines) % 3:
            raise FormatError("the last pair is cut off; it ends with an empty line.", path=path, line=len(lines))
        return Bitext.from_pairs(list(zip(lines[::3], lines[1::3], strict=True)))

    def write(self, value: Bitext, path: StrPath) -> None:
        """Write three lines for each pair."""
        write_lines(path, self._lines(value))

    def _lines(self, value: Bitext) -> Iterator[str]:
        for source, target in value:
            yield from (source, target, "")

    def loses(self, value: Bitext) -> list[str]:
        """The languages."""
        return [name for name in ("source_lang", "target_lang") if getattr(value, name)]
