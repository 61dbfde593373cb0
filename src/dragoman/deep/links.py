"""Nodes of two deep trees that stand for each other, by links between the words of parallel sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragoman.align import ALIGNERS
from dragoman.deep.formemes import formemes_of
from dragoman.deep.trees import DeepNode, DeepTree
from dragoman.errors import DataError
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["LabelledTree", "Links", "labelled_trees", "lemma_of", "link_words", "linked_nodes"]

Links = Sequence[Sequence[tuple[int, int]]]  # by sentence, places of words from 0


@dataclass(frozen=True)
class LabelledTree:
    """A deep tree with the formemes of its nodes."""

    tree: DeepTree
    formemes: tuple[str, ...]

    @property
    def nodes(self) -> tuple[DeepNode, ...]:
        """The nodes from left to right."""
        return self.tree.nodes


def labelled_trees(sentences: Sequence[Sentence], language: str) -> list[LabelledTree]:
    """The deep trees of sentences."""
    return [LabelledTree(tree, tuple(formemes)) for tree, formemes in (formemes_of(s, language) for s in sentences)]


def lemma_of(word: Word) -> str:
    """The lemma without white space, or else the form; in lower case."""
    return "_".join((word.form if word.lemma == NOTHING else word.lemma).lower().split()) or NOTHING


def link_words(
    first: Sequence[Sentence], second: Sequence[Sentence], *, method: str = "ibm1", seed: int = 1, n_threads: int = 1
) -> list[list[tuple[int, int]]]:
    """Links learnt from the lemmas of the sentences themselves; both directions must agree."""
    if len(first) != len(second):
        raise DataError(f"Parallel trees must be as many on both sides, got first={len(first)}, second={len(second)}.")
    if not first:
        raise DataError("There is no sentence to link.")
    sides = ([" ".join(map(lemma_of, sentence.words)) for sentence in side] for side in (first, second))
    aligner = ALIGNERS.make(method)
    _, result = aligner.train_and_align(*sides, symmetrisation="intersection", seed=seed, n_threads=n_threads)
    links = [(int(a), int(b)) for a, b in result.links.tolist()]
    return [links[begin:end] for begin, end in pairwise(result.offsets.tolist())]


def linked_nodes(
    first: Sequence[LabelledTree], second: Sequence[LabelledTree], links: Links
) -> Iterator[tuple[int, int, int]]:
    """Sentence, place of the first's node, place of the second's; a link to a word that is no node says nothing."""
    for number, (one, other, arcs) in enumerate(zip(first, second, links, strict=True)):
        n_first, n_second = len(one.tree.sentence.words), len(other.tree.sentence.words)
        for a, b in arcs:
            if a >= n_first or b >= n_second:
                raise DataError(
                    f"Sentence {number + 1}: the link {a}-{b} leaves its sentences of {n_first} and {n_second} words."
                )
            here, there = one.tree.places.get(a + 1), other.tree.places.get(b + 1)
            if here is not None and there is not None:
                yield number, here, there
