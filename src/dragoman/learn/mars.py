"""Multivariate adaptive regression splines: weighted hinges and their products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.base import Job, Learner
from dragoman.learn.predictors import Predictor
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["MARS", "Hinges"]

_Term = tuple[tuple[int, float, int], ...]  # (feature, knot, sign) of each hinge of a product; empty: the constant

_FLAT = 1e-9  # share of a hinge's square that must be new for it to be a term


@dataclass(eq=False)
class Hinges(Predictor):
    """A weighted sum of products of max(0, ±(x − knot)). Hinge i belongs to the term `term[i]`."""

    form: ClassVar[str] = "hinges"

    weights: Floats  # by term, the constant first
    term: NDArray[np.int32]
    feature: NDArray[np.int32]
    knot: Floats
    sign: NDArray[np.int32]

    @classmethod
    def of_terms(cls, terms: list[_Term], weights: Floats) -> Hinges:
        """From the terms, the constant first."""
        hinges = [(number, *hinge) for number, term in enumerate(terms) for hinge in term]
        columns = list(zip(*hinges, strict=True)) if hinges else [(), (), (), ()]
        return cls(
            weights,
            np.array(columns[0], dtype=np.int32),
            np.array(columns[1], dtype=np.int32),
            np.array(columns[2], dtype=np.float64),
            np.array(columns[3], dtype=np.int32),
        )

    def predict(self, x: Floats) -> Floats:
        """Sums of the products."""
        basis = np.ones((len(x), len(self.weights)))
        for term, feature, knot, sign in zip(self.term, self.feature, self.knot, self.sign, strict=True):
            basis[:, term] *= np.maximum(0.0, sign * (x[:, feature] - knot))
        sums: Floats = basis @ self.weights
        return sums

    def size(self) -> dict[str, int]:
        """The terms beside the constant."""
        return {"terms": len(self.weights) - 1}


@dataclass(frozen=True)
class MARS(Learner):
    """Multivariate adaptive regression splines (Friedman 1991; DFKI, WMT 2012); needs no further package.

    Pairs of hinges are added while they help, then terms are taken away while the error of generalised
    cross-validation falls. `degree` 2 allows products of two hinges.
    """

    name: ClassVar[str] = "mars"
    grid: ClassVar[tuple[str, ...]] = ("degree",)

    degree: tuple[float, ...] = option((1.0,), text="hinges of a product at most, to try")
    most: int = option(20, low=2, high=200, text="terms at most")
    knots: int = option(10, low=2, high=200, text="knots of a feature, at its quantiles")
    penalty: float = option(3.0, low=0.0, text="cost of a knot, in parameters")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """The terms and their weights."""
        quantiles = (np.arange(self.knots) + 0.5) / self.knots
        knots = [np.unique(np.quantile(x[:, feature], quantiles)) for feature in range(x.shape[1])]
        terms, basis = self._forward(x, y, knots, max(1, round(setting["degree"])))
        return self._backward(terms, basis, y)

    def _forward(self, x: Floats, y: Floats, knots: list[Floats], degree: int) -> tuple[list[_Term], Floats]:
        n = len(y)
        terms: list[_Term] = [()]
        basis = np.ones((n, 1))
        frame = np.full((n, 1), 1 / np.sqrt(n))  # orthonormal, spans the basis
        rest = y - y.mean()
        total = float(rest @ rest)
        while len(terms) + 1 < self.most:
            best: tuple[float, int, int, float] = (0.0, 0, 0, 0.0)
            for number, term in enumerate(terms):
                if len(term) >= degree:
                    continue
                asked = {hinge[0] for hinge in term}
                for feature in range(x.shape[1]):
                    if feature in asked:
                        continue
                    gains = _gains(basis[:, number], x[:, feature], knots[feature], frame, rest)
                    place = int(gains.argmax())
                    if gains[place] > best[0]:
                        best = (float(gains[place]), number, feature, float(knots[feature][place]))
            if best[0] < 1e-3 * total:
                break
            _, parent, feature, knot = best
            for sign in (1, -1):
                column = basis[:, parent] * np.maximum(0.0, sign * (x[:, feature] - knot))
                fresh = column - frame @ (frame.T @ column)
                fresh -= frame @ (frame.T @ fresh)
                size = float(np.sqrt(fresh @ fresh))
                if size * size <= _FLAT * max(float(column @ column), 1e-300):
                    continue
                fresh /= size
                terms.append((*terms[parent], (feature, knot, sign)))
                basis = np.column_stack([basis, column])
                frame = np.column_stack([frame, fresh])
                rest = rest - fresh * float(fresh @ rest)
        return terms, basis

    def _backward(self, terms: list[_Term], basis: Floats, y: Floats) -> Predictor:
        columns = list(range(len(terms)))
        best_columns, best = columns, self._gcv(basis, y)
        while len(columns) > 1:
            losses = [self._gcv(basis[:, [k for k in columns if k != out]], y) for out in columns[1:]]
            worst = int(np.argmin(losses))
            columns = [k for k in columns if k != columns[1 + worst]]
            if losses[worst] <= best:
                best_columns, best = columns, losses[worst]
        weights = np.linalg.lstsq(basis[:, best_columns], y, rcond=None)[0]
        return Hinges.of_terms([terms[k] for k in best_columns], weights.astype(np.float64))

    def _gcv(self, basis: Floats, y: Floats) -> float:
        """Mean squared error over (1 − C/n)², where C counts terms and their knots."""
        n, width = basis.shape
        weights = np.linalg.lstsq(basis, y, rcond=None)[0]
        cost = width + self.penalty * (width - 1) / 2
        if cost >= n:
            return float("inf")
        return float(np.square(y - basis @ weights).mean() / (1 - cost / n) ** 2)


def _gains(parent: Floats, column: Floats, knots: Floats, frame: Floats, rest: Floats) -> Floats:
    """By how much the squared error falls with a pair of hinges at each knot."""
    up = parent[:, np.newaxis] * np.maximum(0.0, column[:, np.newaxis] - knots)
    down = parent[:, np.newaxis] * np.maximum(0.0, knots - column[:, np.newaxis])

    def fresh(hinges: Floats) -> tuple[Floats, Floats]:
        return hinges - frame @ (frame.T @ hinges), np.square(hinges).sum(axis=0)

    first, size_first = fresh(up)
    second, size_second = fresh(down)
    square = np.square(first).sum(axis=0)
    real = square > _FLAT * np.maximum(size_first, 1e-300)
    share = np.divide((first * second).sum(axis=0), square, out=np.zeros(len(knots)), where=real)
    second = second - first * share
    square_second = np.square(second).sum(axis=0)
    real_second = square_second > _FLAT * np.maximum(size_second, 1e-300)
    gain: Floats = np.divide(np.square(rest @ first), square, out=np.zeros(len(knots)), where=real)
    gain += np.divide(np.square(rest @ second), square_second, out=np.zeros(len(knots)), where=real_second)
    return gain
