"""WMT's τ by year on pairs counted by hand, and tie-calibrated accuracy against the definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.stats.concordance import TAU_VARIANTS, calibrated_accuracy, item_pairs, pair_tau, tau_rows

# Signs of ten pairs: people and metric. 4 concordant, 2 discordant, 2 metric ties, 1 human tie, 1 tie of both.
HUMAN = [1, 1, -1, -1, 1, -1, 1, -1, 0, 0]
METRIC = [1, 1, -1, -1, -1, 1, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("wmt10", (4 - 2 - 2) / 8),
        ("wmt11", (4 - 2 - 2) / 8),
        ("wmt12", (4 - 2 - 2) / 8),
        ("wmt13", (4 - 2) / 6),
        ("wmt14", (4 - 2) / 8),
        ("wmt15", (4 - 2) / 8),
        ("wmt16", (4 - 2) / 8),
        ("wmt17", (4 - 2 - 2) / 8),
        ("wmt18", (4 - 2 - 2) / 8),
        ("wmt19", (4 - 2 - 2) / 8),
        ("wmt20", (4 - 2 - 2) / 8),
    ],
)
def test_each_years_tau_by_hand(variant: str, expected: float) -> None:
    assert pair_tau(HUMAN, METRIC, variant) == expected


def test_every_variant_says_whence_it_is() -> None:
    assert list(TAU_VARIANTS) == [f"wmt{year}" for year in range(10, 21)]
    assert all(len(variant.source) > 12 for variant in TAU_VARIANTS.values())


def test_the_example_of_the_findings_of_2012() -> None:
    """Human ranks 1, 2, 2, metric .9, .9, .1: a metric tie is discordant, 1–3 concordant, the human tie skipped."""
    ranks, scores = np.array([1, 2, 2]), np.array([0.9, 0.9, 0.1])
    first, second, _ = item_pairs(3, 1)
    assert pair_tau(ranks[second] - ranks[first], scores[first] - scores[second], "wmt12") == 0
    # An error metric, declared as such by negating it, comes out the same.
    errors = -scores
    assert pair_tau(ranks[second] - ranks[first], -(errors[first] - errors[second]), "wmt12") == 0


def test_rows_add_up_and_nothing_counted_is_not_defined() -> None:
    rows = tau_rows(HUMAN, METRIC, "wmt14")
    assert rows.shape == (10, 2)
    assert rows.sum(axis=0).tolist() == [2, 8]
    assert math.isnan(pair_tau([0, 0], [1, -1], "wmt12"))
    assert math.isnan(pair_tau([1, -1], [0, 0], "wmt13"))
    assert math.isnan(pair_tau([], []))


def test_wrong_input_is_named() -> None:
    with pytest.raises(UnknownName, match=r"No τ variant is called 'wmt09'. Known: wmt10"):
        pair_tau([1], [1], "wmt09")
    with pytest.raises(DataError, match=r"one outcome of each side for every pair, got the shapes \(1,\) and \(2,\)"):
        pair_tau([1], [1, 1])
    with pytest.raises(DataError, match="one outcome of each side"):
        pair_tau([1], [math.nan])
    with pytest.raises(DataError, match="There are no pairs"):
        calibrated_accuracy([], [])
    with pytest.raises(DataError, match="Accuracy needs a difference of each side"):
        calibrated_accuracy([1], [math.nan])
    with pytest.raises(DataError, match="ε is a difference of scores, 0 or more, got -1"):
        calibrated_accuracy([1], [1], epsilon=-1)


def naive_accuracy(human: list[int], metric: list[int], group: list[int], epsilon: float) -> float:
    by_group: dict[int, list[bool]] = {}
    for h, m, g in zip(human, metric, group, strict=True):
        tied = 0 if abs(m) <= epsilon else m
        by_group.setdefault(g, []).append((h > 0) - (h < 0) == (tied > 0) - (tied < 0))
    return sum(sum(each) / len(each) for each in by_group.values()) / len(by_group)


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-6, 6), st.integers(0, 4)), min_size=1, max_size=40))
def test_calibration_finds_the_best_epsilon(pairs: list[tuple[int, int, int]]) -> None:
    human, metric, group = (list(column) for column in zip(*pairs, strict=True))
    found = calibrated_accuracy(human, metric, group)
    tried = {epsilon: naive_accuracy(human, metric, group, epsilon) for epsilon in [0, *map(abs, metric)]}
    best = max(tried.values())
    assert found.accuracy == pytest.approx(best)
    assert found.epsilon == min(epsilon for epsilon, value in tried.items() if value >= best - 1e-12)
    assert found.uncalibrated == pytest.approx(tried[0])
    assert found.by_group.mean() == pytest.approx(found.accuracy)
    assert (found.n_pairs, found.n_groups) == (len(pairs), len(set(group)))
    fixed = calibrated_accuracy(human, metric, group, epsilon=1.5)
    assert fixed.accuracy == pytest.approx(naive_accuracy(human, metric, group, 1.5))


def test_a_metric_that_never_ties_is_forgiven_small_differences() -> None:
    """People hold two of three pairs equal; the metric gives differences .1, .2 and 1: ε = .2 makes it right."""
    found = calibrated_accuracy([0, 0, 1], [0.1, -0.2, 1.0])
    assert (found.uncalibrated, found.accuracy, found.epsilon) == (pytest.approx(1 / 3), 1.0, 0.2)


def test_pairs_of_all_systems_on_all_items() -> None:
    first, second, item = item_pairs(3, 2)
    assert list(zip(first.tolist(), second.tolist(), item.tolist(), strict=True)) == [
        (0, 1, 0),
        (0, 2, 0),
        (1, 2, 0),
        (0, 1, 1),
        (0, 2, 1),
        (1, 2, 1),
    ]
