"""Graham, Mathur & Baldwin, "Randomized Significance Tests in Machine Translation" (WMT 2014), on WMT-13 es-en.

The three tests are interchangeable: on all 136 pairs of 17 systems they come to the same verdict. The counts below are
a reproduction on the outputs that are public (newstest2013), 1,000 trials; the paper's own tables are on WMT-12.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from dragoman.stats import paired_test
from tests.stats.made import Floats

pytestmark = pytest.mark.realdata

TESTS = ("paired-bootstrap", "bootstrap", "randomisation")


def bleu(totals: Floats) -> Floats:
    """Corpus BLEU from sacreBLEU's statistics: hypothesis and reference length, 4 matches, 4 totals; no smoothing."""
    hypothesis, reference = totals[:, 0], totals[:, 1]
    precision = np.log(totals[:, 2:6] / totals[:, 6:10]).mean(axis=1)
    return 100 * np.exp(np.minimum(0, 1 - reference / hypothesis) + precision)


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


@pytest.fixture(scope="module")
def systems(data_folder: Path) -> dict[str, Floats]:
    folder = data_folder / "newstest2013"
    metric = BLEU(references=[lines(folder / "references" / "newstest2013.en.gz")])
    statistics = {}
    for path in sorted((folder / "es-en").glob("*.gz")):
        rows = np.array(metric._extract_corpus_statistics(lines(path), None), dtype=float)
        statistics[path.name.split(".")[2]] = rows
        assert bleu(rows.sum(axis=0)[None])[0] == pytest.approx(metric._aggregate_and_compute(rows).score)
    assert {rows.shape for rows in statistics.values()} == {(3000, 10)}
    return dict(sorted(statistics.items(), key=lambda item: -bleu(item[1].sum(axis=0)[None])[0]))


@pytest.fixture(scope="module")
def p_values(systems: dict[str, Floats]) -> dict[str, Floats]:
    """One-sided p-values of all pairs, the better system first, for each test."""
    pairs = [(a, b) for b in range(17) for a in range(b)]
    found = {}
    for name in TESTS:
        test = paired_test(name, sides=1, trials=1000, formula="paper")
        found[name] = np.array([pair.p for pair in test.compare_pairs(list(systems.values()), bleu, pairs)])
    return found


@pytest.mark.parametrize(("alpha", "significant"), [(0.05, 127), (0.01, 125), (0.001, 123)])
def test_the_three_tests_agree(p_values: dict[str, Floats], alpha: float, significant: int) -> None:
    verdicts = np.array([p_values[name] <= alpha for name in TESTS])
    assert verdicts.shape == (3, 136)
    assert np.count_nonzero(np.ptp(verdicts.astype(int), axis=0) == 0) >= 135
    # The count moves by a pair or two with the seed, at the margin.
    assert np.all(np.abs(verdicts.sum(axis=1) - significant) <= 2)


@pytest.mark.parametrize(
    ("a", "b", "delta", "p"),
    [
        ("LIMSI-Ncode-SOUL-primary", "DCU-Prompsit", 0.166, (0.208, 0.207, 0.212)),
        ("DCU-Prompsit", "online-A", 0.397, (0.048, 0.043, 0.035)),
        ("online-A", "MES", 0.014, (0.489, 0.464, 0.480)),
    ],
)
def test_pairs_at_the_margin(
    systems: dict[str, Floats], a: str, b: str, delta: float, p: tuple[float, float, float]
) -> None:
    for name, expected in zip(TESTS, p, strict=True):
        found = paired_test(name, sides=1, trials=10_000, formula="paper").compare(systems[a], systems[b], bleu)
        assert found.delta == pytest.approx(delta, abs=0.0005)
        # The reproduction had 1,000 trials: three of its standard errors.
        assert abs(found.p - expected) < 3 * np.sqrt(expected * (1 - expected) / 1000)


@pytest.mark.parametrize("name", ["bootstrap", "randomisation"])
def test_planted_null(systems: dict[str, Floats], name: str) -> None:
    """Two pseudo-systems, made by exchanging the segments of two real ones at random: neither is better."""
    rng = np.random.default_rng(13)
    one, two = systems["uedin-wmt13"], systems["online-A"]
    test = paired_test(name, sides=1, trials=199)
    alarms = 0
    for _ in range(1000):
        swap = rng.integers(2, size=(3000, 1), dtype=bool)
        alarms += test.compare(np.where(swap, two, one), np.where(swap, one, two), bleu).p <= 0.05
    assert abs(alarms / 1000 - 0.05) < 0.02
