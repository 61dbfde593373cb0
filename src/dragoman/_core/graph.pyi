"""Hypergraphs of derivations: k-best, posteriors, completion, oracles."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray


class Hypergraph:
    """Everything a search found."""

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_source(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def is_many_tailed(self) -> bool:
        """Whether arcs may have other numbers of tails than one."""

    @property
    def arc_tails(self) -> NDArray[numpy.uint32]:
        """The tails of the arcs, one arc after the other."""

    @property
    def tail_offsets(self) -> NDArray[numpy.uint32]:
        """
        Where in `arc_tails` those of each arc begin; one more than there are arcs.
        """

    @property
    def arc_to(self) -> NDArray[numpy.uint32]: ...

    @property
    def arc_phrases(self) -> NDArray[numpy.uint32]:
        """Number of each arc's phrase; 2**32 - 1: none."""

    @property
    def arc_scores(self) -> NDArray[numpy.float32]: ...

    @property
    def arc_features(self) -> NDArray[numpy.float32]: ...

    @property
    def phrases(self) -> NDArray[numpy.uint32]:
        """Source begin, source end, first word, first link."""

    @property
    def words(self) -> NDArray[numpy.int32]:
        """
        The words of the phrases, one after the other; gap(k): those of tail k stand there.
        """

    def words_of(self, arcs: Sequence[int]) -> list[int]:
        """The target words of a derivation."""

    def links_of(self, arcs: Sequence[int]) -> list[tuple[int, int]]:
        """Its word links: places in the source and among its target words."""

    def n_best(self, n: int, distinct: bool) -> list[tuple[float, list[int]]]:
        """The best derivations: score and arcs."""

    def posteriors(self, scale: float) -> tuple[NDArray[numpy.float64], float]:
        """
        The probability of each arc, and the logarithm of what all derivations sum to.
        """

    def confidence(self, arcs: Sequence[int], scale: float) -> list[float]:
        """How probable each word of a derivation is."""

    def complete(self, prefix: Sequence[int], next: Sequence[int], edit_cost: float) -> tuple[float, list[int], int, int]:
        """The derivation whose beginning is nearest: score, arcs, words, edits."""

    def closest(self, target: Sequence[int]) -> tuple[float, list[int], int, int]:
        """The derivation with the fewest word edits: score, arcs, words, edits."""

    def bridge(self, prefix: Sequence[int], next: Sequence[int], suffix: Sequence[int], edit_cost: float) -> tuple[float, list[int], int, int]:
        """
        The derivation whose beginning and end are nearest: score, arcs, words, edits.
        """

    def oracle(self, references: Sequence[Sequence[int]], same: Sequence[tuple[int, int]], word: float, match: Sequence[float]) -> tuple[float, list[int]]:
        """The derivation with the largest linear gain: score, arcs."""

    def pruned(self, most_arcs: int) -> Hypergraph:
        """The graph with its best arcs alone."""

    def reweigh(self, weights: NDArray[numpy.float32]) -> None:
        """Score every arc anew."""

    def serialised(self) -> bytes:
        """The content of a file."""

    @staticmethod
    def loaded(file: bytes) -> Hypergraph:
        """A graph from the content of a file."""

class HypergraphBuilder:
    """Puts a graph together, node by node; node 0 is there already."""

    def __init__(self, n_source: int, n_features: int = 0) -> None: ...

    def add_phrase(self, begin: int, end: int, words: Sequence[int], links: Sequence[tuple[int, int]] = []) -> int:
        """
        The number of a phrase over the source words [begin, end); a word gap(k) stands for the words of tail k.
        """

    def add_node(self) -> int:
        """The number of the next node, where the arcs that follow lead."""

    def add_arc(self, tails: Sequence[int], phrase: int | None, score: float, features: Sequence[float] = []) -> None:
        """An arc to the last node."""

    def finish(self) -> Hypergraph:
        """The graph; the last node is its end. Nothing can be added behind."""

def gap(tail: int) -> int:
    """The word that stands for those of a tail."""
