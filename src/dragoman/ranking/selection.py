"""Which method to trust: the one that foretells judgements it has not seen (Findings of WMT 2014, §3.3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.ranking.base import CountMethod, Floats, Progress, RankingMethod, make_ranking
from dragoman.ranking.checks import check_comparable
from dragoman.ranking.ranker import comparisons_of
from dragoman.ranking.resampling import Unit, grouped, unit_keys
from dragoman.report import Column, Figure, Result, Table
from dragoman.rng import Stream

__all__ = ["METHODS", "HeldOut", "MethodChoice", "choose_method", "partial_order"]

# Ten replays settle a mean of Gaussian skills well within the radii below.
METHODS = ("expected-wins", "hopkins-may", "gaussian-skill:runs=10")
_RADII = np.arange(26) / 100  # WMT 2014: 0, .01, …, .25


@dataclass(frozen=True)
class HeldOut:
    """How well a method foretold held-out judgements."""

    method: str
    accuracy: float  # share of judgements, ties included, that the partial order foretold
    log_likelihood: float | None  # mean natural logarithm of the probability given to a judgement
    radius: float | None  # mean over the folds


@dataclass(frozen=True)
class MethodChoice(Result):
    """Methods by held-out accuracy, the best first, with the bound that no method can pass."""

    kind: ClassVar[str] = "method-choice"

    rows: tuple[HeldOut, ...]
    oracle: float
    folds: int
    unit: str
    seed: int
    pair: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def best(self) -> str:
        """The method of highest accuracy."""
        return self.rows[0].method

    def tables(self) -> list[Table]:
        """One row per method, and the oracle."""
        columns = [
            Column("method"),
            Column("accuracy", digits=3),
            Column("log_likelihood", "log-likelihood", digits=4),
            Column("radius", digits=3),
        ]
        rows: list[tuple[Any, ...]] = [(r.method, r.accuracy, r.log_likelihood, r.radius) for r in self.rows]
        rows.append(("oracle", self.oracle, None, None))
        note = (
            f"{self.folds} folds by {self.unit}, seed {self.seed}. Systems whose scores lie within the radius of their "
            "neighbours are foretold to tie; the radius is tuned on the training folds. Oracle: the most frequent "
            "outcome of every pair, which no ranking can pass."
        )
        title = f"Held-out judgements, {self.pair}" if self.pair else "Held-out judgements"
        return [Table.of(title, columns, rows, note=note)]

    def figures(self) -> list[Figure]:
        """Accuracies as bars."""
        table = self.tables()[0]
        return [Figure(table.title, "bar", table, x="method", y="accuracy")]

    def meta(self) -> dict[str, Any]:
        """Folds, seed and judgements."""
        return {
            "best": self.best,
            "folds": self.folds,
            "unit": self.unit,
            "seed": self.seed,
            "pair": self.pair,
            "judgements": dict(self.provenance),
        }


def partial_order(scores: Floats, radius: float) -> NDArray[np.int64]:
    """Clusters, from 1 for the best: a system joins the next better one's cluster within the radius (Table 6)."""
    order = np.argsort(-scores, kind="stable")
    gaps = -np.diff(scores[order])
    # A gap of .15 between .60 and .45 is more than .15 in binary.
    numbers = np.concatenate([[1], 1 + np.cumsum(gaps > radius + 1e-12)])
    clusters = np.empty(len(scores), dtype=np.int64)
    clusters[order] = numbers
    return clusters


def choose_method(
    judgements: Judgements | Comparisons,
    *,
    methods: Sequence[RankingMethod[Any] | str] = METHODS,
    pair: str | None = None,
    folds: int = 100,
    unit: Unit = "judgement",
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> MethodChoice:
    """Cross-validate methods on the judgements of one language pair, as WMT 2014 did to choose TrueSkill.

    `unit` says what falls into one fold together; WMT dealt single judgements.
    """
    compared = comparisons_of(judgements, pair=pair)
    chosen = [make_ranking(method) for method in methods]
    if not chosen:
        raise DataError("Name at least one method to choose from.")
    for method in chosen:
        if method.takes != "comparisons":
            raise DataError(f"The method {method.name!r} does not rank by relative rankings; leave it out.")
        check_comparable(compared, counts_ties=method.counts_ties, label=method.label)
    fold = _folds(compared, unit, folds, seed)
    held = [_counts(compared.take(fold == number)) for number in range(folds)]
    whole = _counts(compared)
    rows = []
    for done, method in enumerate(chosen, start=1):
        rows.append(_held_out(method, compared, fold, held, whole, seed=seed, n_threads=n_threads))
        if progress is not None:
            progress(done, len(chosen))
    wins, ties = whole
    best = np.maximum(np.maximum(wins, wins.T), ties)
    return MethodChoice(
        rows=tuple(sorted(rows, key=lambda row: -row.accuracy)),
        oracle=float(np.triu(best, k=1).sum() / len(compared)),
        folds=folds,
        unit=unit,
        seed=seed,
        pair=pair or (None if compared.provenance.get("pair") is None else str(compared.provenance["pair"])),
        provenance={**compared.provenance, "comparisons": len(compared)},
    )


def _folds(compared: Comparisons, unit: Unit, folds: int, seed: int) -> NDArray[np.int64]:
    order, starts = grouped(unit_keys(compared, unit), len(compared))
    n_units = len(starts) - 1
    if not 2 <= folds <= n_units:
        raise DataError(f"{n_units:,} units of judgements can be dealt into 2 to {n_units:,} folds, got {folds}.")
    of_unit = np.empty(n_units, dtype=np.int64)
    of_unit[Stream(seed, "rank folds").permutation(n_units)] = np.arange(n_units) % folds
    fold = np.empty(len(compared), dtype=np.int64)
    fold[order] = np.repeat(of_unit, np.diff(starts))
    return fold


def _counts(compared: Comparisons) -> tuple[Floats, Floats]:
    return compared.wins().astype(np.float64), compared.ties().astype(np.float64)


def _held_out(
    method: RankingMethod[Any],
    compared: Comparisons,
    fold: NDArray[np.int64],
    held: list[tuple[Floats, Floats]],
    whole: tuple[Floats, Floats],
    *,
    seed: int,
    n_threads: int,
) -> HeldOut:
    if isinstance(method, CountMethod):
        wins = np.stack([whole[0] - some[0] for some in held])
        ties = np.stack([whole[1] - some[1] for some in held])
        scores = method.from_counts(wins, ties, seed=seed, n_threads=n_threads)
    else:
        scores = np.stack(
            [
                method.scores(compared.take(fold != number), seed=seed, n_threads=n_threads).values
                for number in range(len(held))
            ]
        )
    # A system that lost all its judgements to the held-out fold is foretold to tie with the average one.
    scores = np.where(np.isnan(scores), np.nanmean(scores, axis=1, keepdims=True), scores)
    scores = (scores if method.higher_is_better else -scores) / method.decision_unit
    right = total = log_p = radius = 0.0
    for values, (wins, ties) in zip(scores, held, strict=True):
        trained = whole[0] - wins, whole[1] - ties
        tried = [(_hits(partial_order(values, r), *trained), -place) for place, r in enumerate(_RADII)]
        best = _RADII[-max(tried)[1]]
        clusters = partial_order(values, float(best))
        right += _hits(clusters, wins, ties)
        log_p += _log_likelihood(clusters, trained, (wins, ties))
        radius += float(best)
        total += float(wins.sum() + ties.sum() / 2)
    return HeldOut(method.signature(), right / total, log_p / total, radius * method.decision_unit / len(held))


def _split(clusters: NDArray[np.int64], wins: Floats, ties: Floats) -> Floats:
    """Judgements by what was foretold and what came: [[better won, tie, worse won], [–, tie, a win] of one cluster]."""
    better = clusters[:, np.newaxis] < clusters[np.newaxis, :]
    same = clusters[:, np.newaxis] == clusters[np.newaxis, :]
    return np.array(
        [[wins[better].sum(), ties[better].sum(), wins[better.T].sum()], [0.0, ties[same].sum() / 2, wins[same].sum()]]
    )


def _hits(clusters: NDArray[np.int64], wins: Floats, ties: Floats) -> float:
    counts = _split(clusters, wins, ties)
    return float(counts[0, 0] + counts[1, 1])


def _log_likelihood(clusters: NDArray[np.int64], trained: tuple[Floats, Floats], held: tuple[Floats, Floats]) -> float:
    """Σ log p of held-out outcomes; p is what the training folds saw of such a foretelling, one added to each."""
    seen, new = _split(clusters, *trained), _split(clusters, *held)
    apart = np.log((seen[0] + 1) / (seen[0].sum() + 3))
    tie, win = seen[1, 1] + 1, seen[1, 2] + 2
    # Within a cluster either system may win: half of the probability of a win each.
    together = np.array([0.0, np.log(tie / (tie + win)), np.log(win / (tie + win) / 2)])
    return float(new[0] @ apart + new[1] @ together)
