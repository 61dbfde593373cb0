"""What is selected from, and what it shall be like: one text, or two that are parallel, read when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import fspath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.data.bitext import Bitext, Pair, PairSource
from dragoman.data.bitext_files import read_bitext, write_bitext
from dragoman.data.convert import guess_formats
from dragoman.errors import DataError
from dragoman.files import StrPath, iter_lines, write_lines

__all__ = ["TextBatch", "Texts"]


class TextBatch(NamedTuple):
    """Consecutive lines of each side; `start` is the place of the first, from 0."""

    start: int
    sides: tuple[Sequence[str], ...]

    def __len__(self) -> int:
        return len(self.sides[0])


@dataclass(frozen=True)
class Texts:
    """One text or two parallel ones, never held whole. Of one text, the targets of `bitext` are empty."""

    bitext: Bitext
    n_sides: int

    @classmethod
    def from_files(cls, paths: Sequence[StrPath], *, format: str | None = None, pair: str | None = None) -> Texts:  # noqa: A002
        """One file of lines, or a bitext: two files, or one of a format that holds bitexts."""
        if len(paths) == 1 and not format and not pair and not guess_formats(paths[0], holds=Bitext):
            return cls(Bitext((_LinesOfFile(paths[0]),)), 1)
        return cls(read_bitext(paths, format=format, pair=pair), 2)

    @classmethod
    def from_lines(cls, srcs: Sequence[str], tgts: Sequence[str] | None = None) -> Texts:
        """One text in memory, or two."""
        if tgts is None:
            return cls(Bitext.from_lines(srcs, [""] * len(srcs)), 1)
        return cls(Bitext.from_lines(srcs, tgts), 2)

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.bitext.label

    @property
    def noun(self) -> str:
        """What one of its items is called."""
        return "lines" if self.n_sides == 1 else "pairs"

    def batches(self) -> Iterator[TextBatch]:
        """The lines of all sides, in runs."""
        for batch in self.bitext.batches():
            yield TextBatch(batch.start, (batch.srcs, batch.tgts)[: self.n_sides])

    def lines(self, side: int) -> Iterator[str]:
        """The lines of one side."""
        for batch in self.batches():
            yield from batch.sides[side]

    def count(self) -> int:
        """Lines of each side."""
        return sum(len(batch) for batch in self.batches())

    def at(self, places: NDArray[np.int64], n_lines: int) -> Texts:
        """The lines at these places, of `n_lines` that there are, in file order."""
        keep = np.zeros(n_lines, dtype=np.uint8)
        keep[places] = 1
        return Texts(self.bitext.choose(keep.tobytes()), self.n_sides)

    def write(self, path: StrPath) -> None:
        """One text as a file of lines, two as `write_bitext` does."""
        if self.n_sides == 2:
            write_bitext(self.bitext, path)
        else:
            write_lines(path, self.lines(0))


@dataclass(frozen=True)
class _LinesOfFile(PairSource):
    path: StrPath

    @property
    def label(self) -> str:
        return fspath(self.path)

    def pairs(self) -> Iterator[Pair]:
        return ((line, "") for line in iter_lines(self.path))


def counted(texts: Texts, what: str) -> int:
    """How many lines there are; none is refused."""
    n_lines = texts.count()
    if not n_lines:
        raise DataError(f"{texts.label}: {what} is empty; there is nothing to select {_AIM[what]}.")
    return n_lines


_AIM = {"the pool": "from", "the text to be like": "by"}
