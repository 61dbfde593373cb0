"""Words of pieces: where they begin, and how what is known of pieces becomes known of words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from dragoman.engines.results import Link

__all__ = ["links", "word_spans", "word_values"]

_SPACE = "▁"


def word_spans(pieces: Sequence[str]) -> list[tuple[int, int]]:
    """The places `[begin, end)` of each word's pieces; a piece that is a space alone belongs to the word behind it."""
    starts = [place for place, piece in enumerate(pieces) if piece.startswith(_SPACE)]
    starts = [*([0] if starts[:1] != [0] and pieces else []), *starts]
    spans = pairwise([*starts, len(pieces)])
    return list(_joined(spans, pieces))


def _joined(spans: Iterator[tuple[int, int]], pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
    begin = None
    for first, last in spans:
        begin = first if begin is None else begin
        if "".join(pieces[begin:last]).strip(_SPACE):
            yield begin, last
            begin = None


def word_values(logs: Sequence[float], spans: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    """The probability of each word, from the logarithms of its pieces'."""
    return tuple(min(1.0, math.exp(sum(logs[begin:end]))) for begin, end in spans)


def links(
    attention: Sequence[Sequence[float]], source: Sequence[tuple[int, int]], target: Sequence[tuple[int, int]]
) -> tuple[Link, ...]:
    """Each target word with the source word that its pieces looked at most."""
    pairs = []
    for number, (begin, end) in enumerate(target):
        looks = [sum(sum(attention[t][a:b]) for t in range(begin, end)) for a, b in source]
        if looks and max(looks) > 0:
            pairs.append((looks.index(max(looks)), number))
    return tuple(pairs)
