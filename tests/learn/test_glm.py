"""Generalised linear models, against a naive fit and against scikit-learn's."""

from __future__ import annotations

from math import erf, exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.learn import LEARNERS, Job
from dragoman.learn.glm import FAMILIES, score
from dragoman.qe import FeatureTable, learn_scores
from tests.examples import examples

CASES = [(family, link) for family, links in FAMILIES.items() for link in links]
MEANS = {
    "identity": lambda s: s,
    "log": exp,
    "logit": lambda s: 1 / (1 + exp(-s)),
    "probit": lambda s: (1 + erf(s / sqrt(2))) / 2,
    "cloglog": lambda s: 1 - exp(-exp(s)),
}


def invented(family: str, n: int, width: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, width))
    eta = 0.3 + 0.5 * x[:, 0] + 0.3 * rng.normal(size=n)
    if family == "binomial":
        return x, np.round(1 / (1 + np.exp(-eta)), 1)
    if family == "poisson":
        return x, rng.poisson(np.exp(eta)).astype(float)
    return x, np.exp(eta)


def log_likelihood(family: str, y: float, mean: float) -> float:
    """Of one score, as textbooks have it; up to what depends on the score alone. Dispersion 1."""
    if family == "gaussian":
        return -((y - mean) ** 2) / 2
    if family == "binomial":
        return y * log(mean) + (1 - y) * log(1 - mean)
    return -y / mean - log(mean) if family == "gamma" else y * log(mean) - mean


@pytest.mark.parametrize(("family", "link"), CASES)
@examples(4)
@given(st.integers(12, 30), st.integers(1, 3), st.sampled_from([0.01, 0.3]), st.integers(0, 10**6))
def test_it_is_what_a_naive_search_finds(family: str, link: str, n: int, width: int, alpha: float, seed: int) -> None:
    from scipy.optimize import minimize

    x, y = invented(family, n, width, seed)
    if np.ptp(y) == 0 or y.mean() == 0:
        return
    slope, variance = weight_at(family, link, float(y.mean()))
    penalty = alpha * slope**2 / variance

    def loss(theta: np.ndarray) -> float:
        means = [MEANS[link](theta[0] + float(row @ theta[1:])) for row in x]
        fit = sum(log_likelihood(family, score, m) for score, m in zip(y.tolist(), means, strict=True))
        return -fit / n + penalty / 2 * sum(w * w for w in theta[1:])

    weights, intercept = score(x, y, family, link, alpha)
    naive = minimize(loss, np.append(intercept, weights) + 0.05, method="BFGS", options={"gtol": 1e-7})
    np.testing.assert_allclose([intercept, *weights], naive.x, rtol=0, atol=2e-4)


def weight_at(family: str, link: str, mean: float) -> tuple[float, float]:
    """dμ/dη and the variance where the mean is that of all scores."""
    from scipy.optimize import brentq

    eta = brentq(lambda s: MEANS[link](s) - mean, -20, 20)
    slope = (MEANS[link](eta + 1e-5) - MEANS[link](eta - 1e-5)) / 2e-5
    variance = {"gaussian": 1.0, "binomial": mean * (1 - mean), "gamma": mean**2, "poisson": mean}[family]
    return slope, variance


def test_with_the_normal_distribution_it_is_ridge_regression() -> None:
    x, y = invented("gaussian", 40, 3, 1)
    job = Job(("a", "b", "c"), mean=0.4, spread=0.2)
    y = (y - y.mean()) / y.std()
    ours = LEARNERS.make("glm:family=gaussian").fit(x, y, {"alpha": 0.3}, job).predict(x)
    np.testing.assert_allclose(ours, LEARNERS.make("ridge").fit(x, y, {"alpha": 0.3}, job).predict(x), atol=1e-10)


@pytest.mark.parametrize("family", ["poisson", "gamma"])
def test_it_is_scikit_learns(family: str) -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    x, y = invented(family, 60, 3, 2)
    weight = float(y.mean()) if family == "poisson" else 1.0
    made = {"poisson": linear_model.PoissonRegressor, "gamma": linear_model.GammaRegressor}[family]
    peer = made(alpha=0.1 * weight, tol=1e-10, max_iter=10_000).fit(x, y)
    weights, intercept = score(x, y, family, "log", 0.1)
    np.testing.assert_allclose([intercept, *weights], [peer.intercept_, *peer.coef_], atol=1e-6)


def test_shares_stay_between_their_ends() -> None:
    x = np.linspace(-3, 3, 60)[:, np.newaxis]
    effort = 1 + 4 / (1 + np.exp(-2 * x[:, 0]))
    table = FeatureTable.of(["a"], x)
    model = learn_scores(LEARNERS.make("glm:low=1,high=5,alpha=0.001,layout=shuffled"), table, effort, task="score")
    low, middle, high = model.predict(FeatureTable.of(["a"], [[-50.0], [0.0], [50.0]])).scores
    assert (low, middle, high) == pytest.approx((1, 3, 5), abs=0.02)
    line = learn_scores(LEARNERS.make("ridge:alpha=0.001,layout=shuffled"), table, effort, task="score")
    assert model.training.measures["mae"][0] < 0.5 * line.training.measures["mae"][0]
    assert line.predict(FeatureTable.of(["a"], [[50.0]])).scores[0] > 5


def test_scores_that_the_distribution_cannot_have_are_named() -> None:
    x, y = invented("gaussian", 30, 2, 3)
    table = FeatureTable.of(["a", "b"], x)
    for options, message in [
        ("", r"of a binomial model: these lie from 0 to 1. Say the ends of the scale \(glm:low=1,high=5\)"),
        ("family=gamma", "of a gamma model: these lie above 0"),
        ("family=poisson", "of a poisson model: these lie from 0 on"),
    ]:
        with pytest.raises(DataError, match=message):
            learn_scores(LEARNERS.make(f"glm:{options}" if options else "glm"), table, y - 1, task="score")
    with pytest.raises(DataError, match=r"The link 'logit' does not suit gamma scores. Known: log"):
        LEARNERS.make("glm:family=gamma,link=logit")
    with pytest.raises(DataError, match="from 5 to 1; low must lie below high"):
        LEARNERS.make("glm:low=5,high=1")
