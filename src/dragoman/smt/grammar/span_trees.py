"""Trees as nested spans of words: constituents as they are, and what dependencies say in their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman._core import syntax as core
from dragoman.text.conllu import Sentence
from dragoman.text.trees import Tree

__all__ = [
    "SpanTree",
    "constituent_spans",
    "dependency_spans",
    "heads_of",
    "projected_spans",
    "reordered",
    "span_tree",
    "subtree_spans",
]

Node = tuple[str, int, int]  # label, first word, word behind the last

_PHRASES = {"VERB": "VP", "AUX": "VP", "ADJ": "ADJP", "ADV": "ADVP", "ADP": "PP"} | dict.fromkeys(
    ("NOUN", "PROPN", "PRON", "NUM", "SYM"), "NP"
)
_NOMINAL_RELATIONS = {"nsubj", "obj", "iobj", "obl", "nmod", "conj", "appos", "root", "csubj", "expl", "vocative"}
# What may stand at the left edge outside of a phrase, and the label that both together have; None: the phrase's own.
_EDGES: dict[str, str | None] = {"punct": None, "cc": None, "mark": "SBAR", "case": "PP"}
_SUBJECTS = {"nsubj", "csubj", "expl"}


@dataclass(frozen=True, slots=True)
class SpanTree:
    """Nodes in pre-order over the words [begin, end); a word that no child covers is a leaf of the node itself."""

    labels: tuple[str, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    parents: tuple[int, ...]  # −1 for the root, which comes first

    def __len__(self) -> int:
        return len(self.labels)


def span_tree(nodes: Iterable[Node]) -> SpanTree:
    """The tree of nested spans, of which equal ones stand the outer first."""
    ordered = sorted(nodes, key=lambda node: (node[1], -node[2]))
    parents: list[int] = []
    above: list[int] = []
    for number, (_, begin, _) in enumerate(ordered):
        while above and ordered[above[-1]][2] <= begin:
            above.pop()
        parents.append(above[-1] if above else -1)
        above.append(number)
    labels, begins, ends = zip(*ordered, strict=True) if ordered else ((), (), ())
    return SpanTree(labels, begins, ends, tuple(parents))


def constituent_spans(tree: Tree) -> SpanTree:
    """A tree of constituents without its words, which are the leaves."""
    inner = set(tree.parents)
    begins = [0] * len(tree)
    ends = [0] * len(tree)
    n_words = 0
    for node in range(len(tree)):
        begins[node] = n_words
        n_words += node not in inner
        ends[node] = n_words
    for node in range(len(tree) - 1, 0, -1):
        ends[tree.parents[node]] = max(ends[tree.parents[node]], ends[node])
    kept = [node for node in range(len(tree)) if node in inner]
    places = {node: place for place, node in enumerate(kept)} | {-1: -1}
    return SpanTree(
        tuple(tree.labels[node] for node in kept),
        tuple(begins[node] for node in kept),
        tuple(ends[node] for node in kept),
        tuple(places[tree.parents[node]] for node in kept),
    )


def heads_of(sentence: Sentence, *, projective: bool = False) -> list[int]:
    """The place of each word's head, from 0; −1 for the root. `projective`: arcs that cross others are lifted."""
    heads = [word.head or 0 for word in sentence.words]
    if projective:
        ids = np.array(heads, dtype=np.int32)
        heads = core.projectivise(ids, np.array([0, len(heads)], dtype=np.int64))[0].tolist()
    return [head - 1 for head in heads]


def subtree_spans(heads: Sequence[int]) -> list[tuple[int, int]]:
    """What each word covers with all that hangs on it; contiguous in a projective tree."""
    begins, ends = list(range(len(heads))), list(range(1, len(heads) + 1))
    for word in range(len(heads)):
        above = heads[word]
        while above >= 0:
            begins[above] = min(begins[above], word)
            ends[above] = max(ends[above], word + 1)
            above = heads[above]
    return list(zip(begins, ends, strict=True))


def dependency_spans(heads: Sequence[int], label: str = "X") -> SpanTree:
    """Every word with all that hangs on it as a node; the word itself is a leaf there. For projective trees."""
    return span_tree((label, *span) for span in subtree_spans(heads))


def reordered(heads: Sequence[int]) -> list[int]:
    """The words in an order in which no arcs cross: before and behind each word, what hangs on it (Graham 2013).

    The i-th is the old place of the word that comes to stand at i; a projective tree keeps its order.
    """
    below: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head >= 0:
            below[head].append(word)
    order: list[int] = []
    waiting = [(word, False) for word in reversed(range(len(heads))) if heads[word] < 0]
    while waiting:
        word, is_own = waiting.pop()
        if is_own:
            order.append(word)
            continue
        right = [(child, False) for child in reversed(below[word]) if child > word]
        left = [(child, False) for child in reversed(below[word]) if child < word]
        waiting += [*right, (word, True), *left]
    return order


def projected_spans(sentence: Sentence) -> SpanTree:
    """Constituents made from dependencies: phrases are named by the part of speech of their heads.

    A word's part of speech is the lowest node. What hangs on a word makes its phrase: NP, VP, ADJP … A subject at its
    left edge makes a clause (S), a subordinating word SBAR, a preposition PP; punctuation and conjunctions at an edge
    stand outside of the phrase proper.
    """
    heads = heads_of(sentence, projective=True)
    spans = subtree_spans(heads)
    below: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head >= 0:
            below[head].append(word)
    nodes: list[Node] = []
    for word in range(len(heads)):
        nodes += _phrases(sentence, word, below[word], spans)
    # Equal spans: a phrase above the parts of speech, and of two phrases that of the head.
    return span_tree(nodes)


def _phrases(sentence: Sentence, word: int, below: Sequence[int], spans: Sequence[tuple[int, int]]) -> list[Node]:
    """The nodes that a word projects, the outermost first, its part of speech last."""
    words = sentence.words
    upos = words[word].upos
    relations = {child: words[child].deprel.partition(":")[0] for child in below}
    is_clause = upos in {"VERB", "AUX"} or "cop" in relations.values()
    begin, end = spans[word]
    outer: list[tuple[str | None, int, int]] = []
    left = [child for child in below if child < word]
    right = [child for child in below if child > word]
    while True:
        if right and relations[right[-1]] == "punct":
            outer.append((None, begin, end))
            end = spans[right.pop()][0]
        elif left and relations[left[0]] in _EDGES:
            child = left.pop(0)
            outer.append((_EDGES[relations[child]], begin, end))
            begin = spans[child][1]
        elif left and is_clause and relations[left[0]] in _SUBJECTS:
            outer.append(("S", begin, end))
            begin = spans[left.pop(0)][1]
        else:
            break
    label = "VP" if is_clause else _PHRASES.get(upos, "FRAG")
    nodes: list[Node] = [(upos, word, word + 1)]
    relation = words[word].deprel.partition(":")[0]
    if end - begin > 1 or (label == "NP" and (below or relation in _NOMINAL_RELATIONS)) or (below and label == "VP"):
        nodes.insert(0, (label, begin, end))
    else:
        label = _PHRASES.get(upos, upos) if below else upos
    for name, first, last in reversed(outer):
        label = name or label
        nodes.insert(0, (label, first, last))
    return nodes
