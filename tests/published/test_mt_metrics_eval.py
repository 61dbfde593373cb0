"""Values that mt-metrics-eval (google-research, commit 68a481a and before) gives for small vectors, as its tests state.

The tool is not on PyPI, so its stated numbers stand in for a run of it.
"""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.metrics.meta import MetaRecipe, meta_evaluate
from dragoman.stats.concordance import calibrated_accuracy, count_concordance, item_pairs
from dragoman.stats.correlation import kendall, pairwise_accuracy

GOLD, METRIC = {"a": [1.0, 2, 3], "b": [4.0, 5, 6]}, {"a": [2.0, 1, 4], "b": [3.0, 3, 7]}


@pytest.mark.parametrize(
    ("group", "pearson", "kendall"), [("none", 0.776, 0.552), ("sys", 0.760, 0.575), ("item", 1.0, 1.0)]
)
def test_correlations_by_group(group: str, pearson: float, kendall: float) -> None:
    own = meta_evaluate({"m": METRIC}, GOLD, MetaRecipe(group=group, trials=20)).agreement("m")
    assert own.values["pearson"] == pytest.approx(pearson, abs=0.0005)
    assert own.values["kendall"] == pytest.approx(kendall, abs=0.0005)


def test_kendall_variants() -> None:
    gold, metric = np.array([1, 2, 2, 3, 4]), np.array([2, 1, 1.5, 5, 3])
    assert kendall(gold, metric) == pytest.approx(0.316227766)
    assert kendall(gold, metric, "c") == pytest.approx(0.32)
    assert pairwise_accuracy(gold, metric) == pytest.approx(0.6)
    first, second, _ = item_pairs(5, 1)
    gaps = gold[first] - gold[second], metric[first] - metric[second]
    assert calibrated_accuracy(*gaps, epsilon=2).accuracy == pytest.approx(0.4)
    assert calibrated_accuracy(*gaps).accuracy == pytest.approx(0.7)


def test_agreement() -> None:
    counts = count_concordance([1, 2, 3, 3, 4], [1, 1, 2, 1, 2])
    assert (counts.concordant + counts.ties_both, counts.n_pairs) == (5, 10)


@pytest.mark.parametrize(("threshold", "tau", "n"), [(25, 3 / 5, 5), (1, 2 / 6, 6)])
def test_kendall_like(threshold: float, tau: float, n: int) -> None:
    """One segment, four systems: DA 10, 11, 100, 150 against 2, 1, 4, 3."""
    human = dict(zip("abcd", [[10.0], [11.0], [100.0], [150.0]], strict=True))
    metric = dict(zip("abcd", [[2.0], [1.0], [4.0], [3.0]], strict=True))
    own = meta_evaluate({"m": metric}, human, MetaRecipe(variant="wmt20", threshold=threshold, trials=20)).agreement(
        "m"
    )
    assert (own.values["tau"], own.n) == (pytest.approx(tau), n)


@pytest.mark.parametrize(("human", "epsilon", "accuracy"), [([1, 2, 3, 4], 0, 1.0), ([1, 1, 1, 4], 4, 4 / 6)])
def test_tie_calibration(human: list[int], epsilon: float, accuracy: float) -> None:
    gold, metric = np.array(human), np.array([0, 2, 6, 8])
    first, second, _ = item_pairs(4, 1)
    found = calibrated_accuracy(gold[first] - gold[second], metric[first] - metric[second])
    assert (found.epsilon, found.accuracy) == (epsilon, pytest.approx(accuracy))


def test_tie_calibration_by_rows_with_missing_scores() -> None:
    nan = np.nan
    metric = np.array([[0, 5, 2, 3, 2], [nan, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [nan] * 5])
    human = np.array([[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, nan, 3, 2], [nan] * 5])
    first, second, row = item_pairs(5, 5)
    gaps = [table[row, first] - table[row, second] for table in (human, metric)]
    have = ~np.isnan(gaps[0]) & ~np.isnan(gaps[1])
    found = calibrated_accuracy(gaps[0][have], gaps[1][have], row[have])
    assert (found.epsilon, found.accuracy) == (1, pytest.approx(0.4916666666666668))
    assert found.uncalibrated == pytest.approx(0.4666666666666667)
