"""How like good text a sentence is, without any judgements to learn from (Moreau & Vogel 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, shares
from dragoman.qe.resources.ngrams import Counts, Keys
from dragoman.qe.resources.similarity import GoodText, okapi_weights
from dragoman.stats.arrays import Floats

__all__ = ["Okapi", "PaddedLevels", "PaddedMatch"]

_SIDES = ("source", "target")
_WEIGHTS = ("binary", "frequency", "log-frequency", "inverse-frequency", "idf")
_TCD = "Moreau & Vogel, WMT 2012"


@dataclass(frozen=True)
class _OfGoodText(Feature):
    """Base of features that ask an index of good text."""

    needs: ClassVar[tuple[str, ...]] = ("source_good_text",)

    on: str = option("source", choices=_SIDES, text="of which side")

    def needed(self) -> tuple[str, ...]:
        """The index of the side."""
        return (f"{self.on}_good_text",)

    def text(self, batch: Batch) -> GoodText:
        """The index."""
        return batch.resources.ask(f"{self.on}_good_text", GoodText)

    def ngrams(self, batch: Batch, mask: str) -> tuple[Keys, Counts, Counts, NDArray[np.int64]]:
        """The n-grams of the side: hashes, counts, sentences that have them, sentence of each."""

        def make() -> tuple[Keys, Counts, Counts, NDArray[np.int64]]:
            tokens = batch.tokens(self.on, self.compat)
            return self.text(batch).look_up(tokens.words, tokens.ids, tokens.offsets, mask)

        return batch.keep(("good text", self.on, mask, self.compat), make)

    def share(self, batch: Batch, mask: str, weight: str) -> Floats:
        """The weight of the n-grams that the text has, of the weight of all."""
        _, times, having, sentence = self.ngrams(batch, mask)
        f = times.astype(np.float64)
        weights: Floats
        if weight == "binary":
            weights = np.ones(len(f))
        elif weight == "frequency":
            weights = 1 + f
        elif weight == "log-frequency":
            weights = 1 + np.log1p(f)
        elif weight == "inverse-frequency":
            weights = 1 / (1 + f)
        else:
            weights = np.log((1 + self.text(batch).n_sentences) / (1 + having))
        return shares(
            np.bincount(sentence, weights=weights * (f > 0), minlength=len(batch)),
            np.bincount(sentence, weights=weights, minlength=len(batch)),
        )


@dataclass(frozen=True)
class PaddedMatch(_OfGoodText):
    """Share of a side's n-grams, sentence ends among them, that stand in good text, whatever the case of letters.

    An n-gram weighs 1, or by its frequency f there 1 + f, 1 + ln(1 + f), 1/(1 + f), or ln((1 + N)/(1 + sentences that
    have it)). The mask says which words of a run count: `11` bigrams, `101` every other word.
    """

    name: ClassVar[str] = "padded-match"
    paper: ClassVar[str] = f"{_TCD}, §4 (simple matching, local weights, skip-grams)"

    mask: str = option("111", text="1 for a word that counts, 0 for one that is skipped")
    weight: str = option("binary", choices=_WEIGHTS, text="what an n-gram weighs")

    def values(self, batch: Batch) -> Floats:
        """Shares of the n-grams of each sentence."""
        if not self.mask or self.mask.strip("01"):
            raise DataError(f"A mask is made of 0 and 1, got {self.mask!r}.")
        return self.share(batch, self.mask, self.weight)


@dataclass(frozen=True)
class PaddedLevels(_OfGoodText):
    """Multi-level matching with sentence ends: what no long n-gram matches may be matched by shorter ones, for less.

    With s_k the share of matched k-grams, s_N + Σ p^(N−k) · max(0, s_k − s_{k+1}), k from N − 1 down to 1.
    """

    name: ClassVar[str] = "padded-multi-level"
    paper: ClassVar[str] = f"{_TCD}, §4 (multi-level matching)"

    longest: int = option(5, low=1, high=8, text="words of the longest n-grams")
    discount: float = option(0.5, low=0, high=1, text="what a match is worth one level down")
    weight: str = option("binary", choices=_WEIGHTS, text="what an n-gram weighs")

    def values(self, batch: Batch) -> Floats:
        """The score of each sentence."""
        levels = [self.share(batch, "1" * length, self.weight) for length in range(1, self.longest + 1)]
        total = levels[-1].copy()
        for length in range(self.longest - 1, 0, -1):
            gain = np.maximum(0.0, levels[length - 1] - levels[length])
            total += self.discount ** (self.longest - length) * gain
        return total


@dataclass(frozen=True)
class Okapi(_OfGoodText):
    """Cosine of the n-grams of a sentence and of all good text, each weighted by Okapi BM25.

    w = idf · tf · (k₁ + 1) / (tf + k₁ · (1 − b + b · length / mean length)), idf = ln((N − n + ½)/(n + ½)), at least 0,
    of the N sentences n having the n-gram. 0 for a sentence without n-grams that weigh anything.
    """

    name: ClassVar[str] = "okapi"
    paper: ClassVar[str] = f"{_TCD}, §4 (Okapi BM25)"

    length: int = option(2, low=1, high=8, text="words of the n-grams")
    k1: float = option(1.2, low=0, text="how soon more occurrences add little")
    b: float = option(0.75, low=0, high=1, text="how far the text's length counts")

    def values(self, batch: Batch) -> Floats:
        """The cosine of each sentence."""
        mask = "1" * self.length
        text = self.text(batch)
        keys, times, having, sentence = self.ngrams(batch, mask)
        _, counts, sentences = text.tables[mask]
        total = float(counts.sum())
        mean = total / max(1, text.n_sentences)
        norm = batch.keep(
            ("okapi", self.on, self.length, self.k1, self.b),
            lambda: float(np.linalg.norm(self._weights(counts, sentences, total, mean, text.n_sentences))),
        )
        # One row for each different n-gram of a sentence.
        order = np.lexsort((keys, sentence))
        first = np.ones(len(order), dtype=bool)
        first[1:] = (keys[order][1:] != keys[order][:-1]) | (sentence[order][1:] != sentence[order][:-1])
        chosen = order[first]
        tf = np.diff(np.append(np.flatnonzero(first), len(order)))
        of = sentence[chosen]
        lengths = np.bincount(sentence, minlength=len(batch)).astype(np.float64)[of]
        ours = self._weights(tf, having[chosen], lengths, mean, text.n_sentences)
        theirs = self._weights(times[chosen], having[chosen], total, mean, text.n_sentences)
        dot = np.bincount(of, weights=ours * theirs, minlength=len(batch))
        own = np.sqrt(np.bincount(of, weights=ours**2, minlength=len(batch)))
        return shares(dot, own * norm)

    def _weights(self, times: Counts, having: Counts, length: Floats | float, mean: float, n: int) -> Floats:
        return okapi_weights(times, having, length, mean, n, self.k1, self.b)
