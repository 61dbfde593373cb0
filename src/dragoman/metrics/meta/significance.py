"""Does a metric with a significance test come to people's conclusions? (Graham, Mathur & Baldwin, WMT 2014)

For every pair of systems people and the metric conclude that one is better, or that the two are not told apart. A test
is right where both conclude the same at the same level. A significance test cannot mend a metric: it may be sure of
what people do not see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.compare import refuse_not_additive
from dragoman.metrics.meta.inputs import Floats, HumanInput, HumanRankings, score_table
from dragoman.metrics.scoring import collect
from dragoman.metrics.specs import make_metrics
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Section, Table, page
from dragoman.stats import PAIRED_TESTS, clopper_pearson, paired_test, sign_test
from dragoman.stats.arrays import check_level
from dragoman.stats.correlation import average_ranks

__all__ = ["SignificanceAccuracy", "SignificanceRecipe", "SignificanceRow", "rank_sum_test", "significance_accuracy"]


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


@dataclass(frozen=True)
class SignificanceRecipe(Recipe):
    """Which metrics and tests are held against people, and at which levels."""

    metrics: tuple[Metric | str, ...] = option(("bleu",), of=METRICS, text="metric, perhaps with options")
    tests: tuple[str, ...] = option(
        ("paired-bootstrap", "bootstrap", "randomisation"), of=PAIRED_TESTS, text="paired test"
    )
    alphas: tuple[float, ...] = option((0.05, 0.01, 0.001), text="level")
    trials: int = option(1000, low=1, text="draws of each test")
    seed: int = option(12345, low=0, text="seed of all draws")
    confidence: float = option(0.95, text="coverage of intervals")

    def check(self) -> Self:
        """Return the recipe if every option keeps its rule."""
        for alpha in self.alphas:
            check_level(alpha, "alpha")
        return super().check()


def significance_accuracy(
    test_set: TestSet,
    human: HumanInput,
    recipe: SignificanceRecipe | None = None,
    *,
    tie_break: HumanInput | None = None,
    provenance: Mapping[str, Any] | None = None,
    n_threads: int = 1,
) -> SignificanceAccuracy:
    """The share of system pairs on which metric and test conclude what people do, for each metric, test and level.

    Only systems that people judged count. People's conclusion is an exact sign test of wins and losses for rankings,
    a Wilcoxon rank-sum test for direct assessments, one-sided for the better system. Where these do not tell two
    systems apart, a `tie_break` is asked: the paper's people judge adequacy, and fluency decides between equals.
    """
    recipe = (recipe or SignificanceRecipe()).check()
    systems, trials, seed = test_set.systems, recipe.trials, recipe.seed
    chosen = make_metrics(recipe.metrics, test_set.layers)
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
    judged_set = replace(test_set, systems={name: systems[name] for name in names})
    collected = collect(judged_set, chosen, n_threads=n_threads)
    rows = []
    for statistics in collected:
        scores = statistics.scores() * (1 if statistics.metric.higher_is_better else -1)
        sign = np.array([np.sign(scores[a] - scores[b]) for a, b in pairs])
        oriented = [(a, b) if s >= 0 else (b, a) for (a, b), s in zip(pairs, sign, strict=True)]

        def values(totals: Floats, own: Metric = statistics.metric) -> Floats:
            return own.values(totals) if own.higher_is_better else -own.values(totals)

        for test in recipe.tests:
            answers = paired_test(test, sides=1, trials=trials, seed=seed).compare_pairs(
                list(statistics.rows), values, oriented, names=names, n_threads=n_threads
            )
            p = np.array([answer.p for answer in answers])
            label = statistics.metric.spec()
            for alpha in recipe.alphas:
                gold = np.zeros(len(pairs), dtype=np.int64)
                for p_human, sign_human, _ in judgements:
                    gold = np.where(gold == 0, _conclusion(p_human, sign_human, alpha), gold)
                rows.append(_row(alpha, label, test, _conclusion(p, sign, alpha), gold, recipe.confidence))
    rows.sort(key=lambda row: -row.alpha)
    origin = {**(human.provenance if isinstance(human, HumanRankings) else {}), **(provenance or {})}
    return SignificanceAccuracy(tuple(rows), names, human_test, trials, seed, recipe.confidence, origin)


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
    scores = [row[~np.isnan(row)] for row in table]
    for k, (a, b) in enumerate(pairs):
        one = rank_sum_test(scores[a], scores[b])
        p[k], sign[k] = min(one, 1 - one), np.sign(0.5 - one)
    return p, sign, "Wilcoxon rank-sum test"


def _conclusion(p: Floats, sign: Floats, alpha: float) -> NDArray[np.int64]:
    """+1: the first system is better, −1: the second, 0: not told apart."""
    return np.where(p <= alpha, sign, 0).astype(np.int64)


def _row(
    alpha: float, metric: str, test: str, ours: NDArray[np.int64], gold: NDArray[np.int64], confidence: float
) -> SignificanceRow:
    correct = int(np.count_nonzero(ours == gold))
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
        missed=int(np.count_nonzero((gold != 0) & (ours == 0))),
        false_alarms=int(np.count_nonzero((gold == 0) & (ours != 0))),
        opposite=int(np.count_nonzero(gold * ours == -1)),
    )
