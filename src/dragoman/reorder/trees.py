"""Families of a dependency tree, a head and its dependents, and orders made of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dragoman.errors import DataError
from dragoman.reorder.annotation import Annotated
from dragoman.reorder.orders import Order

__all__ = ["children_of", "families", "linearised", "subtree_places"]

Family = tuple[int, tuple[int, ...]]  # a head, and its dependents with itself, by their places


def children_of(sentence: Annotated) -> tuple[list[int], list[list[int]]]:
    """The roots, and each word's dependents, by their places."""
    if sentence.heads is None:
        raise DataError(
            f"{' '.join(sentence.words[:8])!r} has no tree; orders of heads and dependents need one. Parse the text."
        )
    roots: list[int] = []
    children: list[list[int]] = [[] for _ in sentence.heads]
    for place, head in enumerate(sentence.heads):
        (roots if head < 0 else children[head]).append(place)
    return roots, children


def families(sentence: Annotated) -> Iterator[Family]:
    """Every head that has dependents, with them and itself in the order they stand in."""
    _, children = children_of(sentence)
    for head, own in enumerate(children):
        if own:
            yield head, tuple(sorted((*own, head)))


def subtree_places(sentence: Annotated) -> list[list[int]]:
    """For each word the places of all words below it, and its own."""
    roots, children = children_of(sentence)
    below: list[list[int]] = [[place] for place in range(len(sentence))]
    for place in reversed(_downward(roots, children)):
        for child in children[place]:
            below[place] += below[child]
    return below


def linearised(sentence: Annotated, choose: Callable[[int, tuple[int, ...]], Sequence[int]]) -> Order:
    """The order of all words if `choose` orders each family; whatever hangs together stays together.

    A tree with arcs that cross becomes one without: the words below a head stand around it.
    """
    roots, children = children_of(sentence)
    order: list[int] = []
    waiting: list[tuple[int, bool]] = [(root, False) for root in reversed(roots)]
    while waiting:
        place, is_word = waiting.pop()
        own = children[place]
        if is_word or not own:
            order.append(place)
            continue
        chosen = choose(place, tuple(sorted((*own, place))))
        waiting += [(each, each == place) for each in reversed(chosen)]
    return tuple(order)


def _downward(roots: Sequence[int], children: Sequence[Sequence[int]]) -> list[int]:
    """All words, each behind its head."""
    order, waiting = [], list(roots)
    while waiting:
        place = waiting.pop()
        order.append(place)
        waiting += children[place]
    return order
