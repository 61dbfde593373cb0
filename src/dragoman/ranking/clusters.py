"""How sure a ranking is: ranges of ranks over resamples, and the clusters that do not overlap.

Findings of WMT 2013, §3.2.2, and of WMT 2014, §3.3.4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.rng import Stream
from dragoman.stats.arrays import check_level

__all__ = ["boundary_support", "clusters_of", "rank_ranges", "ranks_of"]

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]

_RULES = ("shortest", "equal")


def ranks_of(scores: Floats, *, higher_is_better: bool = True, seed: int = 1) -> Ranks:
    """Ranks from 1 on in every row, best first. Equal scores are put in a random order: neither is owed the better."""
    turned = -scores if higher_is_better else scores
    lots = Stream(seed, "rank ties").bits(scores.size).reshape(scores.shape)
    order = np.lexsort((lots, turned), axis=-1)
    ranks = np.empty(scores.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[-1] + 1)[np.newaxis, :], axis=-1)
    return ranks


def rank_ranges(ranks: Ranks, *, level: float = 0.95, interval: str = "shortest") -> list[tuple[int, int]]:
    """For each column of ranks, the range that holds at least `level` of them.

    `shortest`: the fewest neighbouring ranks that together hold the level; of equally many the ones that hold most,
    then the better ones. `equal`: as many replicates cut off at either end, ⌈(1 − level)·R/2⌉ (wmt-trueskill's rule).
    """
    check_level(level)
    if interval not in _RULES:
        raise DataError(f"A rank range is {' or '.join(_RULES)}, got {interval!r}.")
    if len(ranks) == 0:
        raise DataError("A rank range needs at least one replicate.")
    find = _shortest if interval == "shortest" else _equal
    return [find(column, level) for column in ranks.T]


def _equal(ranks: Ranks, level: float) -> tuple[int, int]:
    ordered = np.sort(ranks)
    # Rounded first: 1000 · (1 − .95) is 50.000000000000044 in binary.
    cut = int(np.ceil(round(len(ordered) * (1 - level) / 2, 9)))
    cut = min(cut, (len(ordered) - 1) // 2)
    return int(ordered[cut]), int(ordered[len(ordered) - 1 - cut])


def _shortest(ranks: Ranks, level: float) -> tuple[int, int]:
    n = int(ranks.max())
    held = np.concatenate([[0], np.cumsum(np.bincount(ranks, minlength=n + 1)[1:])])
    needed = int(np.ceil(round(level * len(ranks), 9)))
    for width in range(1, n + 1):
        within = held[width:] - held[:-width]
        if within.max() >= needed:
            low = int(np.argmax(within)) + 1
            return low, low + width - 1
    raise AssertionError("all ranks together hold every replicate")


def clusters_of(ranges: list[tuple[int, int]]) -> list[int]:
    """The number of each system's cluster, from 1: ranges that overlap, directly or through others, share one."""
    numbers = [0] * len(ranges)
    reached = number = 0
    for place in sorted(range(len(ranges)), key=lambda i: ranges[i]):
        low, high = ranges[place]
        number += low > reached
        numbers[place] = number
        reached = max(reached, high)
    return numbers


def boundary_support(
    ranks: Ranks, *, level: float, interval: str, seed: int, draws: int = 100
) -> tuple[NDArray[np.float64], int]:
    """How firmly each gap between neighbouring ranks parts two clusters: the share of resampled replicates.

    `ranks` has the systems in ranked order. The boundaries of clusters are themselves a matter of chance; this draws
    the replicates anew, as another seed would.
    """
    stream = Stream(seed, "cluster boundaries")
    n = len(ranks)
    hits = np.zeros(ranks.shape[1] - 1)
    for draw in range(draws):
        rows = (stream.uniform(n, start=draw * n) * n).astype(np.int64)
        ranges = rank_ranges(ranks[rows], level=level, interval=interval)
        low = np.array([each[0] for each in ranges])
        high = np.array([each[1] for each in ranges])
        hits += np.maximum.accumulate(high)[:-1] < np.minimum.accumulate(low[::-1])[::-1][1:]
    return hits / draws, draws
