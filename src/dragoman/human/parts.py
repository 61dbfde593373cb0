"""An analysis that is several results on one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.human.analysing import Analysis
from dragoman.report import Figure, Section, Table, page
from dragoman.report.result import Result

__all__ = ["PartsAnalysis"]


@dataclass(frozen=True)
class PartsAnalysis(Analysis):
    """Results by the headings under which they stand, the main one first."""

    kind: ClassVar[str] = "analysis"

    judged: str  # kind of judgement
    parts: Mapping[str, Result]

    def tables(self) -> list[Table]:
        """The tables of all parts."""
        return [table for part in self.parts.values() for table in part.tables()]

    def figures(self) -> list[Figure]:
        """The figures of all parts."""
        return [figure for part in self.parts.values() for figure in part.figures()]

    def meta(self) -> dict[str, Any]:
        """How each part was made."""
        own = {name.lower().replace(" ", "_"): part.meta() for name, part in self.parts.items()}
        return {"judged": self.judged, **own}

    def html(self, *, title: str = "") -> str:
        """The whole analysis as one page."""
        return page(
            title or f"Analysis of {self.judged}", [Section.of(name, part) for name, part in self.parts.items()]
        )
