"""Parallel streams must have one line per segment; nothing is ever cut to the shortest."""

from __future__ import annotations

from collections.abc import Mapping, Sized

from dragoman.errors import DataError

__all__ = ["check_parallel"]


def check_parallel(streams: Mapping[str, Sized | None]) -> int:
    """The common length of the named streams (`None` ones are left out); different lengths raise, all counts named."""
    lengths = {name: len(stream) for name, stream in streams.items() if stream is not None}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name}={length}" for name, length in lengths.items())
        raise DataError(f"Streams must have one line per segment, got {counts}.")
    return next(iter(lengths.values()), 0)
