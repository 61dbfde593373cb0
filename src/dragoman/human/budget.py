"""How few judgements would have given the same ranking: a campaign with parts of its own judgements.

Judgements are drawn without replacement, systems ranked by what was drawn, and the ranking held against that of all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons, compare_pairwise
from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DataError
from dragoman.human.direct_assessment.assessments import Assessments
from dragoman.human.direct_assessment.scores import SystemPair, clusters, compare_all, standardise
from dragoman.human.error_spans import SEVERITIES, span_outputs
from dragoman.human.provenance import files_of
from dragoman.ranking.expected_wins import ExpectedWins
from dragoman.report import Column, Figure, Result, Table
from dragoman.rng import Stream
from dragoman.stats.arrays import check_level, check_trials
from dragoman.stats.correlation import kendall, spearman
from dragoman.stats.segments import sign_test

__all__ = ["SHARES", "Budget", "JudgementBudget", "judgement_budget"]

SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True)
class Budget:
    """Rankings by a part of the judgements, against that of all; shares in per cent of the draws."""

    share: float
    n: int  # judgements drawn
    kendall: float
    spearman: float
    same_best: float
    same_order: float
    same_clusters: float


@dataclass(frozen=True)
class JudgementBudget(Result):
    """What campaigns of every size would have said."""

    kind: ClassVar[str] = "judgement-budget"

    systems: tuple[str, ...]  # by all judgements, best first
    clusters: tuple[int, ...]
    budgets: tuple[Budget, ...]
    n: int
    unit: str
    test: str
    wanted: float
    alpha: float
    trials: int
    seed: int
    files: tuple[str, ...] = ()

    def enough(self, name: str = "kendall") -> Budget | None:
        """The smallest budget from which on the mean of a measure is as high as was asked for."""
        reached = None
        for budget in reversed(self.budgets):
            if getattr(budget, name) < (self.wanted if name in ("kendall", "spearman") else 100 * self.wanted):
                break
            reached = budget
        return reached

    def tables(self) -> list[Table]:
        """One row per budget."""
        digits = {"share": 2, "kendall": 3, "spearman": 3}
        names = ("share", "n", "kendall", "spearman", "same_best", "same_order", "same_clusters")
        columns = [Column(name, digits=None if name == "n" else digits.get(name, 1)) for name in names]
        reached = self.enough()
        answer = (
            f"{reached.n} of {self.n} judgements give a mean tau of {self.wanted} or more."
            if reached
            else f"No part of the {self.n} judgements gives a mean tau of {self.wanted}."
        )
        order = ", ".join(f"{name} ({cluster})" for name, cluster in zip(self.systems, self.clusters, strict=True))
        note = (
            f"{answer} Means over {self.trials} draws without replacement, seed {self.seed}, drawn by {self.unit}; "
            f"same_…: per cent of the draws. Clusters by {self.test} at {self.alpha}. By all judgements: {order}."
        )
        rows = [tuple(getattr(budget, name) for name in names) for budget in self.budgets]
        return [Table.of("Rankings by fewer judgements", columns, rows, note=note)]

    def figures(self) -> list[Figure]:
        """Correlation by budget."""
        return [Figure("Ranking by fewer judgements", "line", self.tables()[0], x="n", y="kendall")]

    def meta(self) -> dict[str, Any]:
        """How it was made, and what is enough."""
        return {
            "files": list(self.files),
            "n": self.n,
            "unit": self.unit,
            "wanted": self.wanted,
            "enough": {
                name: None if (b := self.enough(name)) is None else b.n for name in ("kendall", "same_clusters")
            },
            "alpha": self.alpha,
            "trials": self.trials,
            "seed": self.seed,
            "systems": list(self.systems),
            "clusters": list(self.clusters),
        }


def judgement_budget(
    judgements: Judgements,
    *,
    pair: str | None = None,
    shares: Sequence[float] = SHARES,
    wanted: float = 0.95,
    trials: int = 100,
    alpha: float = 0.05,
    severities: Mapping[str, float] | None = None,
    seed: int = 1,
) -> JudgementBudget:
    """Rank by parts of direct assessments, error spans or relative rankings, and compare with the ranking of all.

    Direct assessments and spans are ranked by mean z, which each part standardises anew, with clusters by the rank-sum
    test; relative rankings by expected wins, drawn by screens, with clusters by the sign test.
    """
    check_trials(trials)
    check_level(alpha, "alpha")
    if not shares or not all(0 < share < 1 for share in shares) or not 0 < wanted <= 1:
        raise DataError("Budgets are shares of the judgements between 0 and 1, and so is what is wanted.")
    ranker = _ranker(judgements, pair, alpha, severities)
    whole = ranker.scores(np.ones(ranker.n, dtype=np.bool_))
    if np.isnan(whole).any() or len(whole) < 2:
        raise DataError("A ranking needs at least two systems, each of them judged.")
    order, cluster = _ranked(ranker, np.ones(ranker.n, dtype=np.bool_), whole)
    budgets = []
    for share in sorted(set(shares)):
        n = max(1, round(share * ranker.n))
        streams = (Stream(seed, f"budget/{share:g}/{draw}") for draw in range(trials))
        drawn = [_drawn(ranker, whole, order, cluster, n, stream) for stream in streams]
        budgets.append(Budget(share, n, *(float(mean) for mean in np.mean(drawn, axis=0))))
    return JudgementBudget(
        tuple(ranker.systems[k] for k in order),
        tuple(cluster[ranker.systems[k]] for k in order),
        tuple(budgets),
        ranker.n,
        ranker.unit,
        ranker.test,
        wanted,
        alpha,
        trials,
        seed,
        tuple(files_of(judgements)),
    )


def _drawn(
    ranker: _Ranker, whole: NDArray[np.float64], order: list[int], cluster: Mapping[str, int], n: int, stream: Stream
) -> tuple[float, ...]:
    """What one draw gives. A system that nobody judged in it stands last."""
    keep = np.zeros(ranker.n, dtype=np.bool_)
    keep[stream.permutation(ranker.n)[:n]] = True
    scores = ranker.scores(keep)
    known = ~np.isnan(scores)
    placed = np.where(known, scores, (scores[known].min() if known.any() else 0.0) - 1.0)
    own, lines = _ranked(ranker, keep, placed)
    flat = bool((placed == placed[0]).all())
    tau, rho = (0.0, 0.0) if flat else (kendall(whole, placed), spearman(whole, placed))
    return tau, rho, 100.0 * (own[0] == order[0]), 100.0 * (own == order), 100.0 * (lines == dict(cluster))


def _ranked(ranker: _Ranker, keep: NDArray[np.bool_], scores: NDArray[np.float64]) -> tuple[list[int], dict[str, int]]:
    order = [int(k) for k in np.argsort(-scores, kind="stable")]
    names = [ranker.systems[k] for k in order]
    return order, clusters(names, ranker.pairs(keep, names), alpha=ranker.alpha)


@dataclass(frozen=True)
class _Ranker(ABC):
    """Ranks systems by some of the judgements."""

    unit: ClassVar[str]
    test: ClassVar[str]

    alpha: float

    @property
    @abstractmethod
    def n(self) -> int:
        """How many judgements there are to draw from."""

    @property
    @abstractmethod
    def systems(self) -> tuple[str, ...]:
        """The systems."""

    @abstractmethod
    def scores(self, keep: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The systems' scores by these judgements; NaN for one that has none."""

    @abstractmethod
    def pairs(self, keep: NDArray[np.bool_], order: list[str]) -> list[SystemPair]:
        """Every system against every lower one."""


@dataclass(frozen=True)
class _ByScores(_Ranker):
    unit: ClassVar[str] = "judgement"
    test: ClassVar[str] = "the rank-sum test"

    data: Assessments

    @property
    def n(self) -> int:
        return len(self.data)

    @cached_property
    def _ranked(self) -> NDArray[np.int64]:
        """The systems that have judged outputs; a reference among them has controls alone."""
        return np.unique(self.data.system[self.data.is_genuine])

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.data.systems[k] for k in self._ranked)

    def scores(self, keep: NDArray[np.bool_]) -> NDArray[np.float64]:
        part = self.data.take(keep)
        z = standardise(part)
        rows = part.is_genuine & ~np.isnan(z)
        counts = np.bincount(part.system[rows], minlength=len(self.data.systems))
        sums = np.bincount(part.system[rows], weights=z[rows], minlength=len(self.data.systems))
        means: NDArray[np.float64] = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
        return means[self._ranked]

    def pairs(self, keep: NDArray[np.bool_], order: list[str]) -> list[SystemPair]:
        part = self.data.take(keep)
        z = standardise(part)
        judged = {part.systems[k] for k in np.unique(part.system[part.is_genuine & ~np.isnan(z)])}
        tested = {(p.better, p.worse): p for p in compare_all(part, z, [name for name in order if name in judged])}
        return [tested.get(two, SystemPair(*two, 0.0, 1.0)) for two in _twos(order)]


@dataclass(frozen=True)
class _ByRanks(_Ranker):
    unit: ClassVar[str] = "screen"
    test: ClassVar[str] = "the sign test"

    data: Comparisons
    screens: NDArray[np.int64]  # of each comparison, dense from 0

    @property
    def n(self) -> int:
        return int(self.screens.max()) + 1 if len(self.screens) else 0

    @property
    def systems(self) -> tuple[str, ...]:
        return self.data.systems

    def scores(self, keep: NDArray[np.bool_]) -> NDArray[np.float64]:
        part = self.data.take(keep[self.screens])
        wins = part.wins().astype(np.float64)
        scores = np.asarray(ExpectedWins().from_counts(wins, part.ties().astype(np.float64)), dtype=np.float64)
        return np.where(wins.sum(axis=0) + wins.sum(axis=1) > 0, scores, np.nan)

    def pairs(self, keep: NDArray[np.bool_], order: list[str]) -> list[SystemPair]:
        wins = self.data.take(keep[self.screens]).wins()
        place = {name: k for k, name in enumerate(self.systems)}
        pairs = []
        for better, worse in _twos(order):
            won, lost = int(wins[place[better], place[worse]]), int(wins[place[worse], place[better]])
            pairs.append(SystemPair(better, worse, won - lost, sign_test(won, lost, sides=1)))
        return pairs


def _twos(order: list[str]) -> list[tuple[str, str]]:
    return [(better, worse) for n, better in enumerate(order) for worse in order[n + 1 :]]


def _ranker(judgements: Judgements, pair: str | None, alpha: float, severities: Mapping[str, float] | None) -> _Ranker:
    kind = judgements.schema.kind
    if kind == DIRECT_ASSESSMENT.kind:
        data = Assessments.of(judgements, pair=pair)
    elif kind == ERROR_SPANS.kind:
        outputs = span_outputs(judgements, severities or SEVERITIES)
        data = Assessments.of_field(outputs, "score", pair=pair)
        if not len(data):
            data = Assessments.of_field(outputs, "mqm", pair=pair)
    elif kind == "relative-ranking":
        comparisons = compare_pairwise(judgements, pair=pair)
        return _ByRanks(alpha, comparisons, np.unique(comparisons.screen, return_inverse=True)[1].astype(np.int64))
    else:
        raise DataError(f"Budgets are of direct assessments, error spans and relative rankings, not of {kind}.")
    return _ByScores(alpha, data.take(data.is_genuine))
