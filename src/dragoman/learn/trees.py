"""Many trees: random forest, extremely randomised trees, gradient boosting. Grown by scikit-learn, kept as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ModelError
from dragoman.learn.base import Job, Learner, sklearn_seed
from dragoman.learn.predictors import Predictor, check_nodes, in_pieces, walk
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Boosting", "ExtraTrees", "RandomForest", "Trees"]


@dataclass(eq=False)
class Trees(Predictor):
    """A sum of trees times a factor, and a constant. Node i asks whether feature[i] ≤ threshold[i]; a leaf has −1."""

    form: ClassVar[str] = "trees"

    feature: NDArray[np.int32]
    threshold: Floats
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: Floats
    roots: NDArray[np.int32]
    factor: Floats
    intercept: Floats

    @classmethod
    def of_sklearn(cls, trees: Sequence[Any], factor: float, intercept: float) -> Trees:
        """The trees of scikit-learn, one behind the other."""
        sizes = [tree.node_count for tree in trees]
        roots = np.concatenate([[0], np.cumsum(sizes)[:-1]])

        def children(which: str) -> NDArray[np.int32]:
            moved = [
                np.where(getattr(tree, which) < 0, -1, getattr(tree, which) + root)
                for tree, root in zip(trees, roots, strict=True)
            ]
            return np.concatenate(moved).astype(np.int32)

        left = children("children_left")
        feature = np.concatenate([tree.feature for tree in trees])
        return cls(
            np.where(left < 0, -1, feature).astype(np.int32),
            np.concatenate([tree.threshold for tree in trees]).astype(np.float64),
            left,
            children("children_right"),
            np.concatenate([tree.value[:, 0, 0] for tree in trees]).astype(np.float64),
            roots.astype(np.int32),
            np.array(factor),
            np.array(intercept),
        )

    def predict(self, x: Floats) -> Floats:
        """The sum of the leaves that each sentence falls into."""
        # The trees were grown on single precision, and a threshold lies between two of its numbers.

        def values(part: Floats) -> Floats:
            rows = np.repeat(np.arange(len(part)), len(self.roots))
            leaves = walk(part, rows, np.tile(self.roots, len(part)), self)
            sums = self.value[leaves].reshape(len(part), len(self.roots)).sum(axis=1)
            scores: Floats = sums * self.factor + self.intercept
            return scores

        return in_pieces(x.astype(np.float32), 2 * len(self.roots), values)

    def check(self, n_features: int) -> None:
        """That every walk ends, too."""
        check_nodes(self.feature, self.left, self.right, n_features)
        if not self.left.shape == self.threshold.shape == self.value.shape:
            raise ModelError("The trees have not as many values as nodes.")
        # A walk counts in the type of its beginnings: in a narrow one it would go round for ever.
        if self.roots.dtype != np.int32 or (self.roots < 0).any() or (self.roots >= len(self.left)).any():
            raise ModelError("The trees begin at nodes that are not there.")
        super().check(n_features)

    def size(self) -> dict[str, int]:
        """Trees and leaves."""
        return {"trees": len(self.roots), "leaves": int((self.left < 0).sum())}


@dataclass(frozen=True)
class _Forest(Learner):
    needs_sklearn: ClassVar[bool] = True
    grid: ClassVar[tuple[str, ...]] = ("min_leaf", "share")

    n_trees: int = option(200, low=1, high=10_000, text="trees")
    min_leaf: tuple[float, ...] = option((2.0, 5.0, 10.0), text="least sentences of a leaf, to try")
    share: tuple[float, ...] = option((0.33, 0.67), text="shares of the features that a split looks at, to try")

    def _grow(self, kind: Any, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Trees:
        model = kind(
            n_estimators=self.n_trees,
            min_samples_leaf=max(1, round(setting["min_leaf"])),
            max_features=min(1.0, setting["share"]),
            random_state=sklearn_seed(job, self.name),
            n_jobs=job.n_threads,
        ).fit(x, y)
        return Trees.of_sklearn([each.tree_ for each in model.estimators_], 1.0 / self.n_trees, 0.0)


@dataclass(frozen=True)
class RandomForest(_Forest):
    """Random forest: the mean of trees on resampled sentences (Breiman 2001; LIMSI, WMT 2012). Grown by scikit-learn.

    The trees are kept as arrays, and using them needs no further package.
    """

    name: ClassVar[str] = "forest"

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:
        """The trees."""
        from sklearn.ensemble import RandomForestRegressor

        return self._grow(RandomForestRegressor, x, y, setting, job)


@dataclass(frozen=True)
class ExtraTrees(_Forest):
    """Extremely randomised trees: the mean of trees whose thresholds are drawn (Geurts et al. 2006; FBK, WMT 2013–14).

    Grown by scikit-learn on all sentences; kept as arrays.
    """

    name: ClassVar[str] = "extra-trees"

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:
        """The trees."""
        from sklearn.ensemble import ExtraTreesRegressor

        return self._grow(ExtraTreesRegressor, x, y, setting, job)


@dataclass(frozen=True)
class Boosting(Learner):
    """Gradient boosting (Friedman 2001; Yandex, WMT 2014): small trees, each on what the others leave over.

    `depth=1` are boosted stumps. Grown by scikit-learn, each tree on half of the sentences; kept as arrays.
    """

    name: ClassVar[str] = "boosting"
    needs_sklearn: ClassVar[bool] = True
    grid: ClassVar[tuple[str, ...]] = ("depth", "rate")

    n_trees: int = option(200, low=1, high=10_000, text="trees")
    depth: tuple[float, ...] = option((1.0, 3.0), text="depths of a tree, to try")
    rate: tuple[float, ...] = option((0.03, 0.1), text="factors on each tree, to try")
    min_leaf: int = option(5, low=1, text="least sentences of a leaf")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:
        """The trees."""
        from sklearn.ensemble import GradientBoostingRegressor

        model = GradientBoostingRegressor(
            n_estimators=self.n_trees,
            max_depth=max(1, round(setting["depth"])),
            learning_rate=setting["rate"],
            subsample=0.5,
            min_samples_leaf=self.min_leaf,
            random_state=sklearn_seed(job, self.name),
        ).fit(x, y)
        trees = [each.tree_ for each in model.estimators_[:, 0]]
        return Trees.of_sklearn(trees, setting["rate"], float(np.asarray(model.init_.constant_).ravel()[0]))
