"""The sentence that a comparison begins with."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from dragoman.metrics import GivenScores
from dragoman.metrics.comparison import SystemPair
from dragoman.metrics.verdict import verdict
from dragoman.report import render
from dragoman.report.table import shown_number
from dragoman.stats import PAIRED_TESTS
from tests.metrics.comparisons import compare

LABELS = {"bleu": "BLEU", "chrf": "chrF2"}


def pair(metric: str, delta: float, p: float, better: str | None, *, names: tuple[str, str] = ("A", "B")) -> SystemPair:
    return SystemPair(*names, metric, delta, p, p, 0.0, 0.0, 0, 0, 0, None, 1.0, better)


def test_the_better_system_is_named_with_every_metric() -> None:
    (said,) = verdict([pair("bleu", 11.94, 0.0001, "B"), pair("chrf", 8.3, 0.012, "B")], LABELS)
    assert said == "B is better than A: BLEU by 11.9 (p < .001), chrF2 by 8.3 (p = .012)."


def test_an_error_rate_has_its_size_not_its_sign() -> None:
    (said,) = verdict([pair("ter", -3.0, 0.01, "B")], {"ter": "TER"})
    assert said == "B is better than A: TER by 3.0 (p = .010)."


def test_what_cannot_be_shown_is_said_and_not_called_equal() -> None:
    (said,) = verdict([pair("bleu", -0.31, 0.18, None)], LABELS)
    assert said == "No difference can be shown between B and A: BLEU −0.3 (p = .180)."
    (mixed,) = verdict([pair("bleu", 2.0, 0.01, "B"), pair("chrf", 0.5, 0.4, None)], LABELS)
    assert mixed == "B is better than A: BLEU by 2.0 (p = .010); no difference can be shown: chrF2 +0.5 (p = .400)."


def test_metrics_that_contradict_each_other_are_both_said() -> None:
    (said,) = verdict([pair("bleu", 2.0, 0.01, "B"), pair("chrf", -1.0, 0.02, "A")], LABELS)
    assert said == "B is better than A: BLEU by 2.0 (p = .010); but A is better than B: chrF2 by 1.0 (p = .020)."


def test_many_pairs_are_not_said_one_by_one() -> None:
    every = [pair("bleu", 1.0, 0.01, names[1], names=names) for names in combinations("ABCDE", 2)]
    assert verdict(every, {"bleu": "BLEU"}) == []
    assert len(verdict(every[:6], {"bleu": "BLEU"})) == 6


@pytest.mark.parametrize(
    ("value", "digits", "figures", "shown"),
    [
        (0.0042, 1, 1, "0.004"),
        (0.0042, 2, 2, "0.0042"),
        (-0.04, 1, 1, "-0.04"),
        (26.083, 2, 2, "26.08"),
        (0.0999, 1, 1, "0.10"),
        (0.8512, 2, 3, "0.851"),
        (0.0, 2, 2, "0.00"),
        (1e-15, 2, 2, "0.00"),
        (0.0042, 2, 0, "0.00"),
        (float("nan"), 2, 2, "nan"),
    ],
)
def test_small_numbers_keep_their_figures(value: float, digits: int, figures: int, shown: str) -> None:
    assert shown_number(value, digits, figures) == shown


def test_a_difference_that_is_shown_is_never_nought() -> None:
    """Scores from 0 to 1, as COMET's: what is called significant is seen in sentences, tables and the matrix."""
    given = {"a": [0.80 + 0.001 * (n % 7) for n in range(60)], "c": [0.5 + 0.01 * (n % 5) for n in range(60)]}
    given["b"] = [each + 0.004 + 0.0001 * (n % 3) for n, each in enumerate(given["a"])]
    texts = {name: ["x"] * 60 for name in "abc"}
    made = compare(texts, {"A": ["x"] * 60}, metrics=[], scores=[GivenScores("comet", given)], trials=200)
    assert made.pair("b", "a", "comet").better == "b"
    assert made.answer().startswith("b is better than a: comet by 0.004 (")
    assert "b − a = +0.004 comet" in made.pair("b", "a", "comet").sentence
    shown = {table.title: render(table, "text") for table in made.tables()[:3]}
    assert "0.0041" in shown["Paired comparisons (bootstrap, two-sided)"]
    assert "0.803" in shown["Scores"]
    assert "+0.004 (" in shown["All pairs, comet"]
    (by_length,) = [each for each in made.breakdowns if each.measure == "comet"]
    for most in (0.8034, 1.0, 4.33):  # MetricX goes to 25, some COMETs above 1
        columns = replace(by_length, values=np.full_like(by_length.values, most)).table().columns
        assert {column.show(0.8034) for column in columns[2:]} == {"0.803"}


def test_the_sides_of_the_test_are_said() -> None:
    texts = {"a": ["x y"] * 9, "b": ["x z"] * 9}
    for test, said in (
        ("bootstrap", "two-sided"),
        ("bootstrap:sides=1", "one-sided"),
        ("sacrebleu-ar", "two-sided"),
        ("moses", "nearly one-sided"),
    ):
        made = compare(texts, {"A": ["x y"] * 9}, metrics=["chrf"], test=test, trials=20)
        assert made.tables()[0].title == f"Paired comparisons ({test.partition(':')[0]}, {said})"
        assert f", {said}" in made.html()
        assert made.to_dict()["meta"]["sidedness"] == said
        assert ("leaves out one tail" in made.tables()[0].note) == (said == "nearly one-sided")


def test_a_test_that_leaves_out_a_tail_is_not_called_two_sided() -> None:
    """sacreBLEU's bootstrap and Moses' have about half the p of a test of both directions."""
    chance = np.random.default_rng(1)
    one, other = (np.stack([chance.normal(mean, 1, 400), np.ones(400)], axis=1) for mean in (0.13, 0.0))
    found = {
        name: PAIRED_TESTS.make(name).compare(one, other, lambda rows: rows[..., 0] / rows[..., 1])
        for name in ("bootstrap", "bootstrap:sides=1", "sacrebleu-bs", "moses", "sacrebleu-ar")
    }
    both, half = found["bootstrap"].p, found["bootstrap:sides=1"].p
    for name in ("sacrebleu-bs", "moses"):
        assert abs(found[name].p - half) < abs(found[name].p - both)
        assert f"(nearly one-sided, {name}," in found[name].sentence()
    assert "(two-sided, sacrebleu-ar," in found["sacrebleu-ar"].sentence()


def test_names_of_metrics_keep_their_hyphens() -> None:
    scores = {"a": [0.1, 0.2, 0.3] * 9, "b": [0.2, 0.1, 0.3] * 9}
    given = [GivenScores("wmt22-comet-da", scores)]
    made = compare({name: ["x"] * 27 for name in "ab"}, {"A": ["x"] * 27}, metrics=[], scores=given, trials=20)
    assert "wmt22-comet-da" in made.answer()
