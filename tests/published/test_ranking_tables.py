"""Ranking tables of the Findings of WMT 2012, 2013 and 2014, on the released judgements.

Erratum of 2012: Tables 5 and 22–28 took a blank rank for better than 1 (Tables 4 and 14–21 did not), hence
blanks="best" here. What does not reproduce is named in docs/reproduction.md.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dragoman.data import Comparisons, compare_pairwise
from dragoman.data.judgements import Judgements, read_ranking
from dragoman.ranking import Ranking, RankingRecipe, audit, rank
from dragoman.ranking.clusters import clusters_of
from dragoman.ranking.lopez import violations
from dragoman.ranking.most_probable import MostProbable, log_probability

TABLES = json.loads((Path(__file__).parent / "ranking_tables.json").read_text(encoding="utf-8"))
WMT12 = TABLES["wmt12"]
ids_12 = {pair: f"Table {table['table']}, {pair}" for pair, table in WMT12.items()}
each_pair = pytest.mark.parametrize("pair", WMT12, ids=ids_12.values())


@cache
def judgements_12(folder: Path) -> Judgements:
    return read_ranking(folder / "wmt-judgments" / "wmt12.RNK_results.csv.gz")


@cache
def comparisons_12(folder: Path, pair: str, blanks: str = "best") -> Comparisons:
    return compare_pairwise(judgements_12(folder), pair=pair, blanks=blanks)


@cache
def names_12(folder: Path, pair: str) -> dict[str, str]:
    """The name in the tables of every name in the file, told by the wins and losses without blanks."""
    found = comparisons_12(folder, pair, "drop")
    wins = found.wins()
    totals = {tuple(total): name for name, total in WMT12[pair]["totals"].items()}
    return {name: totals[int(wins[i].sum()), int(wins[:, i].sum())] for i, name in enumerate(found.systems)}


def scored(ranking: Ranking, names: dict[str, str]) -> dict[str, float]:
    return {names[row.system]: row.score for row in ranking.rows}


@pytest.mark.realdata
@each_pair
def test_bojar_and_expected_wins_of_wmt12(data_folder: Path, pair: str) -> None:
    found, names = comparisons_12(data_folder, pair), names_12(data_folder, pair)
    for method, column in (("bojar", "bojar"), ("expected-wins", "expected_wins")):
        values = scored(rank(found, RankingRecipe(method=method)), names)
        for name, printed, *_ in WMT12[pair][column]:
            assert abs(values[name] - printed) <= 0.0005 + 1e-9, (method, name)


def test_there_are_103_systems_in_the_tables_of_wmt12() -> None:
    assert sum(len(table["bojar"]) for table in WMT12.values()) == 103


@pytest.mark.realdata
@each_pair
def test_playoffs_of_wmt12(data_folder: Path, pair: str) -> None:
    found = comparisons_12(data_folder, pair)
    values = scored(rank(found, RankingRecipe(method="playoffs"), n_threads=2), names_12(data_folder, pair))
    # Printed to two decimals, after a million tournaments of their own.
    assert max(abs(values[name] - printed) for name, printed in WMT12[pair]["mc_playoffs"]) < 0.03


@pytest.mark.realdata
@each_pair
def test_lopez_of_wmt12(data_folder: Path, pair: str) -> None:
    found, names = comparisons_12(data_folder, pair), names_12(data_folder, pair)
    ours = rank(found, RankingRecipe(method="lopez"))
    file_name = {printed: name for name, printed in names.items()}
    printed = audit(found, [file_name[name] for name in WMT12[pair]["lopez"]])
    costs = {"cs-en": 0, "en-cs": 1, "en-fr": 2, "en-de": 29, "fr-en": 26, "de-en": 24, "es-en": 1, "en-es": 0}
    assert printed.best == ours.details["violated_judgements"] == costs[pair]
    # The printed en-es order is optimal when blanks are dropped; with the counts of the other columns it costs 1.
    assert printed.violations == costs[pair] + (pair == "en-es")
    if ours.details["optimal_orders"] == 1 and pair != "en-es":
        assert [names[name] for name in ours.order] == WMT12[pair]["lopez"]


@pytest.mark.realdata
@each_pair
def test_lopez_without_blanks(data_folder: Path, pair: str) -> None:
    found = rank(comparisons_12(data_folder, pair, "drop"), RankingRecipe(method="lopez"))
    costs = {"cs-en": 0, "en-cs": 1, "en-fr": 2, "en-de": 28, "en-es": 0, "fr-en": 27, "de-en": 22, "es-en": 1}
    assert found.details["violated_judgements"] == costs[pair]


@pytest.mark.realdata
@each_pair
def test_most_probable_of_wmt12(data_folder: Path, pair: str) -> None:
    found, names = comparisons_12(data_folder, pair), names_12(data_folder, pair)
    wins = found.wins()
    best = MostProbable().optimum(wins).order
    file_name = {printed: found.systems.index(name) for name, printed in names.items()}
    printed = [file_name[name] for name in WMT12[pair]["most_probable"]]
    ours, theirs = log_probability(wins, best), log_probability(wins, printed)
    worse = {"en-de": (-54.8698, -54.9015), "en-fr": (-53.8513, -54.2135)}  # their search was not exact
    if pair in worse:
        assert (round(ours, 4), round(theirs, 4)) == worse[pair]
    else:
        assert math.isclose(ours, theirs)


@pytest.mark.realdata
def test_rank_ranges_of_wmt12(data_folder: Path) -> None:
    same = total = 0
    for pair, table in WMT12.items():
        names = names_12(data_folder, pair)
        ranking = rank(
            comparisons_12(data_folder, pair),
            RankingRecipe(clusters=True, unit="segment", interval="equal", level=0.9, seed=1),
            n_threads=2,
        )
        rows = {names[row.system]: (row.rank_low, row.rank_high) for row in ranking.rows}
        for name, _, printed in table["expected_wins"]:
            low, high = (int(end) for end in (printed.split("-") * 2)[:2])
            ours = rows[name]
            assert ours[0] is not None
            assert ours[1] is not None
            assert abs(ours[0] - low) <= 1
            assert abs(ours[1] - high) <= 1
            same += ours == (low, high)
            total += 1
    assert total == 103
    assert same >= 0.8 * total


@cache
def comparisons_13(folder: Path) -> Comparisons:
    return compare_pairwise(read_ranking(folder / "wmt-judgments" / "wmt13.fr-en.train.csv.gz"))


@pytest.mark.realdata
def test_wmt13_table_6_fr_en(data_folder: Path) -> None:
    found = comparisons_13(data_folder)
    assert int(np.count_nonzero(found.outcome)) == 80_741  # Table 2
    ranking = rank(found, RankingRecipe(method="expected-wins", clusters=True), n_threads=2)
    printed = TABLES["wmt13"]["fr-en"]
    for row, (_, score, *_) in zip(ranking.rows, printed, strict=True):
        assert abs(row.score - score) <= 0.0015
    # Clusters are numbered by their first member's rank in the paper.
    assert clusters_of([_range(text) for _, _, text, _ in printed]) == [row.cluster for row in ranking.rows]
    same = sum((row.rank_low, row.rank_high) == _range(p[2]) for row, p in zip(ranking.rows, printed, strict=True))
    assert same >= 12


@pytest.mark.realdata
def test_the_clusters_of_wmt13_fr_en_do_not_hang_on_the_seed(data_folder: Path) -> None:
    parts = {
        rank(comparisons_13(data_folder), RankingRecipe(clusters=True, seed=seed)).partition() for seed in range(1, 6)
    }
    assert len(parts) == 1


def _range(text: str) -> tuple[int, int]:
    low, high = (int(end) for end in (text.split("-") * 2)[:2])
    return low, high


@pytest.mark.parametrize("pair", TABLES["wmt13"])
def test_clusters_of_wmt13_follow_from_its_ranges(pair: str) -> None:
    rows = TABLES["wmt13"][pair]
    numbers = clusters_of([_range(text) for _, _, text, _ in rows])
    firsts = [numbers.index(number) + 1 for number in numbers]
    assert firsts == [cluster for *_, cluster in rows] or numbers == [cluster for *_, cluster in rows]


@pytest.mark.parametrize("pair", TABLES["wmt14"])
def test_clusters_of_wmt14_follow_from_its_ranges(pair: str) -> None:
    rows = TABLES["wmt14"][pair]
    assert clusters_of([(low, high) for _, _, low, high, _ in rows]) == [cluster for *_, cluster in rows]


@pytest.mark.realdata
def test_hopkins_may_and_trueskill_on_wmt13_fr_en(data_folder: Path) -> None:
    found = comparisons_13(data_folder)
    order = rank(found).order
    ability = {row.system: row.score for row in rank(found, RankingRecipe(method="hopkins-may")).rows}
    computed = [0.446, 0.343, 0.315, 0.248, 0.200, 0.135, 0.047, -0.037, -0.195, -0.236, -0.265, -0.372, -0.628]
    np.testing.assert_allclose([ability[name] for name in order], computed, atol=0.001)
    # A hundred replays of WMT 2014's procedure; the figures come from a thousand with other draws.
    means = {row.system: row.score for row in rank(found, RankingRecipe(method="trueskill:runs=100"), n_threads=2).rows}
    computed = [0.447, 0.333, 0.315, 0.242, 0.199, 0.134, 0.045, -0.034, -0.190, -0.228, -0.255, -0.366, -0.640]
    np.testing.assert_allclose([means[name] for name in order], computed, atol=0.006)
    assert abs(sum(means.values())) < 0.01


@pytest.mark.realdata
@each_pair
def test_violations_add_up(data_folder: Path, pair: str) -> None:
    found = comparisons_12(data_folder, pair)
    order = rank(found).order
    report = audit(found, order)
    costs = violations(found.wins())
    places = [found.systems.index(name) for name in order]
    assert report.violations == sum(costs[places[j], places[i]] for j in range(len(places)) for i in range(j))
