"""What every ranking method promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np

from dragoman.data import Comparisons
from dragoman.errors import DataError
from dragoman.ranking import RANKINGS, RankingMethod, RankingRecipe, make_ranking, rank
from dragoman.ranking.assessments import Assessments
from dragoman.testing.contract import Contract, raises

__all__ = ["RANKING", "check_ranking"]

RANKING: Contract[RankingMethod[Any]] = Contract("ranking method")


def check_ranking(method: RankingMethod[Any] | str) -> None:
    """Check a ranking method, given as an object or by its name and options; choose quick ones."""
    method = make_ranking(method)
    RANKING.check(method, method.signature())


def comparisons(rows: Sequence[tuple[int, int, int]], n: int | None = None, *, per_screen: int = 1) -> Comparisons:
    """Comparisons of A, B, C …, given as (first, second, outcome); `per_screen` of them on each screen."""
    size = n if n is not None else max(max(i, j) for i, j, _ in rows) + 1
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    swapped = table[:, 0] > table[:, 1]
    first, second = table[:, :2].min(axis=1), table[:, :2].max(axis=1)
    number = np.arange(len(table), dtype=np.int32) // per_screen
    return Comparisons(
        tuple(chr(65 + i) for i in range(size)),
        ("x", "y"),
        first.astype(np.int32),
        second.astype(np.int32),
        np.where(swapped, -table[:, 2], table[:, 2]).astype(np.int8),
        number,
        number // 2,
        number % 2,
        {"pair": "de-en"},
    )


def campaign(n_systems: int = 5, n_screens: int = 200, *, seed: int = 0, noise: float = 0.6) -> Comparisons:
    """Screens of all systems, ranked by ability and noise with ties; A is the best."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(1, 0, n_systems) + rng.normal(0, noise, (n_screens, n_systems))
    ranks = np.round(-quality * 2)
    rows = [
        (i, j, int(np.sign(screen[j] - screen[i])))
        for screen in ranks
        for i in range(n_systems)
        for j in range(i + 1, n_systems)
    ]
    return comparisons(rows, n_systems, per_screen=n_systems * (n_systems - 1) // 2)


def assessments(seed: int = 0) -> Assessments:
    """Scores of five systems by six people; A is the best."""
    rng = np.random.default_rng(seed)
    system, segment = np.repeat(np.arange(5), 60), np.tile(np.arange(60), 5)
    score = np.clip(80 - 5 * system + rng.normal(0, 8, 300), 0, 100)
    annotator = rng.integers(0, 6, 300)
    return Assessments(
        tuple("ABCDE"),
        tuple("uvwxyz"),
        system.astype(np.int32),
        annotator.astype(np.int32),
        segment.astype(np.int32),
        score,
        {"pair": "de-en"},
    )


def judgements_for(method: RankingMethod[Any], seed: int = 0) -> Comparisons | Assessments:
    """Clear judgements of the kind that the method takes, about A, the best, to E."""
    return campaign(seed=seed) if method.takes == "comparisons" else assessments(seed)


@RANKING.rule
def it_finds_the_order_of_clear_judgements(method: RankingMethod[Any]) -> None:
    ranking = rank(judgements_for(method), RankingRecipe(method=method))
    assert ranking.order == tuple("ABCDE")
    assert [row.rank for row in ranking.rows] == [1, 2, 3, 4, 5]
    assert {type(row.score) for row in ranking.rows} == {float}
    assert ranking.method == method.signature()


@RANKING.rule
def it_is_named_as_it_is_registered_and_frozen(method: RankingMethod[Any]) -> None:
    assert RANKINGS.get(method.name) is type(method)
    assert make_ranking(method.signature()) == method
    with raises((FrozenInstanceError, AttributeError), match="name"):
        method.name = "x"  # type: ignore[misc]


@RANKING.rule
def the_same_seed_gives_the_same_answer_on_any_number_of_threads(method: RankingMethod[Any]) -> None:
    some = judgements_for(method)
    answers = [
        rank(some, RankingRecipe(method=method, clusters=True, replicates=40, seed=5), n_threads=n) for n in (1, 2, 7)
    ]
    assert answers[0].rows == answers[1].rows == answers[2].rows


@RANKING.rule
def ranges_hold_the_rank_and_clusters_follow_the_order(method: RankingMethod[Any]) -> None:
    ranking = rank(judgements_for(method), RankingRecipe(method=method, clusters=True, replicates=60))
    lows = [row.rank_low for row in ranking.rows]
    highs = [row.rank_high for row in ranking.rows]
    clusters = [row.cluster for row in ranking.rows]
    for low, high in zip(lows, highs, strict=True):
        assert low is not None
        assert high is not None
        assert 1 <= low <= high <= 5
    assert clusters == sorted(clusters)  # type: ignore[type-var]
    assert sum(len(part) for part in ranking.partition()) == 5
    meta = ranking.to_dict()["meta"]
    assert meta["clusters"]["replicates"] == 60
    assert meta["seed"] == 1


@RANKING.rule
def the_judgements_are_left_as_they_were(method: RankingMethod[Any]) -> None:
    some = judgements_for(method)
    arrays = {field.name: getattr(some, field.name) for field in fields(some)}
    before = {key: value.copy() for key, value in arrays.items() if isinstance(value, np.ndarray)}
    rank(some, RankingRecipe(method=method, clusters=True, replicates=20))
    for key, value in before.items():
        np.testing.assert_array_equal(getattr(some, key), value)


@RANKING.rule
def names_decide_nothing_but_ties(method: RankingMethod[Any]) -> None:
    some = judgements_for(method)
    turned = replace(some, systems=tuple("VWXYZ"))
    assert rank(turned, RankingRecipe(method=method)).order == tuple("VWXYZ")


@RANKING.rule
def no_judgements_and_one_system_are_refused(method: RankingMethod[Any]) -> None:
    some = judgements_for(method)
    empty = (
        some.take(np.zeros(len(some), dtype=bool))
        if isinstance(some, Comparisons)
        else replace(
            some, system=some.system[:0], annotator=some.annotator[:0], segment=some.segment[:0], score=some.score[:0]
        )
    )
    with raises(DataError, match="There are no judgements to rank by"):
        rank(empty, RankingRecipe(method=method))
    with raises(DataError, match="Only one system was judged, A"):
        rank(some, RankingRecipe(method=method, systems=("A",)))
    with raises(DataError, match=r"No judgement names Q\. Judged: A, B"):
        rank(some, RankingRecipe(method=method, systems=("A", "Q")))


@RANKING.rule
def the_other_kind_of_judgement_is_refused(method: RankingMethod[Any]) -> None:
    other = assessments() if method.takes == "comparisons" else campaign()
    with raises(DataError, match="ranks by"):
        rank(other, RankingRecipe(method=method))


@RANKING.rule
def progress_is_told_to_the_end(method: RankingMethod[Any]) -> None:
    steps: list[tuple[int, int]] = []
    rank(
        judgements_for(method),
        RankingRecipe(method=method, clusters=True, replicates=200),
        progress=lambda *at: steps.append(at),
    )
    assert steps[-1] == (200, 200)
