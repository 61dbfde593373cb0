"""Deep trees: the content words of a dependency tree, each with the function words that it has about it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from dragoman.errors import DataError
from dragoman.text.conllu import Sentence, Word

__all__ = ["DeepNode", "DeepTree", "deep_tree", "is_content", "relation_of"]

# What is no node of its own: it becomes part of a formeme or of a grammateme (tense, definiteness, negation).
_FUNCTION = frozenset({"case", "mark", "aux", "punct", "cc", "fixed", "goeswith", "clf", "expl"})
_PARTICLES = frozenset({"compound:prt"})


@dataclass(frozen=True, slots=True)
class DeepNode:
    """A content word, the function words below it in their order, and its parent in the deep tree (0: none)."""

    word: Word
    parent: int
    functions: tuple[Word, ...] = ()


@dataclass(frozen=True)
class DeepTree:
    """The content words of a sentence from left to right."""

    sentence: Sentence
    nodes: tuple[DeepNode, ...]
    places: dict[int, int] = field(repr=False)  # id of a word → place of its node

    def parent(self, node: DeepNode) -> DeepNode | None:
        """The node above, or none."""
        return self.nodes[self.places[node.parent]] if node.parent else None

    def children(self, node: DeepNode) -> list[DeepNode]:
        """The nodes below, from left to right."""
        return self._below.get(node.word.id, [])

    @cached_property
    def _below(self) -> dict[int, list[DeepNode]]:
        below: dict[int, list[DeepNode]] = defaultdict(list)
        for node in self.nodes:
            below[node.parent].append(node)
        return dict(below)


def relation_of(word: Word) -> str:
    """The relation without its subtype."""
    return word.deprel.partition(":")[0]


def is_content(word: Word) -> bool:
    """Whether a word is a node of the deep tree: neither a function word nor an article nor a negation.

    A copula is one: it is the verb of its clause.
    """
    if word.deprel in _PARTICLES or (relation_of(word) in _FUNCTION and word.head):
        return False
    if word.upos == "PUNCT":
        return word.head == 0  # a sentence of signs keeps its root
    feats = word.features
    if relation_of(word) == "det" and feats.get("PronType") == "Art":
        return False
    return not (word.upos == "PART" and feats.get("Polarity") == "Neg")


def deep_tree(sentence: Sentence) -> DeepTree:
    """The deep tree of a dependency tree; what hangs on a function word hangs on the next content word above it."""
    try:
        sentence.check_tree()
    except DataError as error:
        where = f" (line {sentence.line})" if sentence.line else ""
        raise DataError(f"A sentence{where} has no tree to annotate: {error}") from None
    words = {word.id: word for word in sentence.words}
    content = {word.id for word in sentence.words if is_content(word)}

    def above(word: Word) -> int:
        head = word.head or 0
        while head and head not in content:
            head = words[head].head or 0
        return head

    functions: dict[int, list[Word]] = defaultdict(list)
    for word in sentence.words:
        if word.id not in content and word.upos != "PUNCT":
            functions[above(word)].append(word)
    nodes = tuple(
        DeepNode(word, above(word), tuple(functions[word.id])) for word in sentence.words if word.id in content
    )
    return DeepTree(sentence, nodes, {node.word.id: place for place, node in enumerate(nodes)})
