"""Made-up judgements for the tests of rankings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.data import Comparisons


def made(rows: Sequence[tuple[int, int, int]], n: int | None = None, *, per_screen: int = 1) -> Comparisons:
    """Comparisons of A, B, C …, given as (first, second, outcome); `per_screen` of them on each screen."""
    size = n if n is not None else max(max(i, j) for i, j, _ in rows) + 1
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    swapped = table[:, 0] > table[:, 1]
    first, second = table[:, :2].min(axis=1), table[:, :2].max(axis=1)
    number = np.arange(len(table), dtype=np.int32) // per_screen
    return Comparisons(
        tuple(chr(65 + i) for i in range(size)),
        ("x", "y"),
        first.astype(np.int32),
        second.astype(np.int32),
        np.where(swapped, -table[:, 2], table[:, 2]).astype(np.int8),
        number,
        number // 2,
        number % 2,
        {"pair": "de-en"},
    )


def from_wins(wins: Sequence[Sequence[int]]) -> Comparisons:
    """Comparisons with these wins and no ties, each on a screen of its own."""
    return made([(i, j, 1) for i, row in enumerate(wins) for j, count in enumerate(row) for _ in range(count)])


def campaign(n_systems: int = 5, n_screens: int = 200, *, seed: int = 0, noise: float = 0.6) -> Comparisons:
    """Screens of all systems, ranked by ability and noise with ties; A is the best."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(1, 0, n_systems) + rng.normal(0, noise, (n_screens, n_systems))
    ranks = np.round(-quality * 2)
    rows = [
        (i, j, int(np.sign(screen[j] - screen[i])))
        for screen in ranks
        for i in range(n_systems)
        for j in range(i + 1, n_systems)
    ]
    return made(rows, n_systems, per_screen=n_systems * (n_systems - 1) // 2)
