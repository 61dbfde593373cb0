"""Effect sizes and the smallest difference a test set can show."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.stats import effect_size, paired_test, smallest_difference
from tests.stats.made import counts, mean, ratio, scores


def test_a_mean_has_cohens_d() -> None:
    rng = np.random.default_rng(1)
    d = rng.normal(0.4, 1.0, size=400)
    found = effect_size(scores(*d), scores(*np.zeros(400)), mean, trials=20_000, seed=3)
    assert found.delta == pytest.approx(d.mean())
    assert found.standardised == pytest.approx(d.mean() / d.std(), rel=0.02)
    assert found.standard_error == pytest.approx(d.std() / 20, rel=0.02)
    # The normal interval is a close approximation at this size.
    assert (found.low, found.high) == pytest.approx(
        (d.mean() - 1.96 * d.std() / 20, d.mean() + 1.96 * d.std() / 20), abs=0.01
    )


def test_the_order_of_systems_is_the_sign() -> None:
    rng = np.random.default_rng(1)
    a, b = counts(rng, 100, 0.6), counts(rng, 100, 0.5)
    forth, back = effect_size(a, b, ratio), effect_size(b, a, ratio)
    assert (forth.delta, forth.low, forth.high) == pytest.approx((-back.delta, -back.high, -back.low))


def test_equal_systems_have_no_effect_and_no_spread() -> None:
    a = counts(np.random.default_rng(1), 30, 0.6)
    found = effect_size(a, a, ratio)
    assert (found.delta, found.low, found.high, found.standard_error, found.standardised) == (0, 0, 0, 0, None)
    assert smallest_difference(a, a, ratio).difference == 0


def test_smallest_difference_by_hand() -> None:
    rng = np.random.default_rng(1)
    a, b = counts(rng, 200, 0.6), counts(rng, 200, 0.5)
    error = effect_size(a, b, ratio).standard_error
    assert smallest_difference(a, b, ratio).difference == pytest.approx((1.959964 + 0.841621) * error)
    assert smallest_difference(a, b, ratio, sides=1, power=0.9).difference == pytest.approx(
        (1.644854 + 1.281552) * error
    )


def test_the_power_comes_out_right() -> None:
    # Systems whose true difference is what the formula promises to show with power 0.8 at the 5 % level.
    rng = np.random.default_rng(17)
    n, repetitions = 150, 400
    true = (1.959964 + 0.841621) / math.sqrt(n)
    test = paired_test("randomisation", trials=400)
    shown, promised = 0, []
    for _ in range(repetitions):
        shared = rng.normal(size=n)
        a, b = scores(*(shared + rng.normal(true, 1.0, size=n))), scores(*shared)
        promised.append(smallest_difference(a, b, mean, trials=200).difference)
        shown += test.compare(a, b, mean).p <= 0.05
    assert np.mean(promised) == pytest.approx(true, rel=0.02)
    assert abs(shown / repetitions - 0.8) < 3 * math.sqrt(0.8 * 0.2 / repetitions)


@pytest.mark.parametrize("option", ["alpha", "power"])
def test_impossible_options_are_refused(option: str) -> None:
    with pytest.raises(DataError, match=f"The {option} must lie between 0 and 1, got 1"):
        smallest_difference(scores(1, 2), scores(1, 3), mean, **{option: 1.0})


def test_other_impossible_options_are_refused() -> None:
    with pytest.raises(DataError, match="1 or 2 sides, got 3"):
        smallest_difference(scores(1, 2), scores(1, 3), mean, sides=3)
    with pytest.raises(DataError, match="at least two trials, got 1"):
        effect_size(scores(1, 2), scores(1, 3), mean, trials=1)
    with pytest.raises(DataError, match="level must lie between"):
        effect_size(scores(1, 2), scores(1, 3), mean, level=0.0)
