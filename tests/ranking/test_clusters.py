"""Rank ranges and clusters: definitions, ties, coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import rank as core
from dragoman.errors import DataError
from dragoman.ranking import RankingRecipe, rank
from dragoman.ranking.clusters import boundary_support, clusters_of, rank_ranges, ranks_of
from dragoman.ranking.resampling import grouped, outcome_cells, resampled_counts
from dragoman.rng import Stream
from tests.ranking.made import campaign


def test_equal_tails_cut_as_wmt_trueskill_does() -> None:
    ranks = np.sort(np.array([1] * 24 + [2] * 950 + [3] * 26))[:, np.newaxis]
    # 25 are cut at either end: all ranks 1 and, of the 26 ranks 3, all but one.
    assert rank_ranges(ranks, interval="equal") == [(2, 3)]
    assert rank_ranges(ranks, interval="shortest") == [(2, 2)]
    assert rank_ranges(ranks, interval="equal", level=0.9) == [(2, 2)]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=60), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_shortest_range_is_the_shortest(ranks: list[int], level: float) -> None:
    ((low, high),) = rank_ranges(np.array(ranks)[:, np.newaxis], level=level)

    def held(a: int, b: int) -> int:
        return sum(a <= rank <= b for rank in ranks)

    assert held(low, high) >= level * len(ranks) - 1e-9
    for a in range(1, 7):
        for b in range(a, 7):
            if b - a < high - low:
                assert held(a, b) < level * len(ranks)
            if b - a == high - low:
                assert held(a, b) <= held(low, high)


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(0, 3)), min_size=1, max_size=8))
def test_clusters_are_connected_overlaps(drawn: list[tuple[int, int]]) -> None:
    ranges = [(low, low + width) for low, width in drawn]
    numbers = clusters_of(ranges)
    group = list(range(len(ranges)))
    for _ in ranges:  # the smallest label spreads over overlaps
        for i, a in enumerate(ranges):
            for j, b in enumerate(ranges):
                if a[0] <= b[1] and b[0] <= a[1]:
                    group[i] = group[j] = min(group[i], group[j])
    assert [[a == b for b in numbers] for a in numbers] == [[a == b for b in group] for a in group]


def test_equal_scores_take_turns() -> None:
    ranks = ranks_of(np.zeros((1000, 2)))
    assert set(ranks.sum(axis=1)) == {3}
    assert 400 < int((ranks[:, 0] == 1).sum()) < 600


def test_lower_may_be_better() -> None:
    assert ranks_of(np.array([[3.0, 1.0, 2.0]]), higher_is_better=False).tolist() == [[3, 1, 2]]


def test_a_boundary_near_chance_has_half_the_support() -> None:
    first = np.array([2] * 50 + [1] * 1950)[:, np.newaxis]  # at the edge of equal tails
    support, draws = boundary_support(np.hstack([first, 3 - first]), level=0.95, interval="equal", seed=1)
    assert draws == 100
    assert 0.1 < support[0] < 0.9


def test_no_replicates_and_no_level_are_refused() -> None:
    with pytest.raises(DataError, match="at least one replicate"):
        rank_ranges(np.zeros((0, 3), dtype=np.int64))
    with pytest.raises(DataError, match="level must lie between"):
        rank_ranges(np.ones((3, 3), dtype=np.int64), level=0)


@pytest.mark.parametrize("unit", ["judgement", "screen", "segment", "annotator"])
def test_resampled_counts_are_those_of_the_drawn_units(unit: str) -> None:
    some = campaign(3, 12)
    keys = None if unit == "judgement" else getattr(some, unit)
    order, starts = grouped(keys, len(some))
    cells = outcome_cells(some)[order]
    stream = Stream(4, f"rank bootstrap by {unit}")
    n_units = len(starts) - 1
    ((wins, ties),) = resampled_counts(some, n=5, unit=unit, seed=4)  # type: ignore[arg-type]
    for replicate in range(5):
        expected = np.zeros(18, dtype=np.int64)
        for draw in stream.bits(n_units, start=replicate * n_units):
            drawn = (int(draw) * n_units) >> 64
            expected += np.bincount(cells[starts[drawn] : starts[drawn + 1]], minlength=18)
        np.testing.assert_array_equal(wins[replicate], expected[:9].reshape(3, 3))
        upper = expected[9:].reshape(3, 3)
        np.testing.assert_array_equal(ties[replicate], upper + upper.T)


@pytest.mark.parametrize(
    ("cells", "starts", "message"),
    [
        ([], [0], "no judgements to resample"),
        ([0, 1], [0, 1], "do not partition"),
        ([0, 1], [0, 2, 1, 2], "do not partition"),
        ([0, 9], [0, 1, 2], "outside its cells"),
    ],
)
def test_runs_that_are_none_are_named(cells: list[int], starts: list[int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        core.resampled_counts(np.array(cells, dtype=np.int32), np.array(starts, dtype=np.int64), 4, 1, 0)


def test_ranges_of_equal_systems_cover_all_ranks_and_of_unequal_ones_do_not() -> None:
    rng = np.random.default_rng(0)
    level = campaign(4, 100, seed=1, noise=1e6)  # noise alone
    assert {row.cluster for row in rank(level, RankingRecipe(clusters=True, replicates=200)).rows} == {1}
    clear = campaign(4, 300, seed=int(rng.integers(9)), noise=0.3)
    assert [row.cluster for row in rank(clear, RankingRecipe(clusters=True, replicates=200)).rows] == [1, 2, 3, 4]
