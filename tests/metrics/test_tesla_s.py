"""TESLA-S: its bags by hand, the closed form against TESLA's solver, and what it refuses."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics.tesla_s import TeslaS


def test_bags_by_hand() -> None:
    single, double = TeslaS(gap=1).bags(["the", "old", "house", "burns"])
    assert single == pytest.approx({"the": 0.1, "old": 1, "house": 1, "burns": 1})
    content = {("old", "house"): 1, ("old", "burns"): 1, ("house", "burns"): 1}
    assert double == pytest.approx({("the", "old"): 0.1, ("the", "house"): 0.1} | content)


def test_the_score_by_hand() -> None:
    # Words: 2 of 2 and 2 of 3 match; skip-bigrams: 1 of 1 and 1 of 3. F = PR / (0.8 P + 0.2 R).
    metric = TeslaS(function_words="none")
    words, pairs = (r / (0.8 + 0.2 * r) for r in (2 / 3, 1 / 3))
    assert metric.segments(["old house"], [["old house burns"]])[0] == pytest.approx(100 * (words + pairs) / 2)
    assert metric.segments(["house"], [["house"]])[0] == 100, "neither has a skip-bigram"


def test_the_closed_form_is_the_solution_of_the_program() -> None:
    rng = random.Random(4)
    for _ in range(100):
        bags = [TeslaS(function_words="none").bags(rng.choices("abcd", k=rng.randint(1, 7))) for _ in range(2)]
        for ours, theirs in zip(*bags, strict=True):
            cells = [int(a == b) for a in ours for b in theirs]
            worth = np.array(cells, dtype=np.int64).reshape(len(ours), len(theirs))
            supply, demand = (np.array(list(bag.values()), dtype=np.int64) for bag in (ours, theirs))
            closed = sum(min(weight, theirs[item]) for item, weight in ours.items())
            assert _core.metrics.most_transport(supply, demand, worth) == pytest.approx(closed, abs=1e-9)


def test_what_it_refuses() -> None:
    with pytest.raises(DataError, match="There is no list of function words for 'sw'"):
        TeslaS(lang="sw")
