"""Control items: pairs of systems on which trusted annotators agree, and how others do on them.

Findings 2013, §3.2: for each sentence, how many researchers prefer i to j; pairs with a difference above five are
controls. Whoever met ten controls and failed more than half is rejected, with all their judgements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from dragoman.data.comparisons import Comparisons, compare_pairwise, judged_pairs
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.chance_agreement import NO_ANSWER, Ints, screen_scores, sum_distribution, tails
from dragoman.human.labelled import sources
from dragoman.report import Column, Result, Table

__all__ = ["AnnotatorControls", "ControlAgreement", "ControlPair", "control_agreement", "control_pairs"]


@dataclass(frozen=True)
class ControlPair:
    """Two systems on one segment, of which the trusted annotators hold the first better."""

    pair: str  # language pair
    segment: int
    better: str
    worse: str
    margin: int  # votes for less votes against


@dataclass(frozen=True)
class AnnotatorControls:
    """One annotator on the controls. Anything but the consensus, a tie too, is a failure."""

    annotator: str
    met: int
    passed: int
    share: float | None
    p_chance: float | None  # of passing so many with ranks dealt at random
    is_rejected: bool


@dataclass(frozen=True)
class ControlAgreement(Result):
    """How annotators do on the controls, and who is rejected."""

    kind: ClassVar[str] = "control-agreement"

    annotators: tuple[AnnotatorControls, ...]
    n_controls: int
    least: int
    share: float
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rejected(self) -> tuple[str, ...]:
        """The annotators that the rule rejects."""
        return tuple(each.annotator for each in self.annotators if each.is_rejected)

    def tables(self) -> list[Table]:
        """One row for each annotator."""
        columns = [
            Column("annotator"),
            Column("met"),
            Column("passed"),
            Column("share", digits=3),
            Column("p_chance", "p of chance", alpha=0.05),
            Column("is_rejected", "rejected"),
        ]
        note = (
            f"Rejected: met at least {self.least} of the {self.n_controls:,} controls and passed fewer than "
            f"{self.share:.0%}. p of chance: of passing as many with the same ranks dealt at random."
        )
        rows = [list(asdict(each).values()) for each in self.annotators]
        return [Table.of("Controls", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The rule and the judgements."""
        return {
            "controls": self.n_controls,
            "least": self.least,
            "share": self.share,
            "rejected": list(self.rejected),
            **self.provenance,
        }


def control_pairs(judgements: Judgements, *, pair: str | None = None, margin: int = 5) -> tuple[ControlPair, ...]:
    """The pairs of systems on which trusted annotators agree by more than `margin` votes, segment by segment."""
    if margin < 0:
        raise DataError(f"The margin of a control is a number of votes from 0 on, got {margin}.")
    pairs = []
    for name in (pair,) if pair is not None else judged_pairs(judgements):
        comparisons = compare_pairwise(judgements, pair=name)
        n = len(comparisons.systems)
        cells = (comparisons.segment.astype(np.int64) * n + comparisons.first) * n + comparisons.second
        _, first, item = np.unique(cells, return_index=True, return_inverse=True)
        votes = np.bincount(item, weights=comparisons.outcome).astype(np.int64)
        segments = _segments(judgements, comparisons)
        for number in np.flatnonzero(np.abs(votes) > margin).tolist():
            row = first[number]
            names = [comparisons.systems[side[row]] for side in (comparisons.first, comparisons.second)]
            better, worse = names if votes[number] > 0 else names[::-1]
            pairs.append(ControlPair(name, int(segments[row]), better, worse, abs(int(votes[number]))))
    return tuple(pairs)


def control_agreement(
    judgements: Judgements, controls: Sequence[ControlPair], *, least: int = 10, share: float = 0.5
) -> ControlAgreement:
    """Hold the judgements against the controls, and reject who met `least` and passed fewer than `share` of them."""
    if not controls:
        raise DataError("There are no controls; a smaller margin gives more of them.")
    met: dict[str, int] = {}
    passed: dict[str, int] = {}
    chance: dict[str, list[Any]] = {}
    for name in judged_pairs(judgements):
        comparisons = compare_pairwise(judgements, pair=name)
        answers = _answers(judgements, comparisons, [each for each in controls if each.pair == name])
        scores = screen_scores(comparisons, answers)
        for person in comparisons.annotators:
            met.setdefault(person, 0)
            passed.setdefault(person, 0)
        for number, person_number in enumerate(scores.annotator.tolist()):
            person = comparisons.annotators[person_number]
            met[person] += int(scores.comparable[number])
            passed[person] += int(scores.agreeing[number])
            chance.setdefault(person, []).append(scores.chance[number])
    lines = [
        AnnotatorControls(
            annotator=person,
            met=met[person],
            passed=passed[person],
            share=passed[person] / met[person] if met[person] else None,
            p_chance=tails(sum_distribution(chance[person]), passed[person])[0] if met[person] else None,
            is_rejected=met[person] >= least and passed[person] < share * met[person],
        )
        for person in sorted(met)
    ]
    return ControlAgreement(tuple(lines), len(controls), least, share, sources(judgements))


def _segments(judgements: Judgements, comparisons: Comparisons) -> Ints:
    """The segment of every comparison as the campaign counted it, which two sets of judgements share."""
    return np.array([0 if each is None else each for each in judgements["segment"]], dtype=np.int64)[comparisons.screen]


def _answers(judgements: Judgements, comparisons: Comparisons, controls: Sequence[ControlPair]) -> Ints:
    number = {name: n for n, name in enumerate(comparisons.systems)}
    wanted: dict[tuple[int, int, int], int] = {}
    for each in controls:
        if each.better in number and each.worse in number:
            a, b = number[each.better], number[each.worse]
            wanted[each.segment, min(a, b), max(a, b)] = 1 if a < b else -1
    segments = _segments(judgements, comparisons).tolist()
    keys = zip(segments, comparisons.first.tolist(), comparisons.second.tolist(), strict=True)
    return np.array([wanted.get(key, NO_ANSWER) for key in keys], dtype=np.int64)
