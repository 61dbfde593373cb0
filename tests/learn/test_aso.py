"""Structural learning: the loss, the shared subspace, and what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from dragoman.errors import DataError
from dragoman.learn.aso import fit_huber, fit_structure, huber, objective, shared_subspace


@pytest.fixture
def problems() -> tuple[np.ndarray, np.ndarray]:
    """Rows of 12 features of which three directions matter, and six problems in them."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(80, 12))
    hidden = rng.normal(size=(12, 3))
    y = np.sign(x @ hidden @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(80, 6)))
    return x, y


def test_the_loss_and_its_slope_by_hand() -> None:
    margins = np.array([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0])
    values, slopes = huber(margins)
    assert values.tolist() == [8, 4, 1, 0.25, 0, 0]
    assert slopes.tolist() == [-4, -4, -2, -1, 0, 0]
    for corner in (-1.0, 1.0):  # it is smooth where its pieces meet
        near = np.array([corner - 1e-6, corner + 1e-6])
        assert np.diff(huber(near)[0])[0] / 2e-6 == pytest.approx(huber(np.array([corner]))[1][0], abs=1e-5)


def test_without_a_subspace_it_is_the_learner_alone(problems: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = problems
    weights, theta = fit_structure(x, y, h=0, penalty=1e-3)
    assert theta.shape == (0, 12)
    for column in range(6):
        np.testing.assert_allclose(weights[:, column], fit_huber(x, y[:, column], 1e-3)[0], rtol=0, atol=1e-6)


def test_the_weights_are_a_minimum(problems: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = problems
    w, _ = fit_huber(x, y[:, 0], 0.01)
    least = objective(x, y[:, 0], w, 0.01)
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert objective(x, y[:, 0], w + 1e-3 * rng.normal(size=12), 0.01) >= least
    np.testing.assert_allclose(fit_huber(csr_matrix(x), y[:, 0], 0.01)[0], w, rtol=0, atol=1e-6)


def test_the_subspace_is_orthonormal_and_never_makes_a_problem_worse(problems: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = problems
    for h in (1, 3, 6, 50):
        _, theta = fit_structure(x, y, h=h, penalty=0.01)
        assert len(theta) == min(h, 6)
        np.testing.assert_allclose(theta @ theta.T, np.eye(len(theta)), rtol=0, atol=1e-10)
        for column in y.T:
            alone, _ = fit_huber(x, column, 0.01)
            w, v = fit_huber(x, column, 0.01, theta)
            inside = objective(x, column, w, 0.01, free=theta.T @ v)
            assert inside <= objective(x, column, alone, 0.01) + 1e-12
    assert shared_subspace(np.zeros((4, 2)), 2).shape == (0, 4)


def test_auxiliary_problems_help_where_rows_are_few(problems: tuple[np.ndarray, np.ndarray]) -> None:
    rng = np.random.default_rng(7)
    hidden = rng.normal(size=(30, 2))
    x, more = rng.normal(size=(25, 30)), rng.normal(size=(400, 30))
    ways = rng.normal(size=(2, 21))
    y, tested = np.sign(x @ hidden @ ways), np.sign(more @ hidden @ ways)
    right = {
        h: float((np.sign(more @ fit_structure(x, y[:, :1], y[:, 1:], h=h, penalty=0.1)[0]) == tested[:, :1]).mean())
        for h in (0, 2)
    }
    assert right[2] > right[0]


def test_problems_that_are_none_are_named(problems: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = problems
    with pytest.raises(DataError, match="Each target problem says 1 or −1 of each of the 80 rows; got 80 rows of 0"):
        fit_structure(x, (y + 1) / 2, h=1)
    with pytest.raises(DataError, match="Each auxiliary problem says 1 or −1 of each of the 80 rows; got 10 rows"):
        fit_structure(x, y, y[:10], h=1)
