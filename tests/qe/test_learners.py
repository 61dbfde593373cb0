from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, ModelError
from dragoman.learn import LEARNERS
from dragoman.learn.base import Job
from dragoman.learn.folds import make_folds
from dragoman.learn.svr import SupportVectors
from dragoman.qe import QEModel, learn_scores
from dragoman.testing.learners import quality_data as made

JOB = Job(("a", "b", "c", "d"))


def test_folds_by_layout() -> None:
    assert make_folds(10, 3, "contiguous", seed=1).tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    dealt = make_folds(10, 3, "shuffled", seed=1)
    assert sorted(dealt.tolist()) == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert (dealt == make_folds(10, 3, "shuffled", seed=1)).all()
    assert (dealt != make_folds(10, 3, "shuffled", seed=2)).any()
    groups = ["a", "a", "b", "b", "b", "c", "d"]
    assert make_folds(7, 2, "grouped", seed=1, groups=groups).tolist() == [1, 1, 0, 0, 0, 1, 0]


def test_bad_folds_are_named() -> None:
    for call, message in [
        (lambda: make_folds(9, 5, "contiguous", seed=1), "9 sentences are too few for 5 folds"),
        (lambda: make_folds(9, 2, "random", seed=1), "No layout of folds is called 'random'. Known: contiguous"),
        (lambda: make_folds(9, 2, "grouped", seed=1), "Groups and the layout grouped belong together"),
        (lambda: make_folds(9, 2, "shuffled", seed=1, groups="a" * 9), "Groups and the layout grouped belong"),
        (lambda: make_folds(9, 2, "grouped", seed=1, groups="ab"), "9 sentences, 2 groups"),
        (lambda: make_folds(4, 3, "grouped", seed=1, groups="aabb"), "2 groups are too few for 3 folds"),
    ]:
        with pytest.raises(DataError, match=message):
            call()


def test_a_large_training_set_is_searched_in_part_and_learnt_whole() -> None:
    features, scores = made(80)
    recipe = SupportVectors(c=(4,), gamma=(0.1,), epsilon=(0.1,), search_most=40)
    training = learn_scores(recipe, features, scores, task="hter").training
    assert (training.n_searched, training.n_sentences) == (40, 80)
    assert "40 of 80 sentences" in training.render()


def test_our_kernel_is_scikit_learns() -> None:
    from sklearn.svm import SVR

    rng = np.random.default_rng(7)
    x, y, new = rng.normal(size=(50, 4)), rng.normal(size=50), rng.normal(size=(20, 4))
    ours = SupportVectors().fit(x, y, {"c": 2.0, "gamma": 0.2, "epsilon": 0.1}, JOB).predict(new)
    assert ours == pytest.approx(SVR(C=2.0, gamma=0.2, epsilon=0.1).fit(x, y).predict(new), abs=1e-12)


def test_ridge_minimises_what_it_says() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(30, 3)), rng.normal(size=30) + 2
    model = LEARNERS.make("ridge").fit(x, y, {"alpha": 0.5}, JOB)
    w = model.arrays()["weights"]

    def loss(weights: np.ndarray) -> float:
        return float(np.square(y - y.mean() - (x - x.mean(axis=0)) @ weights).mean() + 0.5 * np.square(weights).sum())

    assert all(loss(w) < loss(w + step) for step in 1e-3 * np.vstack([np.eye(3), -np.eye(3)]))


def test_a_model_of_a_form_we_do_not_know_is_refused(tmp_path: Path) -> None:
    features, scores = made()
    folder = learn_scores(LEARNERS.make("ridge"), features, scores, task="hter").save(tmp_path / "model")
    facts = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps({**facts, "form": "cards"}))
    with pytest.raises(ModelError, match="damaged or was edited"):
        QEModel.load(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["files"]["model.json"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="a model of the form 'cards', which this version does not know"):
        QEModel.load(folder)
    with pytest.raises(ModelError, match="There is no model folder"):
        QEModel.load(tmp_path / "none")


def test_the_kernel_of_many_columns_is_libsvms() -> None:
    from sklearn.svm import SVR

    draws = np.random.default_rng(3)
    x, y = draws.normal(size=(60, 80)), draws.normal(size=60)
    setting = {"c": 1.0, "gamma": 0.003, "epsilon": 0.25}
    job = Job(tuple(map(str, range(80))))
    own = LEARNERS.make("svr").fit(x, y, setting, job)
    model = SVR(C=1.0, gamma=0.003, epsilon=0.25).fit(x, y)
    assert own.predict(x[:9] + 0.1) == pytest.approx(model.predict(x[:9] + 0.1), abs=2e-3)
