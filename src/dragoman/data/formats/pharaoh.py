"""Word alignments as `0-0 1-2`, a sentence pair a line; named after the decoder that introduced them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.alignments import Alignment, Alignments, Link
from dragoman.data.formats.base import Format
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.options import check_options, option

__all__ = ["PharaohFormat", "parse_alignment", "show_alignment"]

_LINK = re.compile(r"([0-9]{1,9})([-p])([0-9]{1,9})")


@dataclass(frozen=True)
class PharaohFormat(Format):
    """`source-target` for a sure link, `sourceptarget` for a possible one; an empty line is a pair without links.

    Moses, fast_align and GIZA++ output counts words from 0; hand-made gold files often count from 1 (`first=1`).
    """

    name: ClassVar[str] = "pharaoh"
    holds: ClassVar[type] = Alignments
    suffixes: ClassVar[tuple[str, ...]] = (".align", ".talp")

    first: int = option(0, choices=(0, 1), text="the number of the first word")

    def __post_init__(self) -> None:
        check_options(self)

    def read(self, path: StrPath) -> Alignments:
        """The alignments; the file is opened when they are iterated."""
        return Alignments(_AlignmentFile(os.fspath(path), self.first))

    def write(self, value: Alignments, path: StrPath) -> None:
        """Write the links of each pair, sorted."""
        write_lines(path, (show_alignment(item, first=self.first) for item in value))


@dataclass(frozen=True)
class _AlignmentFile:
    path: str
    first: int

    def __iter__(self) -> Iterator[Alignment]:
        for number, line in enumerate(iter_lines(self.path), start=1):
            try:
                yield parse_alignment(line, first=self.first)
            except DataError as error:
                raise FormatError(str(error), path=self.path, line=number) from None


def parse_alignment(text: str, *, first: int = 0) -> Alignment:
    """The alignment that `text` spells; `first` is the number of the first word in it."""
    sure: list[Link] = []
    possible: list[Link] = []
    for spelled in text.split():
        match = _LINK.fullmatch(spelled)
        if match is None:
            raise DataError(f"{spelled[:40]!r} is no link; expected 0-0 (sure) or 0p0 (possible).")
        source, target = int(match[1]) - first, int(match[3]) - first
        if source < 0 or target < 0:
            raise DataError(f"The link {spelled!r} has a word 0, but words are counted from 1 on (first=1).")
        (sure if match[2] == "-" else possible).append((source, target))
    return Alignment(tuple(sure), tuple(possible))


def show_alignment(alignment: Alignment, *, first: int = 0) -> str:
    """The alignment as text, links sorted."""
    marked = sorted([(*link, "-") for link in alignment.sure] + [(*link, "p") for link in alignment.possible])
    return " ".join(f"{source + first}{mark}{target + first}" for source, target, mark in marked)
