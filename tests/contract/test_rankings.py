"""Every ranking method of the registry keeps the contract of ranking methods."""

from __future__ import annotations

import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.ranking import RANKINGS, RankingRecipe, make_ranking, rank
from dragoman.testing.rankings import RANKING, campaign

QUICK = {"playoffs": ":runs=5000,replicate_runs=300", "gaussian-skill": ":runs=20", "elo": ":orders=10"}


@pytest.mark.parametrize("name", RANKINGS.names())
def test_it_keeps_the_contract(name: str) -> None:
    RANKING.check(make_ranking(name + QUICK.get(name, "")), name)


@pytest.mark.parametrize("name", RANKINGS.names())
def test_its_signature_makes_it_again_with_its_defaults(name: str) -> None:
    method = RANKINGS.get(name)()
    assert make_ranking(method.signature()) == method


def test_an_unknown_method_is_answered_with_all_names() -> None:
    with pytest.raises(UnknownName, match=r"called .bojaar.\. Did you mean .bojar."):
        make_ranking("bojaar")
    with pytest.raises(DataError, match="given by its name"):
        make_ranking(3)  # type: ignore[arg-type]


def test_every_choice_of_unit_and_interval_works() -> None:
    some = campaign()
    for unit in ("screen", "segment", "annotator", "judgement"):
        for interval in ("shortest", "equal"):
            found = rank(some, RankingRecipe(clusters=True, replicates=50, unit=unit, interval=interval))  # type: ignore[arg-type]
            assert found.clusters["unit"] == unit
            assert found.clusters["interval"] == interval
