"""The native streams are those of `dragoman.rng`, to the bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dragoman._core import resample
from dragoman.errors import DataError
from dragoman.rng import Stream


@given(st.integers(0, 2**40), st.integers(1, 40), st.integers(1, 20))
def test_bootstrap_draws_are_the_streams(seed: int, n: int, trials: int) -> None:
    rows = np.arange(n * 2, dtype=np.float64).reshape(n, 2) ** 2
    stream = Stream(seed, "bootstrap")
    totals = resample.bootstrap_totals(rows, trials, stream.key)
    for trial in range(trials):
        drawn = [(int(bits) * n) >> 64 for bits in stream.bits(n, start=trial * n)]
        np.testing.assert_array_equal(totals[trial], rows[drawn].sum(axis=0))


@given(st.integers(0, 2**40), st.integers(1, 150), st.integers(1, 20))
def test_coins_are_the_streams(seed: int, n: int, trials: int) -> None:
    rows = np.arange(n, dtype=np.float64).reshape(n, 1) ** 2
    stream = Stream(seed, "coins")
    totals = resample.coin_totals(rows, trials, stream.key)
    words = (n + 63) // 64
    for trial in range(trials):
        bits = stream.bits(words, start=trial * words)
        heads = [i for i in range(n) if int(bits[i // 64]) >> (i % 64) & 1]
        assert totals[trial, 0] == rows[heads].sum()


def test_threads_do_not_matter() -> None:
    rows = np.random.default_rng(1).normal(size=(101, 7))
    for kernel in (resample.bootstrap_totals, resample.coin_totals):
        one = kernel(rows, 53, 99)
        for n_threads in (2, 7):
            np.testing.assert_array_equal(one, kernel(rows, 53, 99, n_threads=n_threads))


@given(st.integers(0, 2**40), st.integers(1, 12), st.integers(1, 4), st.integers(1, 6))
def test_deals_are_the_streams(seed: int, n: int, slots: int, trials: int) -> None:
    rows = np.arange(n * slots * 2, dtype=np.float64).reshape(n, slots * 2) ** 2
    stream = Stream(seed, "deals")
    totals = resample.dealt_totals(rows, slots, trials, stream.key)
    for trial in range(trials):
        expected = np.zeros((slots, 2))
        for i in range(n):
            order = list(range(slots))
            draws = stream.bits(slots, start=(trial * n + i) * slots)
            for left, bits in zip(range(slots, 0, -1), draws, strict=True):
                other = (int(bits) * left) >> 64
                order[left - 1], order[other] = order[other], order[left - 1]
            expected += rows[i].reshape(slots, 2)[order]
        np.testing.assert_array_equal(totals[trial], expected.ravel())


@pytest.mark.parametrize("scale", [1.0, 65_000.0, 1e9, 0.1, -3.0])
@pytest.mark.parametrize("most", [2, 65_535])
def test_counted_totals_are_the_product(scale: float, most: int) -> None:
    rng = np.random.default_rng(4)
    rows = rng.integers(-9, 100, size=(300, 37)) * scale
    counts = rng.integers(0, most, size=(23, 300), endpoint=True).astype(np.uint16)
    totals = resample.counted_totals(rows, counts)
    if scale == 0.1:
        np.testing.assert_allclose(totals, counts.astype(float) @ rows, rtol=1e-12)
    else:
        exact = counts.astype(object) @ rows.astype(int).astype(object)
        np.testing.assert_array_equal(totals, exact.astype(float))


@pytest.mark.parametrize("kernel", [resample.bootstrap_totals, resample.coin_totals])
def test_a_long_run_can_be_done_in_pieces(kernel: Callable[..., NDArray[np.float64]]) -> None:
    rows = np.random.default_rng(1).normal(size=(33, 5))
    whole = kernel(rows, 50, 7)
    pieces = [kernel(rows, 21, 7), kernel(rows, 29, 7, first_trial=21)]
    np.testing.assert_array_equal(whole, np.concatenate(pieces))


def test_a_long_deal_can_be_done_in_pieces_and_threads() -> None:
    rows = np.random.default_rng(1).normal(size=(33, 6))
    whole = resample.dealt_totals(rows, 3, 50, 7)
    pieces = [resample.dealt_totals(rows, 3, 21, 7), resample.dealt_totals(rows, 3, 29, 7, first_trial=21)]
    np.testing.assert_array_equal(whole, np.concatenate(pieces))
    for n_threads in (2, 7):
        np.testing.assert_array_equal(whole, resample.dealt_totals(rows, 3, 50, 7, n_threads=n_threads))


def test_what_cannot_be_resampled_is_named() -> None:
    with pytest.raises(DataError, match="no segments to resample"):
        resample.bootstrap_totals(np.empty((0, 3)), 5, 1)
    with pytest.raises(DataError, match="not a finite number"):
        resample.coin_totals(np.array([[1.0], [np.inf]]), 5, 1)
    with pytest.raises(DataError, match="do not divide into the slots"):
        resample.dealt_totals(np.ones((4, 3)), 2, 5, 1)
    with pytest.raises(DataError, match="one column per segment"):
        resample.counted_totals(np.ones((4, 3)), np.ones((2, 3), np.uint16))
