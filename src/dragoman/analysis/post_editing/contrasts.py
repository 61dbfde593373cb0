"""Segments on which people and edits disagree, and others to hold against them (Koponen, WMT 2012, section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.stats.correlation import complete

__all__ = ["Case", "ContrastSets", "Thresholds", "mine_contrasts"]


@dataclass(frozen=True)
class Thresholds:
    """What counts as a low or high score, as few or many edits. The defaults are the paper's, for scores from 1 to 5.

    `of_quantiles` takes shares of the data instead, for scores on any scale.
    """

    low_score: float = 2.5
    high_score: float = 4.0
    few_edits: float = 0.33
    many_edits: float = 0.45

    @classmethod
    def of_quantiles(
        cls,
        scores: ArrayLike,
        ter: ArrayLike,
        *,
        low_score: float = 0.2,
        high_score: float = 0.8,
        few_edits: float = 0.4,
        many_edits: float = 0.6,
    ) -> Thresholds:
        """Thresholds at these quantiles of the data."""
        complete_cases = complete(scores, ter)
        if not complete_cases.any():
            raise DataError("No segment has both a score and a number of edits.")
        score, edits = (
            np.asarray(scores, dtype=np.float64)[complete_cases],
            np.asarray(ter, dtype=np.float64)[complete_cases],
        )
        return cls(
            *(float(np.quantile(score, q)) for q in (low_score, high_score)),
            *(float(np.quantile(edits, q)) for q in (few_edits, many_edits)),
        )


@dataclass(frozen=True)
class Case:
    """Segments of about the same number of edits, some felt as much effort, some as little. Numbers count from 0."""

    name: str
    hard: tuple[int, ...]  # low scores
    easy: tuple[int, ...]  # high scores

    @property
    def pooled(self) -> tuple[int, ...]:
        """Both sets, in file order."""
        return tuple(sorted({*self.hard, *self.easy}))


@dataclass(frozen=True)
class ContrastSets(Result):
    """Low TER: few edits but much effort felt, against as few and little effort. High TER: the other way round."""

    kind: ClassVar[str] = "contrast sets"

    low_ter: Case
    high_ter: Case
    thresholds: Thresholds
    scores: tuple[float, ...]
    ter: tuple[float, ...]

    @property
    def cases(self) -> tuple[Case, Case]:
        """Both cases."""
        return self.low_ter, self.high_ter

    def tables(self) -> list[Table]:
        """One row per segment, counted from 1, those first that disagree most."""
        columns = [Column("case"), Column("set"), Column("segment"), Column("score", digits=2), Column("ter", digits=2)]
        rows = [
            (case.name, name, place + 1, self.scores[place], self.ter[place])
            for case in self.cases
            for name, places in (("hard", case.hard), ("easy", case.easy))
            for place in places
        ]
        return [Table.of("Contrast sets", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The thresholds."""
        return vars(self.thresholds)


def mine_contrasts(
    scores: ArrayLike, ter: ArrayLike, thresholds: Thresholds | None = None, *, matched: bool = True
) -> ContrastSets:
    """Find the segments on which score and edits disagree, and for each another that agrees.

    `scores` are the higher the better, `ter` counts edits per word of the post-edit. `matched` takes as many segments
    for comparison as disagree, each the nearest in TER that is not taken yet; otherwise all that agree.
    """
    limits = thresholds or Thresholds()
    complete_cases = complete(scores, ter)
    score, edits = np.asarray(scores, dtype=np.float64), np.asarray(ter, dtype=np.float64)
    low, high = complete_cases & (score <= limits.low_score), complete_cases & (score >= limits.high_score)
    few, many = complete_cases & (edits <= limits.few_edits), complete_cases & (edits >= limits.many_edits)
    if limits.low_score >= limits.high_score:
        raise DataError(f"A low score ({limits.low_score:g}) must lie below a high one ({limits.high_score:g}).")

    strange = np.flatnonzero(low & few)
    strange = strange[np.argsort(edits[strange], kind="stable")]
    other = np.flatnonzero(high & (few if not matched else complete_cases))
    low_ter = Case("low TER", _places(strange), _match(strange, other, edits) if matched else _places(other))
    strange = np.flatnonzero(high & many)
    strange = strange[np.argsort(-edits[strange], kind="stable")]
    other = np.flatnonzero(low & (many if not matched else complete_cases))
    high_ter = Case("high TER", _match(strange, other, edits) if matched else _places(other), _places(strange))
    return ContrastSets(low_ter, high_ter, limits, tuple(score.tolist()), tuple(edits.tolist()))


def _match(these: NDArray[np.intp], others: NDArray[np.intp], edits: NDArray[np.float64]) -> tuple[int, ...]:
    """For each of these the nearest of the others in TER, without replacement; the first of equals."""
    left = others.tolist()
    matches = []
    for place in these.tolist():
        if not left:
            break
        nearest = min(left, key=lambda other: (abs(edits[other] - edits[place]), other))
        left.remove(nearest)
        matches.append(nearest)
    return tuple(matches)


def _places(array: NDArray[np.intp]) -> tuple[int, ...]:
    return tuple(int(place) for place in array)
