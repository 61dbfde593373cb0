"""Where judgements came from, as every result says it."""

from __future__ import annotations

from dragoman.data.judgements import Judgements
from dragoman.files import plain_name

__all__ = ["files_of"]


def files_of(*tables: Judgements) -> list[str]:
    """The names of the files that tables were read from, each once; empty for tables made in memory."""
    return list(dict.fromkeys(plain_name(file.path) for table in tables for file in table.files))
