"""Features that ask corpora beside the bitext: how usual the n-grams of a side are in the language at large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import PER_SENTENCE, Batch, means, once, sums
from dragoman.qe.resources.ngrams import NgramCounts
from dragoman.qe.resources.wide import MOST_WIDE, wide_name
from dragoman.stats.arrays import Floats

__all__ = ["Wide"]

_RAREST = 3  # n-grams whose mean is the value `rarest`


@dataclass(frozen=True)
class Wide(Feature):
    """How frequent a side's n-grams are in a further corpus of its language, lower-cased.

    `seen` is the share of n-grams that the corpus has, `unseen` the number of those it has not, `above` the share of
    those that are more frequent than `times` in a million words; `mean`, `spread` and `least` are of ln(1 + frequency),
    `rarest` the mean of the three least. An n-gram is frequent or not for the language, whatever the bitext is about.
    """

    name: ClassVar[str] = "wide"
    paper: ClassVar[str] = "Moreau & Vogel, WMT 2012, §4 (Google Books); Felice & Specia, WMT 2012, §3"
    needs: ClassVar[tuple[str, ...]] = ("wide_source_1",)

    on: str = option("source", choices=("source", "target"), text="of which side")
    corpus: int = option(1, low=1, high=MOST_WIDE, text="which of the further corpora, as they were given")
    length: int = option(1, low=1, high=3, text="words of the n-grams")
    value: str = option(
        "mean", choices=("seen", "unseen", "above", "mean", "spread", "least", "rarest"), text="what of the frequencies"
    )
    times: float = option(10.0, low=0.0, text="occurrences in a million words, for `above`")

    def needed(self) -> tuple[str, ...]:
        """The counts of the corpus."""
        return (wide_name(self.on, self.corpus),)

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        name = wide_name(self.on, self.corpus)
        counts = batch.resources.ask(name, NgramCounts)
        frequency, sentence = _frequencies(batch, self.on, name, self.length, self.compat)
        if self.value == "seen":
            return means(frequency > 0, sentence, len(batch))
        if self.value == "unseen":
            return sums(frequency == 0, sentence, len(batch))
        if self.value == "above":
            return means(frequency > self.times * _millions(counts), sentence, len(batch))
        logs = np.log1p(frequency.astype(np.float64))
        if self.value == "rarest":
            return _rarest(logs, sentence, np.bincount(sentence, minlength=len(batch)))
        return PER_SENTENCE[self.value](logs, sentence, len(batch))


@once
def _frequencies(
    batch: Batch, on: str, name: str, length: int, compat: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    counts, tokens = batch.resources.ask(name, NgramCounts), batch.tokens(on, compat)
    lowered = counts.vocabulary.ids([word.lower() for word in tokens.words])
    ids = lowered[tokens.ids] if tokens.words else np.zeros(0, dtype=np.int32)
    return counts.frequencies(ids, tokens.offsets, length)


def _millions(counts: NgramCounts) -> float:
    """Words of the corpus, in millions; of a list, occurrences of the shortest n-grams it has."""
    return next(float(times.sum()) for _, times in counts.tables if len(times)) / 1e6


def _rarest(values: Floats, sentence: NDArray[np.int64], n: NDArray[np.int64]) -> Floats:
    """The mean of the three least values of each sentence, or of all; 0 where there are none."""
    order = np.lexsort((values, sentence))
    rank = np.arange(len(values)) - np.repeat(np.cumsum(n) - n, n)
    taken = order[rank < _RAREST]
    return means(values[taken], sentence[taken], len(n))
