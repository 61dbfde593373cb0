"""Sentence pairs as rectangles of ids: those of like length together, in few shapes, since each is compiled once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dragoman.neural.network import END, PAD, START

__all__ = ["pair_lengths", "rectangle_lengths", "rectangles", "source_rectangles"]

Ids = Sequence[Sequence[int]]
Rectangle = np.ndarray

# Compiling a shape takes as long as thousands of steps, so there are three: for half of the pairs, most, and all.
_QUANTILES = (0.5, 0.9, 1.0)
_ROUND = 8  # lengths are multiples of it
_SLACK = 1.25  # the longest pair may be cut otherwise in another epoch
_ROWS = 256  # sentences translated at a time


def pair_lengths(sources: Ids, targets: Ids) -> np.ndarray:
    """How long a rectangle must be to take each pair: the longer side, and its end."""
    return np.array([max(len(s), len(t)) + 1 for s, t in zip(sources, targets, strict=True)])


def rectangle_lengths(lengths: np.ndarray) -> list[int]:
    """Lengths of rectangles for pairs of these lengths, ascending."""
    wanted = np.quantile(lengths, _QUANTILES) * np.array([1.0, 1.0, _SLACK])
    return sorted({int(-(-length // _ROUND) * _ROUND) for length in wanted})


def rectangles(
    sources: Ids, targets: Ids, n_pieces: int, shapes: Sequence[int], rng: np.random.Generator
) -> Iterator[tuple[Rectangle, Rectangle]]:
    """Batches of about `n_pieces` a side, in random order: sources with END, targets between START and END.

    Each is as long as one of `shapes`; a pair that is longer than all is left out.
    """
    lengths = pair_lengths(sources, targets)
    order = rng.permutation(len(lengths))
    groups, least = [], 0
    for length in shapes:
        members = order[(lengths[order] > least) & (lengths[order] <= length)]
        rows = max(1, n_pieces // length)
        groups += [(members[begin : begin + rows], length, rows) for begin in range(0, len(members), rows)]
        least = length
    for place in rng.permutation(len(groups)):
        members, length, rows = groups[place]
        # The last batch of a length is filled with empty rows up to the others' shape.
        source = np.full((rows, length), PAD, np.int32)
        target = np.full((rows, length + 1), PAD, np.int32)
        for row, member in enumerate(members):
            ids, words = sources[member], targets[member]
            source[row, : len(ids) + 1] = [*ids, END]
            target[row, : len(words) + 2] = [START, *words, END]
        yield source, target


def source_rectangles(sources: Ids) -> Iterator[tuple[Sequence[int], Rectangle]]:
    """Sources alone, all in one shape: the places of the rows, and the rectangle."""
    order = sorted(range(len(sources)), key=lambda place: len(sources[place]))
    longest = max(map(len, sources), default=0) + 1
    for begin in range(0, len(order), _ROWS):
        members = order[begin : begin + _ROWS]
        source = np.full((_ROWS, -(-longest // _ROUND) * _ROUND), PAD, np.int32)
        source[:, 0] = END
        for row, member in enumerate(members):
            source[row, : len(sources[member]) + 1] = [*sources[member], END]
        yield members, source
