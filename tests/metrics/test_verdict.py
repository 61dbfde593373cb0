"""The sentence that a comparison begins with."""

from __future__ import annotations

from itertools import combinations

from dragoman.metrics.comparison import SystemPair
from dragoman.metrics.verdict import verdict

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
