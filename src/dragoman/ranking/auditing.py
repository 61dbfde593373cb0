"""Does a ranking contradict its own evidence? The judgements it violates, against the fewest that any order must."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dragoman.data.comparisons import Comparisons
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.ranking.lopez import Lopez, violations
from dragoman.ranking.ranked_systems import Ranking
from dragoman.ranking.ranker import comparisons_of
from dragoman.report import Column, Result, Table

__all__ = ["Audit", "ViolatedPair", "audit"]

# Lopez 2012, §5: what a list of violations does not say.
_CAUTION = (
    "The comparisons of one screen, document or judge are not independent, and many pairs are looked at together: a"
    " violated pair need not be a significant one."
)


@dataclass(frozen=True)
class ViolatedPair:
    """Two systems ranked against the majority of their comparisons."""

    above: str
    below: str
    wins_above: int
    wins_below: int

    @property
    def weight(self) -> int:
        """The judgements that the ranking contradicts, beyond those it agrees with."""
        return self.wins_below - self.wins_above


@dataclass(frozen=True)
class Audit(Result):
    """The pairs in which a ranking contradicts the majority of the judgements, the heaviest first."""

    kind: ClassVar[str] = "ranking-audit"

    order: tuple[str, ...]
    violated: tuple[ViolatedPair, ...]
    best_order: tuple[str, ...]
    best: int  # the judgements that every order violates at least
    n_best: int | None
    certificate: str
    pair: str | None = None
    left_out: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def violations(self) -> int:
        """All judgements that the ranking contradicts, net of those on its side."""
        return sum(pair.weight for pair in self.violated)

    def tables(self) -> list[Table]:
        """One row per violated pair, then a best order."""
        rows = [(v.above, v.below, v.wins_above, v.wins_below, v.weight) for v in self.violated]
        columns = [
            Column("above"),
            Column("below"),
            Column("wins_above", "wins of upper"),
            Column("wins_below", "wins of lower"),
            Column("violated"),
        ]
        note = (
            f"Judgements that the order violates: {self.violations:,}; pairs: {len(self.violated)}. "
            f"The best order violates {self.best:,} ({self.certificate}). {_CAUTION}"
        )
        title = f"Violated pairs, {self.pair}" if self.pair else "Violated pairs"
        best = [(place, name) for place, name in enumerate(self.best_order, start=1)]
        many = "" if self.n_best in (None, 1) else f"One of {self.n_best:,} equally good orders."
        return [
            Table.of(title, columns, rows, note=note),
            Table.of("An order that violates the fewest", ["rank", "system"], best, note=many),
        ]

    def meta(self) -> dict[str, Any]:
        """The sums, the best order and the proof."""
        return {
            "order": list(self.order),
            "violations": self.violations,
            "best": self.best,
            "best_order": list(self.best_order),
            "optimal_orders": self.n_best,
            "certificate": self.certificate,
            "pair": self.pair,
            "systems_left_out": list(self.left_out),
            "judgements": dict(self.provenance),
        }


def audit(
    judgements: Judgements | Comparisons,
    order: Sequence[str] | Ranking,
    *,
    pair: str | None = None,
    blanks: str = "drop",
) -> Audit:
    """Hold an order of systems, best first, against the judgements (Lopez 2012, §4).

    Judged systems that the order does not name are left out of the count, and named in the result.
    """
    named = order.order if isinstance(order, Ranking) else tuple(order)
    compared = comparisons_of(judgements, pair=pair, blanks=blanks)
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise DataError(f"The order names {', '.join(twice)} more than once.")
    if len(named) < 2:
        raise DataError("An order to audit names at least two systems.")
    strange = [name for name in named if name not in compared.systems]
    if strange:
        raise DataError(f"No judgement names {', '.join(strange)}. Judged: {', '.join(compared.systems)}.")
    left_out = tuple(name for name in compared.systems if name not in named)
    compared = compared.only(*named)
    wins = compared.wins()
    costs = violations(wins)
    places = [compared.systems.index(name) for name in named]
    violated = [
        ViolatedPair(named[i], named[j], int(wins[places[i], places[j]]), int(wins[places[j], places[i]]))
        for j in range(len(named))
        for i in range(j)
        if costs[places[j], places[i]] > 0
    ]
    optimum = Lopez().optimum(wins)
    return Audit(
        order=named,
        violated=tuple(sorted(violated, key=lambda each: -each.weight)),
        best_order=tuple(compared.systems[place] for place in optimum.order),
        best=optimum.cost,
        n_best=optimum.n_orders,
        certificate=optimum.certificate,
        pair=pair or (None if compared.provenance.get("pair") is None else str(compared.provenance["pair"])),
        left_out=left_out,
        provenance={
            **compared.provenance,
            "comparisons": len(compared),
            "ties": int(np.count_nonzero(compared.outcome == 0)),
        },
    )
