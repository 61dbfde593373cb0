"""Do the judgements contradict each other: circles among systems, and annotators against themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations, pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.stats.agreement import count_pairs
from dragoman.stats.segments import sign_test

__all__ = ["AnnotatorConsistency", "Circle", "Consistency", "consistency"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Circle:
    """Three systems of which each beats the next. `p` is that of the weakest of the three: is the circle real?"""

    first: str
    second: str
    third: str
    weakest: int  # the smallest margin of wins over losses
    p: float  # the largest of the three two-sided sign tests


@dataclass(frozen=True)
class AnnotatorConsistency:
    """One annotator's judgements against themselves."""

    annotator: str
    judgements: int  # pairwise outcomes
    repeats: int  # pairs of outcomes of one segment and pair of systems
    changed: int  # of these, those that differ
    reversed: int  # of these, those that say the opposite
    triples: int  # of systems of one segment, judged on several screens
    circles: int  # of these, those that go round


@dataclass(frozen=True)
class Consistency(Result):
    """Transitivity of the majorities, and contradictions of annotators with themselves."""

    kind: ClassVar[str] = "consistency"

    triples: int  # of systems that all met
    transitive: int
    circular: int
    undecided: int  # at least one of the three pairs is even
    circles: tuple[Circle, ...]
    annotators: tuple[AnnotatorConsistency, ...]
    alpha: float
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def transitive_share(self) -> float | None:
        """Transitive among the decided triples; None where there is none."""
        decided = self.transitive + self.circular
        return self.transitive / decided if decided else None

    def tables(self) -> list[Table]:
        """Annotators, circles, triples."""
        columns = [
            Column("annotator"),
            Column("judgements"),
            Column("repeats"),
            Column("changed"),
            Column("reversed"),
            Column("triples"),
            Column("circles"),
        ]
        note = (
            "Repeats: pairs of outcomes by one annotator on the same segment and systems; reversed says the opposite. "
            "Triples: three systems of one segment whose order comes from more than one screen."
        )
        rows = [list(asdict(each).values()) for each in self.annotators]
        circles = Table.of(
            "Circles of three systems",
            [
                Column("first"),
                Column("second"),
                Column("third"),
                Column("weakest", "least margin"),
                Column("p", "largest p", alpha=0.05),
            ],
            (list(asdict(circle).values()) for circle in self.circles),
            note=f"Each beats the next by majority. A circle whose largest p exceeds {self.alpha:g} may be chance.",
        )
        counts = [(self.triples, self.transitive, self.circular, self.undecided, self.transitive_share)]
        names = [
            Column("triples"),
            Column("transitive"),
            Column("circular"),
            Column("undecided"),
            Column("share", "transitive share", 3),
        ]
        return [
            Table.of("Annotators against themselves", columns, rows, note=note),
            circles,
            Table.of("Triples of systems", names, counts),
        ]

    def meta(self) -> dict[str, Any]:
        """The counts of triples, the circles and the judgements."""
        return {
            "triples": self.triples,
            "transitive": self.transitive,
            "circular": self.circular,
            "undecided": self.undecided,
            "transitive_share": self.transitive_share,
            "alpha": self.alpha,
            "circles": [asdict(circle) for circle in self.circles],
            **self.provenance,
        }


def consistency(comparisons: Comparisons, *, alpha: float = 0.05) -> Consistency:
    """Triples of systems whose majorities go round in a circle, and annotators who contradict themselves."""
    if not len(comparisons):
        raise DataError("There are no comparisons to look for contradictions in.")
    wins, ties = comparisons.wins(), comparisons.ties()
    ahead = np.sign(wins - wins.T).astype(np.int64)
    met = (wins + wins.T + ties) > 0
    counts = {"triples": 0, "transitive": 0, "circular": 0, "undecided": 0}
    circles = []
    for i, j, k in combinations(range(len(comparisons.systems)), 3):
        if not (met[i, j] and met[j, k] and met[i, k]):
            continue
        counts["triples"] += 1
        signs = (ahead[i, j], ahead[j, k], ahead[k, i])
        if 0 in signs:
            counts["undecided"] += 1
        elif abs(sum(signs)) == 3:
            counts["circular"] += 1
            circles.append(_circle(comparisons.systems, wins, (i, j, k) if signs[0] > 0 else (i, k, j)))
        else:
            counts["transitive"] += 1
    return Consistency(
        **counts,
        circles=tuple(sorted(circles, key=lambda circle: (circle.p, circle.first, circle.second, circle.third))),
        annotators=_annotators(comparisons),
        alpha=alpha,
        provenance=dict(comparisons.provenance),
    )


def _circle(names: tuple[str, ...], wins: Ints, members: tuple[int, int, int]) -> Circle:
    turned = [(members[n], members[(n + 1) % 3]) for n in range(3)]
    margins = [int(wins[a, b] - wins[b, a]) for a, b in turned]
    p = max(sign_test(int(wins[a, b]), int(wins[b, a])) for a, b in turned)
    first, second, third = (names[n] for n in members)
    return Circle(first, second, third, min(margins), p)


def _annotators(comparisons: Comparisons) -> tuple[AnnotatorConsistency, ...]:
    n, n_people = len(comparisons.systems), len(comparisons.annotators)
    segment, annotator = comparisons.segment.astype(np.int64), comparisons.annotator.astype(np.int64)
    cells = (segment * n + comparisons.first) * n + comparisons.second
    shown, item = np.unique(cells * n_people + annotator, return_inverse=True)
    owner = shown % n_people
    outcome = comparisons.outcome.astype(np.int64)
    same = count_pairs(item, outcome + 1)
    better = np.bincount(item, weights=outcome > 0, minlength=len(shown))
    worse = np.bincount(item, weights=outcome < 0, minlength=len(shown))

    def by_person(counts: NDArray[Any]) -> list[int]:
        return [int(each) for each in np.bincount(owner, weights=counts, minlength=n_people)]

    repeats, agreed, turned = by_person(same.pairs), by_person(same.agreeing), by_person(better * worse)
    judged = np.bincount(annotator, minlength=n_people).tolist()
    triples, circles = _own_triples(comparisons)
    return tuple(
        AnnotatorConsistency(name, judged[a], repeats[a], repeats[a] - agreed[a], turned[a], triples[a], circles[a])
        for a, name in enumerate(comparisons.annotators)
        if judged[a]
    )


def _own_triples(comparisons: Comparisons) -> tuple[list[int], list[int]]:
    """Triples and circles of every annotator within a segment that they saw on several screens.

    On one screen ranks cannot go round, so a triple counts only if no screen shows all three systems.
    """
    n_people = len(comparisons.annotators)
    triples, circles = [0] * n_people, [0] * n_people
    key = comparisons.segment.astype(np.int64) * n_people + comparisons.annotator
    order = np.argsort(key, kind="stable")
    bounds = np.flatnonzero(np.diff(key[order], prepend=-1, append=-1))
    for start, stop in pairwise(bounds.tolist()):
        rows = order[start:stop]
        screens = comparisons.screen[rows]
        if screens[0] == screens[-1]:  # rows are in the order of screens
            continue
        net: dict[tuple[int, int], int] = {}
        together: list[set[int]] = []
        for screen in np.unique(screens):
            on = rows[screens == screen]
            together.append({*comparisons.first[on].tolist(), *comparisons.second[on].tolist()})
        for a, b, outcome in zip(
            comparisons.first[rows].tolist(),
            comparisons.second[rows].tolist(),
            comparisons.outcome[rows].tolist(),
            strict=True,
        ):
            net[a, b] = net.get((a, b), 0) + outcome
        seen = sorted({system for pair in net for system in pair})
        person = int(key[rows[0]] % n_people)
        for i, j, k in combinations(seen, 3):
            if not {(i, j), (j, k), (i, k)} <= net.keys() or any({i, j, k} <= screen for screen in together):
                continue
            triples[person] += 1
            signs = (np.sign(net[i, j]), np.sign(net[j, k]), -np.sign(net[i, k]))
            circles[person] += 0 not in signs and abs(int(sum(signs))) == 3
    return triples, circles
