"""What checks found in many pairs, as a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from dragoman.cat.checks.base import Check, Finding, Pair, check_pairs
from dragoman.report import Column, Table
from dragoman.report.result import Result

__all__ = ["CheckReport"]


@dataclass(frozen=True)
class CheckReport(Result):
    """The findings of each pair, in order."""

    kind: ClassVar[str] = "translation-checks"

    findings: tuple[tuple[Finding, ...], ...]

    @classmethod
    def of(cls, pairs: Sequence[Pair], checks: Sequence[Check] | None = None) -> Self:
        """Check the pairs."""
        return cls(tuple(map(tuple, check_pairs(pairs, checks))))

    def tables(self) -> list[Table]:
        """One row per finding; then how many each check has."""
        columns = [Column(name) for name in ("segment", "severity", "check", "message", "source_at", "target_at")]
        rows = [
            (number, each.severity, each.check, each.message, _places(each.source), _places(each.target))
            for number, some in enumerate(self.findings, start=1)
            for each in some
        ]
        counts = Counter(each.check for some in self.findings for each in some)
        by_check = Table.of("By check", [Column("check"), Column("findings")], sorted(counts.items()))
        return [Table.of("Findings", columns, rows), by_check]

    def meta(self) -> dict[str, Any]:
        """How many pairs there were, and how many of them are clean."""
        return {"segments": len(self.findings), "clean": sum(not some for some in self.findings)}


def _places(spans: Sequence[tuple[int, int]]) -> str | None:
    return " ".join(f"{begin}-{end}" for begin, end in spans) or None
