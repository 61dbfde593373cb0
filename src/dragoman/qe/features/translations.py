"""Features that ask a lexical table how many translations words have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, shares
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.ngrams import NgramCounts
from dragoman.stats.arrays import Floats

__all__ = ["RareTranslations", "Translations"]

_WMT12 = "Callison-Burch et al., WMT 2012, §6.2"


@dataclass(frozen=True)
class Translations(Feature):
    """Mean number of translations of the source's words that are more probable than a threshold. Unknown words have 0.

    Weighted by `frequency`, each word's number is multiplied by the word's share of the corpus (Hardmeier et al. 2012).

    The released files hold other magnitudes (mean 214), which no p(target | source) gives; there is no `wmt12` of it.
    """

    name: ClassVar[str] = "translations"
    paper: ClassVar[str] = f"{_WMT12}, feature 7; Hardmeier et al., WMT 2012, §3"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("lexicon",)

    threshold: float = option(0.2, low=0, high=1, text="translations must be more probable than this")
    weight: str = option("", choices=("", "frequency"), text="what each word's number is multiplied by")

    def needed(self) -> tuple[str, ...]:
        """The table, and counts for weights."""
        return ("lexicon", "ngrams") if self.weight else ("lexicon",)

    def values(self, batch: Batch) -> Floats:
        """Translations per word of each source."""
        tokens = batch.tokens("source", self.compat)
        numbers = _n_translations(batch, self.threshold, self.compat)
        if self.weight:
            total = int(batch.resources.ask("ngrams", NgramCounts).tables[0][1].sum())
            numbers = numbers * _word_frequencies(batch, self.compat) / total
        return shares(tokens.sums(numbers), tokens.lengths)


@dataclass(frozen=True)
class RareTranslations(Feature):
    """The same, each word's number divided by the word's frequency in the corpus; words it has not add 0."""

    name: ClassVar[str] = "rare-translations"
    paper: ClassVar[str] = f"{_WMT12}, feature 8"
    side: ClassVar[Literal["source"]] = "source"
    needs: ClassVar[tuple[str, ...]] = ("lexicon", "ngrams")

    threshold: float = option(0.01, low=0, high=1, text="translations must be more probable than this")

    def values(self, batch: Batch) -> Floats:
        """Translations by frequency per word of each source."""
        tokens = batch.tokens("source", self.compat)
        frequency = _word_frequencies(batch, self.compat)
        return shares(
            tokens.sums(shares(_n_translations(batch, self.threshold, self.compat), frequency)), tokens.lengths
        )


def _word_frequencies(batch: Batch, compat: str) -> NDArray[np.int64]:
    """How often each word of the sources' vocabulary stands in the corpus."""
    words = batch.tokens("source", compat).words
    ngrams = batch.resources.ask("ngrams", NgramCounts)
    each = np.arange(len(words) + 1, dtype=np.int64)  # every word of the vocabulary a sentence of its own
    ids = ngrams.vocabulary.ids(words) if words else np.zeros(0, dtype=np.int32)
    return ngrams.frequencies(ids, each, 1)[0]


def _n_translations(batch: Batch, threshold: float, compat: str) -> Floats:
    """How many translations each word of the sources' vocabulary has."""
    lexicon = batch.resources.ask("lexicon", LexicalTable)
    words = batch.tokens("source", compat).words
    if not words:
        return np.zeros(0)
    return lexicon.n_translations(threshold)[lexicon.vocabulary.ids(words)].astype(np.float64)
