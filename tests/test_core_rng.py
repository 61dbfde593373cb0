"""The native streams are those of `dragoman.rng`, to the bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman._core import resample
from dragoman.rng import Stream


@given(st.integers(0, 2**40), st.integers(1, 40), st.integers(1, 20))
@settings(max_examples=60)
def test_bootstrap_draws_are_the_streams(seed: int, n: int, trials: int) -> None:
    rows = np.arange(n * 2, dtype=np.float64).reshape(n, 2) ** 2
    stream = Stream(seed, "bootstrap")
    totals = resample.bootstrap_totals(rows, trials, stream.key)
    for trial in range(trials):
        drawn = [(int(bits) * n) >> 64 for bits in stream.bits(n, start=trial * n)]
        np.testing.assert_array_equal(totals[trial], rows[drawn].sum(axis=0))


@given(st.integers(0, 2**40), st.integers(1, 150), st.integers(1, 20))
@settings(max_examples=60)
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
