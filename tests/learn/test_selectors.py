"""Selectors against slow, obvious definitions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dragoman.learn import LEARNERS, SELECTORS
from dragoman.learn.base import Job
from dragoman.learn.criteria import CRITERIA, loss
from dragoman.learn.selectors.base import without_twins
from dragoman.learn.selectors.filters import cfs_merit
from dragoman.qe import learn_scores
from dragoman.testing.selectors import planted


def slow_loss(x: np.ndarray, y: np.ndarray, columns: tuple[int, ...], criterion: str) -> float:
    """Ridge regression held out in five runs, fold by fold."""
    folds = np.arange(len(y)) * 5 // len(y)
    said = np.empty(len(y))
    for fold in range(5):
        rest, held = folds != fold, folds == fold
        centre, mean = x[rest][:, columns].mean(axis=0), y[rest].mean()
        z = x[rest][:, columns] - centre
        w = np.linalg.solve(z.T @ z / len(z) + 0.001 * np.eye(len(columns)), z.T @ (y[rest] - mean) / len(z))
        said[held] = (x[held][:, columns] - centre) @ w + mean
    return loss(criterion, higher_is_better=True)(y, said)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_exhaustive_search_finds_the_best_of_all_sets(criterion: str) -> None:
    x, y, job = planted(40)
    x = x[:, [0, 1, 3, 4, 5]]
    sets = [each for size in range(1, 6) for each in combinations(range(5), size)]
    best = min(slow_loss(x, y, each, criterion) for each in sets)
    chosen = SELECTORS.make(f"exhaustive:criterion={criterion}").choose(x, y, job)
    assert slow_loss(x, y, tuple(chosen.tolist()), criterion) == pytest.approx(best)


def test_forward_and_backward_stop_where_no_step_helps() -> None:
    x, y, job = planted(60)
    forward = tuple(SELECTORS.make("forward").choose(x, y, job).tolist())
    here = slow_loss(x, y, forward, "mae")
    assert all(
        slow_loss(x, y, tuple(sorted((*forward, f))), "mae") >= here - 1e-9 for f in range(8) if f not in forward
    )
    assert SELECTORS.make("forward:most=1").choose(x, y, job).tolist() in ([0], [1], [2])
    backward = tuple(SELECTORS.make("backward").choose(x, y, job).tolist())
    assert 2 not in backward  # the twin of feature 0 goes first (LORIA, algorithm 1)
    here = slow_loss(x, y, backward, "mae")
    assert here <= slow_loss(x, y, tuple(without_twins(x).tolist()), "mae") + 1e-12
    assert all(slow_loss(x, y, tuple(f for f in backward if f != out), "mae") >= here - 1e-9 for out in backward)


def test_merit_of_correlation_selection_by_hand() -> None:
    # Two features with |r| .6 and .4 to the scores and .5 to each other: 2·.5/√(2 + 2·.5).
    between = np.array([[1, 0.5], [0.5, 1]])
    assert cfs_merit(np.array([0.6, 0.4]), between, [0, 1]) == pytest.approx(1 / np.sqrt(3))
    assert cfs_merit(np.array([0.6, 0.4]), between, [0]) == pytest.approx(0.6)
    assert cfs_merit(np.array([0.6, 0.4]), between, []) == 0


def test_correlation_selection_finds_the_planted_features() -> None:
    # QE-DFKI-A: copies and noise stay out.
    x, y, job = planted(400)
    assert SELECTORS.make("cfs").choose(x, y, job).tolist() in ([0, 1], [1, 2])
    assert SELECTORS.make("correlation").choose(x, y, job).tolist() == [0, 1]
    assert SELECTORS.make("correlation:least=0.99").choose(x, y, job).tolist() in ([0], [1])


def test_principal_components_are_those_of_scikit_learn() -> None:
    from sklearn.decomposition import PCA

    x, y, job = planted(50)
    ours = x @ SELECTORS.make("pca:most=3").choose(x, y, job)
    theirs = PCA(n_components=3, whiten=True).fit_transform(x) * np.sqrt(50 / 49)
    assert np.abs(ours) == pytest.approx(np.abs(theirs), abs=1e-9)
    assert x.shape[1] - 1 == SELECTORS.make("pca:share=1").choose(x, y, job).shape[1]  # a twin adds no direction


def test_selection_in_each_fold_keeps_noise_from_looking_useful() -> None:
    # Fifty features of pure noise: chosen on all sentences they predict, chosen inside the folds they do not.
    from dragoman.qe import FeatureTable

    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(100, 50)), rng.uniform(0.2, 0.8, size=100)
    table = FeatureTable.of([f"f{n}" for n in range(50)], x)
    recipe = LEARNERS.make("ridge:alpha=0.01,select=best-single")
    inside = learn_scores(recipe, table, y, task="hter").training.measures["pearson"][0]
    chosen = SELECTORS.make("best-single").choose((x - x.mean(0)) / x.std(0), y, Job(table.names))
    leaked = FeatureTable.of([table.names[c] for c in chosen], x[:, chosen])
    outside = learn_scores(LEARNERS.make("ridge:alpha=0.01"), leaked, y, task="hter").training.measures["pearson"][0]
    assert inside < 0.15
    assert outside > inside + 0.1


def test_settings_drawn_at_random_lie_in_the_grid() -> None:
    recipe = LEARNERS.make("svr:draws=7")
    settings = recipe.settings(3)
    assert len(settings) == 7
    assert settings == recipe.settings(3) != recipe.settings(4)
    assert all(1 <= each["c"] <= 16 and 0.0001 <= each["gamma"] <= 0.03 for each in settings)
