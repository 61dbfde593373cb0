"""Scores as classes: rounded to steps, told apart by a classifier, and read as what is to be expected.

Avramidis (WMT 2012) rounds to steps of .25, .5, .7 and 1.0, Rubino et al. (WMT 2012) to whole points. They say the most
probable class; here each class counts with its probability, so that the prediction is a number between the classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.base import Job, Learner, Part, Setting, sklearn_seed
from dragoman.learn.predictors import Constant, Predictor, in_pieces, squared_distances
from dragoman.learn.selectors.base import need_sklearn
from dragoman.learn.trees import Trees
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Densities", "Machines", "Neighbours", "RoundedClasses"]

_FLOOR = 1e-9  # of variances, as a share of the largest


@dataclass(eq=False)
class _Classes(Predictor):
    """Base: a score from how probable each class is."""

    values: Floats  # of the classes
    sharpest: NDArray[np.bool_]  # whether the most probable class alone counts

    def expected(self, logs: Floats) -> Floats:
        """The mean of class values by their probabilities, or the value of the most probable class."""
        if self.sharpest:
            mode: Floats = self.values[logs.argmax(axis=1)]
            return mode
        p = np.exp(logs - logs.max(axis=1, keepdims=True))
        mean: Floats = (p @ self.values) / p.sum(axis=1)
        return mean

    def size(self) -> dict[str, int]:
        """The classes."""
        return {"classes": len(self.values)}


@dataclass(eq=False)
class Densities(_Classes):
    """Naive Bayes with a normal density for each class and feature."""

    form: ClassVar[str] = "class-densities"

    means: Floats
    variances: Floats
    log_priors: Floats

    def predict(self, x: Floats) -> Floats:
        """Expected class values."""
        logs = np.empty((len(x), len(self.values)))
        for number, (mean, variance) in enumerate(zip(self.means, self.variances, strict=True)):
            logs[:, number] = -0.5 * (np.square(x - mean) / variance + np.log(variance)).sum(axis=1)
        return self.expected(logs + self.log_priors)


@dataclass(eq=False)
class Neighbours(_Classes):
    """The k nearest of the sentences learnt from."""

    form: ClassVar[str] = "neighbours"

    rows: Floats
    labels: NDArray[np.int64]
    k: NDArray[np.int64]

    def predict(self, x: Floats) -> Floats:
        """Mean class values of the neighbours, or the value of most of them."""
        k = min(int(self.k), len(self.rows))
        squares = np.square(self.rows).sum(axis=1)

        def scores(part: Floats) -> Floats:
            distance = squares - 2 * part @ self.rows.T
            near = self.labels[np.argsort(distance, axis=1, kind="stable")[:, :k]]
            votes = np.stack([(near == label).sum(axis=1) for label in range(len(self.values))], axis=1)
            return self.expected(np.log(np.maximum(votes, 1e-300)))

        return in_pieces(x, 2 * len(self.rows), scores)

    def size(self) -> dict[str, int]:
        """The classes, and the sentences that are remembered."""
        return {**super().size(), "sentences": len(self.rows)}


@dataclass(eq=False)
class Machines(_Classes):
    """A Gaussian support-vector machine for each two classes; the probability of a class is the product of its odds.

    ln p(class) = Σ ln σ(2m) over the margins m against the other classes; the most probable class is the one with most
    votes, as libsvm has it.
    """

    form: ClassVar[str] = "class-kernels"

    vectors: Floats
    coefficients: Floats  # of the vectors, for each two classes
    intercepts: Floats
    gamma: Floats

    def predict(self, x: Floats) -> Floats:
        """Expected class values."""

        def scores(part: Floats) -> Floats:
            bells = np.exp(-self.gamma * squared_distances(part, self.vectors))
            margins = bells @ self.coefficients + self.intercepts
            logs, votes = np.zeros((2, len(part), len(self.values)))
            for margin, (a, b) in zip(margins.T, combinations(range(len(self.values)), 2), strict=True):
                logs[:, a] -= np.logaddexp(0.0, -2 * margin)
                logs[:, b] -= np.logaddexp(0.0, 2 * margin)
                votes[:, a] += margin > 0
                votes[:, b] += margin <= 0
            return self.expected(votes if self.sharpest else logs)

        return in_pieces(x, 2 * len(self.vectors), scores)

    def size(self) -> dict[str, int]:
        """The classes, and the support vectors of all of them."""
        return {**super().size(), "support vectors": len(self.vectors)}


@dataclass(frozen=True)
class RoundedClasses(Learner):
    """Scores rounded to steps are classes; a classifier tells them apart, and the expected class value is the score.

    `naive-bayes` has normal densities (Avramidis' were by local regression), `knn` looks at the nearest sentences,
    `tree` is one decision tree, `svm` a Gaussian support-vector machine for each two classes. `value=mode` says the
    most probable class, as the papers did.
    """

    name: ClassVar[str] = "classes"

    step: float = option(0.5, low=0.001, text="what scores are rounded to multiples of")
    classifier: str = option("naive-bayes", choices=("naive-bayes", "knn", "tree", "svm"), text="which classifier")
    value: str = option("mean", choices=("mean", "mode"), text="expected value, or most probable class")
    neighbours: int = option(30, low=1, text="of knn")
    leaf: int = option(20, low=1, text="sentences in a leaf of the tree, at least")
    c: float = option(1.0, low=1e-6, text="cost of an error, of svm")

    def ready(self) -> None:
        """Raise if scikit-learn is missing where it is needed."""
        if self.classifier in {"tree", "svm"}:
            need_sklearn(f"The classifier {self.classifier}")

    def learn(self, part: Part, setting: Setting, job: Job) -> Predictor:  # noqa: ARG002
        """Classes are made of the scores as they were before they were standardised."""
        raw = part.y * part.spread + part.mean
        levels, labels = np.unique(np.round(raw / self.step), return_inverse=True)
        if not part.x.shape[1] or len(levels) < 2:
            return Constant(part.x.shape[1])
        values = (levels * self.step - part.mean) / part.spread
        return self._classify(part.x, labels.astype(np.int64), values, job)

    def fit(self, x: Floats, y: Floats, setting: Setting, job: Job) -> Predictor:  # noqa: ARG002
        """In an ensemble, which knows standardised scores alone, steps are parts of their spread."""
        levels, labels = np.unique(np.round(y / self.step), return_inverse=True)
        if len(levels) < 2:
            return Constant(x.shape[1])
        return self._classify(x, labels.astype(np.int64), levels * self.step, job)

    def _classify(self, x: Floats, labels: NDArray[np.int64], values: Floats, job: Job) -> Predictor:
        sharpest = np.array(self.value == "mode")
        if self.classifier == "naive-bayes":
            return _densities(x, labels, values, sharpest)
        if self.classifier == "knn":
            return Neighbours(values, sharpest, x, labels, np.array(self.neighbours))
        if self.classifier == "tree":
            from sklearn.tree import DecisionTreeClassifier

            grown = DecisionTreeClassifier(
                min_samples_leaf=self.leaf, random_state=sklearn_seed(job, "classes"), criterion="entropy"
            ).fit(x, labels)
            tree = Trees.of_sklearn([grown.tree_], 1.0, 0.0)
            shares = grown.tree_.value[:, 0, :]
            tree.value = values[shares.argmax(axis=1)] if sharpest else (shares @ values) / shares.sum(axis=1)
            return tree
        return _machines(x, labels, values, sharpest, self.c)


def _densities(x: Floats, labels: NDArray[np.int64], values: Floats, sharpest: NDArray[np.bool_]) -> Densities:
    floor = max(float(x.var(axis=0).max()), 1e-12) * _FLOOR
    groups = [x[labels == label] for label in range(len(values))]
    means = np.stack([group.mean(axis=0) for group in groups])
    variances = np.stack([group.var(axis=0) for group in groups]) + floor
    # A class of one or two sentences has no spread to speak of: it takes that of all.
    few = np.array([len(group) < 3 for group in groups])
    variances[few] = x.var(axis=0) + floor
    priors = np.log(np.array([len(group) for group in groups]) / len(x))
    return Densities(values, sharpest, means, variances, priors)


def _machines(x: Floats, labels: NDArray[np.int64], values: Floats, sharpest: NDArray[np.bool_], c: float) -> Machines:
    from sklearn.svm import SVC

    gamma = 1.0 / x.shape[1]
    pairs = list(combinations(range(len(values)), 2))
    coefficients, intercepts = np.zeros((len(x), len(pairs))), np.zeros(len(pairs))
    for number, (a, b) in enumerate(pairs):
        rows = np.flatnonzero((labels == a) | (labels == b))
        machine = SVC(C=c, gamma=gamma).fit(x[rows], labels[rows] == a)
        coefficients[rows[machine.support_], number] = machine.dual_coef_[0]
        intercepts[number] = machine.intercept_[0]
    used = np.abs(coefficients).sum(axis=1) > 0
    return Machines(values, sharpest, x[used], coefficients[used], intercepts, np.array(gamma))
