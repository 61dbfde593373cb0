"""Publish, post-edit or translate anew: what to do with each sentence at a risk that is bounded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.learn.calibration import Calibration
from dragoman.qe.notes import empty_note, read_note
from dragoman.qe.recipes import DecisionRecipe
from dragoman.qe.tasks import ScoreTask
from dragoman.report import Column, Figure, Result, Table
from dragoman.report.pages import Section, page
from dragoman.stats import clopper_pearson
from dragoman.stats.arrays import Floats

__all__ = ["USUAL_BOUNDS", "Decisions", "Outlook", "Prospect", "decide"]

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
class Prospect:
    """What could be published, were the risk this one: a step of the curve."""

    risk: float  # the smallest that allows it
    share: float  # of the held-out sentences
    threshold: float  # predicted score
    wrong: float  # share of the published held-out sentences for which it would have been wrong
    sentences: int  # of those that are asked about


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
    curve: tuple[Prospect, ...] = ()  # the higher the risk, the more could be published

    def counts(self) -> dict[str, int]:
        """Sentences of each decision."""
        return {name: self.decisions.count(name) for name in (PUBLISH, EDIT, ANEW)}

    def tables(self) -> list[Table]:
        """A row a sentence; then what to expect."""
        rows = zip(range(1, len(self.scores) + 1), self.scores, self.decisions, strict=True)
        note = (
            f"publish is wrong where the {self.task} is worse than {self.good:g}, retranslate where it is better than "
            f"{self.bad:g}. bound: with {self.confidence:.0%} confidence the share of wrong ones is no higher; "
            f"asked for: {self.risk:g}."
        )
        never = [each.decision for each in self.outlook if each.decision != EDIT and each.threshold is None]
        if never:
            note += f" No sentence is sure enough for: {', '.join(never)}."
        if not self._is_sure:
            note += f" So {self.counts()[EDIT]:,} of {len(self.decisions):,} are post-edited, and not listed here."
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
            self._prospects(),
        ]

    @property
    def _is_sure(self) -> bool:
        """Whether there is anything but post-editing for sentences that have a translation."""
        return any(each.threshold is not None for each in self.outlook)

    def _prospects(self) -> Table:
        columns = [
            Column("risk", digits=3),
            Column("share", digits=3),
            Column("threshold", digits=4),
            Column("wrong", digits=3),
            Column("sentences"),
        ]
        rows = [(each.risk, each.share, each.threshold, each.wrong, each.sentences) for each in self.curve]
        return Table.of("What could be published, and at which risk", columns, rows)

    def answer(self) -> str:
        """Whether the risk asked for publishes anything, and which would."""
        if not self.curve:
            return "No risk below 1 publishes anything: too few held-out sentences are good enough. Try another --good."
        allowed = [each.share for each in self.curve if each.risk <= self.risk]
        if allowed:
            return f"At the risk asked for, {self.risk:g}, {allowed[-1]:.0%} of the sentences can be published."
        least = math.ceil(self.curve[0].risk * 100) / 100  # two digits, and no lower
        return (
            f"At the risk asked for, {self.risk:g}, nothing can be published. --risk {least:g} would publish "
            f"{self.curve[0].share:.0%}: of these, no more than {least:.0%} are worse than {self.task} {self.good:g}."
        )

    def figures(self) -> list[Figure]:
        """The share that could be published, by risk."""
        if not self.curve:
            return []
        corners, reached = [(0.0, 0.0)], 0.0
        for step in self.curve:
            corners += [(step.risk, reached), (step.risk, step.share)]
            reached = step.share
        table = Table.of(
            "Share by risk", [Column("risk", digits=3), Column("share", digits=3)], [*corners, (1.0, reached)]
        )
        return [Figure("Share that could be published, by risk", "line", table, x="risk", y="share")]

    def shown_tables(self) -> list[Table]:
        """Without the sentences where all are post-edited for want of a better way."""
        return self.tables() if self._is_sure else self.tables()[1:]

    def html(self) -> str:
        """One page: what can be expected, the curve, the decisions."""
        decisions, outlook, prospects = self.tables()
        sections = [
            Section("What to expect", "", (outlook,)),
            Section("What could be published", self.answer(), (*self.figures(), prospects)),
            Section("Decisions", "", (decisions,)),
        ]
        return page("Publish, post-edit, translate anew", sections)

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
            "curve": [dict(vars(each)) for each in self.curve],
            "least_risk": self.curve[0].risk if self.curve else None,
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
    cuts = _cuts(predicted, true < sign * good, confidence)
    upper, published = _threshold(cuts, risk)
    lower, renewed = _threshold(_cuts(-predicted, true > sign * bad, confidence), risk)
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
        tuple(
            Prospect(each.bound, each.count / n, sign * each.at, each.wrong, int((value >= each.at).sum()))
            for each in _curve(cuts)
        ),
    )


@dataclass(frozen=True)
class _Cut:
    """A threshold, and what is known of the held-out sentences at or above it."""

    at: float
    count: int
    wrong: float
    bound: float


def _threshold(cuts: Sequence[_Cut], risk: float) -> tuple[float | None, tuple[int, float | None, float | None]]:
    """The lowest threshold that is safe, and the number, share of wrong ones and bound of what lies at or above it."""
    safe = [cut for cut in cuts if cut.bound <= risk]
    return (safe[-1].at, (safe[-1].count, safe[-1].wrong, safe[-1].bound)) if safe else (None, (0, None, None))


def _cuts(predicted: Floats, wrong: np.ndarray[Any, np.dtype[np.bool_]], confidence: float) -> list[_Cut]:
    """The thresholds that are tried, from the strictest to the one that lets everything pass."""
    ordered = np.sort(predicted)[::-1]
    level = 1 - 2 * (1 - confidence) / _CUTS
    cuts = []
    for cut in range(1, _CUTS + 1):
        at = float(ordered[max(0, cut * len(predicted) // _CUTS - 1)])
        inside = predicted >= at
        count, errors = int(inside.sum()), int((inside & wrong).sum())
        cuts.append(_Cut(at, count, errors / count, clopper_pearson(errors, count, level=level).high))
    return cuts


def _curve(cuts: Sequence[_Cut]) -> list[_Cut]:
    """The cuts than which none publishes more at as low a risk, the lowest risk first."""
    best: list[_Cut] = []
    for cut in sorted(cuts, key=lambda each: (each.bound, -each.count)):
        if cut.bound < 1 and (not best or cut.count > best[-1].count):
            best.append(cut)
    return best
