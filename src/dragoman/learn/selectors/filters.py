"""Selectors that look at correlations alone, and stability selection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.selectors.base import Job, Selector, correlations, without_twins
from dragoman.options import option
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["Correlated", "CorrelationSelection", "Stability", "cfs_merit"]


@dataclass(frozen=True)
class Correlated(Selector):
    """Features that correlate with the scores, without twins (Multilizer, WMT 2014: |r| of .2 or more)."""

    name: ClassVar[str] = "correlation"

    least: float = option(0.2, low=0.0, high=1.0, text="|r| with the scores from which on a feature is kept")
    twins: float = option(0.999, low=0.0, high=1.0, text="|r| of two features above which the later one goes")

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:  # noqa: ARG002
        """The columns to keep; the best one where none reaches the bound."""
        columns = without_twins(x, self.twins)
        strength = np.abs(correlations(x[:, columns], y))
        chosen = columns[strength >= self.least]
        return chosen if len(chosen) else columns[[int(strength.argmax())]]


def cfs_merit(with_scores: Floats, between: Floats, chosen: list[int]) -> float:
    """k·r̄ / √(k + k(k−1)·r̄ₓₓ) of a set of features (Hall 1999), from |r| with the scores and between features."""
    k = len(chosen)
    if not k:
        return 0.0
    inner = between[np.ix_(chosen, chosen)]
    mutual = (inner.sum() - np.trace(inner)) / (k * (k - 1)) if k > 1 else 0.0
    return float(k * with_scores[chosen].mean() / np.sqrt(k + k * (k - 1) * mutual))


@dataclass(frozen=True)
class CorrelationSelection(Selector):
    """Correlation-based selection: features that go with the scores and not with each other (DFKI, WMT 2012).

    |r| stands for Hall's symmetrical uncertainty. `patience` 1 is the greedy search; more keeps on from the next best
    sets, until so many have brought nothing better.
    """

    name: ClassVar[str] = "cfs"

    patience: int = option(5, low=1, text="sets in a row without gain that end the search")

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:  # noqa: ARG002
        """The columns of the set with the highest merit met by best-first search."""
        with_scores = np.abs(correlations(x, y))
        centred = x - x.mean(axis=0)
        centred /= np.sqrt(np.square(centred).sum(axis=0))
        between = np.abs(centred.T @ centred)
        best: tuple[int, ...] = (int(with_scores.argmax()),)
        best_merit = cfs_merit(with_scores, between, list(best))
        waiting = {best: best_merit}
        seen = {best}
        stale = 0
        while waiting and stale < self.patience:
            here = max(waiting, key=lambda each: (waiting[each], each))
            del waiting[here]
            gained = False
            for feature in range(x.shape[1]):
                there = tuple(sorted({*here, feature}))
                if feature in here or there in seen:
                    continue
                seen.add(there)
                merit = cfs_merit(with_scores, between, list(there))
                waiting[there] = merit
                if merit > best_merit + 1e-9:
                    best, best_merit, gained = there, merit, True
            stale = 0 if gained else stale + 1
        return np.array(best, dtype=np.int64)


@dataclass(frozen=True)
class Stability(Selector):
    """Stability selection: features that the lasso takes in many parts of the data (FBK-UEdin, WMT 2013).

    Each of `draws` parts holds `part` of the sentences, and the penalty of each feature is drawn between its own and
    that over `weakness` (Meinshausen & Bühlmann 2010). The penalty itself comes from cross-validation.
    """

    name: ClassVar[str] = "stability"
    needs_sklearn: ClassVar[bool] = True

    draws: int = option(200, low=1, text="parts of the data")
    part: float = option(0.75, low=0.1, high=1.0, text="share of the sentences in each")
    least: float = option(0.25, low=0.0, high=1.0, text="share of the parts that must take a feature")
    weakness: float = option(0.5, low=0.05, high=1.0, text="smallest factor on a feature's scale; 1 leaves it")

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:
        """The columns taken often enough; the one taken most often where none is."""
        from sklearn.linear_model import Lasso

        penalty = _lasso_penalty(x, y)
        n, width = x.shape
        count = max(2, round(self.part * n))
        taken = np.zeros(width)
        for draw in range(self.draws):
            rows = Stream(job.seed, f"stability {draw}").permutation(n)[:count]
            scales = 1 - (1 - self.weakness) * Stream(job.seed, f"stability scales {draw}").uniform(width)
            part = x[rows] * scales
            part = part - part.mean(axis=0)
            model = Lasso(alpha=penalty, max_iter=5000, tol=1e-3, precompute=True).fit(part, y[rows])
            taken += np.abs(model.coef_) > 0
        chosen = np.flatnonzero(taken >= self.least * self.draws)
        return chosen if len(chosen) else np.array([int(taken.argmax())])


def _lasso_penalty(x: Floats, y: Floats) -> float:
    """The penalty of the lasso with the least squared error in five contiguous folds."""
    from sklearn.linear_model import lasso_path

    top = float(np.abs(x.T @ (y - y.mean())).max()) / len(x)
    if top == 0.0:
        return 1.0
    penalties = top * np.geomspace(1, 0.01, 30)
    folds = np.arange(len(x)) * 5 // len(x)
    errors = np.zeros(len(penalties))
    for fold in np.unique(folds):
        rest, held = folds != fold, folds == fold
        centre, mean = x[rest].mean(axis=0), y[rest].mean()
        _, weights, _ = lasso_path(x[rest] - centre, y[rest] - mean, alphas=penalties, tol=1e-3, max_iter=5000)
        errors += np.square((x[held] - centre) @ weights + mean - y[held][:, np.newaxis]).sum(axis=0)
    return float(penalties[int(errors.argmin())])
