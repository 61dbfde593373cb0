"""Publish, post-edit or translate anew: what to do with each sentence at a risk that is bounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.learn.calibration import Calibration
from dragoman.qe.notes import empty_note, read_note
from dragoman.qe.recipes import DecisionRecipe
from dragoman.qe.tasks import ScoreTask
from dragoman.report import Column, Result, Table
from dragoman.stats import clopper_pearson
from dragoman.stats.arrays import Floats

__all__ = ["USUAL_BOUNDS", "Decisions", "Outlook", "decide"]

PUBLISH, EDIT, ANEW = "publish", "post-edit", "retranslate"
# What is good enough and what is beyond repair. Effort: 4 is "10 to 25 % to edit", 2 is "50 to 70 %" (WMT 2012).
USUAL_BOUNDS = {"hter": (0.1, 0.7), "effort": (4.0, 2.0)}
_CUTS = 20  # thresholds tried: after each twentieth of the held-out sentences


@dataclass(frozen=True)
class Outlook:
    """What held-out sentences say of one decision."""

    decision: str
    threshold: float | None  # predicted score at which it begins; None: never
    share: float  # of the held-out sentences
    wrong: float | None  # share of these for which it would have been wrong
    bound: float | None  # what that share does not exceed, with the confidence asked for


@dataclass(frozen=True)
class Decisions(Result):
    """What to do with each sentence."""

    kind: ClassVar[str] = "qe decisions"

    scores: tuple[float, ...]
    decisions: tuple[str, ...]
    outlook: tuple[Outlook, ...]
    task: str
    good: float
    bad: float
    risk: float
    confidence: float
    read_before: tuple[int, ...] = ()  # sentences, from 1, whose post-edits the model's resources have read
    empty: tuple[int, ...] = ()  # sentences, from 1, without a translation

    def counts(self) -> dict[str, int]:
        """Sentences of each decision."""
        return {name: self.decisions.count(name) for name in (PUBLISH, EDIT, ANEW)}

    def tables(self) -> list[Table]:
        """A row a sentence; then what to expect."""
        rows = zip(range(1, len(self.scores) + 1), self.scores, self.decisions, strict=True)
        never = [each.decision for each in self.outlook if each.decision != EDIT and each.threshold is None]
        note = (
            f"publish is wrong where the {self.task} is worse than {self.good:g}, retranslate where it is better than "
            f"{self.bad:g}. bound: with {self.confidence:.0%} confidence the share of wrong ones is no higher; "
            f"asked for: {self.risk:g}."
        )
        if never:
            note += f" No sentence is sure enough for: {', '.join(never)}."
        if self.read_before:
            note += f" {read_note(self.read_before)} They are post-edited."
        if self.empty:
            note += f" {empty_note(self.empty)} They are translated anew."
        return [
            Table.of("Decisions", [Column("segment"), Column("score", self.task, digits=4), Column("decision")], rows),
            Table.of(
                "What to expect",
                [
                    Column("decision"),
                    Column("threshold", digits=4),
                    Column("share", digits=3),
                    Column("wrong", digits=3),
                    Column("bound", digits=3),
                    Column("sentences"),
                ],
                [
                    (each.decision, each.threshold, each.share, each.wrong, each.bound, self.counts()[each.decision])
                    for each in self.outlook
                ],
                note=note,
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """Bounds, thresholds and counts."""
        outlook: list[Mapping[str, Any]] = [dict(vars(each)) for each in self.outlook]
        return {
            "task": self.task,
            "good": self.good,
            "bad": self.bad,
            "risk": self.risk,
            "confidence": self.confidence,
            "outlook": outlook,
            "read_before": list(self.read_before),
            "empty": list(self.empty),
            "counts": self.counts(),
        }


def decide(
    scores: Floats,
    calibration: Calibration,
    task: ScoreTask,
    recipe: DecisionRecipe | None = None,
    *,
    read_before: tuple[int, ...] = (),
    empty: tuple[int, ...] = (),
) -> Decisions:
    """Publish what is `good` or better, translate anew what is `bad` or worse, post-edit the rest.

    Of the published sentences no more than `risk` are worse than `good`, and of those translated anew no more than
    `risk` better than `bad`, each with the `confidence` asked for: a threshold is taken when the exact binomial bound
    on the held-out sentences beyond it, corrected for the number of thresholds tried, lies below the risk. Sentences
    that were `read_before` are post-edited: nothing is known of how such scores err. Those that are `empty`, without a
    translation, are translated anew.
    """
    asked = (recipe or DecisionRecipe()).check()
    risk, confidence = asked.risk, asked.confidence
    if not 0 < risk < 1 or not 0 < confidence < 1:
        raise DataError(f"Risk and confidence lie between 0 and 1; got {risk:g} and {confidence:g}.")
    default = USUAL_BOUNDS.get(task.name, (None, None))
    good, bad = (own if own is not None else usual for own, usual in zip((asked.good, asked.bad), default, strict=True))
    if good is None or bad is None:
        raise DataError(f"Say which {task.name} is good enough to publish and which is bad enough to translate anew.")
    sign = 1.0 if task.higher_is_better else -1.0
    if sign * good <= sign * bad:
        raise DataError(f"What is good enough ({good:g}) must be better than what is bad enough ({bad:g}).")
    predicted, true = sign * calibration.predicted, sign * calibration.gold
    n = len(predicted)
    upper, published = _threshold(predicted, true < sign * good, risk, confidence)
    lower, renewed = _threshold(-predicted, true > sign * bad, risk, confidence)
    value = sign * np.asarray(scores)
    out = value >= (np.inf if upper is None else upper)
    anew = ~out & (-value >= (np.inf if lower is None else lower))
    decisions = np.where(out, PUBLISH, np.where(anew, ANEW, EDIT))
    decisions[[number - 1 for number in read_before]] = EDIT
    decisions[[number - 1 for number in empty]] = ANEW
    outlook = (
        Outlook(PUBLISH, None if upper is None else sign * upper, published[0] / n, *published[1:]),
        Outlook(EDIT, None, 1 - (published[0] + renewed[0]) / n, None, None),
        Outlook(ANEW, None if lower is None else -sign * lower, renewed[0] / n, *renewed[1:]),
    )
    return Decisions(
        tuple(np.asarray(scores).tolist()),
        tuple(decisions.tolist()),
        outlook,
        task.name,
        good,
        bad,
        risk,
        confidence,
        read_before,
        empty,
    )


def _threshold(
    predicted: Floats, wrong: np.ndarray[Any, np.dtype[np.bool_]], risk: float, confidence: float
) -> tuple[float | None, tuple[int, float | None, float | None]]:
    """The lowest threshold that is safe, and the number, share of wrong ones and bound of what lies at or above it."""
    ordered = np.sort(predicted)[::-1]
    level = 1 - 2 * (1 - confidence) / _CUTS
    best: tuple[float | None, tuple[int, float | None, float | None]] = (None, (0, None, None))
    for cut in range(1, _CUTS + 1):
        at = float(ordered[max(0, cut * len(predicted) // _CUTS - 1)])
        inside = predicted >= at
        count, errors = int(inside.sum()), int((inside & wrong).sum())
        bound = clopper_pearson(errors, count, level=level).high
        if bound <= risk:
            best = (at, (count, errors / count, bound))
    return best
