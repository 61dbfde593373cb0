"""Support-vector regression whose kernel sees features and trees (Hardmeier, Nivre & Tiedemann, WMT 2012).

K = (γ x·x' + 1)^d + T·Σ K_tree, with features scaled to [0, 1] and a tree kernel for each kind of tree and side, all
normalised. Trees are compared with trees of their own kind only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.arrays import check_array
from dragoman.artifact import Artifact, Manifest
from dragoman.data import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.files import StrPath, plain_name, write_lines
from dragoman.learn.criteria import CRITERIA, loss
from dragoman.learn.folds import by_folds, make_folds
from dragoman.learn.selectors.base import need_sklearn
from dragoman.learn.svr import support_of_gram
from dragoman.learn.tree_kernels import KernelTrees, TreeKernel
from dragoman.notation import count_of, finite_number, list_of_texts, parse_json
from dragoman.options import Recipe, option
from dragoman.qe.features import FeatureTable
from dragoman.qe.prediction_measures import score_measures
from dragoman.qe.sentences.model import Predictions
from dragoman.qe.tasks import check_scores, score_task
from dragoman.qe.trees.parsing import PHRASES
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats
from dragoman.text.conllu import read_conllu
from dragoman.text.trees import Tree, dependency_tree, parse_tree, read_trees

__all__ = ["TreeModel", "TreeRecipe", "TreeTraining", "read_parses"]

_SUPPORT = ("low", "span", "vectors", "coefficients", "intercept")

Parses = Mapping[str, Sequence[Tree]]  # by name, such as source-dependency: a tree for each sentence


def read_parses(path: StrPath) -> list[Tree]:
    """Trees in brackets, a line each, or the dependencies of a CoNLL-U file (`.conllu`)."""
    if plain_name(path).endswith(".conllu"):
        return [dependency_tree(sentence) for sentence in read_conllu(path)]
    return read_trees(path)


@dataclass(frozen=True)
class TreeTraining(Result):
    """What was tried and what was chosen."""

    kind: ClassVar[str] = "qe tree training"

    tried: tuple[tuple[float, int, float, float], ...]  # C, degree, weight of the trees, held-out criterion
    chosen: tuple[float, int, float]
    measures: Mapping[str, tuple[float, float]]  # of the choice: over all folds together, mean over the folds
    criterion: str
    n_sentences: int
    n_support: int
    folds: tuple[int, ...]
    seed: int

    def tables(self) -> list[Table]:
        """A row a setting, the best first; then what cross-validation says of the best."""
        columns = [
            Column("c", "C"),
            Column("degree"),
            Column("tree_weight", "T"),
            Column("held_out", self.criterion, digits=4),
        ]
        held_out = [Column("measure"), Column("pooled", digits=4), Column("fold_mean", "mean of folds", digits=4)]
        return [
            Table.of("Settings", columns, sorted(self.tried, key=lambda row: row[3])),
            Table.of("Cross-validation", held_out, [(name, *values) for name, values in self.measures.items()]),
        ]

    def meta(self) -> dict[str, Any]:
        """The choice."""
        c, degree, weight = self.chosen
        return {
            "c": c,
            "degree": degree,
            "tree_weight": weight,
            "criterion": self.criterion,
            "seed": self.seed,
            "n_sentences": self.n_sentences,
            "n_support": self.n_support,
            "measures": {name: list(values) for name, values in self.measures.items()},
        }


@dataclass(frozen=True)
class TreeRecipe(Recipe):
    """How to learn scores from features and trees; settings are chosen by cross-validation."""

    name: ClassVar[str] = "tree-svr"

    kernel: str = option(
        "auto",
        choices=("auto", "partial", "subset"),
        text="parts of trees that are counted; auto: subset where a tree's name ends in phrases, partial elsewhere",
    )
    width: float = option(0.4, low=0.01, high=1.0, text="λ, the decay of larger parts")
    depth: float = option(0.4, low=0.01, high=1.0, text="μ, the decay of deeper parts; partial trees only")
    c: tuple[float, ...] = option((0.3, 1.0, 4.0), text="costs of an error to try")
    degree: tuple[int, ...] = option((2, 3), text="degrees of the polynomial over features to try")
    tree_weight: tuple[float, ...] = option((0.0, 0.1, 0.3, 1.0), text="weights T of the trees to try")
    gamma: float = option(1.0, low=0.0, text="factor γ of x·x' in the polynomial; 1 suits a few dozen features")
    scale: str = option("unit", choices=("unit", "standard"), text="features to [0, 1], or to mean 0 and deviation 1")
    epsilon: float = option(0.1, low=0.0, text="errors that cost nothing, in units of the scores' standard deviation")
    n_folds: int = option(5, low=2, high=20, text="parts of the cross-validation")
    layout: str = option("shuffled", choices=("contiguous", "shuffled"), text="how parts are cut")
    criterion: str = option("mae", choices=CRITERIA, text="what settings are chosen by")

    def train(
        self,
        features: FeatureTable | None,
        trees: Parses,
        scores: Sequence[float],
        *,
        task: str = "hter",
        made_by: Mapping[str, str] | None = None,
        seed: int = 1,
        n_threads: int = 1,
    ) -> TreeModel:
        """Learn from features (None: from trees alone) and trees of the same sentences.

        `made_by` are the digests of what made the trees (`TreeMakers.digests`); the model keeps them.
        """
        self.check()
        need_sklearn(f"The learner {self.name}")
        if not trees:
            raise DataError("There are no trees to learn from. Without any, dragoman qe train learns from features.")
        target = score_task(task)
        gold = check_scores("scores", list(scores), target)
        sides: dict[str, Sequence[Any]] = dict(trees)
        check_parallel({"scores": list(scores), **sides, **({} if features is None else {"features": features.values})})
        low, span = _scaling(features, self.scale)
        parts = _Parts(features, {name: KernelTrees(parses) for name, parses in trees.items()}, low, span)
        mean, deviation = float(gold.mean()), float(gold.std()) or 1.0
        y = (gold - mean) / deviation
        grams = parts.grams(self, n_threads)
        folds = make_folds(len(y), self.n_folds, self.layout, seed=seed)
        degrees = self.degree if features is not None else (0,)
        weights = self.tree_weight if features is not None else (1.0,)
        value = loss(self.criterion, higher_is_better=target.higher_is_better)
        tried: list[tuple[float, int, float, float]] = []
        best_said = np.zeros(len(y))
        for c, degree, weight in product(self.c, degrees, weights):
            gram = grams.joined(degree, weight)
            scores_out = np.zeros(len(y))
            for fold in range(self.n_folds):
                inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
                rows, coefficients, b = support_of_gram(
                    gram[np.ix_(inside, inside)], y[inside], c=c, epsilon=self.epsilon
                )
                scores_out[outside] = gram[np.ix_(outside, inside[rows])] @ coefficients + b
            predicted = np.clip(mean + deviation * scores_out, target.low, target.high)
            tried.append((c, degree, weight, float(value(gold, predicted))))
            if tried[-1] == min(tried, key=lambda row: row[3]):
                best_said = predicted
        best = min(tried, key=lambda row: row[3])
        measures = by_folds(score_measures(target), gold, best_said, folds)
        rows, coefficients, b = support_of_gram(grams.joined(best[1], best[2]), y, c=best[0], epsilon=self.epsilon)
        training = TreeTraining(
            tuple(tried), best[:3], measures, self.criterion, len(y), len(rows), tuple(folds.tolist()), seed
        )
        support = {name: tuple(parses[row] for row in rows.tolist()) for name, parses in trees.items()}
        return TreeModel(
            self,
            task,
            () if features is None else features.names,
            low,
            span,
            parts.x[rows],
            support,
            coefficients * deviation,
            mean + deviation * b,
            training,
            made_by or {},
        )


@dataclass(frozen=True, eq=False)
class _Grams:
    """The matrices that a kernel is made of."""

    inner: Floats  # γ x·x'
    trees: Floats  # the sum over all kinds of trees

    def joined(self, degree: int, weight: float) -> Floats:
        features = (self.inner + 1.0) ** degree if degree else np.zeros_like(self.inner)
        return np.asarray(features + weight * self.trees)


class _Parts:
    """Sentences as the kernel sees them."""

    def __init__(
        self, features: FeatureTable | None, trees: Mapping[str, KernelTrees], low: Floats, span: Floats
    ) -> None:
        n = len(next(iter(trees.values())))
        self.trees = trees
        self.x = np.zeros((n, 0)) if features is None else (features.values - low) / span

    def grams(
        self,
        recipe: TreeRecipe,
        n_threads: int,
        rows: NDArray[np.int64] | None = None,
        columns: NDArray[np.int64] | None = None,
    ) -> _Grams:
        every = np.arange(len(self.x))
        left, right = (every if each is None else each for each in (rows, columns))
        total = np.zeros((len(left), len(right)))
        for name, trees in self.trees.items():
            kind = recipe.kernel
            if kind == "auto":
                kind = "subset" if name.endswith(PHRASES) else "partial"
            total += TreeKernel(kind, recipe.width, recipe.depth).gram(trees, left, right, n_threads=n_threads)
        return _Grams(recipe.gamma * (self.x[left] @ self.x[right].T), total)


class TreeModel(Artifact):
    """Support vectors: their features, their trees, and what each counts."""

    kind: ClassVar[str] = "qe tree model"
    format: ClassVar[int] = 2

    def __init__(
        self,
        recipe: TreeRecipe,
        task: str,
        names: Sequence[str],
        low: Floats,
        span: Floats,
        vectors: Floats,
        trees: Mapping[str, Sequence[Tree]],
        coefficients: Floats,
        intercept: float,
        training: TreeTraining,
        made_by: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe: TreeRecipe = recipe
        self.task = task
        self.names = tuple(names)
        self.low, self.span, self.vectors = low, span, vectors
        self.trees = {name: tuple(parses) for name, parses in trees.items()}
        self.coefficients, self.intercept = coefficients, intercept
        self.training = training
        self.data = dict(made_by or {})

    def predict(self, features: FeatureTable | None, trees: Parses, *, n_threads: int = 1) -> Predictions:
        """A score for each sentence. Features and kinds of trees must be those it was trained on."""
        have = () if features is None else features.names
        if have != self.names or set(trees) != set(self.trees):
            raise DataError(
                f"The model was trained on the features {', '.join(self.names) or 'none'} and the trees "
                f"{', '.join(self.trees)}; found {', '.join(have) or 'none'} and {', '.join(trees) or 'none'}."
            )
        check_parallel({**trees, **({} if features is None else {"features": features.values})})
        n_new, n_own = len(next(iter(trees.values()))), len(self.coefficients)
        joined = {name: KernelTrees([*trees[name], *own]) for name, own in self.trees.items()}
        parts = _Parts(None, joined, self.low, self.span)
        if features is not None:
            parts.x = np.concatenate([(features.values - self.low) / self.span, self.vectors])
        new, own = np.arange(n_new, dtype=np.int64), np.arange(n_new, n_new + n_own, dtype=np.int64)
        _, degree, weight = self.training.chosen
        gram = parts.grams(self.recipe, n_threads, new, own).joined(degree, weight)
        task = score_task(self.task)
        scores = np.clip(gram @ self.coefficients + self.intercept, task.low, task.high)
        return Predictions(tuple(float(score) for score in scores.tolist()), self.task)

    def _write(self, folder: Path) -> None:
        arrays: dict[str, Any] = {name: np.asarray(getattr(self, name)) for name in _SUPPORT}
        np.savez(folder / "support.npz", **arrays)
        for number, parses in enumerate(self.trees.values(), start=1):
            write_lines(folder / f"trees-{number}.txt", map(str, parses))
        about = {"task": self.task, "names": list(self.names), "trees": list(self.trees), **vars(self.training)}
        (folder / "model.json").write_text(json.dumps(about) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = TreeRecipe.from_dict(manifest.recipe)
        about = parse_json((folder / "model.json").read_bytes())
        task = score_task(about.pop("task")).name
        names, kinds = (list_of_texts(about.pop(name)) for name in ("names", "trees"))
        with np.load(folder / "support.npz", allow_pickle=False) as arrays:
            low, span, vectors, coefficients, intercept = (arrays[name] for name in _SUPPORT)
        trees = {
            name: [parse_tree(line) for line in (folder / f"trees-{number}.txt").read_text("utf-8").splitlines()]
            for number, name in enumerate(kinds, start=1)
        }
        n, sizes = len(coefficients), {name: len(parses) for name, parses in trees.items()}
        if not sizes or set(sizes.values()) != {n}:
            raise ModelError(f"{folder} has {n} support vectors and the trees of {sizes}. Train it again.")
        wanted = ((low, (len(names),)), (span, (len(names),)), (vectors, (n, len(names))), (coefficients, (n,)))
        for name, (array, size) in zip(_SUPPORT, (*wanted, (intercept, ())), strict=True):
            check_array(folder / f"support.npz:{name}", array, np.float64, *size)
        training = TreeTraining(
            tried=tuple((*_setting(*row), float(value)) for *row, value in about["tried"]),
            chosen=_setting(*about["chosen"]),
            measures={name: (float(pooled), float(mean)) for name, (pooled, mean) in about["measures"].items()},
            criterion=str(about["criterion"]),
            folds=tuple(map(count_of, about["folds"])),
            **{name: count_of(about[name]) for name in ("n_sentences", "n_support", "seed")},
        )
        return cls(
            recipe, task, names, low, span, vectors, trees, coefficients, float(intercept), training, manifest.data
        )


def _setting(c: object, degree: object, weight: object) -> tuple[float, int, float]:
    """The cost of an error, the degree and the weight of the trees, from JSON."""
    return finite_number(c), count_of(degree), finite_number(weight)


def _scaling(features: FeatureTable | None, scale: str) -> tuple[Floats, Floats]:
    """What is taken from each feature and what it is divided by; 1 for those that are constant."""
    if features is None:
        return np.zeros(0), np.ones(0)
    low, span = features.values.min(axis=0), np.ptp(features.values, axis=0)
    if scale == "standard":
        low, span = features.values.mean(axis=0), np.where(span > 0, features.values.std(axis=0), 0.0)
    return low, np.where(span > 0, span, 1.0)
