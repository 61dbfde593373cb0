"""What a match differs in: the edits of words between two sources, to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np

from dragoman._core import edit
from dragoman.cat.memory.tokens import Token, tokens

__all__ = ["WordEdit", "word_edits"]

Kind = Literal["same", "changed", "added", "left_out"]
_KINDS: tuple[Kind, ...] = ("same", "changed", "added", "left_out")  # by the core's numbers of operations


@dataclass(frozen=True, slots=True)
class WordEdit:
    """Words of a match against words of a text, as characters `[begin, end)` of each; empty where one has none."""

    kind: Kind  # `added`: the text has them, the match has not
    match: tuple[int, int]
    text: tuple[int, int]


def word_edits(match: str, text: str) -> list[WordEdit]:
    """The fewest edits of tokens that make a text out of a match, neighbours of one kind joined."""
    sides = tokens(match), tokens(text)
    numbers: dict[str, int] = {}
    ids = [np.array([numbers.setdefault(t.form, len(numbers)) for t in side], dtype=np.int32) for side in sides]
    ends = [np.array([0, len(side)], dtype=np.int64) for side in sides]
    operations, _ = edit.operations(ids[0], ends[0], ids[1], ends[1])
    edits = []
    at = [0, 0]
    for number, run in groupby(int(operation) for operation in operations):
        kind, n = _KINDS[number], len(list(run))
        sizes = (0 if kind == "added" else n, 0 if kind == "left_out" else n)
        spans = [_span(side, place, size) for side, place, size in zip(sides, at, sizes, strict=True)]
        edits.append(WordEdit(kind, *spans))
        at = [place + size for place, size in zip(at, sizes, strict=True)]
    return edits


def _span(side: list[Token], place: int, size: int) -> tuple[int, int]:
    """Characters of `size` tokens from a place on; where there are none, the end of the token before."""
    if size:
        return side[place].begin, side[place + size - 1].end
    end = side[place - 1].end if place else 0
    return end, end
