"""Syntax trees with ordered, labelled nodes: read from brackets, made from dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines
from dragoman.text.conllu import Sentence, Word

__all__ = ["Tree", "dependency_tree", "escape_token", "parse_tree", "read_trees"]

_PIECE = re.compile(r"[()]|[^\s()]+")

# How the Penn Treebank writes tokens that would be read as brackets of the tree.
BRACKETS = {"(": "-LRB-", ")": "-RRB-"}
_UNWRITABLE = re.compile(r"[()\s]")


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes in pre-order: a parent before its children, children from left to right. No nodes: no tree is known."""

    labels: tuple[str, ...]
    parents: tuple[int, ...]  # place of each node's parent; −1 for the root, which comes first

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.parents):
            raise DataError(f"A tree of {len(self.labels)} labels has {len(self.parents)} parents.")
        for node, parent in enumerate(self.parents):
            if not (parent == -1 if node == 0 else 0 <= parent < node):
                raise DataError(f"Node {node} of a tree has the parent {parent}; parents come before their children.")

    def __len__(self) -> int:
        return len(self.labels)

    def children(self) -> list[list[int]]:
        """The children of each node."""
        children: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(node)
        return children

    def __str__(self) -> str:
        """The tree in brackets; words, the leaves, without."""
        children = self.children()
        written: list[str] = []
        open_nodes: list[int] = []
        for node, label in enumerate(self.labels):
            while open_nodes and open_nodes[-1] != self.parents[node]:
                open_nodes.pop()
                written.append(")")
            if children[node]:
                written.append(f" ({label}")
                open_nodes.append(node)
            else:
                written.append(f" {label}" if open_nodes else f" ({label})")
        return "".join([*written, ")" * len(open_nodes)]).strip()


def escape_token(token: str) -> str:
    """The token as a leaf of a tree in brackets: `-LRB-` and `-RRB-` for brackets, `_` for spaces and for nothing."""
    return _UNWRITABLE.sub(lambda found: BRACKETS.get(found[0], "_"), token) or "_"


def parse_tree(text: str) -> Tree:
    """A tree in brackets, as treebanks write them: `(S (NP (D a) (N cat)) (VP (V sleeps)))`.

    A pair of brackets without a label around the whole is left out; an empty text is a tree without nodes.
    """
    pieces = _PIECE.findall(text)
    labels: list[str] = []
    parents: list[int] = []
    open_nodes: list[int] = []
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if piece == ")":
            if not open_nodes:
                raise DataError("A bracket is closed that was not opened.")
            open_nodes.pop()
        else:
            if labels and not open_nodes:
                raise DataError(f"{piece!r} stands behind the end of the tree.")
            if piece == "(":
                place += 1
                if place < len(pieces) and pieces[place] == "(" and not labels:
                    return parse_tree(_inside(text))
                if place == len(pieces) or pieces[place] in "()":
                    raise DataError("A bracket has no label.")
            elif not open_nodes:
                raise DataError(f"{piece!r} stands outside of all brackets.")
            parents.append(open_nodes[-1] if open_nodes else -1)
            if piece == "(":
                open_nodes.append(len(labels))
            labels.append(pieces[place])
        place += 1
    if open_nodes:
        raise DataError(f"{len(open_nodes)} brackets are not closed.")
    return Tree(tuple(labels), tuple(parents))


def read_trees(path: StrPath) -> list[Tree]:
    """The trees of a file, a line each; an empty line is a sentence without a tree."""
    trees = []
    for number, line in enumerate(iter_lines(path), start=1):
        try:
            trees.append(parse_tree(line))
        except DataError as error:
            raise FormatError(str(error), path=path, line=number) from None
    return trees


def dependency_tree(sentence: Sentence | Iterable[Word]) -> Tree:
    """Dependencies as a tree of single labels (after Johansson & Moschitti 2010).

    A word is a node labelled with its relation; its children, in the order of the sentence, are the nodes of its
    dependents and, at its own place, its part of speech above its form (`escape_token`). Several roots get a node
    `ROOT` above them.
    """
    words = list(sentence.words if isinstance(sentence, Sentence) else sentence)
    numbers = {word.id for word in words}
    dependents: dict[int, list[Word]] = {}
    for word in words:
        if word.head is None:
            raise DataError(f"The word {word.id}, {word.form!r}, has no head; the sentence has no tree.")
        if word.head not in numbers and word.head != 0:
            raise DataError(f"The head of word {word.id}, {word.form!r}, is {word.head}, which is no word.")
        dependents.setdefault(word.head, []).append(word)
    roots = dependents.get(0, [])
    if words and not roots:
        raise DataError("No word of the sentence is its root.")
    labels: list[str] = []
    parents: list[int] = []

    def add(label: str, parent: int) -> int:
        labels.append(label)
        parents.append(parent)
        return len(labels) - 1

    top = add("ROOT", -1) if len(roots) > 1 else -1
    # What is still to be written, the next on top: a word with its parent, or the word itself at its own place.
    waiting: list[tuple[Word, int, bool]] = [(word, top, False) for word in reversed(roots)]
    n_words = 0
    while waiting:
        word, parent, is_own = waiting.pop()
        if is_own:
            add(escape_token(word.form), add(word.upos, parent))
            n_words += 1
            continue
        node = add(word.deprel, parent)
        below = [(each, node, False) for each in dependents.get(word.id, [])] + [(word, node, True)]
        waiting += sorted(below, key=lambda entry: entry[0].id, reverse=True)
    if n_words != len(words):
        raise DataError("The heads of the sentence go round in a circle.")
    return Tree(tuple(labels), tuple(parents))


def _inside(text: str) -> str:
    """What stands between the outermost brackets."""
    inner = text.strip()
    if not inner.endswith(")"):
        raise DataError("1 brackets are not closed.")
    return inner[1:-1]
