"""Features that ask a corpus: language models, frequency quartiles, known words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from dragoman.artifact import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, shares
from dragoman.qe.resources import present
from dragoman.stats.arrays import Floats

__all__ = ["KnownWords", "NgramQuartile", "SourceLM", "TargetLM"]

_WMT12 = "Callison-Burch et al., WMT 2012, §6.2"


@dataclass(frozen=True)
class SourceLM(Feature):
    """log10 of the probability of the source sentence in a language model (a trigram model in WMT 2012)."""

    name: ClassVar[str] = "source-lm"
    paper: ClassVar[str] = f"{_WMT12}, feature 4"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("source_lm",)

    def values(self, batch: Batch) -> Floats:
        """Log-probabilities of the sources."""
        model = present(batch.resources.source_lm, "source_lm")
        return model.score(batch.tokens("source", self.compat).lines, n_threads=batch.n_threads)


@dataclass(frozen=True)
class TargetLM(Feature):
    """log10 of the probability of the translation in a language model (a 5-gram model in WMT 2012)."""

    name: ClassVar[str] = "target-lm"
    paper: ClassVar[str] = f"{_WMT12}, feature 5"
    side: ClassVar[Literal["target"]] = "target"
    needs: ClassVar[tuple[str, ...]] = ("target_lm",)

    def values(self, batch: Batch) -> Floats:
        """Log-probabilities of the outputs."""
        model = present(batch.resources.target_lm, "target_lm")
        return model.score(batch.tokens("target", self.compat).lines, n_threads=batch.n_threads)


@dataclass(frozen=True)
class NgramQuartile(Feature):
    """Share of the source's n-grams whose frequency in the source side of a corpus lies in one quartile.

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

    def values(self, batch: Batch) -> Floats:
        """Shares of the n-grams of each source."""
        ngrams = present(batch.resources.ngrams, "ngrams")
        tokens = batch.tokens("source", self.compat)
        frequency, sentence = ngrams.frequencies(tokens.ids_in(ngrams.vocabulary), tokens.offsets, self.length)
        bounds = (0, *ngrams.cuts(self.length)[:3], np.inf)
        within = (frequency > bounds[self.quartile - 1]) & (frequency <= bounds[self.quartile])
        return shares(
            np.bincount(sentence, weights=within, minlength=len(batch)), np.bincount(sentence, minlength=len(batch))
        )


@dataclass(frozen=True)
class KnownWords(Feature):
    """Share of the source's tokens that a corpus has, 0 for an empty source; `wmt12` counts different words once."""

    name: ClassVar[str] = "known-words"
    paper: ClassVar[str] = f"{_WMT12}, feature 15"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("ngrams",)

    def values(self, batch: Batch) -> Floats:
        """Shares of the words of each source."""
        ngrams = present(batch.resources.ngrams, "ngrams")
        tokens = batch.tokens("source", self.compat)
        known = tokens.by_word(lambda word: float(word in ngrams.vocabulary))
        if not self.compat:
            return shares(tokens.sums(known), tokens.lengths)
        sentence, word = tokens.types()
        return shares(
            np.bincount(sentence, weights=known[word], minlength=len(batch)),
            np.bincount(sentence, minlength=len(batch)),
        )
