"""Constituents out of dependencies: a treebank of phrases for every language that has one of Universal Dependencies.

Each word projects a phrase that holds its dependents, named for the part of speech of its head: NP, VP, ADJP, ADVP, and
PP where a preposition marks a noun. A predicate with a subject, a conjunction or a sentence of its own is a clause: S
above VP, SBAR above both if a word such as *that* introduces it. Coordination is flat: a phrase of phrases. Dependents
without any of their own that only modify (determiners, adjectives, particles, …) stay words. The tags are UPOS; a token
that stands for several words (Spanish *del*) is one word tagged with all of theirs, `ADP+DET`. Where branches cross, a
word is hung to the next ancestor that uncrosses them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dragoman.syntax.bracketed import ROOT
from dragoman.text.conllu import Sentence
from dragoman.text.merging import merge_multiword_tokens
from dragoman.text.trees import Tree, escape_token

__all__ = ["phrase_tree", "phrase_trees"]

_PHRASES = {
    "NOUN": "NP",
    "PROPN": "NP",
    "PRON": "NP",
    "NUM": "NP",
    "DET": "NP",
    "SYM": "NP",
    "X": "NP",
    "VERB": "VP",
    "AUX": "VP",
    "ADJ": "ADJP",
    "ADV": "ADVP",
    "ADP": "PP",
    "INTJ": "INTJ",
}
_SUBJECTS = {"nsubj", "csubj"}
_CLAUSES = {"root", "ccomp", "advcl", "acl", "csubj", "parataxis"}
# What belongs to the clause and not to its verb phrase.
_OF_CLAUSE = {"nsubj", "csubj", "cc", "punct", "parataxis", "vocative", "discourse", "dislocated"}
_CONTENT = {"NOUN", "PROPN", "PRON", "VERB"}  # heads that are phrases even without dependents


@dataclass
class _Token:
    """A token of the text, numbered from 0."""

    form: str
    tag: str
    relation: str  # without its subtype
    head: int = -1  # −1: the root
    below: list[int] = field(default_factory=list)


@dataclass
class _Phrase:
    """A node on its way to become a tree: a label above phrases and tokens (numbers), in the order of the text."""

    label: str
    parts: list[_Phrase | int]

    def first(self) -> int:
        """The place of its first token."""
        part = self
        while True:
            lowest = part.parts[0]
            if isinstance(lowest, int):
                return lowest
            part = lowest


def phrase_trees(sentences: Iterable[Sentence]) -> list[Tree]:
    """A tree of phrases for each sentence that has dependencies; others are left out."""
    return [phrase_tree(sentence) for sentence in sentences if all(word.head is not None for word in sentence.words)]


def phrase_tree(sentence: Sentence) -> Tree:
    """The dependencies of a sentence as phrases, below a node `ROOT`. More than one root, or a circle, is an error."""
    sentence.check_tree()
    tokens = _tokens(sentence)
    _uncross(tokens)
    for number, token in enumerate(tokens):
        if token.head >= 0:
            tokens[token.head].below.append(number)
    root = next(number for number, token in enumerate(tokens) if token.head < 0)
    labels: list[str] = []
    parents: list[int] = []
    # Whole phrases wait with their parent; deep sentences must not meet Python's limit of recursion.
    waiting: list[tuple[_Phrase | int, int]] = [(_Phrase(ROOT, [_project(tokens, root)]), -1)]
    while waiting:
        part, parent = waiting.pop()
        if isinstance(part, int):
            labels += [tokens[part].tag, escape_token(tokens[part].form)]
            parents += [parent, len(labels) - 2]
            continue
        labels.append(part.label)
        parents.append(parent)
        node = len(labels) - 1
        waiting += [(each, node) for each in reversed(part.parts)]
    return Tree(tuple(labels), tuple(parents))


def _tokens(sentence: Sentence) -> list[_Token]:
    return [
        _Token(word.form, word.upos, word.deprel.partition(":")[0], (word.head or 0) - 1)
        for word in merge_multiword_tokens(sentence).words
    ]


def _uncross(tokens: list[_Token]) -> None:
    """Lift words out of branches that cross, the shortest branch first, until none does (Nivre & Nilsson 2005)."""
    while True:
        crossing = [number for number in range(len(tokens)) if tokens[number].head >= 0 and _crosses(tokens, number)]
        if not crossing:
            return
        shortest = min(crossing, key=lambda number: (abs(number - tokens[number].head), number))
        tokens[shortest].head = tokens[tokens[shortest].head].head


def _crosses(tokens: list[_Token], number: int) -> bool:
    """Whether a word between this one and its head is not below the head."""
    head = tokens[number].head
    for between in range(min(number, head) + 1, max(number, head)):
        at = between
        while at >= 0 and at != head:
            at = tokens[at].head
        if at != head:
            return tokens[head].head >= 0
    return False


def _project(tokens: list[_Token], root: int) -> _Phrase | int:
    """The phrase of each token, those below first."""
    order = [root]
    for number in order:
        order += tokens[number].below
    made: dict[int, _Phrase | int] = {}
    for number in reversed(order):
        made[number] = _phrase(tokens, number, made)
    return made[root]


def _phrase(tokens: list[_Token], number: int, made: dict[int, _Phrase | int]) -> _Phrase | int:
    token = tokens[number]
    upos = token.tag.partition("+")[0]
    if not token.below and upos not in _CONTENT and token.relation != "root":
        return number
    relations = {tokens[each].relation for each in token.below}
    has_subject = bool(relations & _SUBJECTS)
    # A subject makes a predicate even without a copula, as in headlines and many languages.
    is_predicate = has_subject or "cop" in relations or upos in {"VERB", "AUX"}
    is_clause = has_subject or (is_predicate and token.relation in _CLAUSES)
    label = _PHRASES.get(upos, "X")
    layers = {"own": label}
    if "case" in relations:
        layers["case"] = "PP"
    if is_predicate and layers != {"own": "VP"}:
        layers["copula"] = "VP"
    if is_clause:
        layers["clause"] = "S"
    if is_predicate and "mark" in relations:
        layers["mark"] = "SBAR" if is_clause else "VP"
    if "conj" in relations:
        layers["conjunct"] = list(layers.values())[-1]
    names = list(layers)
    members: list[list[int]] = [[] for _ in names]
    before = [each for each in reversed(token.below) if each < number]
    after = [each for each in token.below if each > number]
    for side in (before, after):
        level = 0  # phrases have no gaps: what stands further out cannot belong to a smaller one
        for each in side:
            level = max(level, names.index(_layer(tokens[each].relation, layers)))
            members[level].append(each)
    core: _Phrase | int = number
    for name, dependents in zip(names, members, strict=True):
        core = _join(layers[name], core, dependents, made)
    return core


def _layer(relation: str, layers: dict[str, str]) -> str:
    """Which of the phrases of its head a dependent belongs to."""
    if relation in {"conj", "cc"} and "conjunct" in layers:
        return "conjunct"
    if relation in {"mark", "case"} and relation in layers:
        return relation
    if relation in _OF_CLAUSE and "clause" in layers:
        return "clause"
    return "copula" if relation in {"cop", "aux"} and "copula" in layers else "own"


def _join(label: str, core: _Phrase | int, others: list[int], made: dict[int, _Phrase | int]) -> _Phrase | int:
    """A phrase of a core and dependents, in the order of the text; the core alone if it has that label already."""
    if not others and isinstance(core, _Phrase) and core.label == label:
        return core
    parts = [core, *(made[each] for each in others)]
    return _Phrase(label, sorted(parts, key=lambda part: part if isinstance(part, int) else part.first()))
