"""The shape of trees, and a table of what a grammar says of each sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.report import Column, Result, Table
from dragoman.syntax.constituents import ConstituentParse
from dragoman.text.trees import Tree

__all__ = ["PHRASES", "SentenceParses", "label_counts", "tree_depth", "tree_width"]

PHRASES = ("S", "NP", "VP", "PP")  # what treebanks and `phrase_tree` have in common


def tree_depth(tree: Tree) -> int:
    """How many nodes stand above the deepest word; 0 for a tree without nodes."""
    return max(_levels(tree), default=0)


def tree_width(tree: Tree) -> int:
    """How many nodes the widest level has; 0 for a tree without nodes."""
    return max(Counter(_levels(tree)).values(), default=0)


def label_counts(tree: Tree) -> Counter[str]:
    """How many nodes have each label, words left out."""
    return Counter(label for label, below in zip(tree.labels, tree.children(), strict=True) if below)


def _levels(tree: Tree) -> list[int]:
    levels: list[int] = []
    for parent in tree.parents:
        levels.append(levels[parent] + 1 if parent >= 0 else 0)
    return levels


@dataclass(frozen=True)
class SentenceParses(Result):
    """What a grammar says of each sentence."""

    kind: ClassVar[str] = "sentence parses"

    parses: Sequence[ConstituentParse]
    model: str = ""

    def tables(self) -> list[Table]:
        """A row a sentence: likelihood, trees, confidence, shape and phrases of the best tree."""
        columns = [
            Column("segment"),
            Column("log_likelihood", "log-likelihood", digits=2),
            Column("log_sentence", "of all trees", digits=2),
            Column("n_trees", "trees"),
            Column("confidence", digits=4),
            Column("mean_confidence", "mean", digits=4),
            Column("failed"),
            Column("depth"),
            Column("width"),
            *map(Column, PHRASES),
        ]
        rows = []
        for number, parse in enumerate(self.parses, start=1):
            counts = label_counts(parse.tree)
            rows.append(
                (
                    number,
                    parse.log_likelihood,
                    parse.log_sentence,
                    parse.n_trees,
                    parse.confidence,
                    parse.mean_confidence,
                    parse.failed,
                    tree_depth(parse.tree),
                    tree_width(parse.tree),
                    *(counts[label] for label in PHRASES),
                )
            )
        return [Table.of("Parses", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The model, and how many sentences failed."""
        return {"model": self.model, "n_failed": sum(parse.failed for parse in self.parses)}
