"""Labelling the arguments of nouns in two stages, by structural learning (Liu & Ng, ACL 2007).

Is a node an argument? and which one? Both stages are linear one-vs-all problems over features of the tree; the problems
of the twenty labels are auxiliary to the first stage, and to themselves in the second.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest
from dragoman.cache import digest_of
from dragoman.errors import DataError
from dragoman.learn.aso import fit_structure
from dragoman.notation import finite_number, list_of_texts
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats
from dragoman.syntax.noun_frames import NounFrame, TreeView, action_nouns, view_of
from dragoman.text.layers import make_annotator
from dragoman.text.trees import Tree

__all__ = ["NounRoleAccuracy", "NounRoleLabeller", "NounRoleRecipe", "NounRoles", "class_features", "node_features"]

_FILE = "nouns.json"
_CLAUSES = frozenset({"S", "SINV", "SQ", "ROOT", "TOP"})
Weights = Mapping[str, list[float]]  # of each feature, one for each problem
_STAGES = ("identification", "classification", "both")


@dataclass(frozen=True)
class NounRoleRecipe(Recipe):
    """How to learn the arguments of nouns."""

    h: int = option(20, low=0, high=1000, text="dimensions of the subspace that the problems share; 0 for none")
    penalty: float = option(1e-4, low=1e-9, high=10, text="penalty on squared weights")
    rare: int = option(2, low=1, high=1000, text="features of fewer nodes are left out")

    def train(self, frames: Sequence[NounFrame]) -> NounRoleLabeller:
        """Learn from nouns and their arguments."""
        self.check()
        rows = [(frame, node) for frame in frames for node in candidates(frame.tree, frame.predicate)]
        given = [frame.arguments.get(node) for frame, node in rows]
        labels = tuple(sorted({label for label in given if label}))
        if not labels or None not in given:
            raise DataError(f"{len(frames)} nouns have no arguments, or nothing else; there is nothing to learn.")
        nodes = [node_features(frame.tree, frame.predicate, node) for frame, node in rows]
        of_arguments = [place for place, label in enumerate(given) if label]
        classes = [
            class_features(rows[place][0].tree, rows[place][0].predicate, rows[place][1]) for place in of_arguments
        ]
        auxiliary = _signs(given, labels)
        first = self._fit(nodes, np.where([[bool(label)] for label in given], 1.0, -1.0), auxiliary)
        second = self._fit(classes, auxiliary[of_arguments], None)
        digest = digest_of("\n".join(f"{f.tree} {f.predicate} {sorted(f.arguments.items())}" for f in frames).encode())
        return NounRoleLabeller(self, labels, first, second, {"frames": digest})

    def _fit(
        self, rows: Sequence[Sequence[str]], targets: Floats, auxiliary: Floats | None
    ) -> Mapping[str, list[float]]:
        counts = Counter(name for row in rows for name in row)
        names = sorted(name for name, count in counts.items() if count >= self.rare)
        weights, _ = fit_structure(_matrix(rows, names), targets, auxiliary, h=self.h, penalty=self.penalty)
        return {name: [round(float(w), 6) for w in row] for name, row in zip(names, weights, strict=True)}


@dataclass(frozen=True, eq=False)
class NounRoleLabeller(Artifact):
    """Weights of both stages."""

    kind: ClassVar[str] = "noun-role labeller"
    format: ClassVar[int] = 1

    recipe: NounRoleRecipe
    labels: tuple[str, ...]
    first: Weights
    second: Weights
    data: Mapping[str, str] = field(default_factory=dict)

    def label(self, tree: Tree, predicate: int) -> dict[int, str]:
        """The arguments of the noun at a leaf of a tree."""
        nodes = candidates(tree, predicate)
        there = [node for node in nodes if _sum(self.first, node_features(tree, predicate, node), 1)[0] > 0]
        return {node: self.classify(tree, predicate, node) for node in there}

    def classify(self, tree: Tree, predicate: int, node: int) -> str:
        """The label of a node that is an argument."""
        return self.labels[int(np.argmax(_sum(self.second, class_features(tree, predicate, node), len(self.labels))))]

    def label_all(self, trees: Sequence[Tree]) -> NounRoles:
        """The arguments of all nouns that look like actions."""
        rows = []
        for number, tree in enumerate(trees, start=1):
            view = view_of(tree)
            for leaf in action_nouns(tree):
                found = self.label(tree, leaf).items()
                rows += [(number, tree.labels[leaf], label, " ".join(view.words(node))) for node, label in found]
        return NounRoles(tuple(rows))

    def evaluate(self, frames: Sequence[NounFrame]) -> NounRoleAccuracy:
        """Compare with given frames: nodes, labels of the right nodes, and both."""
        n_found = n_right = n_labelled = n_given = n_classes = 0
        for frame in frames:
            found, given = self.label(frame.tree, frame.predicate), frame.arguments
            n_found, n_given = n_found + len(found), n_given + len(given)
            n_right += len(found.keys() & given.keys())
            n_labelled += sum(given.get(node) == label for node, label in found.items())
            n_classes += sum(self.classify(frame.tree, frame.predicate, node) == label for node, label in given.items())
        scores = (_f1(n_right, n_found, n_given), _f1(n_classes, n_given, n_given), _f1(n_labelled, n_found, n_given))
        return NounRoleAccuracy(scores, len(frames), n_given)

    def _write(self, folder: Path) -> None:
        values = {"labels": self.labels, "first": dict(self.first), "second": dict(self.second)}
        (folder / _FILE).write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        values = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        recipe = NounRoleRecipe.from_dict(manifest.recipe)
        labels = list_of_texts(values["labels"])
        first, second = (_checked(values[name], width) for name, width in (("first", 1), ("second", len(labels))))
        return cls(recipe, labels, first, second, manifest.data)


@dataclass(frozen=True)
class NounRoles(Result):
    """The arguments of nouns, phrase by phrase."""

    kind: ClassVar[str] = "noun roles"

    rows: tuple[tuple[int, str, str, str], ...]

    def tables(self) -> list[Table]:
        """One row for each argument."""
        return [Table.of("Arguments of nouns", ["tree", "noun", "label", "words"], self.rows)]

    def meta(self) -> dict[str, Any]:
        """How many arguments."""
        return {"arguments": len(self.rows)}


@dataclass(frozen=True)
class NounRoleAccuracy(Result):
    """F1 of finding arguments, of labelling given ones, and of both together."""

    kind: ClassVar[str] = "noun-role accuracy"

    f1: tuple[float, float, float]
    n_nouns: int
    n_arguments: int

    def tables(self) -> list[Table]:
        """One row for each stage."""
        rows = list(zip(_STAGES, (100 * value for value in self.f1), strict=True))
        note = f"In per cent; {self.n_nouns} nouns with {self.n_arguments} arguments."
        return [Table.of("Arguments of nouns", [Column("stage"), Column("F1", digits=2)], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How many nouns and arguments."""
        return {"nouns": self.n_nouns, "arguments": self.n_arguments}


def candidates(tree: Tree, predicate: int) -> list[int]:
    """The nodes that may be arguments: all of the noun's clause with words, but for what is above the noun."""
    view = view_of(tree)
    above = view.path_up(predicate)
    clause = next((node for node in above[2:] if view.label(node) in _CLAUSES), above[-1])
    begin, end = view.stretches[clause]
    return [
        node
        for node in range(clause + 1, len(tree))
        if view.children[node] and node not in above and view.words(node)
        if begin <= view.stretches[node][0] and view.stretches[node][1] <= end
    ]


def node_features(tree: Tree, predicate: int, node: int) -> list[str]:
    """The eighteen features of identification, as `name=value`."""
    view = view_of(tree)
    about = _about(view, predicate, node)
    noun, path, head = about["pred"], about["path"], about["hw"]
    parent = tree.parents[node]
    left, right = _sisters(view, node)
    values = {
        **about,
        "subcat": "→".join([view.label(tree.parents[tree.parents[predicate]]), *_rule(view, predicate)]),
        "lsis.ptype": "" if left is None else view.label(left),
        "rsis.hw": "" if right is None else view.label(view.head(right)),
        "rsis.hw.pos": "" if right is None else view.label(tree.parents[view.head(right)]),
        "parent.ptype": view.label(parent),
        "parent.hw": view.label(view.head(parent)),
        "ptype&length": f"{about['ptype']} {path.count('↑') + path.count('↓')}",
        "pred&hw": f"{noun} {head}",
        "pred&path": f"{noun} {path}",
        "pred&position": f"{noun} {about['position']}",
    }
    return [*(f"{name}={value}" for name, value in values.items()), "1"]


def class_features(tree: Tree, predicate: int, node: int) -> list[str]:
    """The eleven features of classification; an ending of the noun stands for NOMLEX's kind of noun."""
    view = view_of(tree)
    about = _about(view, predicate, node)
    _, right = _sisters(view, node)
    kind = view.label(predicate)[-4:]
    values = {name: about[name] for name in ("position", "ptype", "firstword", "lastword")} | {
        "rsis.ptype": "" if right is None else view.label(right),
        "nomtype": kind,
        "pred&ptype": f"{view.label(predicate)} {about['ptype']}",
        "pred&lastword": f"{view.label(predicate)} {about['lastword']}",
        "stem&hw": f"{about['pred']} {about['hw']}",
        "stem&position": f"{about['pred']} {about['position']}",
        "nomtype&position": f"{kind} {about['position']}",
    }
    return [*(f"{name}={value}" for name, value in values.items()), "1"]


def _about(view: TreeView, predicate: int, node: int) -> dict[str, str]:
    """What both stages ask: noun, kind of phrase, head, place, first and last word, the way through the tree."""
    words = view.words(node)
    (begin, end), (place, _) = view.stretches[node], view.stretches[predicate]
    up, down = view.path_up(node), view.path_up(view.tree.parents[predicate])
    meeting = next(each for each in up if each in down)
    climb = [view.label(each) for each in up[: up.index(meeting) + 1]]
    descent = [view.label(each) for each in down[: down.index(meeting)]][::-1]
    return {
        "pred": _stem(view.label(predicate)),
        "ptype": view.label(node),
        "hw": view.label(view.head(node)),
        "position": "left" if end <= place else "right" if begin > place else "overlap",
        "firstword": words[0],
        "lastword": words[-1],
        "path": "↓".join(["↑".join(climb), *descent]),
        "partialpath": "↑".join(climb),
    }


def _rule(view: TreeView, predicate: int) -> Iterator[str]:
    phrase = view.tree.parents[view.tree.parents[predicate]]
    return (view.label(child) for child in view.children[phrase])


def _sisters(view: TreeView, node: int) -> tuple[int | None, int | None]:
    sisters = view.children[view.tree.parents[node]]
    place = sisters.index(node)
    return sisters[place - 1] if place else None, sisters[place + 1] if place + 1 < len(sisters) else None


def _stem(word: str) -> str:
    return str(make_annotator("snowball+lang=en", ("stem",)).annotate([[word]])[0][0])


def _signs(given: Sequence[str | None], labels: Sequence[str]) -> Floats:
    return np.array([[1.0 if label == each else -1.0 for each in labels] for label in given])


def _matrix(rows: Sequence[Sequence[str]], names: Sequence[str]) -> Any:
    from scipy.sparse import csr_matrix

    column = {name: number for number, name in enumerate(names)}
    places = [(r, column[name]) for r, row in enumerate(rows) for name in row if name in column]
    return csr_matrix((np.ones(len(places)), tuple(zip(*places, strict=True))), shape=(len(rows), len(names)))


def _checked(weights: Weights, width: int) -> Weights:
    """Weights from a file: of every feature as many finite numbers."""
    for row in weights.values():
        if not isinstance(row, list) or len(list(map(finite_number, row))) != width:
            raise TypeError(f"expected {width} weights, got {str(row)[:60]}")
    return weights


def _sum(weights: Weights, names: Sequence[str], width: int) -> Floats:
    there = [weights[name] for name in names if name in weights]
    return np.sum(there, axis=0) if there else np.zeros(width)


def _f1(right: int, found: int, given: int) -> float:
    return 2 * right / (found + given) if found + given else 0.0
