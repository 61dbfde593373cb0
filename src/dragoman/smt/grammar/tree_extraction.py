"""Rules cut out of trees: minimal and composed ones (GHKM), and gaps for whole dependency subtrees alone.

A node of a tree over one side is a gap or the whole of a rule where the alignment lets it (Galley et al. 2004, 2006;
Williams & Koehn 2012). Trees over the target make string-to-tree rules, trees over the source tree-to-string rules:
their source symbols are the labels of source nodes. Dependency trees, with words as leaves of their own nodes and one
label, give the rules whose gaps are complete subtrees with their heads still there (Graham 2013).
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.files import StrPath, open_writer
from dragoman.options import Recipe, filled, option
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.extraction import GrammarExtraction
from dragoman.smt.grammar.labels import DEFAULT, dependencies, label_name, spans_of_parse
from dragoman.smt.grammar.parses import ParsedText
from dragoman.smt.grammar.span_trees import SpanTree, dependency_spans, heads_of, reordered
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["DEPENDENCY_RULES", "TreeExtraction", "Trees", "constituent_trees", "dependency_trees", "tree_rules"]

T = TypeVar("T", bound=np.generic)

_NO_TREE = SpanTree((), (), (), ())


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of one side of a bitext as arrays; a sentence without nodes has none.

    `nodes` has rows of label (its number in `names`), parent (−1 for the root), first word, word behind the last; those
    of sentence `i`, in pre-order, are `[offsets[i], offsets[i + 1])`.
    """

    side: str
    names: tuple[str, ...]
    nodes: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def names_of_sides(self) -> list[list[str]]:
        """The labels of source and target."""
        return [list(self.names) if side == self.side else [DEFAULT] for side in ("source", "target")]

    @classmethod
    def of(cls, trees: Sequence[SpanTree], side: str) -> Trees:
        """Trees as arrays; the first label is the default one, which the phrases of sentences without a tree have."""
        numbers = {DEFAULT: 0}
        rows = [
            (numbers.setdefault(label_name(label), len(numbers)), parent, begin, end)
            for tree in trees
            for label, parent, begin, end in zip(tree.labels, tree.parents, tree.begins, tree.ends, strict=True)
        ]
        offsets = np.cumsum([0, *map(len, trees)], dtype=np.int64)
        return cls(side, tuple(numbers), np.array(rows, dtype=np.int32).reshape(-1, 4), offsets)


def constituent_trees(parses: ParsedText, side: str) -> Trees:
    """The constituents of every line, made from dependencies where parses are such."""
    return Trees.of([spans_of_parse(parse) for parse in parses.lines], side)


def dependency_trees(text: AlignedText, parses: ParsedText, side: str) -> tuple[AlignedText, Trees]:
    """The text twice, as it is without trees, and its parsed lines with one side in the order of their trees.

    Where no arcs cross, the order stays. Phrases come from the first half and rules with gaps from the second.
    """
    check_parallel({"text": text.source, "parses": parses.lines})
    column = ("source", "target").index(side)
    sides = ([], [])  # type: tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]]
    links: list[NDArray[np.uint16]] = []
    lines: list[int] = []
    trees: list[SpanTree] = []
    for line, parse in enumerate(parses.lines):
        if parse is None:
            continue
        heads = heads_of(dependencies(parse, "Gaps for subtrees"))
        order = reordered(heads)
        new = {old: place for place, old in enumerate(order)} | {-1: -1}
        trees.append(dependency_spans([new[heads[old]] for old in order], DEFAULT))
        words = [text.source[line], text.target[line]]
        words[column] = words[column][order]
        moved = text.links[text.link_offsets[line] : text.link_offsets[line + 1]].copy()
        moved[:, column] = np.argsort(order)[moved[:, column]]
        for part, row in zip(sides, words, strict=True):
            part.append(row)
        links.append(moved)
        lines.append(line)
    weights = None if text.weights is None else np.concatenate([text.weights, text.weights[lines]])
    both = [
        TokenIds(*_behind(ids.ids, ids.offsets, part))
        for ids, part in zip((text.source, text.target), sides, strict=True)
    ]
    twice = AlignedText(both[0], both[1], *_behind(text.links, text.link_offsets, links), weights)
    return twice, Trees.of([*[_NO_TREE] * len(text), *trees], side)


def _behind(
    values: NDArray[T], offsets: NDArray[np.int64], rows: Sequence[NDArray[T]]
) -> tuple[NDArray[T], NDArray[np.int64]]:
    """Rows put behind those of an array."""
    ends = offsets[-1] + np.cumsum([len(row) for row in rows], dtype=np.int64)
    return np.concatenate([values, *rows]), np.concatenate([offsets, ends])


@dataclass(frozen=True)
class TreeExtraction(Recipe):
    """Which rules are cut out of trees; a limit of 0 is none."""

    depth: int = option(3, low=0, text="steps from the root of a composed rule to its deepest node")
    nodes: int = option(15, low=0, text="nodes of a composed rule, words not counted")
    size: int = option(3, low=0, text="nodes of a composed rule that are no parts of speech and are taken apart in it")
    gaps: int = option(6, low=0, high=12, text="gaps of a rule")
    symbols: int = option(
        12, low=0, text="words and gaps of a rule's source side; its target side may have twice as many"
    )
    scope: int = option(3, low=0, text="gaps beside gaps or at an end of the source side, which make matching slow")
    unary: bool = option(False, choices=(False, True), text="rules whose source side is one gap")
    lexical: bool = option(True, choices=(False, True), text="rules without gaps")
    most: int = option(5000, low=0, text="ways to go on from one node that are looked at")
    phrases: int = option(7, low=0, high=255, text="words of phrases that are rules with the label X; 0: none")
    phrases_of_trees: bool = option(
        False, choices=(False, True), text="such phrases also of sentences that have a tree, not only of those without"
    )

    def extract(
        self,
        text: AlignedText,
        source: Vocabulary,
        target: Vocabulary,
        trees: Trees,
        output: StrPath,
        *,
        scoring: GrammarExtraction | None = None,
        test: TokenIds | None = None,
        n_threads: int = 1,
    ) -> _core.grammar.TreeStatistics:
        """Write the rules of an aligned bitext with trees to a rule table; `scoring` says how they are scored."""
        self.check()
        check_parallel({"source": text.source, "target": text.target, "trees": trees.offsets[1:]})
        source_names, target_names = trees.names_of_sides()
        with open_writer(output) as stream, tempfile.TemporaryDirectory(prefix="dragoman") as folder:
            return _core.grammar.extract_trees(
                text.source.ids,
                text.source.offsets,
                text.target.ids,
                text.target.offsets,
                text.links,
                text.link_offsets,
                source.core,
                target.core,
                source_names,
                target_names,
                trees.nodes,
                trees.offsets,
                trees.side == "source",
                filled(_core.grammar.TreeExtractOptions(), self),
                (scoring or GrammarExtraction()).scoring(folder, n_threads),
                stream.buffer.write,
                (test.ids, test.offsets) if test else None,
                text.weights,
            )


# Graham 2013: gaps for subtrees, as deep as the sentence, without limits but those that decoding asks for. The paper's
# example has up to three gaps, which may stand side by side. Phrases are those of the text as it is.
DEPENDENCY_RULES = TreeExtraction(depth=0, nodes=0, size=0, gaps=3, symbols=7, scope=0, lexical=False)


def tree_rules(kind: str, **changed: Any) -> TreeExtraction:
    """The rules that a kind of grammar cuts out of trees, with some settings changed."""
    return replace(DEPENDENCY_RULES if kind == "dependency" else TreeExtraction(), **changed).check()
