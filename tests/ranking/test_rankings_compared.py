from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.ranking import compare_rankings
from tests.ranking.test_duels import Outcomes, compared


def test_moves_and_swaps() -> None:
    outcomes: Outcomes = [("C", "B", 1)] * 10 + [("A", "B", 1)] * 2
    found = compare_rankings(["A", "B", "C", "X"], {"B": 0.5, "A": 0.4, "C": 0.6}, comparisons=compared(outcomes))
    assert [(move.system, move.rank_first, move.rank_second, move.move) for move in found.moves] == [
        ("A", 1, 3, -2),
        ("B", 2, 2, 0),
        ("C", 3, 1, 2),
    ]
    swaps = {(swap.above, swap.below): (swap.wins, swap.losses, swap.supported) for swap in found.swaps}
    assert swaps == {("A", "B"): (2, 0, "neither"), ("A", "C"): (0, 0, "neither"), ("B", "C"): (0, 10, "second")}
    assert found.left_out == ("X",)
    assert (found.kendall, found.spearman) == (pytest.approx(-1), pytest.approx(-1))
    assert "Ranked by one only: X" in found.render()
    assert len(found.to_dict()["meta"]["swaps"]) == 3


def test_equal_scores_share_a_rank_and_are_no_swap() -> None:
    found = compare_rankings({"A": 1, "B": 1, "C": 0}, ["B", "A", "C"])
    assert [move.rank_first for move in found.moves] == [1.5, 1.5, 3]
    assert found.swaps == ()
    assert compare_rankings({"A": 1, "B": 1}, ["A", "B"]).kendall is None


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_kendall_counts_the_swaps(first: list[int], second: list[int]) -> None:
    found = compare_rankings([str(n) for n in first], [str(n) for n in second])
    assert found.kendall == pytest.approx(1 - 2 * len(found.swaps) / 15)
    difference = sum((first.index(n) - second.index(n)) ** 2 for n in range(6))
    assert found.spearman == pytest.approx(1 - 6 * difference / (6 * 35))
    assert all(swap.p is None for swap in found.swaps)


def test_errors() -> None:
    with pytest.raises(DataError, match="The rankings have 1 systems in common; two are needed"):
        compare_rankings(["A", "B"], ["A", "C"])
    with pytest.raises(DataError, match="The ranking 'first' names A twice"):
        compare_rankings(["A", "A"], ["A", "B"])
    with pytest.raises(DataError, match="The ranking 'second' has no finite score for B; leave them out"):
        compare_rankings(["A", "B"], {"A": 1.0, "B": float("nan")})
