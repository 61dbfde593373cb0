"""Selectors that try sets of features by the measure that counts, in cross-validation on the training sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core.regression import best_subsets
from dragoman.learn.criteria import CRITERIA, loss
from dragoman.learn.selectors.base import Job, Selector, correlations, without_twins
from dragoman.options import option
from dragoman.stats.arrays import Floats
from dragoman.stats.correlation import average_ranks
from dragoman.stats.delta_avg import rank_coefficients

__all__ = ["Backward", "BestSingle", "Exhaustive", "Forward"]

_PENALTY = 0.001  # of the ridge regression that tries sets, per sentence: enough to make any set solvable
_CELLS = 1 << 22


class _Trial:
    """The losses of sets of features: ridge regression on each set, held out fold by fold, from sums made once."""

    def __init__(self, x: Floats, y: Floats, n_folds: int, criterion: str, job: Job) -> None:
        self.y = y
        self.loss = loss(criterion, higher_is_better=job.higher_is_better)
        folds = np.arange(len(x)) * min(n_folds, len(x)) // len(x)
        self.parts = []
        for fold in np.unique(folds):
            rest, held = folds != fold, folds == fold
            centre, mean = x[rest].mean(axis=0), float(y[rest].mean())
            z = x[rest] - centre
            left = z.T @ z / len(z) + _PENALTY * np.eye(x.shape[1])
            self.parts.append((left, z.T @ (y[rest] - mean) / len(z), x[held] - centre, mean))

    def __call__(self, sets: list[tuple[int, ...]]) -> Floats:
        """A loss for each set; all sets are of one size."""
        losses = np.empty(len(sets))
        step = max(1, _CELLS // len(self.y))
        for first in range(0, len(sets), step):
            chosen = np.array(sets[first : first + step])
            predicted = np.concatenate([self._predict(part, chosen) for part in self.parts])
            losses[first : first + step] = [self.loss(self.y, column) for column in predicted.T]
        return losses

    def best_sets(self, criterion: str, job: Job) -> tuple[list[int], list[float]]:
        """The best set of each size among all, as bits, and their losses: 2ⁿ − 1 sets, by the core."""
        folds = [
            (np.ascontiguousarray(left), right, np.ascontiguousarray(held.T), mean)
            for left, right, held, mean in self.parts
        ]
        n = len(self.y)
        worth = np.zeros(n)
        if criterion == "spearman":
            worth = average_ranks(self.y)
        elif criterion == "delta-avg" and n >= 4:  # fewer have none
            worth = rank_coefficients(n)
        sign = 1.0 if job.higher_is_better else -1.0
        masks, losses = best_subsets(folds, self.y, criterion, worth, sign=sign, n_threads=job.n_threads)
        return masks.tolist(), losses.tolist()

    @staticmethod
    def _predict(part: tuple[Floats, Floats, Floats, float], chosen: NDArray[np.int64]) -> Floats:
        left, right, held, mean = part
        inner = left[chosen[:, :, np.newaxis], chosen[:, np.newaxis, :]]
        weights = np.linalg.solve(inner, right[chosen][:, :, np.newaxis])[:, :, 0]
        full = np.zeros((len(chosen), held.shape[1]))
        np.put_along_axis(full, chosen, weights, axis=1)
        predicted: Floats = held @ full.T + mean
        return predicted


@dataclass(frozen=True)
class _Wrapper(Selector):
    criterion: str = option("mae", choices=CRITERIA, text="measure that the features are chosen by")
    n_folds: int = option(5, low=2, high=50, text="folds, contiguous, in which sets are tried")

    def _trial(self, x: Floats, y: Floats, job: Job) -> _Trial:
        return _Trial(x, y, self.n_folds, self.criterion, job)


@dataclass(frozen=True)
class Forward(_Wrapper):
    """Forward selection: from none on, each time the feature that helps most, until none helps (WLV-SHEF, WMT 2012).

    Sets are tried with ridge regression. WLV-SHEF chose on the test set; here held-out training sentences decide.
    """

    name: ClassVar[str] = "forward"

    most: int = option(50, low=1, text="features, at most")

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:
        """The columns taken."""
        trial = self._trial(x, y, job)
        taken: tuple[int, ...] = ()
        best = np.inf
        while len(taken) < min(self.most, x.shape[1]):
            sets = [tuple(sorted((*taken, column))) for column in range(x.shape[1]) if column not in taken]
            losses = trial(sets)
            here = int(losses.argmin())
            if taken and losses[here] >= best - 1e-9:
                break
            taken, best = sets[here], float(losses[here])
        return np.array(taken, dtype=np.int64)


@dataclass(frozen=True)
class Backward(_Wrapper):
    """Backward elimination without near twins, as LORIA's algorithm 1 (WMT 2012): what only harms goes, worst first."""

    name: ClassVar[str] = "backward"

    twins: float = option(0.999, low=0.0, high=1.0, text="|r| of two features above which the later one goes first")

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:
        """The columns left."""
        trial = self._trial(x, y, job)
        left = tuple(without_twins(x, self.twins).tolist())
        best = float(trial([left])[0])
        while len(left) > 1:
            sets = [tuple(each for each in left if each != column) for column in left]
            losses = trial(sets)
            here = int(losses.argmin())
            if losses[here] >= best - 1e-9:
                break
            left, best = sets[here], float(losses[here])
        return np.array(left, dtype=np.int64)


@dataclass(frozen=True)
class BestSingle(_Wrapper):
    """The features that do best alone (greedy selection of PRHLT-UPV, WMT 2012)."""

    name: ClassVar[str] = "best-single"

    most: int = option(20, low=1, text="features to keep")

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:
        """The columns with the least loss, each by itself."""
        losses = self._trial(x, y, job)([(column,) for column in range(x.shape[1])])
        return np.sort(np.argsort(losses, kind="stable")[: self.most])


@dataclass(frozen=True)
class Exhaustive(_Wrapper):
    """Every set of the `most` most correlated features, chosen by the measure itself (SDL Language Weaver, WMT 2012).

    Twins go first. Sets are tried with ridge regression, where SDL trained a model tree for each on 800 machines.
    """

    name: ClassVar[str] = "exhaustive"

    most: int = option(10, low=1, high=24, text="features of which every set is tried")

    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[np.int64]:
        """The columns of the best set; of equally good ones the smaller and earlier."""
        columns = without_twins(x)
        strength = np.abs(correlations(x[:, columns], y))
        pool = np.sort(columns[np.argsort(-strength, kind="stable")[: self.most]])
        masks, losses = self._trial(x[:, pool], y, job).best_sets(self.criterion, job)
        best = 0
        for size in range(1, len(losses)):
            if losses[size] < losses[best] - 1e-9:
                best = size
        chosen: NDArray[np.int64] = pool[[bool(masks[best] >> place & 1) for place in range(len(pool))]]
        return chosen
