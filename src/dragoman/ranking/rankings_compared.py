"""Two rankings of the same systems side by side: how alike, what moved, and what the judgements say about it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.stats.segments import sign_test

__all__ = ["Move", "RankingComparison", "Swap", "compare_rankings"]

Ranking = Mapping[str, float] | Sequence[str]


@dataclass(frozen=True)
class Move:
    """Where a system stands in either ranking; equal scores share a rank. A positive move is upwards."""

    system: str
    rank_first: float
    rank_second: float
    move: float


@dataclass(frozen=True)
class Swap:
    """Two systems that the rankings order differently, and the judgements of the two, where they are given."""

    above: str  # in the first ranking; below in the second
    below: str
    wins: int | None  # of `above` over `below`
    losses: int | None
    p: float | None  # two-sided exact sign test
    supported: str | None  # which ranking the judgements support: first, second, or neither


@dataclass(frozen=True)
class RankingComparison(Result):
    """How alike two rankings are, and where they differ."""

    kind: ClassVar[str] = "ranking-comparison"

    names: tuple[str, str]
    moves: tuple[Move, ...]
    swaps: tuple[Swap, ...]
    kendall: float | None  # τ-b; None where a ranking holds all equal
    spearman: float | None
    left_out: tuple[str, ...]  # systems that only one of the two ranks
    alpha: float
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """The moves, the swaps."""
        first, second = self.names
        moves = Table.of(
            f"{first} and {second}",
            [
                Column("system"),
                Column("rank_first", f"rank {first}", 1),
                Column("rank_second", f"rank {second}", 1),
                Column("move", "moved up", 1),
            ],
            (list(asdict(move).values()) for move in self.moves),
            note=self._note(),
        )
        swaps = Table.of(
            "Swapped pairs",
            [
                Column("above", f"above in {first}"),
                Column("below", f"above in {second}"),
                Column("wins"),
                Column("losses"),
                Column("p", alpha=0.05),
                Column("supported"),
            ],
            (list(asdict(swap).values()) for swap in self.swaps),
            note=f"Supported: the ranking that the judgements of the two bear out at p ≤ {self.alpha:g}.",
        )
        return [moves, swaps]

    def meta(self) -> dict[str, Any]:
        """The coefficients, the swaps and what was left out."""
        return {
            "rankings": list(self.names),
            "kendall": self.kendall,
            "spearman": self.spearman,
            "n": len(self.moves),
            "swaps": [asdict(swap) for swap in self.swaps],
            "left_out": list(self.left_out),
            "alpha": self.alpha,
            **self.provenance,
        }

    def _note(self) -> str:
        shown = [
            f"{name} = {'–' if value is None else f'{value:.3f}'}"
            for name, value in (("Kendall's τ-b", self.kendall), ("Spearman's ρ", self.spearman))
        ]
        left = f" Ranked by one only: {', '.join(self.left_out)}." if self.left_out else ""
        return f"{', '.join(shown)} on n = {len(self.moves)} systems; {len(self.swaps)} pairs are swapped.{left}"


def compare_rankings(
    first: Ranking,
    second: Ranking,
    *,
    names: tuple[str, str] = ("first", "second"),
    comparisons: Comparisons | None = None,
    alpha: float = 0.05,
) -> RankingComparison:
    """Compare two rankings, each a list of systems from the best on or scores by system, more being better.

    With `comparisons`, every swapped pair is tested on the judgements of the two: a swap that they do not decide is no
    reason to prefer either ranking.
    """
    a, b = _scores(first, names[0]), _scores(second, names[1])
    common = [name for name in a if name in b]
    if len(common) < 2:
        raise DataError(f"The rankings have {len(common)} systems in common; two are needed to compare them.")
    ranks_a, ranks_b = _ranks([a[name] for name in common]), _ranks([b[name] for name in common])
    moves = [Move(name, float(x), float(y), float(x - y)) for name, x, y in zip(common, ranks_a, ranks_b, strict=True)]
    order = np.argsort(ranks_a, kind="stable").tolist()
    swaps = [
        _swap(common[i], common[j], comparisons, alpha)
        for i, j in combinations(order, 2)
        if (ranks_a[i] - ranks_a[j]) * (ranks_b[i] - ranks_b[j]) < 0
    ]
    kendall, spearman = _coefficients(ranks_a, ranks_b)
    return RankingComparison(
        names=names,
        moves=tuple(sorted(moves, key=lambda move: (move.rank_first, move.system))),
        swaps=tuple(swaps),
        kendall=kendall,
        spearman=spearman,
        left_out=tuple(name for name in (*a, *b) if (name in a) != (name in b)),
        alpha=alpha,
        provenance={} if comparisons is None else dict(comparisons.provenance),
    )


def _scores(ranking: Ranking, name: str) -> dict[str, float]:
    if isinstance(ranking, Mapping):
        scores = {system: float(score) for system, score in ranking.items()}
        wrong = [system for system, score in scores.items() if not math.isfinite(score)]
        if wrong:
            raise DataError(f"The ranking {name!r} has no finite score for {', '.join(wrong)}; leave them out.")
        return scores
    doubled = sorted({system for system in ranking if list(ranking).count(system) > 1})
    if doubled:
        raise DataError(f"The ranking {name!r} names {', '.join(doubled)} twice.")
    return {system: -float(place) for place, system in enumerate(ranking)}


def _ranks(scores: Sequence[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Ranks from 1 for the highest score; equal scores share the mean of their ranks."""
    from scipy.stats import rankdata

    ranks: np.ndarray[Any, np.dtype[np.float64]] = rankdata(-np.asarray(scores))
    return ranks


def _coefficients(a: Any, b: Any) -> tuple[float | None, float | None]:
    from scipy.stats import kendalltau, pearsonr

    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None, None
    return float(kendalltau(a, b).statistic), float(pearsonr(a, b).statistic)


def _swap(above: str, below: str, comparisons: Comparisons | None, alpha: float) -> Swap:
    if comparisons is None or not {above, below} <= set(comparisons.systems):
        return Swap(above, below, None, None, None, None)
    only = comparisons.only(above, below)
    i, j = only.systems.index(above), only.systems.index(below)
    wins = only.wins()
    won, lost = int(wins[i, j]), int(wins[j, i])
    p = sign_test(won, lost)
    supported = "neither" if p > alpha else "first" if won > lost else "second"
    return Swap(above, below, won, lost, p, supported)
