"""What every selector of features promises."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dragoman.errors import DataError
from dragoman.learn import LEARNERS, SELECTORS
from dragoman.learn.selectors import Job
from dragoman.qe import FeatureTable, QEModel, learn_scores
from dragoman.stats.arrays import Floats
from dragoman.testing.contract import Contract, raises
from dragoman.testing.learners import quality_data

__all__ = ["SELECTOR", "check_selector"]

SELECTOR: Contract[str] = Contract("selector of features")


def check_selector(spec: str) -> None:
    """Check a selector of features, given by its name and options: learners know selectors by their names alone."""
    SELECTOR.check(spec, spec)


def planted(n: int = 80) -> tuple[Floats, Floats, Job]:
    """Two features that matter, a twin of the first, and five of noise; standardised."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(n, 8))
    x[:, 2] = x[:, 0]
    y = x[:, 0] - x[:, 1] + 0.3 * rng.normal(size=n)
    x, y = (x - x.mean(axis=0)) / x.std(axis=0), (y - y.mean()) / y.std()
    return x, y, Job(tuple("abcdefgh"), seed=3)


@SELECTOR.rule
def what_matters_stays(spec: str) -> None:
    x, y, job = planted()
    chosen = SELECTORS.make(spec).check().choose(x, y, job)
    if chosen.ndim == 2:
        assert chosen.shape[0] == 8
        np.testing.assert_allclose((x @ chosen).std(axis=0), 1, rtol=1e-6)
        kept = x @ chosen
    else:
        assert chosen.dtype == np.int64
        assert (np.diff(chosen) > 0).all()
        kept = x[:, chosen]
    design = np.column_stack([kept, np.ones(len(y))])
    rest = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    assert rest.var() < 0.1


@SELECTOR.rule
def the_same_again(spec: str) -> None:
    x, y, job = planted(40)
    selector = SELECTORS.make(spec)
    assert (selector.choose(x, y, job) == selector.choose(x, y, job)).all()


@SELECTOR.rule
def one_feature_and_scores_without_spread_are_no_trouble(spec: str) -> None:
    x, y, job = planted(30)
    selector = SELECTORS.make(spec)
    one = selector.choose(x[:, :1], y, Job(("a",)))
    assert one.shape in {(1,), (1, 1)}
    assert selector.choose(x, np.zeros(30), job).size > 0


@SELECTOR.rule
def a_model_with_a_selector_is_saved_and_needs_only_what_it_uses(spec: str) -> None:
    features, scores = quality_data(50)
    recipe = replace(LEARNERS.make("ridge:alpha=0.01"), select=(spec,))
    model = learn_scores(recipe, features, scores, task="hter")
    with TemporaryDirectory() as folder:
        again = QEModel.load(model.save(Path(folder) / "model"))
    assert again.predict(features) == model.predict(features)
    assert again.recipe == recipe
    some = FeatureTable.of(model.needed, np.column_stack([features.column(each) for each in model.needed]))
    assert model.predict(some) == model.predict(features)
    assert set(model.needed) | set(model.training.left_out) | {"same"} == set(features.names)
    lacking = [each for each in features.names if each != model.needed[0]]
    with raises(DataError, match=f"{model.needed[0]} is missing"):
        model.predict(FeatureTable.of(lacking, np.column_stack([features.column(each) for each in lacking])))
