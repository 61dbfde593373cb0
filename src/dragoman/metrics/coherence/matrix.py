"""The discourse roles of terms, sentence by sentence, and how they follow each other (Lin, Ng & Kan 2011; DICOMER).

Rows are sentences, columns are terms. A cell holds the roles that a term has there, `Comp.Arg1` for one inside the
first argument of a comparison; a term without any has `nil`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from dragoman.metrics.coherence.discourse import Relation

__all__ = ["NIL", "RoleMatrix", "role_matrix"]

NIL = "nil"
_LENGTHS = (2, 3)  # rows of a transition

Terms = Sequence[Sequence[str | None]]  # of each word of each sentence, its term, or None


@dataclass(frozen=True)
class RoleMatrix:
    """The roles of each term in each sentence: `cells[term][sentence]`."""

    n_sentences: int
    cells: Mapping[str, tuple[frozenset[str], ...]]

    def transitions(self, length: int) -> Counter[tuple[str, ...]]:
        """How often roles follow each other down the columns, each role of a cell with each of the next."""
        counts: Counter[tuple[str, ...]] = Counter()
        n_windows = max(0, self.n_sentences - length + 1)
        for column in self.cells.values():
            there = [place for place, cell in enumerate(column) if cell]
            windows = {w for place in there for w in range(max(0, place - length + 1), min(place + 1, n_windows))}
            for first in windows:
                counts.update(product(*(sorted(cell) or [NIL] for cell in column[first : first + length])))
            counts[(NIL,) * length] += n_windows - len(windows)  # most cells are empty
        return +counts

    def pairs(self) -> Counter[tuple[str, ...]]:
        """How often two roles share a cell: relations that stand inside each other."""
        return Counter(
            pair for column in self.cells.values() for cell in column for pair in combinations(sorted(cell), 2)
        )

    def features(self, *, cells: bool) -> dict[str, float]:
        """Shares of transitions of two and three rows, and with `cells` those of pairs inside cells."""
        features: dict[str, float] = {}
        for length in _LENGTHS:
            features |= _shares(self.transitions(length), "→")
        return features | _shares(self.pairs(), "↔") if cells else features


def _shares(counts: Mapping[tuple[str, ...], int], joint: str) -> dict[str, float]:
    total = sum(counts.values())
    return {joint.join(roles): count / total for roles, count in counts.items()}


def role_matrix(terms: Terms, relations: Sequence[Relation], *, explicit: bool) -> RoleMatrix:
    """The matrix of a text. With `explicit` a role is there twice, the second time with `E.` or `N.` before it."""
    cells: dict[str, list[set[str]]] = {}
    for sentence, words in enumerate(terms):
        for term in words:
            if term is not None:
                cells.setdefault(term, [set() for _ in terms])
        for relation in relations:
            for name, begin, end in _spans(relation, sentence):
                role = f"{relation.sense}.{name}"
                roles = {role, f"{'E' if relation.explicit else 'N'}.{role}"} if explicit else {role}
                for term in words[begin:end]:
                    if term is not None:
                        cells[term][sentence] |= roles
    return RoleMatrix(len(terms), {term: tuple(map(frozenset, column)) for term, column in cells.items()})


def _spans(relation: Relation, sentence: int) -> Iterator[tuple[str, int, int]]:
    for name, each in (("Arg1", relation.first), ("Arg2", relation.second)):
        if each.sentence == sentence:
            yield name, each.start, each.end
