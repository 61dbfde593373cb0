"""Does a metric with a significance test come to people's conclusions? (Graham, Mathur & Baldwin, WMT 2014)

For every pair of systems people and the metric conclude that one is better, or that the two are not told apart. A test
is right where both conclude the same at the same level. A significance test cannot mend a metric: it may be sure of
what people do not see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.compare import refuse_not_additive
from dragoman.metrics.meta.inputs import Floats, HumanInput, HumanRankings, score_table
from dragoman.metrics.references import References, RefsInput
from dragoman.metrics.scoring import collect
from dragoman.metrics.specs import make_metrics
from dragoman.report import Column, Result, Section, Table, page
from dragoman.stats import clopper_pearson, paired_test, sign_test
from dragoman.stats.arrays import check_level
from dragoman.stats.correlation import average_ranks

__all__ = ["SignificanceAccuracy", "SignificanceRow", "rank_sum_test", "significance_accuracy"]

TESTS = ("paired-bootstrap", "bootstrap", "randomisation")
ALPHAS = (0.05, 0.01, 0.001)


@dataclass(frozen=True)
class SignificanceRow:
    """One metric with one test at one level: on how many pairs of systems it concludes what people conclude."""

    alpha: float
    metric: str
    test: str
    correct: int
    n: int
    accuracy: float
    low: float  # exact binomial interval (Clopper & Pearson)
    high: float
    missed: int  # people tell the two apart, the metric does not
    false_alarms: int  # the other way round
    opposite: int  # each is sure of another system


@dataclass(frozen=True)
class SignificanceAccuracy(Result):
    """Metrics with significance tests, held against people."""

    kind: ClassVar[str] = "significance-accuracy"

    rows: tuple[SignificanceRow, ...]
    systems: tuple[str, ...]
    human_test: str
    trials: int
    seed: int
    confidence: float
    provenance: Mapping[str, Any]

    def row(self, metric: str, test: str, alpha: float) -> SignificanceRow:
        """The row of one combination."""
        for row in self.rows:
            if (row.metric, row.test, row.alpha) == (metric, test, alpha):
                return row
        raise DataError(f"{metric} was not tested by {test} at {alpha:g}.")

    def tables(self) -> list[Table]:
        """One row a level, metric and test."""
        columns: list[Column | str] = [
            Column("alpha", "α"),
            "metric",
            "test",
            "correct",
            Column("n", "of pairs"),
            Column("accuracy", "accuracy %", digits=1),
            Column("low", digits=1),
            Column("high", digits=1),
            "missed",
            Column("false_alarms", "false alarms"),
            "opposite",
        ]
        rows = [
            (
                row.alpha,
                row.metric,
                row.test,
                row.correct,
                row.n,
                100 * row.accuracy,
                100 * row.low,
                100 * row.high,
                row.missed,
                row.false_alarms,
                row.opposite,
            )
            for row in self.rows
        ]
        note = (
            f"{len(self.systems)} systems. People: one-sided {self.human_test} at the same level; metrics: one-sided, "
            f"{self.trials:,} trials, seed {self.seed}. Intervals are exact ({self.confidence:.0%}). Missed: people "
            "tell the systems apart and the metric does not; false alarms: the metric alone does."
        )
        return [Table.of("Conclusions of metric and test against people's", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Systems, tests, seed and where the judgements are from."""
        return {
            "systems": list(self.systems),
            "human_test": self.human_test,
            "sides": 1,
            "trials": self.trials,
            "seed": self.seed,
            "confidence": self.confidence,
            **self.provenance,
        }

    def html(self, title: str = "") -> str:
        """The result as one HTML file."""
        return page(title or "Metrics with significance tests", [Section.of("Conclusions", self)])


def significance_accuracy(
    systems: Mapping[str, Sequence[str]],
    refs: RefsInput,
    human: HumanInput,
    srcs: Sequence[str] | None = None,
    *,
    tie_break: HumanInput | None = None,
    metrics: Sequence[Metric | str] = ("bleu",),
    tests: Sequence[str] = TESTS,
    alphas: Sequence[float] = ALPHAS,
    trials: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    provenance: Mapping[str, Any] | None = None,
    n_threads: int = 1,
) -> SignificanceAccuracy:
    """The share of system pairs on which metric and test conclude what people do, for each metric, test and level.

    Only systems that people judged count. People's conclusion is an exact sign test of wins and losses for rankings,
    a Wilcoxon rank-sum test for direct assessments, one-sided for the better system. Where these do not tell two
    systems apart, a `tie_break` is asked: the paper's people judge adequacy, and fluency decides between equals.
    """
    for alpha in alphas:
        check_level(alpha, "alpha")
    chosen = make_metrics(metrics)
    refuse_not_additive(chosen)
    judged = human.systems if isinstance(human, HumanRankings) else tuple(human)
    names = tuple(name for name in systems if name in judged)
    if len(names) < 2:
        raise DataError(
            f"People judged {len(names)} of the systems {', '.join(systems)}; at least two are needed. "
            f"Judged: {', '.join(judged)}."
        )
    pairs = list(combinations(range(len(names)), 2))
    judgements = [_people(human, names, pairs)]
    if tie_break is not None:
        judgements.append(_people(tie_break, names, pairs))
    human_test = ", then ".join(test for _, _, test in judgements)
    collected = collect(
        {name: systems[name] for name in names}, References.of(refs), srcs, metrics=chosen, n_threads=n_threads
    )
    rows = []
    for statistics in collected:
        scores = statistics.scores() * (1 if statistics.metric.higher_is_better else -1)
        sign = np.array([np.sign(scores[a] - scores[b]) for a, b in pairs])
        oriented = [(a, b) if s >= 0 else (b, a) for (a, b), s in zip(pairs, sign, strict=True)]

        def values(totals: Floats, own: Metric = statistics.metric) -> Floats:
            return own.values(totals) if own.higher_is_better else -own.values(totals)

        for test in tests:
            found = paired_test(test, sides=1, trials=trials, seed=seed).compare_pairs(
                list(statistics.rows), values, oriented, names=names, n_threads=n_threads
            )
            p = np.array([one.p for one in found])
            label = statistics.metric.spec()
            for alpha in alphas:
                gold = np.zeros(len(pairs), dtype=np.int64)
                for p_human, sign_human, _ in judgements:
                    gold = np.where(gold == 0, _conclusion(p_human, sign_human, alpha), gold)
                rows.append(_row(alpha, label, test, _conclusion(p, sign, alpha), gold, confidence))
    rows.sort(key=lambda row: -row.alpha)
    told = {**(human.provenance if isinstance(human, HumanRankings) else {}), **(provenance or {})}
    return SignificanceAccuracy(tuple(rows), names, human_test, trials, seed, confidence, told)


def rank_sum_test(first: Floats, second: Floats) -> float:
    """One-sided p that the first scores are higher: Wilcoxon's rank-sum test, normal approximation, ties corrected.

    Without continuity correction. Scores that are all equal give p = ½.
    """
    from scipy.special import ndtr

    n, m = len(first), len(second)
    if not n or not m:
        raise DataError("A rank-sum test needs scores of both systems.")
    both = np.concatenate([first, second])
    ranks = average_ranks(both)
    shared = np.unique(both, return_counts=True)[1].astype(np.float64)
    total = n + m
    variance = n * m / 12 * (total + 1 - (shared**3 - shared).sum() / (total * (total - 1)))
    if variance <= 0:
        return 0.5
    z = (ranks[:n].sum() - n * (total + 1) / 2) / np.sqrt(variance)
    return float(ndtr(-z))


def _people(human: HumanInput, names: Sequence[str], pairs: Sequence[tuple[int, int]]) -> tuple[Floats, Floats, str]:
    """One-sided p for the better system of each pair, which one it is (+1 the first), and the name of the test."""
    p, sign = np.ones(len(pairs)), np.zeros(len(pairs))
    if isinstance(human, HumanRankings):
        wins = human.comparisons.wins()
        places = [human.systems.index(name) for name in names]
        for k, (a, b) in enumerate(pairs):
            won, lost = int(wins[places[a], places[b]]), int(wins[places[b], places[a]])
            p[k], sign[k] = sign_test(max(won, lost), min(won, lost), sides=1), np.sign(won - lost)
        return p, sign, "sign test"
    lengths = {len(entry) for entry in human.values() if isinstance(entry, Sequence | np.ndarray)}
    if len(lengths) != 1:
        raise DataError("Conclusions about systems need people's scores by segment, lists of one length, or rankings.")
    table = score_table(human, names, lengths.pop(), "people")
    given = [row[~np.isnan(row)] for row in table]
    for k, (a, b) in enumerate(pairs):
        one = rank_sum_test(given[a], given[b])
        p[k], sign[k] = min(one, 1 - one), np.sign(0.5 - one)
    return p, sign, "Wilcoxon rank-sum test"


def _conclusion(p: Floats, sign: Floats, alpha: float) -> NDArray[np.int64]:
    """+1: the first system is better, −1: the second, 0: not told apart."""
    return np.where(p <= alpha, sign, 0).astype(np.int64)


def _row(
    alpha: float, metric: str, test: str, found: NDArray[np.int64], gold: NDArray[np.int64], confidence: float
) -> SignificanceRow:
    correct = int(np.count_nonzero(found == gold))
    share = clopper_pearson(correct, len(gold), level=confidence)
    return SignificanceRow(
        alpha,
        metric,
        test,
        correct,
        len(gold),
        share.share,
        share.low,
        share.high,
        missed=int(np.count_nonzero((gold != 0) & (found == 0))),
        false_alarms=int(np.count_nonzero((gold == 0) & (found != 0))),
        opposite=int(np.count_nonzero(gold * found == -1)),
    )
