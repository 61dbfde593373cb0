r"""Categories made from dependencies: no parser of categorial grammar, but what a dependency tree says in its terms.

Beginning with the category of the whole, a word's phrase is taken apart from the outside to the word: what is farther
left first, then what is farther right. An argument becomes a slash of the word's category; a modifier of X is X/X or
X\X; a determiner makes NP of N; prepositions, subordinating words and copulas take the phrase and give what it is used
as. The word's category is what is left. Each stretch on the way is a constituent of the derivation, which needs nothing
but application.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.smt.grammar.categories import CONJUNCTION, PUNCTUATION, functor, split
from dragoman.smt.grammar.span_trees import heads_of, subtree_spans
from dragoman.text.conllu import Sentence

__all__ = ["CategoryAnalysis", "categories_of_dependencies"]

_ARGUMENTS = {"nsubj", "csubj", "expl", "obj", "iobj", "ccomp", "xcomp"}
_SUBJECTS = {"nsubj", "csubj", "expl"}
_NOMINAL = {"NOUN", "PROPN", "PRON", "NUM", "SYM"}
_VERBAL = {"VERB", "AUX"}


@dataclass(frozen=True)
class CategoryAnalysis:
    """The category of every word and of every stretch of the derivation, the outermost of equal ones."""

    words: tuple[str, ...]
    derivation: dict[tuple[int, int], str]


def categories_of_dependencies(sentence: Sentence) -> CategoryAnalysis | None:
    """The categories of a projective tree; None for a tree whose arcs cross."""
    heads = heads_of(sentence)
    if heads_of(sentence, projective=True) != heads:
        return None
    return _Conversion(sentence, heads).analysis()


class _Conversion:
    def __init__(self, sentence: Sentence, heads: Sequence[int]) -> None:
        self.upos = [word.upos for word in sentence.words]
        self.relations = [word.deprel.partition(":")[0] for word in sentence.words]
        self.spans = subtree_spans(heads)
        self.below: list[list[int]] = [[] for _ in heads]
        for word, head in enumerate(heads):
            if head >= 0:
                self.below[head].append(word)
        self.root = heads.index(-1)
        self.words = [""] * len(heads)
        self.derivation: dict[tuple[int, int], str] = {}

    def analysis(self) -> CategoryAnalysis:
        waiting = [(self.root, self.free_category(self.root))]
        while waiting:
            word, category = waiting.pop()
            waiting += self.take_apart(word, category)
        return CategoryAnalysis(tuple(self.words), self.derivation)

    def has(self, word: int, relations: set[str]) -> bool:
        return any(self.relations[child] in relations for child in self.below[word])

    def free_category(self, word: int) -> str:
        """What a phrase is that nothing asks to be something else."""
        if self.upos[word] in _VERBAL or self.has(word, {"cop", *_SUBJECTS}):
            return "S"
        return "NP" if self.upos[word] in _NOMINAL else "AP"

    def argument_category(self, word: int) -> str:
        relation = self.relations[word]
        if relation in {"ccomp", "csubj"}:
            return "S[em]" if self.has(word, {"mark"}) else "S"
        if relation == "xcomp":
            free = self.free_category(word)
            return "S\\NP" if free == "S" else free
        return "NP"

    def take_apart(self, word: int, category: str) -> list[tuple[int, str]]:
        """Note the stretches of a word's phrase and the word's category; returns its dependents with theirs."""
        begin, end = self.spans[word]
        left = [child for child in self.below[word] if child < word]
        right = [child for child in self.below[word] if child > word]
        outside_in = [*left, *reversed(right)]
        dependents = []
        for child in outside_in:
            self.derivation.setdefault((begin, end), category)
            of_child, category = self.step(child, word, category)
            dependents.append((child, of_child))
            if child < word:
                begin = self.spans[child][1]
            else:
                end = self.spans[child][0]
        self.derivation.setdefault((begin, end), category)
        self.words[word] = category
        return dependents

    def step(self, child: int, word: int, category: str) -> tuple[str, str]:
        """The category of a dependent of `word`, and of the phrase without it."""
        relation = self.relations[child]
        own, others = ("/", "\\") if child < word else ("\\", "/")  # slashes of the dependent and of the phrase
        if relation == "punct":
            return PUNCTUATION, category
        if relation == "cc" and (modified := _modified(category)):
            return CONJUNCTION, modified
        if relation in _ARGUMENTS:
            argument = self.argument_category(child)
            return argument, functor(category, others, argument)
        inner = self.inner_category(relation, word, category)
        return functor(category, own, inner), inner

    def inner_category(self, relation: str, word: int, category: str) -> str:
        """What a phrase is inside of a dependent that takes it; the same for a modifier."""
        if relation == "det" and self.upos[word] in _NOMINAL:
            return "N"
        if relation == "case" and not self.has(word, {"cop"}):
            return "NP"
        if relation == "mark":
            return "S" if self.free_category(word) == "S" else category
        if relation == "cop":
            return "NP" if self.upos[word] in _NOMINAL else "AP"
        return category


def _modified(category: str) -> str | None:
    """What a modifier at the right modifies; None for other categories."""
    parts = split(category)
    return parts[0] if parts and parts[1] == "\\" and parts[0] == parts[2] else None
