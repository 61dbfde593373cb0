"""Features learnt from translations that people have corrected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, least, means, once
from dragoman.qe.features.models import LMScore
from dragoman.qe.resources.confidence import WordConfidence
from dragoman.qe.resources.indicators import PhraseIndicators
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.word_bayes import WordBayes
from dragoman.stats.arrays import Floats

__all__ = ["Confidence", "Indicators", "OutputContrast", "WordBayesShare"]


@dataclass(frozen=True)
class Confidence(Feature):
    """How often the n-grams of the translation were kept by post-editors of other translations.

    Each n-gram's smoothed rate; `mean`, `geometric` mean, the `worst` one's, or the `share` of rates below the mean
    rate of all.
    """

    name: ClassVar[str] = "confidence"
    paper: ClassVar[str] = "González-Rubio et al., WMT 2012, §3 (naive Bayes); de Souza et al., WMT 2014 (wpred)"
    side: ClassVar[Literal["target"]] = "target"
    needs: ClassVar[tuple[str, ...]] = ("confidence",)

    length: int = option(1, low=1, high=3, text="words of the n-grams")
    value: str = option("mean", choices=("mean", "geometric", "worst", "share"), text="what of the rates")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; an empty one has the mean rate of all."""
        table = batch.resources.ask("confidence", WordConfidence)
        tokens = batch.tokens("target", self.compat)
        rates, sentence = table.rates(tokens.ids_in(table.vocabulary), tokens.offsets, self.length)
        mean = table.tables[self.length - 1][2]
        if self.value == "worst":
            return least(rates, sentence, len(batch), empty=mean)
        if self.value == "share":
            return means(rates < mean, sentence, len(batch))
        values, empty = (rates, mean) if self.value == "mean" else (np.log(np.maximum(rates, 1e-6)), np.log(mean))
        return np.where(np.bincount(sentence, minlength=len(batch)) > 0, means(values, sentence, len(batch)), empty)


@dataclass(frozen=True)
class Indicators(Feature):
    """HTER as a sparse linear model of the pair's n-grams predicts it."""

    name: ClassVar[str] = "phrase-indicators"
    paper: ClassVar[str] = "Wu & Zhao, WMT 2012"
    needs: ClassVar[tuple[str, ...]] = ("indicators",)

    def values(self, batch: Batch) -> Floats:
        """The prediction of each pair."""
        lines = [batch.tokens(side, self.compat).lines for side in ("source", "target")]
        return batch.resources.ask("indicators", PhraseIndicators).predict(*lines)


@dataclass(frozen=True)
class OutputContrast(Feature):
    """log10 probability per token in the model of machine translations, less that in the model of good text."""

    name: ClassVar[str] = "output-contrast"
    paper: ClassVar[str] = "Pighin et al., WMT 2012 (SEQ/sys-ref); Rubino et al., WMT 2012"
    side: ClassVar[Literal["target"]] = "target"
    needs: ClassVar[tuple[str, ...]] = ("output_lm", "target_lm")

    def values(self, batch: Batch) -> Floats:
        """The contrast of each output."""
        ours, good = (LMScore(compat=self.compat, model=model).values(batch) for model in ("output", "target"))
        return ours - good


@dataclass(frozen=True)
class WordBayesShare(Feature):
    """Confidence in the translation's words: its mean, or the share of words whose confidence lies in a quartile.

    `bayes` is P(kept by a post-editor) by smoothed naive Bayes on the word, its neighbours and how well the source
    explains it; `ibm1` is max p(word | source word). Quartiles are those of the words that the model learnt from, 1 the
    least confident. 0 for an empty output.
    """

    name: ClassVar[str] = "word-bayes"
    paper: ClassVar[str] = "González-Rubio et al., WMT 2012, §3 (smoothed naive Bayes; mean and quartiles)"
    needs: ClassVar[tuple[str, ...]] = ("word_bayes", "lexicon")

    of: str = option("bayes", choices=("bayes", "ibm1"), text="whose confidence")
    quartile: int = option(0, low=0, high=4, text="0 for the mean, 1 to 4 for shares")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        bayes, ibm1, sentence = _confidences(batch, self.compat)
        model = batch.resources.ask("word_bayes", WordBayes)
        values, cuts = (bayes, model.bounds) if self.of == "bayes" else (ibm1, model.cuts)
        inside = (np.searchsorted(cuts, values) == self.quartile - 1) if self.quartile else values
        return means(inside, sentence, len(batch))


@once
def _confidences(batch: Batch, compat: str) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """P(kept) and IBM model 1's confidence of each word of the outputs, and its sentence."""
    model = batch.resources.ask("word_bayes", WordBayes)
    table = batch.resources.ask("lexicon", LexicalTable)
    source, target = (batch.tokens(side, compat) for side in ("source", "target"))
    best = table.best(
        source.ids_in(table.vocabulary), source.offsets, target.ids_in(table.target_vocabulary), target.offsets
    )
    values = model.values(target.ids_in(model.vocabulary), target.offsets, best)
    return model.p_kept(values), best, target.sentence
