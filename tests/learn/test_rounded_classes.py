"""Scores as classes, and the selectors that rank features."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dragoman.learn import LEARNERS
from dragoman.learn.rounded import RoundedClasses
from dragoman.learn.selectors import Job
from dragoman.learn.selectors.base import SELECTORS
from dragoman.learn.selectors.rankers import binned, entropy, relieff
from dragoman.qe import FeatureTable, learn_scores


def steps(n: int = 120) -> tuple[FeatureTable, list[float]]:
    """Scores of three levels, each with features of its own."""
    rng = np.random.default_rng(1)
    level = rng.integers(0, 3, size=n)
    x = np.column_stack([level * 3.0, rng.normal(size=n)]) + 0.3 * rng.normal(size=(n, 2))
    return FeatureTable.of(["level", "noise"], x), (2.0 + level + 0.1 * rng.uniform(-1, 1, size=n)).tolist()


@pytest.mark.parametrize("classifier", ["naive-bayes", "knn", "tree", "svm"])
@pytest.mark.parametrize("value", ["mean", "mode"])
def test_classes_are_told_apart(classifier: str, value: str) -> None:
    features, scores = steps()
    recipe = RoundedClasses(step=1.0, classifier=classifier, value=value, neighbours=5)
    said = np.array(learn_scores(recipe, features, scores, task="effort").predict(features).scores)
    assert np.abs(said - np.array(scores)).mean() < (0.2 if classifier != "svm" or value == "mode" else 0.4)
    if value == "mode":
        assert set(np.round(said, 6)) <= {2.0, 3.0, 4.0}
    else:
        assert ((said >= 2 - 1e-9) & (said <= 4 + 1e-9)).all()


def test_naive_bayes_is_that_of_scikit_learn() -> None:
    from sklearn.naive_bayes import GaussianNB

    features, scores = steps()
    said = (
        learn_scores(RoundedClasses(step=1.0, scale="standard"), features, scores, task="effort")
        .predict(features)
        .scores
    )
    x = (features.values - features.values.mean(axis=0)) / features.values.std(axis=0)
    labels = np.round(scores)
    peer = GaussianNB().fit(x, labels)
    assert said == pytest.approx((peer.predict_proba(x) @ peer.classes_).tolist(), abs=1e-6)


def test_the_machines_vote_as_those_of_scikit_learn() -> None:
    from sklearn.svm import SVC

    features, scores = steps()
    noisy = FeatureTable.of(features.names, features.values + np.random.default_rng(3).normal(size=(120, 2)))
    recipe = RoundedClasses(step=1.0, classifier="svm", value="mode")
    said = learn_scores(recipe, noisy, scores, task="effort").predict(noisy).scores
    x = (noisy.values - noisy.values.mean(axis=0)) / noisy.values.std(axis=0)
    peer = SVC(gamma=0.5).fit(x, np.round(scores).astype(int)).predict(x)
    assert np.mean(np.round(said) == peer) > 0.98  # of equal votes, libsvm may take another class


def test_one_class_and_one_sentence_a_class_are_no_trouble() -> None:
    features, scores = steps(40)
    flat = [3.0 + 0.001 * score for score in scores]
    said = learn_scores(RoundedClasses(step=1.0), features, flat, task="effort").predict(features).scores
    assert np.ptp(said) == 0
    fine = learn_scores(RoundedClasses(step=0.001), features, scores, task="effort").predict(features).scores
    assert np.isfinite(fine).all()
    together = learn_scores(LEARNERS.make("ensemble:members=ridge+classes"), features, scores, task="effort")
    assert np.corrcoef(together.predict(features).scores, scores)[0, 1] > 0.8


def test_gain_and_ratio_by_hand() -> None:
    assert binned(np.array([1.0, 2, 3, 4]), 2).tolist() == [0, 0, 1, 1]
    assert binned(np.array([5.0, 5, 5, 5]), 3).tolist() == [0, 0, 0, 0]
    assert entropy(np.array([2, 2, 0])) == 1
    y = np.array([0.0, 0, 1, 1])
    x = np.column_stack([y, [0.0, 1, 0, 1], [0.0, 0, 1, 2]])
    gains = SELECTORS.make("information-gain:bins=4").strengths(x, y)  # type: ignore[attr-defined]
    assert gains.tolist() == pytest.approx([1, 0, 1])
    ratios = SELECTORS.make("gain-ratio:bins=4").strengths(x, y)  # type: ignore[attr-defined]
    assert ratios[0] == pytest.approx(1)
    assert ratios[2] == pytest.approx(1 / 1.5)


def test_relieff_by_its_definition() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.uniform(size=(30, 3)), rng.uniform(size=30)
    y = x[:, 0] + 0.05 * y
    k = 4
    z = (x - x.min(axis=0)) / np.ptp(x, axis=0)
    weight = [math.exp(-((r / (k / 3)) ** 2)) for r in range(1, k + 1)]
    total = sum(weight)
    n_dc, n_da, both = 0.0, np.zeros(3), np.zeros(3)
    for i in range(30):
        near = sorted((j for j in range(30) if j != i), key=lambda j: np.abs(z[j] - z[i]).sum())[:k]
        for r, j in enumerate(near):
            w = weight[r] / total
            dc = abs(y[i] - y[j]) / np.ptp(y)
            n_dc += dc * w
            n_da += np.abs(z[i] - z[j]) * w
            both += dc * np.abs(z[i] - z[j]) * w
    wanted = both / n_dc - (n_da - both) / (30 - n_dc)
    found = relieff(x, y, k, 100)
    assert found.tolist() == pytest.approx(wanted.tolist())
    assert found.argmax() == 0


@pytest.mark.parametrize("name", ["relieff", "information-gain", "gain-ratio"])
def test_features_that_parts_disagree_on_go(name: str) -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(200, 6))
    y = x[:, 1] + 0.2 * rng.normal(size=200)
    job = Job(tuple("abcdef"))
    assert SELECTORS.make(f"{name}:most=1").check().choose(x, y, job).tolist() == [1]
    assert 1 in SELECTORS.make(f"{name}:most=3,folds=1").check().choose(x, y, job).tolist()
