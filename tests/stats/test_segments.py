"""Tests on segment scores against scipy, by hand, and against published counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from dragoman.errors import DataError
from dragoman.stats import paired_test, sign_test
from tests.stats.made import mean, scores

DIFFERENCES = st.lists(st.integers(-6, 6), min_size=2, max_size=70)
SIDES = {1: "greater", 2: "two-sided"}


@given(DIFFERENCES, st.sampled_from([1, 2]))
def test_sign_is_the_binomial_test(differences: list[int], sides: int) -> None:
    found = paired_test("sign", sides=sides).compare(scores(*differences), scores(*(0 for _ in differences)), mean)
    wins, losses = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    assert (found.wins, found.losses, found.ties, found.trials) == (
        wins,
        losses,
        len(differences) - wins - losses,
        len(differences),
    )
    expected = scipy_stats.binomtest(wins, wins + losses, alternative=SIDES[sides]).pvalue if wins + losses else 1
    assert found.p == pytest.approx(expected)


@given(DIFFERENCES, st.sampled_from([1, 2]), st.booleans())
def test_wilcoxon_is_scipys(differences: list[int], sides: int, distinct: bool) -> None:
    if distinct:  # without equal magnitudes the exact distribution is used
        differences = [d * 1000 + i for i, d in enumerate(differences)]
    found = paired_test("wilcoxon", sides=sides).compare(scores(*differences), scores(*(0 for _ in differences)), mean)
    moved = np.array([d for d in differences if d], dtype=float)
    if not len(moved):
        assert (found.p, found.statistic) == (1, 0)
        return
    method = "exact" if len(moved) <= 50 and len(set(abs(moved))) == len(moved) else "approx"
    expected = scipy_stats.wilcoxon(moved, alternative=SIDES[sides], method=method).pvalue
    assert found.p == pytest.approx(expected)


def test_wilcoxon_by_hand() -> None:
    # Ranks 4, 3, 2 for the wins, 1 for the loss: W+ = 9 of 10; two subsets of {1..4} reach 9: 2/16, both sides 4/16.
    found = paired_test("wilcoxon").compare(scores(8, 6, 4, -2), scores(0, 0, 0, 0), mean)
    assert (found.statistic, found.p) == (9, 4 / 16)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=30), st.sampled_from([1, 2]))
def test_t_is_scipys(differences: list[float], sides: int) -> None:
    differences = [round(d, 3) for d in differences]
    found = paired_test("t", sides=sides).compare(scores(*differences), scores(*(0 for _ in differences)), mean)
    if np.ptp(differences) == 0:
        better = differences[0] > 0 or (sides == 2 and differences[0] < 0)
        assert found.p == (0 if better else 1)
        return
    expected = scipy_stats.ttest_1samp(differences, 0, alternative=SIDES[sides])
    assert (found.p, found.statistic) == pytest.approx((expected.pvalue, expected.statistic))


def test_ties_in_the_last_digit_are_ties() -> None:
    a, b = scores(0.1 + 0.2, 0.5, 0.7), scores(0.3, 0.5, 0.1)
    for name in ("sign", "wilcoxon", "t"):
        found = paired_test(name).compare(a, b, mean)
        assert (found.wins, found.losses, found.ties) == (1, 0, 2)


def test_runs_are_averaged_segment_by_segment() -> None:
    a = np.stack([scores(1, 5, 2), scores(3, 1, 2)])
    b = np.stack([scores(2, 2, 1), scores(1, 3, 1), scores(0, 1, 1)])
    found = paired_test("sign").compare(a, b, mean)
    assert (found.wins, found.losses, found.runs) == (3, 0, (2, 3))
    assert found.delta == pytest.approx(14 / 6 - 12 / 9)


# Liu, Dahlmeier & Ng (EMNLP 2011), pairwise preferences of 800 judgements; exact two-sided sign test, α = 0.01.
TESLA = {
    "BLEU-TER": [(91, 52, 0.0014), (206, 178, 0.168), (174, 147, 0.147)],
    "BLEU-TESLA-M": [(233, 417, 5.0e-13), (248, 405, 8.6e-10), (225, 295, 0.00245)],
    "BLEU-TESLA-F": [(224, 418, 1.6e-14), (195, 406, 4.9e-18), (218, 282, 0.00479)],
    "TER-TESLA-M": [(229, 436, 8.0e-16), (255, 408, 3.1e-9), (215, 316, 1.3e-5)],
    "TER-TESLA-F": [(220, 440, 7.6e-18), (211, 419, 8.6e-17), (218, 300, 3.6e-4)],
    "TESLA-M-TESLA-F": [(61, 70, 0.485), (207, 267, 0.0067), (194, 170, 0.228)],
}
NOT_SIGNIFICANT = {
    ("BLEU-TER", "es-en"),
    ("BLEU-TER", "de-en"),
    ("TESLA-M-TESLA-F", "fr-en"),
    ("TESLA-M-TESLA-F", "de-en"),
}


@pytest.mark.parametrize("pair", TESLA)
def test_published_sign_tests(pair: str) -> None:
    for languages, (wins, losses, p) in zip(("fr-en", "es-en", "de-en"), TESLA[pair], strict=True):
        found = sign_test(wins, losses)
        assert found == pytest.approx(p, rel=0.05)
        assert (found > 0.01) == ((pair, languages) in NOT_SIGNIFICANT)


def test_impossible_counts_are_refused() -> None:
    assert sign_test(0, 0) == sign_test(0, 0, sides=1) == 1
    with pytest.raises(DataError, match="Wins and losses are counts, got -1 and 3"):
        sign_test(-1, 3)
