"""The contract of methods: each learns which orders a target language asks for, and says so of new sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from dragoman.data.alignments import Link
from dragoman.options import Recipe
from dragoman.registry import Registry
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.orders import Order

__all__ = ["METHODS", "Move", "OrderMethod", "OrderRules", "arranged", "trimmed"]


class Move(NamedTuple):
    """The words from `begin` on in another order: `order` counts from `begin`; `p` is how probable it is."""

    begin: int
    order: Order
    p: float

    @property
    def end(self) -> int:
        """Behind the last word that it moves."""
        return self.begin + len(self.order)


def trimmed(begin: int, order: Order, p: float) -> Move | None:
    """A move without the words at its ends that stay where they are; None if all do."""
    moved = [place for place, word in enumerate(order) if place != word]
    if not moved:
        return None
    first, last = moved[0], moved[-1] + 1
    return Move(begin + first, tuple(word - first for word in order[first:last]), p)


def arranged(n_words: int, moves: Iterable[Move]) -> Order:
    """One order: of the moves that are likelier than not, the most probable first, as far as they do not overlap."""
    order = list(range(n_words))
    taken: list[tuple[int, int]] = []
    for move in sorted(moves, key=lambda move: (-move.p, move.begin, -len(move.order))):
        if move.p <= _EVEN:
            break
        if all(move.end <= begin or end <= move.begin for begin, end in taken):
            taken.append((move.begin, move.end))
            order[move.begin : move.end] = [move.begin + place for place in move.order]
    return tuple(order)


_EVEN = 0.5  # as likely as not


class OrderRules(ABC):
    """What a method has learnt."""

    needs_trees: ClassVar[bool] = False

    @abstractmethod
    def moves(self, sentence: Annotated) -> list[Move]:
        """Every order of a part of the sentence that a rule offers; never the order that it has."""

    def best(self, sentence: Annotated) -> Order:
        """One order of the whole sentence."""
        return arranged(len(sentence), self.moves(sentence))

    def offers(self, sentence: Annotated) -> tuple[list[Move], Order]:
        """All moves and the best order; who finds both by the same work does it once."""
        return self.moves(sentence), self.best(sentence)

    @abstractmethod
    def rows(self) -> Iterable[Sequence[Any]]:
        """The rules as rows for a file: JSON values."""

    @abstractmethod
    def __len__(self) -> int:
        """How many rules there are."""

    def shown(self, most: int) -> list[tuple[str, int, float]]:  # noqa: ARG002 - those that have something to show
        """The most frequent rules for people: what it says, how often it was met, how probable it is."""
        return []


@dataclass(frozen=True)
class OrderMethod(Recipe, ABC):
    """How to learn rules of one kind; subclasses are the methods of `METHODS`."""

    name: ClassVar[str]
    needs_trees: ClassVar[bool] = False

    @abstractmethod
    def learn(self, sentences: Sequence[Annotated], links: Sequence[Sequence[Link]]) -> OrderRules:
        """Rules from annotated source sentences and the links of their words to those of their translations."""

    @abstractmethod
    def of_rows(self, rows: Iterable[Sequence[Any]]) -> OrderRules:
        """What `OrderRules.rows` gave, read again."""

    @classmethod
    def made(cls, values: dict[str, Any]) -> Self:
        """The method with these options."""
        return cls.from_dict(values).check()


METHODS: Registry[OrderMethod] = Registry(
    "reordering method",
    {
        "tree": "dragoman.reorder.families:TreeOrder",
        "heads": "dragoman.reorder.heads:HeadFinal",
        "short": "dragoman.reorder.short_rules:ShortRules",
        "long": "dragoman.reorder.long_rules:LongRules",
        "clauses": "dragoman.reorder.clauses:GermanClauses",
    },
)
