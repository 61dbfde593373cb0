"""Graham & Baldwin, "Testing for Significance of Increased Correlation with Human Judgment" (EMNLP 2014).

On the scores that the authors released: WMT12 es-en, 12 systems by 12 metrics, and en-fr, 15 systems by two. Their
stored output has the degrees of freedom n − 2 that R's psych had then; the paper's formula, and ours, has n − 3.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.stats.williams import WilliamsMatrix, williams_matrix
from tests.stats.made import Floats

pytestmark = pytest.mark.realdata

# One-sided p with n − 3, es-en, best metric first; the first row is r with people.
ORDER = [
    "TerrorCat",
    "Meteor",
    "SAGAN_STS",
    "SEMPOS",
    "posF",
    "XEnErrCats",
    "WordBlockErrCats",
    "AMBER",
    "BlockErrCats",
    "SIMPBLEU",
    "BLEU_4_closest_cased",
    "TER",
]
R = [
    0.970826,
    0.957146,
    0.955745,
    0.930060,
    0.927990,
    0.904199,
    0.892047,
    0.880651,
    0.804744,
    0.787475,
    0.760352,
    0.747202,
]
P = """
.2866 .2057 .1096 .1025 .0506 .0371 .0255 .0075 .0060 .0044 .0033
.4814 .1906 .0972 .0280 .0158 .0043 .0032 .0007 .0009 .0001
.2440 .2448 .1395 .1080 .0860 .0255 .0205 .0153 .0138
.4773 .2472 .1977 .1457 .0137 .0067 .0038 .0055
.1676 .0563 .1309 .0111 .0139 .0115 .0077
.1948 .2350 .0010 .0035 .0032 .0042
.3694 .0102 .0307 .0225 .0143
.0563 .0192 .0125 .0002
.3587 .1909 .1950
.0509 .1430
.3847
"""


def released(folder: Path, pair: str) -> tuple[list[str], Floats, Floats]:
    """Metrics, their scores and the human ones, of the released files."""
    scores: dict[str, dict[str, float]] = {}
    for who in ("metrics", "humans"):
        path = folder / "williams" / f"example-data-multi.mt-systems-scored-by-{who}"
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            metric, spoken, _, system, score = line.split()
            if spoken == pair:
                scores.setdefault(metric, {})[system] = float(score)
    human = scores.pop("HUMAN")
    table = np.array([[own[system] for system in human] for own in scores.values()])
    return list(scores), table, np.array(list(human.values()))


@pytest.fixture(scope="module")
def spanish(data_folder: Path) -> tuple[list[str], Floats, Floats]:
    names, table, human = released(data_folder, "es-en")
    places = [names.index(name) for name in ORDER]
    return ORDER, table[places], human


@pytest.fixture(scope="module")
def matrix(spanish: tuple[list[str], Floats, Floats]) -> WilliamsMatrix:
    return williams_matrix(spanish[1], spanish[2])


def test_the_matrix_to_four_decimals(matrix: WilliamsMatrix) -> None:
    expected = np.full((12, 12), np.nan)
    for row, line in enumerate(P.split("\n")[1:-1]):
        expected[row, row + 1 :] = [float(cell) for cell in line.split()]
    assert np.count_nonzero(~np.isnan(expected)) == 66
    assert matrix.p == pytest.approx(expected, abs=0.00005, nan_ok=True)
    assert matrix.r == pytest.approx(R, abs=5e-7)


def test_significant_pairs(spanish: tuple[list[str], Floats, Floats], matrix: WilliamsMatrix) -> None:
    """36 of 66; the 58 % that the paper speaks of are 38, and come out with n − 2 alone."""
    assert matrix.significant(0.05) == 36
    assert williams_matrix(spanish[1], spanish[2], df="n-2").significant(0.05) == 38


def test_the_authors_stored_output(data_folder: Path, spanish: tuple[list[str], Floats, Floats]) -> None:
    folder = data_folder / "williams"
    row = (folder / "example-output.orig.williams-results.es-en").read_text(encoding="utf-8").splitlines()[-2]
    stored = float(row.split("\t")[2])
    amber, bleu = ORDER.index("AMBER"), ORDER.index("BLEU_4_closest_cased")
    old = williams_matrix(spanish[1], spanish[2], df="n-2")
    assert old.p[amber, bleu] == pytest.approx(stored, abs=1e-14)
    assert old.t[amber, bleu] == pytest.approx(2.6870276676, abs=1e-9)
    assert williams_matrix(spanish[1], spanish[2]).p[amber, bleu] == pytest.approx(0.0124587707, abs=1e-10)


def test_english_french(data_folder: Path) -> None:
    names, table, human = released(data_folder, "en-fr")
    matrix = williams_matrix(table, human)
    assert len(human) == 15
    amber = names.index("AMBER")
    assert matrix.r[[amber, 1 - amber]] == pytest.approx([0.7541, 0.7228], abs=0.00005)
    assert matrix.p[amber, 1 - amber] == pytest.approx(0.15299, abs=0.000005)
