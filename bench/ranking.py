"""Rankings: bootstrap clusters, TrueSkill's replays, exact orders, on made-up judgements of the size of a campaign.

100,000 pairwise judgements of 13 systems, ten on a screen, with ties; 25 systems that contradict each other at random.
The peer of TrueSkill's replays is the package `trueskill`, asked for a thousandth of one replay's updates.

    python bench/ranking.py [THREADS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from dragoman.data import Comparisons
from dragoman.ranking import RankingRecipe, rank
from dragoman.ranking.linear_order import solve_order

N_SYSTEMS, N_SCREENS = 13, 10_000


def campaign() -> Comparisons:
    """Screens of five out of 13 systems, ranked by ability and noise."""
    rng = np.random.default_rng(1)
    shown = np.sort(rng.random((N_SCREENS, N_SYSTEMS)).argsort(axis=1)[:, :5], axis=1)
    quality = np.linspace(1, 0, N_SYSTEMS)[shown] + rng.normal(0, 1, shown.shape)
    ranks = np.clip(np.round(3 - 1.5 * (quality - 0.5)), 1, 5)
    first, second = np.triu_indices(5, k=1)
    screen = np.repeat(np.arange(N_SCREENS, dtype=np.int32), len(first))
    return Comparisons(
        tuple(f"system {n:02}" for n in range(N_SYSTEMS)),
        tuple(f"annotator {n:03}" for n in range(200)),
        shown[:, first].ravel().astype(np.int32),
        shown[:, second].ravel().astype(np.int32),
        np.sign(ranks[:, second] - ranks[:, first]).ravel().astype(np.int8),
        screen,
        screen // 4,
        screen % 200,
    )


def timed(work: Callable[[], object]) -> float:
    """Seconds on the clock."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def peer_update() -> float:
    """Seconds of one update of the package `trueskill`, or 0 where it is not installed."""
    try:
        import trueskill
    except ImportError:
        return 0.0
    environment = trueskill.TrueSkill(mu=0.0, sigma=0.5, beta=1250.0, tau=0.0, draw_probability=0.25)
    a = b = environment.create_rating()

    def play() -> None:
        nonlocal a, b
        for _ in range(100):
            a, b = environment.rate_1vs1(a, b)

    return timed(play) / 100


def main() -> None:
    """Print seconds, and what they are for."""
    n_threads = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    judged = campaign()
    print(f"{len(judged):,} judgements of {N_SYSTEMS} systems, {n_threads} threads")
    for unit in ("screen", "judgement", "segment"):
        seconds = timed(lambda unit=unit: rank(judged, RankingRecipe(clusters=True, unit=unit), n_threads=n_threads))
        print(f"Expected Wins, 1,000 replicates by {unit}, with clusters   {seconds:8.2f} s")
    seconds = timed(lambda: rank(judged, RankingRecipe(method="trueskill", clusters=True), n_threads=n_threads))
    print(f"TrueSkill, 1,000 replays, with clusters                     {seconds:8.2f} s")
    peer = peer_update()
    if peer:
        whole = 1000 * (len(judged) + 1) * peer
        print(f"  the package trueskill: {whole:,.0f} s for the updates alone, {whole / seconds:,.0f} times as long")
    for name in ("hopkins-may", "bradley-terry", "plackett-luce", "lopez"):
        seconds = timed(lambda name=name: rank(judged, RankingRecipe(method=name, clusters=True), n_threads=n_threads))
        print(f"{name}, 1,000 replicates by screen, with clusters{'':{20 - len(name)}}{seconds:8.2f} s")
    seconds = timed(lambda: rank(judged, RankingRecipe(method="playoffs"), n_threads=n_threads))
    print(f"playoffs, 1,000,000 tournaments{'':29}{seconds:8.2f} s")
    costs = np.random.default_rng(25).integers(0, 100, (25, 25))
    np.fill_diagonal(costs, 0)
    seconds = timed(lambda: solve_order(costs))
    print(f"25 systems in random contradiction, exact{'':19}{seconds:8.2f} s  ({solve_order(costs).certificate})")


if __name__ == "__main__":
    main()
