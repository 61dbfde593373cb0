"""Scores of a whole pool, by one method or several together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.select.base import ReasonedScorer, SelectionScore
from dragoman.corpus.select.parts import columns_in_parts
from dragoman.corpus.select.texts import TextBatch, Texts, counted
from dragoman.errors import DataError
from dragoman.parts import PART, Workshop
from dragoman.report import Progress
from dragoman.stats.arrays import Floats

__all__ = ["Join", "PoolScores", "Reasons", "join_scores", "score_pool"]

Join = Literal["ranks", "sums"]


@dataclass(frozen=True, eq=False)
class Reasons:
    """Which of several numbers was the worst of a pair, where a score is the worst of them."""

    names: tuple[str, ...]
    places: NDArray[np.int8]  # in `names`, one for each pair


@dataclass(frozen=True, eq=False)
class PoolScores:
    """The scores of a pool: of each method, with its weight, and of all together. −∞ is not to be taken."""

    methods: tuple[str, ...]
    weights: tuple[float, ...]
    columns: tuple[Floats, ...]
    join: Join
    joint: Floats
    reasons: tuple[Reasons | None, ...] = ()


def score_pool(
    pool: Texts,
    methods: Sequence[SelectionScore],
    *,
    like: Texts | None = None,
    weights: Sequence[float] = (),
    join: Join = "ranks",
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
    shop: Workshop | None = None,
    part: int = PART,
) -> PoolScores:
    """Score a pool by each method in turn, batch by batch; the text is not kept. A blank side is scored −∞.

    With a `shop`, its workers score parts of so many lines by the methods that can work so.
    """
    if not methods:
        raise DataError("Name at least one score to select by.")
    weights = tuple(map(float, weights)) or (1.0,) * len(methods)
    if len(weights) != len(methods) or not all(np.isfinite(weights)):
        raise DataError(f"{len(methods)} scores have as many finite weights; got {len(weights)}.")
    n_lines = counted(pool, "the pool")
    if like is not None:
        counted(like, "the text to be like")
    parted = [each.check() for each in methods if each.in_parts and shop is not None]
    made = iter(columns_in_parts(pool, parted, like, seed, shop, part)) if shop is not None and parted else iter(())
    found = [
        (_without_blanks(pool, next(made)), None)  # parts do not tell reasons
        if each in parted
        else _column(pool, n_lines, each.check(), like, seed, n_threads, progress)
        for each in methods
    ]
    columns = tuple(column for column, _ in found)
    signatures = tuple(each.signature() for each in methods)
    reasons = tuple(why for _, why in found)
    return PoolScores(signatures, weights, columns, join, join_scores(columns, weights, join), reasons)


def _column(
    pool: Texts,
    n_lines: int,
    method: SelectionScore,
    like: Texts | None,
    seed: int,
    n_threads: int,
    progress: Progress | None,
) -> tuple[Floats, Reasons | None]:
    scorer = method.start(like, pool, seed=seed, n_threads=n_threads)
    column: Floats = np.empty(n_lines)
    why = Reasons(scorer.reasons, np.zeros(n_lines, dtype=np.int8)) if isinstance(scorer, ReasonedScorer) else None
    for batch in pool.batches():
        if isinstance(scorer, ReasonedScorer) and why is not None:
            scores, why.places[batch.start : batch.start + len(batch)] = scorer.explained(batch)
        else:
            scores = np.array(scorer(batch), dtype=np.float64)
        column[batch.start : batch.start + len(batch)] = scores
        _refuse_blanks(batch, column)
        if progress:
            progress(batch.start + len(batch), n_lines, f"scoring by {method.name}")
    return column, why


def _refuse_blanks(batch: TextBatch, column: Floats) -> None:
    blank = [any(not side[place].strip() for side in batch.sides) for place in range(len(batch))]
    column[batch.start : batch.start + len(batch)][blank] = -np.inf


def _without_blanks(pool: Texts, column: Floats) -> Floats:
    for batch in pool.batches():
        _refuse_blanks(batch, column)
    return column


def join_scores(columns: Sequence[Floats], weights: Sequence[float], join: Join) -> Floats:
    """Several scores as one: the weighted mean of ranks, 1 for the best and 0 for the last, or the weighted sum.

    What one of them would not take, none takes. One score alone stays as it is.
    """
    if len(columns) == 1:
        return columns[0]
    taken = np.all([np.isfinite(column) for column in columns], axis=0)
    parts = [_ranks(column) for column in columns] if join == "ranks" else columns
    total = np.zeros(len(columns[0]))
    for part, weight in zip(parts, weights, strict=True):
        total[taken] += weight * part[taken]
    if join == "ranks":
        total /= sum(map(abs, weights)) or 1.0
    total[~taken] = -np.inf
    return total


def _ranks(column: Floats) -> Floats:
    """The share of scores below each, equal ones sharing their mean rank."""
    _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middles = ends - (counts + 1) / 2
    ranks: Floats = middles[places] / max(1, len(column) - 1)
    return ranks
