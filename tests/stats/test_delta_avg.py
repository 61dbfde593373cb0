from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.stats.delta_avg import delta_avg, delta_avg_of
from dragoman.stats.items import bootstrap_items


def naive(ordered: list[float]) -> float:
    """The definition, word by word."""
    n = len(ordered)
    whole = sum(ordered) / n
    found = []
    for quantiles in range(2, n // 2 + 1):
        size = n // quantiles
        heads = [ordered[: k * size] for k in range(1, quantiles)]
        found.append(sum(sum(head) / len(head) for head in heads) / (quantiles - 1) - whole)
    return sum(found) / len(found)


# Worked by hand from the definition; the last two are the examples of the WMT 2012 and 2014 task pages.
@pytest.mark.parametrize(
    ("ordered", "expected"),
    [
        ([5, 4, 4, 3, 2, 2, 1, 1], 1.314815),
        ([4, 5, 2, 3, 4, 1, 2, 1], 0.990741),
        ([5, 4, 3, 3, 2, 1, 1], 1.348214),
        ([5, 4, 3, 2, 1, 0], 1.5),
        ([-1, -2, -3, -4, -5], 1.5),
        ([4.0] * 500 + [2.0] * 500, 0.77085),
        ([-6, -5, -4, -3, -2, -1], -1.5),
    ],
)
def test_worked_examples(ordered: list[float], expected: float) -> None:
    predicted = np.arange(len(ordered), 0, -1)
    assert delta_avg(ordered, predicted) == pytest.approx(expected, abs=5e-6)


def test_one_number_of_quantiles() -> None:
    gold = [5, 4, 4, 3, 2, 2, 1, 1]
    rank = np.arange(8, 0, -1)
    assert [delta_avg_of(gold, rank, n) for n in (2, 3, 4)] == pytest.approx([1.25, 1.5, 1.194444], abs=1e-6)
    with pytest.raises(DataError, match="8 items have 2 to 8 quantiles, got 9"):
        delta_avg_of(gold, rank, 9)


@given(st.lists(st.floats(-10, 10), min_size=4, max_size=60), st.randoms(use_true_random=False))
def test_it_is_the_definition(gold: list[float], chance: object) -> None:
    predicted = [float(chance.randrange(5)) for _ in gold]  # type: ignore[attr-defined]
    if len(set(predicted)) == 1:
        return
    ordered = [gold[i] for i in sorted(range(len(gold)), key=lambda i: -predicted[i])]  # stable: ties in file order
    assert delta_avg(gold, predicted) == pytest.approx(naive(ordered), abs=1e-9)


def test_what_ranks_nothing_has_no_value() -> None:
    assert math.isnan(delta_avg([1, 2, 3, 4], [2, 2, 2, 2]))
    assert math.isnan(delta_avg([1, 2, 3], [1, 2, 3]))
    with pytest.raises(DataError, match="a gold value and a prediction of every item"):
        delta_avg([1, 2, 3, 4], [1, 2, 3])
    with pytest.raises(DataError, match="a gold value and a prediction of every item"):
        delta_avg([1, 2, 3, math.nan], [1, 2, 3, 4])


def test_the_bootstrap_separates_what_differs_and_nothing_else() -> None:
    rng = np.random.default_rng(3)
    gold = rng.normal(size=120)
    good, bad = gold + rng.normal(size=120) / 2, rng.normal(size=120)
    (found,) = bootstrap_items(gold, [good, bad, good], [delta_avg], trials=300, seed=5)
    assert found.p(0, 1) == pytest.approx(1 / 301)
    assert found.p(0, 2) == 1.0
    interval = found.interval(0)
    assert interval is not None
    assert interval.low < interval.score == delta_avg(gold, good) < interval.high
    (again,) = bootstrap_items(gold, [good, bad, good], [delta_avg], trials=300, seed=5)
    assert (again.replicates == found.replicates).all()


def test_the_bootstrap_of_what_is_not_defined_is_none() -> None:
    gold = np.arange(6.0)
    (found,) = bootstrap_items(gold, [np.zeros(6), gold], [delta_avg], trials=20, seed=1)
    assert found.interval(0) is None
    assert found.p(0, 1) is None
