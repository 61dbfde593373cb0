"""Words of pieces: where they begin, and how what is known of pieces becomes known of words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from dragoman.engines.results import Link

__all__ = ["Span", "links", "word_spans", "word_values"]

Span = tuple[int, int]  # places `[begin, end)`

_SPACE = "▁"


def word_spans(pieces: Sequence[str]) -> list[Span]:
    """The places `[begin, end)` of each word's pieces; a piece that is a space alone belongs to the word behind it."""
    starts = [place for place, piece in enumerate(pieces) if piece.startswith(_SPACE)]
    starts = [*([0] if starts[:1] != [0] and pieces else []), *starts]
    spans = pairwise([*starts, len(pieces)])
    return list(_joined(spans, pieces))


def _joined(spans: Iterator[Span], pieces: Sequence[str]) -> Iterator[Span]:
    begin = None
    for first, last in spans:
        begin = first if begin is None else begin
        if "".join(pieces[begin:last]).strip(_SPACE):
            yield begin, last
            begin = None


def word_values(logs: Sequence[float], spans: Sequence[Span]) -> tuple[float, ...]:
    """The probability of each word, from the logarithms of its pieces'."""
    return tuple(min(1.0, math.exp(sum(logs[begin:end]))) for begin, end in spans)


def links(attention: Sequence[Sequence[float]], source: Sequence[Span], target: Sequence[Span]) -> tuple[Link, ...]:
    """Each target word with the source word that its pieces looked at most; none where nobody looked."""
    pairs = []
    for number, (begin, end) in enumerate(target if attention else ()):
        looks = [sum(sum(attention[t][a:b]) for t in range(begin, end)) for a, b in source]
        if looks and max(looks) > 0:
            pairs.append((looks.index(max(looks)), number))
    return tuple(pairs)
