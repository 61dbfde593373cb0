"""Exact orders: against all permutations, against an integer program, and their counts."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dragoman._core import rank as core
from dragoman.errors import DataError
from dragoman.ranking import linear_order
from dragoman.ranking.linear_order import Costs, order_cost, solve_order


def hollow(costs: Costs) -> Costs:
    np.fill_diagonal(costs, 0)
    return costs


@st.composite
def matrices(draw: st.DrawFn) -> Costs:
    n = draw(st.integers(1, 6))
    return hollow(draw(arrays(np.int64, (n, n), elements=st.integers(0, 3))))


def brute_force(costs: Costs) -> tuple[int, int, tuple[int, ...]]:
    """The least cost, how many orders have it, and the first of them in order of preference."""
    every = [(order_cost(costs, order), order) for order in itertools.permutations(range(len(costs)))]
    best = min(every)
    return best[0], sum(cost == best[0] for cost, _ in every), best[1]


@given(matrices())
def test_search_and_table_give_what_all_permutations_give(costs: Costs) -> None:
    cost, n_orders, order = brute_force(costs)
    for found in (core.search_order(costs, 10_000), core.tabulate_order(costs)):
        assert found is not None
        assert (found[1], found[2], tuple(found[0].tolist())) == (cost, n_orders, order)
    by_components = linear_order._by_components(costs) if len(costs) > 2 else solve_order(costs)
    assert by_components.cost == cost == order_cost(costs, by_components.order)


@pytest.mark.parametrize("n", [7, 8])
def test_larger_tournaments_by_brute_force(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(3):
        costs = hollow(rng.integers(0, 5, (n, n)))
        found = solve_order(costs)
        assert (found.cost, found.n_orders, found.order) == brute_force(costs)


def test_twenty_systems_as_an_integer_program_solves_them() -> None:
    rng = np.random.default_rng(20)
    for high in (3, 100):
        costs = hollow(rng.integers(0, high, (20, 20)))
        program = linear_order._integer_program(costs)
        found = solve_order(costs)
        assert found.cost == program.cost == order_cost(costs, program.order)
        assert program.certificate == f"integer program, proven bound {found.cost:,}"
        assert "sets of systems" in found.certificate


def test_nearly_acyclic_systems_are_searched_and_cyclic_ones_are_programmed() -> None:
    rng = np.random.default_rng(1)
    costs = hollow(np.triu(rng.integers(5, 20, (40, 40))))
    costs[3, 2] = 30  # one contradiction
    found = solve_order(costs)
    assert found.certificate.startswith("search over")
    assert found.cost == order_cost(costs, found.order)
    # Five circles of three, nothing between some of them: the order of the circles is free.
    circles = np.zeros((75, 75), dtype=np.int64)
    for first in range(0, 75, 3):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            circles[first + a, first + b] = 1
    found = solve_order(circles)
    assert found.cost == 25
    assert found.n_orders is None
    assert "3 systems: all 8 sets of systems compared" in found.certificate


def test_twenty_five_systems_full_of_circles_are_ordered_with_a_certificate() -> None:
    """Spec lopez12, acceptance 4; a table of all 2²⁵ sets of systems."""
    rng = np.random.default_rng(2)
    wins = rng.integers(0, 20, (25, 25))
    found = solve_order(hollow(np.maximum(0, wins - wins.T)))
    assert found.certificate == "all 33,554,432 sets of systems compared"
    assert found.cost == order_cost(hollow(np.maximum(0, wins - wins.T)), found.order) == 455


def test_preference_decides_between_equal_orders() -> None:
    nothing = np.zeros((6, 6), dtype=np.int64)
    assert solve_order(nothing).order == (0, 1, 2, 3, 4, 5)
    assert solve_order(nothing).n_orders == math.factorial(6)
    assert solve_order(np.zeros((22, 22), dtype=np.int64)).n_orders is None  # 22! are not counted


def test_a_search_gives_up_when_told_to() -> None:
    costs = hollow(np.random.default_rng(0).integers(0, 50, (14, 14)))
    assert core.search_order(costs, 10) is None


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (np.zeros((2, 3), dtype=np.int64), "not square"),
        (np.array([[0, -1], [0, 0]]), "outside 0"),
        (np.array([[0, 2**60], [0, 0]]), "outside 0"),
        (np.zeros((26, 26), dtype=np.int64), "More than 25 items"),
    ],
)
def test_costs_that_are_none_are_named(costs: Costs, message: str) -> None:
    with pytest.raises(DataError, match=message):
        core.tabulate_order(costs)


def test_more_than_63_items_are_not_searched() -> None:
    with pytest.raises(DataError, match="More than 63 items"):
        core.search_order(np.zeros((64, 64), dtype=np.int64), 10)
