"""Judgements made for tests: rankings out of known qualities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.data import Judgements
from dragoman.data.judgements import ranking_schema

SCHEMA = ranking_schema(5)


def screen(
    annotator: str, segment: int, ranks: dict[str, int | None], *, item: int = 0, pair: tuple[str, str] = ("fr", "en")
) -> dict[str, str | int | None]:
    """One ranking task, its systems in the order given."""
    row: dict[str, str | int | None] = {
        "annotator": annotator,
        "item": str(item),
        "source_lang": pair[0],
        "target_lang": pair[1],
        "segment": segment,
    }
    for n, (name, rank) in enumerate(ranks.items(), start=1):
        row[f"system{n}"], row[f"rank{n}"] = name, rank
    return row


def rankings(rows: Sequence[dict[str, str | int | None]]) -> Judgements:
    return Judgements.of(SCHEMA, rows)


def simulated(
    n_sound: int, n_random: int, n_screens: int, *, seed: int, n_segments: int = 30, noise: float = 1.0
) -> Judgements:
    """Annotators who rank five of eight systems by quality and noise, and some who deal ranks at random."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, (n_segments, 8)) + np.linspace(-1, 1, 8)
    rows = []
    for person in range(n_sound + n_random):
        is_random = person >= n_sound
        for _ in range(n_screens):
            segment = int(rng.integers(n_segments))
            shown = rng.permutation(8)[:5]
            felt = rng.normal(0, noise, 5) + (0 if is_random else quality[segment, shown])
            order = np.argsort(np.argsort(-felt)) + 1
            ranks = np.minimum(order, rng.integers(3, 6))  # the tail is tied now and then
            name = f"{'random' if is_random else 'sound'}-{person}"
            rows.append(screen(name, segment, {f"sys{s}": int(r) for s, r in zip(shown, ranks, strict=True)}))
    return rankings(rows)
