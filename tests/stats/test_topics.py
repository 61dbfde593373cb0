"""Which of two metrics agrees with people better: shares of drawn topics."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.stats.topics import WinShare, win_share

RNG = np.random.default_rng(4)
HUMAN = RNG.normal(size=(12, 1)) + 0.5 * RNG.normal(size=(12, 44))
METRIC = HUMAN + 0.3 * RNG.normal(size=HUMAN.shape)


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall"])
def test_a_metric_beats_its_noisy_copy_and_ties_with_itself(measure: str) -> None:
    noisy = METRIC + 20 * RNG.normal(size=METRIC.shape)
    found = win_share(METRIC, noisy, HUMAN, measure=measure, trials=200)
    assert found.first > 0.95
    assert found.mark
    turned = win_share(noisy, METRIC, HUMAN, measure=measure, trials=200)
    assert (turned.second, turned.mark) == (found.first, "")
    assert win_share(METRIC, METRIC, HUMAN, measure=measure, trials=50) == WinShare(0, 0, 1, 50)


def test_what_has_no_correlation_is_a_tie() -> None:
    assert win_share(METRIC, np.ones_like(METRIC), HUMAN, trials=20).ties == 1


def test_scores_of_other_systems_are_refused() -> None:
    with pytest.raises(DataError, match=r"got first=\(12, 44\), second=\(12, 43\), human=\(12, 44\)"):
        win_share(METRIC, METRIC[:, 1:], HUMAN)
