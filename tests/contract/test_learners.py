"""What every learner of quality estimates must do, over everything registered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.learn import LEARNERS, Learner
from dragoman.qe import FeatureTable, QEModel, learn_scores
from tests.fuzz.sealing import reseal

each_name = pytest.mark.parametrize("name", LEARNERS.names())


def made(n: int = 60, *, seed: int = 3) -> tuple[FeatureTable, list[float]]:
    """Features of which two matter and one is the same everywhere, and HTER-like scores."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3)) * [1, 100, 1] + [0, 50, 7]
    y = np.clip(0.5 + 0.1 * x[:, 0] - 0.001 * (x[:, 1] - 50) + 0.02 * rng.normal(size=n), 0, 1)
    return FeatureTable.of(["a", "b", "noise", "same"], np.column_stack([x, np.full(n, 4.0)])), y.tolist()


def small(name: str) -> Learner:
    """The learner with few settings, so that the tests are quick."""
    options = {
        "boosting": "n_trees=40,depth=2,rate=0.2",
        "classes": "step=0.05,classifier=knn,neighbours=5",
        "elastic-net": "alpha=0.1+0.01,rho=0.5",
        "ensemble": "members=ridge+pls,weighting=stacked",
        "extra-trees": "n_trees=20,min_leaf=1+2,share=1",
        "forest": "n_trees=20,min_leaf=1+2,share=1",
        "gp": "learn_most=20",
        "lasso": "alpha=0.1+0.01",
        "linear-svr": "c=1,epsilon=0.1",
        "m5p": "min_leaf=4+20",
        "mars": "degree=1,knots=5,most=8",
        "nets": "n_nets=3,n_hidden=4,epochs=60,rate=0.05,decay=0.001+0.01",
        "polynomial-svr": "degree=2,c=1,epsilon=0.1,gamma=0.1",
        "ranking-svm": "c=1,n_pairs=500",
        "ridge": "alpha=0.1+0.01",
        "svr": "c=4+16,gamma=0.1,epsilon=0.1",
    }
    return LEARNERS.make(f"{name}:{options[name]}" if name in options else name)


@each_name
def test_it_learns_and_is_the_same_after_saving(name: str, tmp_path: Path) -> None:
    features, scores = made()
    model = learn_scores(small(name), features, scores, task="hter", seed=5)
    said = np.array(model.predict(features).scores)
    assert np.corrcoef(said, scores)[0, 1] > 0.9
    assert ((said >= 0) & (said <= 1)).all()
    model.save(tmp_path / "model")
    again = QEModel.load(tmp_path / "model")
    assert again.predict(features) == model.predict(features)
    assert again.training == model.training
    assert again.recipe.to_dict() == model.recipe.to_dict()
    assert (again.names, again.seed, again.data) == (model.names, 5, model.data)
    assert (again.folds == model.folds).all()
    suffixes = {path.suffix for path in (tmp_path / "model").iterdir()}
    assert suffixes == {".json", ".npy"}


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


@each_name
def test_training_again_gives_the_same_model(name: str) -> None:
    features, scores = made()
    one, two = (learn_scores(small(name), features, scores, task="hter", seed=1) for _ in range(2))
    assert one.predict(features) == two.predict(features)
    assert one.training == two.training


@each_name
def test_the_record_says_how_it_was_chosen(name: str) -> None:
    features, scores = made()
    training = learn_scores(small(name), features, scores, task="hter").training
    assert min(error for _, error in training.tried) == {str(s): e for s, e in training.tried}[str(training.chosen)]
    assert training.measures["mae"][0] == pytest.approx(min(error for _, error in training.tried))
    assert training.dropped == ("same",)
    assert (training.layout, training.n_folds, training.learner) == ("contiguous", 5, name)
    assert training.train_mean == pytest.approx(np.mean(scores))
    assert "left out: same" in training.render()
    assert training.to_dict()["rows"][0]["measure"] == "mae"


@each_name
def test_columns_are_known_by_name(name: str) -> None:
    features, scores = made()
    model = learn_scores(small(name), features, scores, task="hter")
    turned = FeatureTable.of(features.names[::-1], features.values[:, ::-1])
    assert model.predict(turned) == model.predict(features)
    with pytest.raises(DataError, match="the 3 features it was trained on: b is missing; it was not trained on c"):
        model.predict(FeatureTable.of(["a", "c", "noise", "same"], features.values))
    with pytest.raises(DataError, match="it was not trained on more"):
        model.predict(FeatureTable.of([*features.names, "more"], np.zeros((2, 5))))
    with pytest.raises(DataError, match="a, b, noise are missing"):
        model.predict(FeatureTable.of(["same"], np.zeros((2, 1))))
    assert model.predict(FeatureTable.of(features.names, np.zeros((0, 4)))).scores == ()


@each_name
def test_a_sentence_alone_is_scored_as_among_others(name: str) -> None:
    features, scores = made()
    model = learn_scores(small(name), features, scores, task="hter")
    alone = [model.predict(FeatureTable.of(features.names, row[np.newaxis])).scores[0] for row in features.values[:5]]
    assert alone == pytest.approx(model.predict(features).scores[:5], abs=1e-9)
    with pytest.raises(DataError, match=r"The feature 'b' of sentence 1 is nan, no number"):
        model.predict(FeatureTable.of(features.names, [[1.0, float("nan"), 1.0, 1.0]]))


@each_name
def test_units_do_not_matter(name: str) -> None:
    features, scores = made()
    other = FeatureTable.of(features.names, features.values * 1000 - 3)
    one, two = (learn_scores(small(name), each, scores, task="hter") for each in (features, other))
    assert one.predict(features).scores == pytest.approx(two.predict(other).scores, abs=1e-6)


@each_name
def test_what_cannot_be_learnt_is_named(name: str) -> None:
    recipe = small(name)
    features, scores = made(20)
    for wrong, message in [
        ([0.5] * 20, "All 20 scores are 0.5; there is nothing to learn"),
        ([None, *scores[1:]], "1 of 20 scores are missing or not finite, first in line 1"),
        ([*scores[:-1], 7], "line 20 has 7, outside the scale of hter, 0 to 1"),
        (scores[:-1], "got features=20, scores=19"),
    ]:
        with pytest.raises(DataError, match=message):
            learn_scores(recipe, features, wrong, task="hter")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"Every feature is the same in all 20 sentences \(x\)"):
        learn_scores(recipe, FeatureTable.of(["x"], np.ones((20, 1))), scores, task="hter")
    with pytest.raises(DataError, match="4 sentences are too few for 5 folds"):
        learn_scores(recipe, FeatureTable.of(["x"], [[1], [2], [3], [4]]), [0, 0.5, 1, 1], task="hter")
    if not recipe.grid:
        return
    option = recipe.grid[0]
    with pytest.raises(DataError, match=f"The option '{option}' of the learner {name} lists numbers above 0, got"):
        LEARNERS.make(f"{name}:{option}=-1")
    with pytest.raises(DataError, match=f"The option '{option}' is a number, got 'x'"):
        LEARNERS.make(f"{name}:{option}=x")


@pytest.mark.parametrize("name", ["svr", "lasso", "forest", "boosting", "linear-svr", "ensemble"])
def test_a_missing_package_is_named_before_work_starts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    features, scores = made(20)
    named = "svr" if name == "ensemble" else name
    with pytest.raises(NotAvailable, match=rf'learner {named} needs the package scikit-learn. .*"dragoman\[qe\]"'):
        learn_scores(LEARNERS.make(name), features, scores, task="hter")
