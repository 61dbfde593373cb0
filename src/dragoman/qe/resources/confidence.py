"""How often words were kept by post-editors: confidence in words, learnt from corrected translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.arrays import check_array
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.hter import WordTags
from dragoman.options import Recipe, option
from dragoman.qe.resources.ngrams import Keys, look_up, ngram_keys
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ConfidenceRecipe", "WordConfidence"]

_UNKNOWN = " "  # no token is a space


@dataclass(frozen=True)
class ConfidenceRecipe(Recipe):
    """How to learn which n-grams of translations survive post-editing."""

    order: int = option(3, low=1, high=5, text="length of the longest n-grams")
    smoothing: float = option(4.0, low=0.01, text="how often the mean of all is counted with each n-gram's own rate")

    def train(self, outputs: Sequence[str], tags: Sequence[WordTags]) -> WordConfidence:
        """Count kept n-grams, all of whose words are OK, in tokenised outputs with their tags."""
        self.check()
        check_parallel({"outputs": outputs, "tags": tags})
        vocabulary = Vocabulary([_UNKNOWN])
        ids, offsets = vocabulary.core.encode(list(outputs), _core.text.surface_tokeniser("none"))
        unedited = np.array([tag == "OK" for each in tags for tag in each.words], dtype=np.float64)
        if len(unedited) != len(ids):
            raise DataError(f"The outputs have {len(ids)} words and {len(unedited)} tags.")
        tables = []
        for length in range(1, self.order + 1):
            keys, _ = ngram_keys(ids, offsets, length)
            whole = _all_kept(unedited, offsets, length)
            ngrams, place = np.unique(keys, return_inverse=True)
            total = np.bincount(place, minlength=len(ngrams))
            survived = np.bincount(place, weights=whole, minlength=len(ngrams))
            mean = float(whole.mean()) if len(whole) else 1.0
            tables.append((ngrams, (survived + self.smoothing * mean) / (total + self.smoothing), mean))
        frozen = Vocabulary(vocabulary.words(), unk=_UNKNOWN).freeze()
        return WordConfidence(self, frozen, tuple(tables))


@dataclass(eq=False, repr=False)
class WordConfidence(StoredArtifact):
    """The smoothed share in which n-grams of translations were kept; unseen ones have the mean of all."""

    kind: ClassVar[str] = "word confidence"
    format: ClassVar[int] = 2

    recipe: ConfidenceRecipe
    vocabulary: Vocabulary
    tables: tuple[tuple[Keys, Floats, float], ...]  # by length: n-grams, their rates, the mean of all

    @property
    def sizes(self) -> tuple[int, ...]:
        """Different n-grams by length."""
        return tuple(len(keys) for keys, _, _ in self.tables)

    def _check(self) -> None:
        for length, (keys, rates, _) in enumerate(self.tables, start=1):
            check_array(f"n-grams of {length}", keys, np.uint64, None)
            check_array(f"rates of n-grams of {length}", rates, np.float64, len(keys))

    def rates(
        self, ids: NDArray[np.int32], offsets: NDArray[np.int64], length: int
    ) -> tuple[Floats, NDArray[np.int64]]:
        """The rate of each n-gram of sentences, given as ids of the vocabulary, and the sentence of each."""
        if not 1 <= length <= len(self.tables):
            raise DataError(f"Confidence is of n-grams of 1 to {len(self.tables)} words, not of {length}.")
        keys, sentence = ngram_keys(ids, offsets, length)
        return look_up(keys, *self.tables[length - 1]), sentence


def _all_kept(survived: Floats, offsets: NDArray[np.int64], length: int) -> Floats:
    """For each n-gram inside the sentences, 1 if all of its words were kept."""
    n = max(0, len(survived) - length + 1)
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    whole = np.ones(n)
    for shift in range(length):
        whole *= survived[shift : shift + n]
    inside = sentence[:n] == sentence[length - 1 :] if n else np.zeros(0, dtype=bool)
    of_ngrams: Floats = whole[inside]
    return of_ngrams
