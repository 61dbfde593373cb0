"""Resampling tests against full enumeration, and against Graham, Mathur & Baldwin (WMT 2014)."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.stats import paired_test
from tests.stats.made import counts, mean, ratio, scores

# The worked example of the four figures: segment differences (3, 2, 1, −1) of a metric that is a mean; delta 1.25.
X, Y = scores(3, 2, 1, -1), scores(0, 0, 0, 0)

EXACT = {  # by enumeration of 256 resamples and of 16 exchanges
    ("bootstrap", 1): 15 / 256,
    ("bootstrap", 2): 34 / 256,
    ("paired-bootstrap", 1): 9 / 256,
    ("randomisation", 1): 3 / 16,
    ("randomisation", 2): 6 / 16,
}


def test_the_exact_values_are_those_of_the_enumeration() -> None:
    differences = np.array([3.0, 2.0, 1.0, -1.0])
    resampled = np.array([np.mean(pick) for pick in itertools.product(differences, repeat=4)])
    swapped = np.array([np.mean(differences * signs) for signs in itertools.product((1, -1), repeat=4)])
    delta = differences.mean()
    assert resampled.mean() == delta == 1.25
    assert {
        ("bootstrap", 1): np.mean(resampled - delta >= delta),
        ("bootstrap", 2): np.mean(np.abs(resampled - delta) >= delta),
        ("paired-bootstrap", 1): np.mean(resampled < 0),
        ("randomisation", 1): np.mean(swapped >= delta),
        ("randomisation", 2): np.mean(np.abs(swapped) >= delta),
    } == EXACT


@pytest.mark.parametrize(("name", "sides"), list(EXACT))
def test_sampling_comes_within_three_standard_errors(name: str, sides: int) -> None:
    exact, trials = EXACT[name, sides], 40_000
    # Where resamples lie exactly at the cut, the last digits of the sampled tau decide whether they count, so the shift
    # method may come out anywhere between counting all and none of them.
    p = paired_test(name, sides=sides, trials=trials, formula="paper").compare(X, Y, mean).p
    if name == "bootstrap":
        differences = np.array([np.mean(pick) for pick in itertools.product((3.0, 2.0, 1.0, -1.0), repeat=4)])
        at_cut = np.mean(np.isclose(np.abs(differences - 1.25) if sides == 2 else differences - 1.25, 1.25))
        low, high = exact - at_cut, exact
    else:
        low = high = exact
    error = 3 * math.sqrt(exact * (1 - exact) / trials)
    assert low - error <= p <= high + error


@pytest.mark.parametrize(("sides", "exact"), [(1, 3 / 16), (2, 6 / 16)])
def test_permutation_is_exact(sides: int, exact: float) -> None:
    found = paired_test("permutation", sides=sides).compare(X, Y, mean)
    assert found.p == exact
    assert (found.wins, found.losses, found.ties, found.trials) == (8, 8, 0, 16)


@given(st.integers(0, 2**32), st.integers(2, 7), st.sampled_from([1, 2]))
def test_permutation_is_the_enumeration_of_a_corpus_metric(seed: int, n: int, sides: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = counts(rng, n, 0.6), counts(rng, n, 0.5)
    delta = ratio(a.sum(0)[None])[0] - ratio(b.sum(0)[None])[0]
    extreme = 0
    for swaps in itertools.product((False, True), repeat=n):
        swap = np.array(swaps)[:, None]
        gap = ratio(np.where(swap, b, a).sum(0)[None])[0] - ratio(np.where(swap, a, b).sum(0)[None])[0]
        extreme += abs(gap) >= abs(delta) - 1e-9 if sides == 2 else gap >= delta - 1e-9
    assert paired_test("permutation", sides=sides).compare(a, b, ratio).p == extreme / 2**n


def test_randomisation_approaches_permutation() -> None:
    rng = np.random.default_rng(3)
    a, b = counts(rng, 14, 0.62), counts(rng, 14, 0.5)
    exact = paired_test("permutation").compare(a, b, ratio).p
    sampled = paired_test("randomisation", trials=40_000, formula="paper").compare(a, b, ratio).p
    assert abs(sampled - exact) < 3 * math.sqrt(exact * (1 - exact) / 40_000)


def test_permutation_refuses_what_it_cannot_enumerate() -> None:
    many = counts(np.random.default_rng(0), 21, 0.5)
    with pytest.raises(DataError, match=r"21 segments would try 2\^21 exchanges; the limit is 20 .* randomisation"):
        paired_test("permutation").compare(many, many, ratio)
    assert paired_test("permutation", limit=5).compare(many[:5], many[:5], ratio).p == 1
    with pytest.raises(DataError, match=r"5 segments.*the limit is 4"):
        paired_test("permutation", limit=4).compare(many[:5], many[:5], ratio)


@pytest.mark.parametrize("name", ["bootstrap", "paired-bootstrap", "randomisation"])
def test_the_two_formulae_differ_by_one_trial(name: str) -> None:
    rng = np.random.default_rng(8)
    a, b = counts(rng, 60, 0.6), counts(rng, 60, 0.57)
    plain = paired_test(name, trials=500, sides=1, formula="paper").compare(a, b, ratio).p
    plus = paired_test(name, trials=500, sides=1).compare(a, b, ratio).p
    assert plus == pytest.approx((round(plain * 500) + 1) / 501)


def test_an_unknown_formula_is_refused() -> None:
    for name in ("bootstrap", "paired-bootstrap", "randomisation"):
        with pytest.raises(DataError, match=r"must be one of 'plus-one', 'paper'. Got 'c/R'"):
            paired_test(name, formula="c/R")


def test_one_side_asks_whether_the_first_is_better() -> None:
    rng = np.random.default_rng(8)
    a, b = counts(rng, 200, 0.7), counts(rng, 200, 0.5)
    for name in ("bootstrap", "paired-bootstrap", "randomisation", "sign", "wilcoxon", "t"):
        test = paired_test(name, sides=1)
        assert test.compare(a, b, ratio).p < 0.01
        assert test.compare(b, a, ratio).p > 0.99


def test_a_pair_has_the_same_p_alone_and_among_others() -> None:
    rng = np.random.default_rng(5)
    systems = [counts(rng, 80, share) for share in (0.5, 0.52, 0.55)]
    for name in ("bootstrap", "randomisation", "moses"):
        test = paired_test(name, trials=300)
        together = test.compare_pairs(systems, ratio, [(0, 1), (0, 2), (2, 1)])
        assert together[2] == test.compare(systems[2], systems[1], ratio)


def test_trials_in_pieces_give_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    a, b = counts(rng, 50, 0.5), counts(rng, 50, 0.55)
    runs = np.stack([a, counts(rng, 50, 0.5)]), np.stack([b, counts(rng, 50, 0.5)])
    tests = [paired_test(name, trials=300) for name in ("bootstrap", "randomisation", "sacrebleu-bs", "sacrebleu-ar")]
    tests_of_runs = [paired_test(name, trials=300) for name in ("bootstrap", "randomisation", "multeval")]
    whole = [test.compare(a, b, ratio) for test in tests] + [test.compare(*runs, ratio) for test in tests_of_runs]
    exact = paired_test("permutation").compare(a[:8], b[:8], ratio)
    monkeypatch.setattr("dragoman.stats.replicates._CELLS", 1)
    assert whole == [test.compare(a, b, ratio) for test in tests] + [
        test.compare(*runs, ratio) for test in tests_of_runs
    ]
    assert exact == paired_test("permutation").compare(a[:8], b[:8], ratio)
