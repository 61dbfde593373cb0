"""Tests on segment scores: sign, Wilcoxon, Student's t.

A segment's score is `values` of its own row. These tests ask about the differences of segment scores, which for corpus
metrics such as BLEU is another question than the corpus score's; `delta` is still the difference of corpus scores.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.stats.arrays import Floats, Values, segment_scores
from dragoman.stats.base import Comparison, PairedTest, mean_scores, outcomes, slack

__all__ = ["SegmentTest", "Sign", "StudentT", "Wilcoxon", "sign_test"]


def sign_test(wins: int, losses: int, *, sides: int = 2) -> float:
    """The exact binomial p-value of wins against losses, ties left out; 1 when there is neither."""
    from scipy.special import bdtr

    if wins < 0 or losses < 0:
        raise DataError(f"Wins and losses are counts, got {wins} and {losses}.")
    n = wins + losses
    if sides == 1:
        return float(bdtr(losses, n, 0.5)) if n else 1.0
    return min(1.0, 2 * float(bdtr(min(wins, losses), n, 0.5))) if n else 1.0


@dataclass(frozen=True)
class SegmentTest(PairedTest):
    """The frame of tests on segment scores; several runs of a system are averaged segment by segment."""

    def _compare(
        self,
        systems: list[Floats],
        values: Values,
        pairs: Sequence[tuple[int, int]],
        n_threads: int,  # noqa: ARG002
    ) -> list[Comparison]:
        scores = mean_scores(systems, values)
        by_segment = [segment_scores(system, values) for system in systems]
        tests = []
        for a, b in pairs:
            tolerance = slack(float(np.abs(by_segment[a]).max()), float(np.abs(by_segment[b]).max()))
            # Rounded to the tolerance, so that what is a tie is a tie to every test.
            differences = np.round((by_segment[a] - by_segment[b]) / tolerance) * tolerance
            seen = outcomes(differences, tolerance / 2)
            p, statistic = self._p(differences, seen)
            tests.append(self._comparison(systems, (a, b), scores, p=p, statistic=statistic, seed=None, **seen))
        return tests

    @abstractmethod
    def _p(self, differences: Floats, seen: dict[str, int]) -> tuple[float, float]:
        """The p-value and the test's statistic."""


@dataclass(frozen=True)
class Sign(SegmentTest):
    """Exact sign test: on how many segments each system is better, whatever by how much; ties are left out."""

    name: ClassVar[str] = "sign"

    def _p(self, differences: Floats, seen: dict[str, int]) -> tuple[float, float]:  # noqa: ARG002
        return sign_test(seen["wins"], seen["losses"], sides=self.sides), float(seen["wins"])


@dataclass(frozen=True)
class Wilcoxon(SegmentTest):
    """Wilcoxon's signed-rank test: the ranks of the segment differences, ties left out.

    Exact for up to 50 differences without equal magnitudes, else by the normal approximation with correction for equal
    ranks and without continuity correction. The statistic is the rank sum of the first system's wins.
    """

    name: ClassVar[str] = "wilcoxon"

    def _p(self, differences: Floats, seen: dict[str, int]) -> tuple[float, float]:  # noqa: ARG002
        moved = differences[differences != 0]
        n = len(moved)
        if not n:
            return 1.0, 0.0
        _, which, shared = np.unique(np.abs(moved), return_inverse=True, return_counts=True)
        ranks = (np.cumsum(shared) - (shared - 1) / 2)[which]  # the mean rank where magnitudes are equal
        positive = float(ranks[moved > 0].sum())
        if n <= 50 and shared.max() == 1:
            above, below = _rank_sum_tails(n, round(positive))
        else:
            variance = n * (n + 1) * (2 * n + 1) / 24 - float((shared**3 - shared).sum()) / 48
            z = (positive - n * (n + 1) / 4) / math.sqrt(variance)
            above, below = math.erfc(z / math.sqrt(2)) / 2, math.erfc(-z / math.sqrt(2)) / 2
        return (above if self.sides == 1 else min(1.0, 2 * min(above, below))), positive


def _rank_sum_tails(n: int, observed: int) -> tuple[float, float]:
    """P(W ≥ observed) and P(W ≤ observed) for the sum W of a random subset of the ranks 1 … n."""
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] = ways[rank:] + ways[:-rank]  # whole numbers below 2^50: exact
    return float(ways[observed:].sum()) / 2.0**n, float(ways[: observed + 1].sum()) / 2.0**n


@dataclass(frozen=True)
class StudentT(SegmentTest):
    """Paired t-test: the mean of the segment differences against its standard error.

    Differences that are all the same have no spread: p is 0 when they favour a system, 1 when they are 0.
    """

    name: ClassVar[str] = "t"

    def _p(self, differences: Floats, seen: dict[str, int]) -> tuple[float, float]:  # noqa: ARG002
        from scipy.special import stdtr

        n, mean = len(differences), float(differences.mean())
        if np.ptp(differences) == 0:
            t = math.copysign(math.inf, mean) if mean else 0.0
            is_better = mean > 0 or (mean < 0 and self.sides == 2)
            return (0.0 if is_better else 1.0), t
        t = mean / (float(differences.std(ddof=1)) / math.sqrt(n))
        return (float(stdtr(n - 1, -t)) if self.sides == 1 else 2 * float(stdtr(n - 1, -abs(t)))), t
