"""How much of a machine translation will be changed, learnt from what the same people have changed so far.

A ridge regression from a few numbers of a source and its machine translation to HTER, the share of words edited. It
starts from a prior, `START` or what was fitted on others' post-edits, and every confirmed segment moves it: a project
whose translators change more, or less, than others is known by its first dozen segments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.hter import hter
from dragoman.text import TOKENISERS

__all__ = ["MOST_EDITS", "EffortEstimator", "PostEdit", "effort_features", "hters"]

Floats = NDArray[np.float64]

_RIDGE = 5.0  # how many segments the prior is worth
MOST_EDITS = 500  # segments that count: the last ones, so that an update stays quick
_MARKS = re.compile(r"[^\w\s]")
START = 0.3  # HTER of a segment of which nothing is known


@dataclass(frozen=True)
class PostEdit:
    """A source, its machine translation, and the share of it that was changed."""

    source: str
    machine: str
    hter: float


def effort_features(source: str, machine: str) -> Floats:
    """What an estimate is made from: lengths and their ratio, marks, words left as they were."""
    words, others = source.split(), machine.split()
    known = {word.casefold() for word in words}
    same = sum(word.casefold() in known for word in others) / max(1, len(others))
    marks = len(_MARKS.findall(machine)) - len(_MARKS.findall(source))
    return np.array(
        [
            1.0,
            log(1 + len(words)),
            min(3.0, len(others) / max(1, len(words))),
            min(1.0, abs(marks) / max(1, len(words))),
            same,
            sum(map(len, others)) / max(1, len(others)) / 10,
        ]
    )


@dataclass
class EffortEstimator:
    """Estimates HTER; `learn` and `rollback` move it. All it has learnt is `edits`, the newest last."""

    prior: Floats | None = None  # weights of the features; None: `START` whatever they are
    edits: list[PostEdit] = field(default_factory=list)
    _weights: Floats | None = None

    def estimate(self, source: str, machine: str) -> float:
        """The share of words that will be edited, from 0 to 1."""
        if self._weights is None:
            self._weights = self._fitted()
        return float(np.clip(effort_features(source, machine) @ self._weights, 0.0, 1.0))

    def learn(self, edits: Sequence[PostEdit]) -> None:
        """Take in segments as they were confirmed."""
        self.edits += edits
        self._weights = None

    def rollback(self, n_edits: int) -> int:
        """Forget the last segments until so many are left; how many were forgotten."""
        before = len(self.edits)
        del self.edits[n_edits:]
        self._weights = None
        return before - len(self.edits)

    @classmethod
    def of_others(cls, edits: Sequence[PostEdit]) -> EffortEstimator:
        """An estimator whose prior is what others' post-edits say."""
        whole = cls(edits=list(edits))
        return cls(prior=whole._fitted(most=len(edits)))

    def _fitted(self, most: int = MOST_EDITS) -> Floats:
        """The weights nearest to the prior that fit the edits (ridge regression)."""
        n_features = len(effort_features("", ""))
        start = np.array([START] + [0.0] * (n_features - 1)) if self.prior is None else self.prior
        last = self.edits[-most:]
        if not last:
            return start
        x = np.stack([effort_features(each.source, each.machine) for each in last])
        y = np.array([min(1.0, each.hter) for each in last])
        moved = np.linalg.solve(x.T @ x + _RIDGE * np.eye(n_features), x.T @ (y - x @ start))
        fitted: Floats = start + moved
        return fitted


def hters(machines: Sequence[str], finals: Sequence[str]) -> list[tuple[float, int]]:
    """HTER of each machine translation against what became of it, and how many words were edited."""
    if not finals:
        return []
    tokeniser = TOKENISERS.make("13a")
    scores: Any = hter(*(tokeniser.tokenise([" ".join(text.split()) for text in side]) for side in (machines, finals)))
    return list(zip(scores.values, scores.edits, strict=True))
