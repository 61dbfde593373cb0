"""How far a sentence is from everything a corpus has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["CorpusDistance"]

_ROUND = 32  # lines measured at a time, the most promising first
_LETTERS = 16  # lines measured by characters


@dataclass(frozen=True)
class CorpusDistance(Feature):
    """Levenshtein distance of a sentence to the closest line of its side's corpus, per word of the sentence.

    In characters (per character) it is the least distance to the 16 lines that share most words, which need not be the
    least of all. 0 for an empty sentence.
    """

    name: ClassVar[str] = "corpus-distance"
    paper: ClassVar[str] = "Buck, WMT 2012, §3.6"
    needs: ClassVar[tuple[str, ...]] = ("source_corpus",)

    on: str = option("source", choices=("source", "target"), text="of which side")
    unit: str = option("word", choices=("word", "character"), text="what is edited")

    def needed(self) -> tuple[str, ...]:
        """The corpus of the side."""
        return (f"{self.on}_corpus",)

    def values(self, batch: Batch) -> Floats:
        """The distance of each sentence."""
        index = batch.keep(("corpus", self.on), lambda: _Index(self._corpus(batch)))
        distances = np.zeros(len(batch))
        for number, line in enumerate(batch.tokens(self.on, self.compat).lines):
            words = line.split()
            if not words:
                continue
            if self.unit == "word":
                distances[number] = index.distance(words, batch.n_threads) / len(words)
            else:
                plain = " ".join(words)
                distances[number] = index.distance_in_characters(words, plain, batch.n_threads) / len(plain)
        return distances

    def _corpus(self, batch: Batch) -> tuple[str, ...]:
        return batch.resources.ask(f"{self.on}_corpus", tuple)


class _Index:
    """Lines of a corpus by the words they have."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        from scipy.sparse import csc_matrix

        self._lines = lines
        self._words = Vocabulary([" "])
        self._ids, self._offsets = self._words.core.encode(list(lines), _core.text.surface_tokeniser("none"))
        self._words = Vocabulary(self._words.words(), unk=" ").freeze()
        self._lengths = np.diff(self._offsets)
        rows = np.repeat(np.arange(len(lines)), self._lengths)
        has: Any = csc_matrix((np.ones(len(rows)), (rows, self._ids)), shape=(len(lines), len(self._words)))
        has.sum_duplicates()
        self._starts, self._rows = has.indptr, has.indices

    def _bounds(self, words: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids of a sentence, and for each line of the corpus what its distance is at least."""
        ids = self._words.ids(words)
        shared = np.zeros(len(self._lines), dtype=np.int64)
        kinds, times = np.unique(ids[ids > 0], return_counts=True)
        for kind, n in zip(kinds.tolist(), times.tolist(), strict=True):
            shared[self._rows[self._starts[kind] : self._starts[kind + 1]]] += n
        return ids, np.maximum(np.maximum(self._lengths, len(ids)) - shared, np.abs(self._lengths - len(ids)))

    def distance(self, words: list[str], n_threads: int) -> int:
        """The distance in words to the closest line."""
        if not self._lines:
            return len(words)
        ids, bounds = self._bounds(words)
        # Words that the corpus has not must differ from each other's and from all of its words.
        ids = np.where(ids > 0, ids, -1 - np.arange(len(ids))).astype(np.int32)
        order = np.argsort(bounds, kind="stable")
        best = len(words)
        for first in range(0, len(order), _ROUND):
            some = order[first : first + _ROUND]
            some = some[bounds[some] < best]
            if not len(some):
                break
            best = min(best, int(self._measure(ids, some, n_threads).min()))
        return best

    def _measure(self, ids: NDArray[np.int32], lines: NDArray[np.int64], n_threads: int) -> NDArray[np.int32]:
        parts = [self._ids[self._offsets[line] : self._offsets[line + 1]] for line in lines]
        ends = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        many = np.tile(ids, len(lines))
        return _core.edit.levenshtein(
            many, np.arange(len(lines) + 1, dtype=np.int64) * len(ids), np.concatenate(parts), ends, n_threads=n_threads
        )

    def distance_in_characters(self, words: list[str], plain: str, n_threads: int) -> int:
        """The least distance in characters to the lines that are closest by their words."""
        if not self._lines:
            return len(plain)
        _, bounds = self._bounds(words)
        near = np.argsort(bounds, kind="stable")[:_LETTERS]
        lines = [" ".join(self._lines[int(line)].split()) for line in near]
        codes = [np.frombuffer(line.encode("utf-32-le"), dtype=np.int32) for line in (plain, *lines)]
        ends = np.concatenate([[0], np.cumsum([len(code) for code in codes[1:]])]).astype(np.int64)
        distances = _core.edit.levenshtein(
            np.tile(codes[0], len(lines)),
            np.arange(len(lines) + 1, dtype=np.int64) * len(codes[0]),
            np.concatenate(codes[1:]),
            ends,
            n_threads=n_threads,
        )
        return min(len(plain), int(distances.min()))
