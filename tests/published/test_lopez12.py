"""Lopez 2012, "Putting Human Assessments of Machine Translation Systems in Order": tables on the released judgements.

WMT 2010's expert judgements are given by their counts (`ranking_tables.json`); those of 2011 are read from the files.
Errata (found by recomputation): the text swaps Eq. 2 and 3 for 2010 fr-en (107/118/108 is right), and Table 2's 69
belongs to Eq. 2.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragoman.data import Comparisons, compare_pairwise
from dragoman.data.judgements import read_ranking
from dragoman.ranking import RankingRecipe, audit, rank
from dragoman.ranking.base import make_ranking

TABLES = json.loads((Path(__file__).parent / "ranking_tables.json").read_text(encoding="utf-8"))

FILES = {
    "syscomb": "wmt11-maneval-combosystems",
    "individual": "wmt11-maneval-indivsystems",
    "tunable": "wmt11-maneval-tunablemetrics",
}

# Table 1 (systems, judgements), then the violations of MFAS and Eq. 1–3; the four sums are the paper's.
TASKS = {
    "2010 cs-en": (12, 5375, 2, 21, 26, 21),
    "2010 en-cs": (17, 13538, 43, 143, 117, 96),
    "2010 en-fr": (19, 7962, 18, 54, 59, 49),
    "2010 en-de": (18, 13694, 31, 93, 50, 72),
    "2010 en-es": (16, 5174, 6, 37, 55, 23),
    "2010 fr-en": (24, 8294, 61, 107, 118, 108),
    "2010 de-en": (25, 10424, 55, 125, 112, 120),
    "2010 es-en": (14, 11307, 10, 40, 63, 10),
    "syscomb cs-en": (4, 2602, 0, 0, 0, 0),
    "syscomb en-cs": (2, 2686, 0, 0, 0, 0),
    "syscomb en-fr": (2, 880, 0, 0, 0, 0),
    "syscomb en-de": (4, 4374, 0, 0, 0, 0),
    "syscomb en-es": (4, 5930, 0, 0, 0, 0),
    "syscomb fr-en": (6, 3000, 0, 14, 7, 7),
    "syscomb de-en": (8, 3844, 0, 2, 0, 0),
    "syscomb es-en": (6, 4156, 0, 9, 5, 5),
    "individual cs-en": (8, 4922, 1, 18, 5, 12),
    "individual en-cs": (10, 17875, 0, 38, 69, 28),
    "individual en-fr": (17, 9086, 17, 60, 71, 72),
    "individual en-de": (22, 12996, 24, 82, 79, 87),
    "individual en-es": (15, 11130, 16, 23, 54, 38),
    "individual fr-en": (18, 6986, 27, 86, 59, 60),
    "individual de-en": (20, 9079, 48, 92, 100, 85),
    "individual es-en": (15, 5652, 31, 75, 63, 74),
    "tunable ur-en": (8, 6257, 6, 21, 103, 12),
}
METHODS = ("lopez", "wins-and-ties", "win-ratio", "bojar")

# Table 3, "lower ≺ upper" by weight.
ORDER_FR_EN = """
onlineB rwth-combo cmu-hyposel-combo cambridge lium dcu-combo cmu-heafield-combo upv-combo nrc uedin jhu limsi jhu-combo
lium-combo rali lig bbn-combo rwth cmu-statxfer onlineA huicong dfki cu-zeman geneva
"""
VIOLATED_FR_EN = """
lium onlineB 1, upv-combo cambridge 6, jhu cambridge 1, limsi uedin 1, limsi cmu-hyposel-combo 1,
lium-combo cambridge 1, lium-combo nrc 3, rali uedin 1, rali upv-combo 4, rali jhu 1, rali lium 3, lig uedin 6,
bbn-combo nrc 3, bbn-combo uedin 5, bbn-combo upv-combo 5, bbn-combo jhu 4, rwth upv-combo 3, cmu-statxfer jhu 1,
cmu-statxfer lig 1, onlineA rwth 1, onlineA jhu 2, huicong lig 3, dfki rwth 3, dfki cmu-statxfer 1
"""


def from_counts(systems: list[str], wins: list[list[int]], ties: list[list[int]]) -> Comparisons:
    """Comparisons with these counts, each on a screen of its own."""
    rows = []
    for i in range(len(systems)):
        for j in range(i + 1, len(systems)):
            rows += [(i, j, 1)] * wins[i][j] + [(i, j, -1)] * wins[j][i] + [(i, j, 0)] * ties[i][j]
    first, second, outcome = (np.array(column) for column in zip(*rows, strict=True))
    number = np.arange(len(rows), dtype=np.int32)
    return Comparisons(
        tuple(systems),
        ("?",),
        first.astype(np.int32),
        second.astype(np.int32),
        outcome.astype(np.int8),
        number,
        number,
        np.zeros(len(rows), dtype=np.int32),
    )


@cache
def task(name: str, folder: Path) -> Comparisons:
    which, pair = name.split()
    if which == "2010":
        counts: dict[str, Any] = TABLES["wmt10"][pair]
        return from_counts(counts["systems"], counts["wins"], counts["ties"])
    judgements = read_ranking(folder / "wmt-judgments" / f"{FILES[which]}.RNK_results.csv.gz")
    return compare_pairwise(judgements, pair=pair)


@cache
def violations(name: str, method: str, folder: Path) -> int:
    """The violations of a method's order, ties of scores in the order of the names."""
    return audit(task(name, folder), rank(task(name, folder), RankingRecipe(method=method))).violations


@pytest.mark.realdata
@pytest.mark.parametrize("name", TASKS)
def test_table_1_and_the_violations_of_every_task(data_folder: Path, name: str) -> None:
    found = task(name, data_folder)
    n_systems, n_judgements, *costs = TASKS[name]
    assert (len(found.systems) - 1, len(found)) == (n_systems, n_judgements)
    assert [violations(name, method, data_folder) for method in METHODS] == costs


@pytest.mark.realdata
def test_the_sums_over_all_25_tasks(data_folder: Path) -> None:
    sums = [sum(violations(name, method, data_folder) for name in TASKS) for method in METHODS]
    assert sums == [396, 1140, 1215, 979]
    free = [name for name in TASKS if violations(name, "lopez", data_folder) == 0]
    assert len(free) == 9
    assert sum(name.startswith("syscomb") for name in free) == 8


def test_the_24_violated_edges_of_table_3(tmp_path: Path) -> None:
    judged = task("2010 fr-en", tmp_path)
    found = audit(judged, ORDER_FR_EN.split())
    expected = {tuple(edge.split()) for edge in VIOLATED_FR_EN.replace("\n", " ").split(",")}
    assert {(edge.below, edge.above, str(edge.weight)) for edge in found.violated} == expected
    assert found.violations == found.best == 61
    # The printed order is one of several that violate 61; ours is chosen among them by Expected Wins.
    ours = rank(judged, RankingRecipe(method="lopez"))
    assert found.n_best == ours.details["optimal_orders"] == 8
    assert audit(judged, ours).violations == 61


@pytest.mark.realdata
def test_table_2_orders_of_2011_en_cs(data_folder: Path) -> None:
    found = task("individual en-cs", data_folder)
    best = "cu-marecek online-B cu-bojar cu-tamchyna cu-popel uedin commercial1 commercial2 jhu cu-zeman"
    official = "online-B cu-bojar cu-marecek cu-tamchyna uedin cu-popel commercial2 commercial1 jhu cu-zeman"
    third = "online-B cu-bojar cu-marecek cu-tamchyna cu-popel uedin commercial2 commercial1 jhu cu-zeman"
    assert rank(found, RankingRecipe(method="lopez")).order == tuple(best.split())
    assert rank(found, RankingRecipe(method="wins-and-ties")).order == tuple(official.split())
    assert rank(found, RankingRecipe(method="bojar")).order == tuple(third.split())


@pytest.mark.realdata
def test_table_4_tunable_metrics(data_folder: Path) -> None:
    from scipy.stats import spearmanr

    found = task("tunable ur-en", data_folder)
    lopez = rank(found, RankingRecipe(method="lopez"))
    printed = "cmu-bleu cmu-bleu-single cu-sempos-bleu rwth-cder cmu-meteor stanford-dcp nus-tesla-f sheffield-rose"
    # nus-tesla-f and stanford-dcp are tied 49–49: the printed order is the other of two optimal ones or ours.
    assert lopez.details["optimal_orders"] == 2
    assert audit(found, printed.split()).violations == lopez.details["violated_judgements"] == 6
    edges = {(edge.below, edge.above) for edge in audit(found, printed.split()).violated}
    assert edges == {("cmu-meteor", "cmu-bleu"), ("stanford-dcp", "cmu-bleu-single")}
    orders = {name: rank(found, RankingRecipe(method=name)).order for name in METHODS[1:]}
    assert orders["win-ratio"][0] == "cu-sempos-bleu"
    assert orders["win-ratio"][1] == "nus-tesla-f"

    def rho(a: tuple[str, ...], b: tuple[str, ...]) -> float:
        return float(spearmanr(range(len(a)), [b.index(name) for name in a]).statistic)

    best = tuple(printed.split())
    values = [rho(best, orders[name]) for name in METHODS[1:]]
    assert [round(value, 3) for value in values] == [0.905, 0.429, 0.929]
    assert round(rho(orders["wins-and-ties"], orders["win-ratio"]), 2) == 0.19


def test_figure_2_is_acyclic() -> None:
    wins = [[0, 3, 1, 2], [0, 0, 1, 1], [0, 0, 0, 2], [0, 0, 0, 0]]
    found = from_counts(["A", "B", "C", "D"], wins, np.zeros((4, 4), dtype=int).tolist())
    assert rank(found, RankingRecipe(method="lopez")).order == ("A", "B", "C", "D")
    assert rank(found, RankingRecipe(method="wins-and-ties")).order == ("A", "C", "B", "D")
    assert audit(found, ["A", "C", "B", "D"]).violations == 1


def test_figure_3_gives_up_the_lightest_edge_of_its_cycle() -> None:
    # One assignment of the figure's lost edge labels {3, 2, 1, 2, 1, 2} in keeping with its caption.
    wins = [[0, 3, 0, 2], [0, 0, 2, 1], [1, 0, 0, 2], [0, 0, 0, 0]]
    found = from_counts(["E", "F", "G", "H"], wins, np.zeros((4, 4), dtype=int).tolist())
    ranking = rank(found, RankingRecipe(method="mfas"))
    assert ranking.order == ("E", "F", "G", "H")
    assert ranking.details["violated_judgements"] == 1
    assert make_ranking("mfas").name == "lopez"
