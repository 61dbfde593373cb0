"""Corrections against hand-worked examples, statsmodels and naive definitions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.stats import adjust, benjamini_hochberg, holm, max_t

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_worked_example() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    # Holm: .005×4, .01×3, .03×2, then .04×1 raised to .06. Benjamini–Hochberg: .005×4/1, .01×4/2, .03×4/3, .04×4/4.
    np.testing.assert_allclose(holm(p), [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(benjamini_hochberg(p), [0.02, 0.04, 0.04, 0.02])


def test_as_statsmodels() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of packages that it imports
        from statsmodels.stats.multitest import multipletests
    rng = np.random.default_rng(0)
    for n in range(1, 40):
        p = np.round(rng.uniform(size=n) ** 3, 2)  # small values and ties
        np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])
        np.testing.assert_allclose(benjamini_hochberg(p), multipletests(p, method="fdr_bh")[1])


@given(P_VALUES)
def test_adjusted_values_keep_the_order_and_stay_in_bounds(p: list[float]) -> None:
    for correction in (holm, benjamini_hochberg):
        adjusted = correction(p)
        order = np.argsort(p, kind="stable")
        assert np.all(np.diff(adjusted[order]) >= 0)
        assert np.all(adjusted >= p)
        assert np.all(adjusted <= 1)


def naive_max_t(observed: np.ndarray, null: np.ndarray) -> np.ndarray:
    scale = np.sqrt((null**2).mean(0))
    t, z = np.abs(observed) / scale, np.abs(null) / scale
    adjusted = np.zeros(len(t))
    for number in range(len(t)):
        # Step-down: the value of a pair is the largest among all pairs with a t at least its own.
        steps = []
        for other in range(len(t)):
            if t[other] >= t[number]:
                rest = [k for k in range(len(t)) if t[k] <= t[other]]
                steps.append((sum(z[:, rest].max(axis=1) >= t[other]) + 1) / (len(z) + 1))
        adjusted[number] = max(steps)
    return adjusted


def test_max_t_is_its_definition() -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        null = rng.normal(size=(99, 5)) * [1, 2, 3, 4, 5]
        observed = rng.normal(size=5) * 4
        np.testing.assert_allclose(max_t(observed, null), naive_max_t(observed, null))


def test_max_t_worked_example() -> None:
    # Spread 1 in both columns; t = (2, 0.5). Largest of both: (1, 1, 1, 1): never ≥ 2 → 1/5; second alone: always → 1.
    null = np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
    np.testing.assert_allclose(max_t([-2.0, 0.5], null), [1 / 5, 1])
    # One side: 2 ≥ … never reached; the negative difference always is.
    np.testing.assert_allclose(max_t([2.0, -3.0], null, sides=1), [1 / 5, 1])


def test_max_t_is_milder_than_holm_for_systems_that_go_together() -> None:
    rng = np.random.default_rng(1)
    shared = rng.normal(size=(5000, 1))
    null = shared + 0.01 * rng.normal(size=(5000, 10))
    observed = np.full(10, 2.5)
    p = np.array([(np.sum(np.abs(column) >= 2.5) + 1) / 5001 for column in null.T])
    assert max_t(observed, null).max() < 2 * p.max() < holm(p).min() / 4


def test_equal_systems_stay_at_one() -> None:
    null = np.zeros((50, 3))
    null[:, 0] = np.random.default_rng(0).normal(size=50)
    np.testing.assert_array_equal(max_t([9.0, 0.0, 0.0], null), [1 / 51, 1, 1])


def test_familywise_error_of_max_t_and_holm() -> None:
    rng = np.random.default_rng(6)
    alarms = np.zeros(2)
    for _ in range(400):
        deltas = rng.normal(size=8)
        null = rng.normal(size=(399, 8))
        p = (np.sum(np.abs(null) >= np.abs(deltas), axis=0) + 1) / 400
        alarms += [max_t(deltas, null).min() <= 0.05, holm(p).min() <= 0.05]
    # 400 repetitions: 5 % ± 3 × 1.1 %.
    assert np.all(alarms / 400 < 0.083)
    assert alarms[0] / 400 > 0.017


def test_nothing_to_correct_is_nothing() -> None:
    assert holm([]).shape == benjamini_hochberg([]).shape == (0,)
    np.testing.assert_array_equal(adjust([0.2, 0.1], "none"), [0.2, 0.1])
    np.testing.assert_array_equal(adjust([0.2, 0.1], "bh"), [0.2, 0.2])


@pytest.mark.parametrize("wrong", [[0.5, 1.5], [-0.1], [float("nan")], [[0.5]]])
def test_what_is_no_p_value_is_refused(wrong: list[float]) -> None:
    with pytest.raises(DataError, match="p-values are a list of numbers from 0 to 1, got"):
        holm(wrong)


def test_unknown_and_impossible_corrections_are_refused() -> None:
    with pytest.raises(UnknownName, match=r"No correction is called 'bonferoni'\. Known: none, holm, bh, max-t"):
        adjust([0.1], "bonferoni")
    with pytest.raises(DataError, match="max-T needs the simulated differences"):
        adjust([0.1], "max-t")
    with pytest.raises(DataError, match=r"max-T needs differences \(pairs,\) and replicates \(trials, pairs\), got"):
        max_t([0.1], np.ones((5, 2)))
