"""Intervals, decisions and explanations: what they promise, they keep."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.learn import LEARNERS
from dragoman.learn.calibration import Calibration, isotonic
from dragoman.qe import FeatureTable, learn_scores
from dragoman.qe.recipes import DecisionRecipe
from dragoman.qe.sentences.decision import decide
from dragoman.qe.tasks import score_task
from dragoman.testing.learners import quality_data as made
from tests.contract.test_learners import each_name, small

HTER = score_task("hter")


def world(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Predictions of HTER and the truth, whose spread grows with the prediction."""
    rng = np.random.default_rng(seed)
    said = rng.uniform(0, 1, size=n)
    return said, np.clip(said**1.3 + rng.normal(size=n) * (0.02 + 0.2 * said), 0, 1)


def test_isotonic_regression_is_scikit_learns() -> None:
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 20, size=100).astype(float), rng.normal(size=100)
    knots, values = isotonic(x, y)
    assert (np.diff(knots) > 0).all()
    assert (np.diff(values) > 0).all()
    peer = IsotonicRegression().fit(x, y).predict(x)
    blocks = {round(value, 9) for value in values.tolist()}
    assert {round(value, 9) for value in peer.tolist()} == blocks


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_intervals_hold_as_often_as_they_say_in_every_part_of_the_scale(level: float) -> None:
    inside, parts = [], {True: [], False: []}  # type: ignore[var-annotated]
    for seed in range(20):
        calibration = Calibration(*world(500, seed))
        said, true = world(400, 1000 + seed)
        low, high = calibration.intervals(said, level, HTER.limits)
        good = (low <= true) & (true <= high)
        inside.append(good.mean())
        for upper, found in parts.items():
            found.append(good[(said > 0.5) == upper].mean())
    assert np.mean(inside) == pytest.approx(level, abs=0.02)
    assert all(np.mean(found) == pytest.approx(level, abs=0.04) for found in parts.values())


def test_scores_are_brought_to_what_was_true() -> None:
    calibration = Calibration(*world(5000, 1))
    assert calibration.calibrated(np.array([0.25, 0.5]))[1] == pytest.approx(0.5**1.3, abs=0.03)


def test_too_few_sentences_for_an_interval_are_named() -> None:
    with pytest.raises(DataError, match="30 held-out sentences are too few for intervals of 99%: 199 are needed"):
        Calibration(*world(30, 1)).intervals(np.array([0.5]), 0.99, HTER.limits)


def test_the_risk_of_publishing_is_kept() -> None:
    # In nine of ten worlds at least, no more than 20 % of what is published is worse than .2.
    broken = published = 0
    for seed in range(60):
        said, true = world(3000, 5000 + seed)
        found = decide(said, Calibration(*world(400, seed)), HTER, DecisionRecipe(good=0.2, bad=0.6, risk=0.2))
        out = np.array(found.decisions) == "publish"
        published += bool(out.any())
        broken += bool(out.any() and (true[out] > 0.2).mean() > 0.2)
    assert published > 50
    assert broken <= 6


def test_decisions_follow_the_direction_of_the_task() -> None:
    said, true = world(1000, 3)
    down = decide(
        np.array([0.01, 0.4, 0.99]), Calibration(said, true), HTER, DecisionRecipe(good=0.2, bad=0.5, risk=0.2)
    )
    assert down.decisions == ("publish", "post-edit", "retranslate")
    assert down.counts() == {"publish": 1, "post-edit": 1, "retranslate": 1}
    up = decide(
        np.array([4.99, 3.4, 1.01]),
        Calibration(5 - 4 * said, 5 - 4 * true),
        score_task("effort"),
        DecisionRecipe(good=4.2, bad=3.0, risk=0.2),
    )
    assert up.decisions == down.decisions
    assert up.outlook[0].threshold == pytest.approx(5 - 4 * (down.outlook[0].threshold or 0))
    assert all(each.bound is None or each.bound <= 0.2 for each in up.outlook)
    strict = decide(said, Calibration(said[:50], true[:50]), HTER, DecisionRecipe(risk=0.01))
    assert set(strict.decisions) == {"post-edit"}
    assert "No sentence is sure enough for: publish, retranslate" in strict.render()
    assert down.to_dict()["meta"]["risk"] == 0.2


def test_the_curve_says_what_could_be_published_at_which_risk() -> None:
    said, true = world(400, 3)
    asked = np.linspace(0, 1, 1000)
    calibration = Calibration(said, true)
    none = decide(asked, calibration, HTER, DecisionRecipe(good=0.2, bad=0.6, risk=0.01))
    assert none.counts()["publish"] == 0
    risks, shares = [each.risk for each in none.curve], [each.share for each in none.curve]
    assert risks == sorted(set(risks))
    assert shares == sorted(set(shares))
    assert none.to_dict()["meta"]["least_risk"] == risks[0] > 0.01
    least = math.ceil(risks[0] * 100) / 100
    assert f"At the risk asked for, 0.01, nothing can be published. --risk {least:g} would publish" in none.render()
    # The advice is good, and every step of the curve is what asking with that risk publishes.
    for step in none.curve:
        some = decide(asked, calibration, HTER, DecisionRecipe(good=0.2, bad=0.6, risk=step.risk))
        assert (some.outlook[0].share, some.outlook[0].threshold) == (step.share, step.threshold)
        assert some.counts()["publish"] == step.sentences
        assert some.curve == none.curve
    (figure,) = none.figures()
    assert (figure.x, figure.y) == ("risk", "share")
    corners = list(zip(figure.table.column("risk"), figure.table.column("share"), strict=True))
    assert corners[:3] == [(0, 0), (risks[0], 0), (risks[0], shares[0])]
    assert corners[-1] == (1, shares[-1])
    assert "<svg" in none.html()
    never = decide(asked, Calibration(said, np.ones(400)), HTER, DecisionRecipe(good=0.2, bad=0.6))
    assert (never.curve, never.figures()) == ((), [])
    assert "No risk below 1 publishes anything" in never.render()


def test_one_decision_for_all_is_said_once() -> None:
    said, true = world(50, 3)
    all_alike = decide(said, Calibration(said, true), HTER, DecisionRecipe(risk=0.01), empty=(7,))
    assert "So 49 of 50 are post-edited, and not listed here." in all_alike.render()
    assert all_alike.render().count("post-edit") < 5
    assert len(all_alike.to_dict()["rows"]) == len(all_alike.render("tsv").splitlines()) - 1 == 50


def test_wrong_bounds_are_named() -> None:
    calibration = Calibration(*world(50, 1))
    for options, message in [
        ({"risk": 0.0}, "Risk and confidence lie between 0 and 1; got 0 and 0.9"),
        ({"good": 0.8}, r"What is good enough \(0.8\) must be better than what is bad enough \(0.7\)"),
    ]:
        with pytest.raises(DataError, match=message):
            decide(np.array([0.5]), calibration, HTER, DecisionRecipe(**options))
    with pytest.raises(DataError, match="Say which time is good enough to publish"):
        decide(np.array([0.5]), calibration, score_task("time"))


@each_name
def test_parts_of_an_explanation_add_up(name: str) -> None:
    features, scores = made()
    model = learn_scores(small(name), features, scores, task="hter")
    some = FeatureTable.of(features.names, features.values[:6] * 1.5)
    found = model.explain(some, n_orders=3)
    sums = [found.base + sum(parts) + clip for parts, clip in zip(found.contributions, found.clipped, strict=True)]
    assert sums == pytest.approx(model.predict(some).scores, abs=1e-9)
    assert found.scores == model.predict(some).scores
    assert found.names == ("a", "b", "noise")
    assert found.to_dict()["rows"][0]["feature"] in found.names
    again = model.explain(some, n_orders=3)
    assert again == found


def test_shapley_values_of_a_product_are_shared() -> None:
    # f = x₁x₂ from the usual point 0: each of two features is worth half.
    from dragoman.learn.contributions import contributions
    from dragoman.learn.predictors import Predictor
    from dragoman.learn.preparation import Preparation

    class Product(Predictor):
        form = "product"

        def predict(self, x: np.ndarray) -> np.ndarray:
            return x[:, 0] * x[:, 1]

        def arrays(self) -> dict[str, np.ndarray]:
            return {}

        def size(self) -> dict[str, int]:
            return {}

    parts, base, _ = contributions(
        Product(), Preparation(np.zeros(2), np.ones(2), None), np.array([[2.0, 3.0]]), np.zeros(2), seed=1, n_orders=2
    )
    assert (parts.tolist(), base) == ([[3.0, 3.0]], 0.0)


def test_features_that_moved_are_seen() -> None:
    features, scores = made()
    model = learn_scores(LEARNERS.make("ridge"), features, scores, task="hter")
    moved = features.values.copy()
    moved[:, 1] += 300
    shifts = model.shifts(FeatureTable.of(features.names, moved))
    assert shifts["b"] == pytest.approx(300 / features.values[:, 1].std())
    assert abs(shifts["a"]) < 1e-9


def test_predictions_with_intervals_say_so() -> None:
    features, scores = made()
    model = learn_scores(LEARNERS.make("ridge"), features, scores, task="hter")
    found = model.predict(features, level=0.8)
    assert found.low is not None
    assert found.high is not None
    assert all(low <= high for low, high in zip(found.low, found.high, strict=True))
    assert "for 80% of sentences" in found.render()
    with pytest.raises(DataError, match="trained on a table of features and does not know how to make them from text"):
        model.predict(["a"], ["b"])
    with pytest.raises(DataError, match="give the outputs, too"):
        model.predict(["a"])
    with pytest.raises(DataError, match="not both"):
        model.predict(features, ["b"])
