"""Model trees: a tree with a linear model in each leaf (M5′)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.base import Job, Learner
from dragoman.learn.predictors import Predictor, check_nodes, walk
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["M5P", "ModelTree"]

_SMOOTH = 15.0  # Quinlan's k: how many sentences a parent's opinion is worth
_FLAT = 0.05  # of the root's standard deviation: a node below it is not split
_TINY = 1e-8  # ridge that keeps collinear features solvable


@dataclass(eq=False)
class ModelTree(Predictor):
    """A tree whose leaves hold weighted sums, already smoothed along the way to the root."""

    form: ClassVar[str] = "model-tree"

    feature: NDArray[np.int32]
    threshold: Floats
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    weights: Floats  # (nodes, features)
    intercepts: Floats  # (nodes,)

    def predict(self, x: Floats) -> Floats:
        """The weighted sum of the leaf that each sentence falls into."""
        leaves = walk(x, np.arange(len(x)), np.zeros(len(x), dtype=np.int64), self)
        sums: Floats = np.einsum("ij,ij->i", x, self.weights[leaves]) + self.intercepts[leaves]
        return sums

    def check(self, n_features: int) -> None:
        """That every walk ends, too."""
        check_nodes(self.feature, self.left, self.right, n_features)
        super().check(n_features)

    def size(self) -> dict[str, int]:
        """The linear equations, one a leaf."""
        return {"equations": int((self.left < 0).sum())}


@dataclass
class _Node:
    rows: NDArray[np.int64]
    feature: int = -1
    threshold: float = 0.0
    below: list[_Node] = field(default_factory=list)
    weights: Floats = field(default_factory=lambda: np.zeros(0))
    intercept: float = 0.0
    error: float = 0.0  # mean absolute residual of the model or, where it is better, of the subtree
    terms: int = 0  # parameters of the same

    asked: set[int] = field(default_factory=set)  # the features asked here and below, before pruning


@dataclass(frozen=True)
class M5P(Learner):
    """Model trees M5′ (Quinlan 1992; Wang & Witten 1997), the learner of SDL's winning entry of WMT 2012.

    Splits reduce the standard deviation most; a node's linear model uses the features asked below it, less those
    without which the error mean|r|·(n + v)/(n − v) is lower; a subtree goes where its root's model, each term costing
    `penalty`, is no worse; predictions are smoothed on the way to the root. Needs no further package.
    """

    name: ClassVar[str] = "m5p"
    grid: ClassVar[tuple[str, ...]] = ("min_leaf", "penalty")

    min_leaf: tuple[float, ...] = option((4.0, 20.0), text="least sentences of a leaf, to try")
    penalty: tuple[float, ...] = option((2.0, 4.0), text="costs of a term when subtrees are compared, to try")
    smooth: bool = option(True, choices=(False, True), text="smooth predictions along the way to the root")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """Grow, fit, prune and smooth."""
        least = max(2, round(setting["min_leaf"]))
        root = _Node(np.arange(len(y)))
        _grow(root, x, y, least, _FLAT * float(y.std()))
        _fit_and_prune(root, x, y, setting["penalty"])
        nodes: list[tuple[_Node, Floats, float]] = []
        places: list[tuple[int, int]] = []

        def lay(node: _Node, above: list[_Node]) -> int:
            weights, intercept, n = node.weights, node.intercept, float(len(node.rows))
            for parent in reversed(above) if self.smooth else ():
                weights = (n * weights + _SMOOTH * parent.weights) / (n + _SMOOTH)
                intercept = (n * intercept + _SMOOTH * parent.intercept) / (n + _SMOOTH)
                n = float(len(parent.rows))
            here = len(nodes)
            nodes.append((node, weights, intercept))
            places.append((-1, -1))
            if node.below:
                left = lay(node.below[0], [*above, node])
                places[here] = (left, lay(node.below[1], [*above, node]))
            return here

        lay(root, [])
        return ModelTree(
            np.array([node.feature if node.below else -1 for node, _, _ in nodes], dtype=np.int32),
            np.array([node.threshold for node, _, _ in nodes]),
            np.array([left for left, _ in places], dtype=np.int32),
            np.array([right for _, right in places], dtype=np.int32),
            np.array([weights for _, weights, _ in nodes]),
            np.array([intercept for _, _, intercept in nodes]),
        )


def _grow(node: _Node, x: Floats, y: Floats, least: int, flat: float) -> None:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        target = y[here.rows]
        if len(target) < 2 * least or float(target.std()) < flat:
            continue
        split = _best_split(x[here.rows], target, least)
        if split is None:
            continue
        here.feature, here.threshold = split
        left = x[here.rows, here.feature] <= here.threshold
        here.below = [_Node(here.rows[left]), _Node(here.rows[~left])]
        waiting += here.below


def _best_split(x: Floats, y: Floats, least: int) -> tuple[int, float] | None:
    """Feature and threshold with the greatest reduction sd(T) − Σ|Tᵢ|/|T| sd(Tᵢ); None if none reduces."""
    n = len(y)
    order = np.argsort(x, axis=0, kind="stable")
    values = np.take_along_axis(x, order, axis=0)
    target = y[order] - y.mean()
    sums, squares = np.cumsum(target, axis=0), np.cumsum(np.square(target), axis=0)
    count = np.arange(1, n)[:, np.newaxis].astype(np.float64)

    def spread(total: Floats, square: Floats, size: Floats) -> Floats:
        spreads: Floats = size * np.sqrt(np.maximum(0.0, square / size - np.square(total / size)))
        return spreads

    after = spread(sums[:-1], squares[:-1], count) + spread(sums[-1] - sums[:-1], squares[-1] - squares[:-1], n - count)
    allowed = (values[1:] > values[:-1]) & (count >= least) & (n - count >= least)
    after[~allowed] = np.inf
    place, feature = np.unravel_index(int(after.argmin()), after.shape)
    if not after[place, feature] < n * float(y.std()) - 1e-12:
        return None
    low, high = float(values[place, feature]), float(values[place + 1, feature])
    middle = (low + high) / 2
    return int(feature), middle if middle < high else low


def _fit_and_prune(root: _Node, x: Floats, y: Floats, penalty: float) -> None:
    order, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += node.below
    for node in reversed(order):
        if node.below:
            node.asked = {node.feature}.union(*(child.asked for child in node.below))
        _fit_node(node, x, y)
        if node.below:
            n = len(node.rows)
            below = sum(len(child.rows) * child.error for child in node.below) / n
            terms = 1 + sum(child.terms for child in node.below)
            if node.error * _adjustment(n, node.terms, penalty) <= below * _adjustment(n, terms, penalty):
                node.below, node.feature = [], -1
            else:
                node.error, node.terms = below, terms


def _fit_node(node: _Node, x: Floats, y: Floats) -> None:
    """The node's linear model over the features asked below it, terms dropped while the adjusted error falls."""
    columns = sorted(node.asked)
    target, n = y[node.rows], len(node.rows)
    rows = x[node.rows][:, columns]
    best = _least_squares(rows, target, columns, n)
    while columns:
        weakest = int(best[3].argmin())
        fewer = columns[:weakest] + columns[weakest + 1 :]
        trial = np.delete(rows, weakest, axis=1)
        without = _least_squares(trial, target, fewer, n)
        if without[0] * _adjustment(n, len(fewer) + 1) > best[0] * _adjustment(n, len(columns) + 1):
            break
        columns, rows, best = fewer, trial, without
    node.error, short, node.intercept, _ = best
    node.terms = len(columns) + 1
    node.weights = np.zeros(x.shape[1])
    node.weights[columns] = short


def _least_squares(rows: Floats, target: Floats, columns: list[int], n: int) -> tuple[float, Floats, float, Floats]:
    """Mean absolute residual, weights, intercept, and by how much the squared error grows without each feature."""
    centre, mean = rows.mean(axis=0), float(target.mean())
    if columns:
        z = rows - centre
        left = z.T @ z
        left[np.diag_indices(len(columns))] += _TINY * n + 1e-12
        inverse = np.linalg.inv(left)
        weights = inverse @ (z.T @ (target - mean))
        worth = np.square(weights) / np.diag(inverse)
    else:
        weights, worth = np.zeros(0), np.zeros(0)
    intercept = mean - float(centre @ weights)
    residual = float(np.abs(rows @ weights + intercept - target).mean())
    return residual, weights, intercept, worth


def _adjustment(n: int, terms: int, penalty: float = 1.0) -> float:
    """By how much an error on the sentences learnt from is too small, for so many terms."""
    # With as many terms as sentences nothing is known of new ones.
    return (n + penalty * terms) / (n - terms) if n > terms else 1e6
