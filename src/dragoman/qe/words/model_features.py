"""What models and counts say of a word."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.lm import LanguageModel
from dragoman.options import option
from dragoman.qe.features.batch import Batch, once
from dragoman.qe.resources.confidence import WordConfidence
from dragoman.qe.resources.ngrams import NgramCounts
from dragoman.qe.words.features import WORD_FEATURES, Neighbours, Symbols, WordFeature
from dragoman.stats.arrays import Floats

__all__ = ["Frequency", "KeptRate", "LmLength", "LmScore", "SentenceMean"]


@dataclass(frozen=True)
class LmScore(Neighbours):
    """Log-probability (base 10) of the word after those before it, or, in a backward model, after those behind it."""

    name: ClassVar[str] = "lm"
    paper: ClassVar[str] = "LIG, WMT 2014; FBK-UPV-UEdin, WMT 2014"

    model: str = option(
        "target_lm", choices=("target_lm", "target_backward_lm", "output_lm"), text="which language model"
    )

    def needed(self) -> tuple[str, ...]:
        """The model."""
        return (self.model,)

    def own(self, batch: Batch) -> Floats:
        """The scores of the words."""
        return _scored(batch, self.model)[0]


@dataclass(frozen=True)
class LmLength(Neighbours):
    """How many words the longest n-gram has that the language model knows and that ends here."""

    name: ClassVar[str] = "lm-length"
    paper: ClassVar[str] = "LIG, WMT 2014 (longest n-gram); FBK-UPV-UEdin, WMT 2014 (back-off)"

    model: str = option(
        "target_lm", choices=("target_lm", "target_backward_lm", "output_lm"), text="which language model"
    )

    def needed(self) -> tuple[str, ...]:
        """The model."""
        return (self.model,)

    def own(self, batch: Batch) -> Symbols:
        """The lengths."""
        return [str(length) for length in _scored(batch, self.model)[1].tolist()]


@once
def _scored(batch: Batch, model: str) -> tuple[Floats, NDArray[np.int64]]:
    """Log-probability and matched length of every token of the outputs."""
    lm, lines = batch.resources.ask(model, LanguageModel), batch.tokens("target").lines
    backward = "backward" in model
    if backward:
        lines = [" ".join(reversed(line.split())) for line in lines]
    scored = lm.score_tokens(lines, n_threads=batch.n_threads)
    offsets, step = batch.tokens("target").offsets, -1 if backward else 1
    scores, lengths = np.zeros(int(offsets[-1])), np.zeros(int(offsets[-1]), dtype=np.int64)
    for pair, (begin, end) in enumerate(pairwise(offsets.tolist())):
        first = int(scored.offsets[pair])
        scores[begin:end] = scored.log_p[first : first + end - begin][::step]
        lengths[begin:end] = scored.n_matched[first : first + end - begin][::step]
    return scores, lengths


@dataclass(frozen=True)
class Frequency(Neighbours):
    """How often the word is in the corpus of the target language: ln(1 + count)."""

    name: ClassVar[str] = "frequency"
    paper: ClassVar[str] = "LIG, WMT 2014"
    needs: ClassVar[tuple[str, ...]] = ("target_ngrams",)

    def own(self, batch: Batch) -> Floats:
        """Logarithms of counts."""
        counts = batch.resources.ask("target_ngrams", NgramCounts)
        target = batch.tokens("target")
        frequencies, _ = counts.frequencies(target.ids_in(counts.vocabulary), target.offsets, 1)
        return np.log1p(np.asarray(frequencies, dtype=np.float64))


@dataclass(frozen=True)
class KeptRate(Neighbours):
    """The share in which post-editors kept the n-gram that ends with this word."""

    name: ClassVar[str] = "kept-rate"
    paper: ClassVar[str] = "after Specia et al. and Buck, WMT 2013 (words that post-editors change)"
    needs: ClassVar[tuple[str, ...]] = ("confidence",)

    length: int = option(1, low=1, high=3, text="words of the n-gram")

    def own(self, batch: Batch) -> Floats:
        """The rates; NaN at the first words of sentences for longer n-grams."""
        confidence = batch.resources.ask("confidence", WordConfidence)
        target = batch.tokens("target")
        rates, sentence = confidence.rates(target.ids_in(confidence.vocabulary), target.offsets, self.length)
        column = np.full(int(target.offsets[-1]), np.nan)
        first = target.offsets[:-1][sentence]
        # The k-th n-gram of a sentence ends with its word k + length − 1.
        _, start = np.unique(sentence, return_index=True)
        begin = np.zeros(len(sentence), dtype=np.int64)
        begin[start] = start
        number = np.arange(len(sentence)) - np.maximum.accumulate(begin)
        column[first + number + self.length - 1] = rates
        return column


@dataclass(frozen=True)
class SentenceMean(WordFeature):
    """The mean over the sentence of another feature: words of an output that is bad as a whole are all bad."""

    name: ClassVar[str] = "sentence-mean"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (sentence context)"

    of: str = option("lm", choices=("elsewhere", "kept-rate", "lexicon", "lm", "posterior"), text="of which feature")

    def needed(self) -> tuple[str, ...]:
        """What that feature needs."""
        return self._inner().needed()

    def _inner(self) -> WordFeature:
        return WORD_FEATURES.make(self.of)

    def column(self, batch: Batch) -> Floats:
        """The means; NaN where no word has a value."""
        values = np.asarray(self._inner().column(batch), dtype=np.float64)
        target = batch.tokens("target")
        there = ~np.isnan(values)
        total = np.bincount(target.sentence[there], weights=values[there], minlength=len(batch))
        count = np.bincount(target.sentence[there], minlength=len(batch))
        with np.errstate(invalid="ignore"):
            mean = np.where(count > 0, total / count, np.nan)
        return mean[target.sentence]
