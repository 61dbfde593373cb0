"""Lines of a file as they lie in it: kernels read the bytes, and Python strings are made for what is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from dragoman import _core
from dragoman.errors import DataError
from dragoman.files import StrPath, read_lines, read_utf8

__all__ = ["TextLines", "read_text_lines", "read_text_streams"]


class TextLines(Sequence[str]):
    """The lines of a text in UTF-8, immutable: a sequence of str for Python, the bytes themselves for kernels.

    Lines end as `files.read_lines` ends them. To score files this is the quickest way to read them.
    """

    __slots__ = ("core",)

    def __init__(self, utf8: bytes) -> None:
        self.core = _core.text.LineBuffer(utf8)

    def __len__(self) -> int:
        return len(self.core)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        n = len(self)
        if isinstance(index, slice):
            return [self.core.line(i) for i in range(*index.indices(n))]
        if not -n <= index < n:
            raise IndexError(f"There is no line {index}: the text has {n}, counted from 0.")
        return self.core.line(index % n)

    def __iter__(self) -> Iterator[str]:
        return (self.core.line(i) for i in range(len(self)))

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and any(line == value for line in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextLines) and len(self) == len(other) and all(map(str.__eq__, self, other))

    def __hash__(self) -> int:
        return hash(self.core.utf8.replace(b"\r", b"").rstrip(b"\n"))  # equal lines, whatever ends them

    def __reduce__(self) -> tuple[type[TextLines], tuple[bytes]]:
        return TextLines, (self.core.utf8,)

    def __repr__(self) -> str:
        return f"<TextLines: {len(self)} lines>"


def read_text_lines(path: StrPath) -> TextLines:
    """All lines of `path`, decompressed and checked to be UTF-8, without a Python string for each."""
    utf8 = read_utf8(path)
    try:
        return TextLines(utf8)
    except DataError:
        read_lines(path)  # which names line and byte
        raise


def read_text_streams(paths: Sequence[StrPath], *, n_threads: int = 1) -> list[TextLines]:
    """Several files, `n_threads` at a time: decompression does not need Python's lock."""
    if n_threads <= 1 or len(paths) <= 1:
        return [read_text_lines(path) for path in paths]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(read_text_lines, paths))
