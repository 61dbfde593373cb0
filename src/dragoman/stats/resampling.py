"""Tests that resample segments: bootstrap, paired bootstrap, approximate randomisation, exact permutation.

The formulations are those of Graham, Mathur & Baldwin (WMT 2014), Figures 1–4. By default a p-value is (c + 1)/(R + 1),
which counts the observed data as one more trial and is never 0; `formula="paper"` gives the figures' c/R.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman._core import resample
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.stats.arrays import Floats, Values, score_of
from dragoman.stats.base import Comparison, Joint, PairedTest, SampledTest, mean_scores, outcomes, slack
from dragoman.stats.interval import percentile_interval
from dragoman.stats.replicates import bootstrap_scores, dealt_differences, pieces, side_by_side, swapped_differences

__all__ = ["Bootstrap", "BootstrapTest", "PairedBootstrap", "Permutation", "Randomisation"]

_LEVEL = 0.95  # of the intervals that come with a bootstrap test for free

_FORMULAE = {"plus-one": 1, "paper": 0}
_FORMULA_TEXT = "plus-one: p = (c + 1)/(R + 1); paper: p = c/R, as in the figures"


def p_value(count: int, trials: int, formula: str) -> float:
    """The p-value of `count` extreme trials."""
    one = _FORMULAE[formula]
    return (count + one) / (trials + one)


def count_extreme(null: Floats, delta: float, *, sides: int, tolerance: float) -> int:
    """How often chance gives a difference at least as large as the observed one."""
    if sides == 2:
        null, delta = np.abs(null), abs(delta)
    return int(np.count_nonzero(null >= delta - tolerance))


@dataclass(frozen=True)
class BootstrapTest(SampledTest):
    """The frame of bootstrap tests: resampled scores of all systems, differences of pairs, and a p-value from them."""

    def _resampled(self, systems: list[Floats], values: Values, n_threads: int) -> Floats:
        return bootstrap_scores(systems, values, trials=self.trials, seed=self.seed, n_threads=n_threads)

    @abstractmethod
    def _p(self, differences: Floats, delta: float, tolerance: float) -> float:
        """The p-value of the resampled differences."""

    def _compare(
        self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int
    ) -> list[Comparison]:
        return self._replicated(systems, values, pairs, n_threads).comparisons

    def _replicated(
        self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int
    ) -> Joint:
        scores = mean_scores(systems, values)
        resampled = self._resampled(systems, values, n_threads)
        intervals = [
            percentile_interval(score, column, level=_LEVEL, seed=self.seed)
            for score, column in zip(scores, resampled.T, strict=True)
        ]
        null = np.empty((self.trials, len(pairs)))
        replicates = []
        for number, (a, b) in enumerate(pairs):
            differences = resampled[:, a] - resampled[:, b]
            null[:, number] = differences - differences.mean()
            delta, tolerance = scores[a] - scores[b], slack(scores[a], scores[b])
            replicates.append(
                self._comparison(
                    systems,
                    (a, b),
                    scores,
                    p=self._p(differences, delta, tolerance),
                    seed=self.seed,
                    interval=percentile_interval(delta, differences, level=_LEVEL, seed=self.seed),
                    interval_a=intervals[a],
                    interval_b=intervals[b],
                    **outcomes(differences, tolerance),
                )
            )
        return Joint(replicates, null)


@dataclass(frozen=True)
class Bootstrap(BootstrapTest):
    """Bootstrap test by the shift method: resampled differences, moved to mean 0, against the observed one.

    Graham, Mathur & Baldwin (WMT 2014), Fig. 1 (two sides) and Fig. 3 (one side). Resamples segments and, where a
    system has several runs, runs: its answer then holds for new runs of both systems, not just for these.
    """

    name: ClassVar[str] = "bootstrap"

    formula: str = option("plus-one", choices=tuple(_FORMULAE), text=_FORMULA_TEXT)

    def _p(self, differences: Floats, delta: float, tolerance: float) -> float:
        null = differences - differences.mean()
        count = count_extreme(null, delta, sides=self.sides, tolerance=tolerance)
        return p_value(count, len(null), self.formula)

    def _joint(self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int) -> Joint:
        return self._replicated(systems, values, pairs, n_threads)


@dataclass(frozen=True)
class PairedBootstrap(BootstrapTest):
    """Koehn's paired bootstrap: the share of resampled test sets on which the first system does not win.

    Koehn (EMNLP 2004); Graham, Mathur & Baldwin (WMT 2014), Fig. 4. No null hypothesis is simulated, the cut-off is 0.
    A resample without a winner counts against the first system; `formula="paper"` counts only its losses, as the figure
    does. Two sides: twice the smaller of the two one-sided values.
    """

    name: ClassVar[str] = "paired-bootstrap"

    formula: str = option("plus-one", choices=tuple(_FORMULAE), text=_FORMULA_TEXT)

    def _p(self, differences: Floats, delta: float, tolerance: float) -> float:  # noqa: ARG002
        seen = outcomes(differences, tolerance)
        ties = 0 if self.formula == "paper" else seen["ties"]
        better = p_value(seen["losses"] + ties, seen["trials"], self.formula)
        if self.sides == 1:
            return better
        worse = p_value(seen["wins"] + ties, seen["trials"], self.formula)
        return min(1.0, 2 * min(better, worse))


@dataclass(frozen=True)
class Randomisation(SampledTest):
    """Approximate randomisation: each segment's outputs are exchanged between the systems by the toss of a coin.

    Noreen (1989); Graham, Mathur & Baldwin (WMT 2014), Fig. 2, and with absolute values for two sides. Where systems
    have several runs, each segment's outputs of all runs of both systems are dealt anew (Clark et al., ACL 2011). That
    asks about these runs: a run that is good or bad throughout counts as a property of its system. To generalise to
    new runs, use bootstrap.
    """

    name: ClassVar[str] = "randomisation"

    formula: str = option("plus-one", choices=tuple(_FORMULAE), text=_FORMULA_TEXT)

    def _compare(
        self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int
    ) -> list[Comparison]:
        return self._joint(systems, values, pairs, n_threads).comparisons

    def _joint(self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int) -> Joint:
        scores = mean_scores(systems, values)
        drawn = {"trials": self.trials, "seed": self.seed, "n_threads": n_threads}
        null = np.empty((self.trials, len(pairs)))
        single = [number for number, (a, b) in enumerate(pairs) if len(systems[a]) == len(systems[b]) == 1]
        if single:
            null[:, single] = swapped_differences(systems, values, [pairs[number] for number in single], **drawn)
        for number in sorted(set(range(len(pairs))) - set(single)):
            a, b = pairs[number]
            null[:, number] = dealt_differences(systems[a], systems[b], values, **drawn)
        tests = []
        for (a, b), differences in zip(pairs, null.T, strict=True):
            delta, tolerance = scores[a] - scores[b], slack(scores[a], scores[b])
            count = count_extreme(differences, delta, sides=self.sides, tolerance=tolerance)
            p = p_value(count, self.trials, self.formula)
            seen = outcomes(differences, tolerance)
            tests.append(self._comparison(systems, (a, b), scores, p=p, seed=self.seed, **seen))
        return Joint(tests, null)


@dataclass(frozen=True)
class Permutation(PairedTest):
    """Exact permutation test: every way of exchanging segments between the systems is tried, so p has no error.

    2^n exchanges for n segments; above `limit` segments the test refuses, and approximate randomisation samples them.
    """

    name: ClassVar[str] = "permutation"
    takes_runs: ClassVar[bool] = False

    limit: int = option(20, low=1, text="the largest number of segments to enumerate, 2^limit exchanges")

    def _compare(
        self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int
    ) -> list[Comparison]:
        n = systems[0].shape[1]
        if n > self.limit:
            raise DataError(
                f"An exact permutation test of {n} segments would try 2^{n} exchanges; the limit is {self.limit} "
                "segments. Use the test randomisation, which samples them."
            )
        scores = mean_scores(systems, values)
        tests = []
        for a, b in pairs:
            differences = _all_exchanges(systems[a], systems[b], values, n_threads)
            delta, tolerance = scores[a] - scores[b], slack(scores[a], scores[b])
            p = count_extreme(differences, delta, sides=self.sides, tolerance=tolerance) / len(differences)
            seen = outcomes(differences, tolerance)
            tests.append(self._comparison(systems, (a, b), scores, p=p, seed=None, **seen))
        return tests


def _all_exchanges(a: Floats, b: Floats, values: Values, n_threads: int) -> Floats:
    rows = side_by_side([a, b])
    n, width = a.shape[1:]
    whole_a, whole_b = a[0].sum(axis=0), b[0].sum(axis=0)
    bit = np.arange(n)
    parts = []
    for first, count in pieces(2**n, max(n, rows.shape[1])):
        patterns = np.arange(first, first + count)[:, np.newaxis]
        totals = resample.counted_totals(rows, (patterns >> bit & 1).astype(np.uint16), n_threads=n_threads)
        moved = totals[:, :width] - totals[:, width:]
        parts.append(score_of(values, whole_b + moved, "exchanges") - score_of(values, whole_a - moved, "exchanges"))
    return np.concatenate(parts)
