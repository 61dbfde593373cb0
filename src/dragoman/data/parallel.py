"""Parallel streams must have one line per segment; nothing is ever cut to the shortest."""

from __future__ import annotations

from collections.abc import Mapping, Sized

from dragoman.errors import DataError

__all__ = ["UnequalLengths", "check_parallel"]


class UnequalLengths(DataError):
    """Streams that should be parallel have different numbers of lines; all are named."""

    def __init__(self, lengths: Mapping[str, int]) -> None:
        self.lengths = dict(lengths)
        counts = ", ".join(f"{name}={length}" for name, length in lengths.items())
        super().__init__(f"Streams must have one line per segment, got {counts}.")

    def renamed(self, names: Mapping[str, str]) -> UnequalLengths:
        """The same of the files that the streams are from."""
        return UnequalLengths({names.get(name, name): length for name, length in self.lengths.items()})


def check_parallel(streams: Mapping[str, Sized | None]) -> int:
    """The common length of the named streams (`None` ones are left out); different lengths raise, all counts named."""
    lengths = {name: len(stream) for name, stream in streams.items() if stream is not None}
    if len(set(lengths.values())) > 1:
        raise UnequalLengths(lengths)
    return next(iter(lengths.values()), 0)
