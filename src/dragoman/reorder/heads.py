"""Heads behind their dependents, as Japanese and Korean have them: rules of thumb, nothing learnt.

(Isozaki et al., WMT 2010.) Universal Dependencies hang function words on content words; what Japanese says by particles
and endings, it says behind them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.alignments import Link
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.base import Move, OrderMethod, OrderRules
from dragoman.reorder.orders import Order
from dragoman.reorder.trees import linearised

__all__ = ["HeadFinal", "HeadsLast"]

_FUNCTION = frozenset({"case", "mark", "aux", "aux:pass", "cop", "compound:prt"})  # behind their heads, last one first
_BEHIND = frozenset({"conj", "list", "parataxis", "appos", "discourse"})  # behind their heads, as they stand


@dataclass(frozen=True)
class HeadFinal(OrderMethod):
    """Heads behind their dependents, function words behind these, coordinations and punctuation as they stand."""

    name: ClassVar[str] = "heads"
    needs_trees: ClassVar[bool] = True

    def learn(self, sentences: Sequence[Annotated], links: Sequence[Sequence[Link]]) -> HeadsLast:  # noqa: ARG002
        """The rules, whatever the text."""
        return HeadsLast()

    def of_rows(self, rows: Iterable[Sequence[Any]]) -> HeadsLast:
        """The rules; there is nothing to read."""
        list(rows)
        return HeadsLast()


class HeadsLast(OrderRules):
    """The rules of `HeadFinal`."""

    needs_trees: ClassVar[bool] = True

    def __len__(self) -> int:
        return 1

    def rows(self) -> Iterable[Sequence[Any]]:
        """None."""
        return ()

    def best(self, sentence: Annotated) -> Order:
        """Every family with its head behind its content words."""
        relations = sentence.relations or ()

        def choose(head: int, family: tuple[int, ...]) -> list[int]:
            front = [each for each in family if each != head and relations[each] == "punct" and each < head]
            last = [each for each in family if relations[each] == "punct" and each > head]
            function = [each for each in family if each != head and relations[each] in _FUNCTION]
            behind = [each for each in family if each != head and (relations[each] in _BEHIND and each > head)]
            used = {head, *front, *last, *function, *behind}
            content = [each for each in family if each not in used]
            if behind:  # a first conjunct is whole before the second begins
                return [*front, *content, head, *reversed(function), *behind, *last]
            return [*front, *content, head, *reversed(function), *last]

        return linearised(sentence, choose)

    def moves(self, sentence: Annotated) -> list[Move]:
        """The whole sentence, in the one order."""
        order = self.best(sentence)
        return [] if order == tuple(range(len(order))) else [Move(0, order, 1.0)]
