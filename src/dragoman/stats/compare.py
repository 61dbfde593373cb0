"""Many systems compared at once: every system against a baseline, or every pair, with the correction that calls for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from dragoman.errors import DataError, UnknownName
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Values
from dragoman.stats.base import Comparison, PairedTest
from dragoman.stats.multiple import CORRECTIONS, adjust, max_t

__all__ = ["ComparedPair", "Comparisons", "compare_systems"]


@dataclass(frozen=True)
class ComparedPair:
    """One pair of a table: the system's score minus the baseline's, with its p-value before and after correction."""

    system: str
    baseline: str
    result: Comparison
    p_adjusted: float


@dataclass(frozen=True)
class Comparisons(Result):
    """Pairs of systems, tested on the same draws and corrected for their number."""

    kind: ClassVar[str] = "comparisons"

    pairs: tuple[ComparedPair, ...]
    names: tuple[str, ...]
    correction: str
    test: PairedTest

    def pair(self, system: str, baseline: str) -> ComparedPair:
        """The comparison of two systems, in the order it was made."""
        for pair in self.pairs:
            if (pair.system, pair.baseline) == (system, baseline):
                return pair
        names = ", ".join(f"{pair.system}/{pair.baseline}" for pair in self.pairs)
        raise UnknownName(f"{system} was not compared with {baseline}. Made: {names}.")

    def tables(self) -> list[Table]:
        """One row a pair; where every pair was made, also the matrix of adjusted p-values."""
        columns: list[Column | str] = [
            "baseline",
            "system",
            Column("delta", "Δ", digits=2, figures=1),
            Column("low", "low", digits=2, figures=1),
            Column("high", "high", digits=2, figures=1),
            Column("p", alpha=0.05),
            Column("p_adjusted", f"p ({self.correction})", alpha=0.05),
            "wins",
            "losses",
            "ties",
        ]
        rows = []
        for pair in self.pairs:
            result = pair.result
            low, high = (result.interval.low, result.interval.high) if result.interval else (None, None)
            wins = (result.wins, result.losses, result.ties)
            rows.append((pair.baseline, pair.system, result.delta, low, high, result.p, pair.p_adjusted, *wins))
        notes = sorted({pair.result.note for pair in self.pairs} - {""})
        title = f"Paired comparisons ({self.test.name}, {self.test.sidedness})"
        main = Table.of(title, columns, rows, note=" ".join(notes))
        return [main, self._matrix()] if len(self.pairs) == len(self.names) * (len(self.names) - 1) // 2 else [main]

    def _matrix(self) -> Table:
        by_pair = {frozenset((pair.system, pair.baseline)): pair.p_adjusted for pair in self.pairs}
        columns = [Column("system"), *(Column(f"p_{name}", name, alpha=0.05) for name in self.names)]
        rows = [(row, *(by_pair.get(frozenset((row, column))) for column in self.names)) for row in self.names]
        return Table.of(f"p-values of all pairs ({self.correction})", columns, rows, is_matrix=True)

    def meta(self) -> dict[str, Any]:
        """The test with its options, the correction and the number of segments."""
        first = self.pairs[0].result
        return {"test": self.test.name, **asdict(self.test), "correction": self.correction, "segments": first.n}


def compare_systems(
    systems: Mapping[str, ArrayLike],
    values: Values,
    *,
    test: PairedTest,
    baseline: str | None = None,
    correction: str = "holm",
    n_threads: int = 1,
) -> Comparisons:
    """Compare every system with the baseline, or all pairs when there is none, on the same draws.

    In all pairs, an earlier system is the baseline of a later one.
    """
    if correction not in CORRECTIONS:
        raise UnknownName(f"No correction is called {correction!r}. Known: {', '.join(CORRECTIONS)}.")
    names = list(systems)
    if len(names) < 2:
        raise DataError(f"A comparison needs at least two systems, got {len(names)}.")
    if baseline is None:
        pairs = [(later, earlier) for earlier, later in combinations(range(len(names)), 2)]
    elif baseline not in systems:
        raise UnknownName(f"No system is called {baseline!r}. Known: {', '.join(names)}.")
    else:
        pairs = [(number, names.index(baseline)) for number, name in enumerate(names) if name != baseline]
    rows = [systems[name] for name in names]
    if correction == "max-t":
        joint = test.joint(rows, values, pairs, names=names, n_threads=n_threads)
        comparisons = joint.comparisons
        adjusted = max_t([comparison.delta for comparison in comparisons], joint.null, sides=test.sides)
    else:
        comparisons = test.compare_pairs(rows, values, pairs, names=names, n_threads=n_threads)
        adjusted = adjust([comparison.p for comparison in comparisons], correction)
    compared = tuple(
        ComparedPair(names[a], names[b], comparison, float(p))
        for (a, b), comparison, p in zip(pairs, comparisons, adjusted, strict=True)
    )
    return Comparisons(compared, tuple(names), correction, test)
