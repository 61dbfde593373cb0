"""Scoring a pool in parts: what a score must learn, one worker learns; then each part is scored by itself.

Scores that look at the whole pool at a time (`retrieve`, `infrequent`) are no work for parts: `score_pool` does them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.corpus.parts import text_in_parts
from dragoman.corpus.select.base import SELECTION_SCORES, SelectionScore
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.data.bitext import BATCH, Bitext, Pair, PairSource
from dragoman.parts import Cut, Workshop, read_cut
from dragoman.stats.arrays import Floats

__all__ = ["columns_in_parts"]


def columns_in_parts(
    pool: Texts, methods: Sequence[SelectionScore], like: Texts | None, seed: int, shop: Workshop, part: int
) -> list[Floats]:
    """The scores of a pool by each method, blank sides not yet looked at."""
    described = _described(pool, shop, part)
    wanted = _described(like, shop, part) if like is not None else None
    specs = [method.anywhere().signature() for method in methods]
    learnt = shop.map(
        learn_score, [{"method": spec, "like": wanted, "pool": described, "seed": seed} for spec in specs]
    )
    starts = list(accumulate(described["counts"], initial=0))[:-1]
    parts = [
        {"method": spec, "learnt": str(folder), "n_sides": pool.n_sides, "start": start, **cuts}
        for spec, folder in zip(specs, learnt, strict=True)
        for start, cuts in zip(starts, described["cuts"], strict=True)
    ]
    scores = [np.load(folder / "scores.npy") for folder in shop.map(score_part, parts)]
    return [np.concatenate(scores[i : i + len(starts)]) for i in range(0, len(scores), len(starts))]


def _described(texts: Texts, shop: Workshop, part: int) -> dict[str, Any]:
    """Texts in files that all workers see, as JSON can say it."""
    cuts = text_in_parts(shop, texts.bitext, part)
    counts = [part] * (len(cuts) - 1) + [texts.count() - part * (len(cuts) - 1)]
    return {"cuts": cuts, "counts": counts, "n_sides": texts.n_sides, "label": texts.label}


@dataclass(frozen=True, eq=False)
class _Parts(PairSource):
    """A text in parts."""

    cuts: Sequence[Mapping[str, Cut]]
    name: str

    @property
    def label(self) -> str:
        return self.name

    def pairs(self) -> Iterator[Pair]:
        for cuts in self.cuts:
            yield from zip(read_cut(cuts["source"]), read_cut(cuts["target"]), strict=True)


def _texts(described: Mapping[str, Any]) -> Texts:
    return Texts(Bitext((_Parts(described["cuts"], described["label"]),)), described["n_sides"])


def learn_score(folder: Path, method: str, like: Mapping[str, Any] | None, pool: Mapping[str, Any], seed: int) -> None:
    """What a score must know of the whole texts."""
    texts = _texts(like) if like is not None else None
    SELECTION_SCORES.make(method).learn(folder, texts, _texts(pool), seed=seed, n_threads=1)


def score_part(folder: Path, source: Cut, target: Cut, method: str, learnt: str, n_sides: int, start: int) -> None:
    """The scores of a part of the pool, whose first line has the number `start`."""
    score = SELECTION_SCORES.make(method).open(Path(learnt), n_threads=1)
    sides = [read_cut(cut) for cut in (source, target)[:n_sides]]
    scores = [
        np.asarray(score(TextBatch(start + at, tuple(side[at : at + BATCH] for side in sides))), np.float64)
        for at in range(0, len(sides[0]), BATCH)
    ]
    np.save(folder / "scores.npy", np.concatenate(scores))
