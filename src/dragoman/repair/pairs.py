"""A translation beside its parsed source: tokens with their readings, and a tree that links project from the source."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dragoman.repair.grammar import Grammar
from dragoman.repair.lexicon import Analysis, Lexicon
from dragoman.text.conllu import Sentence, Word

__all__ = ["Node", "Pair", "cut", "pair_of", "words_of"]

_TOKEN = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")
_NOMINAL = frozenset({"NOUN", "PROPN"})
_ATTRIBUTES = frozenset({"ADJ", "DET", "NUM"})
_NEAR = 5  # tokens between a preposition and its noun


@dataclass(slots=True)
class Node:
    """A token of the translation; rules may narrow its readings, change its form or drop it."""

    form: str
    begin: int  # where it stands in the line
    end: int
    readings: tuple[Analysis, ...] = ()
    links: tuple[int, ...] = ()  # places of source words, from 0
    head: int | None = None  # place of another node
    relation: str = ""
    is_dropped: bool = False

    def may_be(self, kinds: Collection[str]) -> bool:
        """Whether a reading has one of these parts of speech."""
        return any(each.upos in kinds for each in self.readings)

    def must_be(self, kinds: Collection[str]) -> bool:
        """Whether there are readings, and all have one of these parts of speech."""
        return bool(self.readings) and all(each.upos in kinds for each in self.readings)


@dataclass(slots=True)
class Pair:
    """A line as its nodes, beside the source's tree."""

    text: str
    nodes: list[Node]
    source: tuple[Word, ...]
    grammar: Grammar
    lexicon: Lexicon
    tree: Sentence | None = None  # of the line itself, by a parser of its language

    def children(self, place: int, relation: str = "") -> list[int]:
        """The nodes below a node, by a relation of the source or all."""
        return [
            other
            for other, node in enumerate(self.nodes)
            if node.head == place and (not relation or node.relation.partition(":")[0] == relation)
        ]

    def preposition(self, place: int) -> int | None:
        """The preposition before a noun or its attributes; another noun between them has it for itself."""
        for other in range(place - 1, max(-1, place - 1 - _NEAR), -1):
            node = self.nodes[other]
            if self.is_preposition(other):
                return other
            if not node.form[0].isalpha() or not node.may_be(_ATTRIBUTES):
                return None
        return None

    def is_preposition(self, place: int) -> bool:
        """Whether a node takes a case; a form of the reflexive particle must also be called or linked to one."""
        node = self.nodes[place]
        if node.form.lower() not in self.grammar.words.get("reflexive", ()):
            return bool(self.grammar.cases(node.form))
        if node.relation.startswith("expl") or not self.grammar.cases(node.form):
            return False
        return node.relation == "case" or any(word.upos == "ADP" for word in self.source_words(place))

    def noun_after(self, place: int) -> int | None:
        """The noun that an attribute stands before; only other attributes stand between."""
        for other in range(place + 1, min(len(self.nodes), place + _NEAR)):
            node = self.nodes[other]
            if node.may_be(_NOMINAL) and not (node.may_be(_ATTRIBUTES) and self._attribute_goes_on(other)):
                return other
            if not node.may_be(_ATTRIBUTES):
                return None
        return None

    def noun_of(self, place: int) -> int | None:
        """The noun of an attribute: behind it, or just before it in languages that write attributes there."""
        if self.grammar.has_attributes_behind and place and self.nodes[place - 1].must_be(_NOMINAL):
            return place - 1
        return self.noun_after(place)

    def _attribute_goes_on(self, place: int) -> bool:
        after = self.nodes[place + 1] if place + 1 < len(self.nodes) else None
        return after is not None and after.may_be(_NOMINAL | _ATTRIBUTES)

    def source_words(self, place: int) -> list[Word]:
        """The words that a node is linked to."""
        return [self.source[link] for link in self.nodes[place].links]

    def line(self) -> str:
        """The text with the forms that the nodes have now; white space is what it was."""
        parts, end = [], 0
        for node in self.nodes:
            gap = self.text[end : node.begin]
            if not node.is_dropped:
                parts += [gap, node.form]
            elif not parts:
                parts.append(gap)
            end = node.end
        return "".join([*parts, self.text[end:]]).lstrip(" ") if parts else self.text[end:]


def cut(line: str) -> list[tuple[int, int]]:
    """Where the tokens of a line stand: words, and signs one by one."""
    return [match.span() for match in _TOKEN.finditer(line)]


def words_of(line: str) -> list[str]:
    """The tokens of a line."""
    return _TOKEN.findall(line)


def pair_of(
    line: str,
    source: Sentence | None,
    links: Sequence[tuple[int, int]],
    grammar: Grammar,
    lexicon: Lexicon,
    tree: Sentence | None = None,
) -> Pair:
    """A line with readings of its tokens and the source's tree projected through links (source place, place)."""
    nodes = [Node(line[begin:end], begin, end, lexicon.analyses(line[begin:end])) for begin, end in cut(line)]
    words = source.words if source is not None else ()
    by_target: dict[int, list[int]] = {}
    for here, there in links:
        by_target.setdefault(there, []).append(here)
    for place, linked in by_target.items():
        nodes[place].links = tuple(sorted(linked))
    _project(nodes, words)
    return Pair(line, nodes, words, grammar, lexicon, tree)


def _project(nodes: list[Node], words: Sequence[Word]) -> None:
    """Each node hangs on what its word's nearest linked ancestor is linked to, by the relation below that ancestor."""
    at: dict[int, int] = {}
    for place, node in enumerate(nodes):
        for link in node.links:
            # Of several nodes for one word, the last: auxiliaries and particles stand before what they belong to.
            at[link] = place
    for place, node in enumerate(nodes):
        if not node.links:
            continue
        top = _topmost(node.links, words)
        word, steps = words[top], 0
        while word.head and steps < len(words):
            above = words[word.head - 1]
            other = at.get(above.id - 1)
            if other is not None and other != place:
                node.head, node.relation = other, word.deprel
                break
            word, steps = above, steps + 1


def _topmost(links: Sequence[int], words: Sequence[Word]) -> int:
    """Of several words that a node is linked to, the one whose head is not among them."""
    ids = {words[link].id for link in links}
    return next((link for link in links if words[link].head not in ids), links[0])
