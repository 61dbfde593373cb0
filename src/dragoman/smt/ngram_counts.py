"""How often phrases stand in a text, wherever it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.text.tokens import TokenIds

__all__ = ["count_ngrams"]

_PRIME = np.uint64(0x9E3779B97F4A7C15)


def count_ngrams(text: TokenIds, phrases: TokenIds) -> NDArray[np.int64]:
    """How often each phrase stands in the lines of a text; phrases are known by 64-bit hashes."""
    lengths = phrases.lengths()
    counts = np.zeros(len(lengths), dtype=np.int64)
    ends = np.repeat(text.offsets[1:], text.lengths())  # of the line of each word
    for n in np.unique(lengths[lengths > 0]).tolist():
        own = np.flatnonzero(lengths == n)
        begins = phrases.offsets[:-1][own]
        asked = _hashes(phrases.ids, begins, n)
        places = np.flatnonzero(np.arange(len(text.ids)) + n <= ends)
        known, found = np.unique(_hashes(text.ids, places, n), return_counts=True)
        if len(known):
            at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
            counts[own] = np.where(known[at] == asked, found[at], 0)
    return counts


def _hashes(ids: NDArray[np.int32], begins: NDArray[np.int64], n: int) -> NDArray[np.uint64]:
    value = np.zeros(len(begins), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for k in range(n):
            value = (value ^ (value >> np.uint64(29))) * _PRIME + ids[begins + k].astype(np.uint64) + np.uint64(1)
    return value
