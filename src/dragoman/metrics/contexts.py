"""How alike two words are: by their letters, or by the words that stand around them in a text.

The similarities of Lo, Tumuluru & Wu (WMT 2012, §3): context vectors of a window, compared by cosine or by MinMax-MI,
where what a neighbour tells of a word is log P(neighbour | word) / P(neighbour), counted from 0 on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.files import iter_lines
from dragoman.text.base import Tokeniser
from dragoman.text.vocabulary import Vocabulary

__all__ = ["CONTEXT_MEASURES", "SIMILARITIES", "ContextVectors", "WordSimilarity", "dice", "exact"]

CONTEXT_MEASURES = ("minmax-mi", "cosine")
SIMILARITIES = ("dice", "exact", *CONTEXT_MEASURES)
WordSimilarity = Callable[[str, str], float]
_PART = 2000  # lines counted together


def exact(first: str, second: str) -> float:
    """1 for equal words, else 0; case does not matter."""
    return float(first.lower() == second.lower())


@lru_cache(maxsize=200_000)
def dice(first: str, second: str) -> float:
    """The share of letter bigrams that two words have in common; case does not matter."""
    if first.lower() == second.lower():
        return 1.0
    ours, theirs = (Counter(pairwise(word.lower())) for word in (first, second))
    total = ours.total() + theirs.total()
    return 2.0 * (ours & theirs).total() / total if total else 0.0


class ContextVectors:
    """The neighbours of each word of a text, and how alike two words are by them.

    A word that the text lacks is like itself alone.
    """

    def __init__(self, token_lines: Iterable[Sequence[str]], *, window: int, measure: str) -> None:
        if measure not in CONTEXT_MEASURES:
            raise DataError(f"Context vectors are compared by {' or '.join(CONTEXT_MEASURES)}, not {measure!r}.")
        self._measure = measure
        self._vocabulary = Vocabulary(unk=" ")  # no token is a blank
        words, neighbours, counts = _count(token_lines, self._vocabulary, window)
        self._vocabulary.freeze()
        if not len(counts):
            raise DataError("The text has no two words side by side; there are no contexts to compare words by.")
        self._neighbours = neighbours
        self._starts = np.searchsorted(words, np.arange(len(self._vocabulary) + 1))
        self._values = _weights(words, neighbours, counts, len(self._vocabulary), measure)
        self._known: dict[tuple[int, int], float] = {}

    @classmethod
    def of_file(cls, path: str, tokeniser: Tokeniser, *, window: int, measure: str) -> ContextVectors:
        """The vectors of the words of a text file, cut by a tokeniser."""
        token_lines = (line.split() for line in tokeniser.tokenise(list(iter_lines(path))))
        return cls(token_lines, window=window, measure=measure)

    def __call__(self, first: str, second: str) -> float:
        """How alike two words are, from 0 to 1."""
        first, second = first.lower(), second.lower()
        if first == second:
            return 1.0
        a, b = sorted(self._vocabulary.ids([first, second]).tolist())
        if a == b:  # neither is in the text
            return 0.0
        if (a, b) not in self._known:
            self._known[a, b] = self._compared(a, b)
        return self._known[a, b]

    def _compared(self, a: int, b: int) -> float:
        (x, p), (y, q) = self._row(a), self._row(b)
        _, i, j = np.intersect1d(x, y, assume_unique=True, return_indices=True)
        if self._measure == "cosine":
            # Over the neighbours of both, as the paper has it.
            norm = float(np.sqrt((p[i] ** 2).sum() * (q[j] ** 2).sum()))
            return float(p[i] @ q[j]) / norm if norm else 0.0
        shared = float(np.minimum(p[i], q[j]).sum())
        total = float(p.sum() + q.sum()) - shared
        return shared / total if total else 0.0

    def _row(self, word: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        begin, end = self._starts[word], self._starts[word + 1]
        return self._neighbours[begin:end], self._values[begin:end]


Counts = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _count(token_lines: Iterable[Sequence[str]], vocabulary: Vocabulary, window: int) -> Counts:
    """Pairs of word and neighbour, sorted, with how often they stand at most `window` words apart in one line."""
    keys: list[NDArray[np.int64]] = []
    totals: list[NDArray[np.int64]] = []
    part: list[NDArray[np.int64]] = []

    def flush() -> None:
        if part:
            key, count = np.unique(np.concatenate(part), return_counts=True)
            keys.append(key)
            totals.append(count)
            part.clear()

    for number, tokens in enumerate(token_lines, start=1):
        ids = vocabulary.ids([token.lower() for token in tokens]).astype(np.int64)
        for apart in range(1, min(window, len(ids) - 1) + 1):
            left, right = ids[:-apart], ids[apart:]
            part.append(np.concatenate([left << 32 | right, right << 32 | left]))
        if number % _PART == 0:
            flush()
    flush()
    if not keys:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, np.zeros(0)
    key, places = np.unique(np.concatenate(keys), return_inverse=True)
    counts = np.bincount(places, weights=np.concatenate(totals)).astype(np.float64)
    return (key >> 32).astype(np.int64), (key & 0xFFFFFFFF).astype(np.int64), counts


def _weights(
    words: NDArray[np.int64], neighbours: NDArray[np.int64], counts: NDArray[np.float64], size: int, measure: str
) -> NDArray[np.float64]:
    """What each neighbour tells of its word."""
    of_word = np.bincount(words, weights=counts, minlength=size)
    of_neighbour = np.bincount(neighbours, weights=counts, minlength=size)
    if measure == "cosine":
        return np.asarray(counts / of_neighbour[neighbours])
    chance = of_neighbour[neighbours] / counts.sum()
    return np.asarray(np.maximum(np.log(counts / of_word[words] / chance), 0.0))
