"""Head-to-head tables of the WMT findings, recomputed from the released judgements.

`head_to_head.json` holds the printed cells with the systems' names in print and in the released files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dragoman.data import Judgements
from dragoman.data.comparisons import compare_pairwise
from dragoman.data.judgements import read_ranking
from dragoman.ranking import DuelRecipe, HeadToHead, head_to_head

pytestmark = pytest.mark.realdata

PRINTED = json.loads((Path(__file__).parent / "head_to_head.json").read_text(encoding="utf-8"))
WMT12: dict[str, Any] = PRINTED["wmt12"]


@pytest.fixture(scope="module")
def wmt12(data_folder: Path) -> Judgements:
    return read_ranking(data_folder / "wmt-judgments" / "wmt12.RNK_results.csv.gz")


@pytest.fixture(scope="module")
def wmt13(data_folder: Path) -> Judgements:
    return read_ranking(data_folder / "wmt-judgments" / "wmt13.fr-en.train.csv.gz")


def matrix(judgements: Judgements, pair: str) -> HeadToHead:
    known = WMT12[pair]
    released = dict(zip(known["systems"], known["released"], strict=True))
    constrained = [released[name] for name in known["constrained"]]
    return head_to_head(compare_pairwise(judgements, pair=pair), DuelRecipe(constrained=tuple(constrained or ())))


def test_all_printed_cells_are_here() -> None:
    assert sum(len(known["systems"]) * (len(known["systems"]) - 1) for known in WMT12.values()) == 1298


@pytest.mark.parametrize("pair", WMT12)
def test_cells_and_marks_of_findings_2012_tables_14_to_21(wmt12: Judgements, pair: str) -> None:
    found, known = matrix(wmt12, pair), WMT12[pair]
    table = found.tables()[1]
    shown = {row[0]: dict(zip(found.systems, row[1:], strict=True)) for row in table.rows}
    for row, cells in zip(known["released"], known["cells"], strict=True):
        for column, printed in zip(known["released"], cells, strict=True):
            if printed != "–":
                assert shown[row][column] == printed.replace("*", "⋆"), (pair, row, column)
    for name, others in zip(known["released"], known["others"], strict=True):
        assert shown["> others"][name] == f"{float(others):.2f}"


@pytest.mark.parametrize("pair", WMT12)
def test_winners_and_counts_of_findings_2012_table_4(wmt12: Judgements, pair: str) -> None:
    found, known = matrix(wmt12, pair), WMT12[pair]
    name = dict(zip(known["released"], known["systems"], strict=True))
    winners = {name[each.system] for each in found.standings if each.is_winner}
    # Nobody beats RBMT-3 at p ≤ .10 either, but Table 4 does not mark it.
    assert winners - set(known["winners"]) == ({"RBMT-3"} if pair == "de-en" else set())
    assert set(known["winners"]) <= winners
    assert {name[each.system] for each in found.standings if each.is_constrained_winner} == set(
        known["constrained_winners"]
    )
    decided = [each.wins + each.losses for each in found.standings]
    assert [min(decided), max(decided)] == known["nontied"]


def test_flags_and_cells_of_findings_2013_table_25(wmt13: Judgements) -> None:
    known = PRINTED["wmt13"]["fr-en"]
    found = head_to_head(compare_pairwise(wmt13), DuelRecipe(style="wmt13"))
    assert list(found.systems) == known["released"]  # the paper's order is that of Expected Wins; here the same
    flags = cells = 0
    for row, printed, flagged in zip(known["released"], known["cells"], known["flags"], strict=True):
        for column, cell, flag in zip(known["released"], printed, flagged, strict=True):
            if row == column:
                continue
            assert found.cell(row, column) == pytest.approx(cell, abs=0.0101)
            flags += bool(found.duel(row, column).mark) == bool(flag)
            cells += f"{found.cell(row, column):.2f}" == f"{cell:.2f}"
    assert flags == 156
    assert cells >= 154  # two are printed one hundredth off
    assert sum(each.wins for each in found.standings) == 80741  # Findings 2013, Table 2


def test_two_sided_tests_would_not_give_the_flags_of_2013(wmt13: Judgements) -> None:
    known = PRINTED["wmt13"]["fr-en"]
    found = head_to_head(compare_pairwise(wmt13), DuelRecipe(style="wmt12"))
    wrong = sum(
        bool(found.duel(row, column).mark) != bool(flag)
        for row, flagged in zip(known["released"], known["flags"], strict=True)
        for column, flag in zip(known["released"], flagged, strict=True)
        if row != column
    )
    assert wrong == 14
