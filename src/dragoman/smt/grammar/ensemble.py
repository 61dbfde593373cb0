"""Several grammars in one search: their rules merged, and what each says of a rule mixed into one score.

Razmara, Foster, Sankaran & Sarkar (ACL 2012); Razmara, Sankaran, Clifton & Sarkar (WMT 2012).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.options import Recipe, filled, option
from dragoman.smt.grammar.rules import Labels
from dragoman.smt.grammar.table import RulePacking, RuleTable

__all__ = ["MIXED", "MIXTURES", "MergedRules", "Mixture"]

MIXTURES = ("prod", "wsum", "wmax", "switch-max", "switch-sum")
MIXED = "ensemble"  # the score of mixed rules


@dataclass(frozen=True)
class Mixture(Recipe):
    """How grammars, each with weights of its own, are mixed.

    `prod` adds up their weighted scores, by their shares, a rule that one of them lacks having the `floor` there;
    `wsum` and `wmax` add up, or take the largest of, their probabilities times the shares; `switch-max` and
    `switch-sum` leave each source side to one grammar, that whose best rule, or all of whose rules together, have the
    largest probability times its share. Shares are made to sum to 1.
    """

    mix: str = option("prod", choices=MIXTURES, text="how what several grammars say of a rule becomes one score")
    shares: tuple[float, ...] = option((), text="what each grammar counts; none: all alike")
    floor: float = option(-10.0, text="prod: the weighted score of a rule in a grammar that lacks it")

    def of(self, n: int) -> tuple[float, ...]:
        """The shares of so many grammars."""
        self.check()
        shares = self.shares or (1.0,) * n
        if len(shares) != n:
            raise DataError(f"There are {len(shares)} shares for {n} grammars; give one for each, or none.")
        if not all(np.isfinite(each) and each >= 0 for each in shares) or not sum(shares) > 0:
            raise DataError(f"Shares are numbers from 0 on, and one of them larger; got {', '.join(map(str, shares))}.")
        return tuple(each / sum(shares) for each in shares)


class MergedRules:
    """The rules of several tables, merged once, to be mixed in any way."""

    def __init__(self, tables: Sequence[RuleTable]) -> None:
        if not tables:
            raise DataError("There is no rule table to merge.")
        self.tables = tuple(tables)
        self.source = tables[0].source.merge(*(table.source for table in tables[1:]))
        self.target = tables[0].target.merge(*(table.target for table in tables[1:]))
        labels: dict[Labels, int] = {}
        own = [[labels.setdefault(each, len(labels)) for each in table.labels] for table in tables]
        sides = [{name: None for pair in labels for name in pair[side : side + 1]} for side in (0, 1)]
        self.names = tuple(sides[0]), tuple(sides[1])
        numbers = [{name: i for i, name in enumerate(side)} for side in self.names]
        self.core = _core.chart.merge(
            [
                (table.core, source_ids, target_ids, own_labels)
                for table, source_ids, target_ids, own_labels in zip(
                    tables, self.source.maps, self.target.maps, own, strict=True
                )
            ],
            [(numbers[0][s], numbers[1][t]) for s, t in labels],
            len(self.source.vocabulary),
            len(self.target.vocabulary),
            len(self.names[0]),
            len(self.names[1]),
        )

    def __len__(self) -> int:
        """The number of different rules."""
        return len(self.core)

    def mixed(
        self, weights: Sequence[Mapping[str, float]], mixture: Mixture | None = None, *, quantised: bool = False
    ) -> RuleTable:
        """The rules with one score, `ensemble`; `weights` of each table's features, by name."""
        mixture = mixture or Mixture()
        if len(weights) != len(self.tables):
            raise DataError(f"There are {len(weights)} sets of weights for {len(self.tables)} rule tables.")
        own = []
        for number, (table, named) in enumerate(zip(self.tables, weights, strict=True), start=1):
            missing = [name for name in table.features if name not in named]
            if missing:
                raise DataError(f"Rule table {number} has no weight for {', '.join(missing)}.")
            own.append([float(named[name]) for name in table.features])
        options = filled(_core.chart.MixingOptions(), mixture, shares=list(mixture.of(len(self.tables))))
        core = _core.chart.mixed(self.core, own, options, quantised=quantised)
        return RuleTable(
            core,
            self.source.vocabulary,
            self.target.vocabulary,
            RulePacking(quantised),
            names=self.names,
            features=(MIXED,),
            counts=self._counts(),
        )

    def _counts(self) -> NDArray[np.int64] | None:
        """How often source words were met in all texts."""
        counts = np.zeros(len(self.source.vocabulary), dtype=np.int64)
        for table, ids in zip(self.tables, self.source.maps, strict=True):
            if table.counts is None:
                return None
            np.add.at(counts, ids, table.counts)
        return counts
