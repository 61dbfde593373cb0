"""Tokenised text as the kernels want it: one run of UTF-8 with spans, or ids with offsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from dragoman.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dragoman import _core

    T = TypeVar("T", bound=np.generic)
__all__ = ["TokenBatch", "TokenIds", "join_rows"]


@dataclass(frozen=True, eq=False)
class TokenIds:
    """The tokens of many lines as ids: those of line `i` are `ids[offsets[i]:offsets[i + 1]]`. Read-only."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of lines."""
        return len(self.offsets) - 1

    def __getitem__(self, line: int) -> NDArray[np.int32]:
        """The ids of one line, a view."""
        number = _line_number(line, len(self))
        return self.ids[self.offsets[number] : self.offsets[number + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[line] for line in range(len(self)))

    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each line."""
        return self.offsets[1:] - self.offsets[:-1]


@dataclass(frozen=True, eq=False)
class TokenBatch:
    """Tokenised lines in the native core. Python strings are made for what is asked for, not before."""

    core: _core.text.TokenBatch

    def __len__(self) -> int:
        """The number of lines."""
        return len(self.core)

    def lines(self) -> list[str]:
        """The tokenised lines."""
        return self.core.lines()

    def tokens(self, line: int) -> list[str]:
        """The tokens of one line."""
        return self.core.tokens(_line_number(line, len(self)))

    @property
    def text(self) -> bytes:
        """All tokenised lines, one behind the other, in UTF-8."""
        return self.core.text

    @property
    def line_offsets(self) -> NDArray[np.int64]:
        """Line `i` is `text[line_offsets[i]:line_offsets[i + 1]]`."""
        return self.core.line_offsets

    @property
    def token_offsets(self) -> NDArray[np.int64]:
        """The spans of line `i` are `token_spans[token_offsets[i]:token_offsets[i + 1]]`."""
        return self.core.token_offsets

    @property
    def token_spans(self) -> NDArray[np.int64]:
        """Begin and end of every token in `text`, in bytes: an array of shape (tokens, 2)."""
        return self.core.token_spans


def join_rows(parts: Sequence[tuple[NDArray[T], NDArray[np.int64]]]) -> tuple[NDArray[T], NDArray[np.int64]]:
    """Consecutive parts of something, each as values and offsets of its rows, as one; offsets may begin anywhere."""
    import numpy as np

    lengths = np.concatenate([np.diff(offsets) for _, offsets in parts])
    return np.concatenate([values for values, _ in parts]), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _line_number(line: int, n_lines: int) -> int:
    if not -n_lines <= line < n_lines:
        raise DataError(f"There is no line {line}: the batch has {n_lines} lines, counted from 0.")
    return line % n_lines
