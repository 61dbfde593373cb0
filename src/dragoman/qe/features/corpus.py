"""Features that ask a corpus: language models, frequency quartiles, known words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.lm import LanguageModel
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, means, once, shares
from dragoman.qe.resources.ngrams import NgramCounts
from dragoman.stats.arrays import Floats

__all__ = ["KnownWords", "NgramQuartile", "SourceLM", "TargetLM", "corpus_counts", "corpus_frequencies"]

_WMT12 = "Callison-Burch et al., WMT 2012, §6.2"


def corpus_counts(batch: Batch, on: str) -> NgramCounts:
    """The counts of a side's corpus."""
    return batch.resources.ask("ngrams" if on == "source" else "target_ngrams", NgramCounts)


@once
def corpus_frequencies(batch: Batch, on: str, length: int, compat: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Frequencies of a side's n-grams in its corpus, and the sentence of each."""
    counts, tokens = corpus_counts(batch, on), batch.tokens(on, compat)
    return counts.frequencies(tokens.ids_in(counts.vocabulary), tokens.offsets, length)


@dataclass(frozen=True)
class _LogProbability(Feature):
    """Base of log-probabilities in the language model of a side."""

    def values(self, batch: Batch) -> Floats:
        """Log-probabilities of the sentences."""
        model = batch.resources.ask(self.needs[0], LanguageModel)
        return model.score(batch.tokens(self.side, self.compat).lines, n_threads=batch.n_threads)


@dataclass(frozen=True)
class SourceLM(_LogProbability):
    """log10 of the probability of the source sentence in a language model (a trigram model in WMT 2012)."""

    name: ClassVar[str] = "source-lm"
    paper: ClassVar[str] = f"{_WMT12}, feature 4"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("source_lm",)


@dataclass(frozen=True)
class TargetLM(_LogProbability):
    """log10 of the probability of the translation in a language model (a 5-gram model in WMT 2012)."""

    name: ClassVar[str] = "target-lm"
    paper: ClassVar[str] = f"{_WMT12}, feature 5"
    side: ClassVar[Literal["target"]] = "target"
    needs: ClassVar[tuple[str, ...]] = ("target_lm",)


@dataclass(frozen=True)
class NgramQuartile(Feature):
    """Share of the source's n-grams whose frequency in the source side of a corpus lies in a quartile, or the target's.

    The different n-grams of the corpus, ordered by frequency, are cut into four quarters; with cᵢ the highest frequency
    of quarter i, quartile i holds frequencies above cᵢ₋₁ and up to cᵢ, the last one all above c₃. N-grams that the
    corpus has not are in none. 0 for a sentence without n-grams of that length.
    """

    name: ClassVar[str] = "ngram-quartile"
    paper: ClassVar[str] = f"{_WMT12}, features 9 to 14"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("ngrams",)

    length: int = option(1, low=1, high=5, text="words of the n-grams")
    quartile: int = option(1, low=1, high=4, text="1 holds the rarest, 4 the most frequent")
    on: str = option("source", choices=("source", "target"), text="of which side")

    def needed(self) -> tuple[str, ...]:
        """The counts of the side."""
        return ("ngrams",) if self.on == "source" else ("target_ngrams",)

    def values(self, batch: Batch) -> Floats:
        """Shares of the n-grams of each sentence."""
        ngrams = corpus_counts(batch, self.on)
        frequency, sentence = corpus_frequencies(batch, self.on, self.length, self.compat)
        bounds = (0, *ngrams.cuts(self.length)[:3], np.inf)
        within = (frequency > bounds[self.quartile - 1]) & (frequency <= bounds[self.quartile])
        return means(within, sentence, len(batch))


@dataclass(frozen=True)
class KnownWords(Feature):
    """Share of the source's tokens that a corpus has, 0 for an empty source; `wmt12` counts different words once."""

    name: ClassVar[str] = "known-words"
    paper: ClassVar[str] = f"{_WMT12}, feature 15"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("ngrams",)

    def values(self, batch: Batch) -> Floats:
        """Shares of the words of each source."""
        ngrams = batch.resources.ask("ngrams", NgramCounts)
        tokens = batch.tokens("source", self.compat)
        in_corpus = tokens.by_word(lambda word: float(word in ngrams.vocabulary))
        if not self.compat:
            return shares(tokens.sums(in_corpus), tokens.lengths)
        sentence, word = tokens.types()
        return means(in_corpus[word], sentence, len(batch))
