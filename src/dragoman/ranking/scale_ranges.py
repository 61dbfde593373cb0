"""Rank ranges of the 2006 campaign: adequacy and fluency turned into relative ranks, and how far a place is certain.

Koehn & Monz (WMT 2006), as Findings of WMT 2012, §4.1, tell it: what one person says of several outputs of one sentence
counts by its order alone; a system's range spans the systems from which it does not differ significantly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.ranking.checks import reference_names
from dragoman.report import Column, Result, Sentence, Table
from dragoman.stats.arrays import check_level
from dragoman.stats.segments import sign_test

__all__ = ["ScaleRange", "ScaleRanges", "scale_ranges"]

_SCALES = ("adequacy", "fluency")


@dataclass(frozen=True)
class ScaleRange:
    """A system on one scale."""

    scale: str
    system: str
    mean: float  # on the scale, 1 to 5
    relative: float  # share of the others on a screen that it beats, ties half: 1 is always best
    rank_low: int
    rank_high: int
    n: int  # screens on which it stood beside others


@dataclass(frozen=True)
class ScaleRanges(Result):
    """Systems by relative rank, best first, with the range of their ranks."""

    kind: ClassVar[str] = "scale ranges"

    rows: tuple[ScaleRange, ...]
    alpha: float
    n_screens: Mapping[str, int]

    def tables(self) -> list[Table]:
        """A row for each scale and system."""
        columns = [
            Column("scale"),
            Column("system"),
            Column("mean", digits=2),
            Column("relative", "relative rank", 3),
            Column("rank_low"),
            Column("rank_high"),
            Column("n", "screens"),
        ]
        rows = [(r.scale, r.system, r.mean, r.relative, r.rank_low, r.rank_high, r.n) for r in self.rows]
        note = Sentence(
            "Relative rank: share of the other outputs of a sentence, judged by the same person, that were worse, ties "
            "half. A range begins behind the systems that are significantly better and ends before those that are "
            "worse (sign test, two-sided, α = {alpha:g}, not corrected).",
            alpha=self.alpha,
        )
        return [Table.of("Rank ranges", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The level of the tests, and how much was judged together."""
        return {"alpha": self.alpha, "screens": dict(self.n_screens)}


def scale_ranges(judgements: Judgements, *, alpha: float = 0.05) -> ScaleRanges:
    """Rank ranges by adequacy and by fluency.

    What one annotator says of the outputs of one segment is a screen; a screen with one output says nothing.
    """
    check_level(alpha, "alpha")
    if judgements.kind != "adequacy-fluency":
        raise DataError(f"Rank ranges of scales are of adequacy and fluency; these are {judgements.kind} judgements.")
    rows: list[ScaleRange] = []
    n_screens = {}
    for scale in _SCALES:
        screens = _screens(judgements, scale)
        n_screens[scale] = len(screens)
        rows += _ranges(scale, screens, alpha)
    if not rows:
        raise DataError("No annotator judged two outputs of one segment: there is nothing to rank.")
    return ScaleRanges(tuple(rows), alpha, n_screens)


def _screens(judgements: Judgements, scale: str) -> list[dict[str, int]]:
    """The scores of systems by annotator and segment; references are no systems."""
    left_out = set(reference_names(tuple(dict.fromkeys(map(str, judgements["system"])))))
    screens: dict[tuple[Any, ...], dict[str, int]] = defaultdict(dict)
    for row in judgements.latest().rows():
        if row[scale] is not None and row["system"] not in left_out:
            place = row["annotator"], row["segment"], row["source_lang"], row["target_lang"]
            screens[place].setdefault(str(row["system"]), int(row[scale]))  # type: ignore[arg-type] # a repeat is no second opinion
    return [screen for screen in screens.values() if len(screen) > 1]


def _ranges(scale: str, screens: list[dict[str, int]], alpha: float) -> list[ScaleRange]:
    scores: dict[str, list[int]] = defaultdict(list)
    relative: dict[str, list[float]] = defaultdict(list)
    wins: dict[tuple[str, str], int] = defaultdict(int)
    for screen in screens:
        for system, own in screen.items():
            others = [value for name, value in screen.items() if name != system]
            beaten = sum((own > value) + 0.5 * (own == value) for value in others)
            scores[system].append(own)
            relative[system].append(beaten / len(others))
        for one, other in combinations(screen, 2):
            if screen[one] != screen[other]:
                wins[(one, other) if screen[one] > screen[other] else (other, one)] += 1
    better: dict[str, set[str]] = {system: set() for system in scores}  # than the key, significantly
    for one, other in combinations(scores, 2):
        won, lost = wins[one, other], wins[other, one]
        if won != lost and sign_test(max(won, lost), min(won, lost), sides=2) <= alpha:
            better[other if won > lost else one].add(one if won > lost else other)
    worse = {system: sum(system in above for above in better.values()) for system in scores}
    means = {system: sum(values) / len(values) for system, values in relative.items()}
    return [
        ScaleRange(
            scale=scale,
            system=system,
            mean=sum(scores[system]) / len(scores[system]),
            relative=means[system],
            rank_low=1 + len(better[system]),
            rank_high=len(scores) - worse[system],
            n=len(scores[system]),
        )
        for system in sorted(scores, key=lambda name: (-means[name], name))
    ]
