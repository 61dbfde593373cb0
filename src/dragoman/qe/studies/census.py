"""How many pairs of features say nearly the same: the census of Langlois et al. (WMT 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.qe.features.table import FeatureTable
from dragoman.report import Column, Result, Table

__all__ = ["BARS", "CorrelationCensus", "correlation_census"]

BARS = (0.9, 0.8, 0.7)  # of the paper


@dataclass(frozen=True)
class CorrelationCensus(Result):
    """Pairs of features whose correlation reaches each bar, by its sign, and the pairs that reach the highest."""

    kind: ClassVar[str] = "correlation census"

    bars: tuple[float, ...]
    positive: tuple[int, ...]
    negative: tuple[int, ...]
    pairs: tuple[tuple[str, str, float], ...]  # those at or above the highest bar, strongest first
    n_pairs: int
    n_sentences: int
    constant: tuple[str, ...]  # features without a correlation

    def tables(self) -> list[Table]:
        """The counts, then the pairs."""
        counts = zip(self.bars, self.positive, self.negative, strict=True)
        note = f"{self.n_pairs} pairs, {self.n_sentences} sentences."
        if self.constant:
            note += f" The same in all sentences and not counted: {', '.join(self.constant)}."
        return [
            Table.of(
                "Pairs of features",
                [Column("bar", "|r| from"), Column("pairs"), Column("positive"), Column("negative")],
                [(bar, up + down, up, down) for bar, up, down in counts],
                note=note,
            ),
            Table.of(
                f"Pairs from {max(self.bars):g} on",
                [Column("first"), Column("second"), Column("r", digits=4)],
                self.pairs,
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """Counts, the pairs and what was not counted."""
        pairs = [{"first": first, "second": second, "r": r} for first, second, r in self.pairs]
        return {
            "n_pairs": self.n_pairs,
            "n_sentences": self.n_sentences,
            "pairs": pairs,
            "constant": list(self.constant),
        }


def correlation_census(features: FeatureTable, *, bars: Sequence[float] = BARS) -> CorrelationCensus:
    """Count the pairs of features whose Pearson correlation is at least so strong."""
    if not bars or not all(0 < bar <= 1 for bar in bars):
        raise DataError(f"A bar of correlations is above 0 and at most 1, got {list(bars)}.")
    if len(features) < 2:
        raise DataError(f"There is no correlation of {len(features)} sentences; at least 2 are needed.")
    varies = np.ptp(features.values, axis=0) > 0
    names = [name for name, each in zip(features.names, varies, strict=True) if each]
    if len(names) < 2:
        raise DataError(f"{len(names)} of {len(features.names)} features vary; a pair needs two.")
    first, second = np.triu_indices(len(names), 1)
    r = np.asarray(np.corrcoef(features.values[:, varies], rowvar=False))[first, second]
    strong = np.flatnonzero(np.abs(r) >= max(bars))
    strong = strong[np.argsort(-np.abs(r[strong]), kind="stable")]
    return CorrelationCensus(
        tuple(bars),
        tuple(int((r >= bar).sum()) for bar in bars),
        tuple(int((r <= -bar).sum()) for bar in bars),
        tuple((names[first[place]], names[second[place]], float(r[place])) for place in strong.tolist()),
        len(r),
        len(features),
        tuple(name for name, each in zip(features.names, varies, strict=True) if not each),
    )
