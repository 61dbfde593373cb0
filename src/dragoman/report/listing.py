"""What a registry has, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import getdoc
from typing import Any, ClassVar

from dragoman.registry import Registry
from dragoman.report.result import Result
from dragoman.report.table import Table

__all__ = ["Listing"]


@dataclass(frozen=True)
class Listing(Result):
    """The names of a registry, each with one line."""

    kind: ClassVar[str] = "listing"

    what: str
    entries: tuple[tuple[str, str], ...]

    @classmethod
    def of_registry(cls, registry: Registry[Any]) -> Listing:
        """All entries of a registry with the first line of their docstrings."""
        lines = ((name, (getdoc(registry.get(name)) or "").partition("\n")[0]) for name in registry.names())
        return cls(registry.kind, tuple(lines))

    def tables(self) -> list[Table]:
        """One row per name."""
        return [Table.of("", ["name", "description"], self.entries)]
