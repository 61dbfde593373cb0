"""How well trees agree with those of a treebank: labelled brackets (PARSEVAL; Black et al. 1991)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.syntax.bracketed import ROOT, clean_tree
from dragoman.syntax.constituents import Grammar
from dragoman.text.trees import Tree

__all__ = ["BracketScore", "bracket_score", "brackets", "evaluate_grammar"]

# What evalb's file COLLINS.prm does not count as words: the Penn Treebank's punctuation; and that of UPOS.
PUNCTUATION = frozenset({",", ":", "``", "''", ".", "PUNCT"})


@dataclass(frozen=True)
class BracketScore(Result):
    """Agreement of brackets over a test set."""

    kind: ClassVar[str] = "bracket score"

    n_sentences: int
    n_exact: int
    n_failed: int
    matched: int
    found: int
    expected: int
    n_words: int
    n_tags_right: int
    by_label: tuple[tuple[str, int, int, int], ...]  # label, matched, found, expected

    @property
    def precision(self) -> float:
        """Share of the brackets found that are right."""
        return self.matched / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Share of the right brackets that were found."""
        return self.matched / self.expected if self.expected else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        total = self.found + self.expected
        return 2 * self.matched / total if total else 0.0

    def tables(self) -> list[Table]:
        """All labels together, then each, the most frequent first."""
        columns = [
            Column("label"),
            Column("precision", digits=4),
            Column("recall", digits=4),
            Column("f1", "F1", digits=4),
            Column("expected"),
        ]
        rows = [("all", self.precision, self.recall, self.f1, self.expected)]
        for label, matched, found, expected in self.by_label:
            shares = (matched / found if found else 0.0, matched / expected if expected else 0.0)
            rows.append((label, *shares, 2 * matched / (found + expected), expected))
        return [Table.of("Labelled brackets", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Counts beside brackets."""
        return {
            "n_sentences": self.n_sentences,
            "exact": self.n_exact / self.n_sentences if self.n_sentences else 0.0,
            "n_failed": self.n_failed,
            "tag_accuracy": self.n_tags_right / self.n_words if self.n_words else 0.0,
        }


def brackets(tree: Tree) -> Counter[tuple[str, int, int]]:
    """The phrases of a cleaned tree with their places, counted in words without punctuation. `ROOT` is none of them."""
    found: Counter[tuple[str, int, int]] = Counter()
    ends = [0] * len(tree)
    begins = [0] * len(tree)
    n_words = 0
    children = tree.children()
    for node, label in enumerate(tree.labels):
        begins[node] = n_words
        if children[node] and not children[children[node][0]] and label not in PUNCTUATION:
            n_words += 1
    after = n_words
    for node in range(len(tree) - 1, -1, -1):
        below = children[node]
        # The end of a node is where the next node that is not below it begins.
        ends[node] = max((ends[child] for child in below), default=after)
        after = begins[node]
        if below and children[below[0]] and tree.labels[node] != ROOT and ends[node] > begins[node]:
            found["ADVP" if tree.labels[node] == "PRT" else tree.labels[node], begins[node], ends[node]] += 1
    return found


def bracket_score(trees: Sequence[Tree], expected: Sequence[Tree], *, failed: Sequence[bool] = ()) -> BracketScore:
    """Compare trees with those of a treebank, sentence by sentence.

    Both are cleaned (`clean_tree`); as evalb does by custom, `ROOT` and punctuation are not counted and PRT counts as
    ADVP. A sentence without a tree has no bracket right.
    """
    check_parallel({"trees": trees, "expected": expected, **({"failed": failed} if failed else {})})
    per_label: dict[str, list[int]] = {}
    n_exact = n_words = n_right = 0
    for number, (given, wanted) in enumerate(zip(trees, expected, strict=True), start=1):
        first, second = clean_tree(given), clean_tree(wanted)
        tags, right_tags = list(_tags(first)), list(_tags(second))
        if tags and len(tags) != len(right_tags):
            raise DataError(
                f"Sentence {number} has {len(tags)} words in one tree and {len(right_tags)} in the other; "
                "parse the words of the treebank as they are."
            )
        n_words += len(right_tags)
        n_right += sum(a == b for a, b in zip(tags, right_tags, strict=False))
        found, right = brackets(first), brackets(second)
        n_exact += found == right
        for place, sums in ((0, found & right), (1, found), (2, right)):
            for (label, _, _), count in sums.items():
                per_label.setdefault(label, [0, 0, 0])[place] += count
    by_size = sorted(per_label.items(), key=lambda entry: (-entry[1][2], entry[0]))
    n_matched, n_found, n_expected = (sum(counts[place] for counts in per_label.values()) for place in range(3))
    return BracketScore(
        len(expected),
        n_exact,
        sum(map(bool, failed)),
        n_matched,
        n_found,
        n_expected,
        n_words,
        n_right,
        tuple((label, a, b, c) for label, (a, b, c) in by_size),
    )


def evaluate_grammar(
    grammar: Grammar, trees: Sequence[Tree], *, longest: int = 100, n_threads: int = 1
) -> BracketScore:
    """Parse the words of trees and compare what is found with them; trees without words are left out."""
    expected = [tree for tree in map(clean_tree, trees) if len(tree)]
    lines = [[tree.labels[leaf] for leaf in _leaves(tree)] for tree in expected]
    found = grammar.parse(lines, longest=longest, n_threads=n_threads)
    return bracket_score([parse.tree for parse in found], expected, failed=[parse.failed for parse in found])


def _leaves(tree: Tree) -> Iterator[int]:
    # Pre-order: a node's first child, if it has any, is the next node.
    for node in range(1, len(tree)):
        if node + 1 == len(tree) or tree.parents[node + 1] != node:
            yield node


def _tags(tree: Tree) -> Iterator[str]:
    return (tree.labels[tree.parents[leaf]] for leaf in _leaves(tree))
