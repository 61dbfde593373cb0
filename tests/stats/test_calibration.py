"""Calibration: what a p-value and an interval promise, checked on simulated test sets with fixed seeds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import kstest

from dragoman.stats import bootstrap_interval, effect_size, paired_test
from tests.stats.made import Floats, counts, ratio

REPETITIONS = 600
N = 120


def null_pair(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Two systems of one quality, alike on hard and easy segments, neither better."""
    length = rng.integers(5, 40, size=N)
    share = rng.beta(6, 4, size=N)
    return tuple(  # type: ignore[return-value]
        np.stack([rng.binomial(length, np.clip(share + rng.normal(0, 0.1, N), 0, 1)), length], axis=1).astype(float)
        for _ in range(2)
    )


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("name", ["bootstrap", "paired-bootstrap", "randomisation", "t", "wilcoxon"])
def test_p_values_are_uniform_when_neither_system_is_better(name: str, sides: int) -> None:
    rng = np.random.default_rng(2014)
    test = paired_test(name, sides=sides, **({} if name in {"t", "wilcoxon"} else {"trials": 400}))
    p = np.array([test.compare(*null_pair(rng), ratio).p for _ in range(REPETITIONS)])
    assert kstest(p, "uniform").pvalue > 0.01
    # 5 % ± 3 standard errors.
    assert abs(np.mean(p <= 0.05) - 0.05) < 3 * math.sqrt(0.05 * 0.95 / REPETITIONS)


def test_sign_and_permutation_keep_their_level() -> None:
    # Discrete p-values are not uniform; they promise P(p ≤ α) ≤ α.
    rng = np.random.default_rng(2014)
    for name, n in (("sign", N), ("permutation", 8)):
        p = [paired_test(name).compare(*(rows[:n] for rows in null_pair(rng)), ratio).p for _ in range(REPETITIONS)]
        for alpha in (0.01, 0.05, 0.1, 0.2):
            assert np.mean(np.array(p) <= alpha) <= alpha + 3 * math.sqrt(alpha / REPETITIONS)


def test_the_tools_formulae_are_close_to_one_sided() -> None:
    # Why they are not the default: absolute differences less their mean leave one tail out.
    rng = np.random.default_rng(2014)
    alarms = {"bootstrap": 0, "moses": 0, "sacrebleu-bs": 0}
    for _ in range(REPETITIONS):
        pair = null_pair(rng)
        for name in alarms:
            alarms[name] += paired_test(name, trials=200).compare(*pair, ratio).p <= 0.05
    assert alarms["moses"] > 1.3 * alarms["bootstrap"]
    assert alarms["sacrebleu-bs"] > 1.3 * alarms["bootstrap"]


def test_intervals_cover_the_truth() -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(REPETITIONS):
        found = bootstrap_interval(counts(rng, N, 0.6), ratio, trials=400)
        covered += found.low <= 60 <= found.high
    assert abs(covered / REPETITIONS - 0.95) < 3 * math.sqrt(0.05 * 0.95 / REPETITIONS)


def test_effects_cover_the_true_difference() -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(REPETITIONS):
        found = effect_size(counts(rng, N, 0.6), counts(rng, N, 0.55), ratio, level=0.9, trials=400)
        covered += found.low <= 5 <= found.high
    assert abs(covered / REPETITIONS - 0.9) < 3 * math.sqrt(0.1 * 0.9 / REPETITIONS)
