"""Intervals: the index rule, several systems on one set of draws, exact proportions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from dragoman.errors import DataError
from dragoman.rng import Stream
from dragoman.stats import bootstrap_interval, bootstrap_intervals, clopper_pearson
from dragoman.stats.interval import percentile_interval
from tests.stats.made import counts, mean, ratio, scores


def test_the_interval_is_that_of_the_streams_resamples() -> None:
    rows = counts(np.random.default_rng(0), 30, 0.5)
    stream = Stream(7, "bootstrap")
    replicates = []
    for trial in range(100):
        drawn = [(int(bits) * 30) >> 64 for bits in stream.bits(30, start=trial * 30)]
        replicates.append(ratio(rows[drawn].sum(axis=0)[None])[0])
    found = bootstrap_interval(rows, ratio, trials=100, seed=7)
    assert found.score == ratio(rows.sum(axis=0)[None])[0]
    assert found.mean == pytest.approx(np.mean(replicates))
    assert (found.low, found.high) == (sorted(replicates)[2], sorted(replicates)[97])
    assert (found.level, found.trials, found.seed) == (0.95, 100, 7)
    assert type(found.low) is type(found.mean) is float


@pytest.mark.parametrize(
    ("level", "trials", "low", "high"),
    [
        (0.95, 1000, 25, 974),
        (0.95, 39, 0, 38),
        (0.95, 40, 1, 38),
        (0.9, 20, 1, 18),
        (0.8, 10, 1, 8),
        (0.99, 1000, 5, 994),
        (0.95, 1, 0, 0),
    ],
)
def test_the_bounds_are_order_statistics(level: float, trials: int, low: int, high: int) -> None:
    found = percentile_interval(0, np.arange(float(trials))[::-1].copy(), level=level, seed=1)
    assert (found.low, found.high) == (low, high)


def test_systems_share_the_resamples() -> None:
    rng = np.random.default_rng(0)
    a, b = counts(rng, 30, 0.5), counts(rng, 30, 0.6)
    together = bootstrap_intervals([a, b, a], ratio, trials=50)
    assert together == [bootstrap_interval(rows, ratio, trials=50) for rows in (a, b, a)]
    assert together == bootstrap_intervals([a, b, a], ratio, trials=50, n_threads=3)


def test_equal_rows_have_an_interval_of_no_width() -> None:
    found = bootstrap_interval(scores(4, 4, 4), mean, trials=20)
    assert (found.low, found.mean, found.high) == (4, 4, 4)


# Graham, Mathur & Baldwin (WMT 2014), Tables 2–3: correct conclusions of 66 (es-en) and of 55 (en-es) pairs, in %.
TABLE = {
    66: {48: (72.7, 60.4, 83.0), 50: (75.8, 63.6, 85.5), 51: (77.3, 65.3, 86.7), 52: (78.8, 67.0, 87.9)}
    | {53: (80.3, 68.7, 89.1), 54: (81.8, 70.4, 90.2)},
    55: {30: (54.5, 40.6, 68.0), 31: (56.4, 42.3, 69.7), 32: (58.2, 44.1, 71.3), 33: (60.0, 45.9, 73.0)}
    | {34: (61.8, 47.7, 74.6)},
}


@pytest.mark.parametrize(("n", "successes"), [(n, k) for n, rows in TABLE.items() for k in rows])
def test_published_proportions(n: int, successes: int) -> None:
    found = clopper_pearson(successes, n)
    assert (100 * found.share, 100 * found.low, 100 * found.high) == pytest.approx(TABLE[n][successes], abs=0.05)


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (5, 5), (1, 7), (3, 1000)])
def test_proportions_are_scipys(successes: int, n: int) -> None:
    expected = binomtest(successes, n).proportion_ci(0.9)
    found = clopper_pearson(successes, n, level=0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_proportions_are_refused(successes: int, n: int) -> None:
    with pytest.raises(DataError, match=f"got {successes} of {n}"):
        clopper_pearson(successes, n)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_impossible_levels_are_refused(level: float) -> None:
    with pytest.raises(DataError, match="level must lie between 0 and 1, got"):
        bootstrap_interval(scores(1, 2), mean, level=level)
    with pytest.raises(DataError, match="level must lie between 0 and 1, got"):
        clopper_pearson(1, 2, level=level)


@pytest.mark.parametrize("trials", [0, -3])
def test_no_trials_are_refused(trials: int) -> None:
    with pytest.raises(DataError, match=f"At least one trial is needed, got {trials}"):
        bootstrap_interval(scores(1, 2), mean, trials=trials)


def test_no_systems_are_refused() -> None:
    with pytest.raises(DataError, match="no systems to look at"):
        bootstrap_intervals([], mean)
