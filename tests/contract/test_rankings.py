"""What every ranking method must do, over everything registered."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
import pytest

from dragoman.data import Comparisons
from dragoman.errors import DataError, UnknownName
from dragoman.ranking import RANKINGS, RankingMethod, make_ranking, rank
from dragoman.ranking.assessments import Assessments
from tests.ranking.made import campaign

NAMES = RANKINGS.names()
each_name = pytest.mark.parametrize("name", NAMES)
QUICK = {"playoffs": ":runs=5000,replicate_runs=300", "trueskill": ":runs=20", "elo": ":orders=10"}


def quick(name: str) -> RankingMethod[Any]:
    return make_ranking(name + QUICK.get(name, ""))


def assessments(seed: int = 0) -> Assessments:
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


def judgements(name: str, seed: int = 0) -> Comparisons | Assessments:
    return campaign(seed=seed) if RANKINGS.get(name).takes == "comparisons" else assessments(seed)


@each_name
def test_it_finds_the_order_of_clear_judgements(name: str) -> None:
    ranking = rank(judgements(name), method=quick(name))
    assert ranking.order == tuple("ABCDE")
    assert [row.rank for row in ranking.rows] == [1, 2, 3, 4, 5]
    assert {type(row.score) for row in ranking.rows} == {float}
    assert ranking.method == quick(name).signature()


@each_name
def test_it_is_named_as_it_is_registered_and_frozen(name: str) -> None:
    method = RANKINGS.get(name)()
    assert method.name == name
    assert make_ranking(method.signature()) == method
    with pytest.raises((FrozenInstanceError, AttributeError)):
        method.name = "x"


@each_name
def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads(name: str) -> None:
    some = judgements(name)
    answers = [rank(some, method=quick(name), clusters=True, replicates=40, seed=5, n_threads=n) for n in (1, 2, 7)]
    assert answers[0].rows == answers[1].rows == answers[2].rows


@each_name
def test_ranges_hold_the_rank_and_clusters_follow_the_order(name: str) -> None:
    ranking = rank(judgements(name), method=quick(name), clusters=True, replicates=60)
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


@each_name
def test_the_judgements_are_left_as_they_were(name: str) -> None:
    some = judgements(name)
    arrays = {field.name: getattr(some, field.name) for field in fields(some)}
    before = {key: value.copy() for key, value in arrays.items() if isinstance(value, np.ndarray)}
    rank(some, method=quick(name), clusters=True, replicates=20)
    for key, value in before.items():
        np.testing.assert_array_equal(getattr(some, key), value)


@each_name
def test_names_decide_nothing_but_ties(name: str) -> None:
    some = judgements(name)
    turned = replace(some, systems=tuple("VWXYZ"))
    assert rank(turned, method=quick(name)).order == tuple("VWXYZ")


@each_name
def test_no_judgements_and_one_system_are_refused(name: str) -> None:
    some = judgements(name)
    empty = some.take(np.zeros(len(some), dtype=bool)) if isinstance(some, Comparisons) else replace(
        some, system=some.system[:0], annotator=some.annotator[:0], segment=some.segment[:0], score=some.score[:0]
    )  # fmt: skip
    with pytest.raises(DataError, match="There are no judgements to rank by"):
        rank(empty, method=quick(name))
    with pytest.raises(DataError, match="Only one system was judged, A"):
        rank(some, method=quick(name), systems=["A"])
    with pytest.raises(DataError, match=r"No judgement names Q\. Judged: A, B"):
        rank(some, method=quick(name), systems=["A", "Q"])


@each_name
def test_the_other_kind_of_judgement_is_refused(name: str) -> None:
    other = assessments() if RANKINGS.get(name).takes == "comparisons" else campaign()
    with pytest.raises(DataError, match="ranks by"):
        rank(other, method=quick(name))


@each_name
def test_progress_is_told_to_the_end(name: str) -> None:
    told: list[tuple[int, int]] = []
    rank(judgements(name), method=quick(name), clusters=True, replicates=200, progress=lambda *at: told.append(at))
    assert told[-1] == (200, 200)


def test_an_unknown_method_is_answered_with_all_names() -> None:
    with pytest.raises(UnknownName, match=r"called .bojaar.\. Did you mean .bojar."):
        make_ranking("bojaar")
    with pytest.raises(DataError, match="given by its name"):
        make_ranking(3)  # type: ignore[arg-type]


def test_every_choice_of_unit_and_interval_works() -> None:
    some = campaign()
    for unit in ("screen", "segment", "annotator", "judgement"):
        for interval in ("shortest", "equal"):
            found = rank(some, clusters=True, replicates=50, unit=unit, interval=interval)  # type: ignore[arg-type]
            assert found.clusters["unit"] == unit
            assert found.clusters["interval"] == interval
