"""Orders of source words, and those that word alignments ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dragoman.data.alignments import Link
from dragoman.errors import DataError

__all__ = ["Order", "check_order", "implied_order", "is_order", "target_spans"]

Order = tuple[int, ...]  # places of source words, in the order in which they are read


def is_order(places: Sequence[int], n_words: int) -> bool:
    """True if each of so many words is read once."""
    return sorted(places) == list(range(n_words))


def check_order(places: Sequence[int], n_words: int) -> None:
    """Raise unless each word is read once."""
    if not is_order(places, n_words):
        shown = " ".join(map(str, places[:12]))
        raise DataError(f"An order of {n_words} words has each of 0 to {n_words - 1} once, got {shown!r}.")


def target_spans(links: Iterable[Link], n_words: int) -> list[tuple[int, int, float] | None]:
    """For each source word the first and the last target word linked to it, and their mean; None if there is none."""
    targets: list[list[int]] = [[] for _ in range(n_words)]
    for source, target in links:
        targets[source].append(target)
    return [(min(each), max(each), sum(each) / len(each)) if each else None for each in targets]


def implied_order(links: Iterable[Link], n_words: int) -> Order:
    """The source words in the order of what they are linked to; a word without a link stays behind the one before it.

    Words whose targets have the same mean keep their order.
    """
    keys: list[float] = []
    for span in target_spans(links, n_words):
        keys.append(span[2] if span else keys[-1] if keys else -1.0)
    return tuple(sorted(range(n_words), key=keys.__getitem__))
