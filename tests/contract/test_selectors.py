"""What every selector of features must do, over everything registered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, NotAvailable, UnknownName
from dragoman.learn import LEARNERS, SELECTORS
from dragoman.learn.selectors import Job
from dragoman.qe import FeatureTable, QEModel, learn_scores
from tests.contract.test_learners import made

each_name = pytest.mark.parametrize("name", SELECTORS.names())
QUICK = {"stability": "stability:draws=20"}


def planted(n: int = 80) -> tuple[np.ndarray, np.ndarray, Job]:
    """Two features that matter, a twin of the first, and five of noise; standardised."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(n, 8))
    x[:, 2] = x[:, 0]
    y = x[:, 0] - x[:, 1] + 0.3 * rng.normal(size=n)
    x, y = (x - x.mean(axis=0)) / x.std(axis=0), (y - y.mean()) / y.std()
    return x, y, Job(tuple("abcdefgh"), seed=3)


@each_name
def test_what_matters_stays(name: str) -> None:
    x, y, job = planted()
    chosen = SELECTORS.make(QUICK.get(name, name)).check().choose(x, y, job)
    if chosen.ndim == 2:
        assert chosen.shape[0] == 8
        assert (x @ chosen).std(axis=0) == pytest.approx(np.ones(chosen.shape[1]))
        kept = x @ chosen
    else:
        assert chosen.dtype == np.int64
        assert (np.diff(chosen) > 0).all()
        kept = x[:, chosen]
    design = np.column_stack([kept, np.ones(len(y))])
    rest = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    assert rest.var() < 0.1


@each_name
def test_the_same_again(name: str) -> None:
    x, y, job = planted(40)
    selector = SELECTORS.make(QUICK.get(name, name))
    assert (selector.choose(x, y, job) == selector.choose(x, y, job)).all()


@each_name
def test_one_feature_and_scores_without_spread_are_no_trouble(name: str) -> None:
    x, y, job = planted(30)
    selector = SELECTORS.make(QUICK.get(name, name))
    one = selector.choose(x[:, :1], y, Job(("a",)))
    assert one.shape in {(1,), (1, 1)}
    assert selector.choose(x, np.zeros(30), job).size > 0


@each_name
def test_a_model_with_a_selector_is_saved_and_needs_only_what_it_uses(name: str, tmp_path: Path) -> None:
    features, scores = made(50)
    recipe = replace(LEARNERS.make("ridge:alpha=0.01"), select=(QUICK.get(name, name),))
    model = learn_scores(recipe, features, scores, task="hter")
    model.save(tmp_path / "model")
    again = QEModel.load(tmp_path / "model")
    assert again.predict(features) == model.predict(features)
    assert again.recipe == recipe
    some = FeatureTable.of(model.needed, np.column_stack([features.column(each) for each in model.needed]))
    assert model.predict(some) == model.predict(features)
    assert set(model.needed) | set(model.training.left_out) | {"same"} == set(features.names)
    lacking = [each for each in features.names if each != model.needed[0]]
    with pytest.raises(DataError, match=f"{model.needed[0]} is missing"):
        model.predict(FeatureTable.of(lacking, np.column_stack([features.column(each) for each in lacking])))


def test_a_wrong_selector_is_named_before_work(monkeypatch: pytest.MonkeyPatch) -> None:
    features, scores = made(20)
    ridge = LEARNERS.make("ridge")
    with pytest.raises(UnknownName, match="No selector of features is called 'best'"):
        learn_scores(replace(ridge, select=("best",)), features, scores, task="hter")
    with pytest.raises(DataError, match="The 'most' option of Exhaustive must be at least 1 and at most 18"):
        learn_scores(replace(ridge, select=("exhaustive:most=30",)), features, scores, task="hter")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NotAvailable, match="selector stability needs the package scikit-learn"):
        learn_scores(replace(ridge, select=("stability",)), features, scores, task="hter")
