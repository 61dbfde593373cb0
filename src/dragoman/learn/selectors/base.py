"""The contract of selectors, and the table of those we have: features and scores in, columns or combinations out."""

from __future__ import annotations

import importlib.util
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import NotAvailable
from dragoman.options import Recipe
from dragoman.registry import Registry
from dragoman.stats.arrays import Floats

__all__ = ["SELECTORS", "Job", "Selector", "correlations", "need_sklearn", "without_twins"]


@dataclass(frozen=True)
class Job:
    """What a learner or selector is told beside features and scores."""

    names: tuple[str, ...]  # of the columns
    seed: int = 1
    n_threads: int = 1
    higher_is_better: bool = True  # of the scores: which end a ranking starts from
    mean: float = 0.0  # of the scores before they were standardised
    spread: float = 1.0


SELECTORS: Registry[Selector] = Registry(
    "selector of features",
    {
        "backward": "dragoman.learn.selectors.wrappers:Backward",
        "best-single": "dragoman.learn.selectors.wrappers:BestSingle",
        "cfs": "dragoman.learn.selectors.filters:CorrelationSelection",
        "correlation": "dragoman.learn.selectors.filters:Correlated",
        "exhaustive": "dragoman.learn.selectors.wrappers:Exhaustive",
        "forward": "dragoman.learn.selectors.wrappers:Forward",
        "gain-ratio": "dragoman.learn.selectors.rankers:GainRatio",
        "information-gain": "dragoman.learn.selectors.rankers:InformationGain",
        "pca": "dragoman.learn.selectors.projections:PrincipalComponents",
        "pls": "dragoman.learn.selectors.projections:LatentComponents",
        "relieff": "dragoman.learn.selectors.rankers:ReliefF",
        "stability": "dragoman.learn.selectors.filters:Stability",
    },
)


@dataclass(frozen=True)
class Selector(Recipe):
    """Chooses features. It is run anew on the training part of each fold, so that held-out sentences stay unseen."""

    name: ClassVar[str]
    needs_sklearn: ClassVar[bool] = False

    @abstractmethod
    def choose(self, x: Floats, y: Floats, job: Job) -> NDArray[Any]:
        """Of scaled features (sentences, features), none of them constant, and standardised scores:

        the columns to keep, whole numbers in rising order, at least one; or weights (features, combinations).
        """

    def ready(self) -> None:
        """Raise `NotAvailable` if a package is missing; asked before any work."""
        if self.needs_sklearn:
            need_sklearn(f"The selector {self.name}")


def need_sklearn(what: str) -> None:
    """Raise `NotAvailable` if scikit-learn is not installed."""
    if importlib.util.find_spec("sklearn") is None:
        raise NotAvailable.package(what, package="scikit-learn", extra="qe")


def correlations(x: Floats, y: Floats) -> Floats:
    """Pearson's correlation of each feature with the scores; 0 where the scores do not vary."""
    centred = x - x.mean(axis=0)
    target = y - y.mean()
    below = np.sqrt(np.square(centred).sum(axis=0) * np.square(target).sum())
    r: Floats = np.divide(centred.T @ target, below, out=np.zeros(x.shape[1]), where=below > 0)
    return r


def without_twins(x: Floats, most: float = 0.999) -> NDArray[np.int64]:
    """The columns left when of two that correlate by more than `most` the later one goes."""
    centred = x - x.mean(axis=0)
    centred = centred / np.maximum(np.sqrt(np.square(centred).sum(axis=0)), 1e-300)
    alike = np.abs(centred.T @ centred) > most
    columns: list[int] = []
    for column in range(x.shape[1]):
        if not alike[column, columns].any():
            columns.append(column)
    return np.array(columns, dtype=np.int64)
