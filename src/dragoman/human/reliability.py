"""Who clicks at random: annotators whose judgements cannot be told from chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from dragoman.data.comparisons import compare_pairwise, judged_pairs
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.spans import ERROR_SPANS, looks
from dragoman.errors import DataError
from dragoman.human.agreement_of_scores import Scored, scored
from dragoman.human.chance_agreement import Floats, answers_of_others, screen_scores, sum_distribution, tails
from dragoman.human.labelled import sources
from dragoman.report import Column, Figure, Result, Sentence, Table
from dragoman.stats.arrays import check_level
from dragoman.stats.multiple import adjust

__all__ = ["AnnotatorReliability", "Reliability", "below_others", "spot_random"]

_LEAST_FOR_R = 4  # items: Fisher's z has the variance 1 / (n − 3)


@dataclass(frozen=True)
class AnnotatorReliability:
    """An annotator against the majority of the others (rankings) or their mean (scores)."""

    annotator: str
    screens: int  # or scores
    comparable: int  # judgements on which others judged too
    agreeing: int | None
    value: float | None  # share of agreement; r for scores
    by_chance: float | None  # what ranks dealt at random would reach
    usual: float | None  # what the others reach
    p_chance: float | None  # of reaching this by chance
    p_below: float | None  # of falling so low for one like the others
    p_adjusted: float | None  # p_below, corrected for the number of annotators
    verdict: str  # above chance, at chance, undecided


@dataclass(frozen=True)
class Reliability(Result):
    """Annotators, and whether they can be told from chance."""

    kind: ClassVar[str] = "reliability"

    annotators: tuple[AnnotatorReliability, ...]
    alpha: float
    correction: str
    judged: str
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def at_chance(self) -> tuple[str, ...]:
        """The annotators to leave out."""
        return tuple(each.annotator for each in self.annotators if each.verdict == "at chance")

    def tables(self) -> list[Table]:
        """One row for each annotator, the least reliable first."""
        columns = [
            Column("annotator"),
            Column("screens"),
            Column("comparable"),
            Column("agreeing"),
            Column("value", digits=3),
            Column("by_chance", "by chance", 3),
            Column("usual", digits=3),
            Column("p_chance", "p of chance", alpha=0.05),
            Column("p_below", "p of the others", alpha=0.05),
            Column("p_adjusted", "adjusted", alpha=0.05),
            Column("verdict"),
        ]
        rows = [list(asdict(each).values()) for each in self.annotators]
        note = Sentence(
            "At chance: no better than dealing the same ranks at random (p > {alpha:g}) and below what the others "
            "reach (p ≤ {alpha:g}, corrected by {correction}). Undecided: too few judgements to say.",
            alpha=self.alpha,
            correction=self.correction,
        )
        return [Table.of("Reliability of annotators", columns, rows, note=note)]

    def figures(self) -> list[Figure]:
        """The agreement of each annotator, by verdict."""
        return [
            Figure("Agreement with the others", "bar", self.tables()[0], x="annotator", y="value", series="verdict")
        ]

    def meta(self) -> dict[str, Any]:
        """The level, the correction and the judgements."""
        return {
            "alpha": self.alpha,
            "correction": self.correction,
            "judged": self.judged,
            "at_chance": list(self.at_chance),
            **self.provenance,
        }


def spot_random(
    judgements: Judgements, *, pair: str | None = None, alpha: float = 0.05, correction: str = "holm"
) -> Reliability:
    """Find annotators who agree with the others no better than chance, though the others agree.

    Rankings: each outcome is compared with what most others said of the same segment and systems. Chance deals the
    annotator's own ranks anew on each screen, exactly; whether the others reach more is Student's test on whole
    screens. Scores: r with the mean of the others, by Student's t and Fisher's z.

    Two errors are kept apart. A random clicker passes as above chance with probability `alpha`; with the correction
    holm, that anyone at all is called random when all are equally reliable has probability `alpha`, or less.
    """
    check_level(alpha, "alpha")
    adjust([], correction)  # a wrong name is found before the work
    if judgements.schema.kind == "relative-ranking":
        judges = _of_rankings(judgements, (pair,) if pair is not None else judged_pairs(judgements))
    else:
        own = looks(judgements) if judgements.kind == ERROR_SPANS.kind else judgements
        judges = _of_scores(scored(own, pair=pair))
    tested = [n for n, each in enumerate(judges) if each["p_below"] is not None]
    adjusted = dict(zip(tested, adjust([judges[n]["p_below"] for n in tested], correction).tolist(), strict=True))
    lines = [
        AnnotatorReliability(
            **each, p_adjusted=adjusted.get(n), verdict=_verdict(each["p_chance"], adjusted.get(n), alpha)
        )
        for n, each in enumerate(judges)
    ]
    order = {"at chance": 0, "undecided": 1, "above chance": 2}
    lines.sort(key=lambda each: (order[each.verdict], -(each.p_chance or 0.0), each.annotator))
    return Reliability(tuple(lines), alpha, correction, judgements.schema.kind, sources(judgements))


def _verdict(p_chance: float | None, p_below: float | None, alpha: float) -> str:
    if p_chance is not None and p_chance <= alpha:
        return "above chance"
    return "at chance" if p_chance is not None and p_below is not None and p_below <= alpha else "undecided"


def _of_rankings(judgements: Judgements, pairs: tuple[str, ...]) -> list[dict[str, Any]]:
    names: dict[str, int] = {}
    people, comparable, agreeing = [], [], []
    chance: list[Floats] = []
    for pair in pairs:
        comparisons = compare_pairwise(judgements, pair=pair)
        number = np.array([names.setdefault(name, len(names)) for name in comparisons.annotators], dtype=np.int64)
        scores = screen_scores(comparisons, answers_of_others(comparisons))
        people.append(number[scores.annotator])
        comparable.append(scores.comparable)
        agreeing.append(scores.agreeing)
        chance += [row[: n + 1] for row, n in zip(scores.chance, scores.comparable.tolist(), strict=True)]
    who, n_asked, n_met = np.concatenate(people), np.concatenate(comparable), np.concatenate(agreeing)
    if not len(who):
        raise DataError("No segment and pair of systems was judged by two annotators: there is nobody to compare with.")
    rate = n_met.sum() / n_asked.sum()
    excess = n_met - rate * n_asked
    judges = []
    for name, place in sorted(names.items()):
        own = who == place
        line: dict[str, Any] = {"annotator": name, "screens": int(own.sum())}
        n, observed = int(n_asked[own].sum()), int(n_met[own].sum())
        line |= {"comparable": n, "agreeing": observed, "value": observed / n if n else None}
        line |= dict.fromkeys(("by_chance", "usual", "p_chance", "p_below"), None)
        if n:
            dealt = sum_distribution([chance[screen] for screen in np.flatnonzero(own).tolist()])
            line["by_chance"], line["p_chance"] = _mean(dealt) / n, tails(dealt, observed)[0]
        if n and not own.all():
            line["usual"] = float(n_met[~own].sum() / n_asked[~own].sum())
            line["p_below"] = below_others(excess[own], excess[~own])
        judges.append(line)
    return judges


def below_others(own: Floats, others: Floats) -> float | None:
    """Student's one-sided test of whether an annotator's screens lie below those of the others; one spread for all.

    Whole screens are compared, since the outcomes of one hang together.
    """
    from scipy.special import stdtr

    n, m = len(own), len(others)
    if n + m < 3:
        return None
    gap = float(own.mean() - others.mean())
    squares = float(((own - own.mean()) ** 2).sum() + ((others - others.mean()) ** 2).sum())
    if squares == 0:
        return 1.0 if gap >= 0 else 0.0
    error = np.sqrt(squares / (n + m - 2) * (1 / n + 1 / m))
    return float(stdtr(n + m - 2, gap / error))


def _mean(distribution: Floats) -> float:
    return float(distribution @ np.arange(len(distribution)))


def _of_scores(data: Scored) -> list[dict[str, Any]]:
    from scipy.special import ndtr, stdtr

    n_items, n_people = int(data.item.max()) + 1, len(data.annotators)
    # One value for an annotator and item: the mean of repeats.
    groups, group = np.unique(data.item * n_people + data.annotator, return_inverse=True)
    item, who = groups // n_people, groups % n_people
    score = np.bincount(group, weights=data.score) / np.bincount(group)
    totals, counts = np.bincount(item, weights=score, minlength=n_items), np.bincount(item, minlength=n_items)
    shared = counts[item] > 1
    if not shared.any():
        raise DataError("No output was scored by two annotators: there is nobody to compare with.")
    r: list[float | None] = []
    n: list[int] = []
    for person in range(n_people):
        own = (who == person) & shared
        x, y = score[own], (totals[item[own]] - score[own]) / (counts[item[own]] - 1)
        n.append(len(x))
        r.append(_pearson(x, y))
    usable = [p for p in range(n_people) if r[p] is not None]
    z = {p: float(np.arctanh(np.clip(r[p] or 0.0, -0.999999, 0.999999))) for p in usable}
    judges = []
    for person, name in enumerate(data.annotators):
        own_r = r[person]
        line: dict[str, Any] = {
            "annotator": name,
            "screens": int(np.count_nonzero(data.annotator == person)),
            "comparable": n[person],
            "agreeing": None,
            "value": own_r,
            "by_chance": 0.0,
            "usual": None,
            "p_chance": None,
            "p_below": None,
        }
        others = [p for p in usable if p != person]
        if own_r is not None:
            m = n[person]
            t = own_r * np.sqrt((m - 2) / max(1e-300, 1 - own_r * own_r))
            line["p_chance"] = float(stdtr(m - 2, -t))
            if others:
                weights = np.array([n[p] - 3 for p in others], dtype=np.float64)
                centre = float(np.average([z[p] for p in others], weights=weights))
                spread = np.sqrt(1 / (m - 3) + 1 / weights.sum())
                line["usual"], line["p_below"] = float(np.tanh(centre)), float(ndtr((z[person] - centre) / spread))
        judges.append(line)
    return judges


def _pearson(x: Floats, y: Floats) -> float | None:
    """r, or None where there are too few items or one side is constant (an annotator who gives one score to all)."""
    if len(x) < _LEAST_FOR_R:
        return None
    if np.ptp(x) == 0:
        return 0.0  # always the same score: it follows nothing
    return None if np.ptp(y) == 0 else float(np.corrcoef(x, y)[0, 1])
