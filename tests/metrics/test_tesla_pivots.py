"""TESLA-B and TESLA-F: the papers' definitions, what their resources change, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, ModelError
from dragoman.metrics import MetricTraining, make_metric, score
from dragoman.metrics.pivots import PivotSettings
from dragoman.metrics.references import ScoredText
from dragoman.metrics.tesla import TeslaM
from dragoman.metrics.tesla_pivots import TeslaB, TeslaF
from tests.metrics.pivot_tables import SMALL, saved_resources, table_of
from tests.metrics.test_training import TEXT, rankings

REFS = ["The cat sleeps.", "He eats two apples.", "Good morning, cat!", "Nobody knows it."]
GOOD = ["A cat sleeps.", "He eats apples.", "Good morning, the cat!", "Nobody knows."]
POOR = ["sleeps cat dog", "They drank one beer", "Hello there", "it Nobody"]


@pytest.fixture
def pivots(tmp_path: Path) -> str:
    return str(table_of(SMALL, function_words=("le", "la")).save(tmp_path / "pivots"))


@pytest.fixture
def tesla_f(tmp_path: Path) -> TeslaF:
    metric = make_metric(saved_resources(tmp_path)["tesla-f"])
    assert isinstance(metric, TeslaF)
    return metric


def test_identical_texts_score_100_and_pivots_may_be_named_twice(pivots: str) -> None:
    once, twice = TeslaB(pivots=(pivots,)), TeslaB(pivots=(pivots, pivots))
    assert once.segments(REFS, [REFS]) == pytest.approx(100)
    np.testing.assert_allclose(twice.segments(GOOD, [REFS]), once.segments(GOOD, [REFS]), rtol=0, atol=1e-9)


def test_it_is_the_mean_of_tesla_m_and_the_pivots(pivots: str) -> None:
    metric = TeslaB(pivots=(pivots,))
    text = ScoredText.of_streams([GOOD], [REFS], None)
    features = metric.reference_features(metric.prepare(text, 1), 0, 1)[0]
    assert features.shape == (4, 12)
    expected = 50 * (features[:, :6].mean(axis=1) + features[:, 6:].mean(axis=1))
    assert metric.segments(GOOD, [REFS]) == pytest.approx(expected)
    assert 100 * features[:, :6].mean(axis=1) == pytest.approx(TeslaM().segments(GOOD, [REFS]))


def test_meanings_meet_in_the_pivot(tmp_path: Path) -> None:
    table = table_of({"auto": (1, {"voiture": 1.0}), "car": (1, {"voiture": 1.0}), "dog": (1, {"chien": 1.0})})
    metric = TeslaB(pivots=(str(table.save(tmp_path / "pivots")),))
    auto, dog = metric.segments(["auto", "dog"], [["car", "car"]])
    assert auto == pytest.approx(50)
    assert dog == pytest.approx(0)


def test_fluency_is_a_feature(tesla_f: TeslaF) -> None:
    text = ScoredText.of_streams([["the cat sat on the mat .", "mat mat mat xyz", ""]], [["a", "b", "c"]], None)
    fluency = tesla_f.reference_features(tesla_f.prepare(text, 1), 0, 1)[0, :, -1]
    assert 1 > fluency[0] > fluency[1] > 0
    alone = TeslaF(pivots=tesla_f.pivots, lms=tesla_f.lms, weights=(*[0.0] * 12, 1.0))
    assert alone.segments(["the cat sat on the mat ."], [["x"]])[0] == pytest.approx(100 * fluency[0])
    capital = ["The cat sat on the mat ."]
    small = TeslaF(pivots=tesla_f.pivots, lms=tesla_f.lms, weights=alone.weights, lm_case="lower")
    assert small.segments(capital, [["x"]])[0] > alone.segments(capital, [["x"]])[0]


def test_the_scaling_of_wmt11() -> None:
    # ω of the F .02, .03, −.01, of the language models .001 and −.0005, whose scores go from −15 to 0.
    weights = np.array([0.02, 0.03, -0.01, 0.001, -0.0005])
    features = np.array([0.5, 0.4, 0.6, -3.0, -4.0])
    assert features @ weights == pytest.approx(0.015)
    shares = np.array([0.5, 0.4, 0.6, 1 - 3 / 15, 1 - 4 / 15])
    in_shares = np.array([0.02, 0.03, -0.01, 0.015, -0.0075])
    metric = TeslaM(weights=(*in_shares.tolist(), 0.0))
    assert metric.combined(np.array([*shares, 0.0])) == pytest.approx(0.484848, abs=1e-6)


@pytest.mark.parametrize("name", ["tesla-b", "tesla-f"])
def test_weights_of_all_features_are_learnt(name: str, tmp_path: Path) -> None:
    start = make_metric(saved_resources(tmp_path)[name])
    assert isinstance(start, TeslaB)
    trained = MetricTraining().train(start, TEXT, rankings())
    assert isinstance(trained.metric, TeslaB)
    assert len(trained.metric.weights) == len(start.plain_weights()) == (13 if name == "tesla-f" else 12)
    assert trained.after == 1.0
    again = make_metric(f"trained:{trained.save(tmp_path / 'mine')}")
    np.testing.assert_array_equal(again.segments(GOOD, [REFS]), trained.metric.segments(GOOD, [REFS]))
    assert "pivots 1" in trained.data
    table_of({"cat": (1, {"chat": 1.0})}).save(tmp_path / "pivots")
    with pytest.raises(ModelError, match="the metric learnt with other pivots 1 than there are now"):
        make_metric(f"trained:{tmp_path / 'mine'}")


def test_scaling_does_not_change_the_order(tesla_f: TeslaF) -> None:
    rng = np.random.default_rng(3)
    text = ScoredText.of_streams([GOOD, POOR, REFS, REFS[::-1]], [REFS], None)
    features = tesla_f.reference_features(tesla_f.prepare(text, 1), 0, 1)
    for _ in range(20):
        weights = rng.normal(size=features.shape[-1])
        scaled = TeslaF(pivots=tesla_f.pivots, lms=tesla_f.lms, weights=tuple(weights.tolist())).combined(features)
        assert ((scaled >= -1e-12) & (scaled <= 1 + 1e-12)).all()
        raw, shares = (features @ weights).ravel(), scaled.ravel()
        apart = np.subtract.outer(raw, raw)
        assert (np.sign(np.subtract.outer(shares, shares)) == np.sign(apart))[np.abs(apart) > 1e-9].all()


def test_the_signature_tells_what_the_resources_hold(tesla_f: TeslaF, tmp_path: Path) -> None:
    before = tesla_f.signature()
    assert "|tables:" in before
    assert "|models:" in before
    table_of({"cat": (1, {"chat": 1.0})}).save(tmp_path / "pivots")
    assert tesla_f.signature() != before
    sheet = score({"a": GOOD}, [REFS], metrics=[tesla_f])
    assert sheet.signatures[0].startswith("TESLA-F|nrefs:1|several:mean|lang:en|")


def test_what_they_refuse(pivots: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="TESLA-B looks meanings up in other languages: make a table of pivots"):
        make_metric("tesla-b")
    with pytest.raises(DataError, match="TESLA-F asks language models how fluent a text is: estimate one with"):
        make_metric(f"tesla-f:pivots={pivots}")
    with pytest.raises(DataError, match="There is no language model nowhere"):
        make_metric(f"tesla-f:pivots={pivots},lms=nowhere")
    with pytest.raises(ModelError, match=r"There is no model folder .*missing"):
        make_metric(f"tesla-b:pivots={tmp_path / 'missing'}")
    german = str(table_of(SMALL, settings=PivotSettings(lang="de")).save(tmp_path / "german"))
    with pytest.raises(DataError, match=r"TESLA-B's pivots=.*german are of 'de', but the text is in 'en'"):
        TeslaB(pivots=(german,))
    with pytest.raises(DataError, match="TESLA-B has 12 weights, not all of them 0; got 6"):
        TeslaB(pivots=(pivots,), weights=(1.0,) * 6)
