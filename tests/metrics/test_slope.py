"""The percentage slope of learning curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dragoman import metrics
from dragoman.errors import DataError
from dragoman.metrics import LearningCurves, SlopeRecipe, as_test_set, cut_blocks, percentage_slope


@pytest.mark.parametrize(
    ("errors", "slope"),
    [
        ([60 * x ** np.log2(0.9) for x in range(1, 21)], 90.0),
        ([50, 48, 47, 46.5], 96.383),
        ([40.0] * 6, 100.0),
        ([30, 33, 35, 36, 38], 110.317),
        ([50, 44, 46, 40, 41, 38], 90.796),
        ([50, 47, 46.6667, 45, 44.2, 43.1667], 94.741),
    ],
    ids=["exact", "learning", "constant", "forgetting", "blocks", "incremental"],
)
def test_worked_examples(errors, slope) -> None:
    assert percentage_slope(errors).slope == pytest.approx(slope, abs=1e-3)


def test_the_fit_is_told() -> None:
    fit = percentage_slope([50, 48, 47, 46.5])
    assert (fit.a, fit.b) == pytest.approx((49.9206, -0.053149), abs=1e-4)
    assert fit.r2 == pytest.approx(1 - 0.0000038, abs=0.01)
    assert percentage_slope([40.0] * 6).r2 is None


@pytest.mark.parametrize(
    ("slope", "exponent"), [(100.4, 0.00576), (96.9, -0.04543), (107.2, 0.1003), (97.7, -0.0336)], ids=str
)
def test_published_slopes_belong_to_these_exponents(slope, exponent) -> None:
    # Bertoldi et al. 2012, Table 2, as powers of the number of blocks.
    errors = 50.0 * np.arange(1, 40) ** exponent
    assert percentage_slope(errors).slope == pytest.approx(slope, abs=0.05)


def test_noise_moves_the_slope_little_and_the_interval_covers_it() -> None:
    rng = np.random.default_rng(3)
    errors = 60 * np.arange(1, 51) ** np.log2(0.95) * (1 + 0.05 * rng.standard_normal(50))
    fit = percentage_slope(errors, trials=500, seed=7)
    assert fit.slope == pytest.approx(95, abs=1.5)
    assert fit.low < 95 < fit.high
    assert fit == percentage_slope(errors, trials=500, seed=7)
    assert fit.low != percentage_slope(errors, trials=500, seed=8).low


def test_blocks_without_errors_are_left_out_and_counted() -> None:
    fit = percentage_slope([50, 0, 40, 38])
    assert (fit.n, fit.n_dropped) == (3, 1)
    assert percentage_slope([8, 4], x=[1, 2]).slope == pytest.approx(50)


def test_what_has_no_slope_is_named() -> None:
    with pytest.raises(DataError, match="needs errors at two places at least, got 1"):
        percentage_slope([3, 0, 0])
    with pytest.raises(DataError, match="errors from 0 on and places above 0"):
        percentage_slope([3, -1])
    with pytest.raises(DataError, match="errors from 0 on and places above 0"):
        percentage_slope([3, float("nan")])
    with pytest.raises(DataError, match="got errors=2, x=3"):
        percentage_slope([3, 2], x=[1, 2, 3])


def test_lines_are_cut_into_blocks_of_words() -> None:
    lines = ["a b c"] * 7
    assert cut_blocks(lines, words=6) == [0, 0, 1, 1, 2, 2, 3]
    assert cut_blocks(lines, words=7) == [0, 0, 0, 1, 1, 1, 1]  # the last line alone would be too little
    assert cut_blocks([], words=5) == []
    with pytest.raises(DataError, match="A block has at least one word, got 0"):
        cut_blocks(lines, words=0)


REF = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def learning_curves(
    systems: dict[str, list[str]], refs: list[list[str]], *, blocks: list[int], **options: Any
) -> LearningCurves:
    return metrics.learning_curves(as_test_set(systems, refs), blocks, SlopeRecipe(**options))


def stream(wrong: list[int]) -> tuple[list[str], list[list[str]], list[int]]:
    """One segment per block with so many wrong words."""
    hyps = [" ".join(["x"] * n + REF[n:]) for n in wrong]
    return hyps, [[" ".join(REF)] * len(wrong)], list(range(len(wrong)))


def test_curves_of_systems_are_compared_with_the_first() -> None:
    static, refs, blocks = stream([5, 5, 5, 5, 5, 5])
    adapting, _, _ = stream([5, 4, 3, 3, 2, 2])
    curves = learning_curves({"static": static, "adapting": adapting}, refs, blocks=blocks, metric="wer", trials=200)
    assert curves.errors.tolist() == [[50] * 6, [50, 40, 30, 30, 20, 20]]
    assert curves.slopes[0].slope == pytest.approx(100)
    rows = curves.to_dict()["rows"]
    assert rows[1]["delta"] == pytest.approx(curves.slopes[1].slope - 100)
    assert rows[1]["reading"] == "learning"
    assert rows[0]["reading"] == "no clear trend"
    forgetting = learning_curves({"x": adapting[::-1]}, refs, blocks=blocks, metric="wer", trials=200)
    assert forgetting.reading(0) == "forgetting"
    together = learning_curves({"x": adapting}, refs, blocks=blocks, metric="wer", incremental=True)
    assert together.errors[0].tolist() == pytest.approx([50, 45, 40, 37.5, 34, 190 / 6])
    assert together.slopes[0].low is None
    assert together.reading(0) == ""


def test_scores_that_rise_are_turned_into_errors() -> None:
    hyps, refs, blocks = stream([0, 1, 2, 3, 4])
    curves = learning_curves({"x": hyps}, refs, blocks=blocks, metric="gtm:exponent=1", trials=0)
    assert curves.errors[0].tolist() == pytest.approx([0, 10, 20, 30, 40])
    assert curves.slopes[0].n_dropped == 1


def test_bad_blocks_are_named() -> None:
    hyps, refs, blocks = stream([1, 2, 3, 4, 5])
    with pytest.raises(DataError, match="at least 5 blocks, got 1"):
        learning_curves({"x": hyps}, refs, blocks=[0] * 5, metric="wer")
    with pytest.raises(DataError, match="a block begins again later"):
        learning_curves({"x": hyps}, refs, blocks=[0, 1, 0, 2, 3], metric="wer")
    with pytest.raises(DataError, match="got segments=5, blocks=4"):
        learning_curves({"x": hyps}, refs, blocks=blocks[:4], metric="wer")
    with pytest.raises(DataError, match="NIST has no errors to count"):
        learning_curves({"x": hyps}, refs, blocks=blocks, metric="nist")
    with pytest.raises(DataError, match="The 'trials' option of SlopeRecipe must be at least 0"):
        learning_curves({"x": hyps}, refs, blocks=blocks, metric="wer", trials=-1)
