"""The result of what turns lines into lines: tokenising, truecasing, normalising."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dragoman.report.result import Result
from dragoman.report.table import Column, Table
from dragoman.report.terminal import PLAIN, Screen

__all__ = ["Lines"]


@dataclass(frozen=True)
class Lines(Result):
    """Lines of text, and how they were made."""

    kind: ClassVar[str] = "lines"

    lines: Sequence[str]
    made_by: Mapping[str, Any] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """One row per line."""
        return [Table.of("", ["line", Column("text", is_text=True)], enumerate(self.lines, start=1))]

    def meta(self) -> dict[str, Any]:
        """How the lines were made."""
        return dict(self.made_by)

    def render(self, form: str = "text", *, raw: bool = False, screen: Screen = PLAIN) -> str:
        """As text, the lines themselves, one a line: they are data, and as long as they are."""
        if form == "text":
            return "".join(f"{line}\n" for line in self.lines)
        return super().render(form, raw=raw, screen=screen)
