"""A table of the findings with what it is made of, and the command that gives it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dragoman.report import Result, Table
from dragoman.task.layouts import Layout, with_printed_names

__all__ = ["Part", "command_line", "each_option"]


@dataclass(frozen=True, eq=False)
class Part:
    """A table of the findings: how WMT lays it out, the result it is made of, and the command that gives that."""

    name: str  # of its files
    section: str
    title: str
    layout: Layout
    command: str = ""
    result: Result | None = None

    @property
    def table(self) -> Table:
        """The table as it is shown."""
        return self.layout.table

    def with_printed_names(self, names: Mapping[str, str]) -> Part:
        """The same with systems as the findings print them; result and command keep the names of the files."""
        return replace(self, layout=with_printed_names(self.layout, names))


def command_line(*words: str) -> str:
    """A command of Dragoman as it is pasted into a shell."""
    return shlex.join(["dragoman", *words])


def each_option(option: str, values: Sequence[str]) -> list[str]:
    """An option before each of its values."""
    return [word for value in values for word in (option, value)]
