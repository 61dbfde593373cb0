"""Selectors that give each feature a strength and keep those that are strong again and again (Avramidis, WMT 2012)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.selectors.base import Job, Selector
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["GainRatio", "InformationGain", "ReliefF", "binned", "entropy", "relieff"]


@dataclass(frozen=True)
class _Ranked(Selector):
    """Base: the strongest features of each of several parts of the sentences, as far as the parts agree."""

    most: int = option(40, low=1, text="features that a part of the sentences votes for")
    folds: int = option(10, low=1, high=100, text="parts, each leaving out a run of sentences; 1 takes all at once")
    agreement: float = option(0.9, low=0.0, high=1.0, text="share of the parts that must vote for a feature")

    @abstractmethod
    def strengths(self, x: Floats, y: Floats) -> Floats:
        """One number for each feature, the more the better."""

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:  # noqa: ARG002
        """The columns that enough parts vote for; the one with most votes where none has enough."""
        n = len(y)
        folds = min(self.folds, n)
        votes = np.zeros(x.shape[1])
        for fold in range(folds):
            inside = np.ones(n, dtype=bool)
            if folds > 1:
                inside[n * fold // folds : n * (fold + 1) // folds] = False
            strengths = self.strengths(x[inside], y[inside])
            order = np.argsort(-strengths, kind="stable")[: self.most]
            votes[order[strengths[order] > 0]] += 1
        chosen = np.flatnonzero(votes >= max(1.0, self.agreement * folds - 1e-9))
        return chosen if len(chosen) else np.array([int(votes.argmax())])


@dataclass(frozen=True)
class InformationGain(_Ranked):
    """Features that tell most of the scores: H(score) − H(score | feature), both cut into bins of equal size."""

    name: ClassVar[str] = "information-gain"

    bins: int = option(5, low=2, high=100, text="bins of features and scores")

    def strengths(self, x: Floats, y: Floats) -> Floats:
        """Gains in bits."""
        scores = binned(y, self.bins)
        return np.array([_gain(binned(column, self.bins), scores)[0] for column in x.T])


@dataclass(frozen=True)
class GainRatio(_Ranked):
    """The same gain, divided by what the feature itself holds, H(feature): many values are no merit."""

    name: ClassVar[str] = "gain-ratio"

    bins: int = option(5, low=2, high=100, text="bins of features and scores")

    def strengths(self, x: Floats, y: Floats) -> Floats:
        """Ratios, 0 where a feature has one bin."""
        scores = binned(y, self.bins)
        ratios = []
        for column in x.T:
            gain, own = _gain(binned(column, self.bins), scores)
            ratios.append(gain / own if own > 0 else 0.0)
        return np.array(ratios)


@dataclass(frozen=True)
class ReliefF(_Ranked):
    """Features that differ where the scores of near sentences differ, and not where they do not.

    RReliefF, the form for numbers (Robnik-Šikonja & Kononenko 1997).
    """

    name: ClassVar[str] = "relieff"

    neighbours: int = option(10, low=1, text="near sentences that each is compared with")
    sample: int = option(200, low=1, text="sentences that are compared with their neighbours, evenly spread")

    def strengths(self, x: Floats, y: Floats) -> Floats:
        """RReliefF's weights."""
        return relieff(x, y, self.neighbours, self.sample)


def binned(values: Floats, n: int) -> NDArray[np.int64]:
    """The number of each value's bin among n with as many values each, as far as equal values stay together."""
    cuts = np.quantile(values, np.arange(1, n) / n)
    return np.searchsorted(np.unique(cuts), values, side="left")


def entropy(counts: NDArray[np.int64]) -> float:
    """In bits, of what is counted."""
    p = counts[counts > 0] / max(1, counts.sum())
    return float(-(p * np.log2(p)).sum())


def _gain(feature: NDArray[np.int64], scores: NDArray[np.int64]) -> tuple[float, float]:
    """What a feature tells of the scores, and its own entropy."""
    width = int(scores.max()) + 1
    together = np.bincount(feature * width + scores, minlength=(int(feature.max()) + 1) * width).reshape(-1, width)
    own = entropy(together.sum(axis=1))
    # I(X; Y) = H(X) + H(Y) − H(X, Y), and nothing below 0 by rounding
    return max(0.0, own + entropy(together.sum(axis=0)) - entropy(together.ravel())), own


def relieff(x: Floats, y: Floats, neighbours: int, sample: int) -> Floats:
    """W(A) = P(different A | different score) − P(different A | equal score) among neighbours, as far as estimated.

    Neighbours by Manhattan distance of features brought to [0, 1]; the r-th of k weighs exp(−(r/(k/3))²).
    """
    n, width = x.shape
    if n < 2:
        return np.zeros(width)
    span = np.ptp(x, axis=0)
    z = (x - x.min(axis=0)) / np.where(span > 0, span, 1.0)
    spread = float(np.ptp(y)) or 1.0
    k = min(neighbours, n - 1)
    weights = np.exp(-((np.arange(1, k + 1) / max(k / 3, 1e-9)) ** 2))
    weights /= weights.sum()
    chosen = np.arange(n) if n <= sample else np.arange(sample) * n // sample
    n_score, n_both, n_feature = 0.0, np.zeros(width), np.zeros(width)
    for row in chosen.tolist():
        apart = np.abs(z - z[row])
        distance = apart.sum(axis=1)
        distance[row] = np.inf
        near = np.argsort(distance, kind="stable")[:k]
        differ = np.abs(y[near] - y[row]) / spread * weights
        n_score += float(differ.sum())
        n_both += differ @ apart[near]
        n_feature += weights @ apart[near]
    m = float(len(chosen))
    differing = n_both / n_score if n_score > 0 else np.zeros(width)
    rest = m - n_score
    strengths: Floats = differing - ((n_feature - n_both) / rest if rest > 0 else 0.0)
    return strengths
