"""Treebanks of constituents: read from brackets, cleaned of what a grammar does not learn."""

from __future__ import annotations

import re

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_text
from dragoman.text.trees import BRACKETS, Tree, parse_tree

__all__ = ["ROOT", "clean_tree", "plain_label", "read_treebank"]

ROOT = "ROOT"  # the label of every tree's first node
NO_WORD = "-NONE-"  # the tag of traces and other empty elements

ESCAPES = {**BRACKETS, "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}  # of the Penn Treebank
_BRACKET = re.compile(r"[()]")


def plain_label(label: str) -> str:
    """A label without its function and its index: `NP` for `NP-SBJ-1`, `PRT` for `PRT|ADVP`."""
    if label.startswith("-"):  # -LRB-, -NONE-
        return label
    return re.split(r"[-=|]", label, maxsplit=1)[0] or label


def clean_tree(tree: Tree) -> Tree:
    """The tree without functions, traces and phrases that are above nothing else, below a node `ROOT`.

    A phrase whose only child is a phrase of the same label is one phrase. A tree without words has no nodes.
    """
    children = tree.children()
    has_words = [False] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        below = children[node]
        if below:
            has_words[node] = any(has_words[child] for child in below)
        else:
            parent = tree.parents[node]
            has_words[node] = parent >= 0 and tree.labels[parent] != NO_WORD
    if not len(tree) or not has_words[0]:
        return Tree((), ())
    labels, parents = [ROOT], [-1]
    place: dict[int, int] = {}
    for node, label in enumerate(tree.labels):
        if not has_words[node]:
            continue
        parent = place[tree.parents[node]] if node else 0
        name = plain_label(label) if children[node] else label
        kept = [child for child in children[tree.parents[node]] if has_words[child]] if node else [0]
        is_phrase = any(children[child] for child in children[node])
        if is_phrase and len(kept) == 1 and labels[parent] == name:
            place[node] = parent
            continue
        place[node] = len(labels)
        labels.append(name)
        parents.append(parent)
    return Tree(tuple(labels), tuple(parents))


def read_treebank(path: StrPath) -> list[Tree]:
    """The trees of a file in brackets, as it has them; a tree may go over several lines."""
    text = read_text(path)
    found: list[Tree] = []
    depth = begin = 0
    for bracket in _BRACKET.finditer(text):
        at = bracket.start()
        if bracket[0] == "(":
            if depth == 0:
                _check_nothing(text, begin, at, path)
                begin = at
            depth += 1
        else:
            depth -= 1
            if depth < 0:
                raise FormatError("a bracket is closed that was not opened.", path=path, line=_line(text, at))
            if depth == 0:
                try:
                    found.append(parse_tree(text[begin : at + 1]))
                except DataError as error:
                    raise FormatError(str(error), path=path, line=_line(text, begin)) from None
                begin = at + 1
    if depth:
        raise FormatError(f"{depth} brackets are not closed.", path=path, line=_line(text, begin))
    _check_nothing(text, begin, len(text), path)
    return found


def _check_nothing(text: str, begin: int, end: int, path: StrPath) -> None:
    between = text[begin:end].strip()
    if between:
        line = _line(text, begin + text[begin:end].index(between[0]))
        raise FormatError(f"{between[:60]!r} stands outside of all brackets.", path=path, line=line)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
