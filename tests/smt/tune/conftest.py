"""A decoder that is no decoder: fixed lists of candidates, re-ranked by the weights it is given."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class FixedLists:
    texts: list[str]
    offsets: NDArray[np.int64]
    features: NDArray[np.float64]


@dataclass(eq=False)
class Reranker:
    """Gives the `n_best` candidates of every segment under the weights, best first; counts the segments it saw."""

    texts: list[list[str]]  # by segment
    features: list[NDArray[np.float64]]
    n_best: int = 20
    seen: list[int] = field(default_factory=list)

    def __call__(self, weights: NDArray[np.float64], segments: NDArray[np.int64] | None = None) -> FixedLists:
        numbers = range(len(self.texts)) if segments is None else segments.tolist()
        texts: list[str] = []
        rows, ends = [], [0]
        for number in numbers:
            order = np.argsort(-(self.features[number] @ weights), kind="stable")[: self.n_best]
            texts += [self.texts[number][i] for i in order]
            rows.append(self.features[number][order])
            ends.append(len(texts))
        self.seen.append(len(ends) - 1)
        return FixedLists(texts, np.array(ends, dtype=np.int64), np.vstack(rows))


PLANTED = np.array([1.0, -0.5, 0.8, 0.0])
NAMES = ("a", "b", "c", "d")


@dataclass(frozen=True, eq=False)
class Task:
    decode: Reranker
    refs: list[list[str]]
    names: tuple[str, ...] = NAMES

    def start(self, *values: float) -> dict[str, float]:
        return dict(zip(self.names, values, strict=True))


def make_task(n_segments: int = 60, n_candidates: int = 30, *, noise: float = 0.3, seed: int = 3) -> Task:
    """Candidates whose errors grow as their score under the planted weights falls."""
    rng = np.random.default_rng(seed)
    refs, texts, features = [], [], []
    for segment in range(n_segments):
        words = [f"w{segment}x{i}" for i in range(14)]
        rows = rng.normal(size=(n_candidates, len(PLANTED)))
        quality = rows @ PLANTED + noise * rng.normal(size=n_candidates)
        rank = np.argsort(np.argsort(-quality))
        lines = []
        for candidate in range(n_candidates):
            wrong = min(len(words), int(rank[candidate] * len(words) / n_candidates))
            lines.append(" ".join(["no"] * wrong + words[wrong:]))
        refs.append(" ".join(words))
        texts.append(lines)
        features.append(rows)
    return Task(Reranker(texts, features), [refs])


@pytest.fixture
def task() -> Task:
    return make_task()
