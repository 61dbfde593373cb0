"""Learners against scikit-learn and against their definitions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.learn import LEARNERS, Learner
from dragoman.learn.base import Job, sklearn_seed
from dragoman.learn.ensemble import _simplex_weights
from dragoman.learn.m5p import ModelTree
from dragoman.learn.mars import Hinges
from dragoman.learn.svr import support_of_gram
from dragoman.qe import FeatureTable, learn_scores
from dragoman.testing.learners import quality_data as made

JOB = Job(("a", "b", "c", "d"), seed=3)


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(60, 4))
    return x, np.sin(x[:, 0]) + x[:, 1] + 0.1 * rng.normal(size=60), rng.normal(size=(20, 4))


def test_trees_as_arrays_say_what_scikit_learns_trees_say(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor, RandomForestRegressor

    x, y, new = data
    setting = {"min_leaf": 2.0, "share": 0.5}
    for name, kind in (("forest", RandomForestRegressor), ("extra-trees", ExtraTreesRegressor)):
        peer = kind(n_estimators=10, min_samples_leaf=2, max_features=0.5, random_state=sklearn_seed(JOB, name))
        ours = LEARNERS.make(f"{name}:n_trees=10").fit(x, y, setting, JOB)
        assert ours.predict(new) == pytest.approx(peer.fit(x, y).predict(new))
    peer = GradientBoostingRegressor(
        n_estimators=20,
        max_depth=2,
        learning_rate=0.1,
        subsample=0.5,
        min_samples_leaf=5,
        random_state=sklearn_seed(JOB, "boosting"),
    )
    ours = LEARNERS.make("boosting:n_trees=20").fit(x, y, {"depth": 2.0, "rate": 0.1}, JOB)
    assert ours.predict(new) == pytest.approx(peer.fit(x, y).predict(new))
    assert ours.size()["trees"] == 20


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_threads_do_not_change_a_forest(data: tuple[np.ndarray, np.ndarray, np.ndarray], n_threads: int) -> None:
    x, y, new = data
    setting = {"min_leaf": 2.0, "share": 0.5}
    one = LEARNERS.make("forest:n_trees=10").fit(x, y, setting, JOB).predict(new)
    more = LEARNERS.make("forest:n_trees=10").fit(x, y, setting, Job(JOB.names, 3, n_threads)).predict(new)
    assert (one == more).all()


def test_kernels_and_sums_of_kernels_are_scikit_learns(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    from sklearn.svm import SVR

    x, y, new = data
    setting = {"degree": 2.0, "gamma": 0.3, "c": 2.0, "epsilon": 0.1}
    ours = LEARNERS.make("polynomial-svr").fit(x, y, setting, JOB).predict(new)
    peer = SVR(kernel="poly", degree=2, gamma=0.3, coef0=1, C=2, epsilon=0.1).fit(x, y).predict(new)
    assert ours == pytest.approx(peer, abs=1e-9)
    linear = LEARNERS.make("linear-svr").fit(x, y, {"c": 2.0, "epsilon": 0.1}, JOB).predict(new)
    assert linear == pytest.approx(SVR(kernel="linear", C=2, epsilon=0.1).fit(x, y).predict(new), abs=1e-9)

    def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return (a @ b.T + 1) ** 2 + 0.5 * (a @ b.T)

    rows, coefficients, intercept = support_of_gram(kernel(x, x), y, c=1.0, epsilon=0.1)
    peer = SVR(kernel="precomputed", C=1.0, epsilon=0.1).fit(kernel(x, x), y).predict(kernel(new, x))
    assert kernel(new, x[rows]) @ coefficients + intercept == pytest.approx(peer, abs=1e-9)


def test_partial_least_squares_is_scikit_learns(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    from sklearn.cross_decomposition import PLSRegression

    x, y, new = data
    for components in (1, 2, 4):
        ours = LEARNERS.make("pls").fit(x, y, {"components": float(components)}, JOB).predict(new)
        peer = PLSRegression(n_components=components, scale=False).fit(x, y).predict(new).ravel()
        assert ours == pytest.approx(peer, abs=1e-8)


def test_a_gaussian_process_is_scikit_learns_with_its_lengths(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    x, y, new = data
    ours = LEARNERS.make("gp:learn_most=60").fit(x, y, {}, JOB)
    kernel = ConstantKernel(1.0) * RBF(np.full(4, 4.0)) + WhiteKernel(0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a length at its bound: that feature says nothing
        peer = GaussianProcessRegressor(kernel, normalize_y=False).fit(x, y - y.mean())
    assert ours.predict(new) == pytest.approx(peer.predict(new) + y.mean(), abs=0.05)
    lengths = ours.arrays()["lengths"]
    assert lengths[2] > 5 * lengths[0]  # a feature that says nothing has a long scale
    some = LEARNERS.make("gp:learn_most=60,inducing=40").fit(x, y, {}, JOB)
    assert some.size()["inducing points"] == 40
    assert np.corrcoef(some.predict(new), ours.predict(new))[0, 1] > 0.98


def test_tasks_of_a_gaussian_process_share_and_differ() -> None:
    # Two annotators: the second is harsher by a constant, and judges little.
    rng = np.random.default_rng(9)
    x = rng.normal(size=(120, 2))
    annotator = (np.arange(120) % 6 == 0).astype(float)
    y = 0.5 + 0.1 * x[:, 0] - 0.3 * annotator + 0.01 * rng.normal(size=120)
    table = FeatureTable.of(["a", "b", "annotator"], np.column_stack([x, annotator]))
    model = learn_scores(LEARNERS.make("gp:tasks=annotator,learn_most=60"), table, y, task="score")
    assert model.training.size["tasks"] == 2
    ask = np.array([[0.5, 0.0, who] for who in (0.0, 1.0, 7.0)])
    lenient, harsh, unknown = model.predict(FeatureTable.of(table.names, ask)).scores
    assert lenient == pytest.approx(0.55, abs=0.03)
    assert harsh == pytest.approx(0.25, abs=0.05)
    assert harsh < unknown <= lenient
    with pytest.raises(DataError, match=r"told by the feature 'judge', which is not there. Known: a, b, annotator"):
        learn_scores(LEARNERS.make("gp:tasks=judge"), table, y, task="score")


def test_a_model_tree_finds_two_lines() -> None:
    x = np.linspace(-1, 1, 100)[:, np.newaxis]
    y = np.where(x[:, 0] < 0.2, 1 + 2 * x[:, 0], 5 - 3 * x[:, 0])
    tree = LEARNERS.make("m5p:smooth=no").fit(x, y, {"min_leaf": 4.0, "penalty": 2.0}, JOB)
    assert isinstance(tree, ModelTree)
    assert tree.size() == {"equations": 2}
    assert tree.predict(x) == pytest.approx(y, abs=1e-6)
    assert tree.threshold[0] == pytest.approx(0.2, abs=0.02)
    smooth = LEARNERS.make("m5p").fit(x, y, {"min_leaf": 4.0, "penalty": 2.0}, JOB)
    # Quinlan's smoothing by hand: 60 sentences left, the root's line weighs 15.
    n = int((x[:, 0] <= tree.threshold[0]).sum())
    root = np.polyfit(x[:, 0], y, 1)
    assert smooth.predict(x[:1])[0] == pytest.approx((n * y[0] + 15 * np.polyval(root, x[0, 0])) / (n + 15), abs=1e-4)


def test_splines_find_a_hinge_and_a_product() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, size=(200, 2))
    y = np.maximum(0, x[:, 0] - 0.1) * 3 + 1
    found = LEARNERS.make("mars:knots=41").fit(x, y, {"degree": 1.0}, JOB)
    assert isinstance(found, Hinges)
    assert np.abs(found.predict(x) - y).max() < 0.06
    both = np.maximum(0, x[:, 0]) * np.maximum(0, x[:, 1]) * 3
    one, two = (LEARNERS.make("mars").fit(x, both, {"degree": d}, JOB) for d in (1.0, 2.0))
    assert np.square(two.predict(x) - both).mean() < 0.3 * np.square(one.predict(x) - both).mean()


def test_ranking_looks_at_order_alone() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(100, 2))
    y = np.exp(2 * x[:, 0])  # far from a line, but one feature orders it
    model = LEARNERS.make("ranking-svm").fit(x, y, {"c": 1.0}, JOB)
    said = model.predict(x)
    order = np.corrcoef(np.argsort(np.argsort(said)), np.argsort(np.argsort(y)))[0, 1]
    assert order > 0.999
    assert said.mean() == pytest.approx(y.mean())


def test_stacking_gives_weight_to_what_helps() -> None:
    rng = np.random.default_rng(5)
    y = rng.normal(size=500)
    good, poor = y + 0.3 * rng.normal(size=500), 2 * rng.normal(size=500)
    weights = _simplex_weights(np.column_stack([good, poor]), y)
    assert weights.sum() == pytest.approx(1)
    assert weights[0] > 0.9
    with pytest.raises(DataError, match="not of ensembles"):
        LEARNERS.make("ensemble:members=ridge+ensemble")
    features, scores = made()
    chosen = learn_scores(LEARNERS.make("ensemble:members=ridge+pls"), features, scores, task="hter").training.chosen
    assert chosen["0.weight"] == chosen["1.weight"] == 0.5
    assert "0.alpha" in chosen


def test_nested_cross_validation_is_recorded_and_honest() -> None:
    features, scores = made()
    training = learn_scores(LEARNERS.make("ridge:nested=4"), features, scores, task="hter").training
    assert training.nested is not None
    assert training.nested["mae"][0] == pytest.approx(training.measures["mae"][0], rel=0.3)
    assert "Nested cross-validation" in training.render()
    grouped = LEARNERS.make("ridge:nested=3,layout=grouped")
    groups = [place // 4 for place in range(60)]
    assert learn_scores(grouped, features, scores, task="hter", groups=groups).training.nested is not None


def test_a_criterion_chooses_by_itself() -> None:
    features, scores = made()
    recipe: Learner = LEARNERS.make("ridge:criterion=delta-avg")
    training = learn_scores(recipe, features, scores, task="hter").training
    assert max(value for _, value in training.tried) == pytest.approx(training.measures["delta-avg"][0])
    assert training.render().count("delta-avg") == 2


def test_sources_on_both_sides_leak_and_groups_do_not() -> None:
    # FBK-QE13: several post-editors of one source; a feature that only knows the source.
    rng = np.random.default_rng(6)
    source = np.repeat(np.arange(40), 3)
    value = rng.uniform(0.2, 0.8, size=40)[source] + 0.02 * rng.normal(size=120)
    table = FeatureTable.of(["id"], rng.normal(size=(40, 1))[source])
    setting = "n_trees=20,min_leaf=1,share=1"
    leaked = learn_scores(LEARNERS.make(f"forest:{setting},layout=shuffled"), table, value, task="hter").training
    kept = learn_scores(
        LEARNERS.make(f"forest:{setting},layout=grouped"), table, value, task="hter", groups=source.tolist()
    )
    assert leaked.measures["pearson"][0] > 0.9
    assert kept.training.measures["pearson"][0] < 0.5
