"""Metrics with significance tests against people."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.stats

from dragoman.errors import DataError
from dragoman.metrics import as_test_set
from dragoman.metrics.meta.inputs import HumanInput
from dragoman.metrics.meta.significance import (
    SignificanceAccuracy,
    SignificanceRecipe,
    rank_sum_test,
    significance_accuracy,
)


@pytest.mark.parametrize("seed", range(5))
def test_the_rank_sum_test_is_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 10, size=30).astype(float), rng.integers(2, 11, size=25).astype(float)
    expected = scipy.stats.mannwhitneyu(a, b, alternative="greater", method="asymptotic", use_continuity=False).pvalue
    assert rank_sum_test(a, b) == pytest.approx(expected)
    assert rank_sum_test(a, b) + rank_sum_test(b, a) == pytest.approx(1)


def test_equal_and_missing_scores() -> None:
    assert rank_sum_test(np.ones(3), np.ones(4)) == 0.5
    with pytest.raises(DataError, match="needs scores of both systems"):
        rank_sum_test(np.ones(0), np.ones(4))


REF = [f"the {n} brown dogs ran over the green hill in the year {n}" for n in range(30)]
SYSTEMS = {
    "best": REF,
    "good": [line if n % 5 else "the dogs" for n, line in enumerate(REF)],
    "twin": [line if (n + 1) % 5 else "the dogs" for n, line in enumerate(REF)],
    "bad": ["a cat sat" for _ in REF],
}
TEXT = as_test_set(SYSTEMS, [REF])


def scores(mean: float, seed: int) -> list[float]:
    return (np.random.default_rng(seed).normal(size=30) + mean).tolist()


def accuracy(
    human: HumanInput, *, tie_break: HumanInput | None = None, n_threads: int = 1, **options: Any
) -> SignificanceAccuracy:
    recipe = SignificanceRecipe(**options)
    return significance_accuracy(TEXT, human, recipe, tie_break=tie_break, n_threads=n_threads)


def test_conclusions_are_counted() -> None:
    # People tell all apart except good and twin; so does BLEU.
    human = {"best": scores(9, 1), "good": scores(5, 2), "twin": scores(5, 3), "bad": scores(0, 4)}
    found = accuracy(human, metrics=["bleu", "wer"], alphas=[0.05], trials=200)
    assert len(found.rows) == 6
    for row in found.rows:
        assert (row.correct, row.n, row.missed, row.false_alarms, row.opposite) == (6, 6, 0, 0, 0)
        assert row.high == 1
    assert found.human_test == "Wilcoxon rank-sum test"
    # Where adequacy does not tell, fluency may: then the metric misses what it missed not before.
    fluency = {"best": scores(1, 1), "good": scores(5, 2), "twin": scores(9, 3), "bad": scores(1, 4)}
    broken = accuracy(human, tie_break=fluency, alphas=[0.05], tests=["bootstrap"], trials=200)
    assert (broken.rows[0].correct, broken.rows[0].missed) == (5, 1)
    assert broken.human_test == "Wilcoxon rank-sum test, then Wilcoxon rank-sum test"
    # People who see the opposite order.
    turned = {"best": human["bad"], "good": human["good"], "twin": human["twin"], "bad": human["best"]}
    row = accuracy(turned, alphas=[0.05], tests=["randomisation"], trials=200).rows[0]
    assert (row.correct, row.opposite) == (1, 5)
    # People who see nothing.
    same = dict.fromkeys(SYSTEMS, scores(5, 1))
    row = accuracy(same, alphas=[0.05], tests=["randomisation"], trials=200).rows[0]
    assert (row.correct, row.false_alarms) == (1, 5)
    assert found.row("bleu", "bootstrap", 0.05).metric == "bleu"
    with pytest.raises(DataError, match=r"bleu was not tested by sign at 0.05"):
        found.row("bleu", "sign", 0.05)
    json.dumps(found.to_dict())
    assert "Conclusions" in found.html()


def test_only_judged_systems_count() -> None:
    human = {"best": scores(9, 1), "bad": scores(0, 4), "unknown": scores(1, 1)}
    found = accuracy(human, alphas=[0.01], tests=["bootstrap"], trials=200)
    assert found.systems == ("best", "bad")
    assert found.rows[0].n == 1
    with pytest.raises(DataError, match=r"People judged 1 of the systems best, good, twin, bad.*Judged: best, other"):
        accuracy({"best": scores(9, 1), "other": scores(9, 1)})
    with pytest.raises(DataError, match="need people's scores by segment, lists of one length, or rankings"):
        accuracy({"best": 1.0, "bad": 2.0})
    with pytest.raises(DataError, match="alpha must lie between 0 and 1"):
        accuracy(human, alphas=[0.0])


def test_threads_do_not_matter() -> None:
    human = {"best": scores(9, 1), "good": scores(5, 2), "bad": scores(0, 4)}
    runs = [accuracy(human, trials=64, n_threads=n).rows for n in (1, 2, 7)]
    assert runs[0] == runs[1] == runs[2]
