from __future__ import annotations

from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dragoman.learn import LEARNERS
from dragoman.learn.base import Job
from dragoman.learn.preparation import normal_scores, prepare
from dragoman.qe import FeatureTable, QEModel, learn_scores
from dragoman.testing.learners import quality_data as made

NORMAL = NormalDist()


@given(arrays(float, st.integers(1, 12), elements=st.integers(-3, 3)), st.integers(-5, 5))
def test_normal_scores_are_mid_ranks_on_the_normal_curve(known: np.ndarray, value: float) -> None:
    levels = np.sort(known)
    n = len(levels)
    rank = (sum(levels < value) + sum(levels <= value)) / 2
    expected = NORMAL.inv_cdf(min(max(rank, 0.5), n - 0.5) / n)
    found = normal_scores(np.array([[float(value)]]), levels[:, np.newaxis])
    assert found[0, 0] == pytest.approx(expected, abs=1e-12)


def test_ranks_do_not_see_how_far_off_a_value_lies() -> None:
    x = np.random.default_rng(1).normal(size=(500, 2))
    y = x[:, 0]
    far = x.copy()
    far[0] = 1e9
    job = Job(("a", "b"))
    prepared = prepare(x, y, "ranks", (), job)
    z = prepared.apply(x)
    assert z.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert z.std(axis=0) == pytest.approx([1, 1])
    assert np.abs(prepared.apply(far)).max() < 3.2
    assert np.abs(prepare(x, y, "standard", (), job).apply(far)).max() > 1e8
    # Any rising function of a feature has the same ranks.
    assert prepare(np.exp(x), y, "ranks", (), job).apply(np.exp(x)) == pytest.approx(z)


def test_ranks_leave_constant_features_out_and_combine() -> None:
    rng = np.random.default_rng(2)
    x = np.column_stack([rng.normal(size=60), np.full(60, 3.0), rng.normal(size=60)])
    job = Job(("a", "same", "c"))
    assert prepare(x, x[:, 0], "ranks", (), job).names(job.names) == ("a", "c")
    together = prepare(x, x[:, 0], "ranks", ("pca:most=1",), job)
    assert together.apply(x).shape == (60, 1)


@pytest.mark.parametrize("learner", ["ridge", "svr:c=4,gamma=0.1,epsilon=0.1", "ensemble:members=ridge+pls"])
def test_models_of_ranks_are_kept_and_explained(learner: str, tmp_path: Path) -> None:
    features, scores = made(80)
    name, _, rest = learner.partition(":")
    model = learn_scores(
        LEARNERS.make(f"{name}:{rest + ',' if rest else ''}scale=ranks"), features, scores, task="hter"
    )
    model.save(tmp_path / "model")
    kept = QEModel.load(tmp_path / "model")
    assert kept.predict(features).scores == model.predict(features).scores
    far = FeatureTable.of(features.names, features.values * 1e6)
    assert np.isfinite(kept.predict(far).scores).all()
    found = kept.explain(features, n_orders=2)
    for parts, clipped, score in zip(found.contributions, found.clipped, found.scores, strict=True):
        assert found.base + sum(parts) + clipped == pytest.approx(score)
