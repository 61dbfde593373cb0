"""Win ratios on the papers' small examples, against their definitions, and on counts that compare nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dragoman.errors import DataError
from dragoman.stats import pairwise

# Lopez 2012, Figure 2: A→B 3, A→C 1, A→D 2, B→C 1, B→D 1, C→D 2.
FIGURE_2 = np.array([[0, 3, 1, 2], [0, 0, 1, 1], [0, 0, 0, 2], [0, 0, 0, 0]])
# Findings 2012, §4, example 2: A–B 100–0, A–C 60–40, B–C 50–50.
EXAMPLE_2 = np.array([[0, 100, 60], [0, 0, 50], [40, 50, 0]])


def _square(n: int) -> st.SearchStrategy[np.ndarray]:
    def hollow(matrix: np.ndarray) -> np.ndarray:
        np.fill_diagonal(matrix, 0)
        return matrix

    return arrays(np.int64, (n, n), elements=st.integers(0, 5)).map(hollow)


def test_equation_1_of_lopez_on_his_figure_2() -> None:
    scores = pairwise.wins_and_ties(FIGURE_2, np.zeros((4, 4)))
    np.testing.assert_allclose(scores, [6 / 6, 2 / 5, 2 / 4, 0 / 5])


def test_expected_wins_of_example_2() -> None:
    np.testing.assert_allclose(pairwise.expected_wins(EXAMPLE_2), [0.80, 0.25, 0.45])


def test_more_judgements_of_one_pair_move_bojar_but_not_expected_wins() -> None:
    more = EXAMPLE_2.copy()
    more[0, 2] *= 10
    more[2, 0] *= 10
    np.testing.assert_allclose(pairwise.expected_wins(more), pairwise.expected_wins(EXAMPLE_2))
    assert not np.allclose(pairwise.bojar(more), pairwise.bojar(EXAMPLE_2))


@given(_square(4), _square(4))
def test_ratios_are_what_their_equations_say(wins: np.ndarray, some: np.ndarray) -> None:
    ties = some + some.T

    def ratio(part: float, whole: float) -> float:
        return part / whole if whole else math.nan

    others = [[j for j in range(4) if j != i] for i in range(4)]
    won = [sum(wins[i, j] for j in others[i]) for i in range(4)]
    lost = [sum(wins[j, i] for j in others[i]) for i in range(4)]
    tied = [sum(ties[i, j] for j in others[i]) for i in range(4)]
    shares = [[wins[i, j] / (wins[i, j] + wins[j, i]) for j in others[i] if wins[i, j] + wins[j, i]] for i in range(4)]
    one = [ratio(w + t, w + lo + t) for w, lo, t in zip(won, lost, tied, strict=True)]
    two = [ratio(w, w + lo + t) for w, lo, t in zip(won, lost, tied, strict=True)]
    three = [ratio(w, w + lo) for w, lo in zip(won, lost, strict=True)]
    np.testing.assert_allclose(pairwise.wins_and_ties(wins, ties), one)
    np.testing.assert_allclose(pairwise.win_ratio(wins, ties), two)
    np.testing.assert_allclose(pairwise.bojar(wins), three)
    np.testing.assert_allclose(pairwise.expected_wins(wins), [ratio(sum(each), len(each)) for each in shares])


def test_stacks_are_scored_matrix_by_matrix() -> None:
    stack = np.stack([EXAMPLE_2, EXAMPLE_2.T])
    np.testing.assert_allclose(pairwise.expected_wins(stack)[1], pairwise.expected_wins(EXAMPLE_2.T))


def test_an_opponent_never_met_is_left_out_of_the_mean() -> None:
    wins = np.array([[0, 3, 0], [1, 0, 2], [0, 2, 0]])
    np.testing.assert_allclose(pairwise.expected_wins(wins), [0.75, (0.25 + 0.5) / 2, 0.5])
    assert pairwise.unmet_pairs(wins) == [(0, 2)]


def test_a_system_never_compared_has_no_score() -> None:
    wins = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]])
    assert np.isnan(pairwise.expected_wins(wins)).tolist() == [False, False, True]
    assert np.isnan(pairwise.bojar(wins)).tolist() == [False, False, True]
    assert pairwise.comparable_groups(wins) == [[0, 1], [2]]


def test_a_chain_of_comparisons_is_one_group() -> None:
    wins = np.zeros((4, 4))
    wins[0, 3] = wins[3, 1] = wins[1, 2] = 1
    assert pairwise.comparable_groups(wins) == [[0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, 2], "a matrix (n, n), got the shape (2,)"),
        ([[0, 1, 2], [1, 0, 2]], "got the shape (2, 3)"),
        ([[0, -1], [1, 0]], "some are negative or not finite"),
        ([[0, math.nan], [1, 0]], "some are negative or not finite"),
        ([[1, 1], [1, 0]], "the diagonal of the wins is not 0"),
    ],
)
def test_counts_that_are_none_are_named(counts: list[list[float]], message: str) -> None:
    with pytest.raises(DataError) as caught:
        pairwise.bojar(counts)
    assert message in str(caught.value)


def test_ties_must_hold_both_ways() -> None:
    with pytest.raises(DataError, match="must be symmetric"):
        pairwise.wins_and_ties([[0, 1], [1, 0]], [[0, 1], [0, 0]])
    with pytest.raises(DataError, match="of the same systems"):
        pairwise.win_ratio([[0, 1], [1, 0]], np.zeros((3, 3)))
