"""Meta-evaluation: Williams' matrix of 50 metrics, tie calibration of 100,000 pairs, τ of long vectors.

The peer of calibration is the obvious loop: sort the pairs, turn one after the other into a tie, keep the sums; of τ-b
it is SciPy's. CPU seconds of one thread. The bar for Williams' matrix is one second.

    python bench/meta.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import scipy.stats

from dragoman.stats.concordance import calibrated_accuracy
from dragoman.stats.correlation import kendall
from dragoman.stats.soft import soft_pairwise_accuracy
from dragoman.stats.williams import williams_matrix

T = TypeVar("T")


def timed(work: Callable[[], T], repeats: int = 3) -> tuple[float, T]:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


def naive_calibration(human: list[float], metric: list[float], group: list[int]) -> float:
    sizes: dict[int, int] = {}
    right: dict[int, int] = {}
    for h, m, g in zip(human, metric, group, strict=True):
        sizes[g] = sizes.get(g, 0) + 1
        right[g] = right.get(g, 0) + ((h > 0) - (h < 0) == (m > 0) - (m < 0))
    total = sum(right[g] / sizes[g] for g in sizes)
    best = total
    ordered = sorted(zip(human, metric, group, strict=True), key=lambda pair: abs(pair[1]))
    for place, (h, m, g) in enumerate(ordered):
        was = (h > 0) - (h < 0) == (m > 0) - (m < 0)
        total += ((h == 0) - was) / sizes[g]
        if place + 1 == len(ordered) or abs(ordered[place + 1][1]) != abs(m):
            best = max(best, total)
    return best / len(sizes)


def main() -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=20)
    metrics = human + rng.normal(size=(50, 20))
    seconds, matrix = timed(lambda: williams_matrix(metrics, human))
    print(f"Williams' matrix, 50 metrics, 20 systems: {1000 * seconds:.1f} ms ({matrix.n_pairs} tests)")
    holes = metrics.copy()
    holes[rng.random(holes.shape) < 0.05] = np.nan
    seconds, _ = timed(lambda: williams_matrix(holes, human))
    print(f"  with 5 % of the scores missing: {1000 * seconds:.1f} ms")

    gaps = rng.integers(-3, 4, size=100_000).astype(float)
    scores = gaps + rng.normal(size=100_000) * 2
    groups = rng.integers(0, 2000, size=100_000)
    seconds, found = timed(lambda: calibrated_accuracy(gaps, scores, groups))
    lists = (gaps.tolist(), scores.tolist(), groups.tolist())
    naive, expected = timed(lambda: naive_calibration(*lists), repeats=1)
    assert abs(found.accuracy - expected) < 1e-9
    print(f"tie calibration, 100,000 pairs in 2,000 groups: {1000 * seconds:.1f} ms, {naive / seconds:.0f} x the loop")

    x = rng.normal(size=100_000)
    y = np.round(x + rng.normal(size=100_000), 2)
    seconds, tau = timed(lambda: kendall(x, y))
    peer, expected = timed(lambda: float(scipy.stats.kendalltau(x, y).statistic))
    assert abs(tau - expected) < 1e-12
    print(f"τ-b, 100,000 items: {1000 * seconds:.1f} ms, {peer / seconds:.1f} x SciPy")

    table = rng.normal(size=(2, 14, 1300))
    seconds, _ = timed(lambda: soft_pairwise_accuracy(table[0], table[1]))
    print(f"soft accuracy, 14 systems, 1,300 segments, 1,000 trials: {1000 * seconds:.1f} ms")


if __name__ == "__main__":
    main()
