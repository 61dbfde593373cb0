"""Scores as classes: rounded to steps, told apart by a classifier, and read as what is to be expected.

Avramidis (WMT 2012) rounds to steps of .25, .5, .7 and 1.0, Rubino et al. (WMT 2012) to whole points. They say the most
probable class; here each class counts with its probability, so that the prediction is a number between the classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.base import Job, Learner, Part, Setting, need_sklearn, sklearn_seed
from dragoman.learn.predictors import Arrays, Constant, Predictor
from dragoman.learn.trees import Trees
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Densities", "Machines", "Neighbours", "RoundedClasses"]

_FLOOR = 1e-9  # of variances, as a share of the largest
_AT_ONCE = 1 << 22  # distances held together


def _expected(logs: Floats, values: Floats, sharpest: bool) -> Floats:
    """The mean of class values by their probabilities, or the value of the most probable class."""
    if sharpest:
        found: Floats = values[logs.argmax(axis=1)]
        return found
    p = np.exp(logs - logs.max(axis=1, keepdims=True))
    mean: Floats = (p @ values) / p.sum(axis=1)
    return mean


class Densities(Predictor):
    """Naive Bayes with a normal density for each class and feature."""

    form: ClassVar[str] = "class-densities"

    def __init__(
        self, means: Floats, variances: Floats, log_priors: Floats, values: Floats, sharpest: NDArray[np.bool_]
    ) -> None:
        self.means, self.variances, self.log_priors = means, variances, log_priors
        self.values, self.sharpest = values, sharpest

    def predict(self, x: Floats) -> Floats:
        """Expected class values."""
        logs = np.empty((len(x), len(self.values)))
        for number, (mean, variance) in enumerate(zip(self.means, self.variances, strict=True)):
            logs[:, number] = -0.5 * (np.square(x - mean) / variance + np.log(variance)).sum(axis=1)
        return _expected(logs + self.log_priors, self.values, bool(self.sharpest))

    def arrays(self) -> Arrays:
        """Means, variances, priors and values of the classes."""
        return {
            "means": self.means,
            "variances": self.variances,
            "log_priors": self.log_priors,
            "values": self.values,
            "sharpest": self.sharpest,
        }

    def size(self) -> dict[str, int]:
        """The classes."""
        return {"classes": len(self.values)}


class Neighbours(Predictor):
    """The k nearest of the sentences learnt from."""

    form: ClassVar[str] = "neighbours"

    def __init__(
        self, rows: Floats, labels: NDArray[np.int64], values: Floats, k: NDArray[np.int64], sharpest: NDArray[np.bool_]
    ) -> None:
        self.rows, self.labels, self.values, self.k, self.sharpest = rows, labels, values, k, sharpest

    def predict(self, x: Floats) -> Floats:
        """Mean class values of the neighbours, or the value of most of them."""
        k = min(int(self.k), len(self.rows))
        squares = np.square(self.rows).sum(axis=1)
        found = np.empty(len(x))
        step = max(1, _AT_ONCE // max(1, len(self.rows)))
        for first in range(0, len(x), step):
            part = x[first : first + step]
            distance = squares - 2 * part @ self.rows.T
            near = self.labels[np.argsort(distance, axis=1, kind="stable")[:, :k]]
            votes = np.stack([(near == label).sum(axis=1) for label in range(len(self.values))], axis=1)
            logs = np.log(np.maximum(votes, 1e-300))
            found[first : first + step] = _expected(logs, self.values, bool(self.sharpest))
        return found

    def arrays(self) -> Arrays:
        """Sentences, their classes, values of the classes, k."""
        return {"rows": self.rows, "labels": self.labels, "values": self.values, "k": self.k, "sharpest": self.sharpest}

    def size(self) -> dict[str, int]:
        """The sentences that are kept."""
        return {"classes": len(self.values), "sentences": len(self.rows)}


class Machines(Predictor):
    """A Gaussian support-vector machine for each two classes; the probability of a class is the product of its odds.

    ln p(class) = Σ ln σ(2m) over the margins m against the other classes; the most probable class is the one with most
    votes, as libsvm has it.
    """

    form: ClassVar[str] = "class-kernels"

    def __init__(
        self,
        vectors: Floats,
        coefficients: Floats,
        intercepts: Floats,
        gamma: Floats,
        values: Floats,
        sharpest: NDArray[np.bool_],
    ) -> None:
        self.vectors, self.coefficients, self.intercepts = vectors, coefficients, intercepts
        self.gamma, self.values, self.sharpest = gamma, values, sharpest

    def predict(self, x: Floats) -> Floats:
        """Expected class values."""
        squares = np.square(self.vectors).sum(axis=1)
        found = np.empty(len(x))
        step = max(1, _AT_ONCE // max(1, len(self.vectors)))
        for first in range(0, len(x), step):
            part = x[first : first + step]
            distance = np.square(part).sum(axis=1)[:, np.newaxis] + squares - 2 * part @ self.vectors.T
            margins = np.exp(-self.gamma * np.maximum(distance, 0.0)) @ self.coefficients + self.intercepts
            logs, votes = np.zeros((len(part), len(self.values))), np.zeros((len(part), len(self.values)))
            for margin, (a, b) in zip(margins.T, _pairs(len(self.values)), strict=True):
                logs[:, a] -= np.logaddexp(0.0, -2 * margin)
                logs[:, b] -= np.logaddexp(0.0, 2 * margin)
                votes[:, a] += margin > 0
                votes[:, b] += margin <= 0
            said = votes if self.sharpest else logs
            found[first : first + step] = _expected(said, self.values, bool(self.sharpest))
        return found

    def arrays(self) -> Arrays:
        """Support vectors, their coefficients for each two classes, intercepts, γ, values."""
        return {
            "vectors": self.vectors,
            "coefficients": self.coefficients,
            "intercepts": self.intercepts,
            "gamma": self.gamma,
            "values": self.values,
            "sharpest": self.sharpest,
        }

    def size(self) -> dict[str, int]:
        """The support vectors of all classes."""
        return {"classes": len(self.values), "support vectors": len(self.vectors)}


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
            return Neighbours(x, labels, values, np.array(self.neighbours), sharpest)
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
    return Densities(means, variances, priors, values, sharpest)


def _machines(x: Floats, labels: NDArray[np.int64], values: Floats, sharpest: NDArray[np.bool_], c: float) -> Machines:
    from sklearn.svm import SVC

    gamma = 1.0 / x.shape[1]
    pairs = _pairs(len(values))
    coefficients, intercepts = np.zeros((len(x), len(pairs))), np.zeros(len(pairs))
    for number, (a, b) in enumerate(pairs):
        rows = np.flatnonzero((labels == a) | (labels == b))
        machine = SVC(C=c, gamma=gamma).fit(x[rows], labels[rows] == a)
        coefficients[rows[machine.support_], number] = machine.dual_coef_[0]
        intercepts[number] = machine.intercept_[0]
    used = np.abs(coefficients).sum(axis=1) > 0
    return Machines(x[used], coefficients[used], intercepts, np.array(gamma), values, sharpest)


def _pairs(n: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(n) for b in range(a + 1, n)]
