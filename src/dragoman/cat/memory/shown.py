"""Matches and concordances as results: with the edit shown, and what was looked for marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from dragoman.cat.memory.edits import word_edits
from dragoman.cat.memory.index import Hit, Match
from dragoman.cat.memory.repair import Repair, repair
from dragoman.report import Column, Table
from dragoman.report.result import Result

__all__ = ["HitList", "MatchList"]


@dataclass(frozen=True)
class MatchList(Result):
    """The matches of a text, best first, each with its repair."""

    kind: ClassVar[str] = "memory-matches"

    text: str
    matches: tuple[tuple[Match, Repair], ...]

    @classmethod
    def of(cls, text: str, matches: Sequence[Match]) -> Self:
        """The matches with their targets repaired."""
        return cls(text, tuple((match, repair(text, match)) for match in matches))

    def tables(self) -> list[Table]:
        """One row per match. In `edit`, [-words-] of the match are not in the text, {+words+} are in the text alone."""
        columns = [Column("percent"), Column("unit"), *(Column(name, is_text=True) for name in ("target", "edit"))]
        rows = [
            (match.percent, match.unit, made.target, self._edit(match.source), "; ".join(made.changes) or None)
            for match, made in self.matches
        ]
        return [Table.of("Matches", [*columns, Column("repaired")], rows)]

    def _edit(self, source: str) -> str:
        shown = []
        for edit in word_edits(source, self.text):
            before, now = source[slice(*edit.match)], self.text[slice(*edit.text)]
            gone = f"[-{before}-]" if before and edit.kind != "same" else ""
            new = f"{{+{now}+}}" if now and edit.kind != "same" else ""
            shown.append(now if edit.kind == "same" else gone + new)
        return " ".join(shown)


@dataclass(frozen=True)
class HitList(Result):
    """Units that have a text, newest first; what was looked for stands between ‹ and ›."""

    kind: ClassVar[str] = "concordance"

    hits: tuple[Hit, ...]
    side: Literal["source", "target"]

    def tables(self) -> list[Table]:
        """One row per unit."""
        columns = [Column("unit"), Column("source", is_text=True), Column("target", is_text=True)]
        rows = []
        for hit in self.hits:
            source, target = (
                _marked(text, hit.spans) if side == self.side else text
                for side, text in (("source", hit.source), ("target", hit.target))
            )
            rows.append((hit.unit, source, target))
        return [Table.of("Concordance", columns, rows)]


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for begin, end in reversed(spans):
        text = f"{text[:begin]}‹{text[begin:end]}›{text[end:]}"
    return text
