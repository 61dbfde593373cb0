"""Combinations of features: principal components, and components that look at the scores as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.learn.selectors.base import Job, Selector
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["LatentComponents", "PrincipalComponents", "pls_weights"]

_NOTHING = 1e-10  # of the largest spread: what is below is rounding


@dataclass(frozen=True)
class PrincipalComponents(Selector):
    """The directions in which features vary most, each brought to spread 1 (PRHLT-UPV, WMT 2012)."""

    name: ClassVar[str] = "pca"

    most: int = option(20, low=1, text="components, at most")
    share: float = option(0.99, low=0.0, high=1.0, text="share of the variance after which no more are taken")

    def choose(self, x: Floats, y: Floats, job: Job) -> Floats:  # noqa: ARG002
        """Weights of the features in the components."""
        _, spreads, directions = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
        real = spreads > _NOTHING * spreads[0]
        explained = np.cumsum(np.square(spreads)) / np.square(spreads).sum()
        count = min(self.most, int(real.sum()), int(np.searchsorted(explained, self.share)) + 1)
        # The sign of a component is chance; its largest weight is made positive.
        signs = np.sign(directions[np.arange(count), np.abs(directions[:count]).argmax(axis=1)])
        weights: Floats = directions[:count].T * signs / (spreads[:count] / np.sqrt(len(x)))
        return weights


@dataclass(frozen=True)
class LatentComponents(Selector):
    """Partial least squares: directions that vary much and go with the scores, each brought to spread 1."""

    name: ClassVar[str] = "pls"

    most: int = option(5, low=1, text="components, at most")

    def choose(self, x: Floats, y: Floats, job: Job) -> Floats:  # noqa: ARG002
        """Weights of the features in the components."""
        weights = pls_weights(x - x.mean(axis=0), y - y.mean(), self.most)[0]
        if not weights.shape[1]:
            return np.eye(x.shape[1])[:, :1]
        scaled: Floats = weights / (x @ weights).std(axis=0)
        return scaled


def pls_weights(x: Floats, y: Floats, most: int) -> tuple[Floats, Floats]:
    """Partial least squares of one response (Wold's NIPALS) on centred data.

    Returns the weights of the features in the components, (features, components), and those of the components in the
    response. Fewer than `most` when nothing is left to explain.
    """
    rest = x.copy()
    directions, loadings, responses = [], [], []
    first = 0.0
    for _ in range(min(most, x.shape[1], len(x) - 1)):
        direction = rest.T @ y
        size = float(np.sqrt(direction @ direction))
        first = first or size
        if size <= _NOTHING * first or size == 0.0:
            break
        direction /= size
        component = rest @ direction
        square = float(component @ component)
        loading = rest.T @ component / square
        directions.append(direction)
        loadings.append(loading)
        responses.append(float(component @ y) / square)
        rest = rest - np.outer(component, loading)
    if not directions:
        return np.zeros((x.shape[1], 0)), np.zeros(0)
    w, p = np.array(directions).T, np.array(loadings).T
    return w @ np.linalg.inv(p.T @ w), np.array(responses)
