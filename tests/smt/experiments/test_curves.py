"""Learning curves over sizes and seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.smt import EngineRecipe
from dragoman.smt.experiments import CurvePoint, LearningCurve, curve_trials, doubling_sizes, learning_curve
from dragoman.smt.tuning import Tuning
from dragoman.smt.weights import mean_weights


def test_sizes_double() -> None:
    assert doubling_sizes(1000, 4) == [125, 250, 500, 1000]
    with pytest.raises(DataError, match="cannot be halved 4 times"):
        doubling_sizes(10, 5)


def test_each_text_is_part_of_the_next(text: Bitext, small: EngineRecipe) -> None:
    few, many = (set(trial.text.bitexts[0]) for trial in curve_trials(text, small, [50, 100]))
    assert few < many
    assert few != set(list(text)[:50])  # drawn at random
    other = set(curve_trials(text, small, [50], seed=2)[0].text.bitexts[0])
    assert other != few
    for sizes in ([], [0, 5], [5, 5], [10, 5], [1000]):
        with pytest.raises(DataError, match="Sizes of a curve rise, from 1 to the 400 pairs"):
            curve_trials(text, small, sizes)


def test_more_text_helps(text: Bitext, small: EngineRecipe, test_text: TestSet, tmp_path: Path) -> None:
    trials = curve_trials(text, small, [50, 100, 400])
    curve = learning_curve(trials, test_text, work=str(tmp_path))
    scores = [point.bleu for point in curve.points]
    assert scores == sorted(scores)
    unseen = [point.unseen_tokens for point in curve.points]
    assert unseen == sorted(unseen, reverse=True)
    assert all(point.low <= point.bleu <= point.high for point in curve.points)
    assert curve.points[0].delta is None
    assert curve.points[2].delta == pytest.approx(scores[2] - scores[1])
    assert curve.still_helps
    assert "From 100 to 400 pairs" in curve.answer()
    assert curve.tables()[0].columns[-1].name == "unseen_types"
    with pytest.raises(DataError, match="Seeds are those of tuning"):
        learning_curve(trials, test_text, work=str(tmp_path), seeds=(1, 2))


def test_seeds_give_a_spread(text: Bitext, small: EngineRecipe, test_text: TestSet, tmp_path: Path) -> None:
    recipe = replace(small, tune=Tuning(method="mert:rounds=1,starts=1", n_best=10, pop_limit=10))
    trials = curve_trials(text, recipe, [100], dev=test_text)
    curve = learning_curve(trials, test_text, work=str(tmp_path), seeds=(1, 2))
    (point,) = curve.points
    assert point.sd is not None
    assert point.averaged is not None
    assert curve.tables()[0].columns[-1].name == "averaged"
    assert "says nothing" in curve.answer()


def test_weights_are_averaged_by_their_proportions() -> None:
    mean = mean_weights([{"lm": 3.0, "a": 4.0, "unknown": 100.0}, {"lm": 60.0, "a": -80.0, "unknown": 100.0}])
    assert mean == pytest.approx({"lm": 0.6, "a": 0.0, "unknown": 100.0})
    assert mean_weights([{"a": 2.0}, {"b": 1.0}]) == pytest.approx({"a": 0.5, "b": 0.5})


@pytest.mark.parametrize(
    ("delta", "p", "says"),
    [(0.8, 0.01, "next doubling would bring about +1.0"), (0.8, 0.2, "does not show"), (-0.8, 0.01, "does not show")],
)
def test_the_answer_heeds_chance(delta: float, p: float, says: str) -> None:
    points = [CurvePoint(100 << k, 10.0 + k, 9.0, 12.0, 1.0, 0.5, 5.0, 9.0) for k in range(2)]
    last = CurvePoint(400, 12.0, 11.0, 13.0, delta, p, 4.0, 8.0)
    assert says in LearningCurve((*points, last), "bleu", 1, ()).answer()
