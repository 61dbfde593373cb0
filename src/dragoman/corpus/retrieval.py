"""Lines by likeness: an inverted index over their words, asked for the best of all lines for each query.

>>> index = LineIndex.of(["a dog runs", "a cat sleeps", "the dog sleeps"])
>>> index.best(["my dog runs"], 2).places.tolist()
[[0, 2]]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.text import TOKENISERS
from dragoman.text.casing import lowercase
from dragoman.text.tokens import TokenIds, join_rows
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Hits", "LineIndex", "Retrieval"]

_WEIGHTINGS = {
    "bm25": core.Weighting.BM25,
    "classic": core.Weighting.CLASSIC,
    "cosine": core.Weighting.COSINE,
}
_UNKNOWN = "<unk>"  # a query's words that no line has; the index holds none


@dataclass(frozen=True)
class Retrieval(Recipe):
    """How lines are cut into words, and what a word that a line shares with a query weighs."""

    weighting: str = option("bm25", choices=tuple(_WEIGHTINGS), text="BM25, Lucene's classic tf-idf, cosine of tf-idf")
    k1: float = option(1.2, low=0, text="how soon further occurrences of a word stop to count (bm25)")
    b: float = option(0.75, low=0, high=1, text="how much long lines are held back (bm25)")
    tokeniser: str = option("13a", text="cuts lines into words")
    lowercase: bool = option(True, text="compare without regard to case")

    def index(self, batches: Iterable[Sequence[str]], *, n_threads: int = 1) -> LineIndex:
        """An index of lines that come batch by batch; their text is not kept."""
        self.check()
        vocabulary = Vocabulary(unk=_UNKNOWN)
        parts = [self.encode(lines, vocabulary, n_threads=n_threads) for lines in batches]
        if not parts or not any(len(part) for part in parts):
            raise DataError("There are no lines to index.")
        ids, offsets = join_rows([(part.ids, part.offsets) for part in parts])
        index = core.InvertedIndex(
            ids,
            offsets,
            n_terms=len(vocabulary),
            weighting=_WEIGHTINGS[self.weighting],
            k1=self.k1,
            b=self.b,
            n_threads=n_threads,
        )
        return LineIndex(self, vocabulary.freeze(), index)

    def encode(self, lines: Sequence[str], vocabulary: Vocabulary, *, n_threads: int = 1) -> TokenIds:
        """The words of lines as ids."""
        plain = lowercase(lines, n_threads=n_threads) if self.lowercase else lines
        return TOKENISERS.make(self.tokeniser).encode(plain, vocabulary, n_threads=n_threads)


@dataclass(frozen=True, eq=False)
class Hits:
    """The best lines of each query, best first; place -1 and score 0 where fewer share a word with it."""

    places: NDArray[np.int32]  # (queries, k), from 0
    scores: NDArray[np.float32]

    def union(self) -> NDArray[np.int32]:
        """The places of all lines that are among the best of any query, ascending."""
        places = np.unique(self.places)
        return places[places >= 0]


class LineIndex:
    """Lines that can be asked for by words. Nothing depends on `n_threads`."""

    def __init__(self, recipe: Retrieval, vocabulary: Vocabulary, index: core.InvertedIndex) -> None:
        self.recipe = recipe
        self.vocabulary = vocabulary
        self.core = index  # takes ids of `vocabulary`, with a weight for each word where wanted

    @classmethod
    def of(cls, lines: Sequence[str], recipe: Retrieval | None = None, *, n_threads: int = 1) -> LineIndex:
        """The index of lines in memory."""
        return (recipe or Retrieval()).index([lines], n_threads=n_threads)

    def __len__(self) -> int:
        """The number of lines."""
        return self.core.n_documents

    def best(
        self,
        queries: Sequence[str],
        k: int,
        *,
        weights: NDArray[np.float32] | None = None,
        n_threads: int = 1,
    ) -> Hits:
        """The `k` best lines for each query, earlier lines first among equals.

        `weights` says for each word of all queries, in order, how much it counts; it needs queries cut into words
        already (tokeniser `none`).
        """
        rows = self._encode(queries, n_threads)
        return Hits(*self.core.best(rows.ids, rows.offsets, min(k, len(self)), weights=weights, n_threads=n_threads))

    def mean_scores(self, queries: Sequence[str], *, n_threads: int = 1) -> NDArray[np.float64]:
        """The mean score of each line over all queries (Tamchyna et al. 2012)."""
        if not queries:
            raise DataError("There are no queries.")
        rows = self._encode(queries, n_threads)
        totals: NDArray[np.float64] = self.core.sums(rows.ids, rows.offsets, n_threads=n_threads) / len(queries)
        return totals

    def _encode(self, queries: Sequence[str], n_threads: int) -> TokenIds:
        # Only the classic weighting asks how many different words of a query are not met; a copy tells them apart.
        vocabulary = self.vocabulary.thawed() if self.recipe.weighting == "classic" else self.vocabulary
        return self.recipe.encode(queries, vocabulary, n_threads=n_threads)
