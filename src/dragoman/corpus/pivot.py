"""A bitext of two languages by way of a third: pairs whose pivot sentences are the same (Zeman, WMT 2012, §3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table

__all__ = ["Pivot", "Pivoting"]


@dataclass(frozen=True)
class Pivot(Recipe):
    """Which pairs a pivot sentence makes that stands several times on a side."""

    duplicates: str = option("all", choices=("all", "first"), text="all pairs of a pivot sentence, or its first alone")
    most: int = option(10, low=1, text="pairs of one pivot sentence")

    def join(self, first: Bitext, second: Bitext) -> Pivoting:
        """The pairs of A–P and P–B as A–B, in the order of the first; blanks around sentences do not count."""
        self.check()
        if first.target_lang and second.source_lang and first.target_lang != second.source_lang:
            raise DataError(
                f"The pivots differ: {first.label} ends in {first.target_lang}, {second.label} begins with "
                f"{second.source_lang}. Name the pivot second in the first bitext and first in the second."
            )
        by_pivot: dict[str, list[str]] = {}
        pivots: Counter[str] = Counter()
        for pivot, target in second:
            pivots[pivot.strip()] += 1
            by_pivot.setdefault(pivot.strip(), []).append(target)
        firsts: Counter[str] = Counter()
        n_pairs: Counter[str] = Counter()
        seen: set[tuple[str, str]] = set()
        pairs: list[tuple[str, str]] = []
        for source, raw in first:
            pivot = raw.strip()
            firsts[pivot] += 1
            if not pivot:
                continue
            for target in by_pivot.get(pivot, ()):
                limit = 1 if self.duplicates == "first" else self.most
                if n_pairs[pivot] < limit and (source, target) not in seen:
                    n_pairs[pivot] += 1
                    seen.add((source, target))
                    pairs.append((source, target))
        sides = tuple(
            PivotSide(side, sum(lines.values()), len(lines), sum(n for line, n in lines.items() if line in n_pairs))
            for side, lines in (("first", firsts), ("second", pivots))
        )
        langs = {"source_lang": first.source_lang, "target_lang": second.target_lang}
        return Pivoting(Bitext.from_pairs(pairs, **langs), sides, len(n_pairs), len(pairs), self.duplicates)


@dataclass(frozen=True)
class PivotSide:
    """What became of a bitext's pairs."""

    side: Literal["first", "second"] | str
    pairs: int
    pivots: int  # different pivot sentences
    met: int  # pairs whose pivot sentence the other bitext has, too


@dataclass(frozen=True)
class Pivoting(Result):
    """The bitext without the pivot, and how much of the two it is made of."""

    kind: ClassVar[str] = "pivoting"

    bitext: Bitext = field(repr=False)
    sides: tuple[PivotSide, ...]
    n_shared: int
    n_pairs: int
    duplicates: str

    def answer(self) -> str:
        """How many pairs there are."""
        return f"{self.n_pairs:,} pairs by {self.n_shared:,} pivot sentences that both have."

    def tables(self) -> list[Table]:
        """A row for each of the two."""
        columns: list[str | Column] = ["bitext", "pairs", "pivots", "met", Column("coverage", digits=4)]
        rows = [(s.side, s.pairs, s.pivots, s.met, s.met / s.pairs if s.pairs else None) for s in self.sides]
        return [Table.of("Pivot", columns, rows, note=f"{self.n_pairs} pairs; duplicates: {self.duplicates}.")]

    def meta(self) -> dict[str, Any]:
        """Counts and policy."""
        return {"pairs": self.n_pairs, "shared": self.n_shared, "duplicates": self.duplicates}
