"""Every learner of the registry keeps the contract of learners."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import ModelError, NotAvailable
from dragoman.learn import LEARNERS, Learner
from dragoman.qe import QEModel, learn_scores
from dragoman.testing.learners import LEARNER
from dragoman.testing.learners import quality_data as made
from tests.fuzz.sealing import reseal

each_name = pytest.mark.parametrize("name", LEARNERS.names())


def small(name: str) -> Learner:
    """The learner with few settings, so that the tests are quick."""
    options = {
        "aso": "penalty=0.01,cuts=3",
        "boosting": "n_trees=40,depth=2,rate=0.2",
        "classes": "step=0.05,classifier=knn,neighbours=5",
        "consistent": "of=ridge",
        "elastic-net": "alpha=0.1+0.01,rho=0.5",
        "ensemble": "members=ridge+pls,weighting=stacked",
        "extra-trees": "n_trees=20,min_leaf=1+2,share=1",
        "forest": "n_trees=20,min_leaf=1+2,share=1",
        "glm": "alpha=0.1+0.01",
        "gp": "learn_most=20",
        "lasso": "alpha=0.1+0.01",
        "linear-svr": "c=1,epsilon=0.1",
        "m5p": "min_leaf=4+20",
        "mars": "degree=1,knots=5,most=8",
        "multitask-gp": "learn_most=20",
        "nets": "n_nets=3,n_hidden=4,epochs=60,rate=0.05,decay=0.001+0.01",
        "polynomial-svr": "degree=2,c=1,epsilon=0.1,gamma=0.1",
        "ranking-svm": "c=1,n_pairs=500",
        "ridge": "alpha=0.1+0.01",
        "svr": "c=4+16,gamma=0.1,epsilon=0.1",
    }
    return LEARNERS.make(f"{name}:{options[name]}" if name in options else name)


@each_name
def test_it_keeps_the_contract(name: str) -> None:
    LEARNER.check(small(name), name)


@pytest.mark.parametrize(
    ("name", "file", "value", "reason"),
    [
        ("forest", "left", 0, "A node of a tree leads back"),
        ("forest", "left", 10**6, "or to a node that is not there"),
        ("forest", "feature", 99, "A node of a tree asks for a feature that is not among the 3"),
    ],
)
def test_trees_that_lead_nowhere_are_refused(name: str, file: str, value: int, reason: str, tmp_path: Path) -> None:
    features, scores = made()
    folder = learn_scores(small(name), features, scores, task="hter", seed=5).save(tmp_path / "model")
    left = np.load(folder / "model.left.npy")
    array = np.load(folder / f"model.{file}.npy")
    array[np.flatnonzero(left >= 0)[-1]] = value
    np.save(folder / f"model.{file}.npy", array)
    reseal(folder)
    with pytest.raises(ModelError, match=reason):
        QEModel.load(folder)


@pytest.mark.parametrize("name", ["svr", "lasso", "forest", "boosting", "linear-svr", "ensemble"])
def test_a_missing_package_is_named_before_work_starts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    features, scores = made(20)
    named = "svr" if name == "ensemble" else name
    with pytest.raises(NotAvailable, match=rf'learner {named} needs the package scikit-learn. .*"dragoman\[qe\]"'):
        learn_scores(LEARNERS.make(name), features, scores, task="hter")
