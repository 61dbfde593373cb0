"""The errors Dragoman raises: one small tree, so that a caller can catch as much or as little as it likes.

A message says what was found, where, and what to do about it. The text stands where the error is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from os import PathLike, fspath
from typing import Any

__all__ = [
    "DataError",
    "DoubtfulInput",
    "DragomanError",
    "FormatError",
    "MendedInput",
    "ModelError",
    "NotAvailable",
    "UnknownName",
]


_NAMED_LINES = 10  # in one warning


class DragomanError(Exception):
    """Anything Dragoman raises on purpose."""


class DataError(DragomanError, ValueError):
    """The caller's data is wrong: lengths, values, names."""


class FormatError(DataError):
    """A file does not have the form it should have; the message opens with `path:line:`."""

    def __init__(self, message: str, *, path: str | PathLike[str], line: int | None = None) -> None:
        self.message = message
        self.path = fspath(path)
        self.line = line
        where = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{where}: {message}")

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is rebuilt from its `args`, which would lack the path: it could not leave a worker process.
        return partial(type(self), path=self.path, line=self.line), (self.message,)


class MendedInput(FormatError, UserWarning):
    """A wrong place in somebody's file that was read by a documented rule: a warning, which strict callers raise.

    `warnings.simplefilter("error", MendedInput)` refuses such files, as `--strict` does on the command line.
    """

    @classmethod
    def of_lines(cls, rule: str, lines: Sequence[int], *, path: str | PathLike[str]) -> MendedInput:
        """The warning for all lines that one rule was needed for."""
        if len(lines) == 1:
            return cls(f"{rule} There is one such line.", path=path, line=lines[0])
        named = ", ".join(map(str, lines[:_NAMED_LINES])) + (" …" if len(lines) > _NAMED_LINES else "")
        return cls(f"{rule} There are {len(lines)} such lines: {named}.", path=path, line=lines[0])


class DoubtfulInput(DragomanError, UserWarning):
    """Input that can be read but looks as if something else was meant: a warning, with what to do about it."""


class UnknownName(DragomanError, LookupError):
    """A name that no registry, test set or table knows."""


class ModelError(DragomanError):
    """A model folder of the wrong kind or version, or a damaged one."""


class NotAvailable(DragomanError):
    """An optional package or resource is missing; the message carries the line that installs it."""

    @classmethod
    def package(cls, what: str, *, package: str, extra: str) -> NotAvailable:
        """The error for a missing Python package that an extra of Dragoman's provides."""
        return cls(f'{what} needs the package {package}. Install it with: pip install "dragoman[{extra}]"')
