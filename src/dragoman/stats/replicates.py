"""Scores of resampled test sets, many systems at once on the same draws.

A draw depends on the seed, the trial and the number of segments, not on which systems are looked at, so a pair gets the
same p-value alone and within a table of all pairs.

Several runs of a system (Clark et al., ACL 2011) are a second factor. A system's score is the mean of its runs' scores.
A bootstrap sample takes segments with replacement, the same for all runs and systems, and of each system's R runs R − 1
with replacement: that many make the variance of the mean over runs come out unbiased (Rao & Wu, JASA 1988), where R
would make it too small by (R − 1)/R, a half for two runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from dragoman._core import resample
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats, Values, score_of

__all__ = ["bootstrap_scores", "dealt_differences", "pieces", "side_by_side", "swapped_differences"]

_CELLS = 1 << 23  # sums held at once: 64 MB


def side_by_side(systems: Sequence[Floats]) -> Floats:
    """All runs of all systems as columns of one array: (n, runs of all systems × k)."""
    return np.ascontiguousarray(np.concatenate([run for system in systems for run in system], axis=1))


def pieces(trials: int, n_columns: int) -> Iterator[tuple[int, int]]:
    """Cut trials into (first, count) so that their sums stay within bounds; multiples of 32, see `compat`."""
    step = max(32, _CELLS // max(1, n_columns) // 32 * 32)
    return ((first, min(step, trials - first)) for first in range(0, trials, step))


def bootstrap_scores(
    systems: Sequence[Floats], values: Values, *, trials: int, seed: int, n_threads: int = 1
) -> Floats:
    """The score of every system in every bootstrap sample: (trials, systems)."""
    rows = side_by_side(systems)
    key = Stream(seed, "bootstrap").key
    n_statistics = systems[0].shape[2]
    parts = []
    for first, count in pieces(trials, rows.shape[1]):
        totals = resample.bootstrap_totals(rows, count, key, first_trial=first, n_threads=n_threads)
        parts.append(score_of(values, totals.reshape(count, -1, n_statistics), "resamples"))
    return mean_of_runs(np.concatenate(parts), systems, seed=seed)


def mean_of_runs(scores: Floats, systems: Sequence[Floats], *, seed: int) -> Floats:
    """From (trials, runs of all systems) to (trials, systems), with the runs resampled."""
    result = np.empty((len(scores), len(systems)))
    start = 0
    for number, system in enumerate(systems):
        own = scores[:, start : start + len(system)]
        start += len(system)
        if len(system) == 1:
            result[:, number] = own[:, 0]
        else:
            # Keyed by content: a system has its draws wherever it stands in a list, and never beats itself.
            digest = blake2b(system.tobytes(), digest_size=8).hexdigest()
            drawn = _below(Stream(seed, f"runs:{digest}"), len(system), len(scores) * (len(system) - 1))
            result[:, number] = np.take_along_axis(own, drawn.reshape(len(scores), -1), axis=1).mean(axis=1)
    return result


def _below(stream: Stream, n: int, count: int) -> NDArray[np.int64]:
    high = stream.bits(count) >> np.uint64(32)
    return ((high * np.uint64(n)) >> np.uint64(32)).astype(np.int64)


def swapped_differences(
    systems: Sequence[Floats],
    values: Values,
    pairs: Sequence[tuple[int, int]],
    *,
    trials: int,
    seed: int,
    n_threads: int = 1,
) -> Floats:
    """Score differences after exchanging segments of the first runs by coin flips: (trials, pairs)."""
    single = [system[0] for system in systems]
    rows = side_by_side([system[:1] for system in systems])
    key = Stream(seed, "randomisation").key
    whole = [run.sum(axis=0) for run in single]
    n_statistics = single[0].shape[1]
    result = np.empty((trials, len(pairs)))
    for first, count in pieces(trials, rows.shape[1]):
        heads = resample.coin_totals(rows, count, key, first_trial=first, n_threads=n_threads)
        heads = heads.reshape(count, -1, n_statistics)
        for number, (a, b) in enumerate(pairs):
            moved = heads[:, a] - heads[:, b]
            result[first : first + count, number] = score_of(values, whole[b] + moved, "shuffles") - score_of(
                values, whole[a] - moved, "shuffles"
            )
    return result


def dealt_differences(a: Floats, b: Floats, values: Values, *, trials: int, seed: int, n_threads: int = 1) -> Floats:
    """Score differences when, segment by segment, the outputs of all runs of both systems are dealt anew: (trials,)."""
    rows = side_by_side([a, b])
    key = Stream(seed, "randomisation").key
    n_slots = len(a) + len(b)
    parts = []
    for first, count in pieces(trials, rows.shape[1]):
        totals = resample.dealt_totals(rows, n_slots, count, key, first_trial=first, n_threads=n_threads)
        scores = score_of(values, totals.reshape(count, n_slots, -1), "shuffles")
        parts.append(scores[:, : len(a)].mean(axis=1) - scores[:, len(a) :].mean(axis=1))
    return np.concatenate(parts)
