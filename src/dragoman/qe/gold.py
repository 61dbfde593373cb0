"""Gold standards: effort scores of several judges, HTER and word tags from post-edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import Judgements
from dragoman.errors import DataError
from dragoman.metrics import hter
from dragoman.qe.files import QEData
from dragoman.report import Column, Result, Table

__all__ = ["EffortGold", "effort_gold", "effort_table", "post_edit_gold"]


@dataclass(frozen=True)
class EffortGold(Result):
    """One effort score for each sentence on which the judges do not lie too far apart."""

    kind: ClassVar[str] = "effort gold"

    values: tuple[float | None, ...]  # None: the judges differ too much
    weights: tuple[float, ...]  # by judge, sum 1
    deviations: tuple[float, ...]  # of each judge from his own mean
    spreads: Mapping[int, int]  # highest minus lowest score → sentences
    max_spread: float | None

    @property
    def scored(self) -> tuple[int, ...]:
        """The sentences that have a score, counted from 0."""
        return tuple(place for place, value in enumerate(self.values) if value is not None)

    def tables(self) -> list[Table]:
        """The scores; then what each judge's word is worth."""
        judges = zip(self.deviations, self.weights, strict=True)
        return [
            Table.of("Effort", [Column("segment"), Column("effort", digits=4)], enumerate(self.values, start=1)),
            Table.of(
                "Judges",
                [Column("judge"), Column("deviation", digits=4), Column("weight", digits=4)],
                [(number, *each) for number, each in enumerate(judges, start=1)],
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """Weights, the filter, and how far the judges lie apart."""
        return {
            "n_segments": len(self.values),
            "n_kept": len(self.scored),
            "max_spread": self.max_spread,
            "weights": list(self.weights),
            "spreads": {str(spread): count for spread, count in self.spreads.items()},
        }


def effort_gold(
    scores: ArrayLike, *, max_spread: float | None = 1, weights: Sequence[float] | None = None
) -> EffortGold:
    """The weighted mean of the judges' scores 1 to 5, (sentences, judges), as WMT 2012 made it (Findings, §6.1).

    Sentences whose highest and lowest score are further apart than `max_spread` have none. The judge whose scores
    deviate most from his own mean weighs most: of three judges 3, 2, 1, before division by their sum. `weights` by
    judge replace that rule. Which judge weighs what is told from all sentences, before the filter.
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise DataError(f"Effort scores are (sentences, judges), of two judges or more; got the shape {table.shape}.")
    wrong = np.argwhere(~((table >= 1) & (table <= 5)))  # NaN, a missing score, too
    if len(wrong):
        row, judge = (int(place) for place in wrong[0])
        raise DataError(
            f"Sentence {row + 1}, judge {judge + 1}: {table[row, judge]:g} is no effort score from 1 to 5. "
            "Every sentence needs a score of every judge."
        )
    if not len(table):
        raise DataError("There are no effort scores.")
    deviations = table.std(axis=0)
    if weights is None:
        # Rank 1 for the smallest deviation; of equal ones the earlier judge weighs more.
        order = np.argsort(-deviations, kind="stable")
        worth = np.empty(len(deviations))
        worth[order] = np.arange(len(deviations), 0, -1)
    else:
        worth = np.asarray(weights, dtype=np.float64)
        if worth.shape != deviations.shape or not (worth >= 0).all() or worth.sum() <= 0:
            raise DataError(f"{len(deviations)} judges need as many weights, not negative; got {list(weights)}.")
    worth = worth / worth.sum()
    spread = table.max(axis=1) - table.min(axis=1)
    agreed = np.ones(len(table), dtype=bool) if max_spread is None else spread <= max_spread
    sizes, counts = np.unique(spread, return_counts=True)
    return EffortGold(
        values=tuple(float(v) if k else None for v, k in zip(table @ worth, agreed, strict=True)),
        weights=tuple(worth.tolist()),
        deviations=tuple(deviations.tolist()),
        spreads={int(size): int(count) for size, count in zip(sizes, counts, strict=True)},
        max_spread=max_spread,
    )


def effort_table(judgements: Judgements) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Judgements of post-editing effort as (segments, judges); a score that is missing is NaN."""
    judges, judge_names = judgements.coded("annotator")
    items, item_names = judgements.coded("item")
    table = np.full((len(item_names), len(judge_names)), np.nan)
    for item, judge, effort in zip(items, judges, judgements["effort"], strict=True):
        if effort is not None:
            table[item, judge] = float(effort)
    return table


def post_edit_gold(data: QEData, *, n_threads: int = 1) -> QEData:
    """HTER of each sentence and a tag for each word and gap, from tokenised outputs and their post-edits."""
    edits = hter(data.outputs, data.post_edits, n_threads=n_threads)
    return data.having(edits.values, edits.tags)
