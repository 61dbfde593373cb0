"""One table of a result that has several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragoman.report.result import Result
from dragoman.report.table import Table

__all__ = ["Only"]


@dataclass(frozen=True)
class Only(Result):
    """A result reduced to one of its tables; kind and meta stay the whole's."""

    result: Result
    table: Table

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The kind of the whole result."""
        return self.result.kind

    def tables(self) -> list[Table]:
        """The table."""
        return [self.table]

    def meta(self) -> dict[str, Any]:
        """What is needed to repeat the work."""
        return self.result.meta()
