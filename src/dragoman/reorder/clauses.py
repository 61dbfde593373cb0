"""German clauses in English order: verbs that stand apart come together, and come to the front.

(Popović & Ney 2006, as RWTH's system of WMT 2012 uses them.) Participles, infinitives and separated prefixes go to the
finite verb; the verbs of a subordinate clause go behind its subject, the finite one first. Read off dependency trees:
a clause is a verb with its auxiliaries and what depends on it.
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

__all__ = ["ClauseOrders", "GermanClauses"]

_VERBAL = frozenset({"aux", "aux:pass", "cop", "compound:prt"})
_SUBJECTS = ("nsubj", "nsubj:pass", "csubj", "expl")
_OPENERS = frozenset({"mark", "cc"})
_RELATIVE = frozenset({"acl", "acl:relcl", "advcl", "ccomp", "csubj"})


@dataclass(frozen=True)
class GermanClauses(OrderMethod):
    """Verbs of German main and subordinate clauses where English has them; rules, nothing learnt."""

    name: ClassVar[str] = "clauses"
    needs_trees: ClassVar[bool] = True

    def learn(self, sentences: Sequence[Annotated], links: Sequence[Sequence[Link]]) -> ClauseOrders:  # noqa: ARG002
        """The rules, whatever the text."""
        return ClauseOrders()

    def of_rows(self, rows: Iterable[Sequence[Any]]) -> ClauseOrders:
        """The rules; there is nothing to read."""
        list(rows)
        return ClauseOrders()


class ClauseOrders(OrderRules):
    """The rules of `GermanClauses`."""

    needs_trees: ClassVar[bool] = True

    def __len__(self) -> int:
        return 2

    def rows(self) -> Iterable[Sequence[Any]]:
        """None."""
        return ()

    def best(self, sentence: Annotated) -> Order:
        """Every clause with its verbs together."""
        return linearised(sentence, lambda head, family: _clause(sentence, head, family))

    def moves(self, sentence: Annotated) -> list[Move]:
        """The whole sentence, in the one order."""
        order = self.best(sentence)
        return [] if order == tuple(range(len(order))) else [Move(0, order, 1.0)]


def _clause(sentence: Annotated, head: int, family: tuple[int, ...]) -> list[int]:
    """A clause in its new order; any other family as it stands."""
    relations = sentence.relations or ()
    verbs = [each for each in family if each == head or relations[each] in _VERBAL]
    copula = next((each for each in verbs if relations[each] == "cop"), None)
    if copula is not None:
        verbs.remove(head)  # a predicate that is no verb stays where it is
    elif sentence.tags[head] not in ("VERB", "AUX"):
        return list(family)
    rest = [each for each in family if each not in verbs]
    subject = next((each for name in _SUBJECTS for each in rest if relations[each] == name), None)
    if not verbs or not rest:
        return list(family)
    if _is_final(sentence, head, family, verbs):
        return _subordinate(rest, verbs, subject, relations)
    return _main(rest, verbs, subject)


def _is_final(sentence: Annotated, head: int, family: Sequence[int], verbs: Sequence[int]) -> bool:
    """True if all verbs stand at the end of a clause that a conjunction or a relative pronoun opens."""
    relations = sentence.relations or ()
    opened = any(relations[each] == "mark" for each in family) or relations[head] in _RELATIVE
    behind = [each for each in family if each > min(verbs) and each not in verbs and relations[each] != "punct"]
    front = [each for each in family if each < min(verbs) and relations[each] not in ("punct", *_OPENERS)]
    # What follows the verbs is another clause or an afterthought; before them stands more than one opener.
    return opened and bool(front) and all(each > max(verbs) for each in behind)


def _subordinate(rest: Sequence[int], verbs: Sequence[int], subject: int | None, relations: Sequence[str]) -> list[int]:
    """The verbs behind the subject, or behind what opens the clause; the last one, which is finite, first."""
    prefix = [each for each in verbs if relations[each] == "compound:prt"]
    together = [*reversed([each for each in verbs if each not in prefix]), *prefix]
    at = rest.index(subject) + 1 if subject is not None else _behind_opener(rest, relations)
    return [*rest[:at], *together, *rest[at:]]


def _behind_opener(rest: Sequence[int], relations: Sequence[str]) -> int:
    at = 0
    while at < len(rest) and relations[rest[at]] in ("punct", *_OPENERS):
        at += 1
    return min(len(rest), max(at, 1))


def _main(rest: Sequence[int], verbs: Sequence[int], subject: int | None) -> list[int]:
    """What is said by the verbs at the end of the clause right behind the finite verb, and behind its subject there."""
    finite, others = verbs[0], [*reversed(verbs[1:])]
    front = [each for each in rest if each < finite]
    behind = [each for each in rest if each > finite]
    at = 1 if behind and behind[0] == subject else 0
    return [*front, finite, *behind[:at], *others, *behind[at:]]
