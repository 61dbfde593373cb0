"""How often n-grams stand in a corpus, and which quartile of frequency that makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.arrays import check_array
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.text.vocabulary import Vocabulary

__all__ = ["NgramCounts", "NgramRecipe", "Tally", "batches", "look_up", "ngram_keys"]

T = TypeVar("T", bound=np.generic)

Keys = NDArray[np.uint64]
Counts = NDArray[np.int64]

_BATCH = 50_000  # lines counted at a time
_UNKNOWN = " "  # no token is a space
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class NgramRecipe(Recipe):
    """How to count the n-grams of a tokenised corpus."""

    order: int = option(3, low=1, high=7, text="length of the longest n-grams")

    def train(self, lines: Iterable[str]) -> NgramCounts:
        """Count the n-grams of tokenised lines, which are read once. Memory grows with the different n-grams."""
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
        self.check()
        words = Vocabulary([_UNKNOWN])
        whitespace = _core.text.surface_tokeniser("none")
        tables = [Tally() for _ in range(self.order)]
        digest = sha256()
        for batch in batches(lines):
            ids, offsets = words.core.encode(batch, whitespace)
            for length, table in enumerate(tables, start=1):
                table.add(ngram_keys(ids, offsets, length)[0])
            digest.update("".join(f"{line}\n" for line in batch).encode())
        counted = [table.finished() for table in tables]
        if not len(counted[0][0]):
            raise DataError("There are no words to count: the corpus is empty.")
        vocabulary = Vocabulary(words.words(), unk=_UNKNOWN).freeze()
        return NgramCounts(self, vocabulary, tuple(counted), data={"text": digest.hexdigest()})


@dataclass(eq=False, repr=False)
class NgramCounts(StoredArtifact):
    """Counts of the n-grams of a corpus by length. Lines are tokenised text, tokens separated by white space.

    N-grams are kept as 64-bit hashes; that two of 10⁸ share one has a chance of 3 in 10,000.
    """

    kind: ClassVar[str] = "n-gram counts"
    format: ClassVar[int] = 2

    recipe: NgramRecipe
    vocabulary: Vocabulary
    tables: tuple[tuple[Keys, Counts], ...]

    def __post_init__(self) -> None:
        self._cuts = [_quartile_cuts(counts) for _, counts in self.tables]

    def _check(self) -> None:
        for length, (keys, counts) in enumerate(self.tables, start=1):
            check_array(f"n-grams of {length}", keys, np.uint64, None)
            check_array(f"counts of n-grams of {length}", counts, np.int64, len(keys))

    def __repr__(self) -> str:
        sizes = ", ".join(f"{size:,}" for size in self.sizes)
        return f"<NgramCounts of order {self.order}: {sizes} n-grams>"

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.tables)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Different n-grams by length."""
        return tuple(len(keys) for keys, _ in self.tables)

    def cuts(self, length: int) -> tuple[int, int, int, int]:
        """The highest frequency of each quarter of the different n-grams of a length, the rarest quarter first."""
        self._check_length(length)
        return self._cuts[length - 1]

    def frequencies(self, ids: NDArray[np.int32], offsets: NDArray[np.int64], length: int) -> tuple[Counts, Counts]:
        """How often each n-gram of these sentences stands in the corpus, and the sentence of each."""
        self._check_length(length)
        keys, sentence = ngram_keys(ids, offsets, length)
        return look_up(keys, *self.tables[length - 1], 0), sentence

    def _check_length(self, length: int) -> None:
        if not 1 <= length <= self.order:
            raise DataError(
                f"These counts are of n-grams of 1 to {self.order} words, not of {length}. Count them anew."
            )


def ngram_keys(ids: NDArray[np.int32], offsets: NDArray[np.int64], length: int) -> tuple[Keys, Counts]:
    """A hash of each n-gram inside the sentences, and the sentence of each."""
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    n = max(0, len(ids) - length + 1)
    keys = np.zeros(n, dtype=np.uint64)
    with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is the method
        for shift in range(length):
            keys = (keys ^ (ids[shift : shift + n].astype(np.uint64) + np.uint64(1))) * _MIX
            keys ^= keys >> np.uint64(29)
    inside = sentence[:n] == sentence[length - 1 :] if n else np.zeros(0, dtype=bool)
    return keys[inside], sentence[:n][inside]


def look_up(keys: NDArray[Any], table: NDArray[Any], values: NDArray[T], missing: float) -> NDArray[T]:
    """The values that a table, whose keys are in order, has of some keys; `missing` where it has none."""
    if not len(table):
        return np.full((len(keys), *values.shape[1:]), missing, dtype=values.dtype)
    place = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    there = (table[place] == keys).reshape(-1, *[1] * (values.ndim - 1))
    return np.where(there, values[place], values.dtype.type(missing))


def _quartile_cuts(counts: Counts) -> tuple[int, int, int, int]:
    if not len(counts):
        return 0, 0, 0, 0
    ordered = np.sort(counts)
    a, b, c, d = (int(ordered[-(-quarter * len(ordered) // 4) - 1]) for quarter in (1, 2, 3, 4))
    return a, b, c, d


class Tally:
    """Sorted keys with counts; new ones wait until they are as many as the old ones, so that sorting stays cheap."""

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.uint64)
        self._counts: Counts = np.zeros(0, dtype=np.int64)
        self._waiting: list[Keys] = []
        self._n_waiting = 0

    def add(self, keys: Keys) -> None:
        """Count these."""
        self._waiting.append(keys)
        self._n_waiting += len(keys)
        if self._n_waiting >= max(1 << 20, len(self._keys)):
            self._merge()

    def _merge(self) -> None:
        new, times = np.unique(np.concatenate(self._waiting), return_counts=True)
        keys, place = np.unique(np.concatenate([self._keys, new]), return_inverse=True)
        counts = np.zeros(len(keys), dtype=np.int64)
        np.add.at(counts, place, np.concatenate([self._counts, times]))
        self._keys, self._counts, self._waiting, self._n_waiting = keys, counts, [], 0

    def finished(self) -> tuple[Keys, Counts]:
        """Keys in their order, and how often each came."""
        if self._waiting:
            self._merge()
        return self._keys, self._counts


def batches(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines, so many at a time."""
    source = iter(lines)
    while batch := list(islice(source, _BATCH)):
        yield batch
