"""How well a screen's ranks meet given answers, and how well they would by chance.

The pairs of one screen are not independent: ranks dealt at random agree in many of them together or in few. Chance is
therefore that of dealing the same ranks anew to the systems of the screen, counted over all orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons
from dragoman.rng import Stream

__all__ = ["NO_ANSWER", "Ints", "ScreenScores", "answers_of_others", "screen_scores", "sum_distribution", "tails"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_ANSWER = 2  # no outcome: those are −1, 0, 1
_MOST_DIRECT = 1000  # terms up to which distributions are folded directly
_MOST_ORDERS = 720  # of six systems; larger screens draw that many orders


@dataclass(frozen=True)
class ScreenScores:
    """Screens with at least one answer: whose, how many pairs have an answer, how many meet it, and chance."""

    annotator: Ints
    comparable: Ints
    agreeing: Ints
    chance: Floats  # (screens, k + 1): the probability of meeting 0 … k answers with ranks dealt at random


def answers_of_others(comparisons: Comparisons) -> Ints:
    """For every comparison what most other annotators said of it; `NO_ANSWER` without others or without a majority."""
    n, n_people = len(comparisons.systems), max(1, len(comparisons.annotators))
    cells = (comparisons.segment.astype(np.int64) * n + comparisons.first) * n + comparisons.second
    _, item = np.unique(cells, return_inverse=True)
    _, own = np.unique(item * n_people + comparisons.annotator, return_inverse=True)
    label = comparisons.outcome.astype(np.int64) + 1
    others = _label_counts(item, label)[item] - _label_counts(own, label)[own]
    most = others.max(axis=1)
    decided = (most > 0) & ((others == most[:, None]).sum(axis=1) == 1)
    return np.where(decided, others.argmax(axis=1) - 1, NO_ANSWER).astype(np.int64)


def _label_counts(group: Ints, label: Ints) -> Ints:
    n = int(group.max(initial=-1)) + 1
    return np.bincount(group * 3 + label, minlength=3 * n).reshape(n, 3)


def screen_scores(comparisons: Comparisons, answers: Ints) -> ScreenScores:
    """Compare every screen with the answers to its pairs."""
    _, screen = np.unique(comparisons.screen, return_inverse=True)
    n_screens, n = int(screen.max(initial=-1)) + 1, len(comparisons.systems)
    a, b = screen * n + comparisons.first, screen * n + comparisons.second
    members = np.unique(np.concatenate([a, b]))
    starts = np.searchsorted(members, np.arange(n_screens + 1) * n)
    sizes = np.diff(starts)
    a, b = np.searchsorted(members, a), np.searchsorted(members, b)
    # How many others on the screen are better is a rank, and equal ranks stay equal.
    losers = np.concatenate([b[comparisons.outcome > 0], a[comparisons.outcome < 0]])
    ranks = np.bincount(losers, minlength=len(members))

    has = answers != NO_ANSWER
    comparable = np.bincount(screen, weights=has, minlength=n_screens).astype(np.int64)
    met = np.bincount(screen, weights=answers == comparisons.outcome, minlength=n_screens).astype(np.int64)
    annotator = np.zeros(n_screens, dtype=np.int64)
    annotator[screen] = comparisons.annotator
    most = int(comparable.max(initial=0))
    chance = np.zeros((n_screens, most + 1))
    for size in np.unique(sizes[sizes > 1]).tolist():
        chosen = np.flatnonzero((sizes == size) & (comparable > 0))
        place = np.full(n_screens, -1)
        place[chosen] = np.arange(len(chosen))
        rows = np.flatnonzero(place[screen] >= 0)
        asked = np.full((len(chosen), size, size), NO_ANSWER, dtype=np.int8)
        start = starts[screen[rows]]
        asked[place[screen[rows]], a[rows] - start, b[rows] - start] = answers[rows]
        dealt = ranks[starts[chosen][:, None] + np.arange(size)]
        chance[chosen] = _chance(dealt, asked, most)
    seen = comparable > 0
    return ScreenScores(annotator[seen], comparable[seen], met[seen], chance[seen])


def _chance(ranks: Ints, asked: NDArray[np.int8], most: int) -> Floats:
    size = ranks.shape[1]
    left, right = np.triu_indices(size, k=1)
    wanted = asked[:, left, right]
    counts = np.zeros((len(ranks), most + 1))
    everyone = np.arange(len(ranks))
    orders = _orders(size)
    for order in orders:
        dealt = ranks[:, order]
        signs = np.sign(dealt[:, right] - dealt[:, left])
        counts[everyone, (signs == wanted).sum(axis=1)] += 1
    return counts / len(orders)


def _orders(size: int) -> list[list[int]]:
    if factorial(size) <= _MOST_ORDERS:
        return [list(order) for order in permutations(range(size))]
    draws = Stream(size, "orders").uniform(size * _MOST_ORDERS).reshape(_MOST_ORDERS, size)
    return [order.tolist() for order in np.argsort(draws, axis=1, kind="stable")]


def sum_distribution(parts: Sequence[Floats]) -> Floats:
    """The distribution of a sum of independent counts, each given by its probabilities of 0, 1, 2, …"""
    level = [np.asarray(part, dtype=np.float64) for part in parts] or [np.ones(1)]
    while len(level) > 1:
        joined = [_joined(level[n], level[n + 1]) for n in range(0, len(level) - 1, 2)]
        level = joined + level[len(joined) * 2 :]
    return level[0]


def _joined(a: Floats, b: Floats) -> Floats:
    if min(len(a), len(b)) <= _MOST_DIRECT:
        return np.convolve(a, b)
    from scipy.signal import fftconvolve

    # Right to about 1e-16 of probability, which is all that a p-value needs.
    product: Floats = np.maximum(0.0, fftconvolve(a, b))
    return product


def tails(distribution: Floats, observed: int) -> tuple[float, float]:
    """P(at least `observed`) and P(at most `observed`)."""
    above, below = distribution[observed:].sum(), distribution[: observed + 1].sum()
    return min(1.0, float(above)), min(1.0, float(below))
