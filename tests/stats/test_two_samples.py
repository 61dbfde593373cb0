"""The tests of two samples agree with SciPy's, and have defined answers where there is no spread."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as peer

from dragoman.errors import DataError
from dragoman.stats import rank_sum_test, welch_test

values = st.lists(st.integers(0, 100).map(float), min_size=2, max_size=30)
SIDES = {1: "greater", 2: "two-sided"}


@given(values, values, st.sampled_from([1, 2]))
def test_rank_sums_agree_with_scipy(a: list[float], b: list[float], sides: int) -> None:
    ours = rank_sum_test(a, b, sides=sides)
    if len({*a, *b}) == 1:
        assert ours.p == 1.0
        return
    theirs = peer.mannwhitneyu(a, b, use_continuity=False, alternative=SIDES[sides], method="asymptotic")
    assert ours.statistic == theirs.statistic
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.filterwarnings("ignore:Precision loss")  # SciPy's, where one sample has no spread
@given(values, values, st.sampled_from([1, 2]))
def test_welch_agrees_with_scipy(a: list[float], b: list[float], sides: int) -> None:
    ours = welch_test(a, b, sides=sides)
    if len(set(a)) == len(set(b)) == 1:
        assert ours.p == (0.0 if a[0] > b[0] or (a[0] < b[0] and sides == 2) else 1.0)
        assert math.isinf(ours.statistic) == (a[0] != b[0])
        return
    theirs = peer.ttest_ind(a, b, equal_var=False, alternative=SIDES[sides])
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)
    assert ours.df == pytest.approx(theirs.df)


def test_bad_samples_are_named() -> None:
    with pytest.raises(DataError, match=r"^The second sample must be a list of at least 2 numbers, got 1 values\.$"):
        welch_test([1, 2], [3])
    with pytest.raises(DataError, match=r"^The first sample .* got values that are not finite numbers\.$"):
        rank_sum_test([math.nan], [3])
    with pytest.raises(DataError, match=r"^A test has 1 or 2 sides, got 3\.$"):
        rank_sum_test([1], [3], sides=3)
