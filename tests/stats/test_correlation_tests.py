"""Differences of correlations by permutation and bootstrap, and soft pairwise accuracy."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.stats import paired_test
from dragoman.stats.correlation import pearson
from dragoman.stats.correlation_tests import (
    compare_correlations,
    correlation_rows,
    correlation_values,
    permute_correlations,
    win_share,
)
from dragoman.stats.soft import pairwise_p_values, soft_pairwise_accuracy


@given(st.integers(0, 10_000))
def test_r_is_a_function_of_sums(seed: int) -> None:
    rng = np.random.default_rng(seed)
    h, m = rng.normal(size=(2, 12))
    rows = correlation_rows(h * 100, m - 5)
    assert correlation_values(rows.sum(axis=0)[None])[0] == pytest.approx(pearson(h, m))
    drawn = rng.integers(12, size=12)
    assert correlation_values(rows[drawn].sum(axis=0)[None])[0] == pytest.approx(pearson(h[drawn], m[drawn]))
    assert correlation_values(rows[[3] * 12].sum(axis=0)[None])[0] == 0  # one item, twelve times


def test_perm_both_over_all_coin_flips() -> None:
    """With five items all 32 exchanges can be made by hand; the drawn p is close to the exact one."""
    h = np.array([1.0, 2, 3, 4, 5])
    a, b = np.array([1.0, 2, 3, 5, 4]), np.array([3.0, 1, 2, 5, 4])
    za, zb = ((each - each.mean()) / each.std() for each in (a, b))
    observed = pearson(h, a) - pearson(h, b)
    reached = 0
    for coins in product([False, True], repeat=5):
        one, two = np.where(coins, zb, za), np.where(coins, za, zb)
        reached += pearson(h, one) - pearson(h, two) >= observed - 1e-12
    found = permute_correlations("pearson", h, a, b, trials=4000, seed=1)
    assert found.delta == pytest.approx(observed)
    assert found.p == pytest.approx(reached / 32, abs=3 * math.sqrt(0.25 / 4000))
    by_sums = compare_correlations(
        h, {"b": b, "a": a}, test=paired_test("randomisation", sides=1, trials=4000), correction="none"
    )
    assert by_sums.pairs[0].result.p == pytest.approx(reached / 32, abs=3 * math.sqrt(0.25 / 4000))
    assert by_sums.pairs[0].result.delta == pytest.approx(observed)


def test_a_metric_never_beats_itself() -> None:
    rng = np.random.default_rng(4)
    h, m = rng.normal(size=(2, 30))
    assert permute_correlations("spearman", h, m, 2 * m, trials=50).p == 1
    table = rng.normal(size=(5, 20))
    same = win_share("pearson", rng.normal(size=(5, 20)), table, table, trials=100)
    assert (same.wins, same.losses, same.ties, same.share) == (0, 0, 100, 0.0)


def test_a_noisy_copy_loses() -> None:
    rng = np.random.default_rng(7)
    human = rng.normal(size=(12, 44)) * 0.3 + np.arange(12)[:, None] / 6
    good = human + rng.normal(size=human.shape) * 0.3
    noisy = good + rng.normal(size=(12, 1)) * 1.5
    found = win_share("pearson", human, good, noisy, trials=300, seed=3)
    assert found.share > 0.95
    assert found.wins + found.losses + found.ties == 300
    p = permute_correlations("pearson", human.mean(axis=1), good.mean(axis=1), noisy.mean(axis=1), trials=200).p
    assert p < 0.05


def test_wrong_input_is_named() -> None:
    with pytest.raises(DataError, match="scores of a metric are all equal"):
        correlation_rows([1, 2, 3], [1, 1, 1])
    with pytest.raises(DataError, match="scores of people are all equal"):
        correlation_rows([1, 1, 1], [1, 2, 3])
    with pytest.raises(DataError, match="Scores are missing"):
        correlation_rows([1, math.nan, 1], [1, 2, 3])
    with pytest.raises(DataError, match="all three scores"):
        permute_correlations("pearson", [1, 2], [1, 2], [1, math.nan])
    with pytest.raises(DataError, match="human scores are all equal"):
        permute_correlations("pearson", [1, 1], [1, 2], [1, 2])
    with pytest.raises(DataError, match="without missing scores for all three"):
        win_share("pearson", [1, 2], [1, 2], [1, 2])
    with pytest.raises(DataError, match=r"\(systems, segments\) of at least 2 and 1, got \(1, 3\)"):
        pairwise_p_values([[1, 2, 3]])
    with pytest.raises(DataError, match="take the segments that have all"):
        pairwise_p_values([[1, math.nan], [1, 2]])
    with pytest.raises(DataError, match=r"the same translations, got the shapes \(2, 2\) and \(3, 2\)"):
        soft_pairwise_accuracy(np.ones((2, 2)), np.ones((3, 2)))


def test_p_values_of_system_pairs_over_all_coin_flips() -> None:
    """Differences 3, 2, 1, −1: 3 of the 16 sign patterns reach 5 (Graham, Mathur & Baldwin's example as a mean)."""
    scores = np.array([[3.0, 2, 1, -1], [0, 0, 0, 0], [3, 2, 1, -1]])
    p = pairwise_p_values(scores, trials=8000, seed=3)
    assert p[0, 1] == pytest.approx(3 / 16, abs=3 * math.sqrt(3 / 16 * 13 / 16 / 8000))
    assert p[0, 2] == 1  # equal systems: every shuffle reaches 0

    naive = sum(np.dot(signs, scores[1] - scores[2]) >= -5 for signs in product([1, -1], repeat=4)) / 16
    assert p[1, 2] == pytest.approx(naive, abs=0.02)
    assert np.isnan(p[np.tril_indices(3)]).all()
    for n_threads in (2, 7):
        assert pairwise_p_values(scores, trials=8000, seed=3, n_threads=n_threads) == pytest.approx(p, nan_ok=True)


def test_soft_accuracy_is_one_for_the_same_confidence() -> None:
    rng = np.random.default_rng(5)
    human = rng.normal(size=(5, 50)) + np.arange(5)[:, None] * 0.2
    same = soft_pairwise_accuracy(human, 3 * human + 1, trials=200)
    assert (same.accuracy, same.n_pairs, same.n_segments) == (1.0, 10, 50)
    turned = soft_pairwise_accuracy(human, -human, trials=200)
    assert turned.accuracy < 0.5
    human[2, :10] = np.nan
    assert soft_pairwise_accuracy(human, np.nan_to_num(human), trials=20).n_segments == 40
    human[3, 10:] = np.nan
    with pytest.raises(DataError, match="a segment of which people and metric scored every system"):
        soft_pairwise_accuracy(human, human)
