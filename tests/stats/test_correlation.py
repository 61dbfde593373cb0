"""Correlations against SciPy and the naive definitions."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.stats.concordance import count_concordance
from dragoman.stats.correlation import (
    CORRELATIONS,
    complete,
    correlate,
    fisher_interval,
    kendall,
    pairwise_accuracy,
    pearson,
    pearson_matrix,
    spearman,
)
from dragoman.stats.correlation_batches import correlate_rows
from dragoman.stats.correlation_tests import bootstrap_correlation

# Few distinct values, so that ties are the rule.
PAIRS = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=30)

# SAGAN, WMT 2012, Table 1: human and metric scores of 15 systems, en-es of 2010, as printed.
SAGAN_HUMAN = [0.72, 0.72, 0.66, 0.67, 0.66, 0.63, 0.60, 0.61, 0.51, 0.60, 0.50, 0.51, 0.47, 0.16, 0.17]
SAGAN_METRIC = [0.71, 0.71, 0.70, 0.69, 0.69, 0.69, 0.69, 0.69, 0.68, 0.68, 0.68, 0.68, 0.67, 0.59, 0.58]


def same(found: float, expected: float) -> bool:
    return (math.isnan(found) and math.isnan(expected)) or found == pytest.approx(expected, abs=1e-12)


@given(PAIRS)
def test_kendall_and_spearman_are_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=float).T
    assert same(kendall(x, y), float(scipy.stats.kendalltau(x, y).statistic))
    assert same(kendall(x, y, "c"), float(scipy.stats.kendalltau(x, y, variant="c").statistic))
    if np.ptp(x) and np.ptp(y):
        assert same(spearman(x, y), float(scipy.stats.spearmanr(x, y).statistic))
        assert same(pearson(x, y), float(scipy.stats.pearsonr(x, y).statistic))
    else:
        assert math.isnan(spearman(x, y))
        assert math.isnan(pearson(x, y))


@given(PAIRS)
def test_pairs_are_counted_as_one_would_by_hand(pairs: list[tuple[int, int]]) -> None:
    found = count_concordance(*np.array(pairs, dtype=float).T)
    naive = {"concordant": 0, "discordant": 0, "ties_human": 0, "ties_metric": 0, "ties_both": 0}
    for (h1, m1), (h2, m2) in combinations(pairs, 2):
        h, m = (h1 > h2) - (h1 < h2), (m1 > m2) - (m1 < m2)
        if h and m:
            naive["concordant" if h == m else "discordant"] += 1
        else:
            naive["ties_both" if not h and not m else "ties_metric" if h else "ties_human"] += 1
    assert vars(found) == naive
    assert found.n_pairs == len(pairs) * (len(pairs) - 1) // 2
    assert same(kendall(*np.array(pairs).T, "a"), found.difference / found.n_pairs)
    right = naive["concordant"] + naive["ties_both"]
    assert same(pairwise_accuracy(*np.array(pairs).T), right / found.n_pairs)


def test_a_long_vector_is_counted_as_scipy_counts_it() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=20_000)
    y = np.round(x + rng.normal(size=20_000), 2)
    assert kendall(x, y) == pytest.approx(scipy.stats.kendalltau(x, y).statistic, abs=1e-12)


def test_sagans_table() -> None:
    """Spearman .947, Pearson .971, τ-b .870 from the printed values (the paper's .96 is from unrounded ones)."""
    assert spearman(SAGAN_HUMAN, SAGAN_METRIC) == pytest.approx(0.947, abs=0.0005)
    assert pearson(SAGAN_HUMAN, SAGAN_METRIC) == pytest.approx(0.971, abs=0.0005)
    assert kendall(SAGAN_HUMAN, SAGAN_METRIC) == pytest.approx(0.870, abs=0.0005)


@pytest.mark.parametrize("name", CORRELATIONS)
def test_order_of_the_items_and_scale_do_not_matter(name: str) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 40))
    order = rng.permutation(40)
    assert correlate(name, x, y) == pytest.approx(correlate(name, x[order], 3 * y[order] + 7))


@pytest.mark.parametrize("name", CORRELATIONS)
def test_too_few_items_and_equal_scores_are_not_defined(name: str) -> None:
    assert math.isnan(correlate(name, [], []))
    assert math.isnan(correlate(name, [1.0], [2.0]))
    if name not in ("accuracy", "kendall-a"):  # these have a defined value: ties are pairs too
        assert math.isnan(correlate(name, [1, 1, 1], [1, 2, 3]))
        # Equal scores whose mean is not one of them in floating point.
        assert math.isnan(correlate(name, [0.1] * 3, [1, 2, 3]))


def test_missing_scores_are_not_zero() -> None:
    scores = [1.0, math.nan, 3.0, 4.0]
    with pytest.raises(DataError, match="Scores are missing"):
        pearson(scores, [1, 2, 3, 4])
    assert complete(scores, [1, 2, 3, math.nan]).tolist() == [True, False, True, False]
    with pytest.raises(DataError, match="Scores are missing"):
        pearson_matrix([scores])


def test_wrong_input_is_named() -> None:
    with pytest.raises(DataError, match=r"same items, got the shapes \(2,\), \(3,\)"):
        pearson([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="infinite at 2; a missing score is NaN"):
        spearman([1, math.inf], [1, 2])
    with pytest.raises(DataError, match="two lists of scores"):
        pearson([[1, 2]], [[1, 2]])
    with pytest.raises(DataError, match=r"\(scorers, items\), got the shape \(2,\)"):
        pearson_matrix([1, 2])
    with pytest.raises(UnknownName, match="No τ is called 'd'"):
        kendall([1, 2], [1, 2], "d")
    with pytest.raises(UnknownName, match=r"No correlation is called 'peerson'. Known: pearson, spearman"):
        correlate("peerson", [1, 2], [1, 2])
    with pytest.raises(DataError, match="Pairs are counted in two lists"):
        count_concordance([1, 2], [1])


def test_fishers_interval() -> None:
    # SciPy's own interval is Fisher's.
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 14))
    expected = scipy.stats.pearsonr(x, y).confidence_interval()
    assert fisher_interval(pearson(x, y), 14) == pytest.approx(tuple(expected))
    assert all(map(math.isnan, fisher_interval(0.5, 3)))
    assert all(map(math.isnan, fisher_interval(math.nan, 30)))
    assert fisher_interval(1.0, 10) == (1.0, 1.0)


def test_bootstrap_intervals_of_a_correlation() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=60)
    y = x + rng.normal(size=60)
    found = bootstrap_correlation("spearman", x, y, trials=300, seed=2)
    assert found is not None
    assert found == bootstrap_correlation("spearman", x, y, trials=300, seed=2)
    assert found.low < found.score < found.high
    assert found.score == pytest.approx(spearman(x, y))
    assert bootstrap_correlation("pearson", [1, 1, 1], [1, 2, 3]) is None


@pytest.mark.parametrize("name", CORRELATIONS)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 130])
def test_many_resamples_at_once_are_one_after_the_other(name: str, n: int) -> None:
    rng = np.random.default_rng(8)
    human, metric = rng.integers(0, 4, size=(2, 60, n)).astype(float)
    found = correlate_rows(name, human, metric)
    assert found == pytest.approx([correlate(name, h, m) for h, m in zip(human, metric, strict=True)], nan_ok=True)
