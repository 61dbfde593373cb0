"""Williams' test by hand, and what the matrix of all pairs keeps."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.stats.correlation import pearson
from dragoman.stats.williams import significance_clusters, williams_matrix, williams_test


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "t", "p"),
    [
        (0.9, 0.95, 0.85, 12, 2.130797, 0.030971),
        (0.7, 0.95, 0.85, 12, 1.768966, 0.055343),
        (0.9, 0.7, 0.6, 100, 3.094884, 0.001287),
        (0.5, 0.7, 0.6, 100, 1.450302, 0.075100),
    ],
)
def test_worked_values(r12: float, r13: float, r23: float, n: int, t: float, p: float) -> None:
    found = williams_test(r12, r13, r23, n)
    assert found.t == pytest.approx(t, abs=1e-6)
    assert found.p == pytest.approx(p, abs=1e-6)
    assert (found.df, found.n) == (n - 3, n)
    mirrored = williams_test(r12, r23, r13, n)
    assert (mirrored.t, mirrored.p) == (pytest.approx(-found.t), pytest.approx(1 - found.p))
    assert williams_test(r12, r13, r23, n, df="n-2").p == pytest.approx(float(scipy.stats.t.sf(found.t, n - 2)))


def test_the_same_metric_twice_is_no_better_than_itself() -> None:
    assert (williams_test(1.0, 0.8, 0.8, 10).t, williams_test(1.0, 0.8, 0.8, 10).p) == (0.0, 0.5)
    scores = np.array([[1.0, 2, 3, 4, 7], [10.0, 20, 30, 40, 70]])
    matrix = williams_matrix(scores, [1, 3, 2, 5, 9])
    # Their correlations may differ in the last digit; a p of one half is all that may come of it.
    assert not np.any(matrix.p < 0.49)


def test_impossible_input_is_named() -> None:
    with pytest.raises(DataError, match=r"No scores can have the correlations r12 = 0.5000, r13 = 0.9500.*Negate"):
        williams_test(0.5, 0.95, 0.85, 20)
    with pytest.raises(DataError, match="at least 4 systems that both metrics scored, got 3"):
        williams_test(0.9, 0.8, 0.7, 3)
    with pytest.raises(DataError, match=r"between −1 and 1, got r13 = 1.2"):
        williams_test(0.9, 1.2, 0.7, 12)
    with pytest.raises(DataError, match="degrees of freedom are n-3 or n-2, got 'n'"):
        williams_test(0.9, 0.8, 0.7, 12, df="n")
    with pytest.raises(DataError, match="at least 4 systems that both metrics scored, got 3"):
        williams_matrix([[1, 2, 3], [3, 1, 2]], [1, 2, 3])
    with pytest.raises(DataError, match=r"same systems, got \(2, 3\) and \(4,\)"):
        williams_matrix([[1, 2, 3], [3, 1, 2]], [1, 2, 3, 4])
    with pytest.raises(UnknownName, match="No correction is called 'bonferroni'"):
        williams_matrix(np.eye(3, 5), [1, 2, 3, 4, 5], correction="bonferroni")


@given(st.integers(0, 10_000))
def test_the_matrix_is_the_test_pair_by_pair(seed: int) -> None:
    rng = np.random.default_rng(seed)
    human = rng.normal(size=9)
    metrics = human * rng.uniform(0, 2, size=(4, 1)) + rng.normal(size=(4, 9))
    matrix = williams_matrix(metrics, human)
    signed = [row if pearson(row, human) >= 0 else -row for row in metrics]
    for a in range(4):
        for b in range(4):
            r13, r23 = pearson(signed[a], human), pearson(signed[b], human)
            if a == b or r13 < r23:
                assert math.isnan(matrix.p[a, b])
            else:
                expected = williams_test(pearson(signed[a], signed[b]), r13, r23, 9)
                assert matrix.p[a, b] == pytest.approx(expected.p)
                assert matrix.t[a, b] == pytest.approx(expected.t)
    # Scaling or negating one metric's scores leaves everything as it was.
    turned = metrics * np.array([[1], [-3], [1], [0.5]])
    assert williams_matrix(turned, human).p == pytest.approx(matrix.p, nan_ok=True)
    assert (1 in williams_matrix(turned, human).reversed) != (1 in matrix.reversed)


def test_missing_scores_cost_their_pairs_and_no_more() -> None:
    rng = np.random.default_rng(2)
    human = rng.normal(size=10)
    metrics = human + rng.normal(size=(3, 10))
    whole = williams_matrix(metrics, human)
    holes = metrics.copy()
    holes[2, :3] = np.nan
    found = williams_matrix(holes, human)
    assert found.p[:2, :2] == pytest.approx(whole.p[:2, :2], nan_ok=True)
    assert found.n.tolist() == [[0, 10, 7], [10, 0, 7], [7, 7, 0]]
    shorter = williams_matrix(metrics[[0, 2]][:, 3:], human[3:])
    assert found.p[np.ix_([0, 2], [0, 2])] == pytest.approx(shorter.p, nan_ok=True)
    # A system that people did not judge is left out everywhere.
    longer = williams_matrix(np.c_[metrics, [9.0, 9, 9]], np.r_[human, np.nan])
    assert longer.p == pytest.approx(whole.p, nan_ok=True)
    # A pair with three systems in common has no test; the others keep theirs.
    holes[2, :7] = np.nan
    assert np.count_nonzero(~np.isnan(williams_matrix(holes, human).p)) == 1


def test_equal_scores_have_no_correlation() -> None:
    found = williams_matrix([[0.1] * 5, [1, 2, 3, 4, 6], [2, 1, 3, 4, 5]], [1, 2, 3, 4, 5])
    assert math.isnan(found.r[0])
    assert np.isnan(found.p[0]).all()
    assert np.isnan(found.p[:, 0]).all()
    assert np.count_nonzero(~np.isnan(found.p)) == 1


def test_correction_is_for_all_pairs() -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(size=15)
    metrics = human + rng.normal(size=(5, 15)) * np.array([[0.1], [0.5], [1], [2], [3]])
    plain, holm = (williams_matrix(metrics, human, correction=name) for name in ("none", "holm"))
    assert holm.n_pairs == 10
    assert holm.significant() <= plain.significant()
    assert np.nanmin(holm.p_adjusted) == pytest.approx(min(1, 10 * np.nanmin(plain.p)))
    assert holm.p == pytest.approx(plain.p, nan_ok=True)


def test_clusters_by_the_rule_of_2022() -> None:
    nan = np.nan
    #        a    b    c    d: d is worse than a, but a stands in the first cluster and d in the second with c
    p = [[nan, 0.2, 0.01, 0.001], [nan, nan, 0.3, 0.2], [nan, nan, nan, 0.4], [nan] * 4]
    assert significance_clusters([0, 1, 2, 3], p) == [1, 1, 2, 2]
    assert significance_clusters([0, 1, 2, 3], p, alpha=0.001) == [1, 1, 1, 2]
    assert significance_clusters([], np.zeros((0, 0))) == []
    with pytest.raises(DataError, match="alpha must lie between 0 and 1"):
        significance_clusters([0], [[nan]], alpha=0)
