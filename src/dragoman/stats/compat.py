"""Tests that follow another tool's formula, so that its p-values can be compared or repeated.

sacreBLEU defines its draws (NumPy's default generator on a seed), so its p-values, means and intervals come out here
for the same seed; its resampled sums and scores are in single precision, so means and widths agree to about 1e-5 and a
p-value could differ only by a trial that close to the cut. (It takes seed 0 for no seed; here 0 is a seed.) Moses
(Perl's generator, unseeded) and MultEval (Java's, unseeded) have no draws to repeat: theirs is the formula, the draws
are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman._core import resample
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.stats.arrays import Floats, Values, check_trials, run_scores, score_of, systems_of
from dragoman.stats.base import Comparison, SampledTest, mean_scores, outcomes, slack
from dragoman.stats.interval import Interval, percentile_interval
from dragoman.stats.replicates import pieces, side_by_side, swapped_differences
from dragoman.stats.resampling import BootstrapTest

__all__ = ["Moses", "MultEval", "SacrebleuBootstrap", "SacrebleuRandomisation", "sacrebleu_intervals"]

_STRICT = "Only strictly larger differences count: equal systems get the smallest p there is, 1/(trials + 1)."


_KEPT = 1 << 25  # counts of one set of samples that are kept for the next metric: 64 MB


def _counts(generator: np.random.Generator, trials: int, n: int) -> NDArray[np.uint16]:
    """How often each of n segments is in each sample, drawn as sacreBLEU draws."""
    counts = np.empty((trials, n), dtype=np.uint16)
    # NumPy spends one draw an index, so it can be asked for one sample after the other: they stay in the cache.
    for sample in counts:
        sample[:] = np.bincount(generator.choice(n, size=n, replace=True), minlength=n)
    return counts


@lru_cache(maxsize=1)
def _kept_counts(seed: int, trials: int, n: int) -> NDArray[np.uint16]:
    """The first samples of a seed: sacreBLEU draws them once for all metrics, and so do we."""
    counts = _counts(np.random.default_rng(seed), trials, n)
    counts.flags.writeable = False
    return counts


def _numpy_bootstrap(
    systems: Sequence[Floats], values: Values, source: int | np.random.Generator, trials: int, n_threads: int
) -> Floats:
    """The scores of sacreBLEU's samples, from a seed or from where a generator stands: (trials, systems)."""
    rows = side_by_side(systems)
    n, n_statistics = systems[0].shape[1:]
    draws = _kept_counts(source, trials, n) if isinstance(source, int) and trials * n <= _KEPT else None
    generator = np.random.default_rng(source)  # a generator is passed through
    parts = []
    for first, count in pieces(trials, max(n, rows.shape[1])):
        counts = _counts(generator, count, n) if draws is None else draws[first : first + count]
        totals = resample.counted_totals(rows, counts, n_threads=n_threads)
        parts.append(score_of(values, totals.reshape(count, -1, n_statistics), "resamples"))
    return np.concatenate(parts)


def _numpy_swaps(
    systems: Sequence[Floats],
    values: Values,
    pairs: Sequence[tuple[int, int]],
    generator: np.random.Generator,
    trials: int,
    n_threads: int,
) -> Floats:
    """The differences after sacreBLEU's coin flips: (trials, pairs). True keeps the baseline's segment."""
    rows = side_by_side(systems)
    n, n_statistics = systems[0].shape[1:]
    whole = [system[0].sum(axis=0) for system in systems]
    result = np.empty((trials, len(pairs)))
    # NumPy takes 32 coins from a draw and drops the rest at the end of a call; pieces are multiples of 32 trials.
    for first, count in pieces(trials, max(n, rows.shape[1])):
        swaps: NDArray[np.bool_] = generator.integers(2, size=(count, n), dtype=bool)
        totals = resample.counted_totals(rows, swaps.astype(np.uint16), n_threads=n_threads)
        totals = totals.reshape(count, -1, n_statistics)
        for number, (a, b) in enumerate(pairs):
            moved = totals[:, b] - totals[:, a]
            result[first : first + count, number] = score_of(values, whole[a] + moved, "shuffles") - score_of(
                values, whole[b] - moved, "shuffles"
            )
    return result


def sacrebleu_intervals(
    systems: Sequence[ArrayLike], values: Values, *, trials: int = 1000, seed: int = 12345, n_threads: int = 1
) -> list[Interval]:
    """The 95 % intervals that sacreBLEU's `--confidence` gives for the same seed: mean ± half_width."""
    check_trials(trials)
    checked = systems_of(systems)
    if any(len(system) > 1 for system in checked):
        raise DataError("sacreBLEU's intervals take one run per system; use bootstrap_intervals for several.")
    scores = _numpy_bootstrap(checked, values, seed, trials, n_threads)
    return [
        percentile_interval(run_scores(system, values)[0], column, level=0.95, seed=seed)
        for system, column in zip(checked, scores.T, strict=True)
    ]


@dataclass(frozen=True)
class SacrebleuBootstrap(BootstrapTest):
    """What `sacrebleu --paired-bs` prints: its draws, its formula, hence its p-values, means and intervals.

    Moses' formula with a strict comparison and (c + 1)/(R + 1): |differences| less their mean against |delta|. Shifting
    absolute values leaves out one tail (Graham, Mathur & Baldwin, WMT 2014), so it is close to a one-sided p; the test
    `bootstrap` is the sound one.
    """

    name: ClassVar[str] = "sacrebleu-bs"
    two_sided_only: ClassVar[bool] = True
    leaves_out_a_tail: ClassVar[bool] = True
    takes_runs: ClassVar[bool] = False
    quirk: ClassVar[str] = _STRICT

    trials: int = option(1000, low=1, text="sacreBLEU's --paired-bs-n")

    def _resampled(self, systems: list[Floats], values: Values, n_threads: int) -> Floats:
        return _numpy_bootstrap(systems, values, self.seed, self.trials, n_threads)

    def _p(self, differences: Floats, delta: float, tolerance: float) -> float:
        sizes = np.abs(differences)
        count = int(np.count_nonzero(sizes - sizes.mean() > abs(delta) + tolerance))
        return (count + 1) / (len(sizes) + 1)


@dataclass(frozen=True)
class SacrebleuRandomisation(SampledTest):
    """What `sacrebleu --paired-ar` prints: its coins, its formula, hence its p-values.

    Two-sided approximate randomisation with a strict comparison and (c + 1)/(R + 1). The baseline is the second system.
    """

    name: ClassVar[str] = "sacrebleu-ar"
    two_sided_only: ClassVar[bool] = True
    takes_runs: ClassVar[bool] = False
    quirk: ClassVar[str] = _STRICT

    confidence: int = option(0, low=0, text="sacreBLEU's --paired-ar-confidence-n; 0: no intervals")

    def _compare(
        self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int
    ) -> list[Comparison]:
        scores = mean_scores(systems, values)
        generator = np.random.default_rng(self.seed)
        differences = _numpy_swaps(systems, values, pairs, generator, self.trials, n_threads)
        tests = []
        for (a, b), column in zip(pairs, differences.T, strict=True):
            tolerance = slack(scores[a], scores[b])
            count = int(np.count_nonzero(np.abs(column) > abs(scores[a] - scores[b]) + tolerance))
            p = (count + 1) / (self.trials + 1)
            seen = outcomes(column, tolerance)
            tests.append(self._comparison(systems, (a, b), scores, p=p, seed=self.seed, **seen))
        if not self.confidence:
            return tests
        # sacreBLEU takes a system's resamples after its coins from one generator, the baseline's from a new one.
        later = _numpy_bootstrap(systems, values, generator, self.confidence, n_threads)
        fresh = _numpy_bootstrap(systems, values, self.seed, self.confidence, n_threads)
        of_system, of_baseline = (
            [percentile_interval(s, column, level=0.95, seed=self.seed) for s, column in zip(scores, r.T, strict=True)]
            for r in (later, fresh)
        )
        return [
            replace(comparison, interval_a=of_system[a], interval_b=of_baseline[b])
            for comparison, (a, b) in zip(tests, pairs, strict=True)
        ]


@dataclass(frozen=True)
class Moses(BootstrapTest):
    """The formula of Moses' bootstrap-hypothesis-difference-significance.pl, after Riezler & Maxwell (2005).

    |differences| less their mean, at least |delta|, c/R. Close to a one-sided p, see `sacrebleu-bs`. Perl's draws
    cannot be repeated; these are ours.
    """

    name: ClassVar[str] = "moses"
    two_sided_only: ClassVar[bool] = True
    leaves_out_a_tail: ClassVar[bool] = True
    takes_runs: ClassVar[bool] = False

    trials: int = option(1000, low=1, text="how many times to draw")

    def _p(self, differences: Floats, delta: float, tolerance: float) -> float:
        sizes = np.abs(differences)
        return int(np.count_nonzero(sizes - sizes.mean() >= abs(delta) - tolerance)) / len(sizes)


@dataclass(frozen=True)
class MultEval(SampledTest):
    """MultEval's stratified approximate randomisation: runs pooled, each run's segment exchanged by a coin.

    Clark et al. (ACL 2011); formula of MultEval 0.5: two sides, strictly larger differences, (c + 1)/(R + 1), one score
    from the summed statistics of all runs. Java's draws cannot be repeated; these are ours.
    """

    name: ClassVar[str] = "multeval"
    two_sided_only: ClassVar[bool] = True
    quirk: ClassVar[str] = _STRICT

    def _compare(
        self, systems: list[Floats], values: Values, pairs: Sequence[tuple[int, int]], n_threads: int
    ) -> list[Comparison]:
        if len({len(system) for system in systems}) > 1:
            counts = ", ".join(str(len(system)) for system in systems)
            raise DataError(f"MultEval compares systems with the same number of runs, got {counts}; use randomisation.")
        pooled = [system.reshape(1, -1, system.shape[2]) for system in systems]
        scores = mean_scores(pooled, values)
        differences = swapped_differences(
            pooled, values, pairs, trials=self.trials, seed=self.seed, n_threads=n_threads
        )
        tests = []
        for (a, b), column in zip(pairs, differences.T, strict=True):
            tolerance = slack(scores[a], scores[b])
            count = int(np.count_nonzero(np.abs(column) > abs(scores[a] - scores[b]) + tolerance))
            p = (count + 1) / (self.trials + 1)
            tests.append(self._comparison(systems, (a, b), scores, p=p, seed=self.seed, **outcomes(column, tolerance)))
        return tests
