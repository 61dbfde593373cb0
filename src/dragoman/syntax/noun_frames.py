"""Noun predicates and their arguments in phrase-structure trees: NomBank's files, or a stand-in made from a treebank.

A node of a tree is one of its phrases or tags; words are leaves. Labels are those of NomBank: ARG0 … ARG9, ARGM-TMP ….
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from dragoman.errors import FormatError
from dragoman.files import StrPath, iter_lines
from dragoman.syntax.bracketed import plain_label, read_treebank
from dragoman.text.trees import Tree

__all__ = ["NounFrame", "TreeView", "action_nouns", "function_tag_frames", "read_nombank", "view_of"]

_NO_WORD = "-NONE-"
_POINTER = re.compile(r"(\d+):(\d+)(?:[*,;]\d+:\d+)*-(rel|Support|ARG[0-9M](?:-[A-Za-z0-9-]+)?)(?:-.*)?")
_HEADS = {"NP": ("NN", "NX", "PRP", "CD"), "PP": ("IN", "TO"), "VP": ("VB", "MD", "TO"), "S": ("VP",), "SBAR": ("S",)}
_NOMINAL = re.compile(r"(?:tion|sion|ment|ance|ence|ing|ure|al|ysis|y)s?$")
_TAGGED = {
    "TMP": "ARGM-TMP",
    "LOC": "ARGM-LOC",
    "DIR": "ARGM-DIR",
    "MNR": "ARGM-MNR",
    "PRP": "ARGM-PNC",
    "EXT": "ARGM-EXT",
}
_PREPOSITIONS = {"of": "ARG1", "by": "ARG0", "to": "ARG2", "for": "ARG2", "from": "ARG2"}


@dataclass(frozen=True)
class NounFrame:
    """A noun, by its leaf, and the label of each node that is one of its arguments."""

    tree: Tree
    predicate: int
    arguments: Mapping[int, str]


@dataclass(frozen=True, eq=False)
class TreeView:
    """What is asked of a tree again and again: leaves, the stretch of each node, heads."""

    tree: Tree

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node."""
        return self.tree.children()

    @cached_property
    def leaves(self) -> list[int]:
        """The leaves, traces too, from left to right."""
        return [node for node in range(len(self.tree)) if not self.children[node]]

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """First leaf and the one behind the last of each node, counted among the leaves."""
        stretches = [(0, 0)] * len(self.tree)
        for place, leaf in enumerate(self.leaves):
            stretches[leaf] = (place, place + 1)
        for node in range(len(self.tree) - 1, -1, -1):
            below = self.children[node]
            if below:
                stretches[node] = (stretches[below[0]][0], stretches[below[-1]][1])
        return stretches

    def label(self, node: int) -> str:
        """A label without function and index; the word of a leaf."""
        return plain_label(self.tree.labels[node]) if self.children[node] else self.tree.labels[node].lower()

    def head(self, node: int) -> int:
        """The leaf that is a node's head: by the kind of phrase, else the last one."""
        while self.children[node]:
            below, kind = self.children[node], self.label(node)
            order = below if kind in {"PP", "VP"} else below[::-1]
            wanted = [child for child in order if self.label(child).startswith(_HEADS.get(kind, ()))]
            same = [child for child in below if self.label(child) == kind]  # a noun phrase and what is added to it
            node = (wanted or same or below[-1:])[0]
        return node

    def words(self, node: int) -> list[str]:
        """The words below a node, without traces."""
        begin, end = self.stretches[node]
        leaves = self.leaves[begin:end]
        return [self.label(leaf) for leaf in leaves if self.tree.labels[self.tree.parents[leaf]] != _NO_WORD]

    def path_up(self, node: int) -> list[int]:
        """A node and all above it."""
        path = [node]
        while self.tree.parents[path[-1]] >= 0:
            path.append(self.tree.parents[path[-1]])
        return path


@lru_cache(maxsize=64)
def view_of(tree: Tree) -> TreeView:
    """The view of a tree, made once for those who ask again and again."""
    return TreeView(tree)


def read_nombank(path: StrPath, treebank: StrPath) -> list[NounFrame]:
    """The frames of a file of NomBank's: tree file, sentence, word, noun, sense, then arguments as `leaf:height-LABEL`.

    Trees are looked for below the folder of the treebank. Of an argument in several pieces, the first one counts.
    """
    trees: dict[str, list[Tree]] = {}
    frames = []
    for number, line in enumerate(iter_lines(path), start=1):
        name, *rest = line.split()
        if name not in trees:
            file = Path(treebank) / name
            if not file.is_file():
                raise FormatError(f"there are no trees {file}; whose folder is it?", path=path, line=number)
            trees[name] = read_treebank(file)
        frames.append(_frame(trees[name], rest, path, number))
    return frames


def _frame(trees: Sequence[Tree], columns: Sequence[str], path: StrPath, line: int) -> NounFrame:
    if len(columns) < 4 or not columns[0].isdigit() or not columns[1].isdigit():
        raise FormatError("expected a tree file, a sentence, a word, a noun, a sense, arguments.", path=path, line=line)
    if int(columns[0]) >= len(trees):
        raise FormatError(f"the file has {len(trees)} trees, so none is number {columns[0]}.", path=path, line=line)
    view = TreeView(trees[int(columns[0])])
    if int(columns[1]) >= len(view.leaves):
        raise FormatError(f"the tree has {len(view.leaves)} words; {columns[1]} is none of them.", path=path, line=line)
    arguments: dict[int, str] = {}
    for pointer in columns[4:]:
        match = _POINTER.fullmatch(pointer)
        if match is None or int(match[1]) >= len(view.leaves):
            raise FormatError(f"{pointer!r} points to no node of the tree.", path=path, line=line)
        above = view.path_up(view.tree.parents[view.leaves[int(match[1])]])
        if match[3] not in {"rel", "Support"}:
            label = match[3].split("-H")[0]
            arguments.setdefault(above[min(int(match[2]), len(above) - 1)], label)
    return NounFrame(view.tree, view.leaves[int(columns[1])], arguments)


def function_tag_frames(trees: Sequence[Tree]) -> list[NounFrame]:
    """Frames of nouns that look like actions, where NomBank is not at hand; no substitute for it.

    Labels follow from the treebank's function tags (`PP-LOC`, `NP-TMP`), from possessives and from five prepositions.
    """
    frames = []
    for tree in trees:
        view = view_of(tree)
        for leaf in action_nouns(tree):
            arguments = _tagged(view, tree.parents[leaf], tree.parents[tree.parents[leaf]])
            if arguments:
                frames.append(NounFrame(tree, leaf, arguments))
    return frames


def action_nouns(tree: Tree) -> list[int]:
    """The leaves of nouns that look like actions by their ending, and are heads of their phrases."""
    view = view_of(tree)
    found = []
    for leaf in view.leaves:
        tag = tree.parents[leaf]
        is_noun = tag > 0 and tree.labels[tag] in {"NN", "NNS"}
        if is_noun and _NOMINAL.search(view.label(leaf)) and view.head(tree.parents[tag]) == leaf:
            found.append(leaf)
    return found


def _tagged(view: TreeView, tag: int, phrase: int) -> dict[int, str]:
    outer = view.tree.parents[phrase]
    around = [child for child in view.children[phrase] if child != tag]
    if outer >= 0 and view.label(outer) == "NP":
        around += [child for child in view.children[outer] if child != phrase]
    labels = {node: _role(view, node) for node in around}
    return {node: label for node, label in labels.items() if label}


def _role(view: TreeView, node: int) -> str | None:
    kind, *functions = view.tree.labels[node].split("-")
    label = next((_TAGGED[each] for each in functions if each in _TAGGED), None)
    if label:
        return label
    words = view.words(node)
    if kind == "PRP$" or (kind == "NP" and words and words[-1] in {"'s", "'"}):
        return "ARG0"
    return _PREPOSITIONS.get(words[0]) if kind == "PP" and words else None
