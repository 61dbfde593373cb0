"""The compatibility tests against the tools: sacreBLEU in the same process, Moses and MultEval by their formulae."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest as Sacrebleu
from sacrebleu.significance import estimate_ci

from dragoman.errors import DataError
from dragoman.stats import paired_test, sacrebleu_intervals
from dragoman.stats.replicates import bootstrap_scores, swapped_differences
from tests.stats.made import Floats, counts, ratio

METRICS = {"BLEU": BLEU, "chrF2": CHRF, "TER": TER}
N = 250


@pytest.fixture(scope="module")
def texts(data_folder: Path) -> tuple[list[tuple[str, list[str]]], list[str]]:
    folder = data_folder / "newstest2013"

    def lines(path: Path) -> list[str]:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return [line.rstrip("\n") for line in file][:N]

    paths = sorted((folder / "es-en").glob("*.gz"))[:4]
    return [(path.name, lines(path)) for path in paths], lines(folder / "references" / "newstest2013.en.gz")


def scorer(metric: BLEU | CHRF | TER) -> Callable[[Floats], Floats]:
    """sacreBLEU's own score of sums, in double precision."""

    def values(totals: Floats) -> Floats:
        return np.array([metric._compute_score_from_stats(row).score for row in totals])

    return values


# sacreBLEU sums resamples and averages their scores in single precision.
SINGLE = 2e-5


@pytest.mark.realdata
@pytest.mark.parametrize("kind", METRICS)
@pytest.mark.parametrize(("name", "test_type", "trials"), [("sacrebleu-bs", "bs", 200), ("sacrebleu-ar", "ar", 100)])
def test_sacrebleu_gives_the_same_numbers(
    kind: str, name: str, test_type: str, trials: int, texts: tuple[list[tuple[str, list[str]]], list[str]]
) -> None:
    n = 80 if kind == "TER" else N
    systems, reference = [(name, lines[:n]) for name, lines in texts[0]], texts[1][:n]
    metric = METRICS[kind](references=[reference])
    _, theirs = Sacrebleu(systems, {kind: metric}, None, test_type, trials, n_ar_confidence=80)()
    rows = [np.array(metric._extract_corpus_statistics(hyps, None), dtype=float) for _, hyps in systems]
    options = {} if test_type == "bs" else {"confidence": 80}
    pairs = [(number, 0) for number in range(1, len(rows))]
    ours = paired_test(name, trials=trials, **options).compare_pairs(rows, scorer(metric), pairs)
    baseline, *others = theirs[next(key for key in theirs if key != "System")]
    for result, found in zip(others, ours, strict=True):
        assert found.p == result.p_value
        assert (found.score_a, found.score_b) == pytest.approx((result.score, baseline.score), abs=1e-9)
        for interval, theirs_ in ((found.interval_a, result), (found.interval_b, baseline)):
            assert interval is not None
            assert (interval.mean, interval.half_width) == pytest.approx((theirs_.mean, theirs_.ci), abs=SINGLE)
    assert len({found.p for found in ours}) > 1


@pytest.mark.realdata
def test_sacrebleu_gives_the_same_intervals(texts: tuple[list[tuple[str, list[str]]], list[str]]) -> None:
    systems, reference = texts
    metric = CHRF()
    theirs = metric.corpus_score(systems[0][1], [reference], n_bootstrap=123)
    rows = np.array(metric._extract_corpus_statistics(systems[0][1], [reference]), dtype=float)
    ours = sacrebleu_intervals([rows], scorer(metric), trials=123)[0]
    assert (ours.mean, ours.half_width) == pytest.approx((theirs._mean, theirs._ci), abs=SINGLE)
    assert ours.score == pytest.approx(theirs.score, abs=1e-9)


@pytest.mark.parametrize("trials", [1, 31, 32, 33, 200])
@pytest.mark.parametrize("n", [2, 7, 33])
@pytest.mark.parametrize("kept", [0, 1 << 20])
def test_numpy_draws_continue_over_pieces(monkeypatch: pytest.MonkeyPatch, trials: int, n: int, kept: int) -> None:
    rng = np.random.default_rng(0)
    a, b = counts(rng, n, 0.6), counts(rng, n, 0.5)
    monkeypatch.setattr("dragoman.stats.replicates._CELLS", 1)  # pieces of 32 trials
    monkeypatch.setattr("dragoman.stats.compat._KEPT", kept)
    drawn = np.random.default_rng(12345).choice(n, size=(trials, n), replace=True)
    sizes = np.abs(ratio(a[drawn].sum(1)) - ratio(b[drawn].sum(1)))
    delta = abs(ratio(a.sum(0)[None]) - ratio(b.sum(0)[None]))[0]
    p = (np.count_nonzero(sizes - sizes.mean() > delta) + 1) / (trials + 1)
    assert paired_test("sacrebleu-bs", trials=trials).compare(a, b, ratio).p == p
    kept = np.random.default_rng(12345).integers(2, size=(trials, n), dtype=bool)
    gaps = np.abs(ratio(kept @ b + ~kept @ a) - ratio(~kept @ b + kept @ a))
    p = (np.count_nonzero(gaps > delta + 1e-9) + 1) / (trials + 1)
    assert paired_test("sacrebleu-ar", trials=trials).compare(a, b, ratio).p == p


def test_the_interval_rule_is_sacrebleus() -> None:
    rng = np.random.default_rng(2)
    a, b = counts(rng, 50, 0.6), counts(rng, 50, 0.5)
    for trials in (1, 10, 39, 40, 41, 1000):
        found = paired_test("bootstrap", trials=trials).compare(a, b, ratio).interval_a
        assert found is not None
        replicates = bootstrap_scores([a[None]], ratio, trials=trials, seed=12345)[:, 0]
        assert (found.mean, found.half_width) == pytest.approx(estimate_ci(replicates))


def test_moses_formula_on_our_draws() -> None:
    rng = np.random.default_rng(2)
    a, b = counts(rng, 90, 0.6), counts(rng, 90, 0.57)
    drawn = bootstrap_scores([a[None], b[None]], ratio, trials=1000, seed=5)
    sizes = np.abs(drawn[:, 1] - drawn[:, 0])
    delta = abs(ratio(a.sum(0)[None])[0] - ratio(b.sum(0)[None])[0])
    found = paired_test("moses", seed=5).compare(a, b, ratio)
    assert found.p == np.count_nonzero(sizes - sizes.mean() >= delta) / 1000
    assert 0 < found.p < 1


def test_multeval_pools_the_runs() -> None:
    rng = np.random.default_rng(2)
    a = np.stack([counts(rng, 40, 0.58) for _ in range(3)])
    b = np.stack([counts(rng, 40, 0.55) for _ in range(3)])
    flat_a, flat_b = a.reshape(1, 120, 2), b.reshape(1, 120, 2)
    gaps = swapped_differences([flat_a, flat_b], ratio, [(0, 1)], trials=500, seed=9)[:, 0]
    found = paired_test("multeval", trials=500, seed=9).compare(a, b, ratio)
    assert found.score_a == ratio(flat_a[0].sum(0)[None])[0]
    assert found.p == (np.count_nonzero(np.abs(gaps) > abs(found.delta)) + 1) / 501
    assert found.runs == (3, 3)
    with pytest.raises(DataError, match="same number of runs, got 3, 2; use randomisation"):
        paired_test("multeval").compare(a, b[:2], ratio)


@pytest.mark.parametrize("name", ["sacrebleu-bs", "sacrebleu-ar", "moses", "multeval"])
def test_what_the_tools_lack_is_refused(name: str) -> None:
    with pytest.raises(DataError, match=f"'{name}' has two sides only"):
        paired_test(name, sides=1)


@pytest.mark.parametrize("name", ["sacrebleu-bs", "sacrebleu-ar", "moses"])
def test_runs_are_refused_where_the_tool_has_none(name: str) -> None:
    runs = np.ones((2, 5, 2))
    with pytest.raises(DataError, match=f"'{name}' takes one run per system; for several use bootstrap"):
        paired_test(name).compare(runs, runs, ratio)
    with pytest.raises(DataError, match="one run per system; use bootstrap_intervals"):
        sacrebleu_intervals([runs], ratio)


def test_a_negative_number_of_resamples_is_refused() -> None:
    with pytest.raises(
        DataError, match=r"The 'confidence' option of SacrebleuRandomisation must be at least 0. Got -1"
    ):
        paired_test("sacrebleu-ar", confidence=-1)
